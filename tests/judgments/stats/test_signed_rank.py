"""The exact signed-rank test and the paired t test, against enumeration and SciPy."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.stats.controlled_ranks import controlled_signed_ranks
from judgments.stats.pair_tests import compare_systems
from judgments.stats.signed_rank import exact_signed_rank, paired_t
from judgments.stats.significance import wilcoxon_signed_rank

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


class TestDecimals:
    """-1 - -1.1 and -0.1 - 0 differ by rounding."""

    FIRST, SECOND = np.array([-1.0] * 5 + [-0.1]), np.array([-1.1] * 5 + [0.0])
    P = 7 / 64  # six equal sizes, one of them against

    def test_exact(self):
        assert exact_signed_rank(self.FIRST - self.SECOND).p_value == self.P

    def test_normal(self):
        found = wilcoxon_signed_rank(self.FIRST, self.SECOND)
        tenths = wilcoxon_signed_rank(np.round(10 * self.FIRST), np.round(10 * self.SECOND))
        assert (found.statistic, found.p_value) == (tenths.statistic, tenths.p_value)

    @pytest.mark.parametrize("test", ["signed-rank", "signed-rank-documents"])
    @pytest.mark.parametrize("times", [1, 12])
    def test_all_pairs(self, test, times):
        table = np.tile([self.FIRST, self.SECOND], times)
        documents = np.arange(table.shape[1])
        found, tenths = (
            compare_systems(each, test=test, documents=documents)
            for each in (table, np.round(10 * table))
        )
        np.testing.assert_array_equal(found, tenths)
        if times == 1:
            assert found[0, 1] == self.P

    def test_with_documents_and_controls(self):
        table, documents = np.array([self.FIRST, self.SECOND]), np.arange(6)
        found, tenths = (
            controlled_signed_ranks(each, documents) for each in (table, np.round(10 * table))
        )
        np.testing.assert_array_equal(found.ranks, tenths.ranks)
        assert found.z == tenths.z
