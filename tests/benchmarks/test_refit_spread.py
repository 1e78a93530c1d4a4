"""The replay of pilots: what it takes for the truth, and its pilots."""

import numpy as np
import pytest
import refit_spread as benchmark
from promised_power import Scored

from judgments.stats.planning.spreads import DifferenceSpread


def texts(sd=0.2, shift=0.1):
    rng = np.random.default_rng(1)
    table = rng.normal(0, sd, (2, 4000)) + np.array([[shift], [0]])
    return Scored(table, np.repeat(np.arange(800), 5), np.full(4000, 20.0))


def test_of_normal_differences_signed_ranks_behave_like_their_standard_deviation():
    """Pitman's efficiency of signed ranks is 3/π for them (Hodges and Lehmann 1956)."""
    expected = 0.2 * 2**0.5 * (np.pi / 3) ** 0.5
    assert benchmark.true_share(texts()) == pytest.approx(expected, rel=0.05)


def test_a_pilot_is_of_whole_blocks_and_a_prior_of_nothing_takes_what_it_says():
    made, usual = texts(), DifferenceSpread()
    at = benchmark.draw(made, 0, np.random.default_rng(2))
    assert np.bincount(made.documents[at]).max() == 5
    assert len(at) == 30
    pilot = benchmark.judged(made, at)
    difference = made.table[0, at] - made.table[1, at]
    alone = benchmark.Setting(0).refit(usual, pilot)
    assert alone.share(20, 400) == pytest.approx(1.1 * difference.std(ddof=1))
    never = benchmark.Setting(benchmark.NEVER).refit(usual, pilot)
    assert never.share(20, 400) == pytest.approx(usual.share(20, 400))
    assert benchmark.Setting().refit(usual, pilot) == benchmark.refit_spread(usual, [pilot])
