"""Figures of one annotator's care: against SciPy, a simulation and plain Python."""

import dataclasses
import math
import statistics
from itertools import groupby

import numpy as np
import pytest
import scipy.stats
import statsmodels.stats.multitest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.stats.normalization import standardize
from judgments.stats.quality_control import (
    FAIL,
    INSUFFICIENT,
    PASS,
    adjusted,
    consistency,
    control_test,
    longest_run,
    median,
    n_overlapping,
    pair_by_key,
    reference_check,
    spread,
)
from judgments.stats.signed_rank import exact_signed_rank

scores = st.integers(1, 5).map(float) | st.just(math.nan)

# From the specification's own simulation: pairs → power of the unpaired Mann-Whitney and of the
# signed-rank test, then the size of both. An effect of 20 points, standard deviations 18 between
# items and 12 of noise, α = .05.
TABLE = {
    6: (0.42, 0.79, 0.004, 0.055),
    10: (0.67, 0.95, 0.006, 0.051),
    12: (0.77, 0.98, 0.004, 0.052),
    20: (0.98, 1.00, 0.002, 0.051),
}


@pytest.mark.parametrize("n", TABLE)
def test_power_and_size(n):
    """2,000 annotators each: power within .05 of the table, size within .015."""
    rng = np.random.default_rng(n)
    power, size = [], []
    for effect, shares in ((20, power), (0, size)):
        item = rng.normal(0, 18, (2000, n))
        original = item + rng.normal(0, 12, item.shape)
        degraded = item - effect + rng.normal(0, 12, item.shape)
        # The results of mann_whitney row by row, at once.
        unpaired = scipy.stats.mannwhitneyu(
            original, degraded, alternative="greater", method="asymptotic", axis=1
        ).pvalue
        assert control_test(original[0], degraded[0]).p_mann_whitney == unpaired[0]
        paired = [exact_signed_rank(row).p_value for row in original - degraded]
        shares += [np.mean(unpaired <= 0.05), np.mean(np.array(paired) <= 0.05)]
    assert power == pytest.approx(TABLE[n][:2], abs=0.05)
    assert size == pytest.approx(TABLE[n][2:], abs=0.015)


def test_the_three_tests_are_scipys():
    original = np.array([80, 75, 90, 60, 85, 70, 95, 66.0])
    degraded = np.array([62, 76, 70, 57, 60, 65, 80, 51.0])
    found = control_test(original, degraded)
    exact = scipy.stats.PermutationMethod(n_resamples=np.inf)
    expected = scipy.stats.wilcoxon(original, degraded, alternative="greater", method=exact)
    assert found.p_value == pytest.approx(float(expected.pvalue))
    expected = scipy.stats.ttest_rel(original, degraded, alternative="greater")
    assert found.p_t == pytest.approx(float(expected.pvalue))
    expected = scipy.stats.mannwhitneyu(
        original, degraded, alternative="greater", method="asymptotic"
    )
    assert found.p_mann_whitney == pytest.approx(float(expected.pvalue))
    assert (found.n_pairs, found.n_zero, found.verdict) == (8, 0, PASS)
    assert found.mean_drop == pytest.approx((original - degraded).mean())


def test_z_scores_give_the_same_unpaired_p():
    """Appraise tests z-scores; one annotator's z are in the order of the raw scores."""
    rng = np.random.default_rng(8)
    raw = rng.integers(0, 101, 24).astype(float)
    z = standardize(raw, np.zeros(24, int), method="z").values
    on_raw, on_z = control_test(raw[:12], raw[12:]), control_test(z[:12], z[12:])
    assert on_z.p_mann_whitney == pytest.approx(on_raw.p_mann_whitney)


def test_five_pairs_are_insufficient_and_six_are_enough():
    """However clear the difference: p = 1/32 and 1/64."""
    high = np.arange(50.0, 56.0)
    five, six = control_test(high[:5], high[:5] - 40), control_test(high, high - 40)
    assert (five.verdict, five.p_value) == (INSUFFICIENT, 1 / 32)
    assert five.reason == "fewer than 6 pairs"
    assert (six.verdict, six.p_value) == (PASS, 1 / 64)


def test_degenerate_controls():
    nothing = control_test([], [])
    assert nothing.verdict == INSUFFICIENT
    assert nothing.reason.startswith("no degraded copy")
    assert all(math.isnan(x) for x in (nothing.p_value, nothing.p_t, nothing.mean_drop))
    same = control_test([50.0] * 8, [50.0] * 8)
    assert (same.verdict, same.n_zero, same.reason) == (FAIL, 8, "every difference is 0")
    assert math.isnan(same.p_value)
    missing = control_test([90.0, math.nan, 80.0], [math.nan, 10.0, 20.0])
    assert (missing.n_pairs, missing.mean_drop) == (1, 60)


@given(st.lists(st.tuples(scores, scores), max_size=10))
@settings(max_examples=60, deadline=None)
def test_p_is_scipys_for_any_controls(pairs):
    first, second = np.array(pairs).reshape(-1, 2).T
    found = control_test(first, second)
    known = [(a, b) for a, b in pairs if not math.isnan(a + b)]
    differences = [a - b for a, b in known if a != b]
    assert (found.n_pairs, found.n_zero) == (len(known), len(known) - len(differences))
    if not differences:
        assert math.isnan(found.p_value)
        return
    if len(differences) == 1:  # SciPy enumerates from two on
        assert found.p_value == (0.5 if differences[0] > 0 else 1)
        return
    exact = scipy.stats.PermutationMethod(n_resamples=np.inf)
    expected = scipy.stats.wilcoxon(differences, alternative="greater", method=exact).pvalue
    assert found.p_value == pytest.approx(float(expected))
    assert (found.verdict == INSUFFICIENT) == (len(known) < 6)


