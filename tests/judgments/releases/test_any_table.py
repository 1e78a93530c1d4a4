"""Any tables: what is understood by itself, what is asked, and what is refused."""

import gzip
import io
import json
import zipfile

import openpyxl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from judgments import demo, exports
from judgments.formats import ImportProblem
from judgments.models import Campaign
from judgments.protocols.spans import files as span_files
from judgments.releases import registry
from judgments.releases.files import Folder, opened
from judgments.releases.from_database import release_of
from judgments.releases.records import Problems
from judgments.releases.tables import workbooks
from judgments.releases.tables.long_formats import LongTsv, ParquetTables, XlsxWorkbook
from judgments.results.selection import Selection
from tests.releases import bring, facts
from tests.shared import shared_data

HEADER = "worker\tseg_id\tsys_id\ttype\tadequacy\tfluency"
ROWS = [
    "W1\t0\tonline-A\tSYSTEM\t81.5\t70",
    "W1\t1\tonline-A\tBAD_REF\t-3\t",
    "W2\t0\tonline-B\tREPEAT\t12\t99",
    "W2\t10\tonline-B\tREF\t100\t100",
]


def read(folder, answers=None, **files):
    """What files of these names and contents hold: (release, its screens, its problems)."""
    for name, content in files.items():
        content = content if isinstance(content, bytes) else content.encode()
        (folder / name.replace("__", ".")).write_bytes(content)
    with opened([folder / name.replace("__", ".") for name in files]) as found:
        problems = Problems()
        release = registry.read(found, answers or {}, problems)
        screens = [screen for part in release.judgments for screen in part.screens()]
        said = {part.name: list(part.segments()) for part in release.texts}
    return release, screens, said, problems


def said(screens):
    return [(s.annotator, s.segment, s.outputs, s.kind, s.ratings) for s in screens]


EXPECTED = [
    (
        "W1",
        "0",
        ["online-A"],
        "regular",
        [("online-A", "adequacy", 81.5), ("online-A", "fluency", 70)],
    ),
    ("W1", "1", ["online-A"], "degraded", [("online-A", "adequacy", -3.0)]),
    (
        "W2",
        "0",
        ["online-B"],
        "repeat",
        [("online-B", "adequacy", 12), ("online-B", "fluency", 99)],
    ),
    (
        "W2",
        "10",
        ["online-B"],
        "reference",
        [("online-B", "adequacy", 100), ("online-B", "fluency", 100)],
    ),
]


def as_csv(text, delimiter):
    rows = [line.split("\t") for line in text.splitlines()]
    return "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)


def as_json(text):
    header, *rows = (line.split("\t") for line in text.splitlines())
    return "\n".join(json.dumps(dict(zip(header, row, strict=True))) for row in rows)


def as_workbook(text):
    book = openpyxl.Workbook()
    for line in text.splitlines():
        book.active.append(
            [
                float(c) if c.lstrip("-").replace(".", "").isdecimal() else c
                for c in line.split("\t")
            ]
        )
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def as_parquet(text):
    header, *rows = (line.split("\t") for line in text.splitlines())
    stream = io.BytesIO()
    parquet.write_table(pa.table({n: [r[i] for r in rows] for i, n in enumerate(header)}), stream)
    return stream.getvalue()


TABLE = "\n".join([HEADER, *ROWS])
KINDS = {
    "scores.tsv": TABLE,
    "scores.txt": TABLE,
    "scores.tsv.gz": gzip.compress(TABLE.encode()),
    "scores.csv": as_csv(TABLE, ","),
    "semicolons.csv": as_csv(TABLE, ";"),
    "scores.jsonl": as_json(TABLE),
    "scores.parquet": as_parquet(TABLE),
    "packed.parquet.gz": gzip.compress(as_parquet(TABLE)),
}


@pytest.mark.parametrize("name", KINDS)
def test_columns_are_known_by_their_names(tmp_path, name):
    release, screens, texts, problems = read(tmp_path, **{name: KINDS[name]})
    assert not problems
    assert said(screens) == EXPECTED
    (part,) = release.judgments
    open_scale = {"low": None, "high": None, "step": None}
    assert part.options["dimensions"] == [
        {"slug": slug} | open_scale for slug in ("adequacy", "fluency")
    ]
    (segments,) = texts.values()
    assert [segment.key for segment in segments] == ["0", "1", "10"]
    assert not release.texts[0].has_texts


