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
    result = np.zeros((n_segments, order), dtype=np.int64)
    edges = [np.concatenate([[0], np.cumsum(stream.lengths)]) for stream in streams]
    for start in range(0, n_segments, _BLOCK):
        stop = min(start + _BLOCK, n_segments)
        block = [
            Encoded(stream.ids[edge[start] : edge[stop]], stream.lengths[start:stop])
            for stream, edge in zip(streams, edges, strict=True)
        ]
        result[start:stop] = _block_matches(block, order)
    return result


def _block_matches(streams: Sequence[Encoded], order: int) -> Integers:
    n_segments = len(streams[0].lengths)
    tokens, segments, stream_of = _in_a_row(streams)
    stream_bits = (len(streams) - 1).bit_length()
    spare = _KEY_BITS - stream_bits - (n_segments - 1).bit_length()
    if order * _bits(tokens) > spare:
        tokens = _number_within_segments(tokens, segments)
    bits = _bits(tokens)
    if order * bits > spare:
        return _matches_by_ranks(tokens, segments, stream_of, n_segments, len(streams), order)
    keys = _pack(tokens, segments, stream_of, order, bits, stream_bits)
    return _sorted_matches(keys, n_segments, len(streams), order, bits, stream_bits)


def _in_a_row(streams: Sequence[Encoded]) -> tuple[Integers, Integers, Integers]:
    """All texts in one row, a 0 after each: tokens, and the segment and the stream of each."""
    lengths = np.concatenate([stream.lengths for stream in streams]) + 1
    n_segments = len(streams[0].lengths)
    tokens = np.zeros(lengths.sum(), dtype=np.int64)
    is_token = np.ones(len(tokens), dtype=bool)
    is_token[np.cumsum(lengths) - 1] = False
    tokens[is_token] = np.concatenate([stream.ids for stream in streams])
    segments = np.repeat(np.tile(np.arange(n_segments), len(streams)), lengths)
    stream_of = np.repeat(np.repeat(np.arange(len(streams)), n_segments), lengths)
    return tokens, segments, stream_of


def _bits(tokens: Integers) -> int:
    return max(int(tokens.max()).bit_length(), 1)


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


def _following(tokens: Integers, order: int) -> list[Integers]:
    """The 1st, 2nd, ... token from every position on; 0 from the end of the text on."""
    columns = [tokens]
    for n in range(1, order):
        column = np.zeros_like(tokens)
        column[:-n] = tokens[n:]
        column[columns[-1] == 0] = 0
        columns.append(column)
    return columns


def _pack(
    tokens: Integers,
    segments: Integers,
    stream_of: Integers,
    order: int,
    bits: int,
    stream_bits: int,
) -> Keys:
    keys = segments.astype(np.uint64)
    for column in _following(tokens, order):
        keys = (keys << np.uint64(bits)) | column.astype(np.uint64)
    keys = (keys << np.uint64(stream_bits)) | stream_of.astype(np.uint64)
    return keys[tokens != 0]


def _sorted_matches(
    keys: Keys, n_segments: int, n_streams: int, order: int, bits: int, stream_bits: int
) -> Integers:
    matches = np.zeros((n_segments, order), dtype=np.int64)
    keys.sort()
    for n in range(1, order + 1):
        if not len(keys):
            break
        stream_of = keys & np.uint64((1 << stream_bits) - 1)
        prefixes = keys >> np.uint64(stream_bits + (order - n) * bits)
        starts = np.concatenate([[0], np.flatnonzero(prefixes[1:] != prefixes[:-1]) + 1])
        sizes = np.diff(np.append(starts, len(keys)))
        clipped = _clip(stream_of, starts, sizes, n_streams)
        clipped[prefixes[starts] & np.uint64((1 << bits) - 1) == 0] = 0
        segments = (prefixes[starts] >> np.uint64(n * bits)).astype(np.int64)
        matches[:, n - 1] = np.bincount(segments, weights=clipped, minlength=n_segments)
        # What has no match has none when a token is added either.
        keys = keys[np.repeat(clipped > 0, sizes)]
    return matches


def _clip(stream_of: NDArray, starts: Integers, sizes: Integers, n_streams: int) -> Integers:
    """min(count in the hypothesis, highest count in a reference) of every run of equal n-grams."""
    in_hypothesis = np.add.reduceat(stream_of == 0, starts, dtype=np.int64)
    if n_streams == 2:
        return np.minimum(in_hypothesis, sizes - in_hypothesis)
    highest = np.zeros_like(in_hypothesis)
    for stream in range(1, n_streams):
        np.maximum(
            highest, np.add.reduceat(stream_of == stream, starts, dtype=np.int64), out=highest
        )
    return np.minimum(in_hypothesis, highest)


def _matches_by_ranks(
    tokens: Integers,
    segments: Integers,
    stream_of: Integers,
    n_segments: int,
    n_streams: int,
    order: int,
) -> Integers:
    """The same for vocabularies too large to pack: n-grams are ranked, order after order."""
    matches = np.zeros((n_segments, order), dtype=np.int64)
    ranks = segments
    for n, column in enumerate(_following(tokens, order)):
        _, ranks = np.unique(ranks * (tokens.max() + 1) + column, return_inverse=True)
        counted = column != 0
        counts = np.zeros((n_streams, ranks.max() + 1), dtype=np.int64)
        np.add.at(counts, (stream_of[counted], ranks[counted]), 1)
        clipped = np.minimum(counts[0], counts[1:].max(axis=0))
        segment_of = np.zeros(counts.shape[1], dtype=np.int64)
        segment_of[ranks] = segments
        matches[:, n] = np.bincount(segment_of, weights=clipped, minlength=n_segments)
    return matches
