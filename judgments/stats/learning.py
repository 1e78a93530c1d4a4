"""Scores while judgments come in, and scores of random halves of what was judged."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.resampling import sum_by


def means_so_far(
    system: ArrayLike, segment: ArrayLike, values: ArrayLike, ends: ArrayLike
) -> np.ndarray:
    """Return means (K, S) of systems over the first ``ends`` (K,) ratings, segments averaged first.

    Ratings (n,) in their order: codes from 0 of ``system`` and ``segment``, and ``values``. NaN
    where a system has none so far.
    """
    system, segment = np.asarray(system, np.int64), np.asarray(segment, np.int64)
    n_systems, n_segments = (1 + int(codes.max(initial=-1)) for codes in (system, segment))
    cell = system * n_segments + segment
    total, n = (
        _so_far(cell, weights, ends, n_systems * n_segments)
        for weights in (np.asarray(values, np.float64), None)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(n > 0, total / n, 0.0).reshape(len(n), n_systems, n_segments)
        rated = (n > 0).reshape(means.shape).sum(axis=2)
        return np.where(rated > 0, means.sum(axis=2) / rated, np.nan)


def counts_so_far(cell: ArrayLike, ends: ArrayLike, n_cells: int) -> np.ndarray:
    """Return how often each cell is among the first ``ends`` (K,) of ``cell`` (n,): (K,
    n_cells)."""
    return _so_far(np.asarray(cell, np.int64), None, ends, n_cells)


def _so_far(
    cell: np.ndarray, weights: np.ndarray | None, ends: ArrayLike, n_cells: int
) -> np.ndarray:
    bounds = [0, *np.asarray(ends, np.int64).tolist()]
    parts = [
        np.bincount(
            cell[start:end],
            weights=None if weights is None else weights[start:end],
            minlength=n_cells,
        ).astype(np.float64)
        for start, end in itertools.pairwise(bounds)
    ]
    return np.cumsum(parts, axis=0)


def halves(n_units: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Return random halves (draws, n_units) as truth values: n_units // 2 of them are in each."""
    order = rng.permuted(np.broadcast_to(np.arange(n_units), (draws, n_units)), axis=1)
    return order < n_units // 2


def half_means(table: ArrayLike, unit: ArrayLike, chosen: np.ndarray) -> np.ndarray:
    """Return means (draws, S) of systems over the segments of chosen units.

    ``table`` (S, N) of segment scores, NaN not rated; ``unit`` (N,) codes from 0; ``chosen``
    (draws, n_units). NaN where nothing of a system is chosen.
    """
    table, unit = np.asarray(table, np.float64), np.asarray(unit)
    n_units = chosen.shape[1]
    sums = np.asarray(sum_by(unit, n_units, np.nan_to_num(table).T))
    n = np.asarray(sum_by(unit, n_units, (~np.isnan(table)).T.astype(np.float64)))
    picked = chosen.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (picked @ sums) / np.where((found := picked @ n) > 0, found, np.nan)


def same_order(whole: ArrayLike, parts: ArrayLike) -> np.ndarray:
    """In which share of ``parts`` (draws, S) two systems stand as in ``whole`` (S,): (S, S).

    NaN on the diagonal, and where a pair has scores in no part.
    """
    whole, parts = np.asarray(whole, np.float64), np.asarray(parts, np.float64)
    expected = np.sign(whole[:, None] - whole[None, :])
    difference = parts[:, :, None] - parts[:, None, :]
    known = ~np.isnan(difference)
    same = ((np.sign(difference) == expected) & known).sum(axis=0)
    n = known.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(n > 0, same / n, np.nan)
    np.fill_diagonal(share, np.nan)
    return share
