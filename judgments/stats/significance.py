"""Intervals of means and shares, and tests between two systems."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtrc, ndtri, stdtrit

from judgments.stats.ranks import (
    midranks,
    rank_sum_p,
    signed_rank_exact_p,
    signed_rank_normal_p,
    tied,
)

ALTERNATIVES = ("two-sided", "greater", "less")
EXACT_UP_TO = 50
"""Largest number of differences without ties for which the signed-rank test is exact."""


@dataclass(frozen=True)
class MeanInterval:
    """A mean (or share) with its interval; NaN where undefined, and ``reason`` says why."""

    estimate: float
    low: float
    high: float
    n: int
    sd: float
    level: float
    method: str
    reason: str = ""


@dataclass(frozen=True)
class TestResult:
    """A test of two samples or of signs.

    ``estimate`` is the effect on a scale of 0 to 1: the share of pairs or of signs in favor of the
    first. ``n`` counts the data used, ``n_dropped`` the ties or zero differences left out.
    """

    __test__ = False  # not a test for pytest to collect

    test: str
    statistic: float
    p_value: float
    alternative: str
    n: int
    n_dropped: int = 0
    estimate: float = math.nan
    reason: str = ""


def mean_interval(values: ArrayLike, *, level: float = 0.95) -> MeanInterval:
    """Return mean ± t(n - 1) · s/√n of values (n,), NaN left out; s is the sample standard
    deviation."""
    values = np.asarray(values, np.float64).ravel()
    values = values[~np.isnan(values)]
    n, method = len(values), "t"
    if n == 0:
        return _no_mean(level, method)
    mean = float(values.mean())
    if n == 1:
        reason = "an interval needs at least two values"
        return MeanInterval(mean, math.nan, math.nan, 1, math.nan, level, method, reason)
    sd = float(values.std(ddof=1))
    half = t_quantile(n - 1, level) * sd / math.sqrt(n)
    return MeanInterval(mean, mean - half, mean + half, n, sd, level, method)


def t_quantile(freedom: float, level: float) -> float:
    """Return the t of a two-sided interval of this level with ``freedom`` degrees of freedom;
    infinity gives the normal distribution (Student 1908)."""
    return float(stdtrit(freedom, (1 + level) / 2))


def wilson_interval(successes: int, n: int, *, level: float = 0.95) -> MeanInterval:
    """Return Wilson's (1927) score interval of a share of ``successes`` among ``n``."""
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes among {n}")
    if n == 0:
        return _no_mean(level, "Wilson")
    share = successes / n
    low, high = wilson_bounds(share, n, level=level)
    sd = math.sqrt(share * (1 - share))
    return MeanInterval(share, float(low), float(high), n, sd, level, "Wilson")


