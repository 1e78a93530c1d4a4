"""Kappa with uniform chance, against the tables of WMT07 and by listing all pairs."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from statsmodels.stats import inter_rater

from judgments.stats.agreement import (
    uniform_kappa,
)
from judgments.stats.coefficients import matrix_to_long

N = np.nan
# Fleiss (1971) as in textbooks: 10 subjects, 14 raters, 5 categories.
FLEISS = np.array(
    [[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
     [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]]
)  # fmt: skip
ratings_matrices = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(0, 12)),
    elements=st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0, N]),
)


def _long(counts):
    """Return item, annotator and value from counts (items, categories)."""
    item: list[int] = []
    annotator: list[int] = []
    value: list[int] = []
    for i, row in enumerate(counts):
        values = np.repeat(np.arange(len(row)), row)
        item += [i] * len(values)
        annotator += range(len(values))
        value += values.tolist()
    return np.array(item), np.array(annotator), np.array(value)


@pytest.mark.parametrize(
    ("agreeing", "k", "kappa"),
    [
        # Callison-Burch et al. (2007), tables of agreement: p(A) in thousandths, chance, kappa.
        (400, 5, 0.250),  # fluency
        (380, 5, 0.225),  # adequacy; printed .226, from p(A) before rounding
        (582, 3, 0.373),  # sentence ranking
        (693, 3, 0.540),  # constituent ranking
    ],
)
def test_wmt07_table(agreeing, k, kappa):
    first = np.zeros(1000)
    second = (np.arange(1000) >= agreeing).astype(float)
    item = np.tile(np.arange(1000), 2)
    annotator = np.repeat(["a", "b"], 1000)
    result = uniform_kappa(item, annotator, np.concatenate([first, second]), k=k)
    assert (result.p_observed, result.p_expected) == (agreeing / 1000, 1 / k)
    assert result.estimate == pytest.approx(kappa, abs=5.1e-4)
    assert (result.n_items, result.n_annotators, result.n_pairs) == (1000, 2, 1000)


@pytest.mark.parametrize(
    ("agreeing", "k", "kappa"),
    [(630, 5, 0.537), (574, 5, 0.468), (749, 3, 0.623), (825, 3, 0.738)],
)
def test_wmt07_intra_annotator_table(agreeing, k, kappa):
    """One annotator, each item twice; the published kappas are within .001."""
    value = np.concatenate([np.zeros(1000), np.arange(1000) >= agreeing])
    item, annotator = np.tile(np.arange(1000), 2), np.zeros(2000)
    result = uniform_kappa(item, annotator, value, k=k, which="own")
    assert result.estimate == pytest.approx(kappa, abs=1.1e-3)
    assert (result.n_items, result.n_annotators, result.n_pairs) == (1000, 1, 1000)
    nothing = uniform_kappa(item, annotator, value, k=k)
    assert math.isnan(nothing.estimate)
    assert nothing.reason == "no item was rated by two annotators"


def test_uniform_kappa_of_many_raters_is_randolphs():
    """.222527 for the example of Fleiss, as in statsmodels."""
    result = uniform_kappa(*_long(FLEISS), k=5)
    assert result.estimate == pytest.approx(0.222527, abs=5e-7)
    oracle = inter_rater.fleiss_kappa(FLEISS, method="randolph")
    assert result.estimate == pytest.approx(oracle, abs=1e-12)
    assert (result.n_items, result.n_annotators, result.n_pairs) == (10, 14, 910)


def test_cross_and_own_pairs_are_told_apart():
    # Annotator a rated item 1 twice (1, 2), b once (1): cross pairs (1,1), (2,1); own pair (1,2).
    arrays = np.array([1, 1, 1]), np.array(["a", "a", "b"]), np.array([1, 2, 1])
    cross, own, both = (uniform_kappa(*arrays, k=5, which=w) for w in ("cross", "own", "all"))
    assert (cross.n_agreeing, cross.n_pairs, cross.n_annotators) == (1, 2, 2)
    assert (own.n_agreeing, own.n_pairs, own.n_annotators) == (0, 1, 1)
    assert (both.n_agreeing, both.n_pairs, both.n_annotators) == (1, 3, 2)
    # c has only own pairs, a and b only cross pairs: three annotators together.
    apart = [1, 1, 2, 2], ["a", "b", "c", "c"], [1, 1, 2, 2]
    assert uniform_kappa(*apart, k=5, which="all").n_annotators == 3


@given(ratings_matrices)
@settings(max_examples=60, deadline=None)
def test_uniform_kappa_by_listing_all_pairs(matrix):
    item, annotator, value = matrix_to_long(matrix)
    equal = [
        value[i] == value[j]
        for i in range(len(item))
        for j in range(i)
        if item[i] == item[j] and annotator[i] != annotator[j]
    ]
    result = uniform_kappa(item, annotator, value, k=5)
    if not equal:
        assert math.isnan(result.estimate)
        assert result.reason
    else:
        assert (result.n_agreeing, result.n_pairs) == (sum(equal), len(equal))
        assert result.estimate == pytest.approx((np.mean(equal) - 0.2) / 0.8, abs=1e-12)


def test_uniform_kappa_rejects():
    one = np.array([1, 1]), np.array([1, 2])
    with pytest.raises(ValueError, match="at least two categories"):
        uniform_kappa(*one, np.array([1, 1]), k=1)
    with pytest.raises(ValueError, match="3 different values on a scale of k=2"):
        uniform_kappa(np.array([1, 1, 1]), np.arange(3), np.array([1, 2, 3]), k=2)
    with pytest.raises(ValueError, match="equally long"):
        uniform_kappa(*one, np.array([1]), k=2)
    with pytest.raises(ValueError, match="cross"):
        uniform_kappa(*one, np.array([1, 1]), k=2, which="inter")
