"""The folder of mt-metrics-eval, read into records and written again."""

import json
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.exchange.releases import registry
from judgments.exchange.releases.from_database import release_of
from judgments.exchange.releases.importer import import_release
from judgments.exchange.releases.mt_metrics_eval import MtMetricsEval
from judgments.exchange.releases.records import (
    JudgedScreen,
    JudgmentsPart,
    MarkedSpan,
    Problems,
    Release,
    TextsPart,
)
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import CannotWrite, Folder, opened
from judgments.results.recomputation.figures import recomputed
from judgments.results.selection.selection import Selection
from tests import factory
from tests.shared import shared_data


@pytest.fixture
def released():
    with opened([shared_data("10_as_released", "wmt23.en-de.tar.gz")]) as files:
        problems = Problems()
        yield registry.read(files, {}, problems)
        assert not problems.n


def lines_of(folder):
    """{path: its lines, however ordered} of a folder of texts."""
    return {
        str(path.relative_to(folder)): Counter(path.read_text("utf-8").split("\n"))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_what_is_found(released):
    (texts,) = released.texts
    assert (texts.name, texts.source_language, texts.target_language) == ("wmt23 en-de", "en", "de")
    assert texts.release == "wmt23"
    names = {part.name: part for part in released.judgments}
    assert set(names) == {"wmt23 en-de mqm", "wmt23 en-de da-sqm"}
    mqm = list(names["wmt23 en-de mqm"].screens())
    assert len(mqm) == 5_980
    assert sum(len(screen.spans) for screen in mqm) == 19_569
    assert len(released.scores[0].files) == 133


def test_out_again(released, tmp_path):
    """Human scores, texts and documents: the same lines to the last digit."""
    with opened([shared_data("10_as_released", "wmt23.en-de.tar.gz")]) as files:
        released.scores = []
        MtMetricsEval().write(released, Folder(tmp_path))
        written = lines_of(tmp_path)
        for file in files:
            if "metric-scores" not in file.path:
                given = Counter(file.place.read_text("utf-8").split("\n"))
                assert written[file.path] == given, file.path
    assert len(written) == 158 - 133


# ---- Whatever a campaign holds -----------------------------------------------------------------

WEIGHTS = {"minor": 1, "major": 5, "minor/fluency/punctuation": 0.1}
KINDS = [("minor", "fluency/punctuation"), ("minor", "style"), ("major", "accuracy/omission")]
words = st.text("ab \u00e4\u4e2d\U0001f600\u2028", min_size=1, max_size=12).filter(str.strip)
names = st.text("AZa\u00e9.-_ ", min_size=1, max_size=8).filter(lambda t: t == t.strip(". "))


@st.composite
def campaigns(draw):
    """A release of one test set and one campaign of errors; some outputs are not there."""
    systems = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    raters = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    segments, screens = [], []
    for n in range(1, draw(st.integers(1, 4)) + 1):
        there = draw(st.lists(st.sampled_from(systems), min_size=n == 1, unique=True))
        outputs = {system: draw(st.one_of(st.just(""), words)) for system in there}
        references = draw(st.dictionaries(st.sampled_from(["refA", "ref-B"]), words))
        document, domain = draw(st.sampled_from([("d1", "news"), ("d2", "news"), ("d3", "talk")]))
        source = draw(words)
        segments.append(SegmentTexts("x", n, str(n), document, source, references, outputs, domain))
        for system in there:
            for rater in draw(st.lists(st.sampled_from(raters), unique=True)):
                spans = [draw(marks(system, source, outputs[system])) for _ in range(draw(few))]
                screens.append(JudgedScreen("x", n, rater, str(n), [system], spans=spans))
    part = TextsPart("t", "Texts", *draw(languages), segments=lambda: iter(segments))
    options = {"weights": WEIGHTS}
    judgments = JudgmentsPart(
        "c", "t", "released-errors", screens=lambda: iter(screens), options=options
    )
    return Release(texts=[part], judgments=[judgments])


few = st.integers(0, 3)
languages = st.sampled_from([("de", "en"), ("en", "zh-Hant"), ("en", "sr-Latn-RS")])


@st.composite
def marks(draw, system, source, output):
    """An error that the file can hold: of the source, of the output, or of what is missing."""
    severity, category = draw(st.sampled_from(KINDS))
    side = draw(st.sampled_from(["source", "target", "missing"]))
    length = len(source if side == "source" else output)
    if side == "missing" or not length:
        return MarkedSpan(system, "missing", 0, 0, severity, category)
    start = draw(st.integers(0, length - 1))
    return MarkedSpan(system, side, start, draw(st.integers(start + 1, length)), severity, category)


def said(release):
    """What people marked, in any order."""
    return Counter(
        (screen.annotator, screen.segment, tuple(screen.outputs), tuple(screen.spans))
        for part in release.judgments
        for screen in part.screens()
    )


@given(campaigns())
@settings(max_examples=100, deadline=None)
def test_out_and_in(release):
    with tempfile.TemporaryDirectory() as folder:
        MtMetricsEval().write(release, Folder(Path(folder)))
        problems = Problems()
        with opened([Path(folder)]) as files:
            again = registry.read(files, {}, problems, only="mt-metrics-eval")
            (found,) = again.texts
            (given_texts,) = release.texts
            assert found.source_language == given_texts.source_language
            assert found.target_language == given_texts.target_language
            for one, other in zip(given_texts.segments(), found.segments(), strict=True):
                assert (one.source, one.document, one.domain) == (
                    other.source, other.document, other.domain,
                )  # fmt: skip
                assert one.references == other.references
                blank = {s: "" if not t.strip() else t for s, t in one.outputs.items()}
                assert blank == other.outputs
            assert said(again) == said(release)
        assert not problems.n


def test_texts_of_several_lines_and_names_that_no_file_can_have(tmp_path):
    segment = SegmentTexts("x", 1, "1", "d", "eins\nzwei", {}, {"A": "one\r\ntwo"})
    part = TextsPart("t", "Texts", "de", "en", segments=lambda: iter([segment]))
    MtMetricsEval().write(Release(texts=[part]), Folder(tmp_path))
    assert (tmp_path / "texts/sources/de-en.txt").read_text() == "eins zwei\n"
    assert (tmp_path / "texts/system-outputs/de-en/A.txt").read_text() == "one  two\n"
    for name in ("a/b", "..", "x" * 250):
        odd = replace(segment, outputs={name: "one"})
        part = TextsPart("t", "Texts", "de", "en", segments=lambda odd=odd: iter([odd]))
        with pytest.raises(CannotWrite, match="A file would be named after"):
            MtMetricsEval().write(Release(texts=[part]), Folder(tmp_path / "odd"))


def error(score, severity):
    return {
        **{"start": 0, "end": 3, "score": score, "severity": severity, "category": "style"},
        "is_source_error": False,
    }


@pytest.fixture
def unmarked(tmp_path):
    """A folder as WMT23's zh-en: the second segment of refA has a score, and no line of errors."""
    marks = {"A": [[], [error(1, "minor")], []], "refA": [[error(1, "minor")], None, []]}
    scores = {"A": ["0", "-1.0", "0"], "refA": ["-1.0", "-5.0", "0"]}
    files = {
        "sources/zh-en.txt": ["一。", "二。", "三。"],
        "documents/zh-en.docs": ["news\td1", "news\td1", "talk\td2"],
        "references/zh-en.refA.txt": ["One.", "Two.", "Three."],
        "system-outputs/zh-en/A.txt": ["One.", "Too.", "Three."],
        "system-outputs/zh-en/refA.txt": ["One.", "Two.", "Three."],
        "human-scores/zh-en.mqm.seg.score": [f"{s}\t{x}" for s in scores for x in scores[s]],
        "human-scores/zh-en.mqm.sys.score": ["A\t-0.3333333333333333", "refA\t-2.0"],
        "human-scores/zh-en.mqm.domain.score": [
            *("news\tA\t-0.5", "news\trefA\t-3.0", "talk\tA\t0.0", "talk\trefA\t0.0"),
        ],
        "human-scores/zh-en.mqm.merged.seg.rating": [
            f"{s}\tNone" if errors is None else f"{s}\t{json.dumps({'errors': errors})}\trater1"
            for s in marks
            for errors in marks[s]
        ],
    }
    for name, lines in files.items():
        path = tmp_path / "wmt23" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines))
    return tmp_path / "wmt23"


