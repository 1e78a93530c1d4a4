"""TrueSkill (Herbrich, Minka and Graepel 2007) of systems, with the settings of WMT13-16.

Sakaguchi, Post and Van Durme (2014): comparisons are drawn with replacement, as many as there are
(N), and rated one after the other with prior N(0, .5²), β = .5 · N/40, τ = 0 and a draw
probability of .25; scores are means over many such runs. β is then so large that a score is nearly
the system's wins minus its losses on a scale: it depends on how often, and against whom, the system
was compared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, ndtr, ndtri

from judgments.stats.comparison_graph import why_apart

SIGMA = 0.5
DRAW = 0.25
BETA_PER_COMPARISON = SIGMA / 40
RUNS = 1000
MOST_BLOCKS, FEWEST_BLOCKS = 200, 5
BLOCKS_TIMES_COMPARISONS = 250_000


@dataclass(frozen=True)
class TrueSkill:
    """``mean`` (n,) over runs, and ``means`` (runs, n), what each run ended with; NaN with a
    ``reason`` where the comparisons do not connect the systems."""

    mean: np.ndarray
    means: np.ndarray
    n_comparisons: int
    runs: int
    reason: str = ""


def trueskill(
    wins: ArrayLike,
    ties: ArrayLike,
    *,
    rng: np.random.Generator,
    runs: int = RUNS,
    systems: ArrayLike | None = None,
) -> TrueSkill:
    """Return scores from wins (n, n) and ties (n, n), symmetric, as in the WMT evaluation
    campaigns.

    A run is cut into blocks, see `n_blocks`; comparisons of one block do not see one another's
    changes. That changes means by about .1 % of their range: one block a comparison is the exact
    order, and the larger N and so β, the less a mean moves within a block (the tests measure it).
    """
    wins, ties = np.asarray(wins, np.float64), np.asarray(ties, np.float64)
    n = len(wins)
    systems = np.arange(n) if systems is None else np.asarray(systems)
    counts, first, second, is_tie = _cells(wins, ties)
    total = round(counts.sum())
    reason = why_apart(wins + wins.T + ties > 0, systems)
    if reason:
        return TrueSkill(np.full(n, np.nan), np.empty((0, n)), total, 0, reason)
    mu, variance = np.zeros((runs, n)), np.full((runs, n), SIGMA**2)
    rating = SkillRating(first, second, is_tie, beta=BETA_PER_COMPARISON * total)
    sizes = np.diff(np.linspace(0, total, n_blocks(total) + 1).round().astype(int))
    for size in sizes:
        drawn = rng.multinomial(int(size), counts / total, size=runs).astype(np.float64)
        mu, variance = rating.update(mu, variance, drawn)
    return TrueSkill(mu.mean(axis=0), mu, total, runs)


def n_blocks(n_comparisons: int) -> int:
    """Into how many blocks a run is cut: up to 200 comparisons one each, later fewer."""
    enough = BLOCKS_TIMES_COMPARISONS // max(n_comparisons, 1)
    return min(n_comparisons, MOST_BLOCKS, max(FEWEST_BLOCKS, enough))


class SkillRating:
    """The update of means and variances by comparisons of ``first`` with ``second`` (c,), systems'
    numbers: the first won, or ``is_tie``."""

    def __init__(
        self,
        first: ArrayLike,
        second: ArrayLike,
        is_tie: ArrayLike,
        *,
        beta: float,
        draw: float = DRAW,
    ) -> None:
        self.first, self.second = np.asarray(first), np.asarray(second)
        self.is_tie = np.asarray(is_tie, bool)
        self.beta = beta
        self.margin = float(ndtri((draw + 1) / 2)) * math.sqrt(2) * beta

    def update(
        self, mu: np.ndarray, variance: np.ndarray, times: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return new means and variances (r, n), after each comparison was made ``times`` (r,
        c)."""
        own, other = variance[:, self.first], variance[:, self.second]
        c = np.sqrt(2 * self.beta**2 + own + other)
        v, w = self._moments((mu[:, self.first] - mu[:, self.second]) / c, self.margin / c)
        gain = times * v / c
        new_mu, shrunk = mu.copy(), np.zeros_like(variance)
        for side, sign, part in ((self.first, 1, own), (self.second, -1, other)):
            shrinking = times * np.log1p(-part / c**2 * w)
            for k, system in enumerate(side.tolist()):
                new_mu[:, system] += sign * part[:, k] * gain[:, k]
                shrunk[:, system] += shrinking[:, k]
        return new_mu, variance * np.exp(shrunk)

    def _moments(self, t: np.ndarray, margin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return v and w of Herbrich et al., of wins and of ties."""
        x = t - margin
        v = np.exp(-(x**2) / 2 - log_ndtr(x)) / math.sqrt(2 * math.pi)
        w = v * (v + x)
        tie = self.is_tie
        t, margin = t[:, tie], margin[:, tie]
        low, high = _density(-margin - t), _density(margin - t)
        inside = ndtr(margin - t) - ndtr(-margin - t)
        v[:, tie] = (low - high) / inside
        w[:, tie] = v[:, tie] ** 2 + ((margin - t) * high + (margin + t) * low) / inside
        return v, w


def _density(x: np.ndarray) -> np.ndarray:
    return np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)


def _cells(
    wins: np.ndarray, ties: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the different comparisons: how many of each; winner and loser, or those who tied; a
    tie?"""
    if wins.shape != ties.shape or wins.ndim != 2 or wins.shape[0] != wins.shape[1]:
        raise ValueError(f"wins and ties must be (n, n), not {wins.shape} and {ties.shape}")
    tied = np.triu(ties, 1)
    won = wins * ~np.eye(len(wins), dtype=bool)
    (a, b), (c, d) = np.nonzero(won), np.nonzero(tied)
    counts = np.concatenate([won[a, b], tied[c, d]])
    is_tie = np.repeat([False, True], [len(a), len(c)])
    return counts, np.concatenate([a, c]), np.concatenate([b, d]), is_tie
