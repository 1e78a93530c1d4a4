"""p-values adjusted for the number of tests: Holm's are in ``judgments.stats.significance``."""

from math import ceil

import numpy as np
from numpy.typing import ArrayLike, NDArray

from judgments.stats.significance import holm

__all__ = ["benjamini_hochberg", "holm", "resolution_note"]


def benjamini_hochberg(p_values: ArrayLike) -> NDArray[np.float64]:
    """Adjusted p-values of Benjamini and Hochberg (1995), in the shape given.

    They bound the share of false findings among all findings, where Holm's bound the chance of even
    one. NaN is no test and stays NaN.
    """
    p_values = np.asarray(p_values, np.float64)
    adjusted = np.full(p_values.shape, np.nan)
    tested = ~np.isnan(p_values)
    p = p_values[tested]
    order = np.argsort(p, kind="stable")[::-1]  # the largest first
    steps = p[order] * (len(p) / np.arange(len(p), 0, -1))
    values = np.empty(len(p))
    values[order] = np.minimum(np.minimum.accumulate(steps), 1)
    adjusted[tested] = values
    return adjusted


def resolution_note(test: str, n_tests: int, resamples: int, alpha: float = 0.05) -> str:
    """A sentence if so many resamples are too few for Holm's method; nothing if they are enough.

    A p-value counted from R resamples is never below 1 / (R + 1), and Holm's method rejects nothing
    unless the smallest of m is below alpha / m.
    """
    if not n_tests or 1 / (resamples + 1) <= alpha / n_tests:
        return ""
    needed = ceil(n_tests / alpha) - 1
    return (
        f"{resamples:,} resamples are too few to adjust the {test} for {n_tests:,} pairs: its "
        f"smallest possible p-value is {1 / (resamples + 1):.2g}, above {alpha:g} / {n_tests:,}, "
        f"so that no pair could differ by Holm's method. It needs {needed:,}."
    )
