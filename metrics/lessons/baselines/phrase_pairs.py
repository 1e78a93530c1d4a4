"""Which phrases of a segment are translations of each other: pairs consistent with its links.

A phrase is a run of words. Two phrases are a pair if at least one link is inside them and no link
leaves them on either side (Och, Tillmann and Ney 1999; Och and Ney 2004; Koehn, Och and Marcu
2003). Words without a link at a border may belong to the phrase or not, so both pairs are found.

All segments are searched at once: words are numbered through, and every step is one for all source
phrases of a length.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Links = Sequence[tuple[int, int]]

# Moses' default; longer phrases gain nothing (Koehn et al. 2003, section 4.3).
MAX_LENGTH = 7


class PhraseSpan(NamedTuple):
    """A phrase pair of a segment: places of words from 0, ends exclusive."""

    source_start: int
    source_end: int
    target_start: int
    target_end: int


class LinkedWords(NamedTuple):
    """The words of all segments in a row, on both sides, and their links.

    ``source_segments`` and ``target_segments``: the segment of every word; ``source_places`` and
    ``target_places``: the two ends of every link, numbered through all segments."""

    source_segments: Integers
    target_segments: Integers
    source_places: Integers
    target_places: Integers


class SpanRows(NamedTuple):
    """Phrase pairs, one row each, in order; starts are numbered through all segments."""

    source_starts: Integers
    source_lengths: Integers
    target_starts: Integers
    target_lengths: Integers


def extract(
    source: Sequence[str],
    target: Sequence[str],
    links: Links,
    max_length: int = MAX_LENGTH,
) -> list[PhraseSpan]:
    """Return the phrase pairs of one segment, at most ``max_length`` words on either side."""
    rows = phrase_spans(linked_words([source], [target], [links]), max_length)
    return [
        PhraseSpan(s, s + n, t, t + m)
        for s, n, t, m in zip(*(column.tolist() for column in rows), strict=True)
    ]


def linked_words(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    links: Sequence[Links],
) -> LinkedWords:
    """Return number words and links through; Raise ValueError for lists of unequal length and for
    links to words that there are not."""
    if not len(sources) == len(targets) == len(links):
        raise ValueError(
            f"{len(sources)} sources, {len(targets)} targets and {len(links)} lists of links: "
            "each segment has one of each"
        )
    sizes = [np.array([len(s) for s in side], dtype=np.int64) for side in (sources, targets)]
    n_links = np.array([len(found) for found in links], dtype=np.int64)
    flat = np.array([link for found in links for link in found], dtype=np.int64).reshape(-1, 2)
    segment = np.repeat(np.arange(len(links)), n_links)
    wrong = (flat < 0) | (flat >= np.stack(sizes, axis=1)[segment])
    if wrong.any():
        where = int(np.flatnonzero(wrong.any(axis=1))[0])
        raise ValueError(
            f"segment {int(segment[where])} has a link {tuple(flat[where].tolist())} to a word "
            "that it does not have"
        )
    starts = [np.cumsum(size) - size for size in sizes]
    return LinkedWords(
        np.repeat(np.arange(len(links)), sizes[0]),
        np.repeat(np.arange(len(links)), sizes[1]),
        flat[:, 0] + starts[0][segment],
        flat[:, 1] + starts[1][segment],
    )


def phrase_spans(words: LinkedWords, max_length: int = MAX_LENGTH) -> SpanRows:
    """Return all phrase pairs of all segments, ordered by source start, source length, target start
    and target length."""
    if max_length < 1:
        raise ValueError("a phrase has at least one word")
    n_source, n_target = len(words.source_segments), len(words.target_segments)
    reach = reached(words.source_places, words.target_places, n_source, n_target)
    back = reached(words.target_places, words.source_places, n_target, n_source)
    backs = list(windows(*back, max_length))
    found = [
        with_free_words(tight, length, words, max_length)
        for length, (low, high) in enumerate(windows(*reach, max_length), 1)
        for tight in [tight_pairs(low, high, length, words.source_segments, backs)]
    ]
    columns = [np.concatenate(parts) for parts in zip(*found, strict=True)]
    order = np.lexsort(columns[::-1])
    return SpanRows(*(column[order] for column in columns))


def reached(here: Integers, there: Integers, n: int, n_there: int) -> tuple[Integers, Integers]:
    """Return the first and the last word on the other side that each of ``n`` words has a link to;
    ``n_there`` and -1 for a word without any."""
    first, last = np.full(n, n_there), np.full(n, -1)
    np.minimum.at(first, here, there)
    np.maximum.at(last, here, there)
    return first, last


def windows(first: Integers, last: Integers, max_length: int):
    """Yield for every length, from 1, what each run of so many words reaches, by its start."""
    low, high = first, last
    yield low, high
    for length in range(2, max_length + 1):
        low = np.minimum(low[:-1], first[length - 1 :])
        high = np.maximum(high[:-1], last[length - 1 :])
        yield low, high


def tight_pairs(
    low: Integers,
    high: Integers,
    length: int,
    segments: Integers,
    backs: Sequence[tuple[Integers, Integers]],
) -> tuple[Integers, Integers, Integers]:
    """Return source phrases of a length, as starts, with the target phrase that their links span,
    as first and last word, where no link of that phrase leads elsewhere."""
    starts = np.arange(len(low))
    inside = segments[: len(low)] == segments[length - 1 : length - 1 + len(low)]
    starts = starts[inside & (high >= low) & (high - low < len(backs))]
    kept = np.zeros(len(starts), dtype=bool)
    for size, (back_low, back_high) in enumerate(backs, 1):
        of_size = np.flatnonzero(high[starts] - low[starts] == size - 1)
        start = starts[of_size]
        kept[of_size] = (back_low[low[start]] >= start) & (back_high[low[start]] < start + length)
    starts = starts[kept]
    return starts, low[starts], high[starts]


def with_free_words(
    tight: tuple[Integers, Integers, Integers], length: int, words: LinkedWords, max_length: int
) -> tuple[Integers, ...]:
    """Return the pairs, and those whose target has words without a link at its borders as well:
    columns of SpanRows."""
    starts, low, high = tight
    is_free = np.ones(len(words.target_segments), dtype=bool)
    is_free[words.target_places] = False
    before = run_lengths(is_free, words.target_segments)[low]
    after = run_lengths(is_free[::-1], words.target_segments[::-1])[::-1][high]
    sizes = high - low + 1
    parts = []
    for left in range(max_length):
        for right in range(max_length - left):
            fits = (left <= before) & (right <= after) & (sizes + left + right <= max_length)
            if not fits.any():
                break
            parts.append((starts[fits], low[fits] - left, sizes[fits] + left + right))
    columns = [np.concatenate(part) for part in zip(*parts, strict=True)] or [starts] * 3
    return columns[0], np.full(len(columns[0]), length), columns[1], columns[2]


def run_lengths(is_free: NDArray[np.bool_], segments: Integers) -> Integers:
    """Return how many free words in a row stand right before each word, in its segment."""
    places = np.arange(len(is_free))
    new = np.diff(segments, prepend=-1) != 0
    # The last place from which a run cannot reach back: a word that is not free, or the place
    # before a segment.
    stop = np.where(new, places - 1, -1)
    stop = np.maximum.accumulate(stop)
    taken = np.maximum.accumulate(np.where(is_free, -1, places))
    before = np.concatenate([[-1], taken[:-1]])[: len(places)]
    return places - 1 - np.maximum(before, stop)
