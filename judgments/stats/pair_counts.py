"""How many pairs of ratings of an item agree, from ratings in long form.

Counting groups instead of listing pairs keeps sparse data cheap: memory grows with the number of
ratings, not with annotators times items.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judgments.stats.coefficients import Ratings, key_of, runs


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
        """Return (agreeing, all pairs, n_annotators) for ``which``: cross, own or all."""
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
    n_items, n_annotators = len(ratings.items), len(ratings.annotators)
    counts, sizes = ratings.counts, ratings.sizes
    all_pairs = sizes * (sizes - 1.0) / 2
    all_agree = np.asarray((counts**2).sum(axis=1) - sizes) / 2
    own_pairs = own_agree = np.zeros(n_items)
    rows = repeated_rows(ratings)
    if len(rows):  # few, as a rule
        n_values = len(ratings.values)
        key = key_of(ratings.item[rows], n_annotators, ratings.annotator[rows])
        own_pairs = _pairs(key, n_annotators, n_items)
        own_agree = _pairs(key * n_values + ratings.value[rows], n_annotators * n_values, n_items)
    cross_pairs = all_pairs - own_pairs
    return PairCounts(
        cross_agree=all_agree - own_agree,
        cross_pairs=cross_pairs,
        own_agree=own_agree,
        own_pairs=own_pairs,
        cross_annotators=ratings.annotators_of(cross_pairs > 0),
        own_annotators=np.unique(ratings.annotator[rows]),
    )


def repeated_rows(ratings: Ratings) -> np.ndarray:
    """Return the rows of ratings whose annotator rated their item more than once, found once."""
    return ratings.remember("repeated rows", lambda: _repeated_rows(ratings))


def _repeated_rows(ratings: Ratings) -> np.ndarray:
    key = key_of(ratings.item, len(ratings.annotators), ratings.annotator)
    order = ratings.order
    key = key if order is None else key[order]
    same = key[1:] == key[:-1]
    if not same.any():
        return np.zeros(0, np.intp)
    rows = np.flatnonzero(np.append(same, False) | np.append(False, same))
    return rows if order is None else order[rows]


def _pairs(key: np.ndarray, per_item: int, n_items: int) -> np.ndarray:
    """Return c(c - 1)/2 summed over the groups of equal ``key`` of each item, which is key //
    per_item."""
    keys, counts = runs(np.sort(key))
    weights = counts * (counts - 1.0) / 2
    return np.bincount(keys // max(per_item, 1), weights=weights, minlength=n_items)
