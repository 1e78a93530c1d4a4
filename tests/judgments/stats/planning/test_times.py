"""Time of an item: least squares (NumPy's as the oracle), prior knowledge, and intervals."""

import math

import numpy as np
import pytest
from scipy.stats import lognorm, norm
from scipy.stats import t as student

from judgments.stats.planning.times import (
    PRIOR_ITEMS,
    SD_OF_ANNOTATORS,
    SD_OF_WORDS,
    USUAL_WORDS,
    AnnotatorSpread,
    ItemTime,
    refit,
    spread_of_annotators,
)

BEFORE = ItemTime(30.0, 0.2)


def batches(rng, n=300):
    outputs = rng.integers(5, 100, n)
    words = outputs * rng.uniform(20, 300, n)
    seconds = 20 * outputs + 0.3 * words + np.sqrt(outputs) * rng.normal(0, 30, n)
    return outputs, words, seconds


def test_without_times_it_is_what_was_known_before():
    assert refit(BEFORE, [], [], []) == BEFORE
    assert BEFORE.hours(100, 3000) == pytest.approx((3000 + 600) / 3600)


def test_without_a_prior_it_is_weighted_least_squares():
    outputs, words, seconds = batches(np.random.default_rng(1))
    root = np.sqrt(outputs)
    (a, b), *_ = np.linalg.lstsq(np.stack([root, words / root], axis=1), seconds / root, rcond=None)
    found = refit(BEFORE, outputs, words, seconds, weight=0)
    assert (found.per_output, found.per_word) == pytest.approx((a, b))
    assert found.per_output == pytest.approx(20, abs=2)
    assert found.per_word == pytest.approx(0.3, abs=0.02)


def test_as_many_outputs_as_were_known_before_count_half():
    """With the same lengths, all of which took twice as long: one and a half."""
    outputs = np.full(2, PRIOR_ITEMS / 2)
    words = outputs * (USUAL_WORDS + SD_OF_WORDS * np.array([-1, 1]))
    found = refit(BEFORE, outputs, words, 2 * (30 * outputs + 0.2 * words))
    assert (found.per_output, found.per_word) == pytest.approx((45, 0.3))


def test_no_part_of_a_time_is_negative():
    """Long texts that took no longer than short ones, and quick ones: both parts shrink equally."""
    outputs, words = np.array([500.0, 500.0]), np.array([5_000.0, 150_000.0])
    found = refit(BEFORE, outputs, words, [30_000, 1_000])
    assert found.per_output > 0
    assert found.per_word > 0
    assert found.per_output / found.per_word == pytest.approx(150)


def test_annotators_differ_as_usual_until_there_are_some():
    assert spread_of_annotators([0.3]) == AnnotatorSpread(SD_OF_ANNOTATORS, 10)
    r = np.random.default_rng(2).normal(0.4, 0.7, 2000)
    found = spread_of_annotators(r)
    assert found.sd == pytest.approx(r.std(ddof=1), rel=0.005)
    assert found.n == 2009


def test_nine_of_ten_times_are_inside():
    """Of one more annotator, and of the total of four, after ten were seen before."""
    rng = np.random.default_rng(3)
    for n_annotators in (1, 4):
        inside = []
        for _ in range(3000):
            seen = np.exp(rng.normal(0, 0.35, 10))
            together = np.exp(rng.normal(0, 0.35, n_annotators)).mean()
            spread = AnnotatorSpread(float(np.std(np.log(seen), ddof=1)), 10)
            low, high = spread.interval(float(seen.mean()), n_annotators)
            inside.append(low <= together <= high)
        assert np.mean(inside) == pytest.approx(0.9, abs=0.02)


def test_the_times_of_one_are_log_normal_with_the_mean_that_is_reckoned():
    low, high = AnnotatorSpread().interval(10, 1)
    median = lognorm(0.39, scale=10 / lognorm(0.39).mean()).median()
    reach = math.exp(student.ppf(0.95, 10) * 0.39 * math.sqrt(1.1))
    assert (low, high) == pytest.approx((median / reach, median * reach))


@pytest.mark.parametrize("n", [2, 4, 12])
def test_the_times_of_several_have_the_mean_and_variance_of_their_sum(n):
    """With so many annotators seen that both the spread and the level are certain."""
    low, high = AnnotatorSpread(0.5, 10**9).interval(7, n)
    sd = math.log(high / low) / 2 / norm.ppf(0.95)
    found = lognorm(sd, scale=math.sqrt(low * high))
    one = lognorm(0.5, scale=7 / lognorm(0.5).mean())
    assert found.mean() == pytest.approx(7, rel=1e-6)
    assert found.var() == pytest.approx(one.var() / n, rel=1e-6)
