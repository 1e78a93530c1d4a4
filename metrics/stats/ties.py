"""Pairwise accuracy with ties, and how close a metric's scores have to be to count as a tie.

Deutsch, Foster and Freitag (2023): acc_eq = (C + T_hm) / all pairs, where C are pairs that the
metric orders as people do and T_hm pairs that both tie. Metrics hardly ever give equal scores, so a
tie is calibrated: |difference| ≤ epsilon, with the epsilon that gives the metric its best accuracy.
It is fitted on the scores that it is judged on, and every metric has that advantage.
"""

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.stats import many_pairs
from metrics.stats.columns import Floats, check, regroup

# Accuracies this close are equal, but for rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class CalibratedAccuracy:
    """Pairwise accuracy with ties of one metric, at its best epsilon.

    ``uncalibrated``: the accuracy with epsilon 0; ``n_pairs``: pairs compared; ``n_groups``: groups
    with a pair, over which the mean is taken, and ``n_undefined`` those without; ``reason``: why
    the estimate is NaN, else empty.
    """

    estimate: float
    epsilon: float
    uncalibrated: float
    grouping: str
    n_pairs: int
    n_groups: int
    n_undefined: int
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class ScorePairs:
    """All pairs of the outputs of a group that both scored, over all groups, flat.

    ``distance``: how far the metric's scores are apart; ``is_tied``: by people; ``is_right``: the
    metric orders them as people do; ``weight``: of a pair in the mean over groups.
    """

    distance: Floats
    is_tied: NDArray[np.bool_]
    is_right: NDArray[np.bool_]
    weight: Floats

    def accuracy(self, epsilon: float) -> float:
        """Return the mean accuracy when scores at most ``epsilon`` apart are tied."""
        if not len(self.weight):
            return nan
        correct = self.correct(epsilon)
        if np.ptp(self.weight) == 0:  # a sum of thirds is not 1 to the last digit
            return float(correct.mean())
        return float(correct @ self.weight)

    def correct(self, epsilon: float) -> NDArray[np.bool_]:
        """Return which pairs the metric gets right, ties included."""
        is_close = self.distance <= epsilon
        return np.where(self.is_tied, is_close, self.is_right & ~is_close)


def calibrated_accuracy(
    human: ArrayLike, metric: ArrayLike, grouping: str = "item"
) -> CalibratedAccuracy:
    """Return pairwise accuracy with ties of one metric, both (S, N), at the epsilon that makes it
    largest; of several, the smallest, and 0 if no tie helps. Exact: every distance of two scores is
    tried.

    ``grouping``: as in ``metrics.stats.groups``; the accuracy is the mean over groups. Raises
    ValueError for arrays that do not fit and for an unknown grouping.
    """
    human, metrics = check(human, np.asarray(metric, dtype=np.float64)[None])
    human, metrics = regroup(human, metrics, grouping)
    n_pairs = many_pairs.n_pairs(human, metrics[0])
    epsilon, estimate, uncalibrated = calibrate(human, metrics[0])
    n_groups = int(np.sum(n_pairs > 0))
    return CalibratedAccuracy(
        estimate=estimate,
        epsilon=epsilon,
        uncalibrated=uncalibrated,
        grouping=grouping,
        n_pairs=int(n_pairs.sum()),
        n_groups=n_groups,
        n_undefined=len(n_pairs) - n_groups,
        reason="" if n_groups else "there is no pair of scores",
    )


def calibrate_all(human: Floats, metrics: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return calibrated accuracies and epsilons of all metrics, (M,), and which groups have a pair
    (M, G).

    ``human``: (n, G), ``metrics``: (M, n, G), a group in each column.
    """
    estimates, epsilons = np.full((2, len(metrics)), nan)
    has_pair = np.zeros((len(metrics), human.shape[1]), dtype=np.bool_)
    for m, metric in enumerate(metrics):
        epsilons[m], estimates[m], _ = calibrate(human, metric)
        has_pair[m] = many_pairs.n_pairs(human, metric) > 0
    return estimates, epsilons, has_pair


def calibrate(human: Floats, metric: Floats) -> tuple[float, float, float]:
    """Return epsilon, accuracy, and accuracy with epsilon 0, of (n, G) arrays with a group in each
    column; NaN without a pair."""
    n_pairs = many_pairs.n_pairs(human, metric).sum()
    if n_pairs > many_pairs.MOST_PAIRS and not np.isinf(metric).any():
        return many_pairs.best_epsilon_of_many(human, metric)
    pairs = pairs_of(human, metric)
    return *best_epsilon(pairs), pairs.accuracy(0)


def pairs_of(human: Floats, metric: Floats) -> ScorePairs:
    """Return the pairs of each column of (n, G) arrays."""
    i, j = np.triu_indices(len(human), 1)
    with np.errstate(invalid="ignore"):
        distance = np.abs(metric[i] - metric[j])
    is_there = ~(np.isnan(human) | np.isnan(metric))
    kept = is_there[i] & is_there[j]
    # Infinite scores of one sign are equal.
    distance[np.isnan(distance) & kept] = 0
    is_tied = human[i] == human[j]
    is_right = ((human[i] > human[j]) & (metric[i] > metric[j])) | (
        (human[i] < human[j]) & (metric[i] < metric[j])
    )
    counts = kept.sum(axis=0)
    n_groups = max(1, int(np.sum(counts > 0)))
    weight = np.broadcast_to(1 / (np.maximum(counts, 1) * n_groups), kept.shape)
    return ScorePairs(
        distance=distance[kept],
        is_tied=is_tied[kept],
        is_right=is_right[kept],
        weight=weight[kept],
    )


def best_epsilon(pairs: ScorePairs) -> tuple[float, float]:
    """Return the smallest epsilon of the largest accuracy, and that accuracy; NaN without pairs."""
    if not len(pairs.weight):
        return nan, nan
    # A pair that people tie becomes right once it is tied, one in the right order wrong.
    matters = pairs.is_tied | pairs.is_right
    distance = pairs.distance[matters]
    gain = np.where(pairs.is_tied, pairs.weight, -pairs.weight)[matters]
    order = np.argsort(distance)
    distance = np.concatenate([[0.0], distance[order]])
    total = np.concatenate([[0.0], np.cumsum(gain[order])])
    # Pairs of one distance become tied together.
    last = np.flatnonzero(np.append(distance[1:] != distance[:-1], True))
    total, distance = total[last], distance[last]
    best = int(np.argmax(total >= total.max() - _ROUNDING))
    epsilon = float(distance[best])
    return epsilon, pairs.accuracy(epsilon)
