"""Appraise's export written and read again, and what its exports of other years say."""

import gzip
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.exchange.releases import from_database, registry, writing
from judgments.exchange.releases.appraise import Appraise
from judgments.exchange.releases.records import (
    JudgedScreen,
    JudgmentsPart,
    MarkedSpan,
    Problems,
    Release,
    TextsPart,
)
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import Folder, opened
from tests import factory
from tests.shared import shared_data

RELEASED = "10_as_released"
WMT22 = [
    (RELEASED, "wmt22", "WMT22.Appraise.SegLvlLivSrc.20221031.filtered.csv.gz"),
    (RELEASED, "wmt22", "header.SegLvl.csv.gz"),
]
WMT24 = (RELEASED, "wmt24", "esa_generalMT2024_wave2.first1500.csv.gz")


def released(*paths):
    with opened(paths) as files:
        problems = Problems()
        release = registry.read(files, {}, problems)
        assert not problems.n, problems.first
        return release


def said(screen):
    """Everything but where it stood and how long it took, which Appraise has no column for."""
    return (
        screen.annotator,
        screen.segment,
        tuple(screen.outputs),
        screen.kind,
        tuple(sorted(screen.ratings)),
        tuple(sorted(screen.spans or ())),
        tuple(sorted(screen.copies)),
        screen.started,
        screen.submitted,
    )


# ---- Exports of other years ----------------------------------------------------------------------


def test_direct_assessments_with_a_header_of_their_own():
    """WMT22, both directions of Livonian: numbers of items are lines from 1 to 420."""
    release = released(*(shared_data(*path) for path in WMT22))
    assert release.notes == []
    directions = {(t.source_language, t.target_language): t for t in release.texts}
    assert set(directions) == {("en", "liv"), ("liv", "en")}
    segments = list(directions["en", "liv"].segments())
    numbers = [int(segment.key) for segment in segments]
    assert numbers == sorted(numbers)
    assert len(segments) == 295  # numbers that are met in the file
    assert {int(s.key) for s in segments} <= set(range(1, 421))
    systems = {system for segment in segments for system in segment.outputs}
    assert systems == {"TAL-SJTU", "Liv4ever", "TartuNLP", "NiuTrans", "HuaweiTSC", "refA"}
    screens = [screen for part in release.judgments for screen in part.screens()]
    # 5,327 rows; of 14 items several systems have the same translation, judged once.
    assert sum(len(screen.outputs) for screen in screens) == 5_327
    assert sum(bool(screen.copies) for screen in screens) == 14
    assert sum(len(s.outputs) for s in screens if s.kind == "degraded") == 638
    assert {part.preset for part in release.judgments} == {"custom-rating"}


def test_errors_and_scores_of_wmt24():
    release = released(shared_data(*WMT24))
    assert [(t.source_language, t.target_language) for t in release.texts] == [
        ("en", "zh"),
        ("en", "hi"),
    ]
    assert release.notes == [
        "109 answers to tutorials were left out.",
        "17 items were judged again by the same login: their last judgment counts.",
    ]
    (chinese, _hindi) = release.judgments
    assert chinese.options["score"] is True
    assert chinese.options["weights"] == {"minor": 1, "major": 5}
    documents = {segment.document for segment in release.texts[0].segments()}
    assert not any("#" in document for document in documents)
    # The number of an item is a line of the test set, for damaged copies too.
    (screen,) = [s for s in chinese.screens() if s.item.endswith("-0KrV5WsZq8_000#bad")][:1]
    assert (screen.segment, screen.kind, screen.outputs) == ("684", "degraded", ["Claude-3.5"])


