"""XLIFF and TMX: what tools write of it, by hand after the standards (XLIFF 1.2 and 2.1 of OASIS,
ITS 2.0 of W3C, TMX 1.4b)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from translate.storage.tmx import tmxfile
from translate.storage.xliff2 import Xliff2File

from judgments.exchange.releases import registry
from judgments.exchange.releases.from_database import release_of
from judgments.exchange.releases.importer import import_release
from judgments.exchange.releases.out import choices_of_texts, write
from judgments.exchange.releases.records import (
    JudgedScreen,
    JudgmentsPart,
    MarkedSpan,
    Problems,
    Release,
    Remark,
    TextsPart,
)
from judgments.exchange.releases.tmx import Tmx
from judgments.exchange.releases.xliff import TYPES, Xliff
from judgments.files.problem import ImportProblem
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import Folder, opened
from judgments.models import Note, TargetedReference, TestSet
from tests import factory

ITS = 'xmlns:its="http://www.w3.org/2005/11/its"'
V12 = """<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" {its}>
<file original="{name}" source-language="de-DE" target-language="en" datatype="plaintext"><body>
{units}
</body></file></xliff>"""
V2 = """<?xml version="1.0"?>
<xliff version="2.1" xmlns="urn:oasis:names:tc:xliff:document:2.0" {its} srcLang="de" trgLang="en">
<file id="f1">{units}</file></xliff>"""
TYPES_OF_ITS = {  # https://www.w3.org/TR/its20/#lqissue-typevalues
    *("terminology", "mistranslation", "omission", "untranslated", "addition", "duplication"),
    *("inconsistency", "grammar", "legal", "register", "locale-specific-content"),
    *("locale-violation", "style", "characters", "misspelling", "typographical", "formatting"),
    *("inconsistent-entities", "numbers", "markup", "pattern-problem", "whitespace"),
    *("internationalization", "length", "non-conformance", "uncategorized", "other"),
}


def v12(units: str, name: str = "a.txt") -> str:
    return V12.format(its=ITS, units=units, name=name)


def v2(units: str) -> str:
    return V2.format(its=ITS, units=units)


def read(tmp_path, files: dict[str, str | bytes], **answers: str):
    """The release of some files, and what is wrong with them."""
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    problems = Problems()
    with opened([tmp_path / name for name in files]) as tree:
        release = registry.read(tree, answers, problems)
        release.texts = [part for part in release.texts if list(part.segments()) or True]
        return release, problems


def texts(release):
    [part] = release.texts
    return {row.key: (row.source, dict(row.outputs)) for row in part.segments()}


def spans(release):
    [part] = release.judgments
    return {screen.segment: screen.spans for screen in part.screens()}


def test_source_and_target_without_inline_codes(tmp_path):
    unit = (
        '<trans-unit id="1"><source>ein <g id="1">altes</g> Haus<x id="2"/>.</source>'
        '<target>an <g id="1">old</g> house<ph id="2">&lt;br/&gt;</ph>.</target></trans-unit>'
        '<trans-unit id="2"><source>zwei</source></trans-unit>'
    )
    release, problems = read(tmp_path, {"DeepL.xlf": v12(unit)})
    assert not problems
    assert not release.judgments
    assert texts(release) == {
        "1": ("ein altes Haus.", {"DeepL": "an old house."}),
        "2": ("zwei", {}),
    }
    assert (release.texts[0].source_language, release.texts[0].target_language) == ("de-DE", "en")
    assert release.notes == [
        "DeepL.xlf: inline codes, left out: 2.",
        "DeepL.xlf: segments without a target: 1.",
    ]


def test_files_of_several_systems_and_a_reference_are_one_test_set(tmp_path):
    def unit(target):
        return f'<trans-unit id="1"><source>eins</source><target>{target}</target></trans-unit>'

    files = {"A.xlf": v12(unit("one")), "B.xlf": v12(unit("won")), "R.xlf": v12(unit("1"))}
    release, _ = read(tmp_path, files, **{"role:R.xlf": "reference", "name:B.xlf": "online B"})
    [row] = release.texts[0].segments()
    assert dict(row.outputs) == {"A": "one", "online B": "won"}
    assert dict(row.references) == {"R": "1"}
    assert row.document == "a.txt"
    asked = {question.name for question in release.questions}
    assert {"role:A.xlf", "name:R.xlf", "source-language"} <= asked


def test_segments_that_a_tool_cut(tmp_path):
    """As SDL Trados writes them: seg-source and target with a mark for each segment."""
    unit = (
        '<trans-unit id="u"><source>Eins. Zwei.</source>'
        '<seg-source><mrk mtype="seg" mid="7">Eins.</mrk> <mrk mtype="seg" mid="8">Zwei.</mrk>'
        '</seg-source><target><mrk mtype="seg" mid="7">One.</mrk></target></trans-unit>'
    )
    release, _ = read(tmp_path, {"a.sdlxliff": v12(unit)})
    assert texts(release) == {"u:1": ("Eins.", {"a": "One."}), "u:2": ("Zwei.", {})}


def test_issues_of_its_become_errors(tmp_path):
    units = (
        '<unit id="1"><segment><source>ein Haus</source><target>a <mrk id="m" '
        'its:locQualityIssueType="mistranslation" its:locQualityIssueSeverity="50" '
        'its:locQualityIssueComment="no">mouse</mrk> <sm id="s" its:locQualityIssueType="style"/>'
        'i<mrk id="o" its:locQualityIssueType="grammar" its:locQualityIssueSeverity="100">n<em '
        'startRef="s"/>t</mrk></target></segment></unit>'
        '<unit id="2"><its:locQualityIssues xml:id="l1"><its:locQualityIssue '
        'locQualityIssueType="omission" locQualityIssueSeverity="1"/><its:locQualityIssue '
        'locQualityIssueType="register" locQualityIssueSeverity="0"/></its:locQualityIssues>'
        '<segment><source>zwei</source><target its:locQualityIssuesRef="#l1">to</target></segment>'
        "</unit>"
        '<unit id="3"><segment><source>drei</source><target>three</target></segment></unit>'
    )
    release, problems = read(tmp_path, {"X.xlf": v2(units)})
    assert not problems
    assert texts(release)["1"] == ("ein Haus", {"X": "a mouse int"})
    assert spans(release) == {
        "1": [
            MarkedSpan("X", "target", 2, 7, "major", "mistranslation"),
            MarkedSpan("X", "target", 8, 10, "minor", "style"),
            MarkedSpan("X", "target", 9, 11, "critical", "grammar"),
        ],
        "2": [
            MarkedSpan("X", "target", 0, 2, "minor", "omission"),
            MarkedSpan("X", "target", 0, 2, "neutral", "register"),
        ],
        "3": [],
    }
    assert release.notes == [
        "X.xlf: errors without a severity, taken for minor ones: 1.",
        "X.xlf: segments without an issue, taken for judged without an error: 1.",
    ]


def remarks(release):
    [part] = release.judgments
    return {screen.segment: screen.remarks for screen in part.screens()}


# The example of "Comment Annotation" in the standard, XLIFF 2.1, with an issue beside it.
NAMESPACE = """<unit id="1"><notes><note id="n1" appliesTo="target">Please check the translation for
'namespace'.</note><note id="n2">All of it.</note></notes><segment><source>You use your own
namespace.</source><target>Vous pouvez utiliser votre propre <mrk id="m1" type="comment"
ref="#n=n1">namespace</mrk>. <mrk id="m2" type="comment" value="Why?"><mrk id="m3"
its:locQualityIssueType="addition" its:locQualityIssueSeverity="50"
its:locQualityIssueComment="One dot.">.</mrk></mrk></target></segment></unit>""".replace("\n", " ")


def test_comments_on_errors_words_and_outputs(tmp_path):
    release, problems = read(tmp_path, {"X.xlf": v2(NAMESPACE)})
    assert not problems
    assert spans(release)["1"] == [MarkedSpan("X", "target", 45, 46, "major", "addition")]
    assert set(remarks(release)["1"]) == {
        Remark("Please check the translation for 'namespace'.", "X", "target", 34, 43),
        Remark("Why?", "X", "target", 45, 46),
        Remark("One dot.", "X", "target", 45, 46),
        Remark("All of it.", "X"),
    }
    assert release.notes == []
    unit = (
        '<trans-unit id="1"><source>eins</source><target>an <mrk mtype="x-test" comment="No!">one'
        '</mrk></target><note from="Ada">So so.</note></trans-unit>'
    )
    judged = unit.replace("<trans-unit", '<trans-unit its:locQualityRatingScore="50"')
    release, _ = read(tmp_path, {"X.xlf": v12(judged)})
    found = [Remark("No!", "X", "target", 3, 6), Remark("So so.", "X")]
    assert sorted(remarks(release)["1"]) == found
    assert "X.xlf: elements and attributes that are not read: from (1)." in release.notes


def test_what_is_not_read_is_said(tmp_path):
    unit = (
        '<group id="g"><trans-unit id="1" approved="yes"><source>eins</source><target state="new">'
        '<mrk mtype="x-test" comment="No!">one</mrk></target><note>So so.</note><alt-trans>'
        "<target>a</target></alt-trans><alt-trans><target>b</target></alt-trans><count-group "
        'name="n"><count count-type="x">3</count></count-group></trans-unit></group>'
    )
    text = v12(unit).replace("<body>", "<header><note>Hello</note><tool/></header><body>")
    release, _ = read(tmp_path, {"X.xlf": text}, **{"role:X.xlf": "output"})
    assert not release.judgments
    assert release.notes == [
        "X.xlf: errors, scores and comments on texts that nobody judges here, left out: 2.",
        "X.xlf: proposals, left out: 2.",
        "X.xlf: elements and attributes that are not read: header (1), approved (1), state (1), "
        "count-group (1).",
    ]
    release, _ = read(tmp_path, {"X.xlf": text})
    assert "X.xlf: proposals, left out: 1." in release.notes  # the other is what was edited
    off = '<target its:locQualityIssueType="style" its:locQualityIssueEnabled="no">one</target>'
    text = v2(f'<unit id="1"><segment><source>eins</source>{off}</segment></unit>')
    release, _ = read(tmp_path, {"X.xlf": text})
    assert spans(release) == {"1": []}
    assert "X.xlf: issues that are not enabled, left out: 1." in release.notes


@pytest.mark.django_db
def test_comments_and_times_go_out_and_come_in_again(tmp_path):
    owner = factory.make_user("owner", is_staff=True)
    (tmp_path / "X.xlf").write_text(v2(NAMESPACE))
    found = import_release([tmp_path / "X.xlf"], owner)
    assert not found.problems, found.problems.first
    notes = {(n.comment, n.quote, n.about, n.resolved_at is None) for n in Note.objects.all()}
    assert notes == {
        ("Please check the translation for 'namespace'.", "namespace", "X, 34–43", False),
        ("Why?", ".", "X, 45–46", False),
        ("One dot.", ".", "X, 45–46", False),
        ("All of it.", "", "", False),
    }
    [(campaign, _)] = found.written.campaigns
    at = datetime(2026, 5, 4, 12, tzinfo=UTC)
    times = {"started": at, "submitted": at + timedelta(seconds=65), "active_ms": 60_500}
    release = release_of([campaign])
    part = release.judgments[0]
    screens = [replace(screen, **times) for screen in part.screens()]
    release.judgments = [replace(part, screens=lambda: iter(screens))]
    Xliff().write(release, Folder(tmp_path / "out"))
    written = (tmp_path / "out" / "campaign.xlf").read_bytes()
    again, problems = read(tmp_path / "out", {"campaign.xlf": written})
    assert not problems
    [screen] = again.judgments[0].screens()
    assert {name: getattr(screen, name) for name in times} == times
    assert (set(screen.remarks), screen.spans) == (set(screens[0].remarks), screens[0].spans)
    assert len(screen.remarks) == 4
    assert again.notes == []


def test_what_is_not_read_of_a_memory_is_said(tmp_path):
    memory = (
        '<tmx version="1.4"><header srclang="de"/><body><tu changedate="20260101T000000Z"><note>So.'
        '</note><prop type="x-a">b</prop><tuv xml:lang="de"><seg>eins</seg></tuv>'
        '<tuv xml:lang="en" creationid="Ada"><seg>one</seg></tuv></tu>'
        '<tu><tuv xml:lang="en"><seg>two</seg></tuv></tu></body></tmx>'
    )
    release, _ = read(tmp_path, {"m.tmx": memory})
    assert texts(release) == {"1": ("eins", {"m": "one"})}
    assert release.notes == [
        "m.tmx: elements and attributes that are not read: changedate (1), note (1), "
        "prop x-a (1), creationid (1), tu without de (1)."
    ]


def test_a_mark_may_end_in_a_later_segment(tmp_path):
    """As XLIFF 2.1 allows: the rest of its own segment is marked."""
    unit = (
        '<unit id="1"><segment><source>Eins.</source><target>An <sm id="s" '
        'its:locQualityIssueType="style" its:locQualityIssueSeverity="50"/>one.</target></segment>'
        '<segment><source>Zwei.</source><target>Two<em startRef="s"/>.</target></segment></unit>'
    )
    release, _ = read(tmp_path, {"X.xlf": v2(unit)})
    found = spans(release)
    assert found == {"1:1": [MarkedSpan("X", "target", 3, 7, "major", "style")], "1:2": []}


def test_issues_of_xliff_1_stand_apart_in_the_file(tmp_path):
    unit = (
        '<trans-unit id="1"><source>eins</source><target>an <mrk mtype="x-its" '
        'its:locQualityIssuesRef="#q">one</mrk></target><its:locQualityIssues xml:id="q">'
        '<its:locQualityIssue locQualityIssueType="misspelling" locQualityIssueSeverity="60"/>'
        "</its:locQualityIssues></trans-unit>"
    )
    release, _ = read(tmp_path, {"X.xlf": v12(unit)})
    assert spans(release) == {"1": [MarkedSpan("X", "target", 3, 6, "major", "misspelling")]}


@pytest.mark.django_db
def test_proposals_and_what_was_made_of_them_are_post_edits(tmp_path):
    unit = (
        '<trans-unit id="1"><source>ein Haus</source><target>a house</target>'
        "<alt-trans><target>a mouse</target></alt-trans></trans-unit>"
        '<trans-unit id="2"><source>zwei</source><target>two</target></trans-unit>'
    )
    (tmp_path / "MT.xlf").write_text(v12(unit))
    found = import_release([tmp_path / "MT.xlf"], factory.make_user("owner", is_staff=True))
    assert not found.problems, found.problems.first
    edit = TargetedReference.objects.get()
    assert (edit.text, edit.output.text, edit.output.system.name) == ("a house", "a mouse", "MT")
    assert "Post-edits of MT.xlf: 1." in found.remarks
    assert "MT.xlf: targets without a proposal next to them, left out: 1." in found.notes


def test_the_languages_of_a_memory_are_asked(tmp_path):
    memory = """<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE tmx SYSTEM "tmx14.dtd">
    <tmx version="1.4"><header srclang="*all*"/><body><tu><tuv xml:lang="en-US"><seg>one</seg></tuv>
    <tuv xml:lang="DE"><seg>e<hi>in</hi>s<ut>\\b</ut></seg></tuv><tuv xml:lang="cs"><seg>jedna</seg>
    </tuv></tu></body></tmx>"""
    files = {"m.tmx": memory.encode("utf-16")}
    release, _ = read(tmp_path, files)
    [_, target] = [each for each in release.questions if each.name.endswith("-language")]
    assert [value for value, _ in target.choices] == ["en-US", "DE", "cs"]
    assert texts(release) == {"1": ("one", {"m": "eins"})}
    unread = "m.tmx: elements and attributes that are not read: tuv cs (1)."
    assert unread in release.notes
    said = {"source-language": "cs", "target-language": "en-US", "name:m.tmx": "Ada"}
    release, _ = read(tmp_path, files, **said)
    assert texts(release) == {"1": ("jedna", {"Ada": "one"})}
    assert (release.texts[0].source_language, release.texts[0].target_language) == ("cs", "en-US")


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.xlf", v12(""), "there is no unit in it"),
        ("a.xlf", v2("<unit id='1'>"), "not well-formed XML: mismatched tag"),
        ("a.xlf", '<!DOCTYPE xliff [<!ENTITY a "b">]>' + v12("")[21:], "declares entities"),
        ("a.xlf", v2("<unit>" * 40), "more than 30 deep"),
        ("a.xlf", v2(f"<unit>{'<a/>' * 21_000}</unit>"), "more than 20,000 others"),
        ("a.tmx", "<tmx><body><tu/></body></tmx>", "a source and a target are needed"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, name, text, reason):
    with pytest.raises(ImportProblem, match=reason):
        read(tmp_path, {name: text})


def test_an_id_that_comes_twice_is_told(tmp_path):
    unit = '<trans-unit id="1"><source>eins</source><target>one</target></trans-unit>'
    with pytest.raises(ImportProblem, match="the id 1 occurs twice"):
        read(tmp_path, {"a.xlf": v12(unit * 2)})


def test_units_without_an_id_are_joined_by_their_source(tmp_path):
    """By their places, the second system would have translated other sources."""

    def memory(*units):
        found = (
            f'<tu tuid="{tuid}"><tuv xml:lang="de"><seg>{source}</seg></tuv>'
            f'<tuv xml:lang="en"><seg>{target}</seg></tuv></tu>'
            for source, target, tuid in ((*unit, "")[:3] for unit in units)
        )
        head = '<tmx version="1.4"><header srclang="de"/><body>'
        return f"{head}{''.join(found)}</body></tmx>"

    files = {
        "A.tmx": memory(("eins", "one"), ("zwei", "two"), ("eins", "1")),
        "B.tmx": memory(("zwei", "twain"), ("eins", "won"), ("drei", "three")),
    }
    release, problems = read(tmp_path, files)
    assert not problems
    assert texts(release) == {
        "1": ("eins", {"A": "one", "B": "won"}),
        "2": ("zwei", {"A": "two", "B": "twain"}),
        "3": ("eins", {"A": "1"}),
        "4": ("drei", {"B": "three"}),
    }
    mixed = {"A.tmx": memory(("eins", "one", 1), ("zwei", "two"), ("drei", "three", 2))}
    assert texts(read(tmp_path, mixed)[0]) == {
        "1": ("eins", {"A": "one"}),
        "3": ("zwei", {"A": "two"}),
        "2": ("drei", {"A": "three"}),
    }


def test_types_are_those_of_its():
    assert set(TYPES.values()) <= TYPES_OF_ITS


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["xliff", "tmx"])
def test_texts_go_out_and_come_in_again(tmp_path, slug):
    owner = factory.make_user("owner", is_staff=True)
    test_set = factory.make_test_set(owner)
    assert slug in {each.slug for each in choices_of_texts(test_set)}
    write(test_set, slug, Folder(tmp_path / "out"))
    found = import_release([tmp_path / "out"], owner, only=slug)
    assert not found.problems
    [again] = found.written.test_sets.values()

    def everything(some: TestSet):
        return [
            (
                *(segment.key, segment.document.name, segment.source),
                sorted(segment.outputs.values_list("system__name", "text")),
                sorted(segment.references.values_list("name", "text")),
            )
            for segment in some.segments.order_by("position")
        ]

    assert everything(again) == everything(test_set)


def test_another_program_opens_what_is_written(tmp_path):
    """The oracle: translate-toolkit, which knows XLIFF 2 and TMX, though not their marks."""

    def segments():
        texts = {"A": "a mouse & so\n on", "B": "two"}
        yield SegmentTexts("f", 1, "s 1", "d", "ein <Haus> & so", {"ref": "a house"}, texts)

    spans = [
        MarkedSpan("A", "target", 0, 7, "major", "accuracy/mistranslation"),
        MarkedSpan("A", "target", 2, 9, "minor", "style"),  # which overlap
        MarkedSpan("A", "missing", 0, 0, "minor", ""),
        MarkedSpan("A", "source", 0, 3, "critical", "x"),
    ]
    screen = JudgedScreen("f", 1, "Ada", "s 1", ["A"], spans=spans, ratings=[("A", "esa", 77.5)])
    texts = TextsPart("k", "n", "de", "en", segments)
    judged = JudgmentsPart("n", "k", "esa", lambda: iter([screen]))
    folder = Folder(tmp_path)
    Xliff().write(Release(texts=[texts], judgments=[judged]), folder)
    Tmx().write(Release(texts=[texts]), folder)
    for store in (
        Xliff2File.parsefile(str(tmp_path / "campaign.xlf")),
        tmxfile.parsefile(str(tmp_path / "texts.tmx")),
    ):
        found = {(str(unit.source), str(unit.target)) for unit in store.units}
        expected = ("a mouse & so\n on", "two", "a house")
        assert found == {("ein <Haus> & so", text) for text in expected}
