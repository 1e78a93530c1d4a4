"""How well two lists of scores follow each other: coefficients, and how often pairs agree.

Pairs in which either value is NaN are dropped, and the result says how many were used. What is
undefined is NaN with a reason.
"""

from dataclasses import dataclass
from math import inf, nan, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from judgments.stats.ranks import kendall_tau_b, midranks

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Correlation:
    """A coefficient of correlation.

    ``n``: pairs used; ``p_value``: two-sided, of no correlation; ``reason``: why the estimate is
    NaN, else empty.
    """

    estimate: float
    n: int
    p_value: float = nan
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class PairwiseAccuracy:
    """How often a metric orders two systems as people do.

    ``n_correct`` of ``n_pairs``; ``n_left_out``: pairs that people do not separate; ``reason``: why
    the estimate is NaN, else empty.
    """

    estimate: float
    n_correct: int
    n_pairs: int
    n_left_out: int = 0
    reason: str = ""


def pearson(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Return Pearson's r of paired values, arrays of one shape; test by Student's t with n - 2
    degrees of freedom. Raise ValueError where the shapes differ."""
    x, y = known_pairs(x, y)
    return _moment(x, y, x, y)


def spearman(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Return Spearman's rho: Pearson's r of the ranks, equal values sharing their mean rank. Errors
    as in ``pearson``."""
    x, y = known_pairs(x, y)
    return _moment(x, y, *(midranks(each)[0] for each in (x, y)))


def kendall(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Return Kendall's tau-b; test exact for small n without ties, else normal. Errors as in
    ``pearson``."""
    x, y = known_pairs(x, y)
    if reason := _undefined(x, y):
        return Correlation(estimate=nan, n=len(x), reason=reason)
    tau, p_value = kendall_tau_b(x, y)
    return Correlation(estimate=tau, n=len(x), p_value=p_value)


def pairwise_accuracy(
    human: ArrayLike,
    metric: ArrayLike,
    *,
    p_values: ArrayLike | None = None,
    alpha: float | None = None,
) -> PairwiseAccuracy:
    """Return share of pairs of systems that a metric orders as people do (Kocmi et al. 2021):
    sign(Δ metric) = sign(Δ human), for scores (n_systems,) of which higher is better in both.

    With ``p_values`` (n_systems, n_systems) of tests between systems by people, only the pairs that
    they separate: those with p < ``alpha`` (.05) on either side of the diagonal. Systems that lack
    a score are dropped. To pool several language pairs, add up ``n_correct`` and ``n_pairs``.

    Raises ValueError where the shapes differ.
    """
    human, metric = np.asarray(human, dtype=np.float64), np.asarray(metric, dtype=np.float64)
    if human.ndim != 1 or human.shape != metric.shape:
        raise ValueError(f"Expected two lists of scores, not {human.shape} and {metric.shape}.")
    first, second = np.triu_indices(len(human), 1)
    there = ~(np.isnan(human) | np.isnan(metric))
    counted = there[first] & there[second]
    n_scored = int(counted.sum())
    if p_values is not None:
        p = np.asarray(p_values, dtype=np.float64)
        if p.shape != (len(human), len(human)):
            raise ValueError(f"{len(human)} systems need square p-values, not {p.shape}.")
        smallest = np.fmin(p[first, second], p[second, first])
        counted &= smallest < (0.05 if alpha is None else alpha)
    first, second = first[counted], second[counted]
    # Compared, not subtracted: infinite scores have an order too.
    theirs, ours = signs(human[first], human[second]), signs(metric[first], metric[second])
    n_pairs, n_correct = len(first), int(np.sum(theirs == ours))
    reason = "" if n_pairs else "people separate no pair" if n_scored else "fewer than 2 systems"
    return PairwiseAccuracy(
        estimate=n_correct / n_pairs if n_pairs else nan,
        n_correct=n_correct,
        n_pairs=n_pairs,
        n_left_out=n_scored - n_pairs,
        reason=reason,
    )


def signs(first: Floats, second: Floats) -> NDArray[np.int8]:
    """Return which of two values is larger, as 1, 0 or -1; 0 where one is NaN."""
    return (first > second).view(np.int8) - (first < second).view(np.int8)


def known_pairs(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    """Return the pairs without a missing value, flat."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if x.shape != y.shape:
        raise ValueError(f"Paired values must have one shape, not {x.shape} and {y.shape}.")
    there = ~(np.isnan(x) | np.isnan(y))
    return x[there], y[there]


def _undefined(x: Floats, y: Floats) -> str:
    """Return why the values have no correlation, or nothing."""
    if len(x) < 3:
        return "fewer than 3 pairs"
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        return "a value is infinite"
    if is_constant(x) and is_constant(y):
        return "neither variable varies"
    if is_constant(x):
        return "the first variable does not vary"
    if is_constant(y):
        return "the second variable does not vary"
    return ""


def is_constant(values: Floats) -> bool:
    """Return whether the values (n > 0) are all the same."""
    # Differences at the 13th digit of the mean are rounding, not variation.
    return bool(np.ptp(values) <= 1e-13 * np.abs(values).max())


def _moment(x: Floats, y: Floats, ours: Floats, theirs: Floats) -> Correlation:
    """Return Pearson's r of values that stand for x and y: themselves, or their ranks."""
    n = len(x)
    if reason := _undefined(x, y):
        return Correlation(estimate=nan, n=n, reason=reason)
    r = _cosine(ours, theirs)
    t = abs(r) * sqrt((n - 2) / ((1 - r) * (1 + r))) if abs(r) < 1 else inf
    return Correlation(estimate=r, n=n, p_value=float(2 * stdtr(n - 2, -t)))


def _cosine(x: Floats, y: Floats) -> float:
    """Return the cosine between two centered vectors, scaled first so that no square overflows."""
    x, y = x - x.mean(), y - y.mean()
    x, y = x / np.abs(x).max(), y / np.abs(y).max()
    r = float(x @ y) / float(np.linalg.norm(x) * np.linalg.norm(y))
    return min(max(r, -1.0), 1.0)
