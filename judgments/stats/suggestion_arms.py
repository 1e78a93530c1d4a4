"""What suggestions do to marks and to time: shares and means with them and without, and which
suggestions are met by an error."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from judgments.stats.resampling import FEWEST_CLUSTERS, bootstrap_sums_interval

FEW = "an interval needs at least eight documents or segments in each arm"


@dataclass(frozen=True)
class ArmEstimate:
    """A ratio of sums: of ``n`` (the sum below the line), in ``n_clusters`` of them; with its 95 %
    interval, NaN where they are too few."""

    value: float
    low: float
    high: float
    n: float
    n_clusters: int


@dataclass(frozen=True)
class ArmsCompared:
    """``aided``: with suggestions; ``unaided``: without; ``difference``: aided − unaided, whose n
    is that of both. ``reason``: why the difference has no interval."""

    aided: ArmEstimate
    unaided: ArmEstimate
    difference: ArmEstimate
    reason: str = ""


def compare_arms(
    numerator: ArrayLike,
    denominator: ArrayLike,
    is_aided: ArrayLike,
    clusters: ArrayLike,
    *,
    rng: np.random.Generator,
    resamples: int = 1000,
) -> ArmsCompared:
    """Compare Σ numerator / Σ denominator of the rows (n,) of both arms. ``clusters`` (n,): what is
    drawn together, with the rows of both arms in it. Percentile bootstrap; an arm needs eight
    clusters with something below the line. Raise ValueError for arrays that do not fit each other.
    """
    above, below = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    aided, group = np.asarray(is_aided, bool), np.asarray(clusters)
    if not above.shape == below.shape == aided.shape == group.shape or above.ndim != 1:
        raise ValueError("rows have a numerator, a denominator, an arm and a cluster each")
    stats = np.column_stack([above * aided, below * aided, above * ~aided, below * ~aided])
    counts = [len(np.unique(group[(below > 0) & arm])) for arm in (aided, ~aided)]
    low, high = np.full((2, 3), math.nan)
    if len(above):
        found = bootstrap_sums_interval(
            _ratios, stats, rng=rng, resamples=resamples, clusters=group, width=7
        )
        low, high = np.broadcast_to(found.low, 3), np.broadcast_to(found.high, 3)
    enough = [n >= FEWEST_CLUSTERS for n in counts]
    enough.append(all(enough))
    values = _ratios(stats.sum(axis=0)[None])[0]
    sizes = (stats[:, 1].sum(), stats[:, 3].sum(), below.sum())
    estimates = [
        ArmEstimate(
            float(values[i]),
            float(low[i]) if enough[i] else math.nan,
            float(high[i]) if enough[i] else math.nan,
            float(sizes[i]),
            (*counts, len(np.unique(group[below > 0])))[i],
        )
        for i in range(3)
    ]
    aided_arm, unaided_arm, difference = estimates
    return ArmsCompared(aided_arm, unaided_arm, difference, "" if enough[2] else FEW)


def _ratios(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (b, 4) → (b, 3): with, without, difference; NaN where nothing is below the line."""
    with np.errstate(divide="ignore", invalid="ignore"):
        aided = np.where(sums[:, 1] > 0, sums[:, 0] / sums[:, 1], math.nan)
        unaided = np.where(sums[:, 3] > 0, sums[:, 2] / sums[:, 3], math.nan)
    return np.column_stack([aided, unaided, aided - unaided])


def joined(
    owner: NDArray[np.int64], wanted: NDArray[np.int64]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return all pairs of a row of ``wanted`` (m,) and a row of ``owner`` (k,) that have the same
    number: indices of both."""
    order = np.argsort(owner, kind="stable")
    first = np.searchsorted(owner[order], wanted, "left")
    n = np.searchsorted(owner[order], wanted, "right") - first
    left = np.repeat(np.arange(len(wanted)), n)
    within = np.arange(len(left)) - np.repeat(np.cumsum(n) - n, n)
    return left, order[np.repeat(first, n) + within]


def overlapped(
    owner: NDArray[np.int64],
    places: NDArray[np.int64],
    by_owner: NDArray[np.int64],
    by_places: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Return whether each place (k, 2) from start to end is overlapped by one ``by_places`` (m, 2)
    of the same owner (a text of a judgment). From 0 to 0 is no place: of two such each meets the
    other."""
    left, right = joined(by_owner, owner)
    a, b = places[left], by_places[right]
    nowhere = (a == 0).all(axis=1) & (b == 0).all(axis=1)
    hit = nowhere | ((a[:, 0] < b[:, 1]) & (b[:, 0] < a[:, 1]))
    return np.bincount(left[hit], minlength=len(owner)) > 0
