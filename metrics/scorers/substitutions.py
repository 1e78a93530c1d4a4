"""Which words stand for which over a whole test set (Forsbom 2003)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.scorers.encoding import Encoded

from .base import Floats, Stream, check_stream, prepared
from .tokenizers import get_tokenizer
from .wer import as_sequences, edit_distances
from .word_edits import runs_of
from .words import error_rate

Ids = tuple[int, ...]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class SubstitutionPair:
    """Words of outputs that stand where the reference has others, ``count`` times in all, in the
    segments of these indices."""

    output: str
    reference: str
    count: int
    segments: tuple[int, ...]


def substitution_pairs(
    outputs: Stream,
    references: Sequence[Stream],
    *,
    tokenize: str = "13a",
    lowercase: bool = True,
    most: int | None = 100,
) -> list[SubstitutionPair]:
    """Return the most frequent substitutions over many segments, each against its nearest
    reference.

    Runs with as many words on both sides count word by word, others as a whole; runs that share
    words are a matter of order and do not count. A segment whose output is None, or that has no
    reference, is passed over. ``most``: how many pairs at most, all if None.

    Raises ValueError where the streams do not fit together or cannot be tokenized.
    """
    if any(len(stream) != len(outputs) for stream in references):
        raise ValueError("Every stream of references must be as long as the outputs.")
    check_stream("Outputs", outputs, may_miss=True)
    for number, stream in enumerate(references, start=1):
        check_stream(f"Reference stream {number}", stream, may_miss=True)
    there = [
        segment
        for segment, output in enumerate(outputs)
        if output is not None and any(stream[segment] is not None for stream in references)
    ]
    if not there:
        return []
    texts = [outputs[segment] or "" for segment in there]
    streams: list[Stream] = [[stream[segment] for segment in there] for stream in references]
    every_stream: list[Stream] = [texts, *streams]
    encoder = get_tokenizer(tokenize).encoder
    ours, *theirs = [encoder.encode(prepared(stream, lowercase)) for stream in every_stream]
    missing = np.array([[text is None for text in stream] for stream in streams])
    nearest = nearest_references(ours, theirs, missing)
    found: dict[tuple[Ids, Ids], list[int]] = {}
    for number, reference in enumerate(theirs):
        places = np.flatnonzero(nearest == number).tolist()
        for place, pair in _substitutions(ours, reference, places):
            found.setdefault(pair, []).append(there[place])
    return _ranked(found, encoder.vocabulary(), most)


def nearest_references(ours: Encoded, theirs: Sequence[Encoded], missing: np.ndarray) -> Integers:
    """Return for each segment the reference with the highest WAFT, of equals the shorter;
    (n_segments,). ``missing``: (n_references, n_segments)."""
    edits = np.array([edit_distances(ours, reference) for reference in theirs])
    longer = np.array([np.maximum(reference.lengths, ours.lengths) for reference in theirs])
    return nearest_of(edits, longer, theirs, missing)


def nearest_of(
    edits: Floats, longer: Floats, theirs: Sequence[Encoded], missing: np.ndarray
) -> Integers:
    """Return the same from the edits and the longer length, (n_references, n_segments) each."""
    lengths = np.array([reference.lengths for reference in theirs], dtype=np.float64)
    rates = error_rate(edits, longer)
    rates[missing] = np.inf
    return np.where(rates == rates.min(axis=0), lengths, np.inf).argmin(axis=0)


def _substitutions(
    ours: Encoded, theirs: Encoded, places: Sequence[int]
) -> Iterator[tuple[int, tuple[Ids, Ids]]]:
    """Yield what stands for what in the segments at these places, in ids, each with its place."""
    outputs, references = as_sequences(ours), as_sequences(theirs)
    ids, wanted_ids = ours.ids.tolist(), theirs.ids.tolist()
    starts, wanted_starts = ours.edges.tolist(), theirs.edges.tolist()
    for place in places:
        output, reference = outputs[place], references[place]
        if output == reference:
            continue
        start, wanted_start = starts[place], wanted_starts[place]
        for same, left, right in runs_of(output, reference):
            if same or left.start == left.stop or right.start == right.stop:
                continue
            words = tuple(ids[start + left.start : start + left.stop])
            wanted = tuple(wanted_ids[wanted_start + right.start : wanted_start + right.stop])
            if not set(words).isdisjoint(wanted):
                continue
            if len(words) == len(wanted):
                for word, other in zip(words, wanted, strict=True):
                    yield place, ((word,), (other,))
            else:
                yield place, (words, wanted)


def _ranked(
    found: dict[tuple[Ids, Ids], list[int]], vocabulary: Sequence[str], most: int | None
) -> list[SubstitutionPair]:
    """Return the pairs, most frequent first, those in more segments before those in fewer."""

    def text(ids: Ids) -> str:
        return " ".join(vocabulary[number] for number in ids)

    pairs = [
        (-len(segments), -len(set(segments)), text(words), text(wanted), segments)
        for (words, wanted), segments in found.items()
    ]
    return [
        SubstitutionPair(words, wanted, -count, tuple(sorted(set(segments))))
        for count, _, words, wanted, segments in sorted(pairs)[:most]
    ]
