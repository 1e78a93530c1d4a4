import math

import numpy as np
import pytest
from scipy import stats

from metrics.stats.williams import williams, williams_of_pairs

GOLD = [1, 2, 3, 4, 5]
FIRST, SECOND = [1.1, 2, 3.1, 4, 5.1], [1.5, 2, 3.1, 4, 5.5]


def test_five_units():
    # mt-metrics-eval 2 (stats_test.py): p .019, r .999 and .987.
    found = williams(GOLD, FIRST, SECOND)
    assert found.p_value == pytest.approx(0.019, abs=5e-4)
    assert (found.r_first, found.r_second) == pytest.approx((0.999, 0.987), abs=5e-4)
    assert (found.n, found.df, found.n_missing) == (5, 2, 0)
    assert found.p_two_sided == pytest.approx(2 * found.p_value)


def test_the_order_of_metrics_turns_the_test():
    found = williams(GOLD, SECOND, FIRST)
    assert found.p_value == pytest.approx(1 - williams(GOLD, FIRST, SECOND).p_value)
    assert found.statistic < 0


def test_units_with_a_missing_value_are_dropped():
    found = williams([*GOLD, 9, math.nan], [*FIRST, math.nan, 1], [*SECOND, 2, 3])
    assert found.p_value == williams(GOLD, FIRST, SECOND).p_value
    assert (found.n, found.n_missing) == (5, 2)


def test_false_positives_of_normal_scores():
    # Both metrics agree equally with people: 5 % of tests at 5 %, 400 of them within 3 standard
    # errors.
    rng = np.random.default_rng(2)
    found = []
    for _ in range(400):
        gold, *noise = rng.normal(size=(3, 15))
        found.append(williams(gold, gold + noise[0], gold + noise[1]).p_value)
    assert np.mean(np.array(found) < 0.05) == pytest.approx(0.05, abs=0.033)
    assert stats.kstest(found, "uniform").pvalue > 0.01


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (FIRST, FIRST, "the metrics correlate perfectly with each other"),
        (FIRST, [1] * 5, "the second variable does not vary"),
        ([1, 2, 3, math.nan, math.nan], SECOND, "fewer than 4 units"),
    ],
)
def test_what_is_undefined_is_nan_with_a_reason(first, second, reason):
    found = williams(GOLD, first, second)
    assert math.isnan(found.p_value) and math.isnan(found.statistic)
    assert found.reason == reason


def test_other_shapes_are_refused():
    with pytest.raises(ValueError, match="one shape"):
        williams(GOLD, FIRST, SECOND[:4])


def test_all_pairs_together_are_as_each_alone():
    rng = np.random.default_rng(5)
    gold, metrics = rng.normal(size=11), rng.normal(size=(9, 11))
    metrics[1], metrics[2], metrics[4, 3] = 2 * metrics[0] + 1, 7.0, np.nan
    found = williams_of_pairs(gold, metrics)
    for i in range(9):
        for j in range(9):
            alone = williams(gold, metrics[i], metrics[j]).p_value if i < j else np.nan
            np.testing.assert_allclose(found[i, j], alone, rtol=1e-9, atol=1e-14)
    assert np.isnan(williams_of_pairs(gold[:3], metrics[:, :3])).all()


def test_metrics_that_are_linear_functions_of_each_other_are_not_tested():
    rng = np.random.default_rng(5)
    for _ in range(100):
        gold, first = rng.normal(size=(2, 6))
        for second in (first * 0.1 + 70, 0.3 - first / 7):
            found = williams(gold, first, second)
            assert found.reason == "the metrics correlate perfectly with each other"
            assert np.isnan(williams_of_pairs(gold, [first, second])).all()
