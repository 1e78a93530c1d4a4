"""Crossings of alignment links, against counting every pair of links by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy.stats import kendalltau

from judgments.stats import crossings as module
from judgments.stats.crossings import crossings

PLACES = st.integers(0, 12)
LINKS = st.lists(st.tuples(st.integers(0, 4), PLACES, PLACES), max_size=60, unique=True)


def counted(links, n):
    """Return the definition, pair by pair."""
    crossing, pairs = [0] * n, [0] * n
    for k, i, j in links:
        for other, i2, j2 in links:
            if k == other and i < i2 and j != j2:
                pairs[k] += 1
                crossing[k] += j > j2
    return crossing, pairs


def columns(links):
    return np.array(links, np.int64).reshape(-1, 3).T


@given(LINKS)
def test_every_pair_of_links_is_counted(links):
    found = crossings(*columns(links), 5)
    crossing, pairs = counted(links, 5)
    assert_array_equal(found.n_crossing, crossing)
    assert_array_equal(found.n_pairs, pairs)


@settings(max_examples=30)
@given(LINKS)
def test_long_texts_are_sorted_and_give_the_same(links):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LONGEST_DENSE", 1)
        found = crossings(*columns(links), 5)
    assert_array_equal(found.n_crossing, counted(links, 5)[0])
    assert_array_equal(found.n_pairs, counted(links, 5)[1])


def test_an_order_turned_around_crosses_everywhere():
    """0-2 1-1 2-0 and, for the same words in order, 0-0 1-1 2-2."""
    found = crossings([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [2, 1, 0, 0, 1, 2], 3)
    assert_array_equal(found.shares, [1.0, 0.0, np.nan])


def test_links_that_share_a_word_make_no_pair():
    """Among 0-0 0-1 1-0 only 0-1 and 1-0 have no word in common; they cross."""
    found = crossings([0, 0, 0], [0, 0, 1], [0, 1, 0], 1)
    assert (found.n_crossing[0], found.n_pairs[0]) == (1, 1)
    assert np.isnan(crossings([0, 0], [0, 0], [0, 1], 1).shares[0])


def test_of_one_to_one_links_it_is_kendalls_distance():
    """SciPy's tau of permutations: τ = 1 − 2 · share (Birch, Osborne and Blunsom 2010)."""
    rng = np.random.default_rng(3)
    for n in (2, 9, 400):
        order = rng.permutation(n)
        share = crossings(np.zeros(n, int), np.arange(n), order, 1).shares[0]
        assert share == pytest.approx((1 - kendalltau(np.arange(n), order).statistic) / 2)


def test_what_is_no_link_is_refused():
    with pytest.raises(ValueError, match="one length"):
        crossings([0, 0], [1], [1], 1)
    with pytest.raises(ValueError, match="one of 2 texts"):
        crossings([2], [0], [0], 2)
    assert_array_equal(crossings([], [], [], 2).n_pairs, [0, 0])
