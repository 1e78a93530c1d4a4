"""Corpus scores of several systems over bootstrap draws and over random swaps, all at once.

The draws are shared. One product gives the sums of every system, and a pair of systems under a
swap needs no product of its own: with M the sums over the units that the mask picks, a's outputs
there and b's elsewhere have the sums ``total_b + M_a - M_b``. So k products serve k(k - 1)/2 pairs.
Each pair sees swaps that are independent of its scores, so that its p-value is what it would be
alone; the p-values of different pairs depend on each other, as those of shared segments do anyway.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from metrics.scorers.base import Scorer
from metrics.stats.draws import Floats, Sums, bootstrap_weights, swap_masks

Pairs = NDArray[np.intp]

# Sums of so many systems or pairs × draws are scored in one call: they stay in the processor's
# cache, and the cost of a call does not show.
_ROWS = 8192


def scores_of(scorer: Scorer, sums: Floats) -> Floats:
    """Return scores of sums whose statistics lie along the last axis but one: (k, s, b) → (k,
    b)."""
    return scorer.score(np.moveaxis(sums, -2, -1))


def bootstrap_scores(
    scorer: Scorer, sums: Sums, *, rng: np.random.Generator, resamples: int
) -> Floats:
    """Return scores of k systems on the same draws of n units, (k, resamples)."""
    draws = bootstrap_weights(rng, sums.n, resamples)
    return np.concatenate([scores_of(scorer, sums.over(weights)) for weights in draws], axis=1)


def swapped_differences(
    scorer: Scorer, sums: Sums, pairs: Pairs, *, rng: np.random.Generator, trials: int
) -> Iterator[tuple[slice, Floats]]:
    """Yield differences of pairs of systems whose outputs were swapped at random.

    ``pairs``: (m, 2) numbers of systems. Yields, for some of the pairs and some of the trials at a
    time, which pairs these are and their differences (pairs, trials).
    """
    totals = sums.totals[:, :, None]
    for masks in swap_masks(rng, sums.n, trials):
        swapped = sums.over(masks)
        step = max(1, _ROWS // len(masks))
        for start in range(0, len(pairs), step):
            chosen = slice(start, start + step)
            a, b = pairs[chosen].T
            gain = swapped[a] - swapped[b]
            first = scores_of(scorer, totals[b] + gain)
            yield chosen, first - scores_of(scorer, totals[a] - gain)


def count_as_large(
    scorer: Scorer, sums: Sums, pairs: Pairs, *, rng: np.random.Generator, trials: int
) -> NDArray[np.intp]:
    """In how many trials a pair differs at least as much as it did, sign aside: (m,).

    A trial without a score counts as one, which can only make a p-value larger.
    """
    scores = np.atleast_1d(scorer.score(sums.totals))
    observed = np.abs(scores[pairs[:, 0]] - scores[pairs[:, 1]])
    # The sums are exact, the scores made of them are rounded: equal differences may differ there.
    slack = 1e-9 * observed + 1e-12 * np.abs(scores[pairs]).max(axis=1)
    smallest = (observed - slack)[:, None]
    counts = np.zeros(len(pairs), dtype=np.intp)
    for chosen, drawn in swapped_differences(scorer, sums, pairs, rng=rng, trials=trials):
        counts[chosen] += np.sum(~(np.abs(drawn) < smallest[chosen]), axis=1)
    return counts


def is_worse(scorer: Scorer, differences: Floats) -> NDArray[np.bool_]:
    """Where the first of two systems does not beat the second; without a score it does not."""
    return ~(differences > 0) if scorer.higher_is_better else ~(differences < 0)
