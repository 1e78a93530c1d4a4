"""A table whose columns nobody has seen before, in each kind of file."""

import openpyxl
import pytest

from judgments.exchange import demo
from judgments.exchange.releases import registry
from judgments.exchange.releases.from_database import release_of
from judgments.exchange.releases.importer import import_release
from judgments.exchange.releases.records import Problems
from judgments.exchange.releases.tables.long_formats import LongTsv, ParquetTables, XlsxWorkbook
from judgments.files.uploads import Folder, opened
from judgments.models import Campaign
from judgments.results import exports
from judgments.results.errors import files as span_files
from judgments.results.selection.selection import Selection
from tests.releases import bring, facts

from .table_files import EXPECTED, HEADER, KINDS, TABLE, as_workbook, read, said


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


def test_languages_in_a_column_each_are_told_apart(tmp_path):
    rows = ["worker\tseg_id\tsys_id\tsrclang\ttrglang\tscore"]
    rows += [f"W\t1\tA\ten\t{target}\t{score}" for target, score in (("de", 1), ("pt-BR", 2))]
    release, screens, _, problems = read(tmp_path, t__tsv="\n".join(rows))
    assert not problems
    found = [(part.source_language, part.target_language) for part in release.texts]
    assert found == [("en", "de"), ("en", "pt-BR")]
    assert [[s.ratings[0][2] for s in part.screens()] for part in release.judgments] == [[1], [2]]
    assert len(screens) == 2


def test_files_of_one_name_in_two_folders_are_told_apart(tmp_path):
    for folder, column in (("de-en", ""), ("en-de", "\tmood")):
        (tmp_path / folder).mkdir()
        rows = f"worker\tseg_id\tsys_id\tscore{column}\nW\t1\tA\tx{column}\nW\t2\tA\t5{column}\n"
        (tmp_path / folder / "t.tsv").write_text(rows)
    with opened([tmp_path]) as found:
        problems = Problems()
        release = registry.read(found, {}, problems)
        assert [len(list(part.screens())) for part in release.judgments] == [1, 1]
    assert sorted((problem.file, problem.row) for problem in problems.first) == [
        (f"{tmp_path.name}/de-en/t.tsv", 2),
        (f"{tmp_path.name}/en-de/t.tsv", 2),
    ]
    unused = f"1 column is not used from {tmp_path.name}/en-de/t.tsv: mood."
    assert problems.unused() == [unused]


def test_suggestions_that_became_no_error_are_none(tmp_path):
    """As in the table of errors that the site exports for a campaign with suggestions."""
    head = "annotator\tsegment\tsystem\tside\tstart\tend\tseverity\tcategory\titem\tprovenance"
    rows = ["M\t1\tA\ttarget\t0\t3\tminor\t\t7\tkept", "M\t1\tA\ttarget\t4\t6\tmajor\t\t\tdeleted"]
    _, screens, _, problems = read(tmp_path, t__tsv="\n".join([head, *rows]))
    assert not problems
    (screen,) = screens
    assert [span.severity for span in screen.spans] == ["minor"]


def test_a_screen_with_a_bad_row_is_left_out_whole(tmp_path):
    head = "rater\tsegment\tsystem\trank\tranking"
    rows = [f"M\t{n}\t{system}\t1\t{n}" for n in (1, 2) for system in "ABC"]
    rows[1] = "M\t1\tB\t1,5\t1"
    _, screens, _, problems = read(tmp_path, t__tsv="\n".join([head, *rows]))
    assert [screen.segment for screen in screens] == ["2"]
    assert sorted(row for _, row in problems.left_out) == [2, 3, 4]
    assert len(problems.rows) == 1


def test_a_workbook(tmp_path):
    _, screens, _, problems = read(tmp_path, **{"scores.xlsx": as_workbook(TABLE)})
    assert not problems
    # A number of a workbook has no leading zeros and no end: 0.0 is how openpyxl wrote it.
    assert [s.ratings for s in screens] == [row[4] for row in EXPECTED]


def test_a_workbook_of_texts_and_judgments(tmp_path):
    """A sheet for each; the texts of a row next to its score would do, too."""
    book = openpyxl.Workbook()
    book.active.title = "Texts"
    for row in (["id", "source", "ref", "system:A"], ["s1", "Eins", "One", "=One"]):
        book.active.append([row[0], *row[1:3], row[3].replace("=", "")])
    scores = book.create_sheet("Scores")
    for row in (["rater", "segment", "system", "score", "comment"], ["Mia", "s1", "A", 5.5, None]):
        scores.append(row)
    book.create_sheet("Empty")
    book.save(tmp_path / "study.xlsx")
    answers = {"column:id": "segment", "source-language": "de", "target-language": "en"}
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
    columns = {f"column:{column}" for column in TABLE.split("\n")[0].split("\t")}
    assert names == {"count_from", "name", *columns, *answers}


