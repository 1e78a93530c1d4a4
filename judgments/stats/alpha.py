"""Krippendorff's alpha (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability").

alpha = 1 - D_o/D_e. Per item, the squared differences of all ordered pairs of its m values, divided
by m - 1, add up to n·D_o, with n the number of pairable values; D_e averages over all pairs of
values in the data. Items with one value are left out; missing values need no care.

The ordinal difference of two values is that of their midranks among all pairable values, so
ordinal alpha is interval alpha of midranks.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from judgments.stats.coefficients import (
    NO_PAIRS,
    NO_RATINGS,
    ONE_VALUE,
    TOO_MANY_VALUES,
    Agreement,
    Ratings,
    add_interval,
    clean_ratings,
    matrix_to_long,
    with_interval,
)
from judgments.stats.resampling import BLOCK_CELLS, bootstrap_interval

LEVELS = ("nominal", "ordinal", "interval", "ratio")
MAX_RATIO_VALUES = 2000
FEW_VALUES = 12
NAME = "Krippendorff's alpha ({})"


def krippendorff_alpha(
    ratings: ArrayLike,
    level: str = "interval",
    *,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    clusters: ArrayLike | None = None,
) -> Agreement:
    """Return Alpha of ``ratings`` (n_annotators, n_items), NaN for missing.

    ``level``: nominal, ordinal, interval or ratio. ``clusters`` (n_items,) is the document of each
    item. ``confidence`` is the level of the bootstrap interval. Other notes: `alpha_from_long`.
    """
    item, annotator, value = matrix_to_long(ratings)
    if clusters is not None:
        clusters = np.asarray(clusters)
        if clusters.shape != (np.shape(ratings)[1],):
            raise ValueError(f"clusters has shape {clusters.shape}, not one per item")
        clusters = clusters[item]
    return alpha_from_long(
        item,
        annotator,
        value,
        level,
        rng=rng,
        resamples=resamples,
        confidence=confidence,
        clusters=clusters,
    )


def alpha_from_long(
    item: ArrayLike,
    annotator: ArrayLike,
    value: ArrayLike,
    level: str = "interval",
    *,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    clusters: ArrayLike | None = None,
) -> Agreement:
    """Return Alpha of ratings in long form, (n,) each; ``clusters`` (n,) is the document of each
    row.

    p_observed and p_expected are given for nominal alpha; d_observed and d_expected always, in
    squared units of the scale. Raise ValueError for an annotator who rated an item twice, an
    unknown level, and for ratio values below 0. Of more than 2,000 different values ratio alpha is
    undefined: the distances of all pairs of them would be kept.
    """
    options: AlphaOptions = {"rng": rng, "resamples": resamples, "confidence": confidence}
    return alphas_from_long(item, annotator, value, (level,), clusters=clusters, **options)[0]


class AlphaOptions(TypedDict):
    rng: np.random.Generator | None
    resamples: int
    confidence: float


def alphas_from_long(
    item: ArrayLike,
    annotator: ArrayLike,
    value: ArrayLike,
    levels: Sequence[str],
    *,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    clusters: ArrayLike | None = None,
) -> tuple[Agreement, ...]:
    """`alpha_from_long` at each of ``levels``, for the price of sorting the ratings once."""
    for level in levels:
        if level not in LEVELS:
            raise ValueError(f"level is one of {', '.join(LEVELS)}, not {level!r}")
    options: AlphaOptions = {"rng": rng, "resamples": resamples, "confidence": confidence}
    return alphas_of(
        clean_ratings(item, annotator, value, clusters, unique=True), levels, **options
    )


def alphas_of(
    ratings: Ratings,
    levels: Sequence[str],
    *,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
) -> tuple[Agreement, ...]:
    """`alphas_from_long` of clean ratings, one per item and annotator."""
    counts, kept, values = _pairable(ratings)
    if not counts.shape[0]:
        reason = NO_PAIRS if len(ratings) else NO_RATINGS
        return tuple(Agreement(NAME.format(level), math.nan, reason=reason) for level in levels)
    n_annotators = len(ratings.annotators_of(kept))
    too_many = len(values) > MAX_RATIO_VALUES and values.min() >= 0
    documents = None if ratings.cluster is None else ratings.cluster[kept]
    options: AlphaOptions = {"rng": rng, "resamples": resamples, "confidence": confidence}
    return tuple(
        Agreement(NAME.format(level), math.nan, reason=TOO_MANY_VALUES)
        if level == "ratio" and too_many
        else dataclasses.replace(
            _of_counts(counts, values.astype(np.float64), level, documents, **options),
            n_annotators=n_annotators,
        )
        for level in levels
    )


def _of_counts(
    counts: sparse.csr_array,
    values: np.ndarray,
    level: str,
    documents: np.ndarray | None,
    rng: np.random.Generator | None,
    resamples: int,
    confidence: float,
) -> Agreement:
    """Return Alpha of how often each item got each of ``values``, without n_annotators."""
    stats, disagreements = _sufficient(counts, values, level)
    observed, expected = (float(d[0]) for d in disagreements(stats.sum(axis=0)[None, :]))
    estimate = float(_alpha(np.array(observed), np.array(expected)))
    nominal = level == "nominal"
    sizes = counts.sum(axis=1)
    result = Agreement(
        NAME.format(level),
        estimate,
        p_observed=1 - observed if nominal else math.nan,
        p_expected=1 - expected if nominal else math.nan,
        d_observed=observed,
        d_expected=expected,
        n_items=counts.shape[0],
        n_pairs=int((sizes * (sizes - 1) / 2).sum()),
        reason=ONE_VALUE if math.isnan(estimate) else "",
    )
    if level == "ordinal" and len(values) > FEW_VALUES:
        return _with_ordinal_interval(result, counts, rng, resamples, confidence, documents)
    return with_interval(
        result,
        lambda sums: _alpha(*disagreements(sums)),
        stats,
        rng=rng,
        resamples=resamples,
        level=confidence,
        clusters=documents,
    )


def _with_ordinal_interval(
    result: Agreement,
    counts: sparse.csr_array,
    rng: np.random.Generator | None,
    resamples: int,
    confidence: float,
    clusters: np.ndarray | None,
) -> Agreement:
    """Return ranks depend on the whole resample, so this statistic needs the weights, not sums."""
    if rng is None or math.isnan(result.estimate):
        return result
    interval = bootstrap_interval(
        lambda weights: _alpha(*_ordinal_disagreements(counts, weights)),
        counts.shape[0],
        rng=rng,
        resamples=resamples,
        level=confidence,
        clusters=clusters,
        width=counts.shape[1],
    )
    return add_interval(result, interval)


def _pairable(ratings: Ratings) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
    """Return counts (items with two or more values, values in them), which items, and which
    values."""
    kept, counts = ratings.sizes > 1, ratings.counts
    if not kept.all():
        counts = counts[kept]
    found = np.bincount(counts.indices, minlength=len(ratings.values)) > 0
    return (counts if found.all() else counts[:, found]), kept, ratings.values[found]


def _alpha(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 0, 1 - observed / expected, np.nan)


Disagreements = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


def _sufficient(
    counts: sparse.csr_array, values: np.ndarray, level: str
) -> tuple[np.ndarray | sparse.csr_array, Disagreements]:
    """Return statistics per item (n_items, k), and their sums (b, k) → (D_o, D_e), (b,) each."""
    if level == "interval":
        return _interval_sums(counts, values), _interval_disagreements
    if level == "ordinal" and len(values) <= FEW_VALUES:
        return _coincidences(counts), _coincident_ranks(len(values))
    if level == "ordinal":
        ones = sparse.csr_array(np.ones((counts.shape[0], 1)))

        def of_everything(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return _ordinal_disagreements(counts, np.ones((len(sums), counts.shape[0])))

        return ones, of_everything
    sizes = counts.sum(axis=1)
    distance = None if level == "nominal" else _ratio_distance(values)
    if distance is None:
        within = sizes**2 - (counts**2).sum(axis=1)
    else:
        within = _within(counts, distance)
    within = np.asarray(within / (sizes - 1))

    def disagreements(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        each = sums[..., 1:]
        n = each.sum(axis=-1)
        if distance is None:
            between = n**2 - (each**2).sum(axis=-1)
        else:
            between = ((each @ distance) * each).sum(axis=-1)
        return sums[..., 0] / n, between / (n * (n - 1))

    return sparse.hstack([sparse.csr_array(within[:, None]), counts]).tocsr(), disagreements


def _ratio_distance(values: np.ndarray) -> np.ndarray:
    if values.min() < 0:
        raise ValueError("a ratio scale has no values below 0")
    total = np.add.outer(values, values)
    return (np.subtract.outer(values, values) / np.where(total > 0, total, 1)) ** 2


def _within(counts: sparse.csr_array, distance: np.ndarray) -> np.ndarray:
    """Return the distances of all ordered pairs of values of each item, summed, (n_items,)."""
    n_items, k = counts.shape
    block = max(1, BLOCK_CELLS // max(k, 1))
    parts = []
    for start in range(0, n_items, block):
        some = counts[start : start + block]
        row = np.repeat(np.arange(some.shape[0]), np.diff(some.indptr))
        products = some.data * (some @ distance)[row, some.indices]
        parts.append(np.bincount(row, weights=products, minlength=some.shape[0]))
    return np.concatenate(parts)


def _interval_sums(counts: sparse.csr_array, values: np.ndarray) -> np.ndarray:
    """Return per item: n·D_o's part, number, sum and sum of squares of its values."""
    # Differences do not change, and sums of squares lose fewer digits, around a middle value.
    values = values - values[len(values) // 2]
    n = counts.sum(axis=1)
    total, squares = counts @ values, counts @ values**2
    means = total / n
    spread = counts.copy()
    item = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    spread.data = counts.data * (values[counts.indices] - means[item]) ** 2
    within = 2 * n * spread.sum(axis=1) / (n - 1)
    return np.column_stack([within, n, total, squares])


def _interval_disagreements(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    within, n, total, squares = np.moveaxis(sums, -1, 0)
    between = 2 * (n * squares - total**2)
    between = np.where(between > 1e-12 * n * squares, between, 0)  # what is left of rounding
    return within / n, between / (n * (n - 1))


def _coincidences(counts: sparse.csr_array) -> np.ndarray:
    """Return each item's part of the coincidence matrix of k values, (n_items, k(k + 1)/2).

    The upper triangle: both orders of two different values are counted in its one cell.
    """
    dense = counts.toarray()
    sizes = dense.sum(axis=1)
    row, column = np.triu_indices(dense.shape[1])
    pairs = np.empty((dense.shape[0], len(row)))
    for cell, (c, k) in enumerate(zip(row, column, strict=True)):
        pairs[:, cell] = dense[:, c] * (dense[:, c] - 1 if c == k else 2 * dense[:, k])
    return pairs / (sizes - 1)[:, None]


def _coincident_ranks(n_values: int) -> Disagreements:
    """Return sums of `_coincidences` → D_o and D_e of the midranks, which follow from its
    margins."""
    row, column = np.triu_indices(n_values)
    margins = np.zeros((len(row), n_values))
    cells = np.arange(len(row))
    np.add.at(margins, (cells, row), 0.5)
    np.add.at(margins, (cells, column), 0.5)

    def disagreements(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        each = sums @ margins
        n = each.sum(axis=-1)
        ranks = np.cumsum(each, axis=-1) - each / 2 - n[..., None] / 2
        observed = (sums * (ranks[..., row] - ranks[..., column]) ** 2).sum(axis=-1) / n
        return observed, 2 * (each * ranks**2).sum(axis=-1) / (n - 1)

    return disagreements


def _ordinal_disagreements(
    counts: sparse.csr_array, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return weights of items (b, n_items) → D_o and D_e of the midranks in each weighted
    sample."""
    sizes = counts.sum(axis=1)
    each = np.asarray(weights @ counts)
    n = each.sum(axis=1)
    # Midranks around the middle, so that the sum over all values is 0.
    ranks = np.cumsum(each, axis=1) - each / 2 - n[:, None] / 2
    total = np.asarray((counts @ ranks.T).T)
    squares = np.asarray((counts @ (ranks**2).T).T)
    within = 2 * (sizes * squares - total**2) / (sizes - 1)
    observed = (weights * within).sum(axis=1) / n
    expected = 2 * (each * ranks**2).sum(axis=1) / (n - 1)
    return observed, expected
