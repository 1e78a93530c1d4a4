"""Marks in degraded copies: generated texts, and plain Python as the oracle."""

from itertools import takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judgments.stats.degraded_spans import (
    damaged_interval,
    finds_damage,
    overlaps,
    span_controls,
)

texts = st.text("ab ", max_size=12)


def common(one, other):
    """Return the length of the common prefix of two texts."""
    return sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(one, other, strict=False)))


@given(texts, texts)
@settings(max_examples=150, deadline=None)
def test_the_damage_lies_between_what_both_share(original, degraded):
    start, end = damaged_interval(original, degraded)
    assert start == common(original, degraded)
    tail = len(degraded) - end
    kept = min(len(original), len(degraded)) - start
    assert tail == min(common(original[::-1], degraded[::-1]), kept)
    assert original[:start] + degraded[start:end] + original[len(original) - tail :] == degraded


@pytest.mark.parametrize(
    ("degraded", "interval"),
    [
        ("The boat sails at noon.", (4, 8)),  # replaced
        ("The sails at noon.", (4, 4)),  # deleted: "ferry "
        ("The red ferry sails at noon.", (4, 8)),  # added
        ("The ferry sails at noon.", (24, 24)),  # nothing
        ("", (0, 0)),
    ],
)
def test_damages(degraded, interval):
    assert damaged_interval("The ferry sails at noon.", degraded) == interval


def test_code_points_beyond_the_basic_plane_count_once():
    assert damaged_interval("🦀 läuft", "🦀 sitzt") == (2, 6)


def test_overlap_needs_a_common_character():
    assert overlaps((0, 5), (4, 8))
    assert not overlaps((0, 4), (4, 8))
    assert not overlaps((8, 9), (4, 8))
    assert overlaps((0, 4), (4, 4))  # text was deleted there: touching is enough
    assert not overlaps((0, 3), (4, 4))


def test_finding_the_damage():
    pair = ("The ferry sails.", "The boat sails.")
    assert finds_damage(*pair, [(0, 1), (5, 7)])
    assert not finds_damage(*pair, [(9, 14)])
    assert not finds_damage(*pair, [])
    assert not finds_damage("same", "same", [(0, 4)])


def test_marks_are_to_grow_and_scores_to_fall():
    found = span_controls(
        [90, 80, 85, 70, 95, 88],
        [60, 70, 50, 65, 70, 60],
        [0, 1, 0, 2, 0, 1],
        [2, 2, 3, 3, 1, 3],
        [True, True, False, True, True, True],
    )
    assert (found.score.verdict, found.marks.verdict) == ("pass", "pass")
    assert found.marks.mean_drop == pytest.approx(-10 / 6 * -1)
    assert (found.n, found.n_found, found.share_found) == (6, 5, 5 / 6)
    careless = span_controls([9] * 6, [9] * 6, [1] * 6, [1] * 6, [False] * 6)
    assert (careless.score.verdict, careless.marks.verdict) == ("fail", "fail")
