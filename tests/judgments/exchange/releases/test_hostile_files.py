"""Whatever file comes: what is wrong is said, nothing is half stored, and nothing hangs.

Real files and small ones are cut, doubled and changed, for every format that is registered; the
number of inputs is that of the other fuzz tests (`make fuzz`).
"""

import faulthandler
import gzip
import io
import random
import signal
import tarfile
import tempfile
import zipfile
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from judgments.exchange.releases import registry
from judgments.exchange.releases.importer import import_release
from judgments.exchange.releases.records import Problems
from judgments.files.problem import ImportProblem
from judgments.files.uploads import Folder, ReleaseFile, opened
from judgments.models import Campaign, TestSet
from tests import factory
from tests.gates.files import JSON_LINES, XML
from tests.gates.test_fuzz import bounds, changed
from tests.shared import shared_data

from .table_files import as_document

HANGS_AFTER_SECONDS = 60
FIRST = 60_000  # bytes of a real file that are changed: the rest is more of the same

WMT = {
    "w/sources/de-en.txt": b"eins\nzwei\n",
    "w/references/de-en.refA.txt": b"one\ntwo\n",
    "w/documents/de-en.docs": b"news\td1\nnews\td1\n",
    "w/system-outputs/de-en/X.txt": b"one\n\n",
    "w/human-scores/de-en.mqm.seg.score": b"X\t-1.0\nX\t0.0\n",
    "w/human-scores/de-en.mqm.merged.seg.rating": b'X\t{"errors": [{"start": 0, "end": 2, '
    b'"category": "a", "severity": "minor", "score": 1, "is_source_error": false}]}\nX\tNone\n',
    "w/human-scores/de-en.da.seg.score": b"X\t70.5\nX\tNone\n",
}
PLAIN = {"n/source.txt": b"eins\nzwei\n", "n/refA.txt": b"one\ntwo\n", "n/X.txt": b"1\n2\n"}
MARKED = (
    b"system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    b"A\td\t1\t1\tr\tein Haus\ta <v>house</v>\tFluency/Grammar\tMajor\n"
    b"B\td\t1\t1\ts\tein Haus\ta mouse\tNo-error\tNo-error\n"
)
MAROT = (
    b"system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n"
    b'A\td\t1\t1\tr\tein Haus\ta <v>house</v>\tFluency\tMajor\t{"timestamp": 1700000000000, '
    b'"timing": {"a": {"count": 1, "timeMS": 900, "log": []}}, "score": 70}\n'
    b"B\td\t1\t1\ts\tein Haus\ta mouse\tNo-error\tNo-error\t{}\n"
)
WMT26 = b'{"doc_id": "WMT26_###_news_###_eng_Latn_###_ces_Latn_###_d", %s}\n'
ITEM = b'{"item_id": "s1", "src": "ein Haus", "tgt": {"A": "a house", "B": "a mouse"}}'
ANNOTATED = (
    b'{"annotation": [{"A": {"score": 90, "error_spans": []}, "B": {"score": 10, "error_spans": '
    b'[{"start_i": 2, "end_i": 6, "category": null, "severity": "major"}]}}], "actions": '
    b'[{"time": 1700000000.5, "action": "submit"}], "item": [' + ITEM + b'], "user_id": "u", '
    b'"item_i": 0}\n'
)
PLANNED = (
    b'{"info": {"assignment": "task-based", "protocol": "ESA"}, "campaign_id": "c", '
    b'"data_welcome": [[{"src": "x", "tgt": {"A": "y", "B": "z"}, "skippable": true, '
    b'"validation": {"A": {"score": '
    b'[90, 100]}}}]], "data": [[[' + ITEM + b"]]]}"
)
XLIFF = b"""<?xml version="1.0"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:its="http://www.w3.org/2005/11/its"
 version="2.1" srcLang="de" trgLang="en"><file id="f1">
<unit id="u1"><segment><source>ein Haus</source><target>a <mrk id="m1"
 its:locQualityIssueType="mistranslation" its:locQualityIssueSeverity="50">mouse</mrk></target>
</segment></unit>
<unit id="u2"><segment><source>zwei</source><target>two</target></segment></unit>
</file></xliff>
"""
TMX = b"""<?xml version="1.0"?>
<tmx version="1.4"><header srclang="de"/><body>
<tu tuid="1"><tuv xml:lang="de"><seg>ein Haus</seg></tuv>
<tuv xml:lang="en"><seg>a <hi>house</hi></seg></tuv></tu>
<tu tuid="2"><tuv xml:lang="de"><seg>zwei</seg></tuv><tuv xml:lang="en"><seg>two</seg></tuv></tu>
</body></tmx>
"""
# Made for formats that no real file is of, and for those whose parts fit together.
SMALL = {
    "mt-metrics-eval": [WMT],
    "wmt-xml": [{"a.xml": XML.encode()}, {"a.xml.gz": gzip.compress(XML.encode(), mtime=0)}],
    "xliff": [{"X.xlf": XLIFF}, {"X.xlf": XLIFF.decode().encode("utf-16")}],
    "tmx": [{"X.tmx": TMX}],
    "recipes": [
        {
            "a.df.tsv": b"index\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\n"
            b"1\teins\tone\t[50, 70]\t60.0\t[0.1, 0.2]\t0.15\n"
        }
    ],
    "wmt-documents": [
        {
            "s.jsonl": WMT26 % b'"src_text": "<p>a</p><p>b</p>", "refs": {"r": "c"}',
            "X.jsonl": WMT26 % b'"hypothesis": "<p>d</p>\\n<p>e</p>", "metadata": {}',
        }
    ],
    "iwslt": [
        {
            f"{name}/instances.resegmented.jsonl": b'{"index": 0, "docid": 0, "segid": 0, '
            b'"prediction": "one", "reference": "One", "src": "eins"}\n'
            for name in "AB"
        },
    ],
    "wmt-jsonl": [{"a.de-en.jsonl": JSON_LINES.encode() * 3}],
    "plain-folder": [PLAIN],
    "published-figures": [WMT | {"published_systems.tsv": b"lp\tsystem\tmqm\nde-en\tX\t-1\n"}],
    "google-mqm": [{"mqm_deen.tsv": MARKED}],
    "marot": [{"marot.tsv": MAROT}],
    "pearmut": [
        {"a.jsonl": ANNOTATED},
        {"c.json": PLANNED},
        {"c.json": PLANNED, "c.jsonl": ANNOTATED},
    ],
}


