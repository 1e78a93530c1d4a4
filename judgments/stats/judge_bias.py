"""Where a judge leans: shares, means and slopes with intervals by bootstrap over documents."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.resampling import bootstrap_sums_interval

RESAMPLES = 1000


@dataclass(frozen=True)
class Leaning:
    """``n`` units (outputs, comparisons, answers) in ``n_clusters``; NaN where undefined, and
    ``reason`` says why, or why there is no interval."""

    estimate: float
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    n_clusters: int = 0
    reason: str = ""


def share(hits: ArrayLike, of: ArrayLike, clusters: ArrayLike, rng: np.random.Generator) -> Leaning:
    """Return the sum of ``hits`` (n,) over that of ``of`` (n,), which is its ``n``."""
    stats = np.column_stack([hits, of]).astype(float)
    found = _leaning(lambda sums: sums[..., 0] / sums[..., 1], stats, clusters, rng)
    return replace(found, n=round(float(stats[:, 1].sum())))


def difference(
    values: ArrayLike, group: ArrayLike, clusters: ArrayLike, rng: np.random.Generator
) -> Leaning:
    """Return the mean of ``values`` (n,) in the group, bool (n,), minus that of the others."""
    y, inside = np.asarray(values, float), np.asarray(group, bool)
    stats = np.column_stack([inside * y, inside, ~inside * y, ~inside]).astype(float)
    return _leaning(lambda s: s[..., 0] / s[..., 1] - s[..., 2] / s[..., 3], stats, clusters, rng)


def slope(
    y: ArrayLike,
    x: ArrayLike,
    clusters: ArrayLike,
    rng: np.random.Generator,
    *,
    through_zero: bool = False,
) -> Leaning:
    """Return the least-squares slope of ``y`` (n,) on ``x`` (n,); ``through_zero`` without an
    intercept: for differences of two outputs, of which either may be called the first."""
    y, x = np.asarray(y, float), np.asarray(x, float)
    if through_zero:
        stats = np.column_stack([x * y, x * x])
        return _leaning(lambda s: _over(s[..., 0], s[..., 1]), stats, clusters, rng)
    x = x - (x.mean() if len(x) else 0)  # no digits lost in squares
    stats = np.column_stack([np.ones_like(x), x, y, x * y, x * x])

    def statistic(s: np.ndarray) -> np.ndarray:
        n = s[..., 0]
        spread = s[..., 4] - s[..., 1] ** 2 / n
        spread = np.where(spread > 1e-12 * s[..., 4], spread, 0)
        return _over(s[..., 3] - s[..., 1] * s[..., 2] / n, spread)

    return _leaning(statistic, stats, clusters, rng)


def _over(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return NaN where ``b`` is 0."""
    return np.divide(a, b, out=np.full(np.shape(a), math.nan), where=b != 0)


def _leaning(
    statistic: Callable[[np.ndarray], np.ndarray],
    stats: np.ndarray,
    clusters: ArrayLike,
    rng: np.random.Generator,
) -> Leaning:
    n, n_clusters = len(stats), len(np.unique(np.asarray(clusters)))
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = float(statistic(stats.sum(axis=0))) if n else math.nan
    if math.isnan(estimate):
        return Leaning(math.nan, n=n, n_clusters=n_clusters, reason="there is nothing to tell from")
    found = bootstrap_sums_interval(
        statistic, stats, rng=rng, resamples=RESAMPLES, clusters=clusters
    )
    low, high = float(found.low), float(found.high)
    return Leaning(estimate, low, high, n, n_clusters, found.reason)
