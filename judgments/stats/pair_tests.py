"""Tests between all pairs of systems on a table of segment scores."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from judgments.stats.ranks import midranks, signed_rank_ways, tied
from judgments.stats.resampling import sum_by
from judgments.stats.signed_rank import EXACT_UP_TO, exact_signed_rank

TESTS = (
    *("signed-rank", "signed-rank-documents", "permutation", "permutation-documents"),
    *("mann-whitney", "bootstrap"),
)
PERMUTATIONS = 10_000
BOOTSTRAPS = 100  # as many as in WMT26
BLOCK_CELLS = 2_000_000
MOST_COUNTED = 200_000  # doubled ranks: counting their sums is slow for more
# Sums of the same numbers in another order differ by rounding; they count as equal.
ROUNDING = 1e-9


def compare_systems(
    table: ArrayLike,
    *,
    test: str,
    documents: ArrayLike | None = None,
    rng: np.random.Generator | None = None,
    permutations: int = PERMUTATIONS,
) -> np.ndarray:
    """Return one-sided p (n, n) that system i is better than j, from scores (n_systems,
    n_segments).

    NaN means not rated; the diagonal is NaN, and so is p where a test is undefined.
    ``mann-whitney`` uses each system's own segments, the others use the segments that both have:
    ``signed-rank`` as `exact_signed_rank`, which is exact for up to 50 differences;
    ``signed-rank-documents`` treats the differences of a document as a unit (Rosner, Glynn and Lee
    2006), exact for up to 50; ``permutation`` swaps the scores of a segment with chance ½, and
    ``permutation-documents`` those of a document, ``permutations`` times, p = (c + 1)/(R + 1) with
    c the swaps whose sum of differences is at least as large (Riezler and Maxwell 2005). Tests by
    document need ``documents`` (n_segments,). ``bootstrap`` is the test of WMT26: the smaller p of
    two bootstraps of segments, of differences and of each system by itself, with BCa intervals
    (Efron 1987) of BOOTSTRAPS resamples. Tests that draw need ``rng``.
    """
    if test not in TESTS:
        raise ValueError(f"test is one of {', '.join(TESTS)}, not {test!r}")
    table = np.asarray(table, np.float64)
    p_values = np.full((len(table), len(table)), np.nan)
    test_pair: Callable[[np.ndarray, np.ndarray], tuple[float, float]]
    if test.endswith("documents") and documents is None:
        raise ValueError("a test by document needs the document of each segment")
    if test == "signed-rank-documents":
        _, code = np.unique(np.asarray(documents), return_inverse=True)
        test_pair = partial(_signed_rank_by_document, code=code)
    elif test in ("signed-rank", "mann-whitney"):
        test_pair = _signed_rank if test == "signed-rank" else _rank_sum
    elif rng is None:
        raise ValueError("a test that draws needs a random generator")
    elif test == "bootstrap":
        test_pair = partial(_bootstrapped, rng=rng)
    else:
        return _permuted(
            table, documents if test.endswith("documents") else None, rng, permutations
        )
    for i, j in combinations(range(len(table)), 2):
        p_values[i, j], p_values[j, i] = test_pair(table[i], table[j])
    return p_values


def two_sided(p_values: ArrayLike) -> np.ndarray:
    """Return two-sided p (n, n), symmetric, from the one-sided ones in both directions: twice the
    smaller of the two, at most 1; NaN where there is no test."""
    p = np.asarray(p_values, np.float64)
    return np.minimum(1.0, 2 * np.fmin(p, p.T))


def differences(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs (m, 2) of rows, in the order of `itertools.combinations`, and their differences
    (m, n_segments), NaN where one of the two was not rated."""
    pairs = np.array(list(combinations(range(len(table)), 2)), np.intp).reshape(-1, 2)
    return pairs, table[pairs[:, 0]] - table[pairs[:, 1]]