def long_tables(slug: str) -> dict[str, bytes]:
    """The small folder of mt-metrics-eval, written as long tables."""
    with tempfile.TemporaryDirectory() as given, tempfile.TemporaryDirectory() as written:
        laid(Path(given), WMT)
        with opened(sorted(Path(given).iterdir())) as files:
            release = registry.read(files, {}, Problems())
            release.scores = []
            registry.BY_SLUG[slug].write(release, Folder(Path(written)))
        found = [path for path in Path(written).rglob("*") if path.is_file()]
        return {str(path.relative_to(written)): path.read_bytes() for path in found}


def laid(folder, files):
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return sorted(folder.iterdir())


RANKED = (
    b"srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,"
    b"system2Id,system3Number,system3Id,system4Number,system4Id,system5Number,system5Id,"
    b"system1rank,system2rank,system3rank,system4rank,system5rank\n"
    b"deu,eng,1,d,1,judge1,1,A,2,B,3,C,4,D,5,E,1,2,2,3,5\n"
    b"deu,eng,2,d,2,judge2,1,A,2,B,3,C,4,D,5,E,4,2,1,3,5\n"
)
SMALL |= {
    **{slug: [long_tables(slug)] for slug in ("tsv", "xlsx", "parquet")},
    "tables": [
        {"two.docx": as_document("source\toutput\nein Haus\ta house\nzwei\ttwo")},
        {"s.csv": b"annotator,segment,system,adequacy\na,1,X,3\nb,1,X,4\na,2,Y,2.5\n"},
    ],
    "wmt-rankings": [{"r.csv": RANKED}],
    "recipes": [
        {
            "t.csv": b'wer,satz,note,mittel\na,1,"[3, 4]",3.5\nb,2,[5],5\n',
            "recipe.json": b'{"recipe": 1, "name": "x", "answers": {"system": "X"}, "tables": '
            b'[{"columns": {"satz": "segment", "note": "scores:n", "mittel": '
            b'"published:segment mean"}, "values": {"5": 4}}]}',
        },
        {
            "DAseg.n.source.de-en": b"eins\nzwei\n",
            "DAseg.n.reference.de-en": b"one\ntwo\n",
            "DAseg.n.mt-system.de-en": b"one\n2\n",
            "DAseg.n.human.de-en": b"0.5\n-1\n",
        },
        {
            "v.csv": b"participant_id,condition,type,exp_item_number,rating\n"
            b"a,f,d,1,mt\na,f,d,2,ht\n"
        },
    ],
}
EVIL = [
    *(b"\x00", b"\xff\xfe", b"\xed\xa0\x80", "\u202e‏".encode(), b"9" * 400, b"-1e999", b"NaN"),
    *(b"Infinity", b"[" * 5000, b'{"a":' * 3000, b'"\\ud800"', b'"\\u0000"', b"\t" * 50, b"\r"),
    *(b"<v>", b"</v>", b"<!ENTITY a 'b'>", b"&a;", b"&#0;", b"]]>", b"=1+1", b'"', b"null"),
    *(b'{"errors": [{"start": -5, "end": 99999999999}]}', b"\xe2\x80\xa8", b"1" * 20, b"True"),
]
ANSWERS = {"source-language": "de", "target-language": "en"}


