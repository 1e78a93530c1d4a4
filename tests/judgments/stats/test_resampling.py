import math
import tracemalloc

import numpy as np
import pytest
from scipy import sparse, stats

from judgments.stats.resampling import (
    bootstrap_interval,
    bootstrap_sums_interval,
    percentile_bounds,
    resample_weights,
)


def _rng(seed: int = 7) -> np.random.Generator:
    return np.random.default_rng(seed)


def _mean(sums):
    return sums[..., 1] / sums[..., 0]


def _units(values):
    return np.column_stack([np.ones(len(values)), values])


def test_weights_are_resamples_with_replacement():
    blocks = list(resample_weights(_rng(), 40, 3000, width=50_000))
    assert len(blocks) > 1  # the width makes several blocks of them
    weights = np.concatenate(blocks)
    assert weights.shape == (3000, 40)
    assert (weights.sum(axis=1) == 40).all()
    # A unit's weight is binomial(n, 1/n): mean 1, variance 1 - 1/n.
    assert weights.mean() == 1
    assert weights.var() == pytest.approx(1 - 1 / 40, abs=0.02)


def test_bounds_drop_25_of_1000_on_each_side():
    values = _rng().permutation(np.arange(1000.0))
    assert percentile_bounds(values, 0.95) == (25, 974)
    assert percentile_bounds(np.append(values, [np.nan] * 9), 0.95) == (25, 974)
    low, high = percentile_bounds(np.column_stack([values, values * np.nan]), 0.9)
    assert (low[0], high[0]) == (50, 949)
    assert np.isnan([low[1], high[1]]).all()


@pytest.mark.parametrize("distinct", [3, 1_000_000])
def test_interval_of_a_mean_against_scipy(distinct):
    """With few distinct rows and with many, which are drawn in two ways."""
    values = _rng(1).integers(0, distinct, 400) / distinct
    ours = bootstrap_sums_interval(_mean, _units(values), rng=_rng(2), resamples=20_000)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=_rng(3)
    ).confidence_interval
    assert ours.low == pytest.approx(theirs.low, abs=0.003)
    assert ours.high == pytest.approx(theirs.high, abs=0.003)
    assert (ours.n_units, ours.resamples, ours.n_undefined) == (400, 20_000, 0)


def test_sparse_dense_and_weights_agree():
    values = _rng(1).normal(size=300)
    table = _units(values)
    dense = bootstrap_sums_interval(_mean, table, rng=_rng(), resamples=5000)
    thin = bootstrap_sums_interval(_mean, sparse.csr_array(table), rng=_rng(), resamples=5000)
    weighted = bootstrap_interval(lambda w: w @ values / 300, 300, rng=_rng(), resamples=5000)
    for other in (thin, weighted):
        assert other.low == pytest.approx(dense.low, abs=0.02)
        assert other.high == pytest.approx(dense.high, abs=0.02)
    assert thin.low == pytest.approx(weighted.low, abs=1e-12)  # exactly the same draws


def test_same_seed_same_digits_whatever_the_order_of_units():
    values = _rng(1).normal(size=200)
    first = bootstrap_sums_interval(_mean, _units(values), rng=_rng())
    shuffled = bootstrap_sums_interval(_mean, _units(_rng(5).permutation(values)), rng=_rng())
    assert first == shuffled
    assert first != bootstrap_sums_interval(_mean, _units(values), rng=_rng(8))


def test_clusters_are_drawn_whole():
    """Ten identical rows per cluster: as wide as ten times fewer units, √10 times wider."""
    values = np.repeat(_rng(1).normal(size=60), 10)
    cluster = np.repeat(np.arange(60), 10)
    alone = bootstrap_sums_interval(_mean, _units(values), rng=_rng(), resamples=4000)
    clustered = bootstrap_sums_interval(
        _mean, _units(values), rng=_rng(), resamples=4000, clusters=cluster
    )
    weighted = bootstrap_interval(
        lambda w: w @ values / 600, 600, rng=_rng(), resamples=4000, clusters=cluster
    )
    assert clustered.n_units == weighted.n_units == 60
    ratio = (clustered.high - clustered.low) / (alone.high - alone.low)
    assert ratio == pytest.approx(math.sqrt(10), rel=0.1)
    assert weighted.low == pytest.approx(clustered.low, abs=0.05)


def test_undefined_resamples_are_counted_and_left_out():
    def ratio(sums):
        return np.where(sums[..., 0] > 0, 1.0, np.nan)

    some = bootstrap_sums_interval(ratio, np.array([[1.0], [0.0]]), rng=_rng())
    assert 150 < some.n_undefined < 350  # a quarter of the resamples draw only the second
    assert (some.low, some.high, some.reason) == (1, 1, "")
    none = bootstrap_sums_interval(ratio, np.zeros((5, 1)), rng=_rng())
    assert math.isnan(none.low)
    assert "undefined in every resample" in none.reason


@pytest.mark.parametrize("n", [0, 1])
def test_too_few_units(n):
    for interval in (
        bootstrap_sums_interval(_mean, _units(np.ones(n)), rng=_rng()),
        bootstrap_interval(lambda w: w.sum(axis=1), n, rng=_rng()),
    ):
        assert math.isnan(interval.low)
        assert math.isnan(interval.high)
        assert "at least two units" in interval.reason


def test_vector_statistic():
    values = _rng(1).normal(size=(100, 3)) + np.array([0, 10, 20])
    interval = bootstrap_sums_interval(lambda sums: sums / 100, values, rng=_rng())
    assert np.shape(interval.low) == (3,)
    assert (interval.low < values.mean(axis=0)).all()
    assert (values.mean(axis=0) < interval.high).all()


@pytest.mark.parametrize("options", [{"level": 1.0}, {"resamples": 0}, {"clusters": np.arange(3)}])
def test_bad_options(options):
    with pytest.raises(ValueError):
        bootstrap_sums_interval(_mean, _units(np.arange(4.0)), rng=_rng(), **options)


def test_memory_is_bounded_for_50_000_items():
    values = _rng(1).normal(size=50_000)
    tracemalloc.start()
    try:
        bootstrap_sums_interval(_mean, _units(values), rng=_rng(), resamples=200)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 200e6  # all weights at once would take 80 MB for each intermediate form
