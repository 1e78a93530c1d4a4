"""Figures on control items, against values computed by hand or by SciPy."""

import math

import numpy as np
import pytest
from scipy import stats as reference

from judgments.stats.control_items import (
    NO_DEVIATION,
    Checks,
    deviation,
    found_errors,
    is_low_for,
    is_lowest,
    others_mean,
)


def test_the_lowest_tenth_of_a_scale():
    assert is_lowest([0, 10, 10.1, 100], 0, 100).tolist() == [True, True, False, False]
    assert is_lowest([1, 2], 1, 5).tolist() == [True, False]
    assert is_lowest([-4, -3], -4, 6).tolist() == [True, True]


def test_low_for_oneself():
    own = [1, 2, 3, 4, 5, 6]
    assert is_low_for([0, 2, 3], own).tolist() == [True, True, False]
    # an annotator with constant scores never passes
    assert is_low_for([50], [50] * 9).tolist() == [False]
    assert is_low_for([1], []).tolist() == [False]


def test_the_share_of_checks():
    assert Checks(4, 3, 2, 0).share == 0.5
    assert math.isnan(Checks().share)


def test_the_mean_of_the_others():
    # Key 0: annotators 0, 1, 2; annotator 0 twice, with one vote. Key 1: one annotator alone.
    found = others_mean([0, 0, 0, 0, 1], [0, 0, 1, 2, 1], [10, 20, 30, 60, 5])
    assert found[:4].tolist() == [45, 45, 37.5, 22.5]
    assert math.isnan(found[4])


def test_deviation_and_drift():
    rng = np.random.default_rng(2)
    others = rng.normal(50, 10, 30)
    place = np.sort(rng.choice(400, 30, replace=False))
    own = others + 0.05 * place + rng.normal(0, 2, 30)
    found = deviation(own, others, place)
    fit = reference.linregress(place / 100, own - others)
    half = reference.t.ppf(0.975, 28) * fit.stderr
    assert found.slope == pytest.approx(fit.slope)
    assert (found.low, found.high) == pytest.approx((fit.slope - half, fit.slope + half))
    assert found.correlation == pytest.approx(reference.pearsonr(own, others).statistic)
    assert found.mean_difference == pytest.approx((own - others).mean())
    assert found.drifts and not deviation(others + 1, others, place).drifts


def test_too_few_for_a_drift():
    found = deviation([1, 2, math.nan], [2, 2, 2], [0, 1, 2])
    assert (found.n, found.mean_difference, found.mean_absolute) == (2, -0.5, 0.5)
    assert math.isnan(found.slope) and not found.drifts
    assert deviation([1], [math.nan], [0]) is NO_DEVIATION


def test_found_errors():
    found = found_errors(6, 3, [0] * 6, [1] * 6)
    assert (found.share, found.mean_more, found.n_pairs) == (0.5, 1, 6)
    assert found.p_value == pytest.approx(1 / 64)
    assert math.isnan(found_errors(2, 0, [], []).p_value)