def _signed_rank(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """Return both one-sided p of the signed-rank test: ranks are computed once for both."""
    difference = tied(first - second)
    difference = difference[~np.isnan(difference) & (difference != 0)]
    n, size = len(difference), np.abs(difference)
    if not n:
        return np.nan, np.nan
    if n <= EXACT_UP_TO:
        return exact_signed_rank(difference).p_value, exact_signed_rank(-difference).p_value
    ranks, ties = midranks(size)
    positive, total = ranks[difference > 0].sum(), n * (n + 1) / 2
    variance = n * (n + 1) * (2 * n + 1) / 24 - (ties.astype(float) ** 3 - ties).sum() / 48
    return _both_sides(positive, total, variance)


def _signed_rank_by_document(
    first: np.ndarray, second: np.ndarray, code: np.ndarray
) -> tuple[float, float]:
    """Return both one-sided p of the signed-rank test whose signs are shared within a document: the
    share of assignments of signs to the documents' sums of signed ranks whose total is at least the
    observed one, counted for up to 50 documents; else the normal approximation."""
    difference = tied(first - second)
    kept = ~np.isnan(difference) & (difference != 0)
    difference = difference[kept]
    if not len(difference):
        return np.nan, np.nan
    signed = np.sign(difference) * midranks(np.abs(difference))[0]
    sums = np.bincount(code[kept], weights=signed)
    sums = sums[sums != 0]
    doubled = np.rint(2 * np.abs(sums)).astype(np.int64)
    if len(sums) <= EXACT_UP_TO and doubled.sum() <= MOST_COUNTED:
        ways = signed_rank_ways(doubled)
        positive = int(doubled[sums > 0].sum())
        share = 2.0 ** len(sums)
        return float(ways[positive:].sum() / share), float(ways[: positive + 1].sum() / share)
    z = sums.sum() / np.sqrt((sums**2).sum())
    return float(ndtr(-z)), float(ndtr(z))


def _rank_sum(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """Return both one-sided p of the rank-sum test, as
    `judgments.stats.significance.mann_whitney`."""
    first, second = first[~np.isnan(first)], second[~np.isnan(second)]
    n, m = len(first), len(second)
    if not n or not m:
        return np.nan, np.nan
    both = np.concatenate([first, second])
    ranks, ties = midranks(both)
    if len(ties) == 1:
        return np.nan, np.nan
    u = ranks[:n].sum() - n * (n + 1) / 2
    tied = (ties.astype(float) ** 3 - ties).sum() / ((n + m) * (n + m - 1))
    return _both_sides(u, n * m, n * m / 12 * (n + m + 1 - tied))


def _bootstrapped(
    first: np.ndarray, second: np.ndarray, rng: np.random.Generator
) -> tuple[float, float]:
    """Return both one-sided p: the smaller of the paired and the unpaired bootstrap's."""
    difference = first - second
    difference = difference[~np.isnan(difference)]
    first, second = first[~np.isnan(first)], second[~np.isnan(second)]
    found = []
    if len(difference) > 1:
        found.append(
            bca_p_values(difference.mean(), _resampled(difference, rng), _influence(difference))
        )
    if min(len(first), len(second)) > 1:
        drawn = _resampled(first, rng) - _resampled(second, rng)
        influence = np.concatenate([_influence(first), -_influence(second)])
        found.append(bca_p_values(first.mean() - second.mean(), drawn, influence))
    if not found:
        return np.nan, np.nan
    return min(p for p, _ in found), min(p for _, p in found)


def _influence(values: np.ndarray) -> np.ndarray:
    """Return how far each value moves their mean."""
    return (values - values.mean()) / len(values)


def _resampled(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return values[rng.integers(0, len(values), (BOOTSTRAPS, len(values)))].mean(axis=1)


def bca_p_values(
    observed: float, resampled: np.ndarray, influence: np.ndarray
) -> tuple[float, float]:
    """Return the one-sided p of a mean above 0, and of one below 0: the smallest level whose BCa
    interval (Efron 1987, equation 3.7) does not reach 0.

    resampled: (B,) means; influence: that of each unit on the mean. 1 and 1 if nothing varies.
    """
    if np.abs(influence).max() <= ROUNDING * abs(observed):
        return 1.0, 1.0
    acceleration = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    bias = ndtri(((resampled < observed).mean() + (resampled <= observed).mean()) / 2)

    def level(share: float) -> float:
        w = ndtri(share) - bias
        return float(ndtr(w / (1 + acceleration * w) - bias)) if np.isfinite(w) else share

    return level((resampled <= 0).mean()), 1 - level((resampled < 0).mean())


def _both_sides(statistic: float, largest: float, variance: float) -> tuple[float, float]:
    """Return the normal approximation with continuity correction, for large and for small
    statistics."""
    sd = np.sqrt(variance)
    greater, less = (statistic - largest / 2 - 0.5) / sd, (largest / 2 - statistic - 0.5) / sd
    return float(ndtr(-greater)), float(ndtr(-less))


def _permuted(
    table: np.ndarray,
    documents: ArrayLike | None,
    rng: np.random.Generator,
    permutations: int,
) -> np.ndarray:
    pairs, difference = differences(table)
    p_values = np.full((len(table), len(table)), np.nan)
    tested = (~np.isnan(difference)).any(axis=1)
    pairs, units = pairs[tested], np.nan_to_num(difference[tested])
    if documents is not None:
        names, code = np.unique(np.asarray(documents), return_inverse=True)
        units = np.asarray(sum_by(code, len(names), units.T)).T
    observed, close = units.sum(axis=1), ROUNDING * np.abs(units).sum(axis=1)
    above, below = np.zeros(len(pairs)), np.zeros(len(pairs))
    n_units = units.shape[1]
    block = max(1, BLOCK_CELLS // max(n_units, len(pairs), 1))
    for start in range(0, permutations, block):
        rows = min(block, permutations - start)
        # The same swaps for all pairs. Sum with flipped signs: sum - 2 * (the swapped part).
        swapped = rng.integers(0, 2, (rows, n_units), np.int8).astype(np.float64) @ units.T
        sums = observed - 2 * swapped
        above += (sums >= observed - close).sum(axis=0)
        below += (sums <= observed + close).sum(axis=0)
    p_values[pairs[:, 0], pairs[:, 1]] = (above + 1) / (permutations + 1)
    p_values[pairs[:, 1], pairs[:, 0]] = (below + 1) / (permutations + 1)
    return p_values
