"""Clipped n-gram matches of many segments at once.

A segment number, the n tokens that start at a position, and the number of the text (0 for the
hypothesis, 1, 2, ... for references) are packed into one 64-bit key. The keys of all positions of
all texts are sorted once, and equal n-grams of every order up to n then lie side by side, because
sorting by n tokens also sorts by the first n - 1 of them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .encoded import Encoded

Integers = NDArray[np.int64]
Keys = NDArray[np.uint64]

_KEY_BITS = 64
_SEGMENT_BITS = 12
_BLOCK_TOKENS = 50_000  # sorted together: enough to fill arrays, few enough to stay in the cache


class _Layout(NamedTuple):
    """How a key is divided: tokens in an n-gram, bits a token takes, bits of the text's number."""

    order: int
    token_bits: int
    stream_bits: int

    def fits(self) -> bool:
        used = self.order * self.token_bits + self.stream_bits + _SEGMENT_BITS
        return used <= _KEY_BITS

    def below(self, n: int) -> int:
        """Bits below the n-th token."""
        return self.stream_bits + (self.order - n) * self.token_bits


def ngram_totals(lengths: Integers, order: int) -> Integers:
    """How many n-grams texts of these lengths have: (n_segments, order), for n = 1 ... order."""
    return np.maximum(lengths[:, None] - np.arange(order), 0)


def clipped_matches(hypothesis: Encoded, references: Sequence[Encoded], order: int) -> Integers:
    """Matched n-grams, (n_segments, order): for every n-gram of the hypothesis the smaller of its
    count there and its highest count in one reference, summed (Papineni et al. 2002)."""
    streams = [hypothesis, *references]
    n_segments = len(hypothesis.lengths)
    result = np.empty((n_segments, order), dtype=np.int64)
    layout = _layout(streams, order)
    block = _block_size(streams)
    for start in range(0, n_segments, block):
        stop = min(start + block, n_segments)
        if layout.fits():
            keys = _keys(streams, layout, start, stop)
            result[start:stop] = _count_in_runs(keys, layout, len(streams))
        else:
            parts = [stream.part(start, stop) for stream in streams]
            result[start:stop] = _count_renumbered(parts, order)
    return result


def _count_renumbered(streams: Sequence[Encoded], order: int) -> Integers:
    """The same for a block of segments whose tokens are too many to be packed as they are."""
    renumbered = _number_within_segments(streams)
    layout = _layout(renumbered, order)
    if not layout.fits():
        return _count_by_ranks(renumbered, order)
    keys = _keys(renumbered, layout, 0, len(streams[0].lengths))
    return _count_in_runs(keys, layout, len(streams))


def _layout(streams: Sequence[Encoded], order: int) -> _Layout:
    highest = max(stream.highest for stream in streams)
    # One number more than there are tokens, for what lies past the end of a reference.
    return _Layout(order, (highest + 1).bit_length(), (len(streams) - 1).bit_length())


