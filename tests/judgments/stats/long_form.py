"""Coefficients of agreement for the forms of published examples: ratings in long form, tables of
counts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.agreement import cohen_kappa, scott_pi
from judgments.stats.annotator_matrix import AgreementMatrix, matrix_of
from judgments.stats.coefficients import Agreement, clean_ratings
from judgments.stats.contingency import category_codes
from judgments.stats.icc import crossed_of, one_way_of
from judgments.stats.large_kappas import large_kappas_of


def collapse_repeats(
    item: ArrayLike, annotator: ArrayLike, value: ArrayLike, *, how: str = "mean"
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return one rating per (item, annotator): the ``mean``, ``first`` or ``last`` in row order."""
    ratings = clean_ratings(item, annotator, value)
    key = ratings.item.astype(np.int64) * len(ratings.annotators) + ratings.annotator
    keys, first, group, counts = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    if how == "mean":
        sums = np.bincount(group, weights=ratings.values[ratings.value], minlength=len(keys))
        collapsed = sums / np.maximum(counts, 1)
    elif how in ("first", "last"):
        if how == "last":
            first = np.zeros(len(keys), np.intp)
            first[group] = np.arange(len(group))
        collapsed = ratings.values[ratings.value[first]]
    else:
        raise ValueError(f"how is 'mean', 'first' or 'last', not {how!r}")
    item_code, annotator_code = np.divmod(keys, max(len(ratings.annotators), 1))
    return ratings.items[item_code], ratings.annotators[annotator_code], collapsed


def agreement_matrix(
    item: ArrayLike,
    annotator: ArrayLike,
    value: ArrayLike,
    *,
    measure: str,
    k: int | None = None,
    min_shared: int = 2,
) -> AgreementMatrix:
    """Return the agreement of all pairs of annotators from ratings in long form, (n,) each.

    ``measure``: ``agreement`` (share of equal values), ``uniform`` (kappa with chance 1/k, needs
    ``k``), ``cohen``, ``alpha-nominal``, ``alpha-interval`` or ``pearson``. Pairs that share fewer
    than ``min_shared`` items are NaN. Raise ValueError for an unknown measure and for an annotator
    who rated an item twice.
    """
    ratings = clean_ratings(item, annotator, value, unique=True)
    return matrix_of(ratings, measure=measure, k=k, min_shared=min_shared)


def large_kappas(
    item: ArrayLike,
    annotator: ArrayLike,
    value: ArrayLike,
    *,
    readings: Sequence[tuple[str | None, bool]] = ((None, False),),
    categories: ArrayLike | None = None,
) -> tuple[Agreement, ...]:
    """Return a kappa for each of ``readings``: its weights, and whether chance uses pooled shares.

    Ratings in long form, (n,) each, one per item and annotator; the arguments are those of
    `kappas.pairwise_cohen_kappa`. No intervals. Time grows with the square of the number of
    annotators who share items.
    """
    ratings = clean_ratings(item, annotator, value, unique=True)
    codes, k = category_codes(ratings.values, categories)
    return large_kappas_of(ratings, codes, k, readings)


def icc_one_way(
    item: ArrayLike,
    annotator: ArrayLike,
    value: ArrayLike,
    *,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
) -> Agreement:
    """Return ICC(1,1) of ratings in long form, (n,) each, by any annotators, and any number per
    item.

    Items with one rating are left out. ``clusters`` (n,) is the document of each row. With the same
    number of ratings everywhere it equals ``icc(…, "1,1")``.
    """
    ratings = clean_ratings(item, annotator, value, clusters)
    return one_way_of(ratings, rng=rng, resamples=resamples, level=level)


def crossed_ratings(
    item: ArrayLike, annotator: ArrayLike, value: ArrayLike, *, share: float = 0.5
) -> tuple[np.ndarray, np.ndarray, str]:
    """Return the ratings of the annotators who rated most items together, in the form that `icc`
    takes.

    Ratings in long form, (n,) each, one per item and annotator. The result is the matrix
    (n_annotators, n_items), the names of its items, and a reason if there is no matrix: more than
    ``share`` of the items with two or more ratings have to be rated by exactly the same people.
    """
    return crossed_of(clean_ratings(item, annotator, value, unique=True), share)


def expand_table(table: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return row and column of each cell of a square table of counts, and its count."""
    table = np.asarray(table)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"a table of two annotators is square, not {table.shape}")
    row, column = np.indices(table.shape)
    return row.ravel(), column.ravel(), table.ravel()


def cohen_kappa_of_table(table: ArrayLike, *, weights: str | None = None) -> Agreement:
    """Return Cohen's kappa of a table of counts (k, k): row = first annotator, column = second."""
    row, column, counts = expand_table(table)
    return cohen_kappa(
        np.repeat(row, counts),
        np.repeat(column, counts),
        weights=weights,
        categories=np.arange(len(np.asarray(table))),
    )


def scott_pi_of_table(table: ArrayLike) -> Agreement:
    """Return Scott's pi of a table of counts (k, k)."""
    row, column, counts = expand_table(table)
    return scott_pi(np.repeat(row, counts), np.repeat(column, counts))
