"""Kendall-like coefficients of earlier WMT campaigns, which pool the pairs of all groups."""

import numpy as np
from numpy.typing import NDArray

from judgments.stats.correlation import signs
from metrics.stats.columns import ColumnPairCounts, Floats, count_pairs

POOLED = ("kendall-12", "kendall-13", "kendall-14", "daRR")


def pooled_tau(
    human: Floats,
    metrics: Floats,
    coefficient: str,
    threshold: float,
    counts: ColumnPairCounts | None = None,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the coefficient of each metric (M,), and which groups have a pair that counts (M, G).

    ``human``: (n, G), ``metrics``: (M, n, G), a group in each column. ``threshold``: of "daRR".
    """
    if coefficient == "daRR":
        difference, counted = _relative_ranking(human, metrics, threshold)
    else:
        counts = counts or count_pairs(human, metrics)
        ties = counts.tied_in_metric_only
        difference, counted = counts.difference, counts.untied
        if coefficient == "kendall-12":
            difference, counted = difference - ties, counted + ties
        elif coefficient == "kendall-14":
            counted = counted + ties
    with np.errstate(divide="ignore", invalid="ignore"):
        return difference.sum(axis=1) / counted.sum(axis=1), counted > 0


def _relative_ranking(
    human: Floats, metrics: Floats, threshold: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return concordant minus other pairs, and all pairs, among those that people separate: (M, G)
    each.

    A pair of a threshold of 0 that people tie has no right order: its metric scores are discordant,
    as in WMT's own script.
    """
    concordant = np.zeros((len(metrics), human.shape[1]), dtype=np.int64)
    counted = np.zeros_like(concordant)
    is_there = ~(np.isnan(human) | np.isnan(metrics))
    for i in range(1, len(human)):
        # One value against all before it: (i, G) and (M, i, G).
        away = human[i] - human[:i]
        is_apart = np.abs(away) >= threshold
        kept = is_apart & is_there[:, i, None] & is_there[:, :i]
        theirs = np.sign(np.where(is_apart, away, 0)).astype(np.int8)
        ours = signs(metrics[:, i, None], metrics[:, :i])
        concordant += np.sum(kept & (ours * theirs > 0), axis=1)
        counted += np.sum(kept, axis=1)
    return 2 * concordant - counted, counted
