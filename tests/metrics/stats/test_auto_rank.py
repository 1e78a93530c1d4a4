"""AutoRank by hand, from the definitions in the preliminary rankings of WMT24 and WMT25."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.stats.auto_rank import autorank_wmt24, autorank_wmt25

NAN = float("nan")
# Two metrics, one from −20 to 0 like MetricX with reversed sign, one from 0 to 1 like CometKiwi, of
# four systems.
SCORES = [[-1.0, -2.0, -4.0, -11.0], [0.8, 0.9, 0.7, 0.4]]


def test_wmt24_by_hand():
    # 1 + 3 · (best − x) / (best − worst), then the mean.
    first, second = [1, 1.3, 1.9, 4], [1.6, 1, 2.2, 4]
    expected = np.mean([first, second], axis=0)
    np.testing.assert_allclose(autorank_wmt24(SCORES), expected)
    assert autorank_wmt24(SCORES).tolist()[:2] == pytest.approx([1.3, 1.15])  # no system has 1


def test_wmt25_by_hand():
    # Medians −3 and .75. P25, interpolated: −4 − 7/4 = −5.75 and .4 + 3/4 · .3 = .625. So the
    # spreads are 4.75 and .275, and the means (2/4.75 + .05/.275) / 2 and so on.
    means = [
        (2 / 4.75 + 0.05 / 0.275) / 2,
        (1 / 4.75 + 0.15 / 0.275) / 2,
        (-1 / 4.75 - 0.05 / 0.275) / 2,
        (-8 / 4.75 - 0.35 / 0.275) / 2,
    ]
    expected = [1 + 3 * (means[1] - mean) / (means[1] - means[3]) for mean in means]
    np.testing.assert_allclose(autorank_wmt25(SCORES), expected)
    assert autorank_wmt25(SCORES)[[1, 3]].tolist() == pytest.approx([1, 4])


def test_a_very_bad_system_presses_the_others_less_in_wmt25():
    bad = [[0.9, 0.8, 0.7, -9.0], [0.9, 0.7, 0.8, 0.6]]
    of_24, of_25 = autorank_wmt24(bad), autorank_wmt25(bad)
    assert of_24[2] < of_24[1]  # the first metric hardly counts except for the last
    assert of_25[3] == 4


def test_a_system_without_a_score_is_none_of_the_systems():
    with_gap = [[*SCORES[0], NAN], [*SCORES[1], 0.99]]
    for autorank in (autorank_wmt24, autorank_wmt25):
        found = autorank(with_gap)
        np.testing.assert_allclose(found[:4], autorank(SCORES))
        assert np.isnan(found[4])


@pytest.mark.parametrize("autorank", [autorank_wmt24, autorank_wmt25])
def test_what_cannot_be_scaled_is_undefined(autorank):
    assert np.isnan(autorank([[0.5, 0.5, 0.5]])).all()
    assert np.isnan(autorank([[0.5]])).all()
    assert autorank(np.empty((1, 0))).shape == (0,)
    with pytest.raises(ValueError, match=r"shape \(metrics, systems\)"):
        autorank([0.5, 0.6])


tenths = st.integers(-50, 50).map(lambda n: n / 10)


@given(st.lists(tenths, min_size=2, max_size=12, unique=True))
def test_of_one_metric_both_are_its_scale(values):
    """Whatever its unit: 1 for the best, N for the worst, and linear between."""
    scaled = autorank_wmt24([values])
    np.testing.assert_allclose(autorank_wmt25([values]), scaled, atol=1e-9)
    np.testing.assert_allclose(autorank_wmt24([[3 * v - 7 for v in values]]), scaled, atol=1e-9)
    assert scaled.min() == 1 and scaled.max() == pytest.approx(len(values))
    np.testing.assert_array_equal(np.argsort(scaled), np.argsort(np.negative(values)))
