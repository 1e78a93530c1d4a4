"""Coefficients of many short columns at once: one call where a loop would make thousands.

Human scores have the shape (S, N), metrics (M, S, N); a coefficient is taken down every column of
S values, so that results are (M, N). A value that either side lacks (NaN) is left out. An undefined
coefficient is NaN.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from judgments.stats.correlation import signs
from judgments.stats.ranks import concordance

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Below this, a mean, a rank correlation or a moment correlation of a group is not reported.
FEWEST = 3
# Columns up to this length are compared pair by pair, longer ones sorted.
LONGEST_DENSE = 64
GROUPINGS = ("none", "item", "system")


def check(human: ArrayLike, metrics: ArrayLike) -> tuple[Floats, Floats]:
    """Return both as arrays, if they fit: (S, N) and (M, S, N)."""
    human = np.asarray(human, dtype=np.float64)
    metrics = np.asarray(metrics, dtype=np.float64)
    if human.ndim != 2 or metrics.ndim != 3 or metrics.shape[1:] != human.shape:
        raise ValueError(
            "Expected human scores (systems, segments) and metrics (metrics, systems, segments), "
            f"got {human.shape} and {metrics.shape}."
        )
    return human, metrics


def regroup(human: Floats, metrics: Floats, grouping: str) -> tuple[Floats, Floats]:
    """Return the same scores, a group in each column: (n, G) and (M, n, G)."""
    if grouping not in GROUPINGS:
        raise ValueError(f"grouping must be 'none', 'item' or 'system', not {grouping!r}.")
    if grouping == "item":
        return human, metrics
    if grouping == "system":
        return human.T, metrics.transpose(0, 2, 1)
    return human.reshape(-1, 1), metrics.reshape(len(metrics), human.size, 1)


@dataclass(frozen=True, kw_only=True)
class ColumnPairCounts:
    """Pairs of a column's values, counted; arrays (M, N), or what broadcasts to it.

    ``difference``: concordant minus discordant pairs; ``untied``: concordant plus discordant;
    ``human``, ``metric``: pairs not tied in the human scores, in the metric's; ``pairs``: all.
    """

    difference: Ints
    untied: Ints
    human: Ints
    metric: Ints
    pairs: Ints

    @property
    def concordant(self) -> Ints:
        return (self.untied + self.difference) // 2

    @property
    def discordant(self) -> Ints:
        return (self.untied - self.difference) // 2

    @property
    def tied_in_both(self) -> Ints:
        return self.pairs - self.metric - self.human + self.untied

    @property
    def tied_in_metric_only(self) -> Ints:
        return self.human - self.untied


def align(human: Floats, metrics: Floats) -> tuple[Floats, Floats]:
    """Return both with NaN wherever either is missing: human (1 or M, S, N), metrics (M, S, N)."""
    human = human[None]
    lacking, unscored = np.isnan(human), np.isnan(metrics)
    if (unscored <= lacking).all():
        return human, np.where(lacking, np.nan, metrics) if lacking.any() else metrics
    gone = lacking | unscored
    return np.where(gone, np.nan, human), np.where(gone, np.nan, metrics)


def n_values(metrics: Floats) -> Ints:
    """Return how many values each column has, (M, N)."""
    return np.sum(~np.isnan(metrics), axis=-2)


def pearson_columns(human: Floats, metrics: Floats, fewest: int = FEWEST) -> Floats:
    """Return Pearson's r down each column, (M, N); ``fewest``: values that a column needs."""
    return _cosines(*align(human, metrics), fewest)


def spearman_columns(human: Floats, metrics: Floats, fewest: int = FEWEST) -> Floats:
    """Return Spearman's rho down each column, (M, N): r of the ranks, equal values sharing
    theirs."""
    human, metrics = align(human, metrics)
    return _cosines(ranks(human), ranks(metrics), fewest)


def kendall_columns(
    human: Floats,
    metrics: Floats,
    fewest: int = FEWEST,
    variant: str = "b",
    counts: ColumnPairCounts | None = None,
) -> Floats:
    """Return Kendall's tau-b or tau-c down each column, (M, N); ``counts``: of these pairs, if
    known."""
    counts = counts or count_pairs(human, metrics)
    human, metrics = align(human, metrics)
    n = n_values(metrics)
    with np.errstate(divide="ignore", invalid="ignore"):
        if variant == "b":
            scale = np.sqrt(counts.human) * np.sqrt(counts.metric)
        else:
            classes = np.minimum(n_distinct(human), n_distinct(metrics))
            scale = n**2 * (classes - 1) / (2 * classes)
        tau = counts.difference / scale
    is_defined = (n >= fewest) & (counts.human > 0) & (counts.metric > 0)
    return np.where(is_defined, np.clip(tau, -1, 1), np.nan)


