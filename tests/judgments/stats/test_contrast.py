"""The worth of direct contrast, against numpy's covariances and known variances."""

import math
from itertools import combinations

import numpy as np
import pytest

from judgments.stats.contrast import contrast_worth


def simulated(rng, *, n_documents=40, length=3, n_systems=6, shown=3, few_sd=1.0, all_sd=2.0):
    """Return scores in both ways: with standard deviation 1 of the text, and that of each way in
    addition."""
    n = n_documents * length
    text = rng.normal(0, 1, (n_systems, n)) + rng.normal(0, 1, (n_systems, 1))
    complete = text + rng.normal(0, all_sd, text.shape)
    few = text + rng.normal(0, few_sd, text.shape)
    for block in range(n_documents):
        hidden = rng.permutation(n_systems)[shown:]
        few[np.ix_(hidden, range(block * length, (block + 1) * length))] = np.nan
    return few, complete, np.repeat(np.arange(n_documents), length)


def test_of_one_pair_these_are_the_covariances():
    rng = np.random.default_rng(1)
    few, complete, documents = simulated(rng, n_systems=2, shown=2)
    found = contrast_worth(few, complete, documents, rng=rng)
    (a, shared), (_, b) = np.cov(few[0] - few[1], complete[0] - complete[1])
    assert (found.few, found.complete, found.shared) == pytest.approx((a, b, shared))
    assert found.ratio == pytest.approx(a / b)
    assert (found.n_segments, found.n_documents) == (120, 40)


def test_pairs_are_pooled_by_what_each_has_in_both_ways():
    rng = np.random.default_rng(2)
    few, complete, documents = simulated(rng)
    complete[0, :50] = np.nan
    found = contrast_worth(few, complete, documents, rng=rng)
    total, freedom = np.zeros((2, 2)), 0
    for a, b in combinations(range(6), 2):
        d = np.stack([few[a] - few[b], complete[a] - complete[b]])
        d = d[:, ~np.isnan(d).any(axis=0)]
        total += np.cov(d) * (d.shape[1] - 1)
        freedom += d.shape[1] - 1
    expected = total / freedom
    assert found.few == pytest.approx(expected[0, 0])
    assert found.complete == pytest.approx(expected[1, 1])
    assert found.shared == pytest.approx(expected[0, 1])


def test_known_variances_are_found_and_intervals_hold():
    """Differences vary by 2·(1 + 1) in one way and 2·(1 + 4) in the other: a ratio of .4."""
    rng = np.random.default_rng(3)
    found = [contrast_worth(*simulated(rng), rng=rng, replications=300) for _ in range(200)]
    assert np.mean([each.few for each in found]) == pytest.approx(4, rel=0.03)
    assert np.mean([each.complete for each in found]) == pytest.approx(10, rel=0.03)
    assert np.mean([each.shared for each in found]) == pytest.approx(2, rel=0.03)
    assert np.mean([each.low <= 0.4 <= each.high for each in found]) > 0.89


def test_where_nothing_can_be_said():
    rng = np.random.default_rng(4)
    few, complete, documents = simulated(rng)
    assert math.isnan(contrast_worth(few * np.nan, complete, documents, rng=rng).ratio)
    one = contrast_worth(few[:, :3], complete[:, :3], documents[:3], rng=rng)
    assert one.ratio > 0
    assert math.isnan(one.low)
    with pytest.raises(ValueError, match="a row for each system"):
        contrast_worth(few, complete[:, 1:], documents, rng=rng)