@pytest.mark.parametrize("file", ["zh-en.mqm.seg.score", "zh-en.mqm.merged.seg.rating"])
def test_a_line_that_is_missing_is_not_the_next_segment(db, unmarked, file):
    """Only the order of the lines names the segments."""
    path = unmarked / "human-scores" / file
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:1], *lines[2:]]) + "\n")
    findings = import_release([unmarked], factory.make_user("owner"), leave_out=50)
    assert findings.written is None
    (problem,) = findings.problems.first
    assert problem.file == file and "“A” has 2 lines, but there are 3" in problem.reason


def test_scores_without_errors_are_kept(db, unmarked, tmp_path):
    """They are published figures, of which the means say why they differ, and go out again."""
    findings = import_release([unmarked], factory.make_user("owner"))
    assert not findings.problems
    (note,) = findings.notes
    assert "1 scores of segments in zh-en.mqm.seg.score have no line of errors" in note
    assert "(refA in 2)" in note
    ((campaign, added),) = findings.written.campaigns
    assert added.judgments == 5
    rows = {(r.figure, r.of): r for r in recomputed(Selection.of(campaign))}
    assert rows["segment mean", "refA in 2"].verdict == "none"
    for name in ("system mean", "refA"), ("domain mean", "refA in news"):
        assert rows[name].verdict == "known", rows[name]
        assert "scores of segments for which there are no judgments here" in rows[name].reason
    assert {r.verdict for r in rows.values()} == {"same", "known", "none"}
    MtMetricsEval().write(release_of([campaign]), Folder(tmp_path / "out"))
    for level in ("seg", "sys", "domain"):
        name = f"human-scores/zh-en.mqm.{level}.score"
        (found,) = (tmp_path / "out").rglob(name)
        said, expected = ([line.split("\t") for line in path.read_text().split("\n")[:-1]]
                          for path in (found, unmarked / name))  # fmt: skip
        said, expected = (sorted([*r[:-1], float(r[-1])] for r in x) for x in (said, expected))
        assert said == expected, level
    (found,) = (tmp_path / "out").rglob("*.seg.rating")
    assert found.read_text().count("refA\tNone\n") == 1
    call_command("recompute", found.parents[1])  # nothing differs for an unknown reason
