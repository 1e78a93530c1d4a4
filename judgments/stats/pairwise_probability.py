"""How usual an annotator's differences between systems are: whom WMT26 left out of its ranking.

Source: humeval/02a-filter_data.py of wmt-conference/wmt26-general-mt. Where an annotator gives
system a a points more than system b that was shown with it, and all annotators together give a a
mean of μ points more than b, the pair has the probability 2^(−(d − μ)² / (2(s² of a + s² of b))),
where s² is the sample variance of all scores of a system. An annotator is left out if the mean over
all pairs is below .75.

It is no probability: 1 stands for the usual difference, .5 for one that is √2 standard deviations
of the difference of two independent scores away. Where differences are normal with that very
deviation, as if scores had nothing to do with what is scored, the mean is 1/√(1 + ln 2) = .77, and
whoever gives all systems the same score comes out above .75 where systems are close.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.coefficients import codes_of, key_of
from judgments.stats.normalization import group_moments

THRESHOLD = 0.75
FEWEST_ITEMS = 3
FEWEST_SCORES = 11  # "more than 10"
ALMOST_NOTHING = 1e-6  # so that systems without any variance can be compared


@dataclass(frozen=True)
class PairwiseProbabilities:
    """Figures (A,) of ``annotators`` (A,), sorted: ``mean`` over ``n_pairs`` pairs of scores, NaN
    without any, and ``n_items``, of how many items the scores are."""

    annotators: np.ndarray
    mean: np.ndarray
    n_pairs: np.ndarray
    n_items: np.ndarray

    @property
    def is_checked(self) -> np.ndarray:
        """Return who has enough items, and a pair: the others are never left out (A,)."""
        return (self.n_items >= FEWEST_ITEMS) & (self.n_pairs > 0)

    @property
    def is_below(self) -> np.ndarray:
        """Return who is left out (A,)."""
        return self.is_checked & (np.nan_to_num(self.mean, nan=1.0) < THRESHOLD)


def pairwise_probabilities(
    values: ArrayLike,
    annotators: ArrayLike,
    systems: ArrayLike,
    screens: ArrayLike,
    items: ArrayLike,
) -> PairwiseProbabilities:
    """Return how usual each annotator's differences between systems are, from scores in long form.

    All arrays are (n,). ``values``: the scores, NaN where there is none. ``screens``: rows that
    have the same one were given side by side, by one annotator to the outputs of one segment; every
    two of them are a pair, if each of the two systems has more than 10 scores. ``items``: what is
    counted to tell who scored enough. Raise ValueError if the arrays are not equally long.
    """
    given: list[np.ndarray] = [np.asarray(each) for each in (annotators, systems, screens, items)]
    scores = np.asarray(values, np.float64)
    if scores.ndim != 1 or any(each.shape != scores.shape for each in given):
        shapes = ", ".join(str(each.shape) for each in (scores, *given))
        raise ValueError(f"all arrays must be one-dimensional and equally long, not {shapes}")
    present = ~np.isnan(scores)
    scores = scores[present]
    (names, annotator), (known, system), (_, screen), (found, item) = (
        codes_of(each[present]) for each in given
    )
    n, mean, sd = group_moments(scores, system, len(known))
    often = n[system] >= FEWEST_SCORES
    order = np.flatnonzero(often)[np.argsort(screen[often], kind="stable")]
    total, n_pairs = _sums_over_pairs(
        (scores - mean[system])[order],
        (sd**2)[system[order]],
        system[order],
        screen[order],
        annotator[order],
        len(names),
    )
    scored = np.unique(key_of(annotator, len(found), item)) // max(len(found), 1)
    return PairwiseProbabilities(
        annotators=names,
        mean=total / np.where(n_pairs > 0, n_pairs, np.nan),
        n_pairs=n_pairs,
        n_items=np.bincount(scored, minlength=len(names)),
    )


def _sums_over_pairs(
    deviation: np.ndarray,
    variance: np.ndarray,
    system: np.ndarray,
    screen: np.ndarray,
    annotator: np.ndarray,
    n_annotators: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return sums of the probabilities and numbers of pairs (A,), of rows sorted by screen.

    Each row meets the next one of its screen, then the one after that, and so on, so that never
    more than one pair of each row is in memory.
    """
    total, n_pairs = np.zeros(n_annotators), np.zeros(n_annotators, np.int64)
    for step in range(1, len(screen)):
        together = screen[step:] == screen[:-step]
        if not together.any():
            break
        first = np.flatnonzero(together & (system[step:] != system[:-step]))
        second = first + step
        squared = (deviation[first] - deviation[second]) ** 2
        spread = 2 * (variance[first] + variance[second]) + ALMOST_NOTHING
        who = annotator[first]
        total += np.bincount(who, weights=2 ** -(squared / spread), minlength=n_annotators)
        n_pairs += np.bincount(who, minlength=n_annotators)
    return total, n_pairs
