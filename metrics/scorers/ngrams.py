"""Clipped n-gram matches of many segments at once.

A segment number, the n tokens that start at a position, and the number of the text (0 for the
hypothesis, 1, 2, ... for references) are packed into one 64-bit key. The keys of all positions of
all texts are sorted once, and equal n-grams of every order up to n then lie side by side, because
sorting by n tokens also sorts by the first n - 1 of them.

A text ends with a token that the texts it is compared with do not have, so that n-grams that are
cut short by the end, and run on into the next segment, never match.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.scorers.encoding import Encoded, distinct

Integers = NDArray[np.int64]
Keys = NDArray[np.uint64]

_KEY_BITS = 64
_BLOCK_TOKENS = 50_000  # sorted together: enough to fill arrays, few enough to stay in the cache


class _Layout(NamedTuple):
    """How a key is divided: tokens in an n-gram, bits a token takes, bits of the text's number;
    what is left is the segment's."""

    order: int
    token_bits: int
    stream_bits: int

    def below(self, n: int) -> int:
        """Return bits below the n-th token."""
        return self.stream_bits + (self.order - n) * self.token_bits

    def fits(self, n_segments: int) -> bool:
        return self.below(0) + n_segments.bit_length() <= _KEY_BITS


def ngram_totals(lengths: Integers, order: int) -> Integers:
    """Return how many n-grams texts of these lengths have: (n_segments, order), for n = 1 ...
    order."""
    return np.maximum(lengths[:, None] - np.arange(order), 0)


def clipped_matches(hypothesis: Encoded, references: Sequence[Encoded], order: int) -> Integers:
    """Return matched n-grams, (n_segments, order): for every n-gram of the hypothesis the smaller
    of its count there and its highest count in one reference, summed (Papineni et al. 2002)."""
    streams = [hypothesis, *references]
    n_segments = len(hypothesis.lengths)
    block = _block_size(streams)
    if not _layout(streams, order).fits(block):
        streams = _numbered_within_segments(hypothesis, tuple(references))
    result = np.empty((n_segments, order), dtype=np.int64)
    for start in range(0, n_segments, block):
        stop = min(start + block, n_segments)
        parts = [stream.part(start, stop) for stream in streams]
        result[start:stop] = _count(parts, order)
    return result


