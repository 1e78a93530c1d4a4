"""IBM models 1 and 2, the latter with the diagonal prior, in one direction.

Every word of the target is made by one word of the source, or by none (NULL). Brown et al. (1993),
"The mathematics of statistical machine translation", choose that word alike (model 1) or by the
places of both (model 2); Dyer, Chahuneau and Smith (2013), "A simple, fast, and effective
reparameterization of IBM Model 2", give the places one parameter, the tension λ: with the target's
word j of m and the source's word i of n, counted from 1,

    p(NULL) = p0,   p(i | j, m, n) = (1 - p0) exp(-λ |i/n - j/m|) / Z(j, m, n)

Cells (target word, source word) of all pairs of sentences lie after each other in arrays, so that
a step of expectation maximization is a handful of NumPy calls for each block of cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NULL = 0  # the number of the source's word that is none
FIRST = 1
# What a pair of words has that was never seen together, so that places alone decide for new words.
FLOOR = 1e-12
# Cells that are worked on at once.
_BLOCK = 1_000_000


@dataclass(frozen=True)
class Cells:
    """Cells of some pairs of sentences, target word after target word, NULL last for each.

    ``keys``: source word · number of target words + target word, (n,), -1 for a word that is not
    known; ``nearness``: -|i/n - j/m|, NaN for NULL; ``starts``: where each target word's cells
    begin; ``shapes``: target words and source words + 1 of each pair.
    """

    keys: Integers
    nearness: Floats
    starts: Integers
    shapes: Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Lexicon:
    """p(target word | source word) of the pairs that were seen; ``keys`` as in Cells, sorted."""

    source_words: dict[str, int]
    target_words: dict[str, int]
    keys: Integers
    probabilities: Floats

    def of(self, keys: Integers) -> Floats:
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, self.probabilities[places], FLOOR)


def train_lexicon(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    *,
    iterations: int,
    tension: float | None,
    null: float,
) -> Lexicon:
    """Return estimate p(target word | source word) by expectation maximization from equal
    beginnings.

    ``tension``: λ; None is model 1, in which NULL is a word like the others and ``null`` unused.
    """
    source_words = number_words(sources, FIRST)
    target_words = number_words(targets, 0)
    n_targets = len(target_words)
    blocks = list(cells_of(sources, targets, source_words, target_words))
    if not sum(len(block.keys) for block in blocks):
        return Lexicon(source_words, target_words, np.array([-1]), np.array([FLOOR]))
    every = np.concatenate([block.keys for block in blocks])
    keys, pairs = np.unique(every, return_inverse=True)
    del every
    ends = np.cumsum([len(block.keys) for block in blocks])
    parts = np.split(pairs.astype(np.int32), ends[:-1])
    givers = keys // n_targets
    probabilities = np.full(len(keys), 1 / n_targets)
    for _ in range(iterations):
        counts = np.zeros(len(keys))
        for block, pair in zip(blocks, parts, strict=True):
            found = posteriors(block, probabilities[pair], tension=tension, null=null)
            counts += np.bincount(pair, weights=found, minlength=len(keys))
        totals = np.bincount(givers, weights=counts, minlength=len(source_words) + FIRST)
        probabilities = np.maximum(counts / totals[givers], FLOOR)
    return Lexicon(source_words, target_words, keys, probabilities)


def posteriors(cells: Cells, lexical: Floats, *, tension: float | None, null: float) -> Floats:
    """Return how probable it is that the target word of each cell comes from its source word,
    (n,)."""
    if not len(lexical):
        return np.empty(0)
    sizes = np.diff(cells.starts, append=len(cells.keys))
    joint = lexical if tension is None else lexical * _prior(cells, sizes, tension, null)
    return joint / np.repeat(np.add.reduceat(joint, cells.starts), sizes)


def _prior(cells: Cells, sizes: Integers, tension: float, null: float) -> Floats:
    is_null = np.isnan(cells.nearness)
    near = np.where(is_null, 0.0, np.exp(tension * cells.nearness))
    total = np.add.reduceat(near, cells.starts)
    # A source without words gives everything to NULL.
    share = np.divide(1 - null, total, out=np.zeros(len(total)), where=total > 0)
    return np.where(is_null, null, near * np.repeat(share, sizes))


def matrices(
    lexicon: Lexicon,
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    *,
    tension: float | None,
    null: float,
) -> Iterator[Floats]:
    """Yield for each pair the posteriors, (target words, source words + 1), NULL in the last
    column."""
    for cells in cells_of(sources, targets, lexicon.source_words, lexicon.target_words):
        found = posteriors(cells, lexicon.of(cells.keys), tension=tension, null=null)
        begin = 0
        for shape in cells.shapes:
            size = shape[0] * shape[1]
            yield found[begin : begin + size].reshape(shape)
            begin += size


def number_words(texts: Sequence[Sequence[str]], first: int) -> dict[str, int]:
    """Return every different word with a number, in the order in which they come."""
    numbers: dict[str, int] = {}
    for text in texts:
        for word in text:
            numbers.setdefault(word, first + len(numbers))
    return numbers


def cells_of(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    source_words: dict[str, int],
    target_words: dict[str, int],
) -> Iterator[Cells]:
    """Yield the cells of all pairs in blocks of bounded size; a pair without target words has none
    but a shape, which stays with its block."""
    gathered: list[tuple[Integers, Floats]] = []
    shapes: list[tuple[int, int]] = []
    size = 0
    for source, target in zip(sources, targets, strict=True):
        n, m = len(source), len(target)
        shapes.append((m, n + 1))
        if m:
            gathered.append(_pair(source, target, source_words, target_words))
            size += m * (n + 1)
        if size >= _BLOCK:
            yield _block(gathered, shapes)
            gathered, shapes, size = [], [], 0
    if shapes:
        yield _block(gathered, shapes)


def _pair(source, target, source_words, target_words) -> tuple[Integers, Floats]:
    n, m = len(source), len(target)
    givers = np.array([*(source_words.get(word, -1) for word in source), NULL])
    made = np.array([target_words.get(word, -1) for word in target])[:, None]
    keys = np.where((givers < 0) | (made < 0), -1, givers * len(target_words) + made)
    nearness = np.full((m, n + 1), np.nan)
    if n:
        of_source = np.arange(1, n + 1) / n
        nearness[:, :n] = -np.abs(of_source - np.arange(1, m + 1)[:, None] / m)
    return keys.ravel(), nearness.ravel()


def _block(gathered, shapes) -> Cells:
    targets, widths = np.array(shapes, dtype=np.int64).T
    sizes = np.repeat(widths, targets)
    return Cells(
        np.concatenate([np.empty(0, np.int64), *(keys for keys, _ in gathered)]),
        np.concatenate([np.empty(0), *(nearness for _, nearness in gathered)]),
        np.cumsum(sizes) - sizes,
        tuple(shapes),
    )