def mutated(content: bytes, seed: int) -> bytes:
    """Some bytes flipped, lines dropped or doubled, cells cut or replaced; packed ones mostly are
    packed again."""
    rng = random.Random(seed)
    if content[:2] == b"\x1f\x8b" and rng.random() < 0.8:
        return gzip.compress(mutated(gzip.decompress(content)[:FIRST], seed), mtime=0)
    choice = rng.randrange(5)
    if choice == 0:
        return changed(content, seed)
    lines = content.split(b"\n")
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(lines))
        if choice == 1:
            lines[at : at + 1] = rng.choice([[], [lines[at]] * 2, [lines[at]] * 40])
        elif choice == 2:
            cut = rng.randrange(len(lines[at]) + 1)
            evil = rng.choice(EVIL)
            lines[at] = lines[at][:cut] + evil + lines[at][cut + rng.choice([0, len(evil)]) :]
        else:
            mark = rng.choice([b"\t", b",", b'"', b" ", b">"])
            cells = lines[at].split(mark)
            cells[rng.randrange(len(cells))] = rng.choice([b"", *EVIL])
            lines[at] = mark.join(cells)
        lines = lines or [b""]
    return b"\n".join(lines)


@contextmanager
def deadline():
    faulthandler.dump_traceback_later(HANGS_AFTER_SECONDS)
    signal.alarm(HANGS_AFTER_SECONDS + 1)
    try:
        yield
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()


def try_to_import(paths, owner, keep=True):
    """Either all of it is stored, or nothing, and the reason is said."""
    before = TestSet.objects.count(), Campaign.objects.count()
    with deadline():
        findings = import_release(paths, owner, answers=ANSWERS, keep=keep)
        connection.check_constraints()
    after = TestSet.objects.count(), Campaign.objects.count()
    if findings.written is None:
        assert after == before
        assert findings.problems or findings.unanswered or not keep
    else:
        assert not findings.problems
        assert after[0] > before[0]
    for problem in findings.problems.first:
        assert str(problem).strip()
        assert len(str(problem)) < 2000
    return findings


@pytest.mark.proof
@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.parametrize("slug", sorted(SMALL))
def test_small_files_changed(slug, tmp_path_factory):
    owner = factory.make_user("owner")
    n_imported = 0

    @bounds(0.4, len(SMALL))
    @given(files=st.sampled_from(SMALL[slug]), seed=st.integers(0, 10**9))
    def holds(files, seed):
        nonlocal n_imported
        rng = random.Random(seed)
        touched = rng.choice(sorted(files))
        files = {p: mutated(c, seed) if p == touched else c for p, c in files.items()}
        found = try_to_import(laid(tmp_path_factory.mktemp("files"), files), owner)
        n_imported += found.written is not None

    holds()
    assert n_imported  # else every file was refused at its first line


