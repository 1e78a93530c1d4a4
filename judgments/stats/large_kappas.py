"""Pooled Cohen's kappa and Scott's pi of very many annotators, without listing pairs of ratings.

The same figures as `kappas.pairwise_cohen_kappa` gives with ``average="pooled"``, from sums: how
far the ratings of an item are apart follows from how often it got each value, and what is expected
of two annotators from how often each gave each value to the items that both rated, a product of two
sparse matrices for every value.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from judgments.stats.coefficients import (
    NO_PAIRS,
    NO_RATINGS,
    ONE_VALUE,
    Agreement,
    Ratings,
    clean_ratings,
)
from judgments.stats.contingency import KAPPA, category_codes, distances
from judgments.stats.resampling import BLOCK_CELLS

NO_INTERVAL = "too many pairs of ratings for an interval of this figure"


def large_cohen_kappa(
    item: ArrayLike,
    annotator: ArrayLike,
    value: ArrayLike,
    *,
    weights: str | None = None,
    categories: ArrayLike | None = None,
    pooled_marginals: bool = False,
) -> Agreement:
    """Kappa of ratings in long form, (n,) each, one per item and annotator; no interval.

    Arguments as of `kappas.pairwise_cohen_kappa`. Time grows with the square of the
    number of annotators.
    """
    name = f"{KAPPA[pooled_marginals]} (pooled over pairs)"
    ratings = clean_ratings(item, annotator, value, unique=True)
    codes, k = category_codes(ratings.values, categories)
    value_code = codes[ratings.value]
    distance = distances(k, weights)
    if distance is None:
        distance = 1 - np.eye(k)
    n_items = len(ratings.items)
    counts = np.bincount(ratings.item * k + value_code, minlength=n_items * k)
    counts = counts.reshape(n_items, k).astype(np.float64)
    sizes = counts.sum(axis=1)
    n_pairs = (sizes * (sizes - 1)).sum() / 2
    if not n_pairs:
        return Agreement(name, math.nan, reason=NO_PAIRS if len(ratings) else NO_RATINGS)
    observed = float(((counts @ distance) * counts).sum() / 2 / n_pairs)
    expected = _expected(ratings, value_code, distance, pooled_marginals) / n_pairs
    kappa = 1 - observed / expected if expected > 1e-12 else math.nan
    return Agreement(
        name,
        kappa,
        p_observed=1 - observed,
        p_expected=1 - expected,
        d_observed=observed,
        d_expected=expected,
        n_items=int((sizes > 1).sum()),
        n_annotators=len(np.unique(ratings.annotator[sizes[ratings.item] > 1])),
        n_pairs=round(n_pairs),
        n_agreeing=round(float((counts * (counts - 1)).sum() / 2)),
        reason=ONE_VALUE if math.isnan(kappa) else "",
        interval_reason=NO_INTERVAL,
    )


def _expected(
    ratings: Ratings, value_code: np.ndarray, distance: np.ndarray, pooled_marginals: bool
) -> float:
    """Expected disagreements of all pairs of ratings, summed."""
    n, k = len(ratings.annotators), len(distance)
    shape = (n, len(ratings.items))

    def indicator(rows: np.ndarray) -> sparse.csr_array:
        at = ratings.annotator[rows], ratings.item[rows]
        return sparse.csr_array((np.ones(len(at[0])), at), shape)

    everyone = indicator(np.ones(len(ratings), bool))
    gave = [indicator(value_code == code) for code in range(k)]
    total = 0.0
    block = max(1, BLOCK_CELLS // max(2 * k * n, 1))
    for start in range(0, n, block):
        some = np.arange(start, min(start + block, n))
        # [c, a, b]: how often a gave the value c to items that b rated as well, and the reverse.
        own = np.array([(one[some] @ everyone.T).toarray() for one in gave])
        other = np.array([(one @ everyone[some].T).toarray().T for one in gave])
        if pooled_marginals:
            own = other = (own + other) / 2
        shared = own.sum(axis=0)
        apart = np.zeros(shared.shape)
        for code in range(k):
            apart += own[code] * np.tensordot(distance[code], other, axes=1)
        apart[np.arange(len(some)), some] = 0
        total += float((apart / np.maximum(shared, 1)).sum())
    return total / 2
