"""Soft pairwise accuracy: how far a metric is as sure as people of which system is better."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.stats.columns import Floats
from metrics.stats.groups import check

# Of a sum of n scores up to 1, times n: .1 + .2 and .3 are as far apart as this allows.
_ROUNDING = 1e-12


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
    """Return soft pairwise accuracy (Thompson, Mathur, Deutsch and Khayrallah 2024): the mean, over
    pairs of systems, of 1 - |p_human - p_metric|, where p are one-sided p-values of a paired
    permutation test of the segment scores: the share of ``permutations`` in which the sum of
    differences is at least the one observed. All systems and scorers see the same swaps, drawn as
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
    signs = draw_signs(rng, n_segments, permutations)
    p_values = _all_p_values(np.concatenate([human[None], metrics]), signs)
    differences = np.abs(p_values[1:] - p_values[0])
    n_pairs = np.sum(~np.isnan(differences), axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimates = 1 - np.nansum(differences, axis=1) / n_pairs
    reason = "no two systems have a common segment"
    return SoftAccuracy(
        estimates=estimates,
        n_pairs=n_pairs,
        human_p=_square(p_values[:1], len(human))[0],
        metric_p=_square(p_values[1:], len(human)),
        n_segments=n_segments,
        permutations=permutations,
        reasons=tuple("" if n else reason for n in n_pairs),
    )


def draw_signs(rng: np.random.Generator, n: int, permutations: int) -> NDArray[np.float32]:
    """Return swaps of n segments: 1 or -1 with chance ½ each, (permutations, n)."""
    drawn = rng.random(size=(permutations, n), dtype=np.float32)
    return np.rint(drawn) * 2 - 1


class SoftContrasts:
    """The pairs of S systems, and the segments on which each pair is compared.

    ``there`` (S, N): outputs that have a score. Where a segment has all of them or none, sums over
    segments are taken by system and their differences compared; else each pair has its own sums.
    """

    def __init__(self, there: NDArray[np.bool_]) -> None:
        self.first, self.second = np.triu_indices(len(there), 1)
        of_pairs = there[self.first] & there[self.second]
        used = of_pairs.any(axis=0)
        self.is_complete = bool((there[:, used]).all())
        self.there = there & used
        self.of_pairs = of_pairs
        self.n = of_pairs.sum(axis=1)

    def columns(self, scores: Floats) -> Floats:
        """Return what is summed over segments: scores (..., S, N) or their differences (..., P,
        N)."""
        scores = np.where(self.there, scores, 0)
        if self.is_complete:
            return scores
        return (scores[..., self.first, :] - scores[..., self.second, :]) * self.of_pairs

    def share(self, excess: Floats, slack: float) -> Floats:
        """In which share of R draws a difference was at least the one observed, (..., P).

        ``excess``: (..., S or P, R), sums of the columns in each draw less those observed;
        ``slack``: differences this close are equal.
        """
        if not self.is_complete:
            return count_true(excess >= -slack) / excess.shape[-1]
        found = np.empty((*excess.shape[:-2], len(self.first)))
        least = excess - excess.dtype.type(slack)
        for i in range(excess.shape[-2] - 1):
            is_large = excess[..., i : i + 1, :] >= least[..., i + 1 :, :]
            found[..., self.first == i] = count_true(is_large)
        return found / excess.shape[-1]


def count_true(flags: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how many are True along the last axis, eight at a time where that fits."""
    words = flags.shape[-1] // 8
    if flags.shape[-1] % 8 or words > 255:
        return flags.sum(axis=-1)
    # Each byte of a sum counts at most 255 flags, so that none carries over into the next.
    lanes = np.add.reduce(np.ascontiguousarray(flags).view(np.uint64), axis=-1, keepdims=True)
    return lanes.view(np.uint8).sum(axis=-1, dtype=np.int64)


def p_values_of(scores: Floats, contrasts: SoftContrasts, signs: NDArray[np.float32]) -> Floats:
    """Return one-sided p-values (K, P) of K scorers (K, S, N) under the swaps of ``signs`` (R, N),
    NaN for a pair without a segment. Sums that differ by rounding alone are equal."""
    swaps = signs.astype(np.float64).T
    step = len(scores) if contrasts.is_complete else 1
    found = []
    for start in range(0, len(scores), step):
        columns = contrasts.columns(scores[start : start + step])
        largest = np.abs(columns).max(axis=(1, 2), keepdims=True)
        columns = columns / np.where(largest > 0, largest, 1)
        flat = columns.reshape(-1, columns.shape[-1])
        excess = flat @ swaps - flat.sum(axis=1, keepdims=True)
        excess = excess.reshape(*columns.shape[:-1], -1)
        found.append(contrasts.share(excess, _ROUNDING * columns.shape[-1]))
    return np.where(contrasts.n > 0, np.concatenate(found), np.nan)


def _all_p_values(scores: Floats, signs: NDArray[np.float32]) -> Floats:
    """Return p-values (K, P) of scorers of which each may lack other scores (K, S, N)."""
    there = ~np.isnan(scores)
    found = np.full((len(scores), scores.shape[1] * (scores.shape[1] - 1) // 2), np.nan)
    if not there.size:
        return found
    alike: dict[bytes, list[int]] = {}
    for k, own in enumerate(there):
        alike.setdefault(own.tobytes(), []).append(k)
    for members in alike.values():
        contrasts = SoftContrasts(there[members[0]])
        found[members] = p_values_of(scores[members], contrasts, signs)
    return found


def _square(p_values: Floats, n_systems: int) -> Floats:
    """Return p-values (K, P) above the diagonal of (K, S, S), NaN elsewhere."""
    found = np.full((len(p_values), n_systems, n_systems), np.nan)
    found[:, *np.triu_indices(n_systems, 1)] = p_values
    return found
