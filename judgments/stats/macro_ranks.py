"""Ranks of systems averaged over tasks (language pairs), with intervals by bootstrap over tasks.

Average ranks over several data sets are those of Demšar (2006, Statistical comparisons of
classifiers over multiple data sets, JMLR 7); shared tasks of machine translation call this a macro
average. Tasks are resampled, since the average is over them: segments show how certain the rank in
one task is, not how well it generalizes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .resampling import percentile_bounds, resample_weights

RESAMPLES = 1000
FEWEST_TASKS = 3
"""With two tasks, a bootstrap draws only one of them every other time: an interval would be
meaningless."""


@dataclass(frozen=True)
class MacroRanks:
    """Results for S systems: ``mean`` rank over the tasks of each system, with the 95 % percentile
    interval ``low`` and ``high`` (NaN with fewer than FEWEST_TASKS); ``ahead``: mean share of the
    other systems in a task that are ranked behind it, which does not depend on their number;
    ``n_tasks``. ``order``: systems with all tasks first, by their mean; those that lack some
    follow, by ``ahead``, since they met other tasks."""

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    ahead: np.ndarray
    n_tasks: np.ndarray
    order: np.ndarray


def macro_ranks(
    ranks: ArrayLike, *, rng: np.random.Generator, resamples: int = RESAMPLES
) -> MacroRanks:
    """Return the macro ranks of ``ranks`` (S, T): 1 is best, NaN where a system is not in a
    task."""
    table = np.asarray(ranks, dtype=np.float64)
    present = ~np.isnan(table)
    known = np.nan_to_num(table)
    n_systems = present.sum(axis=0)
    n_tasks = present.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = known.sum(axis=1) / n_tasks
        behind = np.where(present & (n_systems > 1), (n_systems - table) / (n_systems - 1), np.nan)
        counted = ~np.isnan(behind)
        ahead = np.nansum(behind, axis=1) / counted.sum(axis=1)
    low, high = _bounds(known, present, rng, resamples)
    n_all = table.shape[1]
    # Stable, with NaN last.
    keys = np.where(n_tasks == n_all, mean, np.nan), np.where(np.isnan(ahead), np.inf, -ahead)
    order = np.lexsort((keys[1], np.nan_to_num(keys[0], nan=np.inf), n_tasks < n_all))
    return MacroRanks(mean, low, high, ahead, n_tasks, order)


def _bounds(
    known: np.ndarray, present: np.ndarray, rng: np.random.Generator, resamples: int
) -> tuple[np.ndarray, np.ndarray]:
    n_systems, n_tasks = known.shape
    nothing = np.full(n_systems, np.nan)
    if n_tasks < FEWEST_TASKS or not n_systems:
        return nothing, nothing
    parts = []
    for weights in resample_weights(rng, n_tasks, resamples, width=n_systems):
        n = weights @ present.T.astype(np.float64)
        parts.append(weights @ known.T / np.where(n > 0, n, np.nan))
    low, high = percentile_bounds(np.concatenate(parts), 0.95)
    few = present.sum(axis=1) < FEWEST_TASKS
    return np.where(few, np.nan, low), np.where(few, np.nan, high)
