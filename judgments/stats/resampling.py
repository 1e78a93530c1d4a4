"""Percentile bootstrap over items or clusters, vectorized and bounded in memory.

A resample of n units is a vector of n multinomial weights that sum to n. A statistic that depends
on the data only through sums over units (an agreement coefficient, expected wins) is therefore
computed for a block of resamples at once as ``function(W @ unit_stats)``: see
`bootstrap_sums_interval`. Any other statistic gets the weights themselves: `bootstrap_interval`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

FEWEST_CLUSTERS = 8
"""Of fewer documents a percentile interval is far too narrow: two of them have three resamples."""

BLOCK_CELLS = 4_000_000
"""How many weights, or how many sums, one block of resamples may hold (32 MB as float64)."""


@dataclass(frozen=True)
class Interval:
    """A percentile bootstrap interval.

    ``low`` and ``high`` are floats, or arrays where the statistic is one; NaN where undefined.
    ``n_units`` counts what was resampled (items, or clusters of items), ``n_undefined`` the
    resamples (summed over the entries of an array) in which the statistic had no value.
    """

    low: float | np.ndarray
    high: float | np.ndarray
    level: float
    resamples: int
    n_units: int
    n_undefined: int = 0
    method: str = "percentile bootstrap"
    reason: str = ""


def resample_weights(
    rng: np.random.Generator, n_units: int, resamples: int, *, width: int = 1
) -> Iterator[np.ndarray]:
    """Yield float64 blocks of shape (b, n_units) whose rows are multinomial weights.

    ``width`` is the number of float64 values that the statistic keeps per resample, if that is
    larger than ``n_units``: the blocks are made small enough for them.
    """
    block = max(1, min(resamples, BLOCK_CELLS // max(n_units, width, 1)))
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        drawn = rng.integers(0, n_units, size=(rows, n_units), dtype=np.int32).astype(np.intp)
        drawn += np.arange(rows)[:, None] * n_units
        counts = np.bincount(drawn.ravel(), minlength=rows * n_units)
        yield counts.reshape(rows, n_units).astype(np.float64)


def percentile_bounds(values: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Return low and high over axis 0, dropping (1 - level)/2 of the defined values on each side.

    Of 1,000 values at level .95, 25 are dropped on each side (Koehn 2004). NaN values are left
    out; a column without any defined value gives NaN.
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64), axis=0)  # NaN goes to the end
    defined = ordered.shape[0] - np.isnan(ordered).sum(axis=0)
    # The rounding keeps 1000 * (1 - .95) / 2 at 25 whatever the floating-point dust.
    drop = np.floor(np.round(defined * (1 - level) / 2, 9)).astype(np.intp)
    last = np.maximum(defined - 1, 0)
    low = np.take_along_axis(ordered, np.minimum(drop, last)[None, ...], axis=0)[0]
    high = np.take_along_axis(ordered, np.maximum(last - drop, 0)[None, ...], axis=0)[0]
    return low, high


def interval_from_distribution(
    values: np.ndarray, *, level: float, n_units: int, method: str = "percentile bootstrap"
) -> Interval:
    """Return the interval of a statistic's resampled ``values`` of shape (resamples, ...)."""
    low, high = percentile_bounds(values, level)
    undefined = int(np.isnan(values).sum())
    reason = ""
    if undefined == values.size:
        reason = "the statistic is undefined in every resample"
    scalar = values.ndim == 1
    return Interval(
        low=float(low) if scalar else low,
        high=float(high) if scalar else high,
        level=level,
        resamples=values.shape[0],
        n_units=n_units,
        n_undefined=undefined,
        method=method,
        reason=reason,
    )


def bootstrap_interval(
    statistic: Callable[[np.ndarray], np.ndarray],
    n_units: int,
    *,
    rng: np.random.Generator,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
    width: int = 1,
) -> Interval:
    """Return interval of a statistic of weighted units.

    ``statistic`` maps weights (b, n_units) to (b,) or (b, ...); weight w means that the unit was
    drawn w times. ``clusters`` (n_units,) names the cluster (document) of each unit: whole clusters
    are then drawn, of which fewer than `FEWEST_CLUSTERS` give no interval. ``width`` as in
    `resample_weights`.
    """
    _check(level, resamples)
    index, n_drawn = _cluster_index(clusters, n_units)
    if reason := _too_few(n_drawn, clusters):
        return _no_interval(n_drawn, level, resamples, reason)
    parts = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for weights in resample_weights(rng, n_drawn, resamples, width=max(width, n_units)):
            parts.append(statistic(weights if index is None else weights[:, index]))
    return interval_from_distribution(np.concatenate(parts), level=level, n_units=n_drawn)


