"""Systems so far from the others that they decide a correlation alone."""

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

# Makes the median absolute deviation of a normal distribution its standard deviation.
NORMAL = 1.483


@dataclass(frozen=True, kw_only=True)
class Outliers:
    """Which systems are outliers.

    ``mask`` (n_systems,): True for an outlier, False also for a system without a score;
    ``distances`` (n_systems,): from the median, in multiples of 1.483 MAD; ``reason``: why there
    are no distances, else empty.
    """

    mask: NDArray[np.bool_]
    distances: Floats
    median: float
    mad: float
    reason: str = ""


def outliers(human: ArrayLike, *, cutoff: float = 2.5) -> Outliers:
    """Return outliers among the human scores of systems (n_systems,), NaN missing, by the rule of
    Mathur, Baldwin and Cohn (2020): |score - median| / (1.483 · MAD) > ``cutoff``, where MAD is the
    median absolute deviation from the median.

    Where half of the scores or more are equal, the MAD is 0 and nothing is called an outlier.
    Raises ValueError for an array of another shape.
    """
    human = np.asarray(human, dtype=np.float64)
    if human.ndim != 1:
        raise ValueError(f"Expected one score a system, got an array of shape {human.shape}.")
    there = np.isfinite(human)
    median = mad = nan
    reason = "" if there.sum() >= 3 else "fewer than 3 systems have a score"
    distances = np.full(human.shape, nan)
    if not reason:
        median = float(np.median(human[there]))
        away = np.where(there, np.abs(human - median), nan)
        mad = float(np.median(away[there]))
        if mad > 1e-13 * np.abs(human[there]).max():
            distances = away / (NORMAL * mad)
        else:
            reason = "half of the scores or more are equal"
    return Outliers(
        mask=distances > cutoff, distances=distances, median=median, mad=mad, reason=reason
    )
