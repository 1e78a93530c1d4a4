import itertools
import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from judgments.stats.significance import (
    benjamini_hochberg,
    holm,
    mann_whitney,
    mean_interval,
    sign_test,
    wilcoxon_signed_rank,
    wilson_interval,
)

N = np.nan


def test_30_of_100():
    """The usual slide uses s² as s; s is .4606, so ± .0914."""
    values = np.repeat([1.0, 0.0], [30, 70])
    result = mean_interval(values)
    assert result.sd**2 == pytest.approx(0.212121, abs=5e-7)
    assert result.sd == pytest.approx(0.460566, abs=5e-7)
    assert (result.low, result.high) == pytest.approx((0.208614, 0.391386), abs=5e-7)
    wilson = wilson_interval(30, 100)
    assert (wilson.low, wilson.high) == pytest.approx((0.218949, 0.395849), abs=5e-7)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30), st.sampled_from([0.8, 0.95]))
@settings(max_examples=60, deadline=None)
def test_mean_interval_against_statsmodels(values, level):
    result = mean_interval(values, level=level)
    low, high = DescrStatsW(values).tconfint_mean(alpha=1 - level)
    assert (result.low, result.high) == pytest.approx((low, high), abs=1e-6)


@given(st.integers(1, 300), st.data())
@settings(max_examples=60, deadline=None)
def test_wilson_against_statsmodels(n, data):
    successes = data.draw(st.integers(0, n))
    result = wilson_interval(successes, n)
    oracle = proportion_confint(successes, n, method="wilson")
    assert (result.low, result.high) == pytest.approx(oracle, abs=1e-12)


def test_means_without_values():
    assert mean_interval([]).reason == "there are no values"
    assert math.isnan(mean_interval([N, N]).estimate)
    one = mean_interval([4, N])
    assert (one.estimate, one.n) == (4, 1)
    assert math.isnan(one.low)
    assert one.reason
    assert wilson_interval(0, 0).reason == "there are no values"
    with pytest.raises(ValueError):
        wilson_interval(5, 4)


@pytest.mark.parametrize(
    ("n", "smallest"),
    [(5, (None, None, 5)), (10, (10, 9, 9)), (20, (17, 15, 15)), (50, (35, 33, 32)),
     (100, (64, 61, 59))],
)  # fmt: skip
def test_sign_test_table(n, smallest):
    """The smallest k of n with two-sided p ≤ .01, .05, .10 in the usual table."""
    for alpha, expected in zip((0.01, 0.05, 0.10), smallest, strict=True):
        enough = [k for k in range(n // 2, n + 1) if sign_test(k, n - k).p_value <= alpha]
        assert min(enough, default=None) == expected


def test_sign_test_of_60_in_100():
    assert sign_test(60, 40).p_value == pytest.approx(0.05688793, abs=5e-9)
    assert sign_test(60, 40, alternative="greater").p_value == pytest.approx(0.02844397, abs=5e-9)
    assert sign_test(40, 60, alternative="less").p_value == pytest.approx(0.02844397, abs=5e-9)
    result = sign_test(60, 40, ties=7)
    assert (result.n, result.n_dropped, result.estimate) == (100, 7, 0.6)


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from(["two-sided", "greater", "less"]))
@settings(max_examples=80, deadline=None)
def test_sign_test_against_scipy(wins, losses, alternative):
    result = sign_test(wins, losses, alternative=alternative)
    if wins + losses == 0:
        assert math.isnan(result.p_value)
        assert result.reason
    else:
        oracle = stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
        assert result.p_value == pytest.approx(oracle, abs=1e-12)


# R's documentation of wilcox.test: depression scores before and after (Hollander and Wolfe 1973).
BEFORE = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
# R's airquality: ozone in May and in August.
MAY = [41, 36, 12, 18, N, 28, 23, 19, 8, N, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32,
       N, N, N, 23, 45, 115, 37]  # fmt: skip
AUGUST = [39, 9, 16, 78, 35, 66, 122, 89, 110, N, N, 44, 28, 65, N, 22, 59, 23, 31, 44, 21, 9, N,
          45, 168, 73, N, 76, 118, 84, 85]  # fmt: skip


def test_signed_rank_as_in_r():
    result = wilcoxon_signed_rank(BEFORE, AFTER, alternative="greater")
    assert result.statistic == 40
    assert result.p_value == pytest.approx(0.01953, abs=5e-6)
    assert result.test == "signed-rank (exact)"


def test_mann_whitney_as_in_r():
    """wilcox.test(Ozone ~ Month, subset = Month %in% c(5, 8), exact = FALSE)."""
    result = mann_whitney(MAY, AUGUST, alternative="two-sided")
    assert result.statistic == 127.5
    assert result.p_value == pytest.approx(0.0001208, abs=5e-8)
    assert result.n == 52


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)
def test_signed_rank_by_listing_all_signs(differences):
    """Exact if sizes do not tie; otherwise the normal approximation is close."""
    result = wilcoxon_signed_rank(differences, alternative="greater")
    kept = np.array([d for d in differences if d != 0])
    assert result.n == len(kept)
    assert result.n_dropped == len(differences) - len(kept)
    if not len(kept):
        assert math.isnan(result.p_value)
        assert result.reason == "every difference is 0"
        return
    ranks = stats.rankdata(np.abs(kept))
    observed = ranks[kept > 0].sum()
    assert result.statistic == observed
    sums = [np.dot(signs, ranks) for signs in itertools.product([0, 1], repeat=len(kept))]
    exact = np.mean(np.array(sums) >= observed - 1e-9)
    tolerance = 1e-12 if "exact" in result.test else 0.2
    assert result.p_value == pytest.approx(exact, abs=tolerance)