def bootstrap_sums_interval(
    statistic: Callable[[np.ndarray], np.ndarray],
    unit_stats: np.ndarray | sparse.csr_array,
    *,
    rng: np.random.Generator,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
    width: int = 1,
) -> Interval:
    """Return interval of a statistic of sums over units.

    ``unit_stats`` (n_units, k), dense or sparse, holds each unit's sufficient statistics;
    ``statistic`` maps their sums (b, k) to (b,) or (b, ...). Units (or clusters) with equal rows
    are interchangeable, so a dense table is first reduced to its distinct rows with their counts:
    the interval does not depend on the order of the units, and few distinct rows cost little.
    ``clusters`` as in `bootstrap_interval`, ``width`` as in `resample_weights`.
    """
    _check(level, resamples)
    _, n_drawn = _cluster_index(clusters, unit_stats.shape[0])
    if reason := _too_few(n_drawn, clusters):
        return _no_interval(n_drawn, level, resamples, reason)
    values, n_drawn = bootstrap_sums(
        statistic, unit_stats, rng=rng, resamples=resamples, clusters=clusters, width=width
    )
    return interval_from_distribution(values, level=level, n_units=n_drawn)


def bootstrap_sums(
    statistic: Callable[[np.ndarray], np.ndarray],
    unit_stats: np.ndarray | sparse.csr_array,
    *,
    rng: np.random.Generator,
    resamples: int = 1000,
    clusters: ArrayLike | None = None,
    width: int = 1,
) -> tuple[np.ndarray, int]:
    """Return the resampled values behind `bootstrap_sums_interval`, (resamples, ...), and
    n_units."""
    index, n_drawn = _cluster_index(clusters, unit_stats.shape[0])
    if n_drawn < 1:
        raise ValueError("there is nothing to resample")
    if index is not None:
        unit_stats = sum_by(index, n_drawn, unit_stats)
    parts = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for sums in _resampled_sums(unit_stats, rng, resamples, width):
            parts.append(statistic(sums))
    return np.concatenate(parts), n_drawn


def sum_by(
    index: np.ndarray, n_groups: int, values: np.ndarray | sparse.csr_array
) -> np.ndarray | sparse.csr_array:
    """Return sum the rows of ``values`` (n, k) that share a group: (n_groups, k), dense or
    sparse."""
    rows = len(index)
    groups = sparse.csr_array(
        (np.ones(rows), (np.asarray(index), np.arange(rows))), shape=(n_groups, rows)
    )
    return groups @ values


def _resampled_sums(
    unit_stats: np.ndarray | sparse.csr_array, rng: np.random.Generator, resamples: int, width: int
) -> Iterator[np.ndarray]:
    n_units = unit_stats.shape[0]
    width = max(width, unit_stats.shape[1])
    if sparse.issparse(unit_stats):
        transposed = sparse.csr_array(unit_stats.T)
        for weights in resample_weights(rng, n_units, resamples, width=width):
            yield (transposed @ weights.T).T
        return
    table, counts = np.unique(np.asarray(unit_stats, np.float64), axis=0, return_counts=True)
    if 10 * len(table) < n_units:
        block = max(1, BLOCK_CELLS // max(len(table), width))
        for start in range(0, resamples, block):
            rows = min(block, resamples - start)
            drawn = rng.multinomial(n_units, counts / n_units, size=rows)
            yield drawn.astype(np.float64) @ table
        return
    table = np.repeat(table, counts, axis=0)
    for weights in resample_weights(rng, n_units, resamples, width=width):
        yield weights @ table


def _cluster_index(clusters: ArrayLike | None, n_units: int) -> tuple[np.ndarray | None, int]:
    if clusters is None:
        return None, n_units
    clusters = np.asarray(clusters)
    if clusters.shape != (n_units,):
        raise ValueError(f"clusters has shape {clusters.shape}, not ({n_units},)")
    names, index = np.unique(clusters, return_inverse=True)
    return index, len(names)


def _too_few(n_drawn: int, clusters: ArrayLike | None) -> str:
    """Return why so few units or clusters give no interval; empty if they do."""
    if n_drawn < 2:
        return "an interval needs at least two units to resample"
    if clusters is not None and n_drawn < FEWEST_CLUSTERS:
        return "an interval needs at least eight documents or segments to resample"
    return ""


def _no_interval(n_units: int, level: float, resamples: int, reason: str) -> Interval:
    return Interval(
        low=math.nan,
        high=math.nan,
        level=level,
        resamples=resamples,
        n_units=n_units,
        reason=reason,
    )


def _check(level: float, resamples: int) -> None:
    if not 0 < level < 1:
        raise ValueError(f"level is a share between 0 and 1, not {level}")
    if resamples < 1:
        raise ValueError(f"resamples is at least 1, not {resamples}")
