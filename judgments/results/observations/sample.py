"""The ratings or comparisons of one dimension as coefficients want them, sorted and coded once."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from judgments.stats.coefficients import Ratings, clean_ratings, key_of, narrow, order_of


@dataclass(frozen=True)
class Sample:
    """What coefficients are computed from, (n,) each: one value of an annotator for an item."""

    item: np.ndarray
    annotator: np.ndarray
    value: np.ndarray
    cluster: np.ndarray

    @functools.cached_property
    def ratings(self) -> Ratings:
        """The values coded, once for all coefficients, in narrow types: rows may be millions."""
        found = clean_ratings(*self.columns, self.cluster)
        names = {"item": found.items, "annotator": found.annotators, "value": found.values}
        columns = {
            name: narrow(getattr(found, name), len(distinct)) for name, distinct in names.items()
        }
        return dataclasses.replace(found, **columns)

    @functools.cached_property
    def _times(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows by item and annotator, and how often the same was judged before, (n,) each."""
        key = key_of(self.item, int(self.annotator.max(initial=0)) + 1, self.annotator)
        order = order_of(key)
        key = key[order]
        start = np.append(True, key[1:] != key[:-1])[: len(key)]
        place = np.arange(len(key))
        return order, place - np.maximum.accumulate(np.where(start, place, 0))

    def once(self, how: str) -> Sample:
        """Return one value per item and annotator: their mean, or the first."""
        order, time = self._times
        start = time == 0
        first = order[start]
        value = self.value[first]
        if how == "mean" and len(first) < len(order):
            group = np.cumsum(start) - 1
            value = np.bincount(group, weights=self.value[order]) / np.bincount(group)
        return Sample(self.item[first], self.annotator[first], value, self.cluster[first])

    def from_both_sides(self) -> Sample:
        """Return comparisons of a with b, and the same as comparisons of b with a.

        Which of two systems is called the first is our choice; counted from both sides it has no
        part in how often "the first is better" is expected by chance.
        """
        one, n = self.ratings, len(self.ratings.items)
        assert one.cluster is not None
        values = np.union1d(one.values, -one.values)
        codes = [np.searchsorted(values, side) for side in (one.values, -one.values)]
        # What is coded and counted need not be again.
        item = narrow(one.item, 2 * n)
        item = np.concatenate([item, item + n], dtype=item.dtype, casting="same_kind")
        value = np.concatenate([side.astype(np.int8)[one.value] for side in codes])
        names = (np.arange(2 * n), one.annotators, values, np.tile(one.cluster, 2))
        annotator = np.tile(one.annotator, 2)
        ratings = Ratings(item, annotator, value, *names)
        ratings.__dict__["sizes"] = np.tile(one.sizes, 2)
        ratings.__dict__["counts"] = _counts_of(one, codes, len(values))
        both = Sample(item, annotator, values[value], np.tile(self.cluster, 2))
        both.__dict__["ratings"] = ratings
        return both

    @functools.cached_property
    def repeats(self) -> tuple[Sample, int]:
        """What annotators judged more than once, the first time and the next, as if by several
        annotators of one item; and how many annotators did so."""
        rows, time = self._again
        key = np.cumsum(time == 0) - 1
        sample = Sample(key, time, self.value[rows], self.cluster[rows])
        return sample, len(np.unique(self.annotator[rows]))

    def repeated(self) -> Sample:
        """Return the rows of what annotators judged more than once, as they are."""
        rows, _ = self._again
        return Sample(self.item[rows], self.annotator[rows], self.value[rows], self.cluster[rows])

    @functools.cached_property
    def _again(self) -> tuple[np.ndarray, np.ndarray]:
        order, time = self._times
        later = time > 0
        kept = later | np.append(later[1:], False)[: len(time)]
        return order[kept], time[kept]

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.item, self.annotator, self.value


def _counts_of(one: Ratings, codes: list[np.ndarray], k: int) -> sparse.csr_array:
    """Return how often each item got each of k values, coded in one way after another."""
    counts = one.counts
    shape = (counts.shape[0], k)
    sides = [
        sparse.csr_array((counts.data, code[counts.indices], counts.indptr), shape)
        for code in codes
    ]
    both = sparse.vstack(sides, format="csr")
    both.sort_indices()
    return both
