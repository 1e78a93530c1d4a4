"""Agreement of each annotator with each other, for a heat map."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from judgments.stats.coefficients import Ratings, chance_corrected, clean_ratings

MEASURES = ("agreement", "uniform", "cohen", "alpha-nominal", "alpha-interval", "pearson")


@dataclass(frozen=True)
class AgreementMatrix:
    """``estimate`` (A, A) of each two of ``annotators`` (A,), symmetric, NaN where undefined.

    ``n_shared`` (A, A) counts the items both rated; on the diagonal, an annotator's items. The
    diagonal of ``estimate`` is NaN: nobody agrees with oneself. ``reason`` says when all is NaN.
    """

    measure: str
    annotators: np.ndarray
    estimate: np.ndarray
    n_shared: np.ndarray
    min_shared: int
    reason: str = ""

    def pairs(self) -> np.ndarray:
        """The defined estimates of different annotators, each pair once."""
        upper = self.estimate[np.triu_indices(len(self.annotators), k=1)]
        return upper[~np.isnan(upper)]


def agreement_matrix(
    item: ArrayLike,
    annotator: ArrayLike,
    value: ArrayLike,
    *,
    measure: str,
    k: int | None = None,
    min_shared: int = 2,
) -> AgreementMatrix:
    """Agreement of all pairs of annotators from ratings in long form, (n,) each.

    ``measure``: ``agreement`` (share of equal values), ``uniform`` (kappa with chance 1/k, needs
    ``k``), ``cohen``, ``alpha-nominal``, ``alpha-interval`` or ``pearson``. Pairs that share fewer
    than ``min_shared`` items are NaN. ValueError for an unknown measure and for an annotator who
    rated an item twice.
    """
    if measure not in MEASURES:
        raise ValueError(f"measure is one of {', '.join(MEASURES)}, not {measure!r}")
    if measure == "uniform" and (k is None or k < 2):
        raise ValueError("uniform kappa needs k, the number of categories, at least 2")
    ratings = clean_ratings(item, annotator, value, unique=True)
    shared = _dense(_indicator(ratings) @ _indicator(ratings).T)
    with np.errstate(divide="ignore", invalid="ignore"):
        if measure in ("pearson", "alpha-interval"):
            estimate = _from_moments(ratings, shared, measure)
        else:
            estimate = _from_categories(ratings, shared, measure, k)
    estimate = np.where(shared >= max(min_shared, 1), estimate, np.nan)
    np.fill_diagonal(estimate, np.nan)
    reason = ""
    if np.isnan(estimate).all():
        enough = shared[~np.eye(len(shared), dtype=bool)].max(initial=0) >= max(min_shared, 1)
        reason = (
            "the ratings of the annotators do not vary"
            if enough
            else f"no two annotators share {min_shared} items"
        )
    return AgreementMatrix(
        measure, ratings.annotators, estimate, shared.astype(np.int64), min_shared, reason
    )


def _indicator(ratings: Ratings, data: np.ndarray | None = None) -> sparse.csr_array:
    shape = (len(ratings.annotators), len(ratings.items))
    data = np.ones(len(ratings)) if data is None else data
    return sparse.csr_array((data, (ratings.annotator, ratings.item)), shape=shape)


def _dense(product: sparse.csr_array) -> np.ndarray:
    return np.asarray(product.todense(), np.float64)


def _from_categories(
    ratings: Ratings, shared: np.ndarray, measure: str, k: int | None
) -> np.ndarray:
    """Shares of equal values and of values by chance, one category after the other."""
    everyone = _indicator(ratings)
    equal, chance = np.zeros_like(shared), np.zeros_like(shared)
    for code in range(len(ratings.values)):
        gave = _indicator(ratings, (ratings.value == code).astype(np.float64))
        gave.eliminate_zeros()
        equal += _dense(gave @ gave.T)
        if measure not in ("cohen", "alpha-nominal"):
            continue
        # How often the row's annotator gave this value on items shared with the column's.
        count = _dense(gave @ everyone.T)
        if measure == "cohen":
            chance += count * count.T
        else:
            chance += (count + count.T) * (count + count.T - 1)
    observed = equal / shared
    if measure == "agreement":
        return observed
    if measure == "uniform" and k is not None:
        return chance_corrected(observed, np.full_like(shared, 1 / k))
    pairs = shared**2 if measure == "cohen" else 2 * shared * (2 * shared - 1)
    return chance_corrected(observed, chance / pairs)


def _from_moments(ratings: Ratings, shared: np.ndarray, measure: str) -> np.ndarray:
    values = ratings.values.astype(np.float64)[ratings.value]
    if measure == "pearson":
        # Around each annotator's mean, so that little is lost when sums are subtracted.
        n = np.bincount(ratings.annotator)
        values = values - (np.bincount(ratings.annotator, weights=values) / n)[ratings.annotator]
    elif len(values):
        values = values - np.median(ratings.values)
    everyone, x = _indicator(ratings), _indicator(ratings, values)
    total = _dense(x @ everyone.T)
    squares = _dense(_indicator(ratings, values**2) @ everyone.T)
    product = _dense(x @ x.T)
    if measure == "pearson":
        spread = shared * squares - total**2
        spread = np.where(spread > 1e-12 * shared * squares, spread, np.nan)
        return (shared * product - total * total.T) / np.sqrt(spread * spread.T)
    n = 2 * shared
    observed = (squares + squares.T - 2 * product) / shared
    both, both_squares = total + total.T, squares + squares.T
    between = n * both_squares - both**2
    between = np.where(between > 1e-12 * n * both_squares, between, np.nan)
    return 1 - observed * n * (n - 1) / (2 * between)
