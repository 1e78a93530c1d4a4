"""The mean correlation of two annotators, against scipy on each pair."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from judgments.stats import pair_correlations
from judgments.stats.agreement import mean_correlation
from judgments.stats.coefficients import matrix_to_long

N = np.nan
matrices = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 4), st.integers(1, 10)),
    elements=st.sampled_from([1.0, 2.0, 3.0, 50.0, N]),
)


def _of_two(measure, x, y):
    if len(x) < 2 or len(set(x)) < 2 or len(set(y)) < 2:
        return math.nan
    if measure == "pearson":
        return stats.pearsonr(x, y).statistic
    return stats.kendalltau(x, y, variant="c").statistic


@pytest.mark.parametrize("measure", ["pearson", "kendall-c"])
@given(matrix=matrices)
@settings(max_examples=60, deadline=None)
def test_mean_of_scipys(measure, matrix):
    both = [~np.isnan(x) & ~np.isnan(y) for x, y in itertools.combinations(matrix, 2)]
    found = [
        _of_two(measure, x[shared], y[shared])
        for (x, y), shared in zip(itertools.combinations(matrix, 2), both, strict=True)
    ]
    found = [value for value in found if not math.isnan(value)]
    result = mean_correlation(*matrix_to_long(matrix), measure=measure)
    if found:
        assert result.estimate == pytest.approx(np.mean(found), abs=1e-9)
        assert result.n_pairs == sum(shared.sum() for shared in both if shared.sum() > 1)
    else:
        assert math.isnan(result.estimate)
        assert result.reason


@pytest.mark.parametrize("measure", ["pearson", "kendall-c"])
def test_a_resample_is_a_sample(measure):
    """Weights of a resample yield the same as repeated rows."""
    rng = np.random.default_rng(4)
    x = rng.integers(0, 6, 30).astype(float)
    y = np.clip(x + rng.integers(-2, 3, 30), 0, 5)
    weights = rng.integers(0, 3, (4, 30)).astype(float)
    pair = pair_correlations._Pair((0, 1), np.arange(30), x, y)
    statistic = {"pearson": pair_correlations._pearson, "kendall-c": pair_correlations._tau_c}
    for found, row in zip(statistic[measure](pair, weights), weights.astype(int), strict=True):
        expected = _of_two(measure, np.repeat(x, row), np.repeat(y, row))
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("measure", ["pearson", "kendall-c"])
def test_intervals(measure, monkeypatch):
    rng = np.random.default_rng(5)
    quality = rng.integers(0, 101, 200)
    matrix = np.clip(quality + rng.integers(-30, 31, (3, 200)), 0, 100).astype(float)
    columns = matrix_to_long(matrix)
    by_item = mean_correlation(*columns, measure=measure, rng=rng, resamples=200)
    assert by_item.low < by_item.estimate < by_item.high
    assert (by_item.n_items, by_item.n_annotators, by_item.n_units) == (200, 3, 200)
    documents = columns[0] // 10
    by_document = mean_correlation(
        *columns, measure=measure, rng=rng, resamples=200, clusters=documents
    )
    assert (by_document.estimate, by_document.n_units) == (by_item.estimate, 20)
    monkeypatch.setattr(pair_correlations, "MAX_COST", 1000)
    costly = mean_correlation(*columns, measure=measure, rng=rng)
    assert costly.estimate == by_item.estimate
    assert math.isnan(costly.low)
    assert "too many" in costly.interval_reason


def test_rejects():
    with pytest.raises(ValueError, match="measure is one of"):
        mean_correlation([1], [1], [1], measure="spearman")
    with pytest.raises(ValueError, match="rated an item twice"):
        mean_correlation([1, 1], [1, 1], [1, 2])