@pytest.mark.proof
@pytest.mark.parametrize("path", [WMT22, [WMT24]])
@pytest.mark.django_db
def test_the_real_files_come_in_and_go_out(path, tmp_path):
    """In, out of the database, and in again: the same judgments."""
    release = released(*(shared_data(*each) for each in path))
    problems = Problems()
    found = writing.write(release, factory.make_user("organizer"), problems)
    assert not problems.n, problems.first
    outgoing = from_database.release_of([campaign for campaign, _ in found.campaigns])
    assert Appraise().may_write(outgoing) == ""
    Appraise().write(outgoing, Folder(tmp_path / "out"))
    again = released(tmp_path / "out")
    assert len(again.judgments) == len(release.judgments) == 2
    by_name = {part.name: part for part in again.judgments}
    for part in release.judgments:
        other = by_name[part.name.replace(" ", "_")]
        assert other.options == part.options
        assert Counter(map(said, other.screens())) == Counter(map(said, part.screens()))


def test_logins_become_people():
    folder = shared_data(RELEASED, "appraise")
    release = released(folder / "240315rc5ESA.scores.csv.gz", folder / "Annotators_mapping.csv.gz")
    (part,) = release.judgments
    screens = list(part.screens())
    assert len({screen.item.split(" ")[0] for screen in screens}) == 33
    assert Counter(s.annotator for s in screens)["1195751"] > 0
    assert len({screen.annotator for screen in screens}) == 8


# ---- Everything that can be written --------------------------------------------------------------

KEYS = {str(n): f"doc{(n - 1) // 3}" for n in range(1, 10)}
MOMENTS = st.datetimes(
    datetime(2001, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)
)  # fmt: skip
SPANS = st.lists(
    st.one_of(
        st.builds(
            lambda start, n, severity, category: ("target", start, start + n, severity, category),
            st.integers(0, 900),
            st.integers(1, 90),
            st.sampled_from(["minor", "major", "undecided"]),
            st.sampled_from(["", "accuracy/omission", "ändern"]),
        ),
        st.just(("missing", 0, 0, "major", "")),
    ),
    max_size=3,
)
SCREEN = st.tuples(
    st.sampled_from(["anna", "b,ob", 'c"d']),
    st.sampled_from(sorted(KEYS)),
    st.sampled_from(["GPT4-5shot", "ONLINE-A", "ref A", "x+y"]),
    st.sampled_from(["regular", "degraded", "reference", "repeat", "control"]),
)
JUDGED = st.dictionaries(
    SCREEN,
    st.tuples(
        st.one_of(st.integers(1, 100).map(float), st.floats(0.01, 100)),
        SPANS,
        st.none() | st.tuples(MOMENTS, MOMENTS).map(sorted),
    ),
    min_size=1,
    max_size=12,
)


class Lines:
    """A test set of three documents with three segments each, whose translations are long."""

    systems = frozenset(["GPT4-5shot", "ONLINE-A", "ref A", "x+y"])
    segments = list(KEYS.items())
    documents = {f"doc{n}": [k for k, d in KEYS.items() if d == f"doc{n}"] for n in range(3)}

    @staticmethod
    def length(system, key):
        return 1_000


def texts():
    for row, (key, document) in enumerate(KEYS.items(), 1):
        yield SegmentTexts("", row, key, document, "source", {}, {})


@settings(deadline=None, max_examples=60)
@given(JUDGED, st.booleans())
def test_out_and_in_again(judged, with_errors):
    screens = []
    for row, ((annotator, key, system, kind), (score, spans, times)) in enumerate(judged.items()):
        marked = [MarkedSpan(system, *span) for span in spans] if with_errors else None
        screens.append(
            JudgedScreen(
                "", row, annotator, key, [system], kind=kind,
                ratings=[(system, "esa" if with_errors else "da", score)], spans=marked,
                started=times and times[0], submitted=times and times[1],
            )
        )  # fmt: skip
    if with_errors and not any(screen.spans for screen in screens):
        with_errors = False  # without a single error the file is one of scores
        for screen in screens:
            screen.ratings = [(system, "da", value) for system, _, value in screen.ratings]
    options = {"categories": ["Accuracy/Omission", "Ändern"], "sides": ["target", "missing"]}
    preset = "released-errors" if with_errors else "direct-assessment"
    release = Release(
        [TextsPart("1", "texts", "en", "de", texts)],
        [JudgmentsPart("a campaign", "1", preset, lambda: screens, options)],
    )
    with tempfile.TemporaryDirectory() as folder:
        Appraise().write(release, Folder(Path(folder)))
        again = released(Path(folder))
    (part,) = again.judgments
    again.texts[0].settle(Lines())
    assert Counter(map(said, part.screens())) == Counter(map(said, screens))
    assert part.preset == ("released-errors" if with_errors else "custom-rating")


