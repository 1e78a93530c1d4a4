"""AutoRank: one rank of a system from several metrics, as WMT's general task prints it before the
human evaluation is there. 1 is the best system, N the worst, and what lies between is not whole.
"""

import numpy as np
from numpy.typing import ArrayLike

from metrics.stats.columns import Floats

# Keeps a metric that hardly tells systems apart from being blown up. WMT25 has such a bound, the
# value is ours.
SMALLEST_SPREAD = 1e-9


def autorank_wmt24(scores: ArrayLike, *, n: int | None = None) -> Floats:
    """Return AutoRank of WMT24 (Kocmi et al. 2024, arXiv 2407.19884), (S,): each metric is scaled
    linearly such that the best of N systems has 1 and the worst N, and the metrics are averaged.
    WMT24 took two, MetricX-23-XL and CometKiwi-DA-XL.

    ``scores``: (M, S), higher is better. A system that lacks a score has NaN and is none of the N;
    all have where a metric does not tell any two apart, for it then has no scale. Raise ValueError
    for another shape. ``n``: N where it is not the number of systems with all scores, such as
    where a table leaves systems out that took part.
    """
    values, there = _checked(scores)
    found = np.full(values.shape[1], np.nan)
    found[there] = np.mean([_scaled(row, n) for row in values[:, there]], axis=0)
    return found


def autorank_wmt25(scores: ArrayLike) -> Floats:
    """Return AutoRank of WMT25 (Kocmi et al. 2025, arXiv 2508.14909), (S,): of each metric (x −
    median) / max(ε, P100 − P25), with percentiles over systems, so that a few very bad systems do
    not press all others together; the mean over metrics; that scaled linearly such that the best of
    N systems has 1 and the worst N.

    ``scores``, NaN and errors as for `autorank_wmt24`. Percentiles are interpolated linearly.
    """
    values, there = _checked(scores)
    found = np.full(values.shape[1], np.nan)
    kept = values[:, there]
    if kept.size:
        median = np.median(kept, axis=1, keepdims=True)
        spread = kept.max(axis=1, keepdims=True) - np.percentile(kept, 25, axis=1, keepdims=True)
        found[there] = _scaled(((kept - median) / np.maximum(spread, SMALLEST_SPREAD)).mean(axis=0))
    return found


def _checked(scores: ArrayLike) -> tuple[Floats, np.ndarray]:
    """Return the scores (M, S), and which systems have all of them."""
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2 or not len(values):
        raise ValueError(f"Scores must have the shape (metrics, systems), not {values.shape}.")
    return values, np.asarray(~np.isnan(values).any(axis=0))


def _scaled(values: Floats, n: int | None = None) -> Floats:
    """From 1 for the highest of N values to N for the lowest; NaN where all are alike."""
    if not len(values):
        return values
    high, low = values.max(), values.min()
    if high == low:
        return np.full(len(values), np.nan)
    return 1 + ((n or len(values)) - 1) * (high - values) / (high - low)
