"""The permutation test of a difference in soft pairwise accuracy."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.stats.columns import Floats
from metrics.stats.draws import swap_masks
from metrics.stats.permutation import Tally, alike, standardized
from metrics.stats.soft_accuracy import draw_signs, p_matrix


@dataclass(frozen=True)
class _Accuracy:
    """Soft pairwise accuracy of one metric (S, N), with people's p-values known."""

    signs: NDArray[np.float32]
    people: Floats
    upper: tuple[NDArray[np.intp], NDArray[np.intp]]

    def __call__(self, scores: Floats) -> float:
        return float(1 - np.nanmean(np.abs(p_matrix(scores, self.signs)[self.upper] - self.people)))


def swap_soft(
    human: Floats,
    metrics: Floats,
    tally: Tally,
    *,
    rng: np.random.Generator,
    resamples: int,
    permutations: int,
) -> None:
    """PERM-BOTH for soft pairwise accuracy: all pairs of metrics (M, S, N) into ``tally``.

    The scores of each output swap between the metrics, after which the p-values of every pair of
    systems are taken anew, always from the same ``permutations`` swaps of systems.
    """
    upper = np.triu_indices(len(human), 1)
    for members, kept, pairs in alike(human, metrics):
        judged = np.where(kept, human, np.nan)
        ours = standardized(np.where(kept, metrics[members], np.nan))
        signs = draw_signs(rng, human.shape[1], permutations)
        people = p_matrix(judged, signs)[upper]
        accuracy = _Accuracy(signs, people, upper)

        masks = np.concatenate(list(swap_masks(rng, human.size, (resamples + 1) // 2)))
        masks = masks.reshape(-1, *human.shape).astype(np.bool_)
        for a, b in pairs:
            observed = accuracy(ours[a]) - accuracy(ours[b])
            drawn = np.array(
                [
                    accuracy(np.where(mask, ours[a], ours[b]))
                    - accuracy(np.where(mask, ours[b], ours[a]))
                    for mask in masks
                ]
            )
            tally.add(members[a], members[b], observed, drawn)
