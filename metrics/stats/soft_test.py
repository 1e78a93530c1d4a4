"""The permutation test of a difference in soft pairwise accuracy."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.stats.columns import Floats
from metrics.stats.draws import swap_masks
from metrics.stats.permutation import Tally, alike, standardized
from metrics.stats.soft_accuracy import SoftContrasts, draw_signs, p_values_of

Numbers = NDArray[Any]  # in single or double precision

# So many sums are held at a time, for all metrics together.
_CELLS = 4_000_000
# With fewer segments two sums are often equal: these are taken in double precision.
_FEW_SEGMENTS = 64


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
    systems are taken anew, always from the same ``permutations`` swaps of systems. With u = 1 where
    an output keeps its scores and -1 where they swap, metric a has (a + b)/2 + u·(a - b)/2 and b
    the same with a minus. The sums are linear: once for each metric, they serve every pair.
    """
    for members, kept, pairs in alike(human, metrics):
        contrasts = SoftContrasts(kept)
        sound = contrasts.n > 0
        ours = standardized(np.where(kept, metrics[members], np.nan))
        usable = [pair for pair in pairs if np.isfinite(ours[list(pair)])[:, kept].all()]
        if not usable or not sound.any():
            continue
        signs = draw_signs(rng, human.shape[1], permutations)
        people = p_values_of(np.where(kept, human, 0)[None], contrasts, signs)[0]
        # Nothing is drawn for a metric that does not vary.
        ours = np.where(np.isfinite(ours), ours, 0)
        observed = 1 - np.abs(p_values_of(ours, contrasts, signs) - people)[:, sound].mean(axis=1)
        swapped = _Swapped(ours, contrasts, signs, people)
        drawn: dict[tuple[int, int], list[Floats]] = {pair: [] for pair in usable}
        for flips in _flips(rng, human.shape, (resamples + 1) // 2, swapped.step):
            sums = swapped.sums(flips)
            for a, b in usable:
                drawn[a, b].append(swapped.difference(sums, a, b))
        for (a, b), parts in drawn.items():
            difference = float(observed[a] - observed[b])
            tally.add(members[a], members[b], difference, np.concatenate(parts))


class _Swapped:
    """Soft pairwise accuracies after swaps; see ``swap_soft``."""

    def __init__(
        self, metrics: Floats, contrasts: SoftContrasts, signs: NDArray[np.float32], people: Floats
    ) -> None:
        n_segments = metrics.shape[-1]
        is_double = n_segments <= _FEW_SEGMENTS
        self.dtype: type[np.floating] = np.float64 if is_double else np.float32
        # Single precision carries seven digits; what differs less is equal.
        self.slack = n_segments * (1e-13 if is_double else 4e-7)
        self.contrasts, self.people, self.sound = contrasts, people, contrasts.n > 0
        # Only differences swap, so that all are taken from the first, which then has none.
        self.away: Numbers = (metrics[1:] - metrics[0]).astype(self.dtype)
        self.signs: Numbers = np.ascontiguousarray(signs.T, dtype=self.dtype)
        self.halves = self._excess(metrics.astype(self.dtype)) / 2
        """Of (a + b)/2, a's part: (M, S or P, R)."""
        self.step = max(1, _CELLS // self.halves.size)

    def _excess(self, scores: Numbers) -> Numbers:
        """Return sums in each draw less those observed, (..., S or P, R)."""
        columns = self.contrasts.columns(scores).astype(self.dtype, copy=False)
        flat = columns.reshape(-1, columns.shape[-1])
        excess = flat @ self.signs
        excess -= flat.sum(axis=1, keepdims=True)
        return excess.reshape(*columns.shape[:-1], -1)

    def sums(self, flips: Numbers) -> list[Numbers | float]:
        """Return for each metric, half the excess of its scores, less the first's, times ``flips``
        (b, S, N)."""
        return [0.0, *(self._excess(flips * away) / 2 for away in self.away)]

    def difference(self, sums: list[Numbers | float], a: int, b: int) -> Floats:
        """Return accuracy of the one with a's scores where they stay, minus that of the other,
        (b,)."""
        middle = self.halves[a] + self.halves[b]
        away = sums[a] - sums[b]
        return self._accuracy(middle + away) - self._accuracy(middle - away)

    def _accuracy(self, excess: Numbers) -> Floats:
        p_values = self.contrasts.share(excess, self.slack)
        return 1 - np.abs(p_values - self.people)[:, self.sound].mean(axis=1)


def _flips(
    rng: np.random.Generator, shape: tuple[int, ...], draws: int, step: int
) -> Iterator[Numbers]:
    """Yield 1 and -1 with chance ½ for each output, blocks of at most ``step`` draws (b, S, N)."""
    for masks in swap_masks(rng, int(np.prod(shape)), draws):
        flips = masks.reshape(-1, *shape) * 2 - 1
        for start in range(0, len(flips), step):
            yield flips[start : start + step]