def ranks(values: Floats) -> Floats:
    """Return ranks from 1 along the last axis but one, equal values sharing their mean; NaN stays
    NaN."""
    rows = np.ascontiguousarray(np.moveaxis(values, -2, -1))
    order = np.argsort(rows, axis=-1)
    ordered = np.take_along_axis(rows, order, axis=-1)
    place = np.broadcast_to(np.arange(1.0, rows.shape[-1] + 1), rows.shape)
    is_tied = ordered[..., 1:] == ordered[..., :-1]
    if is_tied.any():
        edge = np.ones((*rows.shape[:-1], 1), dtype=np.bool_)
        first = np.where(np.concatenate([edge, ~is_tied], axis=-1), place, 0)
        first = np.maximum.accumulate(first, axis=-1)
        last = np.where(np.concatenate([~is_tied, edge], axis=-1), place, np.inf)
        last = np.minimum.accumulate(last[..., ::-1], axis=-1)[..., ::-1]
        place = (first + last) / 2
    found = np.empty(rows.shape)
    np.put_along_axis(found, order, place, axis=-1)
    found[np.isnan(rows)] = np.nan
    return np.moveaxis(found, -1, -2)


def n_distinct(values: Floats) -> Ints:
    """Return how many different values each column has, NaN aside."""
    if not values.shape[-2]:
        return np.zeros((*values.shape[:-2], values.shape[-1]), dtype=np.int64)
    ordered = np.sort(values, axis=-2)
    is_new = ordered[..., 1:, :] > ordered[..., :-1, :]
    return np.sum(is_new, axis=-2) + ~np.isnan(ordered[..., 0, :])


def count_pairs(human: Floats, metrics: Floats) -> ColumnPairCounts:
    """Return the pairs of each column, counted; long columns by sorting."""
    if human.shape[0] > LONGEST_DENSE:
        return _count_sorted(*align(human, metrics))
    return _count_dense(*align(human, metrics))


def _count_dense(human: Floats, metrics: Floats) -> ColumnPairCounts:
    shape = metrics.shape[0], metrics.shape[2]
    difference, untied = np.zeros(shape, np.int16), np.zeros(shape, np.int16)
    of_metric, of_human = np.zeros(shape, np.int16), np.zeros((len(human), shape[1]), np.int16)
    for i in range(metrics.shape[1]):
        for j in range(i):
            theirs = signs(human[:, i], human[:, j])
            ours = signs(metrics[:, i], metrics[:, j])
            both = ours * theirs
            difference += both
            untied += np.abs(both)
            of_metric += np.abs(ours)
            of_human += np.abs(theirs)
    n = n_values(metrics)
    wide = np.int64
    return ColumnPairCounts(
        difference=difference.astype(wide),
        untied=untied.astype(wide),
        human=of_human.astype(wide),
        metric=of_metric.astype(wide),
        pairs=n * (n - 1) // 2,
    )


def _count_sorted(human: Floats, metrics: Floats) -> ColumnPairCounts:
    """As ``_count_dense``, by sorting."""
    shape = metrics.shape[0], metrics.shape[2]
    difference, untied, of_human, of_metric, pairs = np.zeros((5, *shape), dtype=np.int64)
    for m, n in np.ndindex(*shape):
        x, y = human[m if len(human) > 1 else 0, :, n], metrics[m, :, n]
        there = ~np.isnan(y)
        size = int(there.sum())
        pairs[m, n] = total = size * (size - 1) // 2
        difference[m, n], of_human[m, n], of_metric[m, n], in_both = concordance(x[there], y[there])
        untied[m, n] = of_human[m, n] + of_metric[m, n] - total + in_both
    return ColumnPairCounts(
        difference=difference, untied=untied, human=of_human, metric=of_metric, pairs=pairs
    )


def _cosines(x: Floats, y: Floats, fewest: int) -> Floats:
    """Return Pearson's r of columns that lack the same values; values are scaled, so none
    overflows."""
    n = n_values(y)
    x, x_varies = _standard(x)
    y, y_varies = _standard(y)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.einsum("msn,msn->mn", np.broadcast_to(x, y.shape), y)
    is_defined = (n >= fewest) & x_varies & y_varies
    return np.where(is_defined, np.clip(r, -1, 1), np.nan)


def _standard(values: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return columns centered and of length 1, with 0 for NaN, and which of them vary.

    They are centered before they are scaled: scores that differ by little, far from 0, would lose
    digits otherwise. The middle of the range is taken away first, since a sum may overflow.
    """
    is_there = ~np.isnan(values)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        top = values.max(axis=-2, initial=-np.inf, where=is_there)
        bottom = values.min(axis=-2, initial=np.inf, where=is_there)
        largest = np.maximum(np.abs(top), np.abs(bottom))
        # A column with an infinite value has no correlation, and differences at the 13th digit of
        # the values are rounding, not variation.
        varies = np.isfinite(largest) & (top / 2 - bottom / 2 > 0.5e-13 * largest)
        middle = np.where(varies, top / 2 + bottom / 2, 0.0)[..., None, :]
        reach = np.where(varies, top / 2 - bottom / 2, 1.0)[..., None, :]
        there = is_there & varies[..., None, :]
        scaled = np.where(there, (values / 2 - middle / 2) / reach, 0.0)
        mean = scaled.sum(axis=-2) / np.sum(is_there, axis=-2)
        centered = np.where(there, scaled - mean[..., None, :], 0.0)
        length = np.sqrt(np.einsum("...sn,...sn->...n", centered, centered))
        standard = centered / length[..., None, :]
    return np.where(varies[..., None, :], standard, 0.0), varies
