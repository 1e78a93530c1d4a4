"""Kinds of items in words."""

import pytest

from judgments.models import Kind
from judgments.plans.composition import LeftOut
from judgments.plans.kinds import WORDS, kind_counts, kind_words


def test_every_kind_has_words():
    assert set(WORDS) == set(Kind)


@pytest.mark.parametrize(
    ("kind", "n", "words"),
    [
        ("degraded", 1, "degraded copy"),
        ("degraded", 0, "degraded copies"),
        ("repeat", 2, "repeats"),
    ],
)
def test_one_or_several(kind, n, words):
    assert kind_words(kind, n) == words


def test_screens_with_a_control_among_others_are_counted_apart():
    found = kind_counts({"repeat": 1, "regular": 240}, {"check": 1, "degraded": 12})
    assert list(found) == [
        (240, "regular items"),
        (1, "repeat"),
        (12, "of these with a degraded copy among the outputs"),
        (1, "of these with an attention check among the outputs"),
    ]


def test_what_is_left_out_is_said_in_words():
    assert str(LeftOut(1, "segments", "they were not drawn")) == "1 segment: they were not drawn"
    assert str(LeftOut(1200, "outputs", "no room")) == "1,200 outputs: no room"
    assert str(LeftOut(1, "degraded copy", "no room")) == "1 degraded copy: no room"
