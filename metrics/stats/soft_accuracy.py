"""Soft pairwise accuracy: how far a metric is as sure as people of which system is better."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.stats.columns import Floats
from metrics.stats.draws import exact
from metrics.stats.grouped import check


@dataclass(frozen=True, kw_only=True)
class SoftAccuracy:
    """Soft pairwise accuracies of M metrics.

    ``estimates`` (M,): 1 is perfect; ``n_pairs`` (M,): pairs of systems compared; ``human_p``
    (S, S), ``metric_p`` (M, S, S): one-sided p-values that system i is not better than j, above the
    diagonal, elsewhere NaN; ``n_segments``: segments drawn from; ``reasons`` (M,): why an estimate
    is NaN, else empty.
    """

    estimates: Floats
    n_pairs: NDArray[np.int64]
    human_p: Floats
    metric_p: Floats
    n_segments: int
    permutations: int
    test: str = "paired permutation, one-sided"
    reasons: tuple[str, ...] = ()


def soft_pairwise_accuracy(
    human: ArrayLike, metrics: ArrayLike, *, rng: np.random.Generator, permutations: int = 1000
) -> SoftAccuracy:
    """Soft pairwise accuracy (Thompson, Mathur, Deutsch and Khayrallah 2024): the mean, over pairs
    of systems, of 1 - |p_human - p_metric|, where p are one-sided p-values of a paired permutation
    test of the segment scores: the share of ``permutations`` in which the sum of differences is at
    least the one observed. All systems and scorers see the same swaps, drawn as
    mt-metrics-eval draws them (seed 4 there).

    ``human``: (S, N), ``metrics``: (M, S, N), NaN missing. Two systems are compared on the segments
    that people judged for both, by a metric on those of them that it scored for both.

    Raises ValueError for arrays that do not fit or no permutation.
    """
    human, metrics = check(human, metrics)
    if permutations < 1:
        raise ValueError(f"permutations must be at least 1, not {permutations!r}.")
    kept = (~np.isnan(human)).sum(axis=0) >= 2
    human, metrics = human[:, kept], np.where(np.isnan(human), np.nan, metrics)[:, :, kept]
    n_segments = int(kept.sum())
    masks = draw_signs(rng, n_segments, permutations)
    p_values = np.stack([p_matrix(scores, masks) for scores in (human, *metrics)])
    upper = np.triu_indices(len(human), 1)
    differences = np.abs(p_values[1:] - p_values[0])[:, *upper]
    n_pairs = np.sum(~np.isnan(differences), axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimates = 1 - np.nansum(differences, axis=1) / n_pairs
    reason = "no two systems have a common segment"
    return SoftAccuracy(
        estimates=estimates,
        n_pairs=n_pairs,
        human_p=p_values[0],
        metric_p=p_values[1:],
        n_segments=n_segments,
        permutations=permutations,
        reasons=tuple("" if n else reason for n in n_pairs),
    )


def draw_signs(rng: np.random.Generator, n: int, permutations: int) -> NDArray[np.float32]:
    """Swaps of n segments: 1 or -1 with chance ½ each, (permutations, n)."""
    drawn = rng.random(size=(permutations, n), dtype=np.float32)
    return np.rint(drawn) * 2 - 1


def p_matrix(scores: Floats, masks: NDArray[np.float32]) -> Floats:
    """One-sided p-values (S, S) above the diagonal, of scores (S, N) and swaps (R, N)."""
    p_values = np.full((len(scores), len(scores)), np.nan)
    for i, j in zip(*np.triu_indices(len(scores), 1), strict=True):
        with np.errstate(invalid="ignore"):
            difference = scores[i] - scores[j]
        there = ~np.isnan(difference)
        if there.any():
            difference = exact(np.where(there, difference, 0.0)[:, None])[:, 0]
            p_values[i, j] = np.mean(masks @ difference >= difference.sum())
    return p_values
