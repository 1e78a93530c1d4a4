"""Contingency tables of pairs of annotators, kept as the cells that are not empty."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from judgments.stats.coefficients import NO_PAIRS, ONE_VALUE, Agreement, codes_of

MAX_WEIGHTED_CATEGORIES = 1000
# By whether chance comes from the pooled shares of the two annotators.
KAPPA = {False: "Cohen's kappa", True: "Scott's pi"}


@dataclass(frozen=True)
class Tables:
    """Contingency tables of P pairs of annotators, by their cells that are not empty.

    Cell c counts the items to which pair ``pair[c]`` gave the values ``row[c]`` and ``column[c]``.
    ``distance`` (k, k) is the disagreement of two values, or None for 0/1.
    """

    pair: np.ndarray
    row: np.ndarray
    column: np.ndarray
    n_pairs: int
    k: int
    distance: np.ndarray | None
    pooled_marginals: bool = False

    @property
    def width(self) -> int:
        return max(len(self.pair), self.n_pairs * self.k)

    def disagreements(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return cell counts (b, C) → n, observed and expected disagreement, (b, P) each."""
        cells = self.distance[self.row, self.column] if self.distance is not None else None
        apart = (self.row != self.column).astype(float) if cells is None else cells
        n = self._total(sums, self.pair, self.n_pairs)
        observed = self._total(sums * apart, self.pair, self.n_pairs) / n
        shape = (len(sums), self.n_pairs, self.k)
        rows = self._total(sums, self.pair * self.k + self.row, self.n_pairs * self.k)
        columns = self._total(sums, self.pair * self.k + self.column, self.n_pairs * self.k)
        rows, columns = rows.reshape(shape) / n[..., None], columns.reshape(shape) / n[..., None]
        if self.pooled_marginals:
            rows = columns = (rows + columns) / 2
        if self.distance is None:
            return n, observed, 1 - (rows * columns).sum(axis=-1)
        return n, observed, ((rows @ self.distance) * columns).sum(axis=-1)

    @staticmethod
    def _total(sums: np.ndarray, group: np.ndarray, n_groups: int) -> np.ndarray:
        rows = np.arange(len(group))
        to_group = sparse.csr_array((np.ones(len(group)), (rows, group)), (len(group), n_groups))
        return np.asarray(sums @ to_group)


def co_ratings(item: np.ndarray, annotator: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return all pairs of ratings of one item by two annotators, from codes (n,) each.

    Returns the item of each pair and the two row numbers, that of the smaller annotator first.
    """
    order = np.lexsort((annotator, item))
    _, start, size = np.unique(item[order], return_index=True, return_counts=True)
    at, left, right = [], [], []
    for m in np.unique(size[size > 1]):
        rows = order[start[size == m][:, None] + np.arange(m)]
        i, j = np.triu_indices(m, k=1)
        left.append(rows[:, i].ravel())
        right.append(rows[:, j].ravel())
        at.append(np.repeat(item[rows[:, 0]], len(i)))
    if not at:
        return (np.zeros(0, np.intp),) * 3
    return np.concatenate(at), np.concatenate(left), np.concatenate(right)


def category_codes(values: np.ndarray, categories: ArrayLike | None) -> tuple[np.ndarray, int]:
    """Return position of each of ``values`` (distinct, sorted) on the scale, and the scale's
    length."""
    if categories is None:
        return np.arange(len(values)), len(values)
    scale = list(np.asarray(categories).tolist())
    if unknown := [value for value in values.tolist() if value not in scale]:
        raise ValueError(f"values outside the categories: {unknown[:5]}")
    return np.array([scale.index(value) for value in values.tolist()], np.intp), len(scale)


def tables_of(
    item: np.ndarray,
    pair: np.ndarray,
    row: np.ndarray,
    column: np.ndarray,
    k: int,
    weights: str | None,
    pooled_marginals: bool = False,
) -> tuple[Tables, sparse.csr_array]:
    """Return tables of co-ratings (n,) each, and how often each item falls into each cell.

    The counts are sparse, (number of distinct items, number of cells).
    """
    pair_and_values = (pair.astype(np.int64) * k + row) * k + column
    cells, cell = codes_of(pair_and_values)
    names, index = codes_of(item)
    counts = sparse.coo_array((np.ones(len(cell)), (index, cell)), (len(names), len(cells)))
    pair_of_cell, values = np.divmod(cells, max(k * k, 1))
    rows, columns = np.divmod(values, max(k, 1))
    n_pairs = int(pair.max()) + 1 if len(pair) else 0
    distance = distances(k, weights)
    tables = Tables(pair_of_cell, rows, columns, n_pairs, k, distance, pooled_marginals)
    return tables, counts.tocsr()


def average_kappa(
    n: np.ndarray, observed: np.ndarray, expected: np.ndarray, average: str
) -> np.ndarray:
    """Return Kappa over P tables from their sizes and disagreements, (b, P) each → (b,)."""
    if average == "pooled":
        observed = np.where(n > 0, n * observed, 0).sum(axis=-1)
        expected = np.where(n > 0, n * expected, 0).sum(axis=-1)
    elif average != "mean":
        raise ValueError(f"average is 'pooled' or 'mean', not {average!r}")
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = np.where(expected > 1e-12, 1 - observed / expected, np.nan)
        if average == "pooled":
            return kappa
        defined = ~np.isnan(kappa)
        return np.where(defined, kappa, 0).sum(axis=-1) / defined.sum(axis=-1)


def kappa_of_tables(name: str, tables: Tables, stats: sparse.csr_array, average: str) -> Agreement:
    """Return the kappa of the tables, without n_items and n_annotators."""
    if not tables.n_pairs:
        return Agreement(name, math.nan, reason=NO_PAIRS)
    sums = np.asarray(stats.sum(axis=0))[None, :]
    n, observed, expected = tables.disagreements(sums)
    estimate = float(average_kappa(n, observed, expected, average)[0])
    d_observed, d_expected = (float((n * d).sum() / n.sum()) for d in (observed, expected))
    return Agreement(
        name,
        estimate,
        p_observed=1 - d_observed,
        p_expected=1 - d_expected,
        d_observed=d_observed,
        d_expected=d_expected,
        n_pairs=int(n.sum()),
        n_agreeing=int(sums[0, tables.row == tables.column].sum()),
        reason=ONE_VALUE if math.isnan(estimate) else "",
    )


def distances(k: int, weights: str | None) -> np.ndarray | None:
    """Return disagreement (k, k) of two of k values on a scale: linear, quadratic; None is 0 or
    1."""
    if weights is None:
        return None
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"weights is None, 'linear' or 'quadratic', not {weights!r}")
    if k > MAX_WEIGHTED_CATEGORIES:
        raise ValueError(f"{k} categories: weighted kappa is for at most {MAX_WEIGHTED_CATEGORIES}")
    steps = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / max(k - 1, 1)
    return steps if weights == "linear" else steps**2