@pytest.mark.django_db
def test_a_judgment_that_stands_there_twice_is_refused(tmp_path):
    """Found by changing files: it was PostgreSQL that refused it."""
    head, first, *rest = SMALL["tsv"][0]["judgments.tsv"].splitlines()
    files = SMALL["tsv"][0] | {"judgments.tsv": b"\n".join([head, first, first, *rest])}
    findings = try_to_import(laid(tmp_path, files), factory.make_user("owner"))
    assert "this judgment occurs in the file twice" in str(findings.problems.first)


REAL = [
    ("wmt22", "wmttest2022.liv-en.all.xml.gz"),
    ("wmt22", "ad-uken-good-stnd.csv.gz"),
    ("wmt22", "WMT22.Appraise.SegLvlLivSrc.20221031.filtered.csv.gz"),
    ("wmt16", "wmt16.collapsed.deu-eng.csv.gz"),
    ("google-mqm", "mqm_ted_zhen.first2000.tsv.gz"),
    ("google-mqm", "mqm_newstest2020_zhen.source-errors.first400.tsv.gz"),
    ("wmt24", "esa_generalMT2024_wave2.first1500.csv.gz"),
    ("appraise", "240315rc5ESA.scores.csv.gz"),
    ("appraise", "240315rc5MQM.scores.csv.gz"),
    ("appraise", "Document.batches.json.gz"),
    ("appraise", "MQM+ESA.batches_esa.json.gz"),
    ("appraise", "Pairwise.batches.json.gz"),
]


@pytest.mark.proof
@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.parametrize("parts", REAL, ids=lambda parts: parts[-1])
def test_real_files_changed(parts, tmp_path_factory):
    owner = factory.make_user("owner")
    content = gzip.decompress(shared_data("10_as_released", *parts).read_bytes())
    name = parts[-1].removesuffix(".gz")

    @bounds(0.3, len(REAL))
    @given(seed=st.integers(0, 10**9))
    def holds(seed):
        folder = tmp_path_factory.mktemp("files")
        try_to_import(laid(folder, {name: mutated(content[:FIRST], seed)}), owner, keep=False)

    holds()


# ---- Archives ----------------------------------------------------------------------------------


def tarred(*members):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, kind, content in members:
            member = tarfile.TarInfo(name)
            member.type, member.size = kind, len(content)
            if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
                member.linkname, member.size = content.decode(), 0
            archive.addfile(member, io.BytesIO(content) if member.size else None)
    return stream.getvalue()


