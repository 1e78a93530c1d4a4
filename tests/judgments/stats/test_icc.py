"""Intraclass correlations, against Shrout and Fleiss and the mean squares of statsmodels."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from judgments.stats.agreement import icc
from judgments.stats.coefficients import matrix_to_long
from tests.judgments.stats.long_form import crossed_ratings, icc_one_way

N = np.nan
# Shrout and Fleiss (1979): 6 targets (rows), 4 judges.
SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
)


def _rng():
    return np.random.default_rng(11)


@pytest.mark.parametrize(
    ("form", "expected"),
    [("1,1", 0.165742), ("2,1", 0.289764), ("3,1", 0.714841),
     ("1,k", 0.442797), ("2,k", 0.620051), ("3,k", 0.909316)],
)  # fmt: skip
def test_icc_of_shrout_and_fleiss(form, expected):
    result = icc(SHROUT_FLEISS.T, form, rng=_rng())
    assert result.estimate == pytest.approx(expected, abs=5e-7)
    assert (result.n_items, result.n_annotators) == (6, 4)
    assert result.low < result.high


def test_icc_uses_complete_items():
    holes = np.column_stack([SHROUT_FLEISS.T.astype(float), [5, N, 5, 5]])
    assert icc(holes).estimate == icc(SHROUT_FLEISS.T).estimate
    assert icc(holes).n_items == 6


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        ([[1.0, 2, 3]], "two annotators"),
        ([[1.0], [2.0]], "fewer than two items"),
        ([[1.0, N], [N, 2.0]], "fewer than two items"),
        (np.full((2, 3), 0.1), "same value"),
    ],
)
def test_icc_undefined(matrix, reason):
    result = icc(matrix, rng=_rng())
    assert math.isnan(result.estimate)
    assert reason in result.reason


def test_icc_rejects():
    with pytest.raises(ValueError, match="form is one of"):
        icc(SHROUT_FLEISS, "4,1")


@given(
    hnp.arrays(
        np.float64,
        st.tuples(st.integers(2, 4), st.integers(2, 8)),
        elements=st.sampled_from([1.0, 2.0, 4.0, 5.0]),
    )
)
@settings(max_examples=25, deadline=None)
def test_icc_against_the_mean_squares_of_statsmodels(matrix):
    item, annotator, value = matrix_to_long(matrix)
    k, n = matrix.shape
    if len(np.unique(value)) == 1:
        assert icc(matrix).reason == icc_one_way(item, annotator, value).reason
        return
    frame = pd.DataFrame({"item": item, "annotator": annotator, "value": value})
    with np.errstate(all="ignore"):
        two = anova_lm(ols("value ~ C(item) + C(annotator)", frame).fit())
        one = anova_lm(ols("value ~ C(item)", frame).fit())
    msb, msj, mse = two["sum_sq"] / np.array([n - 1, k - 1, (n - 1) * (k - 1)])
    msw = one["sum_sq"]["Residual"] / (n * (k - 1))
    expected = {
        "1,1": (msb - msw, msb + (k - 1) * msw),
        "2,1": (msb - mse, msb + (k - 1) * mse + k * (msj - mse) / n),
        "3,1": (msb - mse, msb + (k - 1) * mse),
        "1,k": (msb - msw, msb),
        "2,k": (msb - mse, msb + (msj - mse) / n),
        "3,k": (msb - mse, msb),
    }
    for form, (above, below) in expected.items():
        result = icc(matrix, form)
        if abs(below) < 1e-9:
            assert math.isnan(result.estimate)
            assert result.reason
        else:
            assert result.estimate == pytest.approx(above / below, abs=1e-8, rel=1e-6)
    if msb + (k - 1) * msw > 1e-9:
        assert icc_one_way(item, annotator, value).estimate == pytest.approx(
            icc(matrix, "1,1").estimate, abs=1e-12
        )


def test_one_way_icc_of_unequal_numbers_of_ratings():
    """Half of the variance is between items: 4,000 items with two to five ratings."""
    rng = _rng()
    item = np.repeat(np.arange(4000), rng.integers(2, 6, 4000))
    value = rng.normal(size=4000)[item] + rng.normal(size=len(item)) + 100
    result = icc_one_way(item, np.arange(len(item)), value, rng=rng, resamples=200)
    assert result.estimate == pytest.approx(0.5, abs=0.03)
    assert result.low < 0.5 < result.high
    assert (result.n_items, result.n_annotators) == (4000, len(item))
    # By hand: items (1, 2), (3, 3, 6); means 1.5, 4, grand 3; MSB = 7.5, MSW = 6.5/3, n0 = 2.4.
    small = icc_one_way([1, 1, 2, 2, 2], list("ababc"), [1, 2, 3, 3, 6])
    assert small.estimate == pytest.approx((7.5 - 6.5 / 3) / (7.5 + 1.4 * 6.5 / 3))


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        (([], [], []), "no ratings"),
        (([1, 2], ["a", "b"], [1, 2]), "no item was rated by two"),
        (([1, 1], ["a", "b"], [1, 2]), "fewer than two items"),
        (([1, 1, 2, 2], list("abab"), [3, 3, 3, 3]), "same value"),
    ],
)
def test_one_way_icc_undefined(columns, reason):
    result = icc_one_way(*columns, rng=_rng())
    assert math.isnan(result.estimate)
    assert reason in result.reason


def test_crossed_ratings():
    """Items 1 to 3 were rated by a and b, item 4 by a and c, item 5 by a."""
    item, annotator = [2, 1, 1, 2, 3, 3, 4, 4, 5], list("babaabaca")
    matrix, items, reason = crossed_ratings(item, annotator, np.arange(9.0))
    assert (matrix.tolist(), items.tolist(), reason) == ([[1, 3, 4], [2, 0, 5]], [1, 2, 3], "")
    matrix, items, reason = crossed_ratings(item, annotator, np.arange(9.0), share=0.8)
    assert (matrix.size, len(items)) == (0, 0)
    assert "read ICC(1,1)" in reason
    assert "no item was rated by two" in crossed_ratings([1, 2], ["a", "b"], [1, 2])[2]
    assert crossed_ratings([], [], [])[2] == "there are no ratings"
