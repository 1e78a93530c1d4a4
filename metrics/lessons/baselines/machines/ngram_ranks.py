"""The n-grams of a language model by their ranks, one at a time.

The models of metrics.scorers.language_model answer for whole texts at once. Machines ask for one
word in one context, again and again; for that, searching Python's own arrays is several times
quicker than searching NumPy's.
"""

from array import array
from bisect import bisect_left
from itertools import pairwise
from math import log
from typing import NamedTuple

import numpy as np

from metrics.scorers.encoding import Integers
from metrics.scorers.language_model import START, NgramModel


class Context(NamedTuple):
    """The last words: how many of them the model has seen together, their rank among the n-grams of
    that length, and how many more there were before them that it would have looked at. The last is
    0 in models that take nothing for a context they never saw."""

    length: int
    rank: int
    forgotten: int


class NgramRanks:
    """Weights are negative natural logarithms of scores. ``unseen``: that of the factor for a
    context that was never seen; ``order``: the length of the longest n-grams."""

    def __init__(self, model: NgramModel) -> None:
        self.order = len(model.levels)
        self.n_words = model.n_words
        self.unseen = -log(model.unseen)
        self._keys = [array("q", level.keys.tolist()) for level in model.levels]
        with np.errstate(divide="ignore"):
            self._weights = [array("d", (-np.log(level.scores)).tolist()) for level in model.levels]
            self._backoffs = [
                array("d", (-np.log(level.backoffs)).tolist()) for level in model.levels[:-1]
            ]

        self._shorter = [array("q", ranks.tolist()) for ranks in _suffixes(model)]

    @property
    def start(self) -> Context:
        """The beginning of a sentence."""
        return Context(1, START, 0) if self.order > 1 else Context(0, 0, 0)

    def read(self, context: Context, word: int) -> tuple[Context, float]:
        """Return the context after a word, and what the word weighs."""
        length, rank, forgotten = context
        weight = forgotten * self.unseen
        while length and (found := self.find(length, rank, word)) < 0:
            weight += self.backoff(length, rank)
            length, rank = length - 1, self.shorter(length, rank)
        if not length:
            found = word
        weight += self.weight(length + 1, found)
        return self.after(length + 1, found, context.length + forgotten), weight

    def after(self, length: int, rank: int, whole: int) -> Context:
        """Return the context after an n-gram was read where ``whole`` words were before."""
        longest = self.order - 1
        if length > longest:
            length, rank = longest, self.shorter(length, rank)
        return Context(length, rank, min(whole + 1, longest) - length if self.unseen else 0)

    def find(self, length: int, rank: int, word: int) -> int:
        """Return the rank of a context of ``length`` words with one more after it, -1 if never
        seen."""
        keys = self._keys[length]
        key = rank * self.n_words + word
        place = bisect_left(keys, key)
        return place if place < len(keys) and keys[place] == key else -1

    def following(self, length: int, rank: int) -> list[tuple[int, int]]:
        """Return the words that were seen after a context, each with the rank of the longer
        n-gram."""
        keys, first = self._keys[length], rank * self.n_words
        places = range(bisect_left(keys, first), bisect_left(keys, first + self.n_words))
        return [(keys[place] - first, place) for place in places]

    def weight(self, length: int, rank: int) -> float:
        """Return what the last word of an n-gram weighs after the others."""
        return self._weights[length - 1][rank]

    def backoff(self, length: int, rank: int) -> float:
        """Return what is taken for a word that never followed a context."""
        return self._backoffs[length - 1][rank]

    def words(self, length: int, rank: int) -> tuple[int, ...]:
        """Return the numbers of the words of an n-gram."""
        words: list[int] = []
        for n in range(length - 1, 0, -1):
            rank, word = divmod(self._keys[n][rank], self.n_words)
            words.append(word)
        return (rank, *reversed(words)) if length else ()

    def shorter(self, length: int, rank: int) -> int:
        """Return the rank of an n-gram without its first word; 0 if no word is left."""
        return self._shorter[length - 1][rank]


def _suffixes(model: NgramModel) -> list[Integers]:
    """Return for the n-grams of every length the ranks of their last n - 1 words."""
    found = [np.zeros(len(model.levels[0].keys), dtype=np.int64)]
    for shorter, level in pairwise(model.levels):
        prefixes, words = np.divmod(level.keys, model.n_words)
        if shorter is model.levels[0]:
            found.append(words)
        else:
            found.append(np.searchsorted(shorter.keys, found[-1][prefixes] * model.n_words + words))
    return found
