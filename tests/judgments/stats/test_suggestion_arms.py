"""Two arms compared: ratios of sums, bootstrap over clusters, and overlaps."""

import numpy as np
import pytest

from judgments.stats.suggestion_arms import FEW, compare_arms, joined, overlapped


def test_ratios_by_hand():
    found = compare_arms(
        [1, 0, 3, 2, 5],
        [1, 1, 2, 1, 0],
        [1, 1, 0, 0, 0],
        list("abcde"),
        rng=np.random.default_rng(1),
    )
    assert found.aided.value == 0.5 and found.unaided.value == pytest.approx(10 / 3)
    assert found.difference.value == pytest.approx(0.5 - 10 / 3)
    assert (found.aided.n, found.unaided.n, found.difference.n) == (2, 3, 5)
    assert [e.n_clusters for e in (found.aided, found.unaided)] == [2, 2]
    assert np.isnan(found.difference.low) and found.reason == FEW


def test_nothing_and_one_arm():
    nothing = compare_arms([], [], [], [], rng=np.random.default_rng(1))
    assert np.isnan(nothing.aided.value) and nothing.aided.n == 0
    ones = np.ones(20)
    found = compare_arms(ones, ones, ones > 0, np.arange(20), rng=np.random.default_rng(1))
    assert (found.aided.value, found.aided.low, found.aided.high) == (1, 1, 1)
    assert np.isnan(found.unaided.value) and np.isnan(found.difference.high)
    with pytest.raises(ValueError, match="a numerator"):
        compare_arms([1], [1, 2], [True], [0], rng=np.random.default_rng(1))


def test_the_interval_is_that_of_scipy():
    """`scipy.stats.bootstrap` of the same statistic over clusters of equal weight."""
    from scipy.stats import bootstrap

    rng = np.random.default_rng(3)
    aided, unaided = rng.normal(2, 1, 60), rng.normal(1, 1, 60)
    found = compare_arms(
        np.concatenate([aided, unaided]),
        np.ones(120),
        np.repeat([True, False], 60),
        np.tile(np.arange(60), 2),
        rng=np.random.default_rng(1),
        resamples=9999,
    )
    expected = bootstrap(
        (aided, unaided),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        paired=True,
        method="percentile",
        random_state=np.random.default_rng(2),
    ).confidence_interval
    assert [found.difference.low, found.difference.high] == pytest.approx(list(expected), abs=0.02)


def test_pairs_and_overlaps_are_those_of_loops():
    rng = np.random.default_rng(5)
    owner, by_owner = rng.integers(0, 6, 40), rng.integers(0, 6, 25)
    start, by_start = rng.integers(0, 12, 40), rng.integers(0, 12, 25)
    places = np.column_stack([start, start + rng.integers(1, 4, 40)])
    by_places = np.column_stack([by_start, by_start + rng.integers(1, 4, 25)])
    places[:5] = by_places[:3] = 0  # omissions have no position
    left, right = joined(by_owner, owner)
    assert sorted(zip(left.tolist(), right.tolist(), strict=True)) == [
        (i, j) for i in range(40) for j in range(25) if owner[i] == by_owner[j]
    ]
    expected = [
        any(
            owner[i] == by_owner[j]
            and (
                set(range(*places[i])) & set(range(*by_places[j]))
                or not (places[i].any() or by_places[j].any())
            )
            for j in range(25)
        )
        for i in range(40)
    ]
    assert overlapped(owner, places, by_owner, by_places).tolist() == expected
    assert overlapped(owner, places, by_owner[:0], by_places[:0]).sum() == 0


@pytest.mark.proof
@pytest.mark.parametrize("by_document", [False, True])
def test_intervals_cover_the_difference(by_document):
    """40 documents of 12 segments, a tenth of the segments without suggestions, or a quarter of the
    documents; documents differ. The nominal coverage is .95."""
    rng = np.random.default_rng(7)
    hit, n = 0, 400
    for _ in range(n):
        document = np.repeat(np.arange(40), 12)
        if by_document:
            aided = ~np.isin(document, rng.choice(40, 10, replace=False))
        else:
            aided = rng.permutation(480) >= 48
        rate = 0.4 + 0.15 * rng.uniform(-1, 1, 40)[document] + 0.2 * aided
        marked = rng.uniform(size=480) < rate
        found = compare_arms(marked, np.ones(480), aided, document, rng=rng, resamples=500)
        hit += found.difference.low <= 0.2 <= found.difference.high
    assert 0.91 <= hit / n <= 0.98, hit / n
