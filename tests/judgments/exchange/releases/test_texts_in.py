"""Texts as shared tasks publish them: WMT's XML, JSON lines, plain folders."""

import csv
import gzip
import json
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.exchange.releases import registry
from judgments.exchange.releases.plain_folder import PlainFolder
from judgments.exchange.releases.records import Problems, Release, TextsPart
from judgments.exchange.releases.wmt_jsonl import WmtJsonl
from judgments.exchange.releases.wmt_xml import WmtXml
from judgments.files.file_roles import role_of
from judgments.files.problem import ImportProblem
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import Folder, ReleaseFile, opened
from tests.shared import shared_data

LIV = ("10_as_released", "wmt22", "wmttest2022.liv-en.all.xml.gz")


def table(*parts):
    with gzip.open(shared_data(*parts), "rt", encoding="utf-8", newline="\n") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def read(path, answers=None, only=""):
    problems = Problems()
    with opened([path]) as files:
        release = registry.read(files, answers or {}, problems, only)
        segments = [list(part.segments()) for part in release.texts]
    assert not problems.n
    return release, segments


def texts_of(rows):
    return [
        (r.document, r.domain, r.original_language, r.source, dict(r.references), dict(r.outputs))
        for r in rows
    ]


class TestXml:
    def test_livonian_reads_as_its_plain_text(self):
        """02's segments and outputs were taken from WMT's plain text files."""
        release, (rows,) = read(shared_data(*LIV))
        (part,) = release.texts
        assert (part.source_language, part.target_language) == ("liv", "en")
        published = table("02_da_wmt22", "segments.liv-en.tsv.gz")
        assert [(r.key, r.document, r.source, r.references["ref"]) for r in rows] == [
            (r["seg_id"], r["doc_id"], r["source"], r["reference"]) for r in published
        ]
        outputs = defaultdict(dict)  # there with the number of the submission: TartuNLP.1
        for row in table("02_da_wmt22", "outputs.liv-en.tsv.gz"):
            outputs[row["system"].rpartition(".")[0]][row["seg_id"]] = row["text"]
        assert {name for r in rows for name in r.outputs} == set(outputs)
        for row in rows:
            for name, text in row.outputs.items():
                assert text == outputs[name][row.key].strip(), (name, row.key)
        assert {(row.domain, row.original_language) for row in rows} == {("general", "en")}

    def test_out_and_in_again(self, tmp_path):
        _, (rows,) = read(shared_data(*LIV))
        with opened([shared_data(*LIV)]) as files:
            written = registry.read(files, {}, Problems())
            assert WmtXml().may_write(written) == ""
            WmtXml().write(written, Folder(tmp_path))
        (path,) = tmp_path.iterdir()
        _, (rows_again,) = read(path)
        assert texts_of(rows_again) == texts_of(rows)
        assert [row.key for row in rows_again] == [row.key for row in rows]

    def test_names_of_references_come_back(self, tmp_path):
        """WMT's translator "A" is the reference refA."""
        references = {"A": "a", "refA": "b", "ref": "c", "human": "d"}
        row = SegmentTexts("", 1, "1", "d", "eins", references, {"X": "one"}, "", "")
        part = TextsPart("x", "x", "de", "en", lambda: iter([row]))
        release = Release()
        release.texts.append(part)
        WmtXml().write(release, Folder(tmp_path))
        (path,) = tmp_path.iterdir()
        _, ((again,),) = read(path)
        assert again.references == references

    def test_several_references_and_a_system_without_a_document(self, tmp_path):
        path = tmp_path / "anything"  # recognized by what is in it
        path.write_text(
            '<dataset id="x"><collection id="news"><doc id="a" origlang="de">'
            '<src lang="de"><p><seg id="1">Eins</seg></p><p><seg id="2">Zw&amp;i</seg></p></src>'
            '<ref lang="en" translator="A"><p><seg id="1">One</seg></p></ref>'
            '<ref lang="en" translator="B"><p><seg id="1">1</seg><seg id="2">2</seg></p></ref>'
            '<hyp system="X" lang="en"><p><seg id="1">one</seg><seg id="2"></seg></p></hyp></doc>'
            '<doc id="b" domain="speech" origlang="de"><src lang="de"><seg id="1">Drei</seg></src>'
            '<hyp system="Y" lang="en"><seg id="1">three</seg></hyp></doc>'
            "</collection></dataset>"
        )
        _, (rows,) = read(path)
        assert texts_of(rows) == [
            ("a", "news", "de", "Eins", {"refA": "One", "refB": "1"}, {"X": "one"}),
            ("a", "news", "de", "Zw&i", {"refB": "2"}, {"X": ""}),
            ("b", "speech", "de", "Drei", {}, {"Y": "three"}),
        ]

    @pytest.mark.parametrize(
        ("inside", "reason"),
        [
            ('<!DOCTYPE dataset [<!ENTITY a "aaaa">]><dataset>&a;</dataset>', "declares entities"),
            (
                '<!DOCTYPE dataset [<!ENTITY a SYSTEM "file:///etc/passwd">]><dataset>&a;</dataset>',
                "declares entities",
            ),
            ('<dataset><doc id="a" origlang="x"><src lang="de"><seg id="1">', "well-formed"),
            ("<dataset>" + "<p>" * 100_000, "deep"),
            ('<dataset a="' + "x" * 3_000_000 + '"/>', "a tag of more than"),
        ],
    )
    def test_what_would_fill_the_memory_is_refused(self, tmp_path, inside, reason):
        path = tmp_path / "bad.xml"
        path.write_text(inside)
        with pytest.raises(ImportProblem, match=reason):
            read(path, only="wmt-xml")


