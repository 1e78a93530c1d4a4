"""Numbers for words and for phrases, so that counting phrases is sorting numbers."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


class NumberedWords(NamedTuple):
    """Words in a row as places in ``words``, the distinct ones in order."""

    words: list[str]
    ids: Integers


class Phrases:
    """Distinct phrases: ``self[i]`` is phrase i, ``find`` its number.

    ``words``: the vocabulary; ``ids``: the words of all phrases in a row, those of phrase i from
    ``starts[i]`` to ``starts[i + 1]``."""

    def __init__(self, words: Sequence[str], ids: Integers, starts: Integers) -> None:
        self.words, self.ids, self.starts = words, ids, starts

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, i: int) -> tuple[str, ...]:
        if not 0 <= i < len(self):
            raise IndexError(f"there is no phrase {i}")
        ids = self.ids[self.starts[i] : self.starts[i + 1]].tolist()
        return tuple(self.words[word] for word in ids)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (self[i] for i in range(len(self)))

    def find(self, phrase: Sequence[str]) -> int | None:
        """Return the number of a phrase; None for one that is not here."""
        try:
            ids = np.array([self._word_numbers[word] for word in phrase], dtype=np.int64)
        except KeyError:
            return None
        return self._numbers.get(ids.tobytes())

    @cached_property
    def _word_numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        data, starts = self.ids.astype(np.int64).tobytes(), (8 * self.starts).tolist()
        return {data[a:b]: i for i, (a, b) in enumerate(pairwise(starts))}

    @classmethod
    def of(cls, phrases: Iterable[Sequence[str]]) -> "Phrases":
        """These phrases, in this order."""
        kept = [tuple(phrase) for phrase in phrases]
        numbered = number_words(kept)
        sizes = np.array([len(phrase) for phrase in kept], dtype=np.int64)
        return cls(numbered.words, numbered.ids, np.concatenate([[0], np.cumsum(sizes)]))


def number_words(segments: Sequence[Sequence[str]]) -> NumberedWords:
    """Return all words of all segments in a row."""
    words = sorted(set(chain.from_iterable(segments)))
    number = {word: i for i, word in enumerate(words)}
    ids = (number[word] for word in chain.from_iterable(segments))
    return NumberedWords(words, np.fromiter(ids, dtype=np.int64))


def number_phrases(
    text: NumberedWords, starts: Integers, lengths: Integers
) -> tuple[Integers, Phrases]:
    """Return the number of the phrase in each span of a text, and the phrases, the shorter first
    and those of a length in the order of their words.

    A phrase of n words is known by the rank of its first n - 1 words and its last word, packed
    into one number, and its own rank is that of this number.
    """
    numbers = np.zeros(len(starts), dtype=np.int64)
    ranks = text.ids
    ids, sizes, n_phrases = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)], 0
    for length in range(1, int(lengths.max(initial=0)) + 1):
        if length > 1:
            packed = ranks[:-1] * len(text.words) + text.ids[length - 1 :]
            ranks = np.unique(packed, return_inverse=True)[1]
        rows = np.flatnonzero(lengths == length)
        met, first, number = np.unique(ranks[starts[rows]], return_index=True, return_inverse=True)
        numbers[rows] = n_phrases + number
        places = starts[rows][first][:, None] + np.arange(length)
        ids.append(text.ids[places].reshape(-1))
        sizes.append(np.full(len(met), length))
        n_phrases += len(met)
    edges = np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
    return numbers, Phrases(text.words, np.concatenate(ids), edges)
