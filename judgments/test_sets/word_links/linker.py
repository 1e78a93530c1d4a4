"""From pairs of texts to links of their words: long texts are linked sentence by sentence."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from judgments.files.sentences import sentence_starts
from judgments.models import TestSet
from judgments.protocols.tokens import tokens

from .aligner import Link, TrainedAligner, WordAligner
from .sentence_pairs import sentence_pairs


class StretchPair(NamedTuple):
    """The words of two stretches that belong together, and how many stand before them."""

    source: Sequence[str]
    target: Sequence[str]
    before_source: int
    before_target: int


@dataclass(frozen=True)
class DividedText:
    """A text in words and sentences. `places`: start and end of each word, in code points."""

    text: str
    language: str
    how: str

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        return tokens(self.text, self.how)

    @cached_property
    def words(self) -> list[str]:
        return [self.text[start:end] for start, end in self.places]

    @cached_property
    def sentences(self) -> list[int]:
        """Where sentences begin, in code points, and the end of the text."""
        return [*(sentence_starts(self.text, self.language) or [0]), len(self.text)]

    def word_at(self, point: int) -> int:
        return bisect_left(self.places, (point, 0))


@dataclass(frozen=True)
class PairLinks:
    """Of one pair of texts: its links, how far anything answers to each word of the source, from 0
    to 1 (NaN beyond what the aligner takes), and how many pieces were cut."""

    links: tuple[Link, ...]
    support: np.ndarray
    n_cut: int


class TextLinker:
    """Pairs of texts of a test set: learns from them, and links them."""

    def __init__(self, test_set: TestSet, how: str) -> None:
        """how: what counts as a word, as in `judgments.protocols.tokens`."""
        self.languages = test_set.source_language, test_set.target_language
        self.how = how

    def train(
        self, aligner: WordAligner, texts: Sequence[tuple[str, str]], model: str
    ) -> TrainedAligner:
        pieces = [piece for pair in texts for piece in self.pieces(*pair)]
        return aligner.train([p.source for p in pieces], [p.target for p in pieces], model)

    def link(
        self, trained: TrainedAligner, texts: Sequence[tuple[str, str]], method: str
    ) -> Iterator[PairLinks]:
        """Yield the links of each pair of texts, in turn."""
        pieces = [list(self.pieces(*pair)) for pair in texts]
        every = [piece for each in pieces for piece in each]
        found = trained.align([p.source for p in every], [p.target for p in every], method=method)
        cut, k = set(found.cut), 0
        for pair, each in zip(texts, pieces, strict=True):
            links: list[Link] = []
            # A sentence without anything opposite has nothing that answers to its words.
            support = np.zeros(len(DividedText(pair[0], "", self.how).places))
            n_cut = 0
            for piece in each:
                shift = piece.before_source, piece.before_target
                links += [(i + shift[0], j + shift[1]) for i, j in found.links[k]]
                support[shift[0] : shift[0] + len(piece.source)] = found.support[k]
                n_cut += k in cut
                k += 1
            yield PairLinks(tuple(sorted(links)), support, n_cut)

    def pieces(self, source: str, target: str) -> Iterator[StretchPair]:
        """Yield the sentences that belong together, where both texts have several; otherwise the
        texts as they are. What has nothing opposite is not among them."""
        one, other = (
            DividedText(text, language, self.how)
            for text, language in zip((source, target), self.languages, strict=True)
        )
        if min(len(one.sentences), len(other.sentences)) < 3:
            if one.words and other.words:
                yield StretchPair(one.words, other.words, 0, 0)
            return
        for a, b, c, d in sentence_pairs(*(np.diff(t.sentences).tolist() for t in (one, other))):
            first, last = (one.word_at(one.sentences[place]) for place in (a, b))
            begin, end = (other.word_at(other.sentences[place]) for place in (c, d))
            if first < last and begin < end:
                yield StretchPair(one.words[first:last], other.words[begin:end], first, begin)
