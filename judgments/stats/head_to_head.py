"""How far systems differ: pairwise differences, effect sizes and adjusted p-values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from judgments.stats.normalization import clustered_half_widths, group_moments
from judgments.stats.pair_tests import differences
from judgments.stats.ranks import tied
from judgments.stats.significance import benjamini_hochberg, holm, sign_test

ADJUSTMENTS = {"holm": holm, "bh": benjamini_hochberg}


@dataclass(frozen=True)
class PairedDifferences:
    """System i against system j on the segments that both have; all arrays (n, n), row minus
    column, NaN on the diagonal and where undefined.

    ``difference`` of means with its t interval ``low`` and ``high``, errors clustered; ``d_z``, the
    mean difference over the standard deviation of the differences (Cohen 1988); ``superiority``,
    the share of segments on which i is better, ties half; ``n`` shared segments.
    """

    difference: np.ndarray
    low: np.ndarray
    high: np.ndarray
    d_z: np.ndarray
    superiority: np.ndarray
    n: np.ndarray
    level: float


@dataclass(frozen=True)
class DecidedComparisons:
    """System i against system j in direct comparisons, (n, n) each.

    ``share`` of i's wins among decided comparisons with its Wilson interval ``low`` and ``high``;
    ``p_values``: two-sided sign test, symmetric. NaN where nothing was decided.
    """

    share: np.ndarray
    low: np.ndarray
    high: np.ndarray
    p_values: np.ndarray
    level: float


def paired_differences(
    table: ArrayLike, clusters: ArrayLike | None = None, *, level: float = 0.95
) -> PairedDifferences:
    """Return effect sizes of all pairs of systems, from scores (n_systems, n_segments), NaN if not
    rated.

    ``clusters`` (n_segments,): the documents, within which errors are correlated (Liang and Zeger
    1986), with one degree of freedom fewer than documents; None: every segment is its own cluster.
    Like `judgments.stats.paired_difference`, for all pairs at once. An interval needs two shared
    clusters whose differences are not all the same, d_z two such segments.
    """
    table = np.asarray(table, np.float64)
    pairs, difference = differences(table)
    present = ~np.isnan(difference)
    row = np.broadcast_to(np.arange(len(pairs))[:, None], difference.shape)[present]
    n, mean, sd = group_moments(difference[present], row, len(pairs))
    half = np.where(sd > 0, clustered_half_widths(difference, clusters, level=level), np.nan)
    sign = np.bincount(row, weights=np.sign(tied(difference[present])), minlength=len(pairs))
    with np.errstate(divide="ignore", invalid="ignore"):
        d_z = np.where(sd > 0, mean / sd, np.nan)
        superiority = np.where(n > 0, (1 + sign / n) / 2, np.nan)
    size = len(table)
    return PairedDifferences(
        difference=_square(size, pairs, mean, -mean),
        low=_square(size, pairs, mean - half, -(mean + half)),
        high=_square(size, pairs, mean + half, -(mean - half)),
        d_z=_square(size, pairs, d_z, -d_z),
        superiority=_square(size, pairs, superiority, 1 - superiority),
        n=_square(size, pairs, n, n, 0).astype(np.int64),
        level=level,
    )


def decided_comparisons(wins: ArrayLike, *, level: float = 0.95) -> DecidedComparisons:
    """Return shares of wins of all pairs of systems, from wins (n, n) without ties.

    Wilson's (1927) interval; the sign test is exact. The test assumes independent comparisons,
    which those of one ranking are not quite.
    """
    wins = np.asarray(wins, np.float64)
    games = wins + wins.T
    z = float(ndtri((1 + level) / 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = wins / np.where(games > 0, games, np.nan)
        middle = (share + z**2 / (2 * games)) / (1 + z**2 / games)
        spread = share * (1 - share) / games + z**2 / (4 * games**2)
        half = z / (1 + z**2 / games) * np.sqrt(spread)
    p_values = np.full(wins.shape, np.nan)
    for i, j in np.argwhere(np.triu(games > 0, 1)):
        p_values[[i, j], [j, i]] = sign_test(int(wins[i, j]), int(wins[j, i])).p_value
    low, high = np.maximum(middle - half, 0), np.minimum(middle + half, 1)
    return DecidedComparisons(share, low, high, p_values, level)


def adjusted_pairs(p_values: ArrayLike, adjust: str = "holm") -> np.ndarray:
    """Return two-sided p (n, n), symmetric, adjusted for all pairs that were tested.

    ``adjust``: "holm" (Holm 1979): no pair is wrongly separated in 95 % of such tables at .05; "bh"
    (Benjamini and Hochberg 1995): of the separations 5 % are expected to be false.
    """
    p = np.asarray(p_values, np.float64)
    upper = np.triu_indices(len(p), 1)
    adjusted = np.full(p.shape, np.nan)
    adjusted[upper] = ADJUSTMENTS[adjust](p[upper])
    adjusted.T[upper] = adjusted[upper]
    return adjusted


def _square(
    size: int, pairs: np.ndarray, upper: np.ndarray, lower: np.ndarray, rest: float = np.nan
) -> np.ndarray:
    """Return (size, size) from the values of pairs and of the same pairs reversed."""
    whole = np.full((size, size), rest)
    whole[pairs[:, 0], pairs[:, 1]] = upper
    whole[pairs[:, 1], pairs[:, 0]] = lower
    return whole