def _normal_p(x, y):
    """Hollander and Wolfe: rank sums with tie correction and continuity correction."""
    n, m = len(x), len(y)
    ranks = stats.rankdata(np.concatenate([x, y]))
    u = ranks[:n].sum() - n * (n + 1) / 2
    _, ties = np.unique(ranks, return_counts=True)
    variance = n * m / 12 * (n + m + 1 - (ties**3 - ties).sum() / ((n + m) * (n + m - 1)))
    return stats.norm.sf((u - n * m / 2 - 0.5) / math.sqrt(variance))


samples = st.lists(st.integers(0, 6), min_size=1, max_size=12)


@given(samples, samples)
@settings(max_examples=80, deadline=None)
def test_mann_whitney_against_the_formula(x, y):
    result = mann_whitney(x, y)
    if len(set(x) | set(y)) == 1:
        assert math.isnan(result.p_value)
        assert result.reason == "all values are the same"
        return
    assert result.p_value == pytest.approx(_normal_p(x, y), abs=1e-12)
    wins = np.mean([(a > b) + 0.5 * (a == b) for a in x for b in y])
    assert result.estimate == pytest.approx(wins)


def test_tests_without_data():
    assert mann_whitney([], [1]).reason == "a sample is empty"
    assert mann_whitney([N], [1]).reason == "a sample is empty"
    assert wilcoxon_signed_rank([]).reason == "there are no pairs"
    assert wilcoxon_signed_rank([1, N], [N, 1]).reason == "there are no pairs"
    with pytest.raises(ValueError, match="alternative"):
        mann_whitney([1], [2], alternative="larger")


def test_large_samples_use_the_normal_approximation():
    rng = np.random.default_rng(1)
    difference = rng.normal(0.1, 1, 200)
    result = wilcoxon_signed_rank(difference)
    oracle = stats.wilcoxon(difference, correction=True, method="asymptotic").pvalue
    assert result.p_value == pytest.approx(oracle)
    assert result.test == "signed-rank (normal approximation)"


@given(st.lists(st.one_of(st.floats(0, 1), st.just(N)), max_size=12))
@settings(max_examples=80, deadline=None)
def test_holm_against_statsmodels(p_values):
    p_values = np.array(p_values)
    tested = ~np.isnan(p_values)
    adjusted = holm(p_values)
    assert np.isnan(adjusted[~tested]).all()
    if tested.any():
        # statsmodels collects garbage at each call, which takes half a second in a full run.
        with mock.patch("gc.collect"):
            oracle = multipletests(p_values[tested], method="holm")[1]
        np.testing.assert_allclose(adjusted[tested], oracle, atol=1e-12)
    assert holm(np.array([[N, 0.01], [0.04, N]]))[0, 1] == 0.02


def test_benjamini_hochberg():
    """p·m/rank, made monotone from the largest down: by hand."""
    p = [0.012, 0.001, 0.3, 0.02, N, 0.04]
    expected = [0.03, 0.005, 0.3, 0.1 / 3, N, 0.05]
    assert benjamini_hochberg(p) == pytest.approx(np.array(expected), nan_ok=True)
    assert benjamini_hochberg([]).shape == (0,)
    assert np.isnan(benjamini_hochberg([N])).all()
    assert benjamini_hochberg([[0.01, 0.02]]).shape == (1, 2)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_benjamini_hochberg_is_scipys(p):
    expected = stats.false_discovery_control(p)
    assert benjamini_hochberg(p) == pytest.approx(expected)
    assert (benjamini_hochberg(p) <= holm(p) + 1e-12).all()
    assert benjamini_hochberg(p).max() == max(p)  # no rounding: there is no other test
