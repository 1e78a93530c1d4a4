"""One figure for a metric from several tasks, as the metrics tasks of WMT averaged them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from metrics.stats.columns import Floats


def wmt23_average(
    accuracy: ArrayLike,
    system_pearson: ArrayLike,
    segment_pearson: ArrayLike,
    calibrated_accuracy: ArrayLike,
) -> Floats:
    """Return the average of WMT23 (Freitag et al. 2023), (M,): pairwise accuracy of systems, pooled
    over language pairs, with as much weight as there are of these, 3 at WMT23; for each language
    pair the system-level Pearson, the segment-level Pearson without grouping, and by-item acc_eq
    with tie calibration, weight 1 each (`tasks.WMT23` of mt-metrics-eval). A correlation r counts
    as (r + 1) / 2.

    ``accuracy``: (M,); the others (L, M) of L language pairs, or (M,) of one; L = 3 at WMT23. NaN
    where one of the figures is. Raise ValueError where the shapes differ.
    """
    pooled = np.asarray(accuracy, dtype=np.float64)
    system, segment, ties = _tasks(pooled, system_pearson, segment_pearson, calibrated_accuracy)
    n = len(system)
    total = n * pooled
    total = total + _as_share(system).sum(axis=0) + _as_share(segment).sum(axis=0)
    total = total + ties.sum(axis=0)
    return total / (4 * n)


def wmt24_average(soft_accuracy: ArrayLike, calibrated_accuracy: ArrayLike) -> Floats:
    """Return the average of WMT24 and WMT25, (M,): soft pairwise accuracy and by-item acc_eq with
    tie calibration, with equal weight for each language pair; (L, M) of L language pairs, or (M,)
    of one. NaN where one of the figures is. Raise ValueError where the shapes differ.
    """
    soft = np.atleast_2d(np.asarray(soft_accuracy, dtype=np.float64))
    (ties,) = _tasks(soft[0], calibrated_accuracy)
    if soft.shape != ties.shape:
        raise ValueError(f"Tasks must have one shape, not {soft.shape} and {ties.shape}.")
    return (soft.mean(axis=0) + ties.mean(axis=0)) / 2


def _as_share(r: Floats) -> Floats:
    """Return a correlation on the scale of an accuracy, 0 to 1."""
    return (r + 1) / 2


def _tasks(pooled: Floats, *tasks: ArrayLike) -> Sequence[Floats]:
    """Return each task as (L, M)."""
    found = [np.atleast_2d(np.asarray(task, dtype=np.float64)) for task in tasks]
    shapes = {task.shape for task in found}
    if pooled.ndim != 1 or len(shapes) != 1 or next(iter(shapes))[1:] != pooled.shape:
        raise ValueError(f"Tasks must have one shape (language pairs, metrics), not {shapes}.")
    return found