def test_a_workbook(tmp_path):
    _, screens, _, problems = read(tmp_path, **{"scores.xlsx": as_workbook(TABLE)})
    assert not problems
    # A number of a workbook has no leading zeros and no end: 0.0 is how openpyxl wrote it.
    assert [s.ratings for s in screens] == [row[4] for row in EXPECTED]


def test_a_workbook_of_texts_and_judgments(tmp_path):
    """A sheet for each; the texts of a row beside its score would do, too."""
    book = openpyxl.Workbook()
    book.active.title = "Texts"
    for row in (["id", "source", "ref", "system:A"], ["s1", "Eins", "One", "=One"]):
        book.active.append([row[0], *row[1:3], row[3].replace("=", "")])
    scores = book.create_sheet("Scores")
    for row in (["rater", "segment", "system", "score", "comment"], ["Mia", "s1", "A", 5.5, None]):
        scores.append(row)
    book.create_sheet("Empty")
    book.save(tmp_path / "study.xlsx")
    answers = {"column:segment": "id", "source-language": "de", "target-language": "en"}
    content = (tmp_path / "study.xlsx").read_bytes()
    release, screens, texts, problems = read(tmp_path, answers, **{"t.xlsx": content})
    assert not problems
    assert [s.ratings for s in screens] == [[("A", "score", 5.5)]]
    ((segment,),) = texts.values()
    assert (segment.key, segment.source, segment.outputs) == ("s1", "Eins", {"A": "One"})
    assert release.judgments[0].texts == release.texts[0].key


def test_answers(tmp_path):
    answers = {
        "count_from": "1",
        "scale:adequacy": "0-100",
        "scale:fluency": "0-100",
        "source-language": "ko",
        "target-language": "en",
        "name": "TED",
    }
    release, screens, texts, _ = read(tmp_path, answers, **{"scores.tsv": TABLE})
    assert [screen.segment for screen in screens] == ["1", "2", "1", "11"]
    assert release.judgments[0].options["dimensions"] == [
        {"slug": "adequacy", "low": 0, "high": 100, "step": None},
        {"slug": "fluency", "low": 0, "high": 100},
    ]
    assert list(texts) == ["TED"]
    assert (release.texts[0].source_language, release.texts[0].target_language) == ("ko", "en")
    names = {question.name for question in release.questions}
    assert names == {"count_from", "name", "values", *answers}


def test_what_is_not_known_is_asked(tmp_path):
    table = TABLE.replace("worker", "wer").replace("seg_id", "satz").replace("adequacy", "note")
    release, screens, _, _ = read(tmp_path, **{"t.tsv": table})
    assert not screens
    asked = {question.name: question for question in release.questions}
    assert {"column:annotator", "column:segment", "values"} <= asked.keys()
    assert ("wer", "wer") in asked["column:annotator"].choices
    answers = {"column:annotator": "wer", "column:segment": "satz", "values": "note"}
    _, screens, _, _ = read(tmp_path, answers, **{"t.tsv": table})
    assert screens[0].ratings == [("online-A", "note", 81.5)]
    assert [s.annotator for s in screens] == ["W1", "W1", "W2", "W2"]


def test_scores_of_nobody_are_means(tmp_path):
    table = "system\tseg_id\tmqm\nA\t1\t-1.5\nB\t1\t0\n"
    release, screens, _, _ = read(tmp_path, **{"t.tsv": table})
    assert release.judgments[0].options["are_means"] is True
    assert [s.ratings for s in screens] == [[("A", "mqm", -1.5)], [("B", "mqm", 0.0)]]
    assert "column:annotator" in {question.name for question in release.questions}


def test_texts(tmp_path):
    """Outputs in another order than segments, one of them empty, one missing."""
    segments = "line\tdoc_id\tdomain\tsource\trefA\n0\td\tnews\tEins\tOne\n1\td\tnews\tZwei\t\n"
    outputs = "system\tline\ttext\nB\t1\tTwo.\nA\t0\tOne.\nA\t1\t\n"
    files = {"segments.de-en.tsv": segments, "outputs.de-en.tsv": outputs}
    release, _, texts, problems = read(tmp_path, {"count_from": "1"}, **files)
    assert not problems
    assert (release.texts[0].source_language, release.texts[0].target_language) == ("de", "en")
    one, two = texts["segments.de-en"]
    assert (one.key, one.document, one.domain, one.source) == ("1", "d", "news", "Eins")
    assert (one.references, one.outputs) == ({"refA": "One"}, {"A": "One."})
    assert (two.references, two.outputs) == ({}, {"B": "Two.", "A": ""})


