"""Linking the longest runs of words first, in all segments at once.

The words that two texts have in common can be linked in many ways, and METEOR wants as few chunks
as possible. Taking the longest common run, then the longest of what is left, and so on, comes near
to that at little cost; GTM does the same (Turian, Shen and Melamed 2003; string tiling: Wise 1993).
The number of links does not suffer, since words that may be linked at all may all be linked with
each other.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Pairs = tuple[Integers, Integers]
"""Tokens of the outputs, and of the references, that may be linked, place by place."""

MOST_PAIRS = 200_000  # of a segment: texts of thousands of words have more
_AT_ONCE = 500_000


def equal_pairs(
    ours: Integers, theirs: Integers, our_segments: Integers, their_segments: Integers
) -> Iterator[Pairs]:
    """Yield all pairs of tokens of equal numbers and equal segments, -1 being equal to nothing;
    many segments at a time, and none of a segment that has more than ``MOST_PAIRS``."""
    highest = max(ours.max(initial=0), theirs.max(initial=0)) + 1
    tokens, places = np.flatnonzero(ours >= 0), np.flatnonzero(theirs >= 0)
    keys = their_segments[places] * highest + theirs[places]
    order = np.argsort(keys, kind="stable")
    places, keys = places[order], keys[order]
    wanted = our_segments[tokens] * highest + ours[tokens]
    first = np.searchsorted(keys, wanted)
    n = np.searchsorted(keys, wanted, "right") - first
    of_segment = np.bincount(our_segments[tokens], weights=n).astype(np.int64)
    of_segment[of_segment > MOST_PAIRS] = 0
    some = (n > 0) & (of_segment[our_segments[tokens]] > 0)
    tokens, first, n = tokens[some], first[some], n[some]
    part = (np.cumsum(of_segment) // _AT_ONCE)[our_segments[tokens]]
    edges = np.flatnonzero(np.diff(part, prepend=-1, append=-1))
    for start, stop in pairwise(edges.tolist()):
        counts = n[start:stop]
        shift = np.repeat(first[start:stop] - np.cumsum(counts) + counts, counts)
        yield np.repeat(tokens[start:stop], counts), places[np.arange(len(shift)) + shift]


def link_runs(links: Integers, free: NDArray[np.bool_], pairs: Pairs) -> None:
    """Make links of the pairs: in ``links`` (of every token of the outputs its token of the
    references, or -1), and in what is ``free`` of the references.

    A run stands on a diagonal of the table of both texts. In each round all runs are taken that no
    longer one crosses.
    """
    tokens, places = pairs
    order = np.lexsort((tokens, tokens - places))
    tokens, places = tokens[order], places[order]
    left = (links[tokens] < 0) & free[places]
    while left.any():
        tokens, places = tokens[left], places[left]
        first, run = _runs(tokens, places)
        rank = _ranks(links, tokens, places, first)[run]
        best, best_there = np.full(len(links), -1), np.full(len(free), -1)
        np.maximum.at(best, tokens, rank)
        np.maximum.at(best_there, places, rank)
        crossed = (best[tokens] > rank) | (best_there[places] > rank)
        taken = ~np.logical_or.reduceat(crossed, first)[run]
        links[tokens[taken]], free[places[taken]] = places[taken], False
        left = (links[tokens] < 0) & free[places]


def _runs(tokens: Integers, places: Integers) -> Pairs:
    """Where runs begin among the pairs of sorted diagonals, and the run of every pair."""
    begins = np.ones(len(tokens), np.bool_)
    begins[1:] = (np.diff(tokens - places) != 0) | (np.diff(tokens) != 1)
    return np.flatnonzero(begins), np.cumsum(begins) - 1


def _ranks(links: Integers, tokens: Integers, places: Integers, first: Integers) -> Integers:
    """Return the order of runs by how many links they make or join, no two alike."""
    last = np.append(first[1:], len(tokens)) - 1
    length = last - first + 1
    before = links[tokens[first] - 1]  # the first of all follows the 0 at the end: not linked
    joins = (before >= 0) & (before == places[first] - 1)
    joins_after = links[tokens[last] + 1] == places[last] + 1
    ranks = np.empty(len(first), np.int64)
    ranks[np.argsort(length + joins + joins_after, kind="stable")] = np.arange(len(first))
    return ranks
