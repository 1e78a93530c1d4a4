"""Short runs of segments of a document, of which some are drawn with equal probability; no
database here.

Systematic sampling from a shuffled list: Cochran (1977), "Sampling Techniques", chapter 8.
"""

from collections.abc import Sequence
from typing import TypeVar

from judgments.stats.planning.blocks import cut_blocks, equal_steps

T = TypeVar("T")


def block_numbers(n_segments: int, longest: int) -> list[int]:
    """Return the block, from 0, of each segment of a document: ⌊j·b/m⌋ of b = ⌈m/c⌉ blocks.

    longest: c, segments of a block at most; 0 for whole documents.
    """
    numbers: list[int] = cut_blocks([0] * n_segments, longest or n_segments).tolist()
    return numbers


def cut(documents: Sequence[Sequence[T]], longest: int) -> list[list[list[T]]]:
    """Return the blocks of each document, in their order; each is a list of its segments."""
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
    """Return (document, block) of the blocks taken, in the random order in which they are judged.

    sizes: the number of blocks of each document. n: how many are taken, each with the same
    probability; None for all.
    """
    order = rng.permutation(len(sizes))
    listed = [(int(document), block) for document in order for block in range(sizes[document])]
    if n is not None and n < len(listed):
        listed = [listed[i] for i in equal_steps(len(listed), n, float(rng.random())).tolist()]
    return [listed[i] for i in rng.permutation(len(listed))]