def test_what_is_not_known_is_asked(tmp_path):
    table = TABLE.replace("worker", "wer").replace("seg_id", "satz").replace("adequacy", "note")
    release, screens, _, _ = read(tmp_path, **{"t.tsv": table})
    assert not screens
    asked = {question.name: question for question in release.questions}
    assert {"column:wer", "column:satz", "column:note"} <= asked.keys()
    assert asked["column:wer"].help == "W1 · W1 · W2"
    assert ("annotator", "who judged") in asked["column:wer"].choices
    answers = {"column:wer": "annotator", "column:satz": "segment", "column:note": "score"}
    answers |= {"column:fluency": "unused"}
    _, screens, _, _ = read(tmp_path, answers, **{"t.tsv": table})
    assert screens[0].ratings == [("online-A", "note", 81.5)]
    assert [s.annotator for s in screens] == ["W1", "W1", "W2", "W2"]


def test_scores_of_nobody_are_means(tmp_path):
    table = "system\tseg_id\tmqm\nA\t1\t-1.5\nB\t1\t0\n"
    release, screens, _, _ = read(tmp_path, **{"t.tsv": table})
    assert release.judgments[0].options["are_means"] is True
    assert [s.ratings for s in screens] == [[("A", "mqm", -1.5)], [("B", "mqm", 0.0)]]
    assert "column:system" in {question.name for question in release.questions}


def test_scores_of_metrics_are_no_judgments(tmp_path):
    table = "metric\tsystem\tseg_id\tscore\nchrF\tA\t1\t41.5\nchrF\tB\t1\t0\n"
    release, screens, _, _ = read(tmp_path, **{"t.tsv": table})
    assert not screens and not release.judgments
    assert release.notes[0].startswith(
        "t.tsv was left out: it contains scores of metrics: add them"
    )
    release, screens, _, _ = read(tmp_path, {"column:metric": "unused"}, **{"t.tsv": table})
    assert len(screens) == 2, "a person may know better"


def test_tokenized_texts_are_read_where_there_are_no_others(tmp_path):
    segments = "line\tsource\tsource_tok\treference_tokenised\n1\tEins.\tEins .\tOne .\n"
    outputs = "system\tline\ttext_tokenized\nA\t1\tOne .\n"
    files = {"segments.de-en.tsv": segments, "outputs.de-en.tsv": outputs}
    _, _, texts, _ = read(tmp_path, **files)
    ((segment,),) = texts.values()
    assert (segment.source, segment.outputs) == ("Eins.", {"A": "One ."})
    assert segment.references == {"reference_tokenised": "One ."}
    both = segments.replace("line\t", "line\tref\t").replace("\n1\t", "\n1\tOne.\t")
    both = both.replace("reference_tokenised", "ref_tok")
    _, _, texts, _ = read(tmp_path, **files | {"segments.de-en.tsv": both})
    ((segment,),) = texts.values()
    assert segment.references == {"ref": "One."}


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


def test_a_bad_time_is_named_as_its_column_is(tmp_path):
    table = "worker\tseg_id\tsys_id\tscore\tStart Time\nW1\t1\tA\t5\tyesterday\n"
    _, screens, _, problems = read(tmp_path, **{"t.tsv": table})
    assert not screens
    assert [(p.row, p.column) for p in problems.first] == [(2, "Start Time")]


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
    found = list(Campaign.objects.of_people().filter(protocol__in=known).order_by("pk"))
    assert {campaign.protocol for campaign in found} == known
    return found


@pytest.mark.proof
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


@pytest.mark.proof
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


@pytest.mark.django_db
def test_judgments_of_a_test_set_without_outputs_say_so(admin_user, tmp_path):
    (tmp_path / "segments.de-en.tsv").write_text("line\tsource\n1\tEins.\n")
    (tmp_path / "ratings.de-en.tsv").write_text("annotator\tline\tsystem\tadequacy\nmia\t1\tA\t3\n")
    outcome = import_release([tmp_path], admin_user)
    (problem,) = outcome.problems.first
    assert (problem.file, problem.row, problem.column) == (
        f"{tmp_path.name}/ratings.de-en.tsv",
        2,
        "system",
    )
    assert problem.reason == "the test set has no outputs, and so none of “A”."
