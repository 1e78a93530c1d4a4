"""TrueSkill against its published examples, and against a run of one comparison after the other."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from judgments.stats.trueskill import (
    BETA_PER_COMPARISON,
    SkillRating,
    _cells,
    n_blocks,
    trueskill,
)

WINS = np.array([[0, 7, 8], [3, 0, 6], [2, 4, 0]], float)
TIES = np.array([[0, 4, 0], [4, 0, 5], [0, 5, 0]], float)


def _rate(tie):
    """Rate two new players; prior and settings of the Xbox: 25, 25/3, β 25/6, τ 25/300, draws
    .10."""
    rating = SkillRating([0], [1], [tie], beta=25 / 6, draw=0.1)
    variance = np.full((1, 2), (25 / 3) ** 2 + (25 / 300) ** 2)
    mu, variance = rating.update(np.full((1, 2), 25.0), variance, np.ones((1, 1)))
    return mu[0], np.sqrt(variance[0])


def test_examples_of_two_new_players():
    """trueskill.org (H. Lee's Python package): winner 29.396 ± 7.171, loser 20.604 ± 7.171; after a
    draw 25.000 ± 6.458."""
    mu, sigma = _rate(tie=False)
    assert mu == pytest.approx([29.396, 20.604], abs=5e-4)
    assert sigma == pytest.approx([7.171, 7.171], abs=5e-4)
    mu, sigma = _rate(tie=True)
    assert mu == pytest.approx([25, 25], abs=1e-12)
    assert sigma == pytest.approx([6.458, 6.458], abs=5e-4)


def _one_after_the_other(games, n):
    """Return the results of Herbrich et al.'s equations for each game in turn, with WMT's
    settings."""
    beta = BETA_PER_COMPARISON * len(games)
    mu, variance = [0.0] * n, [0.25] * n
    margin = norm.ppf((0.25 + 1) / 2) * math.sqrt(2) * beta
    for i, j, tie in games:
        c = math.sqrt(2 * beta**2 + variance[i] + variance[j])
        t, e = (mu[i] - mu[j]) / c, margin / c
        if tie:
            inside = norm.cdf(e - t) - norm.cdf(-e - t)
            v = (norm.pdf(-e - t) - norm.pdf(e - t)) / inside
            w = v**2 + ((e - t) * norm.pdf(e - t) + (e + t) * norm.pdf(e + t)) / inside
        else:
            v = norm.pdf(t - e) / norm.cdf(t - e)
            w = v * (v + t - e)
        mu[i] += variance[i] / c * v
        mu[j] -= variance[j] / c * v
        variance[i] *= 1 - variance[i] / c**2 * w
        variance[j] *= 1 - variance[j] / c**2 * w
    return mu


def _games(wins, ties):
    games = [(i, j, False) for i, j in np.argwhere(wins) for _ in range(int(wins[i, j]))]
    return games + [
        (i, j, True) for i, j in np.argwhere(np.triu(ties)) for _ in range(int(ties[i, j]))
    ]


@pytest.mark.parametrize("times", [1, 12])
def test_runs_against_one_comparison_after_the_other(times):
    """39 comparisons (exact order) and 468 (in 200 blocks): the same means, except for the
    draws."""
    wins, ties = WINS * times, TIES * times
    found = trueskill(wins, ties, rng=np.random.default_rng(1), runs=800)
    games, rng = _games(wins, ties), np.random.default_rng(2)
    assert found.n_comparisons == len(games) == 39 * times
    plain = []
    for _ in range(60 if times == 1 else 10):
        drawn = rng.integers(0, len(games), len(games))
        plain.append(_one_after_the_other([games[k] for k in drawn], 3))
    error = np.std(plain, axis=0, ddof=1) / math.sqrt(len(plain))
    assert (np.abs(found.mean - np.mean(plain, axis=0)) < 4 * error).all()
    spread = found.means.std(axis=0)
    assert spread == pytest.approx(np.std(plain, axis=0), rel=0.6)


@pytest.mark.parametrize("times", [3, 10, 40])
def test_blocks_hardly_matter(times):
    """The mean course of a run, in our blocks and one comparison at a time: within .2 %."""
    counts, *cells = _cells(WINS * times, TIES * times)
    total = round(counts.sum())
    rating = SkillRating(*cells, beta=BETA_PER_COMPARISON * total)
    ends = []
    for blocks in (total, n_blocks(total)):
        mu, variance = np.zeros((1, 3)), np.full((1, 3), 0.25)
        for _ in range(blocks):
            mu, variance = rating.update(mu, variance, counts[None] / blocks)
        ends.append(mu[0])
    assert np.abs(ends[0] - ends[1]).max() < 0.002 * np.ptp(ends[0])


def test_a_seed_gives_the_same_runs():
    one, two = (trueskill(WINS, TIES, rng=np.random.default_rng(7), runs=50) for _ in range(2))
    np.testing.assert_array_equal(one.means, two.means)
    assert one.mean[0] > one.mean[1] > one.mean[2]


def test_no_ranking():
    apart = np.array([[0, 3, 0], [1, 0, 0], [0, 0, 0]])
    found = trueskill(apart, np.zeros((3, 3)), rng=np.random.default_rng(1), systems=list("ABC"))
    assert np.isnan(found.mean).all()
    assert "never compared (C)" in found.reason
    assert found.means.shape == (0, 3)
    for n in (0, 1):
        empty = trueskill(np.zeros((n, n)), np.zeros((n, n)), rng=np.random.default_rng(1))
        assert "at least two" in empty.reason
    with pytest.raises(ValueError, match="must be"):
        trueskill([[0, 1]], [[0, 1]], rng=np.random.default_rng(1))