# ---- What is wrong with a row --------------------------------------------------------------------

ROW = 'a,S,1,TGT,eng,deu,50,d,False,"[{""start_i"":1,""end_i"":2,""severity"":""minor""}]",1.5,2.5'


@pytest.mark.parametrize(
    ("row", "column", "reason"),
    [
        (ROW.replace("TGT", "XYZ"), "type", "is not a type of item"),
        (ROW.replace(",50,", ",good,"), "score", "is not a number"),
        (ROW.replace(",50,", ",1e999,"), "score", "is not a number"),
        (ROW.replace(",1,TGT", ",one,TGT"), "item", "is not the number of an item"),
        (ROW.replace("eng", "english"), "source language", "is not a language"),
        (ROW.replace('"end_i"":2', '"end_i"":0'), "errors", "is not a list of marked errors"),
        (ROW.replace("[{", "[[{"), "errors", "is not a list of marked errors"),
        (ROW.replace("2.5", "soon"), "time", "is not a time"),
        ("a,S,1,TGT", "", "the row has 4 columns"),
    ],
)
def test_rows_that_will_not_do(row, column, reason, tmp_path):
    path = tmp_path / "odd.csv.gz"
    path.write_bytes(gzip.compress(f"{ROW}\n{row}\n{ROW}\n".encode()))
    problems = Problems()
    with opened([path]) as files:
        registry.read(files, {}, problems)
    (problem,) = problems.first
    assert (problem.row, problem.column) == (2, column)
    assert reason in problem.reason


@pytest.mark.parametrize("name", ["scores.csv", "anything.txt", "x.csv.gz"])
def test_a_header_in_the_first_line(name, tmp_path):
    """Columns go by their names, whatever the file is called."""
    rows = "score,itemID,type,login,system,source_lang,target_lang\n12.5,7,TGT,anna,S,ces,deu\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(rows.encode()) if name.endswith("gz") else rows.encode())
    release = released(path)
    assert (release.texts[0].source_language, release.texts[0].target_language) == ("cs", "de")
    (screen,) = release.judgments[0].screens()
    assert said(screen)[:5] == ("anna", "7", ("S",), "regular", (("S", "da", 12.5),))


def test_pairs_on_one_screen(tmp_path):
    """Appraise writes a row for each of two translations, and for each system of `a+b`."""
    rows = [
        f"anna,newstest2019.{system}.6808.en-de.txt,7,TGT,eng,deu,{score},10.5,20.25"
        for system, score in (("A", 40), ("B", 90))
    ]
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(rows) + "\n", "utf-8")
    (part,) = released(path).judgments
    (screen,) = part.screens()
    assert screen.outputs == ["A", "B"]
    assert screen.ratings == [("A", "da", 40), ("B", "da", 90)]
    assert not screen.copies
    assert screen.active_ms == 9_750


def test_scores_of_whole_documents(tmp_path):
    rows = [
        f"anna,S,{item},TGT,eng,deu,{score},d,{whole},10.{item},20.{item}"
        for item, score, whole in ((1, 40, False), (2, 60, False), (3, 80, True))
    ]
    path = tmp_path / "documents.csv"
    path.write_text("\n".join(rows) + "\n", "utf-8")
    release = released(path)
    segments, documents = release.judgments
    assert [screen.ratings[0][2] for screen in segments.screens()] == [40, 60]
    assert documents.options["unit"] == "whole document"
    (screen,) = documents.screens()
    keys = [segment.key for segment in release.texts[0].segments()]
    assert (screen.segment, screen.ratings) == (keys[0], [("S", "da", 80)])
    assert len(keys) == 2
