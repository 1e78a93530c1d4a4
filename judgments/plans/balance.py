"""Equal work: blocks of different length in batches that are as long as each other; no database.

Longest processing time first, each block to the batch that has least: Graham (1969), "Bounds on
multiprocessing timing anomalies". The longest batch is longer than the shortest by one block at
most.
"""

import heapq
from collections.abc import Sequence


def pack(sizes: Sequence[float], most: float) -> list[list[int]]:
    """Return places of blocks, batch by batch, each batch of `most` at most; a block longer than
    that is a batch of its own.

    sizes: words, or items, of each block, in the order of judging. Within a batch, and from batch
    to batch by their first blocks, that order stays.
    """
    if not sizes:
        return []
    limit = max(most, max(sizes))
    order = sorted(range(len(sizes)), key=lambda i: -sizes[i])  # stable: equal ones in their order
    n = max(1, min(len(sizes), int(-(-sum(sizes) // max(most, 1e-9)))))
    while True:
        found, largest = spread([sizes[i] for i in order], n)
        if largest <= limit * (1 + 1e-9) or n >= len(sizes):
            batches = [sorted(order[i] for i in batch) for batch in found if batch]
            return sorted(batches)
        n += max(1, n // 200)


def spread(sizes: Sequence[float], n: int) -> tuple[list[list[int]], float]:
    """Return each of the sizes, in turn, to the batch of `n` that has least; and the largest
    batch."""
    heap = [(0.0, batch) for batch in range(n)]
    found: list[list[int]] = [[] for _ in range(n)]
    for i, size in enumerate(sizes):
        held, batch = heap[0]
        heapq.heapreplace(heap, (held + size, batch))
        found[batch].append(i)
    return found, max(held for held, _ in heap)
