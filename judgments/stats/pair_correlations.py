"""The mean correlation of two annotators, with its interval: Pearson's r, Kendall's tau-c.

Each two annotators are correlated over the items that both rated, and the correlations averaged,
every pair of annotators counting the same. tau-c = 2(C - D) m / (n² (m - 1)), with C concordant and
D discordant pairs of n items and m the smaller number of different values (Stuart 1953). C - D
comes from the table of the two annotators' values, summed up from its corner, so that a resample
costs as much as the table and not as much as its pairs of items.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.coefficients import (
    NO_RATINGS,
    Agreement,
    Ratings,
    add_interval,
    clean_ratings,
    codes_of,
)
from judgments.stats.contingency import co_ratings
from judgments.stats.resampling import bootstrap_interval

MEASURES = {"pearson": "Pearson's correlation", "kendall-c": "Kendall's tau-c"}
MAX_COST = 200_000_000
BLOCK = 2_000_000
TOO_MANY = "too many pairs of ratings for an interval"


@dataclass(frozen=True)
class _Pair:
    """What two annotators, ``who``, gave the items (n,) that both rated, and ``cluster`` (n,): what
    is resampled with each item, or None where items are."""

    who: tuple[int, int]
    item: np.ndarray
    x: np.ndarray
    y: np.ndarray
    cluster: np.ndarray | None = None

    @property
    def unit(self) -> np.ndarray:
        return self.item if self.cluster is None else self.cluster

    @functools.cached_property
    def moments(self) -> tuple[np.ndarray, np.ndarray]:
        """The distinct units (u,), and sums over their items of 1, x, y, x², y², xy (u, 6)."""
        x, y = self.x - self.x.mean(), self.y - self.y.mean()
        units, of = codes_of(self.unit)
        columns = (None, x, y, x * x, y * y, x * y)
        return units, np.column_stack([np.bincount(of, weights=column) for column in columns])


def mean_correlation(
    item: ArrayLike,
    annotator: ArrayLike,
    value: ArrayLike,
    *,
    measure: str = "pearson",
    min_shared: int = 2,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
) -> Agreement:
    """Return mean correlation over the pairs of annotators who share at least ``min_shared`` items.

    Ratings in long form, (n,) each, one per item and annotator; ``clusters`` (n,) is the document
    of each row. Pairs in which one annotator gave a single value are left out. Of a great many
    ratings the interval is left out, and ``interval_reason`` says so. Raise ValueError for an
    unknown measure and for an annotator who rated an item twice.
    """
    if measure not in MEASURES:
        raise ValueError(f"measure is one of {', '.join(MEASURES)}, not {measure!r}")
    ratings = clean_ratings(item, annotator, value, clusters, unique=True)
    name, least = f"{MEASURES[measure]} (mean over pairs)", max(min_shared, 2)
    pairs = _pairs(ratings, least)
    if not pairs:
        reason = f"no two annotators share {least} items" if len(ratings) else NO_RATINGS
        return Agreement(name, math.nan, reason=reason)
    statistic = _pearson if measure == "pearson" else _tau_c

    def mean(weights: np.ndarray) -> np.ndarray:
        total, defined = np.zeros(len(weights)), np.zeros(len(weights))
        for pair in pairs:
            found = statistic(pair, weights)
            total += np.where(np.isnan(found), 0, found)
            defined += ~np.isnan(found)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(defined > 0, total / defined, np.nan)

    n_items = len(ratings.items)
    n_units = n_items if ratings.cluster is None else int(ratings.cluster.max()) + 1
    estimate = float(mean(np.ones((1, n_units)))[0])
    result = Agreement(
        name,
        estimate,
        n_items=len(np.unique(np.concatenate([pair.item for pair in pairs]))),
        n_annotators=len({one for pair in pairs for one in pair.who}),
        n_pairs=sum(len(pair.item) for pair in pairs),
        reason="the ratings of the annotators do not vary" if math.isnan(estimate) else "",
    )
    if rng is None or result.reason:
        return result
    if resamples * sum(_cost(pair, measure) for pair in pairs) > MAX_COST:
        return dataclasses.replace(result, interval_reason=TOO_MANY)
    interval = bootstrap_interval(
        mean, n_units, rng=rng, resamples=resamples, level=level, width=n_items
    )
    return add_interval(result, interval)


def _pairs(ratings: Ratings, min_shared: int) -> list[_Pair]:
    at, left, right = co_ratings(ratings.item, ratings.annotator)
    a, b = ratings.annotator[left], ratings.annotator[right]
    values = ratings.values.astype(np.float64)
    order = np.lexsort((b, a))
    starts = np.flatnonzero(np.diff(a[order] * len(ratings.annotators) + b[order], prepend=-1))
    pairs = []
    for rows in np.split(order, starts[1:]) if len(order) else []:
        if len(rows) >= min_shared:
            x, y = (values[ratings.value[side[rows]]] for side in (left, right))
            item = at[rows]
            cluster = None if ratings.cluster is None else ratings.cluster[item]
            pairs.append(_Pair((int(a[rows[0]]), int(b[rows[0]])), item, x, y, cluster))
    return pairs


def _cost(pair: _Pair, measure: str) -> int:
    """Return cells that a resample goes through, roughly."""
    if measure == "pearson":
        return 2 * len(pair.item)
    return 2 * len(pair.item) + 3 * len(np.unique(pair.x)) * len(np.unique(pair.y))


def _pearson(pair: _Pair, weights: np.ndarray) -> np.ndarray:
    """Return r in each sample of weights (b, n_units)."""
    units, moments = pair.moments
    n, sx, sy, xx, yy, xy = (weights[:, units] @ moments).T
    with np.errstate(divide="ignore", invalid="ignore"):
        spread_x, spread_y = n * xx - sx**2, n * yy - sy**2
        varies = (spread_x > 1e-12 * n * xx) & (spread_y > 1e-12 * n * yy)
        return np.where(varies, (n * xy - sx * sy) / np.sqrt(spread_x * spread_y), np.nan)


def _tau_c(pair: _Pair, weights: np.ndarray) -> np.ndarray:
    """Return tau-c in each sample of weights (b, n_units)."""
    (xs, x), (ys, y) = codes_of(pair.x), codes_of(pair.y)
    cells = len(xs) * len(ys)
    block = max(1, BLOCK // max(cells, len(x)))
    parts = []
    for start in range(0, len(weights), block):
        some = weights[start : start + block, pair.unit]
        at = np.arange(len(some))[:, None] * cells + x * len(ys) + y
        counts = np.bincount(at.ravel(), weights=some.ravel(), minlength=len(some) * cells)
        parts.append(_tau_c_of_tables(counts.reshape(len(some), len(xs), len(ys))))
    return np.concatenate(parts)


def _tau_c_of_tables(table: np.ndarray) -> np.ndarray:
    """Return tau-c of tables (b, k, l) of counts."""
    below = np.cumsum(table, axis=1)
    corner = np.cumsum(below, axis=2)
    smaller = corner[:, :-1, :]  # all with a smaller first value, and the second up to this one
    concordant = (table[:, 1:, 1:] * smaller[:, :, :-1]).sum(axis=(1, 2))
    larger = smaller[:, :, -1:] - smaller
    discordant = (table[:, 1:, :] * larger).sum(axis=(1, 2))
    n = table.sum(axis=(1, 2))
    rows, columns = ((table.sum(axis=axis) > 0).sum(axis=1) for axis in (2, 1))
    m = np.minimum(rows, columns)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(m > 1, 2 * (concordant - discordant) * m / (n**2 * (m - 1)), np.nan)
