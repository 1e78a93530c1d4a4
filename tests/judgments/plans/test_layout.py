"""Screens and batches, checked by counting what every design must keep."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from judgments.plans import layout


def candidates(segment, n_systems, document=0):
    outputs = tuple((1000 * segment + s, s) for s in range(n_systems))
    return layout.Candidates(segment, document, outputs)


def divider(*, fewest=1, most=5, pairs=False, limit=None, seed=0):
    rng = np.random.default_rng(seed)
    return layout.Divider(fewest=fewest, most=most, pairs=pairs, limit=limit, rng=rng)


def systems_on(screens):
    return [tuple(sorted(system for _, system in screen)) for screen in screens]


def test_all_outputs_share_a_screen_where_they_fit():
    assert systems_on(divider(most=5).groups(candidates(1, 5))) == [(0, 1, 2, 3, 4)]


@given(st.integers(1, 14), st.integers(1, 5), st.integers(0, 99))
def test_a_division_shows_every_output_once_on_screens_of_nearly_one_size(n, most, seed):
    groups = divider(most=most, seed=seed).groups(candidates(1, n))
    assert len(groups) == -(-n // most)
    shown = Counter(system for group in systems_on(groups) for system in group)
    assert shown == Counter(range(n))
    sizes = {len(group) for group in groups}
    assert max(sizes) - min(sizes) <= 1


@given(st.integers(2, 9), st.integers(1, 5), st.integers(0, 99))
def test_a_ranking_never_gets_a_screen_with_one_output(n, most, seed):
    groups = divider(fewest=2, most=most, seed=seed).groups(candidates(1, n))
    assert all(len(set(group)) == len(group) >= 2 for group in groups)
    assert {system for group in systems_on(groups) for system in group} == set(range(n))


def test_divided_outputs_meet_about_equally_often():
    """Seven systems, four or three at once, 210 segments: each of the 21 pairs of systems meets in
    (6 + 3) / 21 of them, 90 times, when it is balanced; at random it would scatter by ±7."""
    d = divider(most=4)
    for segment in range(210):
        d.groups(candidates(segment, 7))
    assert sum(d.met.values()) == 210 * 9
    assert min(d.met.values()) >= 87
    assert max(d.met.values()) <= 93


def test_all_pairs_are_compared():
    groups = divider(fewest=2, most=2, pairs=True).groups(candidates(1, 5))
    assert sorted(systems_on(groups)) == list(combinations(range(5), 2))


def test_pairs_that_read_the_same_are_not_asked():
    """Outputs 0 and 2 are equal, so 5 of the 6 pairs are left, and 2 are asked all the same."""
    same = replace(candidates(0, 4), texts={0: "a", 1: "b", 2: "a", 3: "c"})
    d = divider(fewest=2, most=2, pairs=True)
    assert sorted(systems_on(d.groups(same))) == [(0, 1), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert d.n_equal == 1
    d = divider(fewest=2, most=2, pairs=True, limit=2)
    assert len(d.groups(same)) == 2
    assert (0, 2) not in d.met


def test_a_ranking_of_equal_outputs_is_not_asked():
    same = replace(candidates(0, 3), texts=dict.fromkeys(range(3), "a"))
    d = divider(fewest=2)
    assert d.groups(same) == []
    assert (d.n_equal, d.met) == (1, Counter())
    assert len(d.groups(replace(same, texts={0: "a", 1: "a", 2: "b"}))) == 1


def test_a_chosen_number_of_pairs_is_balanced_over_the_segments():
    d = divider(fewest=2, most=2, pairs=True, limit=3)
    seen = Counter()
    for segment in range(20):
        groups = systems_on(d.groups(candidates(segment, 4)))
        assert len(groups) == 3
        seen.update(system for group in groups for system in group)
    assert set(d.met.values()) == {10}
    assert set(seen.values()) == {30}


def test_of_two_outputs_each_is_first_equally_often():
    orderer = layout.Orderer(np.random.default_rng(1))
    first = Counter(orderer.order(((10, 0), (20, 1)))[0] for _ in range(100))
    assert first == {10: 50, 20: 50}


def test_the_order_of_more_outputs_is_random():
    """600 draws of 6 orders: a chi-square of 20.5 is exceeded once in a thousand (df 5)."""
    orderer = layout.Orderer(np.random.default_rng(1))
    drawn = Counter(tuple(orderer.order(((1, 0), (2, 1), (3, 2)))) for _ in range(600))
    assert sum((count - 100) ** 2 / 100 for count in drawn.values()) < 20.5
    assert len(drawn) == 6


@given(st.integers(2, 6), st.integers(1, 60), st.integers(0, 99))
def test_each_system_is_at_each_place_nearly_equally_often(n, screens, seed):
    orderer = layout.Orderer(np.random.default_rng(seed))
    outputs = tuple((10 + system, system) for system in range(n))
    stood = Counter()
    for _ in range(screens):
        order = orderer.order(outputs)
        assert sorted(order) == [output for output, _ in outputs]
        stood.update(zip(order, range(n), strict=True))
    found = [stood[output, place] for output, _ in outputs for place in range(n)]
    # One turn of an order serves all places at once, so that they need not be even at any time;
    # sixty random orders of three would be apart by about twelve.
    assert max(found) - min(found) <= n
