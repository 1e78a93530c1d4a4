"""Scores of systems from comparisons, by any of the models, with resampled scores for ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from judgments.stats.davidson import davidson, strengths
from judgments.stats.ranking import bradley_terry, count_wins, expected_wins_of_pairs
from judgments.stats.resampling import bootstrap_sums, interval_from_distribution
from judgments.stats.trueskill import trueskill

MODELS = ("expected-wins", "bradley-terry", "davidson", "trueskill")


@dataclass(frozen=True)
class ComparisonScores:
    """Scores ``estimate`` (n,) of ``systems`` with an interval ``low`` and ``high``.

    ``resampled`` (b, n) are the scores in bootstrap resamples of ``n_units`` units, or in b runs of
    TrueSkill; empty without any. ``n_undefined`` counts resamples in which the model had no
    solution. ``tie`` is Davidson's ν. NaN with a ``reason`` where there are no scores.
    """

    model: str
    systems: np.ndarray
    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    resampled: np.ndarray
    n_units: int
    tie: float = np.nan
    n_undefined: int = 0
    reason: str = ""


def scores_of_comparisons(
    first: ArrayLike,
    second: ArrayLike,
    label: ArrayLike,
    *,
    model: str,
    units: ArrayLike,
    rng: np.random.Generator,
    names: ArrayLike | None = None,
    resamples: int = 1000,
    level: float = 0.95,
) -> ComparisonScores:
    """Return scores by a model of MODELS from judgments (m,), as `count_wins` takes them.

    ``units`` (m,): what is resampled with all its judgments. ``names``: of the systems' codes, for
    the reason. Bradley-Terry takes a tie for half a win of each; Davidson models ties; expected
    wins leave them out. TrueSkill's interval is that of its runs, which draw single comparisons.
    """
    if model not in MODELS:
        raise ValueError(f"model is one of {', '.join(MODELS)}, not {model!r}")
    first, second, label = np.asarray(first), np.asarray(second), np.asarray(label)
    if model == "expected-wins":
        found = expected_wins_of_pairs(
            first, second, label, units=units, rng=rng, resamples=resamples, level=level
        )
        return ComparisonScores(
            model,
            found.systems,
            found.estimate,
            found.low,
            found.high,
            found.resampled,
            found.n_units,
            reason=found.reason,
        )
    systems, fit = _fitted(first, second, label, model, rng, names, resamples)
    estimate, tie, reason, resampled = fit
    n_units = len(first)
    if model != "trueskill":
        resampled, n_units = np.empty((0, len(systems))), 0
        if not reason:
            resampled, n_units = _resampled(
                systems, first, second, label, np.asarray(units), model, rng, resamples
            )
    low = high = np.full(len(systems), np.nan)
    if len(resampled) and n_units > 1:
        interval = interval_from_distribution(resampled, level=level, n_units=n_units)
        low, high = np.asarray(interval.low), np.asarray(interval.high)
    undefined = int(np.isnan(resampled).any(axis=1).sum())
    return ComparisonScores(
        model, systems, estimate, low, high, resampled, n_units, tie, undefined, reason
    )


def _fitted(
    first: np.ndarray,
    second: np.ndarray,
    label: np.ndarray,
    model: str,
    rng: np.random.Generator,
    names: ArrayLike | None,
    runs: int,
) -> tuple[np.ndarray, tuple[np.ndarray, float, str, np.ndarray]]:
    """Return the systems, and their scores, Davidson's ν, why there are none, and TrueSkill's
    runs."""
    counted = count_wins(first, second, label)
    wins, ties, systems = counted.wins, counted.ties, counted.systems
    called = systems if names is None else np.asarray(names)[systems]
    nothing = np.empty((0, len(systems)))
    if model == "trueskill":
        skill = trueskill(wins, ties, rng=rng, runs=runs, systems=called)
        return systems, (skill.mean, np.nan, skill.reason, skill.means)
    if model == "davidson":
        fit = davidson(wins, ties, systems=called)
        return systems, (fit.log_strength, fit.tie, fit.reason, nothing)
    halves = bradley_terry(wins, ties=ties, systems=called)
    return systems, (halves.log_strength, np.nan, halves.reason, nothing)


def _resampled(
    systems: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    label: np.ndarray,
    units: np.ndarray,
    model: str,
    rng: np.random.Generator,
    resamples: int,
) -> tuple[np.ndarray, int]:
    """Return log-strengths (resamples, n) in resampled units: wins and ties are sums over units."""
    n = len(systems)
    i, j = np.searchsorted(systems, first), np.searchsorted(systems, second)
    cell = np.where(label < 0, j * n + i, i * n + j) + np.where(label == 0, n * n, 0)
    names, unit = np.unique(units, return_inverse=True)
    counts = sparse.coo_array((np.ones(len(cell)), (unit, cell)), shape=(len(names), 2 * n * n))

    def statistic(sums: np.ndarray) -> np.ndarray:
        wins, ties = sums.reshape(-1, 2, n, n).swapaxes(0, 1)
        return strengths(wins, ties + np.swapaxes(ties, 1, 2), model=model)[0]

    return bootstrap_sums(statistic, counts.tocsr(), rng=rng, resamples=resamples, width=4 * n * n)
