"""NIST, BLEU's n-grams weighted by their information (Doddington 2002), as mteval-v13a has it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.scorers.encoding import Encoded

from .base import Floats, Scorer, Stream, check_integer, prepared
from .ngrams import ngram_totals
from .tokenizers import TOKENIZERS, get_tokenizer

Integers = NDArray[np.int64]

# The length penalty is 1/2 where the output has two thirds of the reference's words.
BETA = np.log(0.5) / np.log(1.5) ** 2
REFERENCE_MATCHING = ("joint", "best")


@dataclass(kw_only=True)
class NIST(Scorer):
    """Sum of the n-gram precisions, each match worth its information in bits, times a length
    penalty; from 0, without an upper end.

    The information of an n-gram is log2(count of its first n - 1 words / its own count), over the
    references of all segments that are scored together; that of a word is log2(words / count).

    Statistics: information matched, for orders 1 ... ``max_order``; n-grams of the output, for
    the same orders; the length of the reference.

    ``reference_matching``: with several references, "joint" clips a match at its highest count in
    one of them, and takes their mean length, as mteval-v13a does. "best" takes for every order
    the one with the most information, and its length, as NLTK's ``corpus_nist`` does.
    """

    slug = "nist"
    name = "NIST"
    family = "Runs of words"
    description = "Shared runs of one to five words, where rare ones count more than frequent ones."
    higher_is_better = True
    score_range = (0.0, np.inf)
    option_values = {"tokenize": TOKENIZERS, "reference_matching": REFERENCE_MATCHING}

    tokenize: str = "13a"
    lowercase: bool = False
    max_order: int = 5
    reference_matching: str = "joint"

    def __post_init__(self) -> None:
        check_integer("max_order", self.max_order, 1)
        if self.reference_matching not in REFERENCE_MATCHING:
            raise ValueError(f"reference_matching must be one of {', '.join(REFERENCE_MATCHING)}.")
        self._tokenizer = get_tokenizer(self.tokenize)
        self._known: tuple[list[Encoded], _References] | None = None

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        encoder = self._tokenizer.encoder
        encoder.forget()
        encoded = [encoder.encode_kept(prepared(stream, self.lowercase)) for stream in references]
        hypothesis = encoder.encode(prepared(hypotheses, self.lowercase))
        known = self._references(encoded)
        joint = self.reference_matching == "joint"
        matched = np.stack(
            [
                _matched_information(hypothesis, known, limits)
                for limits in ([None] if joint else range(len(encoded)))
            ]
        )  # (1 or n_references, n_segments, max_order)
        missing = np.array([[text is None for text in stream] for stream in references])
        lengths = np.where(missing, np.nan, [stream.lengths for stream in encoded])
        if joint:
            information, length = matched[0], np.nanmean(lengths, axis=0)
        else:
            information, length = _best_references(matched, lengths)
        totals = ngram_totals(hypothesis.lengths, self.max_order)
        return np.concatenate([information, totals, length[:, None]], axis=1)

    def _references(self, encoded: list[Encoded]) -> "_References":
        """Return what is known about the references, kept until others come."""
        if self._known:
            last, known = self._known
            if len(last) == len(encoded) and all(map(lambda a, b: a is b, last, encoded)):
                return known
        known = _read_references(encoded, self.max_order)
        self._known = (encoded, known)
        return known

    def _score(self, stats: Floats) -> Floats:
        return self._gains(stats).sum(axis=-1) * self._penalty(stats)

    def _gains(self, stats: Floats) -> Floats:
        """Return information matched for each n-gram of the output: (..., max_order)."""
        information = stats[..., : self.max_order]
        totals = stats[..., self.max_order : 2 * self.max_order]
        return information / np.where(totals > 0, totals, 1)

    def _penalty(self, stats: Floats) -> Floats:
        ours, theirs = stats[..., self.max_order], stats[..., -1]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.minimum(np.where(theirs > 0, ours / theirs, 1), 1)
            return np.exp(BETA * np.log(ratio) ** 2)

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return information gained for each order, in bits an n-gram, and the length penalty."""
        sums = np.asarray(stats, dtype=np.float64)
        gains = enumerate(self._gains(sums), start=1)
        return [
            ("Output length in tokens", float(sums[self.max_order])),
            ("Reference length in tokens", float(sums[-1])),
            *((f"Information of a {n}-gram (bits)", float(gain)) for n, gain in gains),
            ("Length penalty", float(self._penalty(sums))),
        ]

    def _signature_fields(self, level: str) -> dict[str, object]:
        pairs: dict[str, object] = {
            "case": "lc" if self.lowercase else "mixed",
            "tok": self._tokenizer.signature,
        }
        if self.max_order != 5:
            pairs["order"] = self.max_order
        if self.reference_matching != "joint":
            pairs["refs"] = self.reference_matching
        return pairs


