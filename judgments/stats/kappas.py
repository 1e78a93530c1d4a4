"""Chance-corrected agreement on categories: uniform, Cohen, Scott, Fleiss.

Sources: Bennett, Alpert and Goldstein (1954) S, the kappa of Callison-Burch et al. (WMT 2007);
Cohen (1960, 1968); Scott (1955); Fleiss (1971); Light (1971) for the mean over pairs; De Vries et
al. (2008) for the pooled kappa.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.coefficients import (
    NO_PAIRS,
    NO_RATINGS,
    NO_REPEATS,
    ONE_VALUE,
    Agreement,
    Ratings,
    chance_corrected,
    clean_ratings,
    codes_of,
    with_interval,
)
from judgments.stats.contingency import (
    KAPPA,
    average_kappa,
    category_codes,
    co_ratings,
    kappa_of_tables,
    tables_of,
)
from judgments.stats.pair_counts import pair_counts


def uniform_kappa(
    item: ArrayLike,
    annotator: ArrayLike,
    value: ArrayLike,
    *,
    k: int,
    which: str = "cross",
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
) -> Agreement:
    """Return Kappa with uniform chance 1/k, as in WMT07, from ratings in long form (n,) each.

    p_observed is the share of pairs of ratings of one item that have the same value: pairs of two
    annotators (``which="cross"``, inter-annotator), of an annotator's repeats (``"own"``, intra),
    or ``"all"``. ``clusters`` (n,) is the document of each row. Raise ValueError if k < 2 or if
    there are more than k values.
    """
    if k < 2:
        raise ValueError(f"chance agreement needs at least two categories, not k={k}")
    ratings = clean_ratings(item, annotator, value, clusters)
    return uniform_kappa_of(ratings, k, which, rng=rng, resamples=resamples, level=level)


def uniform_kappa_of(
    ratings: Ratings,
    k: int,
    which: str = "cross",
    *,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
) -> Agreement:
    """`uniform_kappa` of clean ratings."""
    if len(ratings.values) > k:
        raise ValueError(f"{len(ratings.values)} different values on a scale of k={k}")
    agree, pairs, n_annotators = pair_counts(ratings).select(which)
    stats = np.column_stack([agree, pairs])
    used = pairs > 0

    def statistic(sums: np.ndarray) -> np.ndarray:
        return chance_corrected(sums[..., 0] / sums[..., 1], 1 / k)

    if not used.any():
        reason = NO_RATINGS if not len(ratings) else NO_REPEATS if which == "own" else NO_PAIRS
        return Agreement("uniform kappa", math.nan, p_expected=1 / k, reason=reason)
    total = stats.sum(axis=0)
    result = Agreement(
        "uniform kappa",
        float(statistic(total)),
        p_observed=float(total[0] / total[1]),
        p_expected=1 / k,
        n_items=int(used.sum()),
        n_annotators=n_annotators,
        n_pairs=int(total[1]),
        n_agreeing=int(total[0]),
    )
    return with_interval(
        result,
        statistic,
        stats[used],
        rng=rng,
        resamples=resamples,
        level=level,
        clusters=None if ratings.cluster is None else ratings.cluster[used],
    )


def cohen_kappa(
    first: ArrayLike,
    second: ArrayLike,
    *,
    weights: str | None = None,
    categories: ArrayLike | None = None,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
) -> Agreement:
    """Return Cohen's kappa of two annotators' values (n_items,) each, NaN for missing.

    ``weights``: None, "linear" or "quadratic", on the positions of the values in ``categories``
    (the whole scale in order; the values that occur, sorted, if not given). ``clusters``
    (n_items,) is the document of each item. Raise ValueError for a value outside ``categories``.
    """
    return _two_raters(
        "Cohen's kappa", first, second, weights, categories, False, rng, resamples, level, clusters
    )


def scott_pi(
    first: ArrayLike,
    second: ArrayLike,
    *,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
) -> Agreement:
    """Return Scott's pi of two annotators' values (n_items,) each: chance from their pooled
    shares."""
    return _two_raters(
        "Scott's pi", first, second, None, None, True, rng, resamples, level, clusters
    )


def pairwise_cohen_kappa(
    item: ArrayLike,
    annotator: ArrayLike,
    value: ArrayLike,
    *,
    weights: str | None = None,
    categories: ArrayLike | None = None,
    average: str = "pooled",
    pooled_marginals: bool = False,
    min_shared: int = 1,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
) -> Agreement:
    """Return Cohen's kappa of many annotators, from ratings in long form (one per item and
    annotator).

    ``average="pooled"``: kappa of the observed and expected agreement averaged over pairs of
    annotators by the items they share (De Vries et al. 2008); ``"mean"``: the mean of the pairs'
    kappas, undefined ones left out (Light 1971). Pairs that share fewer than ``min_shared`` items
    are left out. With ``pooled_marginals`` chance comes from the pooled shares of the two: Scott's
    pi. Memory grows with the number of pairs of ratings, and time with that of resamples;
    `large_kappas_of` is for more of them.
    """
    name = f"{KAPPA[pooled_marginals]} ({average} over pairs)"
    ratings = clean_ratings(item, annotator, value, clusters, unique=True)
    at, left, right = co_ratings(ratings.item, ratings.annotator)
    pair = ratings.annotator[left].astype(np.int64) * len(ratings.annotators)
    _, pair = codes_of(pair + ratings.annotator[right])
    keep = (np.bincount(pair) >= min_shared)[pair]
    _, pair = codes_of(pair[keep])
    at, left, right = at[keep], left[keep], right[keep]
    codes, n_values = category_codes(ratings.values, categories)
    value_code = codes[ratings.value]
    rows, columns = value_code[left], value_code[right]
    tables, stats = tables_of(at, pair, rows, columns, n_values, weights, pooled_marginals)
    used = np.flatnonzero(np.bincount(at))
    result = kappa_of_tables(name, tables, stats, average)
    if not len(ratings):
        result = dataclasses.replace(result, reason=NO_RATINGS)
    result = dataclasses.replace(
        result,
        n_items=len(used),
        n_annotators=int(np.count_nonzero(np.bincount(ratings.annotator[np.append(left, right)]))),
    )
    return with_interval(
        result,
        lambda sums: average_kappa(*tables.disagreements(sums), average),
        stats,
        rng=rng,
        resamples=resamples,
        level=level,
        clusters=None if ratings.cluster is None else ratings.cluster[used],
        width=tables.width,
    )


def fleiss_kappa(
    counts: ArrayLike,
    *,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
) -> Agreement:
    """Return Fleiss' kappa of counts (n_items, k): how many annotators gave item i the category c.

    Every item needs the same number of ratings, at least two; otherwise the estimate is NaN and
    the reason names Krippendorff's alpha, which needs no such thing.
    """
    counts = np.asarray(counts, np.float64)
    if counts.ndim != 2:
        raise ValueError(f"counts must be (n_items, k), not {counts.shape}")
    if reason := _no_fleiss(counts):
        return Agreement("Fleiss' kappa", math.nan, n_items=len(counts), reason=reason)
    n = float(counts[0].sum())
    item_agreement = (counts * (counts - 1)).sum(axis=1) / (n * (n - 1))

    def shares(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        items = sums[..., 1:].sum(axis=-1) / n
        share = sums[..., 1:] / (items * n)[..., None]
        return sums[..., 0] / items, (share**2).sum(axis=-1)

    stats = np.column_stack([item_agreement, counts])
    observed, expected = shares(stats.sum(axis=0))
    estimate = float(chance_corrected(observed, expected))
    result = Agreement(
        "Fleiss' kappa",
        estimate,
        p_observed=float(observed),
        p_expected=float(expected),
        n_items=len(counts),
        n_annotators=int(n),
        n_pairs=round(len(counts) * n * (n - 1) / 2),
        reason=ONE_VALUE if math.isnan(estimate) else "",
    )
    return with_interval(
        result,
        lambda sums: chance_corrected(*shares(sums)),
        stats,
        rng=rng,
        resamples=resamples,
        level=level,
        clusters=clusters,
    )


def _no_fleiss(counts: np.ndarray) -> str:
    per_item = counts.sum(axis=1)
    if not per_item.any():
        return NO_RATINGS
    if len(np.unique(per_item)) > 1:
        return "items differ in their number of ratings: use Krippendorff's alpha"
    return NO_PAIRS if per_item[0] < 2 else ""


def _two_raters(
    name: str,
    first: ArrayLike,
    second: ArrayLike,
    weights: str | None,
    categories: ArrayLike | None,
    pooled_marginals: bool,
    rng: np.random.Generator | None,
    resamples: int,
    level: float,
    clusters: ArrayLike | None,
) -> Agreement:
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(
            "the two annotators' values must be one-dimensional and equally long, not "
            f"{first.shape} and {second.shape}"
        )
    both = ~np.isnan(first) & ~np.isnan(second)
    values, code = np.unique(np.concatenate([first[both], second[both]]), return_inverse=True)
    n = int(both.sum())
    codes, k = category_codes(values, categories)
    row, column = codes[code[:n]], codes[code[n:]]
    pair = np.zeros(n, np.intp)
    tables, stats = tables_of(np.arange(n), pair, row, column, k, weights, pooled_marginals)
    result = kappa_of_tables(name, tables, stats, "pooled")
    result = dataclasses.replace(result, n_items=n, n_annotators=2 if n else 0)
    return with_interval(
        result,
        lambda sums: average_kappa(*tables.disagreements(sums), "pooled"),
        stats,
        rng=rng,
        resamples=resamples,
        level=level,
        clusters=None if clusters is None else np.asarray(clusters)[both],
        width=tables.width,
    )
