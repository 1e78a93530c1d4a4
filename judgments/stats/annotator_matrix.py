"""Agreement of each annotator with each other, for a heat map."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from judgments.stats.coefficients import Ratings, chance_corrected
from judgments.stats.shared_items import by_annotator, by_item, by_value, dense, equal, given

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
        """Return the defined estimates of different annotators, each pair once."""
        upper = self.estimate[np.triu_indices(len(self.annotators), k=1)]
        return upper[~np.isnan(upper)]


def matrix_of(
    ratings: Ratings, *, measure: str, k: int | None = None, min_shared: int = 2
) -> AgreementMatrix:
    """Return agreement of all pairs of annotators, from at most one rating per annotator and item.

    ``measure``: ``agreement`` (share of equal values), ``uniform`` (kappa with chance 1/k, needs
    ``k``), ``cohen``, ``alpha-nominal``, ``alpha-interval`` or ``pearson``. Pairs that share fewer
    than ``min_shared`` items are NaN. Raise ValueError for an unknown measure.
    """
    if measure not in MEASURES:
        raise ValueError(f"measure is one of {', '.join(MEASURES)}, not {measure!r}")
    if measure == "uniform" and (k is None or k < 2):
        raise ValueError("uniform kappa needs k, the number of categories, at least 2")
    with np.errstate(divide="ignore", invalid="ignore"):
        if measure in ("pearson", "alpha-interval"):
            shared, estimate = _from_moments(ratings, measure)
        else:
            shared, estimate = _from_categories(ratings, measure, k)
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


def _from_categories(
    ratings: Ratings, measure: str, k: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return shared items, and agreement from equal values and values by chance, (A, A) each."""
    n = len(ratings.annotators)
    shared, chance = np.zeros((n, n)), np.zeros((n, n))
    # How often the row's annotator gave a value on items shared with the column's.
    counts: Iterable[np.ndarray] | None = given(ratings)
    if counts is None:
        everyone = by_item(ratings)
        counts = (dense(gave @ everyone) for gave in by_value(ratings))
    for count in counts:
        shared += count
        if measure == "cohen":
            chance += count * count.T
        elif measure == "alpha-nominal":
            chance += (count + count.T) * (count + count.T - 1)
    observed = equal(ratings) / shared
    if measure == "agreement":
        return shared, observed
    if measure == "uniform" and k is not None:
        return shared, chance_corrected(observed, np.full_like(shared, 1 / k))
    pairs = shared**2 if measure == "cohen" else 2 * shared * (2 * shared - 1)
    return shared, chance_corrected(observed, chance / pairs)


def _from_moments(ratings: Ratings, measure: str) -> tuple[np.ndarray, np.ndarray]:
    """Return shared items, and agreement from sums of values and of their squares, (A, A) each."""
    shared, total, squares, product = _sums_of_whole(ratings) or _sums(ratings, measure)
    if measure == "pearson":
        spread = shared * squares - total**2
        spread = np.where(spread > 1e-12 * shared * squares, spread, np.nan)
        return shared, (shared * product - total * total.T) / np.sqrt(spread * spread.T)
    n = 2 * shared
    observed = (squares + squares.T - 2 * product) / shared
    both, both_squares = total + total.T, squares + squares.T
    between = n * both_squares - both**2
    between = np.where(between > 1e-12 * n * both_squares, between, np.nan)
    return shared, 1 - observed * n * (n - 1) / (2 * between)


Sums = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _sums(ratings: Ratings, measure: str) -> Sums:
    """Return for what both rated, (A, A) each: how many items, the sum of the row's values, of
    their squares, and of the products of both. Values are shifted, which changes neither
    measure."""
    values = ratings.values.astype(np.float64)[ratings.value]
    if measure == "pearson":
        # Around each annotator's mean, so that little is lost when sums are subtracted.
        n = np.bincount(ratings.annotator)
        values = values - (np.bincount(ratings.annotator, weights=values) / n)[ratings.annotator]
    elif len(values):
        values = values - np.median(ratings.values)
    # Two sums in one product, as its real and its imaginary part, for little more than one costs.
    items = by_item(ratings).astype(np.complex128)
    both = dense(by_annotator(ratings, 1 + 1j * values**2) @ items)
    shared, squares = both.real, both.imag
    both = dense(by_annotator(ratings, values + 1j) @ by_item(ratings, values).astype(complex))
    return shared, both.imag.T, squares, both.real


def _sums_of_whole(ratings: Ratings) -> Sums | None:
    """Return the same, exactly, of values that are whole numbers when doubled, as scores and means
    of two scores are; three sums are then parts of one number. None for others, and where it is too
    small.
    """
    doubled = 2 * ratings.values.astype(np.float64)
    if not len(doubled) or not (doubled == np.floor(doubled)).all():
        return None
    codes = doubled - doubled[0]
    most, top = int(np.bincount(ratings.annotator).max()), int(codes[-1])
    first, second = most.bit_length(), (most * top).bit_length()
    if first + second + (most * top * top).bit_length() > 63:
        return None
    values = codes.astype(np.int64)[ratings.value]
    packed = 1 + (values << first) + (values**2 << (first + second))
    ones = np.ones(len(values), np.int64)
    sums = dense(by_annotator(ratings, packed) @ by_item(ratings, ones))
    product = dense(by_annotator(ratings, values) @ by_item(ratings, values))
    shared = sums & ((1 << first) - 1)
    total = sums >> first & ((1 << second) - 1)
    found = (shared, total, sums >> (first + second), product)
    return tuple(each.astype(np.float64) for each in found)  # type: ignore[return-value]
