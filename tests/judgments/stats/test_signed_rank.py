"""The exact signed-rank test and the paired t test, against enumeration and SciPy."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.stats.signed_rank import exact_signed_rank, paired_t

few = st.lists(st.integers(-4, 4) | st.just(math.nan), max_size=9)


def enumerated(differences):
    """Return p by all 2ⁿ assignments of signs, and the sum of positive ranks."""
    kept = [d for d in differences if d and not math.isnan(d)]
    ranks = scipy.stats.rankdata(np.abs(kept))
    observed = sum(r for r, d in zip(ranks, kept, strict=True) if d > 0)
    sums = [
        sum(r for r, up in zip(ranks, signs, strict=True) if up)
        for signs in itertools.product([False, True], repeat=len(kept))
    ]
    return sum(s >= observed for s in sums) / len(sums), observed


@given(few)
@settings(max_examples=80, deadline=None)
def test_p_counts_every_assignment_of_signs(differences):
    result = exact_signed_rank(differences)
    assert result.n_dropped == differences.count(0)
    if not result.n:
        assert math.isnan(result.p_value)
        assert result.reason
        return
    p, observed = enumerated(differences)
    assert result.p_value == pytest.approx(p, abs=1e-12)
    assert result.statistic == observed
    assert result.test == "signed-rank (exact)"


@pytest.mark.parametrize("n", [6, 17, 50])
def test_without_ties_it_is_scipys_exact_test(n):
    values = np.random.default_rng(n).normal(0.3, 1, n)
    expected = scipy.stats.wilcoxon(values, alternative="greater", method="exact")
    result = exact_signed_rank(values)
    assert result.p_value == pytest.approx(float(expected.pvalue), rel=1e-9)
    assert result.statistic == expected.statistic


def test_many_differences_take_the_normal_approximation():
    values = np.random.default_rng(4).integers(-5, 8, 80).astype(float)
    kept = values[values != 0]
    expected = scipy.stats.wilcoxon(
        kept, alternative="greater", correction=True, method="asymptotic"
    )
    result = exact_signed_rank(values)
    assert result.n == len(kept) > 50
    assert result.p_value == pytest.approx(float(expected.pvalue))


def test_paired_t_is_scipys():
    rng = np.random.default_rng(5)
    first, second = rng.normal(1, 1, 12), rng.normal(0, 1, 12)
    expected = scipy.stats.ttest_rel(first, second, alternative="greater").pvalue
    assert paired_t(first, second) == pytest.approx(float(expected))
    with_missing = np.append(first, math.nan), np.append(second, 3.0)
    assert paired_t(*with_missing) == pytest.approx(float(expected))


@pytest.mark.parametrize("pairs", [([], []), ([3.0], [1.0]), ([0.1, 0.3], [0.0, 0.2])])
def test_paired_t_without_variance_is_undefined(pairs):
    assert math.isnan(paired_t(*pairs))
