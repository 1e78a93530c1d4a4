"""Short runs of segments of a document, of which some are drawn with equal probability; no
database here.

Systematic sampling from a shuffled list: Cochran (1977), "Sampling Techniques", chapter 8.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def block_numbers(n_segments: int, longest: int) -> list[int]:
    """The block, from 0, of each segment of a document: ⌊j·b/m⌋ of b = ⌈m/c⌉ blocks.

    longest: c, segments of a block at most; 0 for whole documents.
    """
    n_blocks = -(-n_segments // longest) if longest else 1
    return [j * n_blocks // n_segments for j in range(n_segments)]


def equal_steps(total: int, n: int, start: float) -> list[int]:
    """Places ⌊(u + r)·B/k⌋, r = 0 … k - 1, of k = ``n`` among B = ``total``; 0 ≤ u < 1."""
    return [int((start + r) * total / n) for r in range(n)]


def cut(documents: Sequence[Sequence[T]], longest: int) -> list[list[list[T]]]:
    """The blocks of each document, in their order; each is a list of its segments."""
    found = []
    for document in documents:
        blocks: list[list[T]] = []
        for segment, number in zip(document, block_numbers(len(document), longest), strict=True):
            if number == len(blocks):
                blocks.append([])
            blocks[number].append(segment)
        found.append(blocks)
    return found


def draw(sizes: Sequence[int], n: int | None, rng) -> list[tuple[int, int]]:
    """(document, block) of the blocks taken, in the random order in which they are judged.

    sizes: the number of blocks of each document. n: how many are taken, each with the same
    probability; None for all.
    """
    order = rng.permutation(len(sizes))
    listed = [(int(document), block) for document in order for block in range(sizes[document])]
    if n is not None and n < len(listed):
        listed = [listed[i] for i in equal_steps(len(listed), n, float(rng.random()))]
    return [listed[i] for i in rng.permutation(len(listed))]
