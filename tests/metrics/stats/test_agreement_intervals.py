"""Intervals of agreement over systems and segments, against SciPy and statsmodels."""

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from metrics.stats.agreement_intervals import (
    TOO_FEW,
    jackknife_interval,
    leave_out,
    pearson_interval,
    rank_interval,
    share_interval,
)


@pytest.mark.parametrize(("r", "n"), [(0.942, 12), (-0.3, 5), (0.0, 40)])
def test_fishers_z_with_students_t(r, n):
    """With the normal quantile instead it is SciPy's interval."""
    found = pearson_interval(r, n)
    x = np.random.default_rng(n).normal(size=(2, n))
    x -= x.mean(axis=1, keepdims=True)
    x[1] -= x[0] * (x[0] @ x[1]) / (x[0] @ x[0])
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    fisher = stats.pearsonr(x[0], r * x[0] + math.sqrt(1 - r * r) * x[1]).confidence_interval(0.95)
    wider = stats.t.ppf(0.975, n - 2) / stats.norm.ppf(0.975)
    for end, theirs in ((found.low, fisher.low), (found.high, fisher.high)):
        half = (np.arctanh(theirs) - np.arctanh(r)) * wider
        assert end == pytest.approx(np.tanh(np.arctanh(r) + half), abs=1e-9)


@pytest.mark.parametrize(("n_correct", "n"), [(11, 12), (5, 6), (3, 4), (2, 9)])
def test_a_share_has_wilsons_interval_of_one_pair_less_than_systems(n_correct, n):
    share = n_correct / n
    low, high = proportion_confint(share * (n - 1), n - 1, method="wilson")
    found = share_interval(share, n)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)
    tau = rank_interval(2 * share - 1, n)
    assert (tau.low, tau.high) == pytest.approx((2 * low - 1, 2 * high - 1), abs=1e-9)
    half = share_interval(share, n, counted=0.5)
    low, high = proportion_confint(share * (n - 1) / 2, (n - 1) / 2, method="wilson")
    assert (half.low, half.high) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize("name", ["pearson", "kendall", "spearman"])
@pytest.mark.parametrize("n", [4, 5, 12])
@pytest.mark.parametrize("r", [0.992, 0.6, -0.85, 0.02])
def test_p_and_interval_come_from_one_rule(name, n, r):
    """At the level 1 − p the interval ends at 0. Four systems with r = .992 have p = .11, and not
    the .008 of the t test of r, next to an interval from −.92 to 1."""

    def rule(level):
        if name == "pearson":
            return pearson_interval(r, n, level)
        return rank_interval(r, n, name, level)

    p_value = rule(0.95).p_value
    assert (p_value < 0.05) == (rule(0.95).low > 0 or rule(0.95).high < 0)
    at_zero = rule(1 - p_value)
    assert min(abs(at_zero.low), abs(at_zero.high)) == pytest.approx(0, abs=1e-6)


def test_p_of_four_systems():
    """2 P(T < −atanh r) with two degrees of freedom, by SciPy."""
    assert pearson_interval(0.992, 4).p_value == pytest.approx(2 * stats.t.sf(np.arctanh(0.992), 2))
    assert pearson_interval(0.992, 4).p_value > 0.1


def test_all_pairs_right_still_leaves_room():
    found = share_interval(1.0, 6)
    assert found.low < 0.6 and found.high == 1


@pytest.mark.parametrize("rule", [pearson_interval, share_interval, rank_interval])
def test_three_systems_are_too_few_and_nothing_has_no_interval(rule):
    assert rule(0.9, 3).reason == TOO_FEW and math.isnan(rule(0.9, 3).low)
    assert math.isnan(rule(math.nan, 12).low)


def test_the_jackknife_of_a_mean_is_its_standard_error():
    values = np.random.default_rng(2).normal(0.5, 0.01, size=9)
    without = (values.sum() - values) / 8
    found = jackknife_interval(values.mean(), without, np.full(5, 0.5), is_correlation=False)
    expected = stats.t.interval(0.95, 8, loc=values.mean(), scale=stats.sem(values))
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-12)


def test_a_figure_that_needs_every_system_has_no_interval():
    found = jackknife_interval(
        0.5, np.array([0.5, math.nan, 0.4, 0.5]), np.ones(3), is_correlation=False
    )
    assert math.isnan(found.low) and found.reason


def test_blocks_leave_out_each_unit_once():
    weights = leave_out(47, 20)
    assert weights.shape == (20, 47)
    assert ((1 - weights).sum(axis=0) == 1).all()
    assert leave_out(0, 20).shape == (1, 0)
