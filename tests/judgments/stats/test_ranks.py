"""Tests by ranks, against SciPy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from judgments.stats import ranks
from judgments.stats.significance import mann_whitney, wilcoxon_signed_rank

ALTERNATIVES = ("two-sided", "greater", "less")
few_values = st.lists(st.integers(-6, 6), min_size=1, max_size=60)
untied = st.integers(2, 60).flatmap(lambda n: st.permutations(range(1, n + 1)))
close = pytest.approx


@given(values=st.lists(st.integers(0, 9), max_size=60))
def test_midranks(values):
    found, ties = ranks.midranks(np.array(values, float))
    assert found.tolist() == stats.rankdata(values).tolist()
    assert ties.sum() == len(values)


@given(values=st.lists(st.integers(0, 30), max_size=90))
def test_inversions_are_those_of_all_pairs(values):
    found = np.array(values, int)
    every = sum(a > b for i, a in enumerate(values) for b in values[i + 1 :])
    assert ranks.n_inversions(found) == every


@given(
    pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=60),
)
def test_tau_with_ties(pairs):
    x, y = np.array(pairs, float).T
    expected = stats.kendalltau(x, y)
    assert ranks.kendall_tau_b(x, y) == close(tuple(expected), rel=1e-11, nan_ok=True)


@given(order=untied)
def test_tau_without_ties(order):
    x, y = np.arange(len(order), dtype=float), np.array(order, float)
    expected = stats.kendalltau(x, y)
    assert ranks.kendall_tau_b(x, y) == close(tuple(expected), rel=1e-11, abs=1e-300)


@pytest.mark.parametrize("n", [34, 200, 3000])
def test_tau_of_long_lists(n):
    rng = np.random.default_rng(n)
    for x in (rng.normal(size=n), rng.integers(0, 40, n).astype(float)):
        y = x + rng.normal(size=n)
        assert ranks.kendall_tau_b(x, y) == close(tuple(stats.kendalltau(x, y)), rel=1e-11)


@given(values=few_values, alternative=st.sampled_from(ALTERNATIVES), continuity=st.booleans())
def test_signed_ranks(values, alternative, continuity):
    kept = np.array([value for value in values if value], float)
    if not len(kept):
        return
    is_exact = len(np.unique(np.abs(kept))) == len(kept) <= 50
    expected = stats.wilcoxon(
        kept,
        zero_method="wilcox",
        correction=continuity and not is_exact,
        alternative=alternative,
        method="exact" if is_exact else "asymptotic",
    ).pvalue
    found = wilcoxon_signed_rank(values, alternative=alternative, continuity=continuity)
    assert found.p_value == close(expected, rel=1e-11)


@given(order=untied, alternative=st.sampled_from(ALTERNATIVES), n_negative=st.integers(0, 60))
def test_signed_ranks_without_ties(order, alternative, n_negative):
    values = np.array([-value if i < n_negative else value for i, value in enumerate(order)], float)
    is_exact = len(values) <= 50
    expected = stats.wilcoxon(
        values,
        correction=not is_exact,
        alternative=alternative,
        method="exact" if is_exact else "asymptotic",
    )
    found = wilcoxon_signed_rank(values, alternative=alternative)
    assert found.p_value == close(expected.pvalue, rel=1e-11)


@given(first=few_values, second=few_values, alternative=st.sampled_from(ALTERNATIVES))
def test_rank_sums(first, second, alternative):
    if len({*first, *second}) == 1:
        return
    expected = stats.mannwhitneyu(first, second, alternative=alternative, method="asymptotic")
    found = mann_whitney(first, second, alternative=alternative)
    assert (found.statistic, found.p_value) == close(tuple(expected), rel=1e-11)
