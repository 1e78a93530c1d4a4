"""Every pair of metrics at once: how alike they order systems, and outputs of a segment.

Scores of M metrics; higher is better in all, NaN is missing. A pair of metrics is compared on what
both have scored. Sums over pairs of metrics are products of matrices, so that a hundred metrics
take seconds.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judgments.stats.correlation import signs
from metrics.stats.columns import FEWEST, Floats

Integers = NDArray[np.int64]

# Segments at a time, so that 100 metrics take tens of megabytes.
SEGMENTS_AT_ONCE = 128


@dataclass(frozen=True, eq=False)
class MetricPairs:
    """Of M metrics, (M, M) each: Kendall's τ-b over systems, ``tau``, of ``n_systems`` that both
    have scored; Pearson's r by item, ``r``: of the systems of one segment, then the mean over
    ``n_segments`` in which both vary."""

    tau: Floats
    n_systems: Integers
    r: Floats
    n_segments: Integers


def every_pair(systems: Floats, segments: Floats, fewest: int = FEWEST) -> MetricPairs:
    """Return how alike every two of M metrics are, from scores of systems (M, S) and of their
    outputs (M, S, N). A figure of fewer than ``fewest`` systems is NaN, as is one of metrics that
    do not vary."""
    tau, n_systems = kendall_pairs(systems, fewest)
    r, n_segments = pearson_by_item(segments, fewest)
    return MetricPairs(tau, n_systems, r, n_segments)


def kendall_pairs(scores: Floats, fewest: int = FEWEST) -> tuple[Floats, Integers]:
    """Return τ-b of every two of M metrics over S systems, (M, M), and of how many systems."""
    first, second = np.triu_indices(scores.shape[1], 1)
    there = ~np.isnan(scores)
    order = signs(scores[:, first], scores[:, second]).astype(np.float64)
    known = (there[:, first] & there[:, second]).astype(np.float64)
    n = there.astype(np.int64) @ there.T.astype(np.int64)
    untied = np.abs(order) @ known.T  # of the row's metric, on pairs that both know
    with np.errstate(divide="ignore", invalid="ignore"):
        tau = (order @ order.T) / np.sqrt(untied * untied.T)
    return np.where((n >= fewest) & (untied > 0) & (untied.T > 0), tau.clip(-1, 1), np.nan), n


def pearson_by_item(scores: Floats, fewest: int = FEWEST) -> tuple[Floats, Integers]:
    """Return the mean over N segments of Pearson's r between the scores that two of M metrics give
    the S systems, (M, M), and over how many segments. ``scores``: (M, S, N)."""
    total, n_groups = np.zeros((2, len(scores), len(scores)))
    for start in range(0, scores.shape[2], SEGMENTS_AT_ONCE):
        r = _r_of_segments(scores[:, :, start : start + SEGMENTS_AT_ONCE], fewest)
        there = ~np.isnan(r)
        total += np.where(there, r, 0).sum(axis=0)
        n_groups += there.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return total / n_groups, n_groups.astype(np.int64)


def _r_of_segments(scores: Floats, fewest: int) -> Floats:
    """Return Pearson's r of every two metrics in every segment, (N, M, M)."""
    values, there = _centered(scores.transpose(2, 0, 1))
    known = there.astype(np.float64)
    across = values.transpose(0, 2, 1), (values**2).transpose(0, 2, 1), known.transpose(0, 2, 1)
    n = known @ across[2]
    of_row, of_column = values @ across[2], known @ across[0]
    squares, their_squares = values**2 @ across[2], known @ across[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = squares - of_row**2 / n
        their_spread = their_squares - of_column**2 / n
        r = (values @ across[0] - of_row * of_column / n) / np.sqrt(spread * their_spread)
        # Less than this is rounding, not variation.
        varies = (spread > 1e-12 * squares) & (their_spread > 1e-12 * their_squares)
    return np.where((n >= fewest) & varies, r.clip(-1, 1), np.nan)


def _centered(scores: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return scores (N, M, S) less the metric's mean of the segment, on the scale of their largest,
    0 where there is none or they do not vary; and where there are some."""
    there = np.isfinite(scores)
    values = np.where(there, scores, 0.0)
    n = np.maximum(there.sum(axis=2, keepdims=True), 1)
    moved = np.where(there, values - values.sum(axis=2, keepdims=True) / n, 0.0)
    largest = np.abs(values).max(axis=2, keepdims=True, initial=0)
    moved = np.where(np.abs(moved) > 1e-13 * largest, moved, 0.0)
    reach = np.abs(moved).max(axis=2, keepdims=True, initial=0)
    return moved / np.where(reach > 0, reach, 1.0), there