def _block_size(streams: Sequence[Encoded]) -> int:
    """Return how many segments to sort together."""
    n_segments = len(streams[0].lengths)
    n_tokens = sum(len(stream.ids) for stream in streams)
    return min(max(_BLOCK_TOKENS * n_segments // n_tokens, 1), n_segments)


def _layout(streams: Sequence[Encoded], order: int) -> _Layout:
    end = max(stream.highest for stream in streams) + 1
    return _Layout(order, end.bit_length(), (len(streams) - 1).bit_length())


def _count(streams: Sequence[Encoded], order: int) -> Integers:
    """Return the matches of a block of segments."""
    layout = _layout(streams, order)
    if not layout.fits(len(streams[0].lengths)):
        return _count_by_ranks(streams, order)
    keys = np.concatenate([_pack(stream, layout, n) for n, stream in enumerate(streams)])
    keys.sort()
    stream_of = keys & np.uint64((1 << layout.stream_bits) - 1)
    common = _common_tokens(keys, layout)
    if len(streams) == 2:
        return _match_one(stream_of, common, order)
    return _match_several(stream_of, common, order, len(streams))


def _pack(stream: Encoded, layout: _Layout, number: int) -> Keys:
    """Return the keys of a stream: at every position the tokens from there on, the first one
    highest."""
    order, bits, stream_bits = layout
    keys = stream.ids.astype(np.uint64)
    if number:  # hypotheses end with 0, references with the highest number
        keys[stream.edges[1:] - 1] = (1 << bits) - 1
    filled = 1
    while filled < order:  # keys of twice as many tokens, or as many as are left
        step = min(filled, order - filled)
        following = keys >> np.uint64((filled - step) * bits)
        keys <<= np.uint64(step * bits)
        keys[:-filled] |= following[filled:]
        filled += step
    keys <<= np.uint64(stream_bits)
    segments = np.arange(len(stream.lengths), dtype=np.uint64) << np.uint64(layout.below(0))
    segments |= np.uint64(number)
    keys |= np.repeat(segments, stream.lengths + 1)
    return keys


def _common_tokens(keys: Keys, layout: _Layout) -> NDArray[np.uint8]:
    """Return 1 + how many tokens each sorted key has in common with the one before it, or 0 if it
    is the first of a segment; a 0 at the end. A run of equal n-grams starts where this is at most
    n."""
    common = np.zeros(len(keys) + 1, dtype=np.uint8)
    difference = keys[1:] ^ keys[:-1]
    for n in range(layout.order + 1):
        common[1:-1] += difference < np.uint64(1 << layout.below(n))
    return common


def _match_one(stream_of: Keys, common: NDArray[np.uint8], order: int) -> Integers:
    """Return matches with one reference. A run with h n-grams of the hypothesis and r of the
    reference has min(h, r) = (h + r - |h - r|) / 2 of them."""
    balance = _counts_before(1 - 2 * stream_of.astype(np.int8))  # h - r of all runs so far
    sizes = np.diff(np.flatnonzero(common == 0))
    matches = np.empty((len(sizes), order), dtype=np.int64)
    for n in range(order, 0, -1):
        # The starts of runs of shorter n-grams are among those of longer ones.
        starts = np.flatnonzero(common <= n)
        common, balance = common.take(starts), balance.take(starts)
        unmatched = np.abs(np.diff(balance))
        matches[:, n - 1] = (sizes - _sum_segments(unmatched, common)) // 2
    return matches


def _match_several(
    stream_of: Keys, common: NDArray[np.uint8], order: int, n_streams: int
) -> Integers:
    """Return matches with the reference that has an n-gram most often."""
    before = [_counts_before(stream_of == number) for number in range(n_streams)]
    matches = np.empty((np.count_nonzero(common == 0) - 1, order), dtype=np.int64)
    for n in range(order, 0, -1):
        starts = np.flatnonzero(common <= n)
        common, before = common.take(starts), [counts.take(starts) for counts in before]
        in_hypothesis, *in_references = (np.diff(counts) for counts in before)
        clipped = np.minimum(in_hypothesis, np.maximum.reduce(in_references))
        matches[:, n - 1] = _sum_segments(clipped, common)
    return matches


def _counts_before(values: NDArray) -> NDArray[np.int32]:
    """Return the sums of the values before each position, and of all."""
    sums = np.zeros(len(values) + 1, dtype=np.int32)
    np.cumsum(values, out=sums[1:])
    return sums


def _sum_segments(values: NDArray[np.int32], common: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return sums of the values of runs over the segments."""
    return np.add.reduceat(values, np.flatnonzero(common == 0)[:-1], dtype=np.int32)


def _numbered_within_segments(
    hypothesis: Encoded, references: tuple[Encoded, ...]
) -> list[Encoded]:
    """Return tokens numbered anew within each segment, which takes fewer bits: those of the
    references from 1, and 0 for all others of the hypothesis, for they match nothing."""
    known = references[0].kept(_ReferenceTokens, references)
    return [Encoded(known.number(hypothesis), hypothesis.lengths), *known.references]


class _ReferenceTokens:
    """The different tokens that the references of each segment have."""

    def __init__(self, _first: Encoded, references: tuple[Encoded, ...]) -> None:
        self._highest = max(reference.highest for reference in references)
        every = np.concatenate([self._keys(reference) for reference in references])
        self._tokens = distinct(every)
        # Every segment has the token 0, which ends its texts and is the first of its tokens.
        self._zeros = np.flatnonzero(self._tokens % (self._highest + 2) == 0)
        self.references = [Encoded(self.number(text), text.lengths) for text in references]

    def number(self, texts: Encoded) -> Integers:
        """Return the place of each token among those of its segment; 0 if it is not one of them."""
        keys = self._keys(texts)
        places = self._tokens.searchsorted(keys)
        known = self._tokens.take(places, mode="clip") == keys
        places -= np.repeat(self._zeros, texts.lengths + 1)
        places *= known
        return places

    def _keys(self, texts: Encoded) -> Integers:
        # Tokens above the highest of the references are all unknown, and all the same.
        tokens = np.minimum(texts.ids, self._highest + 1)
        tokens += np.repeat(np.arange(len(texts.lengths)) * (self._highest + 2), texts.lengths + 1)
        return tokens


def _segments_of(streams: Sequence[Encoded]) -> Integers:
    """Return the segment of every token of all streams in a row."""
    lengths = [stream.lengths + 1 for stream in streams]
    return np.concatenate([np.repeat(np.arange(len(part)), part) for part in lengths])


def _count_by_ranks(streams: Sequence[Encoded], order: int) -> Integers:
    """Return the same for segments with too many different tokens to be packed at all: n-grams are
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
