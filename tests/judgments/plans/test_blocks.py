"""Blocks of documents and batches of blocks: without a database."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.plans import blocks
from judgments.plans.balance import pack


def test_documents_are_cut_into_nearly_equal_blocks():
    """Documents of 2, 7 and 4 segments, blocks of at most 3: worked out by hand from ⌊j·b/m⌋."""
    cut = blocks.cut([list(range(2)), list(range(7)), list(range(4))], 3)
    sizes = [[len(block) for block in document] for document in cut]
    assert sizes == [[2], [3, 2, 2], [2, 2]]
    assert blocks.block_numbers(7, 3) == [0, 0, 0, 1, 1, 2, 2]
    assert blocks.block_numbers(7, 0) == [0] * 7


@pytest.mark.parametrize(("start", "taken"), [(0.6, [1, 3, 5]), (0.1, [0, 2, 4])])
def test_blocks_are_drawn_at_equal_steps(start, taken):
    assert blocks.equal_steps(6, 3, start).tolist() == taken


def test_every_block_is_drawn_equally_often():
    sizes, n = [1, 3, 2], 2
    counts: dict[tuple[int, int], int] = {}
    for seed in range(3000):
        for block in blocks.draw(sizes, n, np.random.default_rng(seed)):
            counts[block] = counts.get(block, 0) + 1
    assert len(counts) == 6
    # 1000 expected of each; four standard deviations of a binomial are 103
    assert all(abs(count - 1000) < 110 for count in counts.values())


def test_all_blocks_are_taken_where_none_are_drawn():
    taken = blocks.draw([1, 3, 2], None, np.random.default_rng(0))
    assert sorted(taken) == [(0, 0), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]


@given(
    st.lists(st.floats(1, 500), min_size=1, max_size=60),
    st.floats(1, 2000),
)
def test_batches_differ_by_one_block_at_most(sizes, most):
    found = pack(sizes, most)
    assert sorted(i for batch in found for i in batch) == list(range(len(sizes)))
    assert all(batch == sorted(batch) for batch in found)
    loads = [sum(sizes[i] for i in batch) for batch in found]
    assert max(loads) - min(loads) <= max(sizes) * (1 + 1e-9)
    for batch, load in zip(found, loads, strict=True):
        assert load <= max(most, max(sizes)) * (1 + 1e-6) or len(batch) == 1
