"""How far a translation keeps the order of its source: how many pairs of alignment links cross.

Links (i, j) and (i', j') with i < i' cross if j > j'; links that share a word have no order and
make no pair. Where every word has one link the share of crossing pairs is Kendall's distance
between the two orders, of which Birch, Osborne and Blunsom (2010, "Metrics for MT evaluation:
evaluating reordering", Machine Translation 24) take the square root to compare translations with
references.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from judgments.stats.ranks import concordance

Integers = NDArray[np.int64]

NO_PAIR = "no two links without a common word"
# Texts with up to so many links are compared link by link, longer ones sorted.
LONGEST_DENSE = 256
# Cells of one comparison, about a megabyte of each kind.
CELLS = 1 << 20


@dataclass(frozen=True, eq=False)
class Crossings:
    """``n_crossing``, ``n_pairs``: of each text, (n,)."""

    n_crossing: Integers
    n_pairs: Integers

    @property
    def shares(self) -> NDArray[np.float64]:
        """Return the share of pairs that cross, (n,) from 0 to 1; NaN without a pair."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.n_crossing / self.n_pairs


def crossings(texts: ArrayLike, sources: ArrayLike, targets: ArrayLike, n: int) -> Crossings:
    """Return the crossings of each of ``n`` texts.

    A link is a place in three arrays (L,): its text, from 0 to ``n`` - 1, and the places of the
    source word and of the target word that it links, whole numbers. Raise ValueError for arrays
    of different lengths and for a text that is none of these.
    """
    text, source, target = (np.asarray(each, np.int64) for each in (texts, sources, targets))
    if text.ndim != 1 or not text.shape == source.shape == target.shape:
        raise ValueError(f"Links are three lists of one length, not {text.shape} and others.")
    if len(text) and (text.min() < 0 or text.max() >= n):
        raise ValueError(f"A link is of one of {n} texts, numbered from 0.")
    order = np.argsort(text, kind="stable")
    source, target = source[order], target[order]
    sizes = np.bincount(text, minlength=n)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    n_crossing, n_pairs = np.zeros((2, n), np.int64)
    for size in np.unique(sizes[sizes > 1]).tolist():
        alike = np.flatnonzero(sizes == size)
        if size > LONGEST_DENSE:
            for k in alike.tolist():
                own = slice(starts[k], starts[k + 1])
                n_crossing[k], n_pairs[k] = _of_long(source[own], target[own])
            continue
        step = max(1, CELLS // size**2)
        for part in np.split(alike, range(step, len(alike), step)):
            places = starts[part][:, None] + np.arange(size)
            n_crossing[part], n_pairs[part] = _of_alike(source[places], target[places])
    return Crossings(n_crossing, n_pairs)


def _of_alike(source: Integers, target: Integers) -> tuple[Integers, Integers]:
    """Return for texts with the same number of links, (texts, links) each: crossing pairs, and
    all."""
    before = source[:, :, None] < source[:, None, :]
    crossing = before & (target[:, :, None] > target[:, None, :])
    in_order = before & (target[:, :, None] < target[:, None, :])
    found = np.count_nonzero(crossing, axis=(1, 2))
    return found, found + np.count_nonzero(in_order, axis=(1, 2))


def _of_long(source: Integers, target: Integers) -> tuple[int, int]:
    """Return for one text, by sorting."""
    n = len(source)
    difference, untied_source, untied_target, tied = concordance(source, target)
    n_pairs = untied_source + untied_target - n * (n - 1) // 2 + tied
    return (n_pairs - difference) // 2, n_pairs
