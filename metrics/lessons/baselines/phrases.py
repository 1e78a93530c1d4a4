"""Phrase tables: which phrases of a bitext translate which, how often, and how well word by word.

`extract` gives the phrase pairs of one segment, `phrase_table` counts those of all. Probabilities
are relative frequencies; the lexical weight of a pair is taken from how its words translate each
other (Koehn, Och and Marcu 2003, section 4.4).
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.lessons.baselines.phrase_numbers import Phrases, number_phrases, number_words
from metrics.lessons.baselines.phrase_pairs import (
    MAX_LENGTH,
    Integers,
    LinkedWords,
    Links,
    PhraseSpan,
    SpanRows,
    extract,
    linked_words,
    phrase_spans,
)

__all__ = ["MAX_LENGTH", "PhraseEntry", "PhraseSpan", "PhraseTable", "extract", "phrase_table"]

Floats = NDArray[np.float64]
Phrase = tuple[str, ...]


class PhraseEntry(NamedTuple):
    """A phrase pair with its counts and probabilities; f is the source, e the target.

    ``inverse`` φ(f|e) and ``direct`` φ(e|f) are relative frequencies, ``inverse_lexical`` lex(f|e)
    and ``direct_lexical`` lex(e|f) lexical weights. ``alignment``: links inside the pair."""

    source: Phrase
    target: Phrase
    inverse: float
    inverse_lexical: float
    direct: float
    direct_lexical: float
    alignment: tuple[tuple[int, int], ...]
    target_count: int
    source_count: int
    joint_count: int


class PhraseTable:
    """Phrase pairs in arrays, ordered by source phrase, then the most frequent target first.

    ``sources`` and ``targets`` are the distinct phrases; ``source_ids`` and ``target_ids`` name the
    phrases of each pair, (n,). ``scores``: (n, 4), φ(f|e), lex(f|e), φ(e|f), lex(e|f), as Moses
    orders them. ``counts``: (n, 3), of the target phrase, the source phrase, the pair. ``links``:
    (m, 2), the links of pair i are those from ``link_starts[i]`` to ``link_starts[i + 1]``.
    """

    def __init__(
        self,
        sources: Phrases,
        targets: Phrases,
        source_ids: Integers,
        target_ids: Integers,
        scores: Floats,
        counts: Integers,
        links: Integers,
        link_starts: Integers,
    ) -> None:
        self.sources, self.targets = sources, targets
        self.source_ids, self.target_ids = source_ids, target_ids
        self.scores, self.counts = scores, counts
        self.links, self.link_starts = links, link_starts

    def __len__(self) -> int:
        return len(self.source_ids)

    def __iter__(self) -> Iterator[PhraseEntry]:
        return (self.entry(i) for i in range(len(self)))

    def entry(self, i: int) -> PhraseEntry:
        """Return the pair at a place of the table."""
        links = self.links[self.link_starts[i] : self.link_starts[i + 1]].tolist()
        inverse, inverse_lexical, direct, direct_lexical = self.scores[i].tolist()
        of_target, of_source, joint = self.counts[i].tolist()
        return PhraseEntry(
            self.sources[self.source_ids[i]],
            self.targets[self.target_ids[i]],
            inverse,
            inverse_lexical,
            direct,
            direct_lexical,
            tuple((s, t) for s, t in links),
            of_target,
            of_source,
            joint,
        )

    def translations(self, source: Sequence[str]) -> list[PhraseEntry]:
        """Return the entries of a source phrase, the most frequent first; none for one not met."""
        number = self.sources.find(source)
        if number is None:
            return []
        start, end = np.searchsorted(self.source_ids, [number, number + 1])
        return [self.entry(i) for i in range(start, end)]

    def translations_back(self, target: Sequence[str]) -> list[PhraseEntry]:
        """Return the entries of a target phrase, the most frequent first; none for one not met."""
        number = self.targets.find(target)
        if number is None:
            return []
        start, end = np.searchsorted(self.target_ids[self._by_target], [number, number + 1])
        return [self.entry(i) for i in self._by_target[start:end].tolist()]

    @cached_property
    def _by_target(self) -> Integers:
        return np.lexsort((-self.counts[:, 2], self.target_ids))


def phrase_table(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    links: Sequence[Links],
    max_length: int = MAX_LENGTH,
) -> PhraseTable:
    """Return the phrase table of a word-aligned bitext, phrases of at most ``max_length`` words.

    Of a pair that was found with several alignments, each lexical weight is the highest (Koehn et
    al. 2003), and the alignment is that with the highest product of both, the first of equals.
    """
    words = linked_words(sources, targets, links)
    spans = phrase_spans(words, max_length)
    source_words, target_words = number_words(sources), number_words(targets)
    from_source, source_phrases = number_phrases(
        source_words, spans.source_starts, spans.source_lengths
    )
    from_target, target_phrases = number_phrases(
        target_words, spans.target_starts, spans.target_lengths
    )
    logs = [
        span_sums(factors, starts, lengths, max_length)
        for factors, (starts, lengths) in zip(
            lexical_factors(source_words.ids, target_words.ids, words),
            ((spans.source_starts, spans.source_lengths), spans[2:]),
            strict=True,
        )
    ]
    # All rows of a pair stand together, the one with the best alignment first.
    key = from_source * len(target_phrases) + from_target
    order = np.lexsort((np.arange(len(key)), -np.round(logs[0] + logs[1], 9), key))
    key = key[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    counts = np.diff(starts, append=len(key))
    best = order[starts]
    return _ordered(
        source_phrases,
        target_phrases,
        from_source[best],
        from_target[best],
        counts,
        [np.exp(np.maximum.reduceat(log[order], starts)) if len(starts) else log for log in logs],
        SpanRows(*(column[best] for column in spans)),
        words,
    )


def _ordered(
    sources: Phrases,
    targets: Phrases,
    source_ids: Integers,
    target_ids: Integers,
    counts: Integers,
    lexical: Sequence[Floats],
    spans: SpanRows,
    words: LinkedWords,
) -> PhraseTable:
    """Return the table of pairs, with the probabilities that follow from counts, in its order."""
    order = np.lexsort((target_ids, -counts, source_ids))
    of_source = np.bincount(source_ids, counts, len(sources)).astype(np.int64)[source_ids]
    of_target = np.bincount(target_ids, counts, len(targets)).astype(np.int64)[target_ids]
    scores = np.stack([counts / of_target, lexical[0], counts / of_source, lexical[1]], axis=1)
    links, link_starts = inner_links(SpanRows(*(column[order] for column in spans)), words)
    return PhraseTable(
        sources,
        targets,
        source_ids[order],
        target_ids[order],
        scores[order],
        np.stack([of_target, of_source, counts], axis=1)[order],
        links,
        link_starts,
    )


def lexical_factors(
    source_ids: Integers, target_ids: Integers, words: LinkedWords
) -> tuple[Floats, Floats]:
    """Return the logarithm of what every word adds to the lexical weight of a phrase that it is in:
    for words of the source, 1 / |links of i| · Σ w(f_i | e_j), and for words of the target
    likewise.

    w(f | e) = count(f, e) / Σ_f' count(f', e), counted over links, words without any being linked
    to a word NULL (Koehn et al. 2003, equations 4 and 5). No link leaves a phrase, so this is the
    same in whatever phrase the word is.
    """
    null_f, null_e = int(source_ids.max(initial=0)) + 1, int(target_ids.max(initial=0)) + 1
    f_places, e_places = words.source_places, words.target_places
    free_f = np.setdiff1d(np.arange(len(source_ids)), f_places)
    free_e = np.setdiff1d(np.arange(len(target_ids)), e_places)
    f_parts = source_ids[f_places], source_ids[free_f], np.full(len(free_e), null_f)
    e_parts = target_ids[e_places], np.full(len(free_f), null_e), target_ids[free_e]
    f, e = np.concatenate(f_parts), np.concatenate(e_parts)
    _, pair, joint = np.unique(f * (null_e + 1) + e, return_inverse=True, return_counts=True)
    f_given_e = joint[pair] / np.bincount(e)[e]
    e_given_f = joint[pair] / np.bincount(f)[f]
    n, n_free = len(f_places), len(f_places) + len(free_f)
    source = mean_at(f_places, f_given_e[:n], len(source_ids))
    source[free_f] = f_given_e[n:n_free]
    target = mean_at(e_places, e_given_f[:n], len(target_ids))
    target[free_e] = e_given_f[n_free:]
    return np.log(source), np.log(target)


def mean_at(places: Integers, values: Floats, n: int) -> Floats:
    """Return the mean of the values at each of ``n`` places, 0 where there are none."""
    sums = np.bincount(places, values, n).astype(np.float64)
    return sums / np.maximum(np.bincount(places, minlength=n), 1)


def span_sums(values: Floats, starts: Integers, lengths: Integers, max_length: int) -> Floats:
    """Return the sum of the values in each span, added up place by place (differences of running
    sums would lose digits in a long text)."""
    sums = np.zeros(len(starts))
    for place in range(max_length):
        reaches = np.flatnonzero(lengths > place)
        sums[reaches] += values[starts[reaches] + place]
    return sums


def inner_links(spans: SpanRows, words: LinkedWords) -> tuple[Integers, Integers]:
    """Return the links inside of each pair, from the starts of its phrases, and where those of each
    pair begin (one number more than pairs)."""
    order = np.lexsort((words.target_places, words.source_places))
    places, others = words.source_places[order], words.target_places[order]
    first = np.searchsorted(places, spans.source_starts)
    n = np.searchsorted(places, spans.source_starts + spans.source_lengths) - first
    starts = np.concatenate([[0], np.cumsum(n)])
    rows = np.arange(starts[-1]) - np.repeat(starts[:-1] - first, n)
    links = np.stack(
        [
            places[rows] - np.repeat(spans.source_starts, n),
            others[rows] - np.repeat(spans.target_starts, n),
        ],
        axis=1,
    )
    return links, starts
