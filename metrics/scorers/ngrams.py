"""Clipped n-gram matches of many segments at once.

A segment number and the n tokens that start at a position are packed into one 64-bit key, the
keys of all positions of all texts are sorted once, and equal n-grams of every order up to n then
lie side by side, because sorting by n tokens also sorts by the first n - 1 of them.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .tokenizers import Encoded

Integers = NDArray[np.int64]
Keys = NDArray[np.uint64]

_BLOCK = 512  # segments sorted together: enough to fill arrays, few enough to stay in the cache
_KEY_BITS = 64


def ngram_totals(lengths: Integers, order: int) -> Integers:
    """How many n-grams texts of these lengths have: (n_segments, order), for n = 1 ... order."""
    return np.maximum(lengths[:, None] - np.arange(order), 0)


def clipped_matches(hypothesis: Encoded, references: Sequence[Encoded], order: int) -> Integers:
    """Matched n-grams, (n_segments, order): for every n-gram of the hypothesis the smaller of its
    count there and its highest count in one reference, summed (Papineni et al. 2002)."""
    streams = [hypothesis, *references]
    n_segments = len(hypothesis.lengths)
    result = np.empty((n_segments, order), dtype=np.int64)
    edges = [np.concatenate([[0], np.cumsum(stream.lengths + 1)]) for stream in streams]
    for start in range(0, n_segments, _BLOCK):
        stop = min(start + _BLOCK, n_segments)
        block = [
            Encoded(stream.ids[edge[start] : edge[stop]], stream.lengths[start:stop])
            for stream, edge in zip(streams, edges, strict=True)
        ]
        result[start:stop] = _block_matches(block, order)
    return result


def _block_matches(streams: Sequence[Encoded], order: int) -> Integers:
    tokens = np.concatenate([stream.ids for stream in streams])
    n_segments = len(streams[0].lengths)
    lengths = np.concatenate([stream.lengths for stream in streams]) + 1
    segments = np.repeat(np.tile(np.arange(n_segments), len(streams)), lengths)
    stream_bits = (len(streams) - 1).bit_length()
    spare = _KEY_BITS - stream_bits - n_segments.bit_length()
    if order * _bits(tokens) > spare:
        tokens = _number_within_segments(tokens, segments)
    bits = _bits(tokens)
    # The tokens from each position to the end of its text, as far as they matter.
    ends = np.repeat(np.cumsum(lengths) - 1, lengths)
    left = np.minimum(ends - np.arange(len(tokens)), order)
    sizes = [len(stream.ids) for stream in streams]
    if order * bits > spare:
        stream_of = np.repeat(np.arange(len(streams)), sizes)
        return _matches_by_ranks(tokens, left, segments, stream_of, n_segments, order)
    keys = _pack(tokens, left, order, bits, sizes[0])
    keys |= segments.astype(np.uint64) << np.uint64(order * bits)
    keys <<= np.uint64(stream_bits)
    start = sizes[0]
    for number, size in enumerate(sizes[1:], start=1):
        keys[start : start + size] |= np.uint64(number)
        start += size
    keys.sort()
    return _count_in_runs(keys, n_segments, len(streams), order, bits, stream_bits)


def _bits(tokens: Integers) -> int:
    """Bits for the tokens, for 0, and for one number more."""
    return (int(tokens.max()) + 1).bit_length()


def _number_within_segments(tokens: Integers, segments: Integers) -> Integers:
    """Tokens numbered anew from 1 within each segment, which takes fewer bits."""
    keys = segments * (tokens.max() + 1) + tokens
    order = np.argsort(keys)
    ordered = keys[order]
    new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    ranks = np.cumsum(new)
    # Every segment has a separator, 0, which sorts first: it becomes the segment's number 0.
    first = ranks[new & (tokens[order] == 0)]
    renumbered = np.empty_like(tokens)
    renumbered[order] = ranks - first[segments[order]]
    return renumbered


def _pack(tokens: Integers, left: Integers, order: int, bits: int, n_hypothesis: int) -> Keys:
    """The ``order`` tokens from each position on, in one number. What lies past the end of the text
    is 0 in the hypothesis and the highest number in references, so that n-grams cut short by the
    end never match."""
    keys = tokens.astype(np.uint64)
    filled = 1
    while filled < order:
        step = min(filled, order - filled)
        following = keys >> np.uint64((filled - step) * bits) if step < filled else keys
        longer = keys << np.uint64(step * bits)
        longer[:-filled] |= following[filled:]
        keys, filled = longer, filled + step
    past_end = [(1 << (order - n) * bits) - 1 for n in range(order + 1)]
    keep = np.array([(1 << order * bits) - 1 - mask for mask in past_end], dtype=np.uint64)
    keys &= keep[left]
    keys[n_hypothesis:] |= np.array(past_end, dtype=np.uint64)[left[n_hypothesis:]]
    return keys


def _count_in_runs(
    keys: Keys, n_segments: int, n_streams: int, order: int, bits: int, stream_bits: int
) -> Integers:
    """Matches from sorted keys: in each run of equal n-grams, min(count in the hypothesis, highest
    count in a reference)."""
    stream_of = keys & np.uint64((1 << stream_bits) - 1)
    before = [_count_before(stream_of == stream) for stream in range(n_streams)]
    # Neighbors differ in their first n tokens if they differ in a bit from the n-th token's on.
    difference = np.empty_like(keys)
    difference[0] = np.iinfo(np.uint64).max
    np.bitwise_xor(keys[1:], keys[:-1], out=difference[1:])
    segment_starts = np.flatnonzero(difference >= np.uint64(1 << stream_bits + order * bits))
    matches = np.empty((n_segments, order), dtype=np.int64)
    for n in range(1, order + 1):
        threshold = np.uint64(1 << stream_bits + (order - n) * bits)
        starts = np.flatnonzero(difference >= threshold)
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


def _matches_by_ranks(
    tokens: Integers,
    left: Integers,
    segments: Integers,
    stream_of: Integers,
    n_segments: int,
    order: int,
) -> Integers:
    """The same for vocabularies too large to pack: n-grams are ranked, order after order."""
    matches = np.zeros((n_segments, order), dtype=np.int64)
    ranks = segments
    for n in range(order):
        following = np.zeros_like(tokens)
        following[: max(len(tokens) - n, 0)] = tokens[n:]
        _, ranks = np.unique(ranks * (tokens.max() + 1) + following, return_inverse=True)
        whole = left > n
        counts = np.zeros((stream_of.max() + 1, ranks.max() + 1), dtype=np.int64)
        np.add.at(counts, (stream_of[whole], ranks[whole]), 1)
        clipped = np.minimum(counts[0], counts[1:].max(axis=0))
        segment_of = np.zeros(counts.shape[1], dtype=np.int64)
        segment_of[ranks] = segments
        matches[:, n] = np.bincount(segment_of, weights=clipped, minlength=n_segments)
    return matches