def test_bad_rows_are_named(tmp_path):
    rows = [
        "W1\t1\tA\tSISTEM\t1\t1",
        "W1\t1\tA\tSYSTEM\tnan\t1",
        "\t1\tA\tSYSTEM\t1\t1",
        "W1\t1\tA\tSYSTEM\t1",
        "W1\t1\tA\tSYSTEM\t1\t1",
    ]
    _, screens, _, problems = read(tmp_path, **{"t.tsv": "\n".join([HEADER, *rows])})
    assert len(screens) == 1
    assert [(p.row, p.column) for p in problems.first] == [
        (2, "type"),
        (3, "adequacy"),
        (4, "worker"),
        (5, ""),
    ]


# ---- Our own exports ---------------------------------------------------------------------------


PAIRS = """judgeID,srclang,trglang,srcIndex,system1Id,system1rank,system2Id,system2rank,rankingID
Mia,deu,eng,7,newstest2016.A.1.de-en,2,newstest2016.B.2.de-en+newstest2016.C.3.de-en,1,5
Mia,deu,eng,7,newstest2016.A.1.de-en,2,newstest2016.D.4.de-en,2,5
Mia,deu,eng,7,newstest2016.B.2.de-en+newstest2016.C.3.de-en,1,newstest2016.D.4.de-en,2,5
Ben,deu,eng,8,newstest2016.D.4.de-en,3,newstest2016.A.1.de-en,1,6
"""


@pytest.fixture
def campaigns(db, tmp_path):
    """Those of the demo whose judgments the formats know, and rankings."""
    demo.load()
    (tmp_path / "pairs.csv").write_text(PAIRS)
    bring([tmp_path / "pairs.csv"])
    known = {"rating", "ranking", "pairwise", "spans"}
    found = list(Campaign.objects.filter(protocol__in=known).order_by("pk"))
    assert {campaign.protocol for campaign in found} == known
    return found


@pytest.mark.slow
def test_our_own_exports(campaigns, tmp_path):
    """observations.tsv and errors.tsv, with the texts chosen, give the observations again."""
    for campaign in campaigns:
        selection = Selection.of(campaign)
        lines = list(exports.tsv_lines(selection))
        folder = tmp_path / str(campaign.pk)
        folder.mkdir()
        (folder / "observations.tsv").write_text("".join(lines))
        if campaign.protocol == "spans":
            errors = span_files.tsv_lines(selection)
            (folder / "errors.tsv").write_text("".join(errors))
        written = bring([folder], test_set=campaign.test_set)
        ((again, _),) = written.campaigns
        found = list(exports.tsv_lines(Selection.of(again)))
        assert without_numbers(found) == without_numbers(lines), campaign.name


@pytest.mark.slow
@pytest.mark.parametrize("form", [LongTsv(), XlsxWorkbook(), ParquetTables()], ids=lambda f: f.slug)
def test_campaigns_out_and_in(campaigns, tmp_path, form):
    """Through the database: the observations are the same, and so is what goes out again."""
    for campaign in campaigns:
        release = release_of([campaign])
        assert form.may_write(release) == ""
        form.write(release, Folder(tmp_path / str(campaign.pk)))
        ((again, _),) = bring([tmp_path / str(campaign.pk)]).campaigns
        lines, found = (list(exports.tsv_lines(Selection.of(c))) for c in (campaign, again))
        assert without_numbers(found) == without_numbers(lines), campaign.name
        assert facts(release_of([again])) == facts(release), campaign.name


def without_numbers(lines):
    """Rows without the numbers that the database gives to items."""
    header, *rows = (line.rstrip("\n").split("\t") for line in lines)
    keep = [i for i, name in enumerate(header) if name not in ("item", "ranking")]
    return sorted([row[i] for i in keep] for row in rows)


# ---- Hostile files -----------------------------------------------------------------------------


def workbook_with(more=(), **parts):
    """A small workbook, some parts of which are exchanged, with more of them."""
    stream = io.BytesIO()
    book = zipfile.ZipFile(io.BytesIO(as_workbook(TABLE)))
    with book, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in book.namelist():
            key = name.rpartition("/")[2].partition(".")[0]
            copy.writestr(name, parts.get(key, book.read(name)))
        for name, content in more:
            copy.writestr(name, content)
    return stream.getvalue()


SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
LAUGHS = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))
BOMBS = {
    "entities": {
        "sheet1": f'<!DOCTYPE x [<!ENTITY a0 "ha">{LAUGHS}]>'
        + SHEET.format('<row r="1"><c r="A1" t="inlineStr"><is><t>&a9;</t></is></c></row>')
    },
    "file": {
        "sheet1": '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
        + SHEET.format('<row r="1"><c r="A1" t="inlineStr"><is><t>&f;</t></is></c></row>')
    },
    "columns": {"sheet1": SHEET.format('<row r="1"><c r="XFD1"><v>1</v></c></row>')},
    "torn": {"sheet1": SHEET.format("<row r='1'>")[:-30]},
    "strings": {"sheet1": SHEET.format('<row r="1"><c r="A1" t="s"><v>999999</v></c></row>')},
    "relations": {"workbook": "<x/>"},
}


@pytest.mark.parametrize("name", BOMBS)
def test_hostile_workbooks(tmp_path, name):
    with pytest.raises(ImportProblem):
        read(tmp_path, **{"t.xlsx": workbook_with(**BOMBS[name])})


def test_a_workbook_that_unpacks_to_too_much(tmp_path, settings, monkeypatch):
    settings.MAX_UPLOAD_BYTES = 10**6
    large = SHEET.format("<row r='1'></row>" * 10**5)
    with pytest.raises(ImportProblem, match="unpacks to more"):
        read(tmp_path, **{"t.xlsx": workbook_with(sheet1=large)})
    settings.MAX_UPLOAD_BYTES = 10**8
    monkeypatch.setattr(workbooks, "MOST_SHARED", 10)
    with pytest.raises(ImportProblem, match="unpacks to more"):
        read(tmp_path, **{"t.xlsx": workbook_with([("xl/sharedStrings.xml", "s" * 11)])})
    monkeypatch.setattr(workbooks, "MOST_SHARED", 10**8)
    monkeypatch.setattr(workbooks, "MOST_CELLS", 20)
    with pytest.raises(ImportProblem, match="20 cells"):
        read(tmp_path, **{"t.xlsx": as_workbook(TABLE)})


def test_a_parquet_of_few_bytes_and_long_texts(tmp_path):
    """A dictionary of one text, for a million rows."""
    stream = io.BytesIO()
    text = "x" * 10**6
    indices = pa.array([0] * 10**5, pa.int32())
    column = pa.DictionaryArray.from_arrays(indices, pa.array([text]))
    parquet.write_table(pa.table({"source": column}), stream)
    assert len(stream.getvalue()) < 10**5
    release = stream.getvalue()
    with pytest.raises(ImportProblem):
        read(tmp_path, **{"t.parquet": release})


def test_an_open_quotation_mark(tmp_path):
    table = 'worker,seg_id,sys_id,score\n"W1,1,A,5\n' + "W1,1,A,5\n" * 2000
    with pytest.raises(ImportProblem, match="not closed"):
        read(tmp_path, **{"t.csv": table})


FUZZED = {
    "t.tsv": TABLE.encode(),
    "t.csv": as_csv(TABLE, ",").encode(),
    "t.jsonl": as_json(TABLE).encode(),
    "t.xlsx": as_workbook(TABLE),
    "t.parquet": as_parquet(TABLE),
    "pairs.csv": b"wmt16",
    "ad.csv": b"wmt22",
}
RELEASED = {
    "pairs.csv": ("wmt16", "wmt16.collapsed.deu-eng.csv.gz"),
    "ad.csv": ("wmt22", "ad-uken-good-stnd.csv.gz"),
}


@settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=60)
@given(data=st.data())
@pytest.mark.parametrize("name", FUZZED)
def test_mutated_files(tmp_path, name, data):
    """Whatever is changed in a file, it is read or refused with a reason."""
    content = FUZZED[name]
    if name in RELEASED:
        packed = shared_data("10_as_released", *RELEASED[name]).read_bytes()
        content = gzip.decompress(packed)[:4000]
    at = data.draw(st.integers(0, len(content)))
    length = data.draw(st.integers(0, 30))
    other = data.draw(
        st.binary(max_size=30) | st.sampled_from([b"\0", b'"', b"\t", b"\n", b"{", b"\xff"])
    )
    try:
        read(tmp_path, **{name: content[:at] + other + content[at + length :]})
    except ImportProblem as problem:
        assert problem.reason


def test_two_readings_say_the_same(tmp_path):
    """The functions of a part may be called again."""
    (tmp_path / "t.tsv").write_text(TABLE)
    with opened([tmp_path / "t.tsv"]) as files:
        release = registry.read(files, {}, Problems())
        assert facts(release) == facts(release)
