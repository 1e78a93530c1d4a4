"""Alignment error rates, against worked examples and a set-based oracle."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.stats.alignment import (
    NO_LINKS,
    NO_SHARED,
    Links,
    alignment_error,
    alignment_error_rate,
    link_agreement,
)

COUNTED = np.array([[4, 3, 2, 3], [0, 0, 0, 0], [2, 2, 2, 2]])


def rng():
    return np.random.default_rng(1)


def test_a_worked_example():
    """A={11,22,34,44}, S={11,22,33}, P=S+34: AER 1 - (2 + 3) / (4 + 3) = .2857."""
    rates = alignment_error_rate(*COUNTED.T)
    assert rates[0] == pytest.approx(2 / 7)
    assert math.isnan(rates[1])
    assert rates[2] == 0


def test_byrne_slides():
    """AE of ten links each, nine in common: 2 / 20 = 10 %."""
    assert alignment_error(10, 10, 9) == pytest.approx(0.1)
    assert math.isnan(float(alignment_error(0, 0, 0)))


def agreement(judgments, **options):
    """Return the agreement of judgments: (text, annotator, {(i, j): sure}), …"""
    rows = [
        (k, i, j, sure)
        for k, (_, _, links) in enumerate(judgments)
        for (i, j), sure in links.items()
    ]
    columns = np.array(rows, dtype=int).reshape(-1, 4).T
    text, annotator = ([row[k] for row in judgments] for k in (0, 1))
    return link_agreement(text, annotator, Links(*columns), rng=rng(), **options)


ONE = {(0, 0): True, (1, 1): True, (2, 3): True, (3, 3): False}
OTHER = {(0, 0): True, (1, 1): True, (2, 2): True, (2, 3): False}


def test_two_people_by_hand():
    """P1∩P2 = {00, 11, 23}; P1∩S2 = {00, 11}, P2∩S1 = {00, 11, 23}; |P| = 4 + 4, |S| = 3 + 3: so
    1 - (5 + 6) / 14."""
    every, pairs = agreement([(0, 0, ONE), (0, 1, OTHER)])
    assert every.aer == pytest.approx(3 / 14)
    assert every.ae == pytest.approx(2 / 8)
    assert (every.n_texts, every.n_links, every.n_shared) == (1, 8, 3)
    assert [(pair.first, pair.second, pair.aer) for pair in pairs] == [(0, 1, every.aer)]
    assert math.isnan(every.low), "one text gives no interval"


def test_alike_is_none():
    every, _ = agreement([(t, a, ONE) for t in range(5) for a in range(3)])
    assert (every.aer, every.low, every.high, every.ae) == (0, 0, 0, 0)
    assert every.n_texts == 15
    assert every.n_units == 5


@pytest.mark.parametrize(
    ("judgments", "reason"),
    [
        ([], NO_SHARED),
        ([(0, 0, ONE)], NO_SHARED),
        ([(0, 0, ONE), (1, 1, ONE)], NO_SHARED),
        ([(0, 0, {}), (0, 1, {})], NO_LINKS),
    ],
)
def test_undefined(judgments, reason):
    every, _ = agreement(judgments)
    assert math.isnan(every.aer)
    assert math.isnan(every.low)
    assert every.reason == reason


def test_nothing_against_something_is_all_wrong():
    every, _ = agreement([(0, 0, {}), (0, 1, ONE)])
    assert every.aer == 1


LINKS = st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 3)), st.booleans(), max_size=6)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), LINKS), max_size=8))
def test_against_sets(drawn):
    judgments = list({(text, who): (text, who, links) for text, who, links in drawn}.values())
    numerator: dict = {}
    denominator: dict = {}
    for (t1, a1, l1), (t2, a2, l2) in itertools.combinations(sorted(judgments, key=str), 2):
        if t1 != t2 or a1 == a2:
            continue
        p1, p2 = set(l1), set(l2)
        s1, s2 = ({link for link in links if links[link]} for links in (l1, l2))
        for pair in (tuple(sorted((a1, a2))), (-1, -1)):
            hits = len(p1 & s2) + len(p1 & p2) + len(p2 & s1) + len(p2 & p1)
            numerator[pair] = numerator.get(pair, 0) + hits
            denominator[pair] = denominator.get(pair, 0) + len(p1) + len(s2) + len(p2) + len(s1)
    every, pairs = agreement(judgments, resamples=50)
    assert {(p.first, p.second) for p in pairs} == set(numerator) - {(-1, -1)}
    for found in (every, *pairs):
        pair = (found.first, found.second)
        if denominator.get(pair):
            assert found.aer == pytest.approx(1 - numerator[pair] / denominator[pair])
            assert math.isnan(found.low) or found.low <= found.high
        else:
            assert math.isnan(found.aer)


def test_documents_are_resampled_whole():
    texts = [(t, a, ONE if t % 2 else OTHER if a else ONE) for t in range(8) for a in range(2)]
    plain, _ = agreement(texts)
    whole, _ = agreement(texts, clusters=[t // 4 for t, _, _ in texts])
    assert (plain.n_units, whole.n_units) == (8, 2)
    assert plain.aer == whole.aer
    assert whole.low == whole.high == plain.aer, "both documents have the same rate"
    assert plain.low < plain.aer < plain.high
