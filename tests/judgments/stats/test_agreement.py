"""Common parts of agreement coefficients: repeats, intervals, words."""

import numpy as np
import pytest

from judgments.stats.agreement import landis_koch, uniform_kappa
from tests.judgments.stats.long_form import collapse_repeats

N = np.nan


def test_collapse_repeats():
    arrays = [1, 1, 2, 1], ["a", "a", "a", "b"], [1.0, 4.0, 7.0, N]
    item, annotator, value = collapse_repeats(*arrays)
    assert (item.tolist(), annotator.tolist(), value.tolist()) == ([1, 2], ["a", "a"], [2.5, 7])
    assert collapse_repeats(*arrays, how="first")[2].tolist() == [1, 7]
    assert collapse_repeats(*arrays, how="last")[2].tolist() == [4, 7]
    with pytest.raises(ValueError, match="how is"):
        collapse_repeats(*arrays, how="median")


def test_interval_covers_as_often_as_it_says():
    """Uniform kappa of 60 items by two annotators who agree with probability .6: true kappa .5."""
    covered = 0
    for seed in range(200):
        agree = np.random.default_rng(seed).random(60) < 0.6
        value = np.concatenate([np.zeros(60), ~agree])
        result = uniform_kappa(
            np.tile(np.arange(60), 2), np.repeat([0, 1], 60), value, k=5,
            rng=np.random.default_rng(seed), resamples=400,
        )  # fmt: skip
        covered += result.low <= 0.5 <= result.high
    assert 0.9 <= covered / 200 <= 0.99


@pytest.mark.parametrize(
    ("kappa", "words"),
    [(-0.1, "poor"), (0, "slight"), (0.2, "slight"), (0.21, "fair"), (0.4, "fair"),
     (0.41, "moderate"), (0.61, "substantial"), (0.81, "almost perfect"), (1, "almost perfect"),
     (N, "")],
)  # fmt: skip
def test_landis_koch(kappa, words):
    assert landis_koch(kappa) == words
