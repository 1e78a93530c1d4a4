"""Shares, differences and slopes of judges: against scipy and small sums; intervals cover."""

import numpy as np
from scipy import stats

from judgments.stats import judge_bias


def rng():
    return np.random.default_rng(7)


def test_a_share_is_hits_over_all():
    # Two documents weighted by their judgments: 3 of 5.
    found = judge_bias.share([1, 1, 0, 0, 1], [1] * 5, [0, 0, 0, 1, 1], rng())
    assert found.estimate == 0.6
    assert (found.n, found.n_clusters) == (5, 2)
    # Two documents have three resamples: no interval, and it says why.
    assert np.isnan(found.low)
    assert "fewer than" in found.reason or found.reason


def test_a_difference_is_of_means():
    found = judge_bias.difference([3, 5, 1, 1], [True, True, False, False], range(4), rng())
    assert found.estimate == 3.0
    nobody = judge_bias.difference([3, 5], [True, True], range(2), rng())
    assert np.isnan(nobody.estimate)
    assert nobody.reason


def test_a_slope_is_that_of_scipy():
    made = rng()
    x = made.normal(4, 1, 200)
    y = 0.5 * x + made.normal(0, 1, 200)
    documents = np.arange(200) // 5
    found = judge_bias.slope(y, x, documents, rng())
    assert np.isclose(found.estimate, stats.linregress(x, y).slope, rtol=1e-12)
    assert found.low < 0.5 < found.high
    assert np.isnan(judge_bias.slope(y, np.full(200, 4.1), documents, rng()).estimate)


def test_a_slope_through_zero_does_not_ask_which_comes_first():
    made = rng()
    x, y = made.normal(size=60), made.normal(size=60)
    turned = np.where(np.arange(60) % 2, -1, 1)
    documents = np.arange(60) // 4
    one = judge_bias.slope(y, x, documents, rng(), through_zero=True)
    other = judge_bias.slope(turned * y, turned * x, documents, rng(), through_zero=True)
    assert np.isclose(one.estimate, (x @ y) / (x @ x))
    assert np.isclose(one.estimate, other.estimate)
    assert np.isclose(one.low, other.low)


def test_intervals_hold_where_answers_of_a_document_are_alike():
    """Documents of five answers that are nearly equal: of 200 samples the interval contains the
    truth in about 95 %; one that assumed independent answers contained it in about 60 %."""
    made, n_held = np.random.default_rng(11), 0
    documents = np.repeat(np.arange(40), 5)
    for _ in range(200):
        own = np.repeat(made.normal(0, 1, 40), 5)
        hits = (own + made.normal(0, 0.2, 200) > 0).astype(float)
        found = judge_bias.share(hits, np.ones(200), documents, made)
        n_held += found.low <= 0.5 <= found.high
    assert 0.89 <= n_held / 200 <= 0.99
