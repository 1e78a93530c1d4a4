"""How many pairs of ratings of an item agree, from ratings in long form.

Counting groups instead of listing pairs keeps sparse data cheap: memory grows with the number of
ratings, not with annotators times items.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judgments.stats.coefficients import Ratings


@dataclass(frozen=True)
class PairCounts:
    """Agreeing pairs and all pairs of ratings of each item, float64 (n_items,).

    ``cross`` pairs are of two annotators, ``own`` pairs are an annotator's repeats.
    ``cross_annotators`` and ``own_annotators`` are the codes of the annotators behind them.
    """

    cross_agree: np.ndarray
    cross_pairs: np.ndarray
    own_agree: np.ndarray
    own_pairs: np.ndarray
    cross_annotators: np.ndarray
    own_annotators: np.ndarray

    def select(self, which: str) -> tuple[np.ndarray, np.ndarray, int]:
        """(agreeing, all pairs, n_annotators) for ``which``: cross, own or all."""
        if which == "cross":
            return self.cross_agree, self.cross_pairs, len(self.cross_annotators)
        if which == "own":
            return self.own_agree, self.own_pairs, len(self.own_annotators)
        if which == "all":
            agree = self.cross_agree + self.own_agree
            n_annotators = len(np.union1d(self.cross_annotators, self.own_annotators))
            return agree, self.cross_pairs + self.own_pairs, n_annotators
        raise ValueError(f"which is 'cross', 'own' or 'all', not {which!r}")


def pair_counts(ratings: Ratings) -> PairCounts:
    """Count the pairs of ratings of each item of ``ratings``."""
    item, n_items = ratings.item.astype(np.int64), len(ratings.items)
    by_annotator = item * len(ratings.annotators) + ratings.annotator
    n_values = len(ratings.values)
    n_annotators = len(ratings.annotators)
    all_pairs = _pairs(item, 1, n_items)
    all_agree = _pairs(item * n_values + ratings.value, n_values, n_items)
    own_pairs = _pairs(by_annotator, n_annotators, n_items)
    own_agree = _pairs(by_annotator * n_values + ratings.value, n_annotators * n_values, n_items)
    keys, counts = _groups(by_annotator)
    repeated = keys[counts > 1] % max(n_annotators, 1)
    cross_pairs = all_pairs - own_pairs
    return PairCounts(
        cross_agree=all_agree - own_agree,
        cross_pairs=cross_pairs,
        own_agree=own_agree,
        own_pairs=own_pairs,
        cross_annotators=np.unique(ratings.annotator[cross_pairs[item] > 0]),
        own_annotators=np.unique(repeated),
    )


def _pairs(key: np.ndarray, per_item: int, n_items: int) -> np.ndarray:
    """c(c - 1)/2 summed over the groups of equal ``key`` of each item, which is key // per_item."""
    keys, counts = _groups(key)
    weights = counts * (counts - 1.0) / 2
    return np.bincount(keys // max(per_item, 1), weights=weights, minlength=n_items)


def _groups(key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct keys, rising, and how often each occurs. Sorting whole numbers is several times
    faster than the ways of numpy.unique."""
    ordered = np.sort(key)
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    return ordered[starts], np.diff(np.append(starts, len(ordered)))
