"""Sentences by their lengths: against all ways to pair a few of them."""

from itertools import product

import pytest

from judgments.test_sets.word_links.sentence_pairs import (
    KINDS,
    cost,
    likeliest,
    sentence_pairs,
    surprise,
)


def all_pairings(n, m):
    """Every list of steps that leads to n and m sentences."""
    if n == m == 0:
        yield ()
        return
    for a, b, prior in KINDS:
        if a <= n and b <= m:
            for before in all_pairings(n - a, m - b):
                yield (*before, (a, b, prior))


def total(steps, ones, others):
    i = j = 0
    found = 0.0
    for a, b, prior in steps:
        found += cost(sum(ones[i : i + a]), sum(others[j : j + b]), 1, prior)
        i, j = i + a, j + b
    return found


@pytest.mark.parametrize("ones", list(product((10, 40, 90), repeat=3)))
def test_the_likeliest_of_all_pairings(ones):
    others = (12, 85, 41, 30)
    least = min(total(steps, ones, others) for steps in all_pairings(3, 4))
    found, stretches = likeliest(ones, others, 1)
    assert found == pytest.approx(least)
    assert stretches[0][0] == stretches[0][2] == 0
    assert (stretches[-1][1], stretches[-1][3]) == (3, 4)


def test_two_short_sentences_stand_for_a_long_one():
    assert sentence_pairs([50, 40, 60], [90, 60]) == [(0, 2, 0, 1), (2, 3, 1, 2)]


def test_a_text_of_another_density():
    """Chinese is shorter than English; the factor of the texts makes up for it."""
    assert sentence_pairs([100, 200, 50], [30, 60, 15]) == [
        (0, 1, 0, 1),
        (1, 2, 1, 2),
        (2, 3, 2, 3),
    ]


def test_surprise():
    """Of the standard normal distribution: 5 % lie beyond 1.959964, and far out it goes on."""
    assert surprise(1.959964) == pytest.approx(2.995732, abs=1e-5)
    assert surprise(37.0) < surprise(39.0) < surprise(60.0)