def zipped(members, method=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.mark.django_db
class TestArchives:
    @pytest.fixture(autouse=True)
    def owner(self, db, settings):
        settings.MAX_UPLOAD_BYTES = 20 * 2**20
        self.owner = factory.make_user("owner")

    def refused(self, tmp_path, name, content, words):
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / name).write_bytes(content)
        found = try_to_import([tmp_path / "in" / name], self.owner)
        assert words in str(found.problems.first[0]), str(found.problems.first[0])
        assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]

    @pytest.mark.parametrize("path", ["../x.txt", "/tmp/x.txt", "a/../../x.txt", "..\\x.txt"])
    def test_members_that_would_lie_elsewhere(self, tmp_path, path):
        packed = tarred((path, tarfile.REGTYPE, b"x"))
        self.refused(tmp_path, "a.tar.gz", packed, "would be outside its folder")

    def test_the_same_in_a_zip(self, tmp_path):
        self.refused(tmp_path, "a.zip", zipped([("../x.txt", b"x")]), "would be outside its folder")

    @pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED])
    def test_a_damaged_member(self, tmp_path, method):
        packed = bytearray(zipped([("a.txt", b"text " * 1000)], method))
        packed[44:60] = bytes(16)
        self.refused(tmp_path, "a.zip", bytes(packed), "the archive is damaged")

    @pytest.mark.parametrize("key", ["\\u0000a", "\\ud800"])
    def test_names_that_the_database_cannot_store(self, tmp_path, key):
        rows = [f'{{"worker": "W", "segment": "{n}", "system": "A", "score": 5}}' for n in "12"]
        rows.insert(1, rows[0].replace("worker", key))
        self.refused(tmp_path, "a.jsonl", "\n".join(rows).encode(), "row 2: a key cannot be stored")

    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_no_file_is_read_farther_than_the_site_takes(self, tmp_path, pack):
        place = tmp_path / ("a.bin.gz" if pack is gzip.compress else "a.bin")
        for size, fits in ((20 * 2**20, True), (20 * 2**20 + 1, False)):
            place.write_bytes(pack(bytes(size)))
            with ReleaseFile(place.name, place).open() as stream:
                refused = nullcontext() if fits else pytest.raises(ImportProblem, match="20 MB")
                with refused:
                    while stream.read(2**20):
                        pass

    def test_a_name_in_a_zip_that_is_not_utf_8(self, tmp_path):
        packed = zipped([("é.txt", b"x")]).replace("é".encode(), b"\xff\xff")
        self.refused(tmp_path, "a.zip", packed, "whose name cannot be read")

    @pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE])
    def test_links_and_devices_do_not_come_out(self, tmp_path, kind):
        packed = tarred(("source.txt", kind, b"/etc/passwd"))
        self.refused(tmp_path, "a.tar.gz", packed, "no format that the site reads")

    @pytest.mark.parametrize("pack", ["zip", "tar.gz"])
    def test_bombs(self, tmp_path, pack):
        zeros = bytes(30 * 2**20)
        one = ("w/sources/de-en.txt", zeros)
        packed = zipped([one]) if pack == "zip" else tarred((one[0], tarfile.REGTYPE, zeros))
        assert len(packed) < 100_000
        self.refused(tmp_path, f"a.{pack}", packed, "20 MB (unpacked), the limit of this site")

    @pytest.mark.proof
    @pytest.mark.parametrize(
        ("name", "line"),
        [
            ("x.de-en.jsonl.gz", JSON_LINES.encode()),
            ("x.xml.gz", b"<dataset>\n"),
            ("x.xml.gz", b"<dataset><!-- -->\n" + b"<!-- -->" * 1000),
        ],
    )
    def test_gzip_bombs(self, tmp_path, name, line):
        packed = gzip.compress(line * (30 * 2**20 // len(line)))
        (tmp_path / name).write_bytes(packed)
        found = try_to_import([tmp_path / name], self.owner)
        assert found.problems.n == 1

    def test_damaged_archives(self, tmp_path):
        whole = tarred(("source.txt", tarfile.REGTYPE, bytes(range(256)) * 100))
        self.refused(tmp_path, "a.tar.gz", whole[:200], "damaged")

    def test_json_nested_deeply(self, tmp_path):
        deep = b'{"src": ' + b"[" * 200_000 + b"]" * 200_000 + b', "refs": {}}\n'
        (tmp_path / "a.de-en.jsonl").write_bytes(JSON_LINES.encode() + deep)
        found = try_to_import([tmp_path / "a.de-en.jsonl"], self.owner)
        assert "nested too deeply" in str(found.problems.first[0])

    def test_entities_that_grow(self, tmp_path):
        lines = ['<!ENTITY a0 "ha">'] + [
            f'<!ENTITY a{n} "&a{n - 1};&a{n - 1};">' for n in range(1, 60)
        ]
        text = f"<!DOCTYPE dataset [{''.join(lines)}]><dataset>&a59;</dataset>"
        (tmp_path / "a.xml").write_text(text)
        found = try_to_import([tmp_path / "a.xml"], self.owner)
        assert "declares entities" in str(found.problems.first[0])

    def test_numbers_beyond_measure(self, tmp_path):
        for score in ("1e400", "NaN", "-inf", "9" * 5000, "0x10", "١"):
            scores = f"X\t{score}\nX\t0\n".encode()
            files = WMT | {"w/human-scores/de-en.da.seg.score": scores}
            found = try_to_import(laid(tmp_path / score[:5], files), self.owner)
            assert "is not a number" in str(found.problems.first[0]), score


def test_every_format_has_files_here(tmp_path):
    """And those that are made for it are its own, else the tests above change the wrong thing."""
    known = set(SMALL)
    for parts in REAL:
        with opened([shared_data("10_as_released", *parts)]) as tree:
            known |= {format_.slug for format_, _ in registry.recognize(tree)[0]}
    assert {each.slug for each in registry.FORMATS} <= known
    for slug, several in SMALL.items():
        for n, files in enumerate(several):
            with opened(laid(tmp_path / f"{slug}{n}", files)) as tree:
                assert slug in {format_.slug for format_, _ in registry.recognize(tree)[0]}