class _Order(NamedTuple):
    """The n-grams of one order in the references, sorted by segment.

    An n-gram of a segment is known by its key: the number of its first n - 1 words in the table
    of the order below (the number of the segment, for a word) and its last word. Its own number
    is its place in this table.
    """

    keys: Integers
    segments: Integers
    information: Floats
    counts: Integers
    """In each reference: (n_references, n_keys)."""


class _References(NamedTuple):
    """All orders; ``vocabulary`` is one more than the highest token in them."""

    orders: list[_Order]
    vocabulary: int


def _read_references(streams: Sequence[Encoded], max_order: int) -> _References:
    tokens = np.concatenate([stream.ids for stream in streams])
    segments = np.concatenate([_segment_of(stream) for stream in streams])
    stream_of = np.repeat(np.arange(len(streams)), [len(stream.ids) for stream in streams])
    vocabulary = int(tokens.max()) + 1
    starts = np.flatnonzero(tokens)  # a 0 follows every text
    in_segment, in_corpus = segments[starts], np.zeros(len(starts), dtype=np.int64)
    shorter = np.array([len(starts)])  # how often the first n - 1 words of an n-gram occur
    orders = []
    for n in range(1, max_order + 1):
        last = tokens[starts + n - 1]
        whole = last > 0
        starts, last, in_segment, in_corpus = (
            part[whole] for part in (starts, last, in_segment, in_corpus)
        )
        _, grams, counts = np.unique(
            in_corpus * vocabulary + last, return_inverse=True, return_counts=True
        )
        information = np.log2(shorter[in_corpus] / counts[grams])
        keys, first, numbers = np.unique(
            in_segment * vocabulary + last, return_index=True, return_inverse=True
        )
        cells = np.bincount(
            stream_of[starts] * len(keys) + numbers, minlength=len(streams) * len(keys)
        )
        orders.append(
            _Order(
                keys,
                segments[starts[first]],
                information[first],
                cells.reshape(len(streams), len(keys)),
            )
        )
        in_segment, in_corpus, shorter = numbers, grams, counts
    return _References(orders, vocabulary)


def _matched_information(
    hypothesis: Encoded, references: _References, limits: int | None
) -> Floats:
    """Return information of the clipped matches, (n_segments, n_orders); ``limits`` is the number
    of the reference that clips them, None for all of them together."""
    n_segments = len(hypothesis.lengths)
    result = np.zeros((n_segments, len(references.orders)))
    # A word that no reference has becomes 0, which ends n-grams as the end of a text does.
    tokens = np.where(hypothesis.ids < references.vocabulary, hypothesis.ids, 0)
    starts = np.flatnonzero(tokens)
    numbers = _segment_of(hypothesis)[starts]
    for n, order in enumerate(references.orders):
        if not len(order.keys):
            break
        keys = numbers * references.vocabulary + tokens[starts + n]
        places = np.searchsorted(order.keys, keys)
        np.minimum(places, len(order.keys) - 1, out=places)
        found = order.keys[places] == keys
        # Only what has matched so far can match with one word more.
        starts, numbers = starts[found], places[found]
        counts = np.bincount(numbers, minlength=len(order.keys))
        allowed = order.counts.max(axis=0) if limits is None else order.counts[limits]
        information = np.minimum(counts, allowed) * order.information
        result[:, n] = np.bincount(order.segments, weights=information, minlength=n_segments)
    return result


def _segment_of(stream: Encoded) -> Integers:
    """Return the segment of every token."""
    return np.repeat(np.arange(len(stream.lengths)), stream.lengths + 1)


def _best_references(matched: Floats, lengths: Floats) -> tuple[Floats, Floats]:
    """Return for every segment and order the reference with the most information matched, of equal
    ones the longest: that information, (n_segments, n_orders), and the mean of their lengths.

    ``matched``: (n_references, n_segments, n_orders); ``lengths``: (n_references, n_segments), nan
    for a missing reference.
    """
    there = ~np.isnan(lengths)[:, :, None]
    information = np.where(there, matched, -np.inf).max(axis=0)
    equal = there & (matched == information)
    longest = np.where(equal, lengths[:, :, None], -np.inf).max(axis=0)
    return information, longest.mean(axis=1)
