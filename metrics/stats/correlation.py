"""How well automatic scores follow human ones: coefficients and a regression line.

Pairs in which either value is NaN are dropped, and the result says how many were used. What is
undefined is NaN with a reason. Intervals are in ``metrics.stats.agreement_intervals``; the
coefficients are those of ``judgments.stats.correlation``.
"""

from dataclasses import dataclass
from math import nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from judgments.stats.correlation import (
    Correlation,
    Floats,
    PairwiseAccuracy,
    is_constant,
    kendall,
    known_pairs,
    pairwise_accuracy,
    pearson,
    spearman,
)
from metrics.stats.soft_accuracy import soft_pairwise_accuracy
from metrics.stats.ties import calibrated_accuracy

__all__ = [
    "Correlation",
    "PairwiseAccuracy",
    "RegressionBand",
    "calibrated_accuracy",
    "kendall",
    "pairwise_accuracy",
    "pearson",
    "regression_band",
    "soft_pairwise_accuracy",
    "spearman",
]


@dataclass(frozen=True, kw_only=True)
class RegressionBand:
    """A least-squares line and the confidence band of the mean of y at each point of ``grid``.

    ``slope_low``, ``slope_high``: the ends of the slope's confidence interval at the same level;
    ``r_squared``: the share of the variance of y that the line explains.
    """

    slope: float
    intercept: float
    n: int
    grid: Floats
    fit: Floats
    low: Floats
    high: Floats
    level: float
    slope_low: float = nan
    slope_high: float = nan
    r_squared: float = nan
    reason: str = ""


def regression_band(
    x: ArrayLike, y: ArrayLike, grid: ArrayLike, *, level: float = 0.95
) -> RegressionBand:
    """Return least-squares line of y on x, with the confidence band of its mean at ``grid``: fit ±
    t(n - 2) · s · √(1/n + (g - x̄)² / Σ(x - x̄)²), and the interval of its slope, slope ± t(n - 2)
    · s / √Σ(x - x̄)².

    A line needs two different x; a band needs three pairs. Errors as in ``pearson``, and for a
    level that is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, not {level!r}.")
    x, y = known_pairs(x, y)
    grid = np.asarray(grid, dtype=np.float64)
    known: dict[str, Any] = {"n": len(x), "grid": grid, "level": level}
    if reason := _no_line(x, y):
        nothing = np.full(grid.shape, nan)
        return RegressionBand(
            slope=nan, intercept=nan, fit=nothing, low=nothing, high=nothing, reason=reason, **known
        )
    x_mean, n = x.mean(), len(x)
    spread = np.sum((x - x_mean) ** 2)
    slope = float(np.sum((x - x_mean) * (y - y.mean())) / spread)
    intercept = float(y.mean() - slope * x_mean)
    fit = intercept + slope * grid
    left, total = np.sum((y - intercept - slope * x) ** 2), np.sum((y - y.mean()) ** 2)
    half, of_slope = np.full(grid.shape, nan), nan
    if n > 2:
        error = sqrt(left / (n - 2)) * stdtrit(n - 2, (1 + level) / 2)
        half = error * np.sqrt(1 / n + (grid - x_mean) ** 2 / spread)
        of_slope = error / sqrt(spread)
    reason = "" if n > 2 else "a band needs at least 3 pairs"
    return RegressionBand(
        slope=slope,
        intercept=intercept,
        fit=fit,
        low=fit - half,
        high=fit + half,
        slope_low=slope - of_slope,
        slope_high=slope + of_slope,
        r_squared=float(1 - left / total) if total and not is_constant(y) else nan,
        reason=reason,
        **known,
    )


def _no_line(x: Floats, y: Floats) -> str:
    """Return why no line can be drawn, or nothing."""
    if len(x) < 2:
        return "fewer than 2 pairs"
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        return "a value is infinite"
    return "x does not vary" if is_constant(x) else ""
