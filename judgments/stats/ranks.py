"""Ranks and p-values from them, as SciPy's, whose statistics module takes a second to import."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr

# The number of values from which tau's distribution is taken as normal, as in SciPy; with ties
# always.
TAU_EXACT_UP_TO = 33


def midranks(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return ranks (n,) from 1, equal values sharing the mean of theirs, and sizes of the ties."""
    _, code, ties = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(ties) - (ties - 1) / 2)[code], ties


def tied(differences: np.ndarray) -> np.ndarray:
    """Return differences without their rounding: -1 - -1.1 and -0.1 - 0 are equal in size."""
    return np.round(differences, 12)


def normal_p(z: float, alternative: str) -> float:
    """Return the p of a standard normal statistic; ``greater``: of a large one."""
    if alternative == "two-sided":
        return float(2 * ndtr(-abs(z)))
    return float(ndtr(-z if alternative == "greater" else z))


def signed_rank_ways(doubled_ranks: np.ndarray) -> np.ndarray:
    """Return how many of the 2ⁿ assignments of signs to doubled ranks (n,) have positive ones that
    sum to 0, 1, …, counted by shifts (Streitberg and Röhmel 1986); exact below 2⁵³."""
    ways = np.zeros(int(doubled_ranks.sum()) + 1)
    ways[0] = 1
    for rank in doubled_ranks.tolist():
        ways[rank:] += ways[:-rank].copy()
    return ways


def signed_rank_exact_p(positive: float, n: int, alternative: str) -> float:
    """Return the p of a sum of positive ranks of n differences without ties."""
    ways = signed_rank_ways(2 * np.arange(1, n + 1))
    at_least = float(ways[int(2 * positive) :].sum() / 2.0**n)
    at_most = float(ways[: int(2 * positive) + 1].sum() / 2.0**n)
    if alternative == "two-sided":
        return min(1.0, 2 * min(at_least, at_most))
    return at_least if alternative == "greater" else at_most


def signed_rank_normal_p(
    positive: float, n: int, ties: np.ndarray, alternative: str, *, continuity: bool
) -> float:
    """Return the same by the normal approximation, with tie and optionally continuity
    correction."""
    sizes = ties.astype(np.float64)
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((sizes**3 - sizes).sum()) / 48
    above = positive - n * (n + 1) / 4
    if continuity:
        above -= {"greater": 0.5, "less": -0.5}.get(alternative, 0.5 * np.sign(above))
    return normal_p(above / math.sqrt(variance), alternative)


def rank_sum_p(u: float, n: int, m: int, ties: np.ndarray, alternative: str) -> float:
    """Return the p of Mann and Whitney's U of samples of n and m values: normal approximation with
    tie and continuity correction."""
    if alternative == "less":
        u = n * m - u
    elif alternative == "two-sided":
        u = max(u, n * m - u)
    size, sizes = n + m, ties.astype(np.float64)
    tied = float((sizes**3 - sizes).sum()) / (size * (size - 1))
    z = (u - n * m / 2 - 0.5) / math.sqrt(n * m / 12 * (size + 1 - tied))
    return min(1.0, normal_p(z, "greater") * (2 if alternative == "two-sided" else 1))


def n_inversions(codes: np.ndarray) -> int:
    """Return how many pairs of integers (n,) from 0 are in descending order.

    By merging blocks of 1, 2, 4, …, all of one size at once: n log² n steps.
    """
    codes = np.asarray(codes, np.int64)
    n, size = len(codes), int(codes.max(initial=0)) + 1
    position, found, width = np.arange(n), 0, 1
    while width < n:
        block = position // (2 * width)
        keys = block * size + codes  # within a block the codes of both halves are already ascending
        is_right = position // width % 2 == 1
        left, right = keys[~is_right], keys[is_right]
        end = np.searchsorted(left, (block[is_right] + 1) * size)
        found += int((end - np.searchsorted(left, right, side="right")).sum())
        codes = np.sort(keys) - block * size
        width *= 2
    return found


def kendall_tau_b(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Return Kendall's (1945) tau-b of two lists (n,) and its two-sided p; NaN if one of them is
    constant. Exact for up to 33 pairs without ties, else normal, as SciPy's ``kendalltau``."""
    n = len(x)
    difference, of_x, of_y, of_pairs = concordance(x, y)
    pairs = n * (n - 1) // 2
    if not of_x or not of_y:
        return math.nan, math.nan
    tau = max(-1.0, min(1.0, difference / math.sqrt(of_x) / math.sqrt(of_y)))
    discordant = (of_x + of_y - pairs + of_pairs - difference) // 2
    untied = of_x == of_y == pairs
    if untied and (n <= TAU_EXACT_UP_TO or min(discordant, pairs - discordant) <= 1):
        return tau, _exact_tau_p(n, discordant)
    return tau, _normal_tau_p(difference, n, x, y)


def concordance(x: np.ndarray, y: np.ndarray) -> tuple[int, int, int, int]:
    """Return the numbers of pairs of two lists (n,): concordant minus discordant, not tied in x,
    not tied in y, tied in both."""
    n = len(x)
    pairs = n * (n - 1) // 2
    _, first, of_first = np.unique(x, return_inverse=True, return_counts=True)
    _, second, of_second = np.unique(y, return_inverse=True, return_counts=True)
    _, of_both = np.unique(first * np.int64(n) + second, return_counts=True)
    in_first, in_second, in_both = map(_n_tied, (of_first, of_second, of_both))
    discordant = n_inversions(second[np.lexsort((second, first))])
    difference = pairs - in_first - in_second + in_both - 2 * discordant
    return difference, pairs - in_first, pairs - in_second, in_both


def _n_tied(sizes: np.ndarray) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


def _exact_tau_p(n: int, discordant: int) -> float:
    """Return the exact p from the number of orders of n values with ``discordant`` inversions
    (Kendall 1970)."""
    fewer = min(discordant, n * (n - 1) // 2 - discordant)
    if 4 * fewer == n * (n - 1):
        return 1.0
    ways = [1] + [0] * fewer
    for j in range(2, n + 1):
        sums = np.cumsum(np.array(ways, dtype=object))
        ways = [sums[i] - (sums[i - j] if i >= j else 0) for i in range(fewer + 1)]
    return min(1.0, float(2 * sum(ways) / math.factorial(n)))


def _normal_tau_p(difference: int, n: int, x: np.ndarray, y: np.ndarray) -> float:
    """Return the normal p with the variance for ties of Noether (1967)."""
    if n < 3:
        return math.nan
    sizes = [np.unique(each, return_counts=True)[1].astype(np.float64) for each in (x, y)]
    tied = [float((t * (t - 1)).sum()) / 2 for t in sizes]
    cubic = [float((t * (t - 1) * (t - 2)).sum()) for t in sizes]
    spread = [float((t * (t - 1) * (2 * t + 5)).sum()) for t in sizes]
    m = n * (n - 1.0)
    variance = (m * (2 * n + 5) - sum(spread)) / 18 + 2 * tied[0] * tied[1] / m
    variance += cubic[0] * cubic[1] / (9 * m * (n - 2))
    return normal_p(difference / math.sqrt(variance), "two-sided")