def _block_size(streams: Sequence[Encoded]) -> int:
    """How many segments to sort together: a power of 2, so that no block spans two rounds of the
    segment numbers."""
    n_segments = len(streams[0].lengths)
    n_tokens = sum(len(stream.ids) for stream in streams)
    wanted = max(_BLOCK_TOKENS * n_segments // n_tokens, 1)
    return 1 << min(wanted.bit_length() - 1, _SEGMENT_BITS)


def _keys(streams: Sequence[Encoded], layout: _Layout, start: int, stop: int) -> Keys:
    """The sorted keys of all texts of some segments."""
    parts = []
    for number, stream in enumerate(streams):
        packed = stream.kept(_pack, layout, number)
        parts.append(packed[stream.edges[start] : stream.edges[stop]])
    keys = np.concatenate(parts)
    keys.sort()
    return keys


def _pack(stream: Encoded, layout: _Layout, number: int) -> Keys:
    """The keys of a stream. What lies past the end of a text is 0 in a hypothesis and the highest
    number in a reference, so that n-grams cut short by the end never match."""
    order, bits, stream_bits = layout
    keys = stream.ids.astype(np.uint64)
    filled = 1
    while filled < order:  # keys of twice as many tokens, or as many as are left
        step = min(filled, order - filled)
        following = keys >> np.uint64((filled - step) * bits)
        longer = keys << np.uint64(step * bits)
        longer[:-filled] |= following[filled:]
        keys, filled = longer, filled + step
    lengths = stream.lengths + 1
    left = np.repeat(stream.edges[1:] - 1, lengths)
    left -= np.arange(len(left))
    np.minimum(left, order, out=left)
    past_end = [(1 << (order - n) * bits) - 1 for n in range(order + 1)]
    whole = (1 << order * bits) - 1
    keys &= np.array([whole - past for past in past_end], dtype=np.uint64)[left]
    if number:
        keys |= np.array(past_end, dtype=np.uint64)[left]
    keys <<= np.uint64(stream_bits)
    segments = np.arange(len(lengths), dtype=np.uint64) % np.uint64(1 << _SEGMENT_BITS)
    segments = segments << np.uint64(stream_bits + order * bits) | np.uint64(number)
    keys |= np.repeat(segments, lengths)
    return keys


def _count_in_runs(keys: Keys, layout: _Layout, n_streams: int) -> Integers:
    """Matches from sorted keys: in each run of equal n-grams, min(count in the hypothesis, highest
    count in a reference)."""
    stream_of = keys & np.uint64((1 << layout.stream_bits) - 1)
    before = [_count_before(stream_of == stream) for stream in range(n_streams - 1)]
    before.append(np.arange(len(keys) + 1, dtype=np.int32) - sum(before))  # what is left
    # Neighbors differ in their first n tokens if they differ in a bit from the n-th token's on.
    difference = np.empty_like(keys)
    difference[0] = np.iinfo(np.uint64).max
    np.bitwise_xor(keys[1:], keys[:-1], out=difference[1:])
    segment_starts = np.flatnonzero(difference >= np.uint64(1 << layout.below(0)))
    matches = np.empty((len(segment_starts), layout.order), dtype=np.int64)
    for n in range(1, layout.order + 1):
        starts = np.flatnonzero(difference >= np.uint64(1 << layout.below(n)))
        edges = np.append(starts, len(keys))
        in_hypothesis, *in_references = [np.diff(counts.take(edges)) for counts in before]
        clipped = in_references[0]
        for counts in in_references[1:]:
            np.maximum(clipped, counts, out=clipped)
        np.minimum(clipped, in_hypothesis, out=clipped)
        matches[:, n - 1] = np.add.reduceat(clipped, np.searchsorted(starts, segment_starts))
    return matches


def _count_before(which: NDArray[np.bool_]) -> NDArray[np.int32]:
    """How many are true before each position, and in all."""
    counts = np.zeros(len(which) + 1, dtype=np.int32)
    np.cumsum(which, out=counts[1:])
    return counts


def _segments_of(streams: Sequence[Encoded]) -> Integers:
    """The segment of every token of all streams in a row."""
    lengths = [stream.lengths + 1 for stream in streams]
    return np.concatenate([np.repeat(np.arange(len(part)), part) for part in lengths])


def _number_within_segments(streams: Sequence[Encoded]) -> list[Encoded]:
    """Tokens numbered anew from 1 within each segment, which takes fewer bits."""
    tokens = np.concatenate([stream.ids for stream in streams])
    segments = _segments_of(streams)
    keys = segments * (tokens.max() + 1) + tokens
    order = np.argsort(keys)
    ordered = keys[order]
    new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    ranks = np.cumsum(new)
    # Every text ends with 0, which sorts first in its segment: it becomes the number 0.
    first = ranks[new & (tokens[order] == 0)]
    renumbered = np.empty_like(tokens)
    renumbered[order] = ranks - first[segments[order]]
    parts = np.split(renumbered, np.cumsum([len(stream.ids) for stream in streams[:-1]]))
    return [Encoded(ids, stream.lengths) for ids, stream in zip(parts, streams, strict=True)]


def _count_by_ranks(streams: Sequence[Encoded], order: int) -> Integers:
    """The same for segments with too many different tokens to be packed at all: n-grams are
    ranked, order after order."""
    tokens = np.concatenate([stream.ids for stream in streams])
    stream_of = np.repeat(np.arange(len(streams)), [len(stream.ids) for stream in streams])
    segments = _segments_of(streams)
    matches = np.zeros((len(streams[0].lengths), order), dtype=np.int64)
    ranks, whole = segments, np.ones(len(tokens), dtype=bool)
    for n in range(order):
        following = np.zeros_like(tokens)
        following[: max(len(tokens) - n, 0)] = tokens[n:]
        whole &= following != 0
        _, ranks = np.unique(ranks * (tokens.max() + 1) + following, return_inverse=True)
        counts = np.zeros((len(streams), ranks.max() + 1), dtype=np.int64)
        np.add.at(counts, (stream_of[whole], ranks[whole]), 1)
        clipped = np.minimum(counts[0], counts[1:].max(axis=0))
        segment_of = np.zeros(counts.shape[1], dtype=np.int64)
        segment_of[ranks] = segments
        matches[:, n] = np.bincount(segment_of, weights=clipped, minlength=len(matches))
    return matches
