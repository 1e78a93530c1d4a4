"""Tests of all pairs at once against the tests of two samples, and effect sizes against SciPy."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats
from statsmodels.stats.multitest import multipletests

from judgments.stats.head_to_head import adjusted_pairs, decided_comparisons, paired_differences
from judgments.stats.pair_tests import TESTS, bca_p_values, compare_systems, two_sided
from judgments.stats.paired_difference import paired_difference
from judgments.stats.resampled_power import observed_z, pair_sample
from judgments.stats.signed_rank import exact_signed_rank
from judgments.stats.significance import (
    mann_whitney,
    wilson_interval,
)

N = np.nan
# Few values, so that there are ties, systems that are equal, and systems without a score.
TABLES = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 4), st.sampled_from([0, 1, 2, 7, 60, 80])),
    elements=st.sampled_from([N, 0.0, 1.0, 2.0, 3.5]),
)


def _exact(first, second):
    return exact_signed_rank(first - second)


def _rank_sum(first, second):
    return mann_whitney(first, second, alternative="greater")


@pytest.mark.parametrize(("test", "oracle"), [("signed-rank", _exact), ("mann-whitney", _rank_sum)])
@given(table=TABLES)
@settings(max_examples=40, deadline=None)
def test_all_pairs_against_one_by_one(test, oracle, table):
    p = compare_systems(table, test=test)
    assert np.isnan(np.diag(p)).all()
    for i, j in itertools.permutations(range(len(table)), 2):
        expected = oracle(table[i], table[j]).p_value
        assert p[i, j] == pytest.approx(expected, rel=1e-9, abs=1e-300, nan_ok=True)


def test_all_pairs_without_ties():
    """More differences than the exact test takes, none of them tied."""
    table = np.random.default_rng(1).normal(size=(3, 60))
    table[0] += 0.5
    p = compare_systems(table, test="signed-rank")
    for i, j in itertools.permutations(range(3), 2):
        expected = stats.wilcoxon(
            table[i] - table[j], alternative="greater", correction=True, method="asymptotic"
        ).pvalue
        assert p[i, j] == pytest.approx(expected, rel=1e-9)


def test_four_segments_are_too_few():
    """All four in favor: 1/16, however many differences tie; a normal approximation gives .036."""
    p = compare_systems([[2, 3, 4, 5], [1, 2, 3, 4]], test="signed-rank")
    assert p[0, 1] == 1 / 16


def test_permutations_of_segments_against_all_sign_flips():
    table = np.array([[3, 5, 4, 6, 2, 7, N], [2, 5, 1, 4, 3, 4, 5]], float)
    p = compare_systems(
        table, test="permutation", rng=np.random.default_rng(3), permutations=20_000
    )
    difference = (table[0] - table[1])[:6]
    sums = [
        np.dot(signs, difference) for signs in itertools.product([1, -1], repeat=len(difference))
    ]
    greater = np.mean(np.array(sums) >= difference.sum())
    less = np.mean(np.array(sums) <= difference.sum())
    assert p[0, 1] == pytest.approx(greater, abs=0.01)
    assert p[1, 0] == pytest.approx(less, abs=0.01)


def test_permutations_of_documents():
    """Three documents that all favor the first: 1 of 8 swaps is as large; by segment far fewer."""
    table = np.array([np.full(12, 2.0), np.ones(12)])
    documents = np.repeat([7, 8, 9], 4)
    rng = np.random.default_rng(5)
    p = compare_systems(table, test="permutation-documents", documents=documents, rng=rng)
    assert p[0, 1] == pytest.approx(1 / 8, abs=0.012)
    assert p[1, 0] == 1
    alone = compare_systems(table, test="permutation", rng=rng)
    assert alone[0, 1] == pytest.approx(1 / 2**12, abs=6e-4)


def test_equal_systems_do_not_differ():
    values = np.random.default_rng(1).normal(size=50)
    table = np.array([values, values])
    p = compare_systems(table, test="permutation", rng=np.random.default_rng(1))
    assert p[0, 1] == p[1, 0] == 1
    # Differences that cancel out, in an order that rounds differently.
    table = np.array([[0.1, 0.2, 0.3, 0], [0, 0, 0, 0.6]])
    p = compare_systems(table, test="permutation", rng=np.random.default_rng(1))
    assert p[0, 1] == pytest.approx(p[1, 0], abs=0.02)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("table", [np.empty((0, 0)), np.empty((2, 0)), [[1.0, 2]], [[N], [1]]])
def test_nothing_to_test(test, table):
    table = np.asarray(table, float)
    documents = np.zeros(table.shape[1])
    p = compare_systems(table, test=test, documents=documents, rng=np.random.default_rng(1))
    assert p.shape == (len(table), len(table))
    assert np.isnan(p).all()


def test_bad_input():
    with pytest.raises(ValueError, match="test is one of"):
        compare_systems([[1.0]], test="t")
    with pytest.raises(ValueError, match="random generator"):
        compare_systems([[1.0]], test="permutation")


@given(table=TABLES)
@settings(max_examples=40, deadline=None)
def test_effect_sizes_against_scipy(table):
    found = paired_differences(table)
    for i, j in itertools.permutations(range(len(table)), 2):
        difference = table[i] - table[j]
        difference = difference[~np.isnan(difference)]
        assert found.n[i, j] == len(difference)
        if not len(difference):
            assert np.isnan([found.difference[i, j], found.superiority[i, j]]).all()
            continue
        assert found.difference[i, j] == pytest.approx(difference.mean())
        wins = np.mean(difference > 0) + np.mean(difference == 0) / 2
        assert found.superiority[i, j] == pytest.approx(wins)
        if len(difference) < 2 or len(set(difference)) == 1:
            assert math.isnan(found.d_z[i, j])
            continue
        test = stats.ttest_1samp(difference, 0)
        interval = test.confidence_interval(0.95)
        assert (found.low[i, j], found.high[i, j]) == pytest.approx(tuple(interval))
        assert found.d_z[i, j] == pytest.approx(test.statistic / math.sqrt(len(difference)))
    assert np.isnan(np.diag(found.difference)).all()
    assert np.trace(found.n) == 0


def test_comparisons():
    wins = np.array([[0, 8, 0], [2, 0, 0], [0, 0, 0]])
    found = decided_comparisons(wins)
    assert found.share[0, 1] == 0.8
    expected = wilson_interval(8, 10)
    assert (found.low[0, 1], found.high[0, 1]) == pytest.approx((expected.low, expected.high))
    test = stats.binomtest(8, 10)
    assert found.p_values[0, 1] == pytest.approx(test.pvalue)
    assert np.isnan([found.share[0, 2], found.p_values[0, 2], found.low[2, 1]]).all()


def test_holm_counts_each_pair_once():
    p = two_sided([[N, 0.01, 0.2], [0.99, N, 0.9], [0.8, 0.1, N]])
    np.testing.assert_allclose(p[np.triu_indices(3, 1)], [0.02, 0.4, 0.2])
    for adjust, name in (("holm", "holm"), ("bh", "fdr_bh")):
        adjusted = adjusted_pairs(p, adjust)
        np.testing.assert_array_equal(adjusted, adjusted.T)
        expected = multipletests([0.02, 0.4, 0.2], method=name)[1]  # statsmodels
        np.testing.assert_allclose(adjusted[np.triu_indices(3, 1)], expected)
    assert adjusted_pairs([[N, N], [N, N]]).shape == (2, 2)


@given(table=TABLES, n_documents=st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_tests_by_document(table, n_documents):
    """By all assignments of signs to documents; intervals are those of one pair."""
    documents = np.arange(table.shape[1]) % n_documents
    p = compare_systems(table, test="signed-rank-documents", documents=documents)
    found = paired_differences(table, documents)
    for i, j in itertools.permutations(range(len(table)), 2):
        d = table[i] - table[j]
        kept = ~np.isnan(d) & (d != 0)
        if kept.any():
            signed = np.sign(d[kept]) * stats.rankdata(np.abs(d[kept]).round(12))
            sums = np.array([signed[documents[kept] == g].sum() for g in range(n_documents)])
            totals = [np.dot(flips, sums) for flips in itertools.product((1, -1), repeat=len(sums))]
            assert p[i, j] == pytest.approx(np.mean(np.array(totals) >= sums.sum() - 1e-9))
        else:
            assert math.isnan(p[i, j])
        one = paired_difference(table[i] - table[j], documents)
        if not one.reason:
            assert (found.low[i, j], found.high[i, j]) == pytest.approx((one.low, one.high))
        elif one.reason != "the differences do not vary":
            assert math.isnan(found.low[i, j])


def test_many_documents_have_the_z_of_the_planner():
    rng = np.random.default_rng(1)
    table = rng.integers(0, 6, (3, 240)).astype(float)
    documents = np.arange(240) // 3
    p = compare_systems(table, test="signed-rank-documents", documents=documents)
    for i, j in itertools.permutations(range(3), 2):
        z = observed_z(pair_sample(table[i], table[j], documents), "signed-rank-clustered")
        assert p[i, j] == pytest.approx(stats.norm.sf(z))


@pytest.mark.parametrize("seed", range(40))
def test_bootstrap_against_scipy(seed):
    """The level at which SciPy's BCa interval excludes 0 is the p-value, from its own resamples: of
    one sample of differences, and of two samples."""
    rng = np.random.default_rng(seed)
    first = rng.exponential(1, 60) + rng.uniform(0, 0.6)
    second = rng.exponential(1, 50)
    both = first[:50] - second

    def mean_difference(x, y, axis=-1):
        return x.mean(axis=axis) - y.mean(axis=axis)

    influence = (both - both.mean()) / 50
    apart = np.concatenate([(first - first.mean()) / 60, -(second - second.mean()) / 50])
    for samples, statistic, moves in (
        ((both,), np.mean, influence),
        ((first, second), mean_difference, apart),
    ):
        drawn = stats.bootstrap(
            samples, statistic, n_resamples=4000, confidence_level=0.5, method="BCa", rng=rng
        ).bootstrap_distribution
        above, below = bca_p_values(statistic(*samples), drawn, moves)
        for p, side, end in ((above, "greater", "low"), (below, "less", "high")):
            if not 0.005 < p < 0.995:
                continue
            for nearly, leaves_out in ((p * 1.1, True), (p * 0.9, False)):
                interval = stats.bootstrap(
                    samples,
                    statistic,
                    n_resamples=0,
                    bootstrap_result=_Drawn(drawn),
                    confidence_level=1 - min(nearly, 0.999),
                    alternative=side,
                    method="BCa",
                ).confidence_interval
                found = getattr(interval, end)
                assert (found > 0 if side == "greater" else found < 0) == leaves_out


class _Drawn:
    """An object for `scipy.stats.bootstrap` to continue from: drawn resamples."""

    def __init__(self, drawn):
        self.bootstrap_distribution = drawn


def test_bootstrap_of_wmt26():
    """The smaller p of the two bootstraps is enough; equal systems and single segments do not
    win."""
    rng = np.random.default_rng(1)
    base = rng.normal(size=200)
    table = np.stack([base + 0.05 + rng.normal(0, 0.01, 200), base, base])
    p = compare_systems(table, test="bootstrap", rng=rng)
    assert p[0, 1] < 0.05 < p[1, 0]
    assert p[1, 2] > 0.05 and p[2, 1] > 0.05
    alone = compare_systems([[1.0, np.nan], [np.nan, 0.0]], test="bootstrap", rng=rng)
    assert np.isnan(alone).all()