class TestJsonLines:
    def test_more_texts_of_a_list_than_there_are_letters(self, tmp_path):
        path = tmp_path / "x.jsonl"
        row = {"src": "Eins", "hyps": {"X": "one"}, "refs": ["One"] * 27}
        path.write_text(json.dumps(row) + "\n")
        with pytest.raises(ImportProblem, match="there are 27 texts without names; at most 26"):
            read(path)

    def test_keys_of_several_years(self, tmp_path):
        rows = [
            {
                "src": "Eins",
                "doc_id": "d1",
                "domain": "news",
                "refs": {"refA": "One"},
                "hyps": {"X": "one", "refA": "One"},
            },
            {
                "source": "Zwei",
                "metadata": {"docid": "d2", "domain": "speech"},
                "target": "Two",
                "hypotheses": {"X": "", "Y": "two"},
            },
            {"src_text": "Drei", "doc_id": "d2", "domain": "speech", "refs": {"A": {"ref": "3"}}},
        ]
        path = tmp_path / "wmt24.de-en.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        release, (found,) = read(path)
        assert (release.texts[0].source_language, release.texts[0].target_language) == ("de", "en")
        assert texts_of(found) == [
            ("d1", "news", "", "Eins", {"refA": "One"}, {"X": "one"}),
            ("d2", "speech", "", "Zwei", {"ref": "Two"}, {"X": "", "Y": "two"}),
            ("d2", "speech", "", "Drei", {"A": "3"}, {}),
        ]

    def test_the_row_is_named(self, tmp_path):
        path = tmp_path / "x.jsonl"
        path.write_text('{"src": "a", "refs": {"r": "b"}}\n{"src": "", "refs": {}}\n')
        with pytest.raises(ImportProblem, match=r"x\.jsonl, row 2, column source: there is no"):
            read(path)


NAMES = st.text("abcXYZ-0123", min_size=1, max_size=6)
# One letter alone is WMT's way to say a translator: the reference refA.
REFERENCES = NAMES.filter(lambda name: len(name) > 1) | st.sampled_from(["ref", "refA", "refB"])
TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=20).map(
    lambda text: " ".join(text.split())
)
FILLED = TEXTS.map(lambda text: text or "x").filter(lambda text: text.strip() == text)


@st.composite
def part_of(draw):
    references, systems = draw(st.sets(REFERENCES, max_size=2)), draw(st.sets(NAMES, max_size=3))
    rows = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        document = (number + 1) // 2
        rows.append(
            SegmentTexts(
                "made up",
                number,
                str(number),
                f"d{document}",
                draw(FILLED),
                {name: draw(FILLED) for name in sorted(references)},
                {name: draw(TEXTS) for name in sorted(systems - references)},
                "news" if document % 2 else "speech",
                "de",
            )
        )
    if not any(row.references or row.outputs for row in rows):
        rows[0].outputs["S"] = "s"
    return TextsPart("key", "Made up", "de", "en", lambda: rows)


@pytest.mark.parametrize("format_", [WmtXml(), WmtJsonl()], ids=lambda each: each.slug)
def test_out_in_out(format_, tmp_path_factory):
    @settings(max_examples=60, deadline=None)
    @given(part=part_of())
    def holds(part):
        folder = tmp_path_factory.mktemp("out")
        format_.write(Release(texts=[part]), Folder(folder))
        (path,) = folder.iterdir()
        _, (rows,) = read(path, only=format_.slug)
        assert texts_of(rows) == texts_of(part.segments())
        again = tmp_path_factory.mktemp("again")
        part_again = TextsPart("key", "Made up", "de", "en", lambda: rows)
        format_.write(Release(texts=[part_again]), Folder(again))
        assert (again / path.name).read_bytes() == path.read_bytes()

    holds()


