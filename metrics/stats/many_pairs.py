"""Tie calibration where there are too many pairs to hold them all: the same result in parts.

Pairs are counted into bins by how far the metric's scores are apart. The accuracy at the end of
each bin is then known, and what it could reach inside: if every pair that people tie came first.
Only in the bins that could hold the best epsilon are the distances themselves looked at.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from metrics.stats.columns import Floats

# Above so many pairs, they are no longer held at once.
MOST_PAIRS = 200_000
BINS = 1 << 15
_CELLS = 1 << 16
# What a tie does to a pair: it becomes wrong, it becomes right, or it stays as it is.
_LOSES, _GAINS, _STAYS = range(3)
# Accuracies this close are equal, but for rounding.
_ROUNDING = 1e-11

Group = tuple[Floats, NDArray[np.int32], float]


def n_pairs(human: Floats, metric: Floats) -> NDArray[np.int64]:
    """Return pairs of outputs with both scores in each group, (G,), of (n, G) arrays."""
    n = np.sum(~(np.isnan(human) | np.isnan(metric)), axis=0)
    return n * (n - 1) // 2


def best_epsilon_of_many(human: Floats, metric: Floats) -> tuple[float, float, float]:
    """Return the smallest epsilon of the largest accuracy, that accuracy, and the one of epsilon 0,
    of (n, G) arrays with a group in each column; see ``ties.best_epsilon``. Scores are finite."""
    groups = list(_groups(human, metric))
    width = max((scores[-1] - scores[0] for scores, _, _ in groups), default=0.0)
    # A little less, so that rounding does not lead beyond the last bin.
    scale = (BINS - 1) / width * (1 - 1e-12) if width else 0.0
    right, tied = np.zeros((2, BINS))
    for scores, people, weight in groups:
        counts = np.zeros(3 * BINS, dtype=np.int64)
        for distance, kind in _pairs(scores, people):
            counts += np.bincount((3 * _bins(distance, scale) + kind).ravel(), minlength=3 * BINS)
        right += weight * counts[_LOSES::3]
        tied += weight * counts[_GAINS::3]
    right[0] = 0  # at no distance nothing is in order
    # With no tie, what the metric orders rightly; pairs at distance 0 are in bin 0 alone.
    before = right.sum() + np.concatenate([[0.0], np.cumsum(tied - right)[:-1]])
    after = before + tied - right
    uncalibrated = after[0]
    best, epsilon = float(uncalibrated), 0.0
    could = np.flatnonzero(before + tied >= after.max() - _ROUNDING)
    could = could[could > 0]
    distances, gains, bins = _inside(groups, scale, could)
    if len(distances):
        reached = np.cumsum(gains)
        # Bins in between were left out: each begins anew at its own accuracy.
        starts = np.searchsorted(bins, bins)
        reached += before[bins] - (reached[starts] - gains[starts])
        top = int(np.argmax(reached >= reached.max() - _ROUNDING))
        if reached[top] > best + _ROUNDING:
            best, epsilon = float(reached[top]), float(distances[top])
    return epsilon, best, float(uncalibrated)


def _groups(human: Floats, metric: Floats) -> Iterator[Group]:
    """Yield for each group with a pair: the metric's scores in order, the ranks of people's scores
    beside them, and the weight of a pair in the mean over groups."""
    counts = n_pairs(human, metric)
    for g in np.flatnonzero(counts):
        there = ~(np.isnan(human[:, g]) | np.isnan(metric[:, g]))
        order = np.argsort(metric[there, g], kind="stable")
        _, people = np.unique(human[there, g], return_inverse=True)
        yield (
            metric[there, g][order],
            people[order].astype(np.int32),
            1 / (counts[g] * np.sum(counts > 0)),
        )


def _pairs(scores: Floats, people: NDArray[np.int32]) -> Iterator[tuple[Floats, NDArray[np.int8]]]:
    """Yield distances of pairs and what a tie does to them, (rows, n) at a time."""
    n = len(scores)
    step = max(1, _CELLS // n)
    for start in range(0, n - 1, step):
        stop = min(start + step, n - 1)
        # Later scores are higher, so that a pair is right where people's rank is higher too.
        distance = scores[None, start + 1 :] - scores[start:stop, None]
        later, sooner = people[None, start + 1 :], people[start:stop, None]
        kind = (later <= sooner).view(np.int8) + (later < sooner).view(np.int8)
        # Pairs of an earlier one, which were met before, and of one with itself.
        rows, columns = np.tril_indices(stop - start, -1)
        kind[rows, columns], distance[rows, columns] = _STAYS, 0
        yield distance, kind


def _bins(distance: Floats, scale: float) -> NDArray[np.int32]:
    """Return 0 for no distance, else 1 and up, the farther the higher."""
    return np.ceil(distance * scale).astype(np.int32)


def _inside(
    groups: list[Group], scale: float, chosen: NDArray[np.intp]
) -> tuple[Floats, Floats, NDArray[np.int32]]:
    """Return different distances in the chosen bins, what accuracy gains at each, and its bin."""
    is_chosen = np.zeros(BINS, dtype=np.bool_)
    is_chosen[chosen] = True
    found: list[tuple[Floats, Floats]] = []
    n_found = 0
    for scores, people, weight in groups if len(chosen) else ():
        for distance, kind in _pairs(scores, people):
            kept = np.flatnonzero(is_chosen[_bins(distance, scale)] & (kind != _STAYS))
            gain = np.where(kind.ravel()[kept] == _GAINS, weight, -weight)
            found.append((distance.ravel()[kept], gain))
            n_found += len(kept)
            if n_found > MOST_PAIRS:
                found = [_merged(found)]
                n_found = 0
    distances, gains = _merged(found)
    return distances, gains, _bins(distances, scale)


def _merged(found: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Return different distances, in order, and their gains added up."""
    empty = np.empty(0)
    distances = np.concatenate([empty, *(each for each, _ in found)])
    gains = np.concatenate([empty, *(each for _, each in found)])
    different, which = np.unique(distances, return_inverse=True)
    return different, np.bincount(which, weights=gains, minlength=len(different)).astype(np.float64)
