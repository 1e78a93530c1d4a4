"""Whether one of two metrics agrees better with the same human scores: Williams' test."""

from dataclasses import dataclass
from itertools import combinations
from math import nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from judgments.stats.correlation import is_constant
from metrics.stats.correlation import pearson

# Metrics whose correlation is nearer to 1 or -1 are linear functions of each other.
SAME = 1e-12
LEAST_SPREAD = 1e-15


@dataclass(frozen=True, kw_only=True)
class Williams:
    """Two dependent correlations that share the human scores.

    ``p_value``: one-sided, of the first metric correlating no better than the second;
    ``p_two_sided``: of equal correlations. ``r_first``, ``r_second``: of each metric with people;
    ``r_metrics``: of the metrics with each other. ``statistic`` is Student's t with ``df`` degrees
    of freedom. ``reason``: why there is no test, else empty.
    """

    r_first: float
    r_second: float
    r_metrics: float
    n: int
    n_missing: int
    statistic: float = nan
    df: int = 0
    p_value: float = nan
    p_two_sided: float = nan
    reason: str = ""


def williams(gold: ArrayLike, first: ArrayLike, second: ArrayLike) -> Williams:
    """Return Williams' (1959) test of two Pearson correlations with the same human scores, as
    introduced for metrics by Graham and Baldwin (2014); ``gold``, ``first``, ``second``: (n,) each.

    With r1, r2 of the metrics with people, r12 of each other, and K = 1 - r1² - r2² - r12² +
    2·r1·r2·r12:

    t = (r1 - r2)·√((n - 1)(1 + r12)) / √(2K·(n - 1)/(n - 3) + ((r1 + r2)/2)²·(1 - r12)³)

    Values of which one is NaN are dropped. This is a test of n independent units: systems, not
    segments of several systems together. Raise ValueError if the shapes differ.
    """
    gold, first, second = (np.asarray(x, dtype=np.float64) for x in (gold, first, second))
    if not gold.shape == first.shape == second.shape:
        shapes = f"{gold.shape}, {first.shape} and {second.shape}"
        raise ValueError(f"Values must have one shape, not {shapes}.")
    there = ~(np.isnan(gold) | np.isnan(first) | np.isnan(second))
    gold, first, second = gold[there], first[there], second[there]
    found = pearson(gold, first), pearson(gold, second), pearson(first, second)
    r1, r2, r12 = (correlation.estimate for correlation in found)
    n = len(gold)
    known: dict[str, Any] = {
        "r_first": r1,
        "r_second": r2,
        "r_metrics": r12,
        "n": n,
        "n_missing": int(there.size - n),
    }
    if n < 4:
        return Williams(reason="fewer than 4 units", **known)
    if reason := found[0].reason or found[1].reason:
        return Williams(reason=reason, **known)
    determinant = max(0.0, 1 - r1**2 - r2**2 - r12**2 + 2 * r1 * r2 * r12)
    spread = 2 * determinant * (n - 1) / (n - 3) + ((r1 + r2) / 2) ** 2 * (1 - r12) ** 3
    if 1 - abs(r12) < SAME or not spread > LEAST_SPREAD:
        return Williams(reason="the metrics correlate perfectly with each other", **known)
    t = (r1 - r2) * sqrt((n - 1) * (1 + r12) / spread)
    return Williams(
        statistic=t,
        df=n - 3,
        p_value=float(stdtr(n - 3, -t)),
        p_two_sided=float(2 * stdtr(n - 3, -abs(t))),
        **known,
    )


def williams_of_pairs(gold: ArrayLike, metrics: ArrayLike) -> np.ndarray:
    """Return one-sided p-values of `williams` for all pairs of metrics (M, n), the first of a pair
    before the second: (M, M), NaN except above the diagonal and without a test. Pairs without a
    missing value are computed together."""
    gold, metrics = np.asarray(gold, dtype=np.float64), np.asarray(metrics, dtype=np.float64)
    p_values = np.full((len(metrics), len(metrics)), nan)
    whole = ~np.isnan(metrics).any(axis=1) & ~np.isnan(gold).any()
    for i, j in combinations(range(len(metrics)), 2):
        if not (whole[i] and whole[j]):
            p_values[i, j] = williams(gold, metrics[i], metrics[j]).p_value
    n = len(gold)
    if n < 4 or not whole.any() or is_constant(gold):
        return p_values
    varied = [i for i in np.flatnonzero(whole).tolist() if not is_constant(metrics[i])]
    if len(varied) < 2:
        return p_values
    units = np.array([_unit(values) for values in metrics[varied]])
    with_people = np.clip(units @ _unit(gold), -1, 1)
    r12 = np.clip(units @ units.T, -1, 1)
    r1, r2 = with_people[:, None], with_people[None, :]
    determinant = np.maximum(0.0, 1 - r1**2 - r2**2 - r12**2 + 2 * r1 * r2 * r12)
    spread = 2 * determinant * (n - 1) / (n - 3) + ((r1 + r2) / 2) ** 2 * (1 - r12) ** 3
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (r1 - r2) * np.sqrt((n - 1) * (1 + r12) / spread)
    tested = (1 - np.abs(r12) >= SAME) & (spread > LEAST_SPREAD)
    found = np.where(tested, stdtr(n - 3, -t), nan)
    above = np.triu(np.ones(found.shape, bool), 1)
    p_values[np.ix_(varied, varied)] = np.where(above, found, nan)
    return p_values


def _unit(values: np.ndarray) -> np.ndarray:
    """Return centered values, of length 1, scaled first so that no square overflows."""
    values = values - values.mean()
    values = values / np.abs(values).max()
    return values / np.linalg.norm(values)
