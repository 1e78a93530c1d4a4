"""How much differences between two systems vary in judgments, and how a plan learns from it.

`benchmarks/refit_spread.py` replays it: pilots of 30 segments, and earlier whole campaigns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from judgments.stats.ranks import midranks, tied

from .spreads import DifferenceSpread

PRIOR_DIFFERENCES = 100
"""Weight of the prior knowledge in differences, for the logarithm of the spread: a segment judged
for S systems has S - 1 free ones."""
PRIOR_NEIGHBORS = 200
"""The same for the correlation within documents, in differences of segments other than the first of
a document.
"""
LARGEST_RHO = 0.95
MOST_TIMES = 5.0
"""Largest factor of one campaign: two of one protocol differed threefold."""
NOTHING = 1e-18  # rounding errors of equal differences


@dataclass(frozen=True)
class JudgedShares:
    """``values`` (S, U): scores of S systems as shares of the scale, NaN if missing. Each column
    holds one person's scores of one of ``segments`` (U,), in ``documents`` (U,), with ``words``
    (U,) of the source. ``systems``: their ids, if needed."""

    values: np.ndarray
    segments: np.ndarray
    documents: np.ndarray
    words: np.ndarray
    systems: tuple[int, ...] = ()

    @property
    def compared(self) -> np.ndarray:
        """(U,): whether the person scored two systems or more."""
        return (~np.isnan(self.values)).sum(axis=0) > 1

    @property
    def n_segments(self) -> int:
        return len(np.unique(self.segments[self.compared]))

    @property
    def n_free(self) -> float:
        """Number of free differences, those of one person per segment."""
        at = self.compared
        systems = (~np.isnan(self.values[:, at])).sum(axis=0)
        return float((systems - 1).mean() * self.n_segments) if at.any() else 0.0

    def differences(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the differences of each pair of systems, and the columns that have one."""
        found = []
        for a, b in combinations(range(len(self.values)), 2):
            difference = self.values[a] - self.values[b]
            at = np.flatnonzero(~np.isnan(difference))
            if len(at) > 1:
                found.append((difference[at], at))
        return found


def refit_spread(
    before: DifferenceSpread, campaigns: Sequence[JudgedShares], *, most: float = math.inf
) -> DifferenceSpread:
    """Return ``before`` with its size and its correlation updated by judgments.

    ``most``: the weight of a campaign relative to the prior knowledge is at most this; 1 for
    campaigns other than the one being planned, because two campaigns of a protocol may differ
    threefold. The size is common to all lengths, so that its dependence on length stays. The
    logarithm is updated: the mean of two variances would be close to the larger one.
    """
    moved, known = 0.0, float(PRIOR_DIFFERENCES)
    rho, known_rho = PRIOR_NEIGHBORS * before.rho, float(PRIOR_NEIGHBORS)
    for judged in campaigns:
        times = _times(before, judged)
        if times > 0:
            n = min(judged.n_free, most * PRIOR_DIFFERENCES)
            moved, known = moved + n * math.log(times), known + n
        correlation, neighbors = correlation_within(judged)
        if not math.isnan(correlation):
            n = min(neighbors, most * PRIOR_NEIGHBORS)
            rho, known_rho = rho + n * correlation, known_rho + n
    return replace(
        before,
        times=before.times * math.exp(moved / known),
        rho=min(max(rho / known_rho, 0.0), LARGEST_RHO),
    )


def _times(before: DifferenceSpread, judged: JudgedShares) -> float:
    """Return by which factor the differences vary more than before; 0 where they do not vary."""
    differences = judged.differences()
    squares = sum(float(((d - d.mean()) ** 2).sum()) for d, _ in differences)
    n = sum(len(d) for d, _ in differences)
    if squares <= NOTHING * n:
        return 0.0
    observed = before.of_sd * math.sqrt(squares / sum(len(d) - 1 for d, _ in differences))
    words = judged.words[judged.compared]
    times = observed / before.share(float(words.mean()), float((words**2).mean()))
    return min(max(times, 1 / MOST_TIMES), MOST_TIMES)


def correlation_within(judged: JudgedShares) -> tuple[float, float]:
    """Return the correlation of signed ranks within documents, and the number of differences on
    segments other than the first of a document; NaN where no document has two of them.

    By moments, with one person's scores of each segment. The squared sums of documents, about the
    mean of all, and all squares are linear in ρ: n values of variance 1, of which those of a
    document correlate with ρ, have the mean squares of `_expected`.
    """
    first = np.unique(np.where(judged.compared, judged.segments, -1), return_index=True)[1]
    first = first[judged.compared[first]]
    columns = (judged.segments[first], judged.documents[first], judged.words[first])
    one = JudgedShares(judged.values[:, first], *columns)
    numerator = denominator = 0.0
    for difference, at in one.differences():
        ranks = signed_ranks(difference)
        ranks = ranks - ranks.mean()
        if not (total := float((ranks**2).sum())):
            continue
        _, code, sizes = np.unique(one.documents[at], return_inverse=True, return_counts=True)
        if len(sizes) < 2 or sizes.max() < 2:
            continue
        ratio = float((np.bincount(code, ranks) ** 2).sum()) / total
        (sums, squares), (sums_1, squares_1) = _expected(sizes, 0.0), _expected(sizes, 1.0)
        numerator += ratio * squares - sums
        denominator += (sums_1 - sums) - ratio * (squares_1 - squares)
    beside = 1 - len(np.unique(one.documents)) / max(1, len(first))
    neighbors = beside * one.n_free
    return (numerator / denominator, neighbors) if denominator > 0 else (math.nan, neighbors)


def _expected(sizes: np.ndarray, rho: float) -> tuple[float, float]:
    """Return the means of Σ(sum of a document)² and of Σ(value)², for values minus their mean."""
    n = sizes.sum()
    of_sums = sizes + sizes * (sizes - 1) * rho
    of_all = of_sums.sum()
    about_mean = (of_sums * (1 - 2 * sizes / n)).sum() + (sizes**2).sum() / n**2 * of_all
    return float(about_mean), float(n - of_all / n)


def signed_ranks(differences: np.ndarray) -> np.ndarray:
    """Return the ranks of the absolute ``differences`` (n,) with their signs; 0 for zeros."""
    differences = tied(differences)
    found = np.zeros(len(differences))
    kept = differences != 0
    found[kept] = np.sign(differences[kept]) * midranks(np.abs(differences[kept]))[0]
    return found
