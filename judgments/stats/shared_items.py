"""What annotators gave to the items that they share with each other: products of sparse matrices.

Ratings lie by item and by annotator in such matrices, and both are made from sorted rows: scipy's
own ways of making and turning them cost more than the products.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from judgments.stats.coefficients import Ratings, key_of
from judgments.stats.resampling import BLOCK_CELLS


def by_item(ratings: Ratings, data: np.ndarray | None = None) -> sparse.csr_array:
    """Return (n_items, n_annotators): 1, or ``data`` (n,), where the annotator rated the item."""
    column, order = ratings.annotator, ratings.order
    data = np.ones(len(ratings)) if data is None else data
    if order is not None:
        column, data = column[order], data[order]
    indptr = np.append(0, np.cumsum(ratings.sizes))
    shape = (len(ratings.items), len(ratings.annotators))
    return sparse.csr_array((data, column.astype(np.int32), indptr.astype(np.int32)), shape)


def by_annotator(ratings: Ratings, data: np.ndarray | None = None) -> sparse.csr_array:
    """Return (n_annotators, n_items): as `by_item`."""
    return _by_item_and(ratings, ratings.annotator, len(ratings.annotators), data)


def by_value(ratings: Ratings) -> list[sparse.csr_array]:
    """Return for each value a matrix (n_annotators, n_items): 1 where the annotator gave it."""
    return ratings.remember("by value", lambda: _by_value(ratings))


def _by_value(ratings: Ratings) -> list[sparse.csr_array]:
    n, k = len(ratings.annotators), len(ratings.values)
    every = _by_item_and(ratings, key_of(ratings.value, n, ratings.annotator), n * k)
    return [every[code * n : (code + 1) * n] for code in range(k)]


def given(ratings: Ratings) -> np.ndarray | None:
    """Return [c, a, b]: how often a gave the value c to items that b rated as well, (n_values, A,
    A); None where that is too much to hold at once. Computed once for the same ratings."""
    n, k = len(ratings.annotators), len(ratings.values)
    if n * n * k > BLOCK_CELLS:
        return None
    return ratings.remember("given", lambda: _given(ratings))


def _given(ratings: Ratings) -> np.ndarray:
    """Return for several values at once: each has its own bits of the numbers that are added up."""
    n, k = len(ratings.annotators), len(ratings.values)
    bits = int(np.bincount(ratings.annotator).max(initial=1)).bit_length()
    at_once = 63 // bits
    everyone = by_item(ratings, np.ones(len(ratings), np.int64))
    found = np.zeros((k, n, n))
    for start in range(0, k, at_once):
        place = ratings.value.astype(np.int64) - start
        shift = np.clip(place * bits, 0, 63 - bits)
        gave = by_annotator(ratings, np.where((place >= 0) & (place < at_once), 1 << shift, 0))
        gave.eliminate_zeros()
        sums = dense(gave @ everyone)
        for code in range(start, min(start + at_once, k)):
            found[code] = (sums >> (bits * (code - start))) & ((1 << bits) - 1)
    return found


def equal(ratings: Ratings) -> np.ndarray:
    """Return how many items each two annotators gave the same value, (A, A)."""
    n, k = len(ratings.annotators), max(len(ratings.values), 1)
    gave = _sorted_rows(
        ratings.annotator, n, key_of(ratings.item, k, ratings.value), k * len(ratings.items)
    )
    return dense(gave @ gave.T)


def dense(product: sparse.csr_array) -> np.ndarray:
    return np.asarray(product.todense())


def _by_item_and(
    ratings: Ratings, row: np.ndarray, n_rows: int, data: np.ndarray | None = None
) -> sparse.csr_array:
    return _sorted_rows(row, n_rows, ratings.item, len(ratings.items), data)


def _sorted_rows(
    row: np.ndarray, n_rows: int, column: np.ndarray, n_columns: int, data: np.ndarray | None = None
) -> sparse.csr_array:
    # Sorting numbers of 16 bits is much faster: numpy counts them.
    small = row.astype(np.uint16) if n_rows <= 2**16 else row
    order = np.argsort(small, kind="stable")
    data = np.ones(len(row)) if data is None else data[order]
    indptr = np.append(0, np.cumsum(np.bincount(row, minlength=n_rows)))
    narrow = np.int32 if n_columns < 2**31 else np.int64
    matrix = (data, column[order].astype(narrow), indptr.astype(narrow))
    return sparse.csr_array(matrix, (n_rows, n_columns))