def test_holm_is_over_those_with_a_verdict():
    p_values = [0.01, 0.03, 0.04, 0.2]
    base = control_test(np.arange(8.0), np.arange(8.0) - 1)
    tests = [dataclasses.replace(base, p_value=p) for p in p_values]
    few = dataclasses.replace(base, p_value=0.001, verdict=INSUFFICIENT)
    found = adjusted([few, *tests])
    expected = statsmodels.stats.multitest.multipletests(p_values, method="holm")[1]
    assert math.isnan(found[0].p_holm)
    assert [t.p_holm for t in found[1:]] == pytest.approx(list(expected))
    assert adjusted([]) == []


keyed = st.lists(st.tuples(st.integers(0, 6), scores), max_size=14)


@given(keyed, keyed)
@settings(max_examples=60, deadline=None)
def test_pairs_are_of_the_same_thing(first, second):
    """By dictionaries: means of each key, on the keys of both sides."""

    def means(rows):
        keys = sorted({k for k, v in rows if not math.isnan(v)})
        return {
            k: statistics.fmean(v for key, v in rows if key == k and not math.isnan(v))
            for k in keys
        }

    a, b = means(first), means(second)
    columns = [[r[i] for r in rows] for rows in (first, second) for i in (0, 1)]
    found_a, found_b, n_unmatched = pair_by_key(*columns)
    both = [k for k in a if k in b]
    assert found_a.tolist() == pytest.approx([a[k] for k in both])
    assert found_b.tolist() == pytest.approx([b[k] for k in both])
    assert n_unmatched == len(b) - len(both)


def test_consistency_by_the_mean_squares():
    """ICC(3,1) = (MSB − MSE)/(MSB + MSE) of two columns (Shrout and Fleiss 1979), by hand:
    rows 9 and 7, 6 and 6, 8 and 4, 2 and 2 have MSB 122/12 and MSE 44/24."""
    found = consistency([9, 6, 8, 2], [7, 6, 4, 2])
    assert (found.n_pairs, found.mean_difference, found.exact) == (4, 1.5, 0.5)
    msb, mse = 2 * statistics.variance([8, 6, 6, 2]), statistics.variance([2, 0, 4, 0]) / 2
    assert found.icc == pytest.approx((msb - mse) / (msb + mse))


def test_consistency_undefined():
    assert consistency([], []).reason == "nothing was judged twice"
    one = consistency([4.0, math.nan], [4.0, 3.0])
    assert (one.n_pairs, one.exact, one.reason) == (1, 1, "only one output was judged twice")
    constant = consistency([5, 5, 5], [5, 5, 5])
    assert math.isnan(constant.icc)
    assert constant.reason == "every rating has the same value"


def test_references_beside_outputs():
    found = reference_check([90, 100, 40], [50, 60, 70, math.nan])
    assert (found.median_references, found.median_outputs) == (90, 60)
    assert found.share == pytest.approx(2 / 3)
    assert not found.is_low
    assert reference_check([30], [50, 60]).is_low
    nothing = reference_check([], [50])
    assert (nothing.reason, nothing.is_low) == ("no reference was judged", False)
    assert reference_check([50], []).reason == "no system's output was judged"


def test_spread():
    assert spread([1, 2, 4, math.nan]) == pytest.approx(statistics.stdev([1, 2, 4]))
    assert spread([0.1, 0.1, 0.1]) == 0
    assert math.isnan(spread([7]))


@given(st.lists(st.integers(1, 3) | st.just(math.nan), max_size=20))
@settings(max_examples=60, deadline=None)
def test_longest_run_by_groupby(values):
    known = [v for v in values if not math.isnan(v)]
    found = longest_run(values)
    lengths = [len(list(group)) for _, group in groupby(known)]
    assert (found.n, found.length) == (len(known), max(lengths, default=0))


def test_a_long_run_is_one_that_chance_does_not_explain():
    """The bound holds: of 2,000 shuffled answer sheets, at most 1 % are called long."""
    rng = np.random.default_rng(3)
    sheet = np.repeat([1.0, 2.0, 3.0, 4.0, 5.0], [4, 6, 10, 16, 24])
    long = [longest_run(rng.permutation(sheet)).is_long for _ in range(2000)]
    assert np.mean(long) <= 0.01
    lazy = np.concatenate([rng.permutation(sheet[:40]), sheet[-20:]])
    assert longest_run(lazy).is_long
    assert longest_run([3.0] * 60).expected == 1
    assert not longest_run([]).is_long


def test_median():
    assert median([3, math.nan, 1]) == 2
    assert math.isnan(median([math.nan]))


intervals = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 20)).map(lambda t: (t[0], t[0] + t[1])),
    max_size=8,
)


@given(intervals)
@settings(max_examples=60, deadline=None)
def test_overlaps_by_comparing_every_two(rows):
    """A judgment overlaps if one that began no later ended more than 1 s after it began."""
    started, ended = ([float(r[i]) for r in rows] for i in (0, 1))
    ordered = sorted(rows)
    expected = sum(
        any(other_end > start + 1 for _, other_end in ordered[:i])
        for i, (start, _) in enumerate(ordered)
    )
    assert n_overlapping(started, ended) == expected
    assert n_overlapping([*started, math.nan], [*ended, 5.0]) == expected
