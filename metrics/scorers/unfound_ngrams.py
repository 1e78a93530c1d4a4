"""Runs of words that some texts have and others never have, over a whole test set."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .base import Stream, check_stream, prepared
from .tokenizers import get_tokenizer

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class UnfoundNgram:
    """``words`` occur ``count`` times; ``places``: the first (stream, segment) that have them, by
    their indices, at most `MOST_PLACES`; ``n_segments``: in how many segments."""

    words: tuple[str, ...]
    count: int
    n_segments: int
    places: tuple[tuple[int, int], ...]


MOST_PLACES = 8


def unfound_ngrams(
    left: Sequence[Stream],
    right: Sequence[Stream],
    *,
    tokenize: str = "13a",
    lowercase: bool = True,
    max_order: int = 4,
    most: int = 15,
) -> tuple[list[UnfoundNgram], list[UnfoundNgram]]:
    """Return the most frequent runs of 1 to ``max_order`` words in ``left`` that occur nowhere in
    ``right``, ``most`` of each order, the shorter ones first; and those of ``right`` that occur
    nowhere in ``left``.

    A longer run is listed only if the other side has all shorter runs in it: what it lacks is then
    the run itself. Missing texts are None. Raise ValueError where texts cannot be tokenized.
    """
    encoder = get_tokenizer(tokenize).encoder
    encoded = []
    for stream in (*left, *right):
        check_stream("Texts", stream, may_miss=True)
        encoded.append(encoder.encode(prepared(stream, lowercase)))
    if not encoded:
        return [], []
    ids = np.concatenate([stream.ids for stream in encoded])
    stream_of = np.repeat(np.arange(len(encoded)), [len(stream.ids) for stream in encoded])
    segment_of = np.concatenate([stream.segments for stream in encoded])
    vocabulary = encoder.vocabulary()
    found: tuple[list[UnfoundNgram], list[UnfoundNgram]] = ([], [])
    for side, starts, runs, order in _runs(ids, stream_of >= len(left), max_order):
        for run in _most_frequent(runs, most):
            at = starts[runs == run]
            _, first = np.unique(
                stream_of[at] * (segment_of.max() + 1) + segment_of[at], return_index=True
            )
            streams = stream_of[at] - (len(left) if side else 0)
            places = [(int(streams[i]), int(segment_of[at[i]])) for i in first[:MOST_PLACES]]
            words = tuple(vocabulary[number] for number in ids[at[0] : at[0] + order])
            n_segments = len(np.unique(segment_of[at]))
            found[side].append(UnfoundNgram(words, len(at), n_segments, tuple(places)))
    return found


def _runs(
    ids: Integers, is_right: NDArray[np.bool_], max_order: int
) -> Iterator[tuple[int, Integers, Integers, int]]:
    """Yield order by order and side by side (0 left, 1 right): the positions, (n,), where a run
    starts that the other side does not have, although it has all shorter ones in it; the number of
    that run, (n,); and the order."""
    starts = np.flatnonzero(ids)
    ranks = np.zeros(len(ids), dtype=np.int64)  # of the run before, by position
    # Whether left and right have the run before, by position.
    known = np.ones((2, len(ids) + 1), dtype=np.bool_)
    highest = int(ids.max(initial=0)) + 1
    for order in range(1, max_order + 1):
        ends = starts + order - 1
        starts = starts[(ends < len(ids)) & (ids.take(ends, mode="clip") > 0)]
        if not len(starts):
            return
        keys = ranks[starts] * highest + ids[starts + order - 1]
        _, numbers = np.unique(keys, return_inverse=True)
        side_of = is_right[starts]
        n = int(numbers.max()) + 1
        has = [np.bincount(numbers[side_of == side], minlength=n) > 0 for side in (0, 1)]
        for side in (0, 1):
            other = 1 - side
            is_new = (side_of == side) & ~has[other][numbers]
            is_new &= known[other][starts] & (known[other][starts + 1] | (order == 1))
            yield side, starts[is_new], numbers[is_new], order
        ranks[starts] = numbers
        known[:] = False
        for side in (0, 1):
            known[side][starts] = has[side][numbers]


def _most_frequent(runs: Integers, most: int) -> list[int]:
    """Return the numbers that occur most often, of equals the one that comes first."""
    numbers, first, counts = np.unique(runs, return_index=True, return_counts=True)
    order = np.lexsort((first, -counts))[:most]
    return numbers[order].tolist()
