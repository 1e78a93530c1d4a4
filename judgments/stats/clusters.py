"""Ranks and clusters of systems, by the rules of the WMT evaluation campaigns.

The rules answer differently on the same data, so a ranking carries the label of its rule:

- ``wmt17-23``: a win is a better score and one-sided p < alpha; rank range [losses + 1, n - wins];
  a cluster ends after position i if each of the first i systems beats all the later ones.
- ``wmt25``: the range walks up and down from a system to its first significantly different
  neighbour; a cluster ends after i if the ranges above end by i and those below start after i.
- ``wmt26``: ranges as in wmt25, clusters as in wmt17-23 (humeval/02b-analyze_results.py of
  wmt-conference/wmt26-general-mt; its test is the ``bootstrap`` of `pair_tests`).
- ``wmt13-16``: ranks in resampled data (bootstrap or TrueSkill runs), the outer 5 % dropped;
  a cluster ends where the ranges do not overlap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.pair_tests import compare_systems
from judgments.stats.resampling import percentile_bounds

__all__ = ["RULES", "Ranking", "compare_systems", "range_gaps", "rank_clusters"]

RULES = ("wmt17-23", "wmt25", "wmt26", "wmt13-16")


@dataclass(frozen=True)
class Ranking:
    """Ranks of n systems; all arrays but ``order`` are in the order the systems were given.

    ``order`` (n,) lists systems from best to worst. ``rank_low`` and ``rank_high`` bound the rank
    range, ``cluster`` numbers the clusters from 1, and ``cluster_low`` and ``cluster_high`` are the
    first and last place of the system's cluster. ``wins`` and ``losses`` are 0 under wmt13-16.
    A system without a score is placed last, has NaN ranges and cluster 0, and ``reason`` says so.
    """

    rule: str
    alpha: float
    order: np.ndarray
    rank_low: np.ndarray
    rank_high: np.ndarray
    cluster: np.ndarray
    cluster_low: np.ndarray
    cluster_high: np.ndarray
    wins: np.ndarray
    losses: np.ndarray
    reason: str = ""


def rank_clusters(
    scores: ArrayLike,
    p_values: ArrayLike | None = None,
    *,
    rule: str,
    resampled: ArrayLike | None = None,
    alpha: float = 0.05,
) -> Ranking:
    """Return rank systems by ``scores`` (n,), higher is better, under a rule of the module's list.

    ``p_values`` (n, n), for the others: one-sided p that i is better than j (NaN: not
    significant). ``resampled`` (B, n), for wmt13-16: the scores in each resample; alpha is the
    share of ranks dropped, half on each side. Raise ValueError if what the rule needs is not given.
    """
    if rule not in RULES:
        raise ValueError(f"rule is one of {', '.join(RULES)}, not {rule!r}")
    scores = np.asarray(scores, np.float64)
    n = len(scores)
    order = np.argsort(-scores, kind="stable")  # NaN goes last
    ranked = order[: n - int(np.isnan(scores).sum())]
    wins = losses = np.zeros(len(ranked), np.int64)
    if rule == "wmt13-16":
        if resampled is None:
            raise ValueError("wmt13-16 needs the resampled scores")
        low, high = _resampled_ranges(np.asarray(resampled, np.float64)[:, ranked], alpha)
        ends = range_gaps(low, high)
    else:
        if p_values is None or np.shape(p_values) != (n, n):
            raise ValueError(f"{rule} needs p-values of shape ({n}, {n})")
        p = np.asarray(p_values, np.float64)[np.ix_(ranked, ranked)]
        sorted_scores = scores[ranked]
        better = sorted_scores[:, None] > sorted_scores[None, :]
        win = better & (np.nan_to_num(p, nan=1.0) < alpha)
        wins, losses = win.sum(axis=1), win.sum(axis=0)
        low, high = (losses + 1, len(ranked) - wins) if rule == "wmt17-23" else _walk(win)
        if rule == "wmt25":
            ends = [i for i in range(1, len(low)) if high[:i].max() <= i < low[i:].min()]
        else:  # each of the first i beats all the later ones
            ends = [i for i in range(1, len(low)) if win[:i, i:].all()]
    return _in_given_order(rule, alpha, order, ranked, low, high, ends, wins, losses)


def range_gaps(low: np.ndarray, high: np.ndarray) -> list[int]:
    """After which places the rank ranges (n,) above and below do not overlap (wmt13-16)."""
    return [i for i in range(1, len(low)) if np.max(high[:i]) < np.min(low[i:])]


def _walk(win: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """From each place up and down until the first significant neighbour."""
    n = len(win)
    low, high = np.arange(1, n + 1), np.arange(1, n + 1)
    for i in range(n):
        while low[i] > 1 and not win[low[i] - 2, i]:
            low[i] -= 1
        while high[i] < n and not win[i, high[i]]:
            high[i] += 1
    return low, high


def _resampled_ranges(resampled: np.ndarray, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    if resampled.shape[1] == 0:
        return np.zeros(0), np.zeros(0)
    first, last = np.empty(resampled.shape), np.empty(resampled.shape)
    for i, scores in enumerate(resampled.T):
        # Systems that tie in a resample share its places, so that equal systems get equal ranges.
        first[:, i] = 1 + (resampled > scores[:, None]).sum(axis=1)
        last[:, i] = (resampled >= scores[:, None]).sum(axis=1)
    undefined = np.isnan(resampled).any(axis=1)
    first[undefined] = last[undefined] = np.nan
    return percentile_bounds(first, 1 - alpha)[0], percentile_bounds(last, 1 - alpha)[1]


def _in_given_order(
    rule: str,
    alpha: float,
    order: np.ndarray,
    ranked: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    ends: list[int],
    wins: np.ndarray,
    losses: np.ndarray,
) -> Ranking:
    n = len(order)
    places = np.arange(1, len(ranked) + 1)
    bounds = np.array([0, *ends, len(ranked)])
    cluster = np.searchsorted(bounds, places)

    def spread(values: np.ndarray, missing: float) -> np.ndarray:
        whole = np.full(n, missing)
        whole[ranked] = values
        return whole

    return Ranking(
        rule=rule,
        alpha=alpha,
        order=order,
        rank_low=spread(low, np.nan),
        rank_high=spread(high, np.nan),
        cluster=spread(cluster, 0).astype(np.int64),
        cluster_low=spread(bounds[cluster - 1] + 1, np.nan),
        cluster_high=spread(bounds[cluster], np.nan),
        wins=spread(wins, 0).astype(np.int64),
        losses=spread(losses, 0).astype(np.int64),
        reason="" if len(ranked) == n else f"systems without a score: {n - len(ranked)}",
    )