class TestRoles:
    @pytest.mark.parametrize(
        ("path", "role", "name", "languages"),
        [
            ("newstest2021.en-de.src.en", "source", "source", ("en", "de")),
            ("generaltest2022.en-de.hyp.online-A.de", "output", "online-A", ("en", "de")),
            ("generaltest2022.en-de.ref.A.de", "reference", "refA", ("en", "de")),
            ("newstest2014-deen-ref.en.gz", "reference", "ref", ("", "en")),
            ("x/source.txt", "source", "source", ("", "")),
            ("x/reference.txt", "reference", "ref", ("", "")),
            ("x/refA.txt", "reference", "refA", ("", "")),
            ("txt/system-outputs/en-de/Online-B.txt", "output", "Online-B", ("en", "de")),
            ("documents/en-de.docs", "documents", "en-de.docs", ("en", "de")),
            ("metadata/cs-uk.jsonl", "documents", "cs-uk", ("cs", "uk")),
            ("online-A.txt", "", "online-A", ("", "")),
        ],
    )
    def test_names(self, path, role, name, languages):
        found = role_of(path)
        assert (found.role, found.languages) == (role, languages)
        if role != "documents":
            assert found.name == name


@pytest.fixture
def folder(tmp_path):
    texts = {
        "source.txt": "eins\nzwei\n",
        "refA.txt": "one\ntwo\n",
        "online-A.txt": "one!\ntwo!\n",
        "copy.txt": "eins \nzwei\n",
        "README.txt": "three\nlines\nhere\n",
        "news.docs": "news\td1\nspeech\td2\n",
    }
    place = tmp_path / "news"
    place.mkdir()
    for name, text in texts.items():
        (place / name).write_text(text)
    return place


class TestPlainFolder:
    def test_a_whole_folder_makes_no_system_of_source_or_reference(self, folder):
        languages = {"source-language": "de", "target-language": "en"}
        release, (rows,) = read(folder, languages)
        asked = {question.name: question.default for question in release.questions}
        assert asked["role:news/copy.txt"] == asked["role:news/README.txt"] == "out"
        hints = {question.name: question.help for question in release.questions}
        assert (
            hints["role:news/copy.txt"]
            == "2 lines. It has the same text as source.txt on every line."
        )
        assert hints["role:news/README.txt"] == "3 lines. The source has 2."
        assert hints["role:news/online-A.txt"] == "2 lines."
        assert texts_of(rows) == [
            ("d1", "news", "", "eins", {"refA": "one"}, {"online-A": "one!"}),
            ("d2", "speech", "", "zwei", {"refA": "two"}, {"online-A": "two!"}),
        ]

    def test_somebody_else_knows_better(self, folder):
        answers = {"role:news/online-A.txt": "reference", "name:news/online-A.txt": "Ana"}
        answers |= {"role:news/refA.txt": "output", "name:news/refA.txt": "Human"}
        _, (rows,) = read(folder, answers)
        assert rows[0].references == {"Ana": "one!"}
        assert rows[0].outputs == {"Human": "one"}

    def test_not_that_a_copy_of_the_source_is_a_system(self, folder):
        with pytest.raises(
            ImportProblem, match=r"it has the same text as news/source\.txt on every line"
        ):
            read(folder, {"role:news/copy.txt": "output"})

    def test_two_language_pairs_with_documents_as_json(self, tmp_path):
        place = tmp_path / "txt"
        for pair, ending in (("cs-uk", "uk"), ("en-ru", "ru")):
            first = pair[:2]
            for path, text in {
                f"sources/t.{pair}.src.{first}": "a\nb\n",
                f"references/t.{pair}.ref.refA.{ending}": "c\nd\n",
                f"system_outputs/{pair}/t.{pair}.hyp.Sys-1.{ending}": "e\n\n",
                f"metadata/{pair}.jsonl": '{"domain": "news", "docid": "x"}\n' * 2,
            }.items():
                (place / path).parent.mkdir(parents=True, exist_ok=True)
                (place / path).write_text(text)
        release, both = read(place)
        assert [(t.source_language, t.target_language) for t in release.texts] == [
            ("cs", "uk"),
            ("en", "ru"),
        ]
        for rows in both:
            assert texts_of(rows) == [
                ("x", "news", "", "a", {"refA": "c"}, {"Sys-1": "e"}),
                ("x", "news", "", "b", {"refA": "d"}, {"Sys-1": ""}),
            ]

    def test_other_files_are_not_taken(self, tmp_path):
        for name in ("a.txt", "b.txt"):
            (tmp_path / name).write_text("x\n")
        files = [ReleaseFile(p.name, p) for p in tmp_path.iterdir()]
        assert PlainFolder().recognize(files) == []
