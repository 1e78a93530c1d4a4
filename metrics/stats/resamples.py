"""Corpus scores of several systems over bootstrap draws and over random swaps, all at once.

The draws are shared. One product yields the sums of every system, and a pair of systems under a
swap needs no separate product: with M the sums over the units selected by the mask, a's outputs
there and b's elsewhere have the sums ``total_b + M_a - M_b``. So k products serve k(k - 1)/2 pairs.
The swaps of each pair are independent of its scores, so that its p-value is the same as alone; the
p-values of different pairs are dependent, as they are anyway with shared segments.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from metrics.scorers.base import Scorer
from metrics.stats.draws import Floats, Sums, bootstrap_weights, swap_masks

Pairs = NDArray[np.intp]

# Sums of this many systems or pairs × draws are scored in one call: they stay in the processor's
# cache, and the overhead of a call is negligible.
_ROWS = 8192


def scores_of(scorer: Scorer, sums: Floats) -> Floats:
    """Return the scores of sums whose statistics are along the second to last axis: (k, s, b) → (k,
    b)."""
    return scorer.score(np.moveaxis(sums, -2, -1))


def bootstrap_scores(
    scorer: Scorer, sums: Sums, *, rng: np.random.Generator, resamples: int
) -> Floats:
    """Return the scores of k systems on the same draws of n units, (k, resamples)."""
    draws = bootstrap_weights(rng, sums.n, resamples)
    return np.concatenate([scores_of(scorer, sums.over(weights)) for weights in draws], axis=1)


def swapped_differences(
    scorer: Scorer, sums: Sums, pairs: Pairs, *, rng: np.random.Generator, trials: int
) -> Iterator[tuple[slice, Floats]]:
    """Yield differences of pairs of systems whose outputs were swapped at random.

    ``pairs``: (m, 2) numbers of systems. Yield, for some of the pairs and some of the trials at a
    time, the pairs and their differences (pairs, trials).
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
    """Return in how many trials a pair differs at least as much as observed, ignoring sign: (m,).

    A trial without a score counts as one, which can only make a p-value larger.
    """
    scores = np.atleast_1d(scorer.score(sums.totals))
    observed = np.abs(scores[pairs[:, 0]] - scores[pairs[:, 1]])
    # The sums are exact, but the scores are rounded: equal differences may differ there.
    slack = 1e-9 * observed + 1e-12 * np.abs(scores[pairs]).max(axis=1)
    smallest = (observed - slack)[:, None]
    counts = np.zeros(len(pairs), dtype=np.intp)
    for chosen, drawn in swapped_differences(scorer, sums, pairs, rng=rng, trials=trials):
        counts[chosen] += np.sum(~(np.abs(drawn) < smallest[chosen]), axis=1)
    return counts


def is_worse(scorer: Scorer, differences: Floats) -> NDArray[np.bool_]:
    """Return where the first of two systems does not beat the second; also without a score."""
    return ~(differences > 0) if scorer.higher_is_better else ~(differences < 0)
