"""Systems ranked by pairwise judgments: expected wins and Bradley-Terry.

Sources: expected wins, Koehn (2012) and the WMT13 findings; Bradley-Terry by the MM algorithm,
Hunter (2004). Clusters of systems are in `judgments.stats.clusters`.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from judgments.stats.clusters import Ranking, compare_systems, rank_clusters
from judgments.stats.coefficients import codes_of
from judgments.stats.comparison_graph import why_apart
from judgments.stats.pairwise import RankedPairs, expand_rankings
from judgments.stats.resampling import (
    bootstrap_sums,
    interval_from_distribution,
    resample_weights,
)

__all__ = [
    "BradleyTerry",
    "ExpectedWins",
    "RankedPairs",
    "Ranking",
    "Wins",
    "bradley_terry",
    "compare_systems",
    "count_wins",
    "expand_rankings",
    "expected_wins",
    "expected_wins_of_pairs",
    "rank_clusters",
]


@dataclass(frozen=True)
class Wins:
    """``wins[i, j]``: how often system i beat j; ``ties[i, j]``, symmetric; float64 (n, n)."""

    systems: np.ndarray
    wins: np.ndarray
    ties: np.ndarray


@dataclass(frozen=True)
class ExpectedWins:
    """Expected wins ``estimate`` (n,) of the systems, NaN with a ``reason`` where undefined.

    ``unmet`` lists the pairs of systems (indices) that no judgment tells apart; they are skipped.
    ``low`` and ``high`` (n,) are the bootstrap interval over ``n_units``, NaN without one, and
    ``resampled`` (resamples, n) the scores behind it, for `rank_clusters`. ``n_pairs`` counts
    judgments, ``n_ties`` those dropped.
    """

    systems: np.ndarray
    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    resampled: np.ndarray
    n_opponents: np.ndarray
    n_pairs: int
    n_ties: int
    unmet: tuple[tuple[int, int], ...] = ()
    level: float = math.nan
    resamples: int = 0
    n_units: int = 0
    reason: str = ""


@dataclass(frozen=True)
class BradleyTerry:
    """``log_strength`` (n,), with mean 0; NaN with a ``reason`` where no finite solution exists."""

    log_strength: np.ndarray
    iterations: int
    n_comparisons: float
    reason: str = ""


def count_wins(
    first: ArrayLike,
    second: ArrayLike,
    label: ArrayLike,
    *,
    systems: ArrayLike | None = None,
) -> Wins:
    """Return count wins and ties of judgments (m,): label +1 first is better, -1 second is, 0 a
    tie.

    ``systems`` fixes the order (and may name systems without judgments); else sorted names.
    """
    systems, i, j, label = _codes(first, second, label, systems)
    n = len(systems)
    counts = [
        np.bincount(i[label == sign] * n + j[label == sign], minlength=n * n).reshape(n, n)
        for sign in (1, -1, 0)
    ]
    wins = (counts[0] + counts[1].T).astype(np.float64)
    return Wins(systems, wins, (counts[2] + counts[2].T).astype(np.float64))


def expected_wins(
    wins: ArrayLike, *, ties: ArrayLike | None = None, systems: ArrayLike | None = None
) -> ExpectedWins:
    """Return EW(i) = mean over opponents j of wins(i, j)/(wins(i, j) + wins(j, i)).

    ``wins`` (n, n); ties are dropped, ``ties`` (n, n) is only counted. Opponents that no judgment
    tells apart are skipped and listed. If the systems fall into groups that were never compared
    with each other, no order exists and every estimate is NaN.
    """
    wins = _square(wins)
    n = len(wins)
    systems = np.arange(n) if systems is None else np.asarray(systems)
    met = (wins + wins.T > 0) & ~np.eye(n, dtype=bool)
    n_ties = 0 if ties is None else round(float(np.asarray(ties).sum()) / 2)
    unmet = tuple((int(i), int(j)) for i, j in np.argwhere(np.triu(~met, k=1)))
    reason = why_apart(met, systems)
    estimate = np.full(n, np.nan) if reason else _expected_wins(wins)
    decided = round(float(wins.sum()))
    return ExpectedWins(
        systems=systems,
        estimate=estimate,
        low=np.full(n, np.nan),
        high=np.full(n, np.nan),
        resampled=np.empty((0, n)),
        n_opponents=met.sum(axis=1),
        n_pairs=decided + n_ties,
        n_ties=n_ties,
        unmet=unmet,
        reason=reason,
    )


def expected_wins_of_pairs(
    first: ArrayLike,
    second: ArrayLike,
    label: ArrayLike,
    *,
    systems: ArrayLike | None = None,
    units: ArrayLike | None = None,
    crossed: ArrayLike | None = None,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
) -> ExpectedWins:
    """Return expected wins of judgments (m,), as `count_wins` takes them, with a bootstrap
    interval.

    ``units`` (m,) names what is resampled with all its judgments: segments, annotators or rankings.
    With ``crossed`` (m,), both are resampled independently and a judgment weighs the product
    (pigeonhole bootstrap, Owen 2007): segments and annotators.
    """
    counted = count_wins(first, second, label, systems=systems)
    result = expected_wins(counted.wins, ties=counted.ties, systems=counted.systems)
    if rng is None or units is None or result.reason:
        return result
    n = len(counted.systems)
    _, i, j, label = _codes(first, second, label, counted.systems)
    decided = label != 0
    cell = np.where(label > 0, i * n + j, j * n + i)[decided]

    def statistic(sums: np.ndarray) -> np.ndarray:
        return _expected_wins(sums.reshape(-1, n, n))

    names, unit = codes_of(_rows(units, len(label)))
    if crossed is None:
        stats = _counts(unit[decided], cell, len(names), n * n)
        values, n_units = bootstrap_sums(statistic, stats, rng=rng, resamples=resamples)
    else:
        others, other = codes_of(_rows(crossed, len(label)))
        values = _crossed(
            unit[decided], len(names), other[decided], len(others), cell, n, rng, resamples
        )
        n_units = len(names)
    if n_units < 2:
        return result
    interval = interval_from_distribution(values, level=level, n_units=n_units)
    return dataclasses.replace(
        result,
        low=np.asarray(interval.low),
        high=np.asarray(interval.high),
        resampled=values,
        level=level,
        resamples=resamples,
        n_units=n_units,
    )


def bradley_terry(
    wins: ArrayLike,
    *,
    ties: ArrayLike | None = None,
    tolerance: float = 1e-10,
    max_iterations: int = 100_000,
    systems: ArrayLike | None = None,
) -> BradleyTerry:
    """Return maximum-likelihood strengths from wins (n, n); a tie counts half for each.

    MM: p_i ← W_i / Σ_j n_ij/(p_i + p_j). A finite solution exists only if every system is linked to
    every other by wins in both directions; otherwise the strengths are NaN and the reason says so,
    with the names in ``systems``.
    """
    wins = _square(wins)
    if ties is not None:
        wins = wins + np.asarray(ties, np.float64) / 2
    wins = wins * ~np.eye(len(wins), dtype=bool)
    n = len(wins)
    games = wins + wins.T
    systems = np.arange(n) if systems is None else np.asarray(systems)
    reason = why_apart(games > 0, systems)
    reason = reason or why_apart(wins > 0, systems, strong=True)
    if reason:
        return BradleyTerry(np.full(n, np.nan), 0, float(wins.sum()), reason)
    strength, won = np.ones(n), wins.sum(axis=1)
    for iteration in range(1, max_iterations + 1):
        updated = won / (games / np.add.outer(strength, strength)).sum(axis=1)
        updated /= np.exp(np.log(updated).mean())
        change = np.abs(np.log(updated / strength)).max()
        strength = updated
        if change < tolerance:
            return BradleyTerry(np.log(strength), iteration, float(wins.sum()))
    reason = f"no convergence in {max_iterations} iterations"
    return BradleyTerry(np.full(n, np.nan), max_iterations, float(wins.sum()), reason)


def _expected_wins(wins: np.ndarray) -> np.ndarray:
    """Return wins (..., n, n) → expected wins (..., n), NaN for a system that met nobody."""
    games = wins + np.swapaxes(wins, -1, -2)
    met = (games > 0) & ~np.eye(wins.shape[-1], dtype=bool)
    shares = np.where(met, wins / np.where(met, games, 1), 0).sum(axis=-1)
    opponents = met.sum(axis=-1)
    return np.where(opponents > 0, shares / np.maximum(opponents, 1), np.nan)


def _counts(unit: np.ndarray, cell: np.ndarray, n_units: int, n_cells: int) -> sparse.csr_array:
    if n_units * n_cells <= 4 * len(cell):  # a table of all is smaller than a list of those met
        counts = np.bincount(unit * n_cells + cell, minlength=n_units * n_cells)
        return sparse.csr_array(counts.reshape(n_units, n_cells).astype(np.float64))
    ones = np.ones(len(cell))
    return sparse.coo_array((ones, (unit, cell)), shape=(n_units, n_cells)).tocsr()


def _crossed(
    unit: np.ndarray,
    n_units: int,
    other: np.ndarray,
    n_others: int,
    cell: np.ndarray,
    n: int,
    rng: np.random.Generator,
    resamples: int,
) -> np.ndarray:
    """Return expected wins (resamples, n) when units and others are resampled independently."""
    both = unit.astype(np.int64) * n_others + other
    keys, row = np.unique(both, return_inverse=True)
    counts = _counts(row, cell, len(keys), n * n)
    of_unit, of_other = np.divmod(keys, n_others)
    width = max(len(keys), n * n, n_units, n_others)
    pairs = zip(
        resample_weights(rng, n_units, resamples, width=width),
        resample_weights(rng, n_others, resamples, width=width),
        strict=True,
    )
    parts = [
        _expected_wins(np.asarray((a[:, of_unit] * b[:, of_other]) @ counts).reshape(-1, n, n))
        for a, b in pairs
    ]
    return np.concatenate(parts)


def _codes(
    first: ArrayLike, second: ArrayLike, label: ArrayLike, systems: ArrayLike | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    first, second, label = np.asarray(first), np.asarray(second), np.asarray(label)
    if not first.shape == second.shape == label.shape or first.ndim != 1:
        raise ValueError("first, second and label must be one-dimensional and equally long")
    if not ((label == 1) | (label == 0) | (label == -1)).all():
        raise ValueError("labels are +1, 0 and -1")
    names, code = codes_of(np.concatenate([first, second]))
    if systems is not None:
        systems = np.asarray(systems)
        place = {name: index for index, name in enumerate(systems.tolist())}
        if unknown := [name for name in names.tolist() if name not in place]:
            raise ValueError(f"judgments of systems that are not listed: {unknown[:5]}")
        code = np.array([place[name] for name in names.tolist()], np.intp)[code]
        names = systems
    code = code.astype(np.intp)
    return names, code[: len(first)], code[len(first) :], label


def _rows(units: ArrayLike, n: int) -> np.ndarray:
    units = np.asarray(units)
    if units.shape != (n,):
        raise ValueError(f"units has shape {units.shape}, not one per judgment ({n},)")
    return units


def _square(wins: ArrayLike) -> np.ndarray:
    wins = np.asarray(wins, np.float64)
    if wins.ndim != 2 or wins.shape[0] != wins.shape[1]:
        raise ValueError(f"wins must be (n, n), not {wins.shape}")
    return wins
