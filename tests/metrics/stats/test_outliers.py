import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics.stats.outliers import outliers

SCORES = st.lists(st.one_of(st.floats(-50, 50), st.just(math.nan)), max_size=12)


def test_by_hand():
    # Median 4, deviations 3 2 1 0 1 2 26, their median 2: 26 / (1.483 · 2) = 8.77.
    found = outliers([1, 2, 3, 4, 5, 6, 30])
    assert (found.median, found.mad) == (4, 2)
    assert found.mask.tolist() == [False] * 6 + [True]
    assert found.distances[-1] == pytest.approx(26 / (1.483 * 2))


@given(SCORES)
def test_the_median_absolute_deviation_is_scipys(scores):
    found = outliers(scores)
    values = np.array(scores, dtype=float)
    if found.reason:
        assert not found.mask.any() and np.isnan(found.distances).all()
        return
    mad = stats.median_abs_deviation(values, nan_policy="omit")
    assert found.mad == pytest.approx(mad)
    with np.errstate(invalid="ignore"):
        expected = np.abs(values - np.nanmedian(values)) / (1.483 * mad)
    np.testing.assert_allclose(found.distances, expected, rtol=1e-9)
    assert not found.mask[np.isnan(values)].any()


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([], "fewer than 3 systems have a score"),
        ([1, math.nan, 2], "fewer than 3 systems have a score"),
        ([5, 5, 5, 9], "half of the scores or more are equal"),
        ([0.3, 0.1 + 0.2, 0.3, 9], "half of the scores or more are equal"),
    ],
)
def test_nothing_is_an_outlier_without_a_spread(scores, reason):
    found = outliers(scores)
    assert found.reason == reason and not found.mask.any()


def test_other_shapes_are_refused():
    with pytest.raises(ValueError, match="one score a system"):
        outliers([[1, 2], [3, 4]])
