"""All pairs of metrics at once, against SciPy's coefficients of one pair after the other."""

import time

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import kendalltau, pearsonr

from metrics.stats.groups import grouped
from metrics.stats.metric_pairs import every_pair, kendall_pairs, pearson_by_item


def scores(shape, seed=5, missing=0.1):
    """Return scores with ties and gaps."""
    rng = np.random.default_rng(seed)
    found = rng.normal(size=shape).round(1) + 40
    found[rng.random(shape) < missing] = np.nan
    return found


def test_tau_of_systems_is_scipys():
    systems = scores((6, 9))
    tau, n = kendall_pairs(systems)
    for a in range(6):
        for b in range(6):
            there = ~np.isnan(systems[[a, b]]).any(axis=0)
            assert n[a, b] == there.sum()
            expected = kendalltau(systems[a, there], systems[b, there]).statistic
            assert tau[a, b] == pytest.approx(expected)


def test_r_of_segments_is_the_mean_of_scipys():
    segments = scores((4, 6, 300))  # more than are processed at once
    r, n = pearson_by_item(segments)
    for a, b in ((0, 1), (2, 3), (3, 0)):
        values = []
        for k in range(300):
            x, y = segments[a, :, k], segments[b, :, k]
            there = ~(np.isnan(x) | np.isnan(y))
            if there.sum() >= 3 and np.ptp(x[there]) and np.ptp(y[there]):
                values.append(pearsonr(x[there], y[there]).statistic)
        assert n[a, b] == len(values)
        assert r[a, b] == pytest.approx(np.mean(values))


def test_it_is_the_figure_of_one_pair():
    """The figure on the page of two metrics is from metrics.stats.groups."""
    segments = scores((3, 5, 40), seed=8)
    found = grouped(segments[0], segments[1:], coefficient="pearson")
    r, n = pearson_by_item(segments)
    assert_allclose(r[0, 1:], found.estimates)
    assert_array_equal(n[0, 1:], found.n_groups)


def test_too_few_systems_and_what_does_not_vary_have_no_figure():
    systems = np.array([[1.0, 2.0, np.nan], [1.0, 2.0, 3.0], [5.0, 5.0, 5.0]])
    segments = np.repeat(systems[..., None], 2, axis=2)
    found = every_pair(systems, segments)
    for each in (found.tau, found.r):
        assert np.isnan(each[0]).all() and np.isnan(each[:, 2]).all()
        assert each[1, 1] == 1
    assert found.n_systems[0, 1] == 2
    assert found.n_segments[0, 1] == 0


def test_scores_of_any_size_keep_their_digits():
    segments = scores((2, 6, 10), missing=0)
    expected, _ = pearson_by_item(segments)
    for moved in (segments * 1e-12, segments * 1e12, segments * 1e-3 + 1e6):
        assert_allclose(pearson_by_item(moved)[0], expected, rtol=1e-5)


def test_seventy_one_metrics_take_seconds():
    """As many as at WMT25, with 20 systems and 2,000 segments: 2 s on one core, where SciPy takes
    minutes."""
    segments = scores((71, 20, 2000), missing=0.01)
    start = time.process_time()
    every_pair(np.nanmean(segments, axis=2), segments)
    assert time.process_time() - start < 20
