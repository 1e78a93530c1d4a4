"""Blocks and their draw. Expected values of small examples were computed from the definition."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.stats.planning.blocks import (
    SHORT,
    best_block_length,
    cut_blocks,
    draw_blocks,
    equal_steps,
)

sizes_of_documents = st.lists(st.integers(1, 12), min_size=1, max_size=8)


def test_the_small_example_of_blocks():
    documents = np.repeat(["x", "c", "b"], [2, 7, 4])
    found = cut_blocks(documents, 3)
    assert found.tolist() == [0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert equal_steps(6, 3, 0.6).tolist() == [1, 3, 5]
    assert equal_steps(6, 3, 0.1).tolist() == [0, 2, 4]


@given(sizes_of_documents, st.integers(1, 5))
def test_blocks_are_runs_of_about_the_same_length(sizes, longest):
    documents = np.repeat(np.arange(len(sizes)), sizes)
    block = cut_blocks(documents, longest)
    assert np.array_equal(np.unique(block), np.arange(sum(-(-m // longest) for m in sizes)))
    assert (np.diff(block) >= 0).all() and (np.diff(block)[np.diff(documents) > 0] == 1).all()
    lengths = np.bincount(block)
    assert lengths.max() <= longest
    for g in range(len(sizes)):
        own = lengths[np.unique(block[documents == g])]
        assert own.max() - own.min() <= 1


def test_segments_of_a_document_need_not_stand_together():
    mixed = cut_blocks([5, 3, 5, 3, 5, 3], 2)
    assert mixed.tolist() == [0, 2, 0, 2, 1, 3]


@given(sizes_of_documents, st.integers(1, 4), st.data())
@settings(max_examples=40)
def test_every_block_is_drawn_with_equal_probability(sizes, longest, data):
    """Over all starts u, at which the draw of a given order of blocks changes."""
    total = sum(-(-m // longest) for m in sizes)
    n = data.draw(st.integers(1, total))
    # Step r takes another block where (u + r)·B/k passes an integer, at multiples of 1/B.
    starts = (np.arange(total) + 0.5) / total
    drawn = Counter(block for u in starts for block in set(equal_steps(total, n, u).tolist()))
    assert {drawn[block] / total for block in range(total)} == {n / total}


@given(sizes_of_documents, st.integers(1, 4), st.data())
@settings(max_examples=40)
def test_a_draw_takes_so_many_blocks(sizes, longest, data):
    documents = np.repeat(np.arange(len(sizes)), sizes)
    total = int(cut_blocks(documents, longest).max()) + 1
    n = data.draw(st.integers(1, total))
    found = draw_blocks(documents, n, np.random.default_rng(n), longest=longest)
    assert len(set(found.order.tolist())) == n and found.probability == n / total
    assert found.taken.sum() == np.bincount(found.block)[found.order].sum()
    assert np.array_equal(found.place >= 0, found.taken)
    assert np.array_equal(found.order[found.place[found.taken]], found.block[found.taken])


def test_segments_of_a_draw_come_equally_often():
    """Documents of 1 to 9 segments: each segment in a quarter of 4,000 draws, ± 4 errors."""
    documents = np.repeat(np.arange(9), np.arange(1, 10))
    rng = np.random.default_rng(11)
    total = int(cut_blocks(documents, 3).max()) + 1
    taken = np.mean([draw_blocks(documents, 5, rng).taken for _ in range(4000)], axis=0)
    assert taken == pytest.approx(5 / total, abs=4 * (0.2 / 4000) ** 0.5)


@pytest.mark.parametrize(
    ("kappa", "rho", "length"), [(1, 0.13, 3), (4, 0.13, 5), (0, 0.13, 1), (0.5, 0.24, 1)]
)
def test_best_length(kappa, rho, length):
    assert best_block_length(kappa, rho=rho).length == length


def test_short_documents_are_not_cut():
    assert best_block_length().length == 3 and best_block_length().cut
    short = best_block_length(mean_length=2.4)
    assert short.reason == SHORT and not short.cut
    assert best_block_length(mean_length=8.9).cut


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: cut_blocks([0, 0], 0),
        lambda: draw_blocks([0, 0], 2, np.random.default_rng(1)),
        lambda: draw_blocks([], 1, np.random.default_rng(1)),
        lambda: best_block_length(-1),
        lambda: best_block_length(1, rho=0),
        lambda: best_block_length(1, mean_length=0),
    ],
)
def test_senseless_arguments(wrong):
    with pytest.raises(ValueError):
        wrong()