def wilson_bounds(
    share: ArrayLike, n: ArrayLike, *, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower and upper ends of Wilson's interval for arrays of shares and their n; NaN
    where n is 0.

    A share may be a mean of means between 0 and 1, for example of segments judged by several
    people: their variance is at most share · (1 - share), so the interval is at least wide enough.
    """
    share, n = np.asarray(share, np.float64), np.asarray(n, np.float64)
    n = np.where(n > 0, n, np.nan)
    z = float(ndtri((1 + level) / 2))
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return np.maximum(0.0, middle - half), np.minimum(1.0, middle + half)


def sign_test(
    wins: int, losses: int, *, ties: int = 0, alternative: str = "two-sided"
) -> TestResult:
    """Return the exact sign test of ``wins`` against ``losses``; ties are dropped and counted.

    Two-sided p = min(1, 2·P(X ≥ max(wins, losses))), X binomial with chance ½.
    """
    _check(alternative)
    n = wins + losses
    if n == 0:
        reason = "there are only ties" if ties else "there are no comparisons"
        return TestResult("sign", math.nan, math.nan, alternative, 0, ties, reason=reason)
    if alternative == "two-sided":
        p = min(1.0, 2 * float(bdtrc(max(wins, losses) - 1, n, 0.5)))
    else:
        at_least = wins if alternative == "greater" else losses
        p = float(bdtrc(at_least - 1, n, 0.5))
    return TestResult("sign", wins, p, alternative, n, ties, wins / n)


def wilcoxon_signed_rank(
    first: ArrayLike,
    second: ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    continuity: bool = True,
) -> TestResult:
    """Return Wilcoxon's (1945) signed-rank test of paired values, or of differences, (n,) each.

    Pairs with a NaN are left out, zero differences dropped and counted in ``n_dropped``. Exact for
    up to 50 differences without ties in size; otherwise the normal approximation with tie and, with
    ``continuity``, continuity correction, like R's ``wilcox.test``. ``greater``: first is larger.
    """
    _check(alternative)
    difference = np.asarray(first, np.float64)
    if second is not None:
        difference = difference - np.asarray(second, np.float64)
    difference = tied(difference[~np.isnan(difference)])
    kept = difference[difference != 0]
    n, dropped = len(kept), len(difference) - len(kept)
    if n == 0:
        reason = "every difference is 0" if dropped else "there are no pairs"
        return TestResult("signed-rank", math.nan, math.nan, alternative, 0, dropped, reason=reason)
    ranked, ties = midranks(np.abs(kept))
    positive = float(ranked[kept > 0].sum())
    exact = n <= EXACT_UP_TO and len(ties) == n
    if exact:
        p = signed_rank_exact_p(positive, n, alternative)
    else:
        p = signed_rank_normal_p(positive, n, ties, alternative, continuity=continuity)
    name = "signed-rank (exact)" if exact else "signed-rank (normal approximation)"
    share = positive / (n * (n + 1) / 2)
    return TestResult(name, positive, p, alternative, n, dropped, share)


def mann_whitney(
    first: ArrayLike, second: ArrayLike, *, alternative: str = "greater"
) -> TestResult:
    """Return the Mann-Whitney (rank-sum) test of two samples (n,) and (m,), NaN left out.

    Normal approximation with tie and continuity correction, like R's ``wilcox.test(exact=FALSE)``,
    which WMT used. ``greater``: first is larger. ``estimate`` is P(first > second) + ½P(equal).
    """
    _check(alternative)
    first, second = (np.asarray(x, np.float64).ravel() for x in (first, second))
    first, second = first[~np.isnan(first)], second[~np.isnan(second)]
    n, name = len(first) + len(second), "Mann-Whitney (normal approximation)"
    reason = ""
    if not len(first) or not len(second):
        reason = "a sample is empty"
    elif min(first.min(), second.min()) == max(first.max(), second.max()):
        reason = "all values are the same"
    if reason:
        return TestResult(name, math.nan, math.nan, alternative, n, reason=reason)
    ranked, ties = midranks(np.concatenate([first, second]))
    u = float(ranked[: len(first)].sum()) - len(first) * (len(first) + 1) / 2
    p = rank_sum_p(u, len(first), len(second), ties, alternative)
    return TestResult(name, u, p, alternative, n, 0, u / (len(first) * len(second)))


def holm(p_values: ArrayLike) -> np.ndarray:
    """Return Holm's (1979) adjusted p-values, in the shape given; NaN means no test and stays
    NaN."""
    p_values = np.asarray(p_values, np.float64)
    adjusted = np.full(p_values.shape, np.nan)
    tested = ~np.isnan(p_values)
    p = p_values[tested]
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    values = np.empty(len(p))
    values[order] = np.minimum(steps, 1)
    adjusted[tested] = values
    return adjusted


def benjamini_hochberg(p_values: ArrayLike) -> np.ndarray:
    """Return Benjamini and Hochberg's (1995) adjusted p-values, in the shape given; NaN stays NaN.

    Of the separations below α, at most α are expected to be false. Williams, Jones and Tukey (1999)
    found that this holds for all pairs of systems, whose tests depend on each other.
    """
    p_values = np.asarray(p_values, np.float64)
    adjusted = np.full(p_values.shape, np.nan)
    tested = ~np.isnan(p_values)
    p = p_values[tested]
    order = np.argsort(-p, kind="stable")
    # Divided first, so that rounding does not change the largest.
    steps = np.minimum.accumulate(p[order] * (len(p) / np.arange(len(p), 0, -1)))
    values = np.empty(len(p))
    values[order] = np.minimum(steps, 1)
    adjusted[tested] = values
    return adjusted


def benjamini_yekutieli(p_values: ArrayLike) -> np.ndarray:
    """Return Benjamini and Yekutieli's (2001) adjusted p-values, in the shape given; NaN stays NaN.
    Like Benjamini and Hochberg's, under any dependence."""
    adjusted = benjamini_hochberg(p_values)
    n = int((~np.isnan(adjusted)).sum())
    return np.minimum(adjusted * (1 / np.arange(1, n + 1)).sum(), 1)


def _no_mean(level: float, method: str) -> MeanInterval:
    nan = math.nan
    return MeanInterval(nan, nan, nan, 0, nan, level, method, "there are no values")


def _check(alternative: str) -> None:
    if alternative not in ALTERNATIVES:
        raise ValueError(f"alternative is one of {', '.join(ALTERNATIVES)}, not {alternative!r}")
