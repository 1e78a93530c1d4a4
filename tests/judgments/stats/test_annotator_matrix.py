import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from judgments.stats.agreement import cohen_kappa, krippendorff_alpha, uniform_kappa
from judgments.stats.coefficients import matrix_to_long
from tests.judgments.stats.long_form import agreement_matrix

N = np.nan
matrices = hnp.arrays(np.float64, (3, 9), elements=st.sampled_from([1.0, 2.0, 3.0, 4.0, 4.0, N]))


def _of_two(measure, x, y):
    """Return the same figure by the functions for two annotators, or by scipy."""
    both = ~np.isnan(x) & ~np.isnan(y)
    x, y = x[both], y[both]
    if measure == "pearson":
        if len(x) < 2 or len(set(x)) < 2 or len(set(y)) < 2:
            return math.nan
        return stats.pearsonr(x, y).statistic
    if measure == "cohen":
        return cohen_kappa(x, y).estimate
    if measure.startswith("alpha"):
        return krippendorff_alpha(np.array([x, y]), measure[6:]).estimate
    item = np.tile(np.arange(len(x)), 2)
    result = uniform_kappa(item, np.repeat([0, 1], len(x)), np.concatenate([x, y]), k=4)
    return result.p_observed if measure == "agreement" else result.estimate


@pytest.mark.parametrize(
    "measure", ["agreement", "uniform", "cohen", "alpha-nominal", "alpha-interval", "pearson"]
)
@given(matrix=matrices)
@settings(max_examples=60, deadline=None)
def test_each_cell_is_the_figure_of_two_annotators(measure, matrix):
    result = agreement_matrix(*matrix_to_long(matrix), measure=measure, k=4, min_shared=1)
    for i, a in enumerate(result.annotators):
        for j, b in enumerate(result.annotators):
            shared = (~np.isnan(matrix[a]) & ~np.isnan(matrix[b])).sum()
            assert result.n_shared[i, j] == shared
            if i == j:
                assert math.isnan(result.estimate[i, j])
            else:
                expected = _of_two(measure, matrix[a], matrix[b])
                assert result.estimate[i, j] == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_pairs_that_share_too_little_are_left_out():
    matrix = np.array([[1, 2, 3, 4.0], [1, 2, 3, N], [N, N, 3, 4]])
    result = agreement_matrix(*matrix_to_long(matrix), measure="agreement", min_shared=3)
    assert result.pairs().tolist() == [1.0]
    assert result.reason == ""
    nothing = agreement_matrix(*matrix_to_long(matrix), measure="agreement", min_shared=4)
    assert "no two annotators share 4 items" in nothing.reason
    flat = agreement_matrix([1, 2, 1, 2], [1, 1, 2, 2], [5.0] * 4, measure="pearson")
    assert "do not vary" in flat.reason


def test_nothing_and_one():
    for item, annotator, value in (([], [], []), ([1, 2], ["a", "a"], [1, 2])):
        result = agreement_matrix(item, annotator, value, measure="pearson")
        assert result.estimate.shape == (len(set(annotator)),) * 2
        assert not len(result.pairs())
        assert result.reason


def test_rejects():
    with pytest.raises(ValueError, match="measure is one of"):
        agreement_matrix([1], [1], [1], measure="tau")
    with pytest.raises(ValueError, match="needs k"):
        agreement_matrix([1], [1], [1], measure="uniform")


@pytest.mark.parametrize("measure", ["alpha-interval", "pearson"])
@pytest.mark.parametrize("step", [1.0, 0.5])
def test_whole_numbers_are_counted_exactly_and_others_as_well(measure, step):
    rng = np.random.default_rng(3)
    matrix = np.where(rng.random((12, 90)) < 0.4, N, rng.integers(0, 201, (12, 90)) * step)
    matrix[:, 0] = 1e6  # one value far from the others costs no digits
    whole = agreement_matrix(*matrix_to_long(matrix), measure=measure)
    for factor in (0.3, 1e7):  # no halves, and too large for sums in one number
        other = agreement_matrix(*matrix_to_long(matrix * factor), measure=measure)
        assert np.allclose(whole.estimate, other.estimate, atol=1e-9, equal_nan=True)
        assert np.array_equal(whole.n_shared, other.n_shared)
    assert whole.estimate[0, 1] == pytest.approx(_of_two(measure, matrix[0], matrix[1]), abs=1e-12)
