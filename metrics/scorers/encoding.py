"""Texts as arrays of token ids, and a memory for texts that come again."""

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Result = TypeVar("Result")


def distinct(values: Integers) -> Integers:
    """Return the different values in order. (NumPy's ``unique`` begins by importing masked
    arrays.)"""
    ordered = np.sort(values)
    return ordered[np.diff(ordered, prepend=ordered[:1] - 1) != 0]


class Encoded:
    """Token ids of consecutive segments.

    ``ids``: int64, all tokens in a row, ids from 1, a 0 after each segment; ``lengths``: int64,
    tokens per segment.
    """

    def __init__(self, ids: Integers, lengths: Integers) -> None:
        self.ids = ids
        self.lengths = lengths
        self._kept: tuple[Hashable, Any] = (None, None)

    @cached_property
    def edges(self) -> Integers:
        """Where each segment starts in ``ids``, and where the last one ends."""
        return np.concatenate([[0], np.cumsum(self.lengths + 1)])

    @cached_property
    def segments(self) -> Integers:
        """The segment of every token, and of the 0 after it."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths + 1)

    @cached_property
    def highest(self) -> int:
        """The highest id."""
        return int(self.ids.max())

    def part(self, start: int, stop: int) -> "Encoded":
        """Return some of the segments."""
        ids = self.ids[self.edges[start] : self.edges[stop]]
        return Encoded(ids, self.lengths[start:stop])

    def kept(self, compute: Callable[..., Result], *arguments: Hashable) -> Result:
        """``compute(self, *arguments)``, kept until asked for with other arguments."""
        name = (compute, arguments)
        if self._kept[0] != name:
            self._kept = (name, compute(self, *arguments))
        return self._kept[1]


class Kept(Generic[Result]):
    """Keeps what was computed for the lists that were asked for last: references come again with
    every system, and a system's outputs with every choice of references."""

    def __init__(self, compute: Callable[[list[str]], Result], size: int = 8) -> None:
        self._compute = compute
        self._size = size
        self._results: list[tuple[list[str], Result]] = []

    def __call__(self, texts: list[str]) -> Result:
        for known, result in self._results:
            if known == texts:
                # A new list, for another thread may be reading the old one.
                others = [each for each in self._results if each[1] is not result]
                self._results = [*others, (known, result)]
                return result
        result = self._compute(texts)
        self._results = [*self._results, (list(texts), result)][-self._size :]
        return result
