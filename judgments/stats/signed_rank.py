"""The exact signed-rank test, also with differences of equal size."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.ranks import midranks, signed_rank_ways, tied
from judgments.stats.significance import TestResult, wilcoxon_signed_rank

EXACT_UP_TO = 50
"""Largest number of differences for which the distribution is counted exactly."""


def exact_signed_rank(differences: ArrayLike) -> TestResult:
    """Return the one-sided signed-rank test that ``differences`` (n,) tend to be positive (Wilcoxon
    1945).

    NaN left out, zero differences dropped and counted. Equal sizes share the mean of their ranks,
    and p is the share of the 2ⁿ assignments of signs whose sum of positive ranks is at least the
    observed one, counted by shifts (Streitberg and Röhmel 1986). With more than 50 differences, the
    normal approximation of `wilcoxon_signed_rank`.
    """
    differences = np.asarray(differences, np.float64).ravel()
    differences = tied(differences[~np.isnan(differences)])
    kept = differences[differences != 0]
    n, dropped = len(kept), len(differences) - len(kept)
    if not 0 < n <= EXACT_UP_TO:
        return wilcoxon_signed_rank(differences, alternative="greater")
    doubled = (2 * midranks(np.abs(kept))[0]).astype(np.int64)
    observed = int(doubled[kept > 0].sum())
    ways = signed_rank_ways(doubled)
    p = float(ways[observed:].sum() / 2.0**n)
    share = observed / int(doubled.sum())
    return TestResult("signed-rank (exact)", observed / 2, p, "greater", n, dropped, share)


def paired_t(first: ArrayLike, second: ArrayLike) -> float:
    """Return the one-sided p of the paired t test that ``first`` (n,) is larger than ``second``
    (n,).

    NaN with fewer than two pairs, or if all differences are equal.
    """
    from scipy.special import stdtr

    difference = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    difference = difference[~np.isnan(difference)]
    n = len(difference)
    sd = float(difference.std(ddof=1)) if n > 1 else 0.0
    if n < 2 or sd <= 1e-12 * float(np.abs(difference).max()):
        return math.nan
    return float(stdtr(n - 1, -difference.mean() / (sd / math.sqrt(n))))
