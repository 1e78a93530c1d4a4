"""Pooled Cohen's kappa and Scott's pi of very many annotators, without listing pairs of ratings.

The same figures as `kappas.pairwise_cohen_kappa` gives with ``average="pooled"``, from sums: how
far the ratings of an item are apart follows from how often it got each value, and what is expected
of two annotators from how often each gave each value to the items that both rated, a product of two
sparse matrices for every value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

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


def large_kappas(
    item: ArrayLike,
    annotator: ArrayLike,
    value: ArrayLike,
    *,
    readings: Sequence[tuple[str | None, bool]] = ((None, False),),
    categories: ArrayLike | None = None,
) -> tuple[Agreement, ...]:
    """A kappa for each of ``readings``: its weights, and whether chance is of pooled shares.

    Ratings in long form, (n,) each, one per item and annotator; the arguments are those of
    `kappas.pairwise_cohen_kappa`. No intervals. Time grows with the square of the number of
    annotators who share items.
    """
    ratings = clean_ratings(item, annotator, value, unique=True)
    codes, k = category_codes(ratings.values, categories)
    value_code = codes[ratings.value]
    counts = np.bincount(ratings.item * k + value_code, minlength=len(ratings.items) * k)
    counts = counts.reshape(len(ratings.items), k).astype(np.float64)
    sizes = counts.sum(axis=1)
    names = [f"{KAPPA[pooled]} (pooled over pairs)" for _, pooled in readings]
    n_pairs = float((sizes * (sizes - 1)).sum() / 2)
    if not n_pairs:
        reason = NO_PAIRS if len(ratings) else NO_RATINGS
        return tuple(Agreement(name, math.nan, reason=reason) for name in names)
    settings = [(_distance(k, weights), pooled) for weights, pooled in readings]
    observed = [((counts @ far) * counts).sum() / 2 / n_pairs for far, _ in settings]
    expected = _expected(ratings, value_code, settings) / n_pairs
    n = {
        "n_items": int((sizes > 1).sum()),
        "n_annotators": len(np.unique(ratings.annotator[sizes[ratings.item] > 1])),
        "n_pairs": round(n_pairs),
        "n_agreeing": round(float((counts * (counts - 1)).sum() / 2)),
    }
    return tuple(
        _kappa(name, float(far), float(by_chance), n)
        for name, far, by_chance in zip(names, observed, expected, strict=True)
    )


def _kappa(name: str, observed: float, expected: float, n: dict[str, int]) -> Agreement:
    kappa = 1 - observed / expected if expected > 1e-12 else math.nan
    return Agreement(
        name,
        kappa,
        p_observed=1 - observed,
        p_expected=1 - expected,
        d_observed=observed,
        d_expected=expected,
        reason=ONE_VALUE if math.isnan(kappa) else "",
        interval_reason=NO_INTERVAL,
        n_items=n["n_items"],
        n_annotators=n["n_annotators"],
        n_pairs=n["n_pairs"],
        n_agreeing=n["n_agreeing"],
    )


def _distance(k: int, weights: str | None) -> np.ndarray:
    found = distances(k, weights)
    return 1 - np.eye(k) if found is None else found


def _expected(
    ratings: Ratings, value_code: np.ndarray, settings: Sequence[tuple[np.ndarray, bool]]
) -> np.ndarray:
    """Expected disagreements of all pairs of ratings, summed, for each of ``settings``."""
    n, k = len(ratings.annotators), len(settings[0][0])
    shape = (n, len(ratings.items))

    def indicator(rows: np.ndarray) -> sparse.csr_array:
        at = ratings.annotator[rows], ratings.item[rows]
        return sparse.csr_array((np.ones(len(at[0])), at), shape)

    everyone = indicator(np.ones(len(ratings), bool))
    gave = [indicator(value_code == code) for code in range(k)]
    totals = np.zeros(len(settings))
    block = max(1, BLOCK_CELLS // max(2 * k * n, 1))
    for start in range(0, n, block):
        some = np.arange(start, min(start + block, n))
        # [c, a, b]: how often a gave the value c to items that b rated as well, and the reverse.
        own = np.array([(one[some] @ everyone.T).toarray() for one in gave])
        if len(some) == n:
            other = own.transpose(0, 2, 1)
        else:
            other = np.array([(one @ everyone[some].T).toarray().T for one in gave])
        shared = np.maximum(own.sum(axis=0), 1)
        shared[np.arange(len(some)), some] = np.inf  # nobody is paired with oneself
        for i, (distance, pooled) in enumerate(settings):
            mine, theirs = ((own + other) / 2,) * 2 if pooled else (own, other)
            far = np.tensordot(distance, theirs, axes=1)
            totals[i] += float(((mine * far).sum(axis=0) / shared).sum())
    return totals / 2
