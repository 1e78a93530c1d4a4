import itertools
import math
import statistics
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.stats.pairwise_probability import PairwiseProbabilities, pairwise_probabilities

# Input rows: value, annotator, system, screen, item. A screen belongs to one annotator.
row = st.tuples(
    st.sampled_from([0.0, 10.0, 35.5, 70.0, 90.0, 100.0, math.nan]),
    st.integers(0, 2),
    st.sampled_from("abc"),
    st.integers(0, 11),
    st.integers(0, 4),
)
# Few rows, and so many that most systems have more than ten scores.
rows = st.one_of(st.lists(row, max_size=20), st.lists(row, min_size=60, max_size=90))


def read_off(found):
    """Return rows as arguments of the function, with each screen by one annotator, and each system
    once per screen."""
    once = {(who, screen, system): (value, item) for value, who, system, screen, item in found}
    return [
        (value, f"person-{who}", system, who * 100 + screen, item)
        for (who, screen, system), (value, item) in once.items()
    ]


def by_hand(found):
    """Return the definition, pair by pair: annotator → (mean or None, number of pairs, items)."""
    found = [row for row in found if not math.isnan(row[0])]
    scores = defaultdict(list)
    for value, _, system, _, _ in found:
        scores[system].append(value)
    often = {system for system, given in scores.items() if len(given) > 10}
    result = {}
    for person in sorted({row[1] for row in found}):
        own = [row for row in found if row[1] == person]
        terms = []
        for (x, _, a, first, _), (y, _, b, second, _) in itertools.combinations(own, 2):
            if first != second or not {a, b} <= often:
                continue
            usual = statistics.mean(scores[a]) - statistics.mean(scores[b])
            spread = statistics.variance(scores[a]) + statistics.variance(scores[b])
            terms.append(2 ** -((x - y - usual) ** 2 / (2 * spread + 1e-6)))
        mean = statistics.mean(terms) if terms else None
        result[person] = (mean, len(terms), len({row[4] for row in own}))
    return result


def columns(found):
    return zip(*found, strict=True) if found else ([], [], [], [], [])


@given(rows)
@settings(max_examples=150, deadline=None)
def test_as_by_hand(found):
    found = read_off(found)
    expected = by_hand(found)
    result = pairwise_probabilities(*columns(found))
    assert result.annotators.tolist() == list(expected)
    assert result.n_pairs.tolist() == [n for _, n, _ in expected.values()]
    assert result.n_items.tolist() == [n for *_, n in expected.values()]
    means = [math.nan if mean is None else mean for mean, *_ in expected.values()]
    np.testing.assert_allclose(result.mean, means, rtol=1e-9)
    checked = [n > 0 and items >= 3 for _, n, items in expected.values()]
    assert result.is_checked.tolist() == checked
    below = [ok and mean < 0.75 for ok, mean in zip(checked, means, strict=True)]
    if all(abs(mean - 0.75) > 1e-9 for mean in means):
        assert result.is_below.tolist() == below


def two_systems(n, *others):
    """Return n screens of two systems by "usual", 10 points apart and alternately 0 to 10 points up
    and down; then screens of others: (annotator, first, second)."""
    shown = [("usual", 60.0 + 10 * (i % 2), 50.0 + 10 * (i % 2)) for i in range(n)] + list(others)
    found = []
    for screen, (person, first, second) in enumerate(shown):
        found += [(first, person, "a", screen, screen), (second, person, "b", screen, screen)]
    return found


def test_hand_worked_values():
    """Twelve scores of each system, half of them 10 higher: s² = 12 · 25 / 11 = 300/11."""
    result = pairwise_probabilities(*columns(two_systems(12)))
    assert result.mean.tolist() == [1.0]
    assert (result.n_pairs.tolist(), result.n_items.tolist()) == ([12], [12])
    # One screen of "turned" instead of the last: 70 and 60 reversed.
    result = pairwise_probabilities(*columns(two_systems(11, ("turned", 60.0, 70.0))))
    # a: six 60, five 70 and a 60; b: six 50, five 60 and a 70.
    a, b = [60.0] * 7 + [70.0] * 5, [50.0] * 6 + [60.0] * 5 + [70.0]
    assert (sum(a) / 12, sum(b) / 12) == (770 / 12, 670 / 12)
    usual = 100 / 12
    spread = (7 * (770 / 12 - 60) ** 2 + 5 * (70 - 770 / 12) ** 2) / 11
    spread += (6 * (670 / 12 - 50) ** 2 + 5 * (60 - 670 / 12) ** 2 + (70 - 670 / 12) ** 2) / 11
    expected = 2 ** -((-10 - usual) ** 2 / (2 * spread + 1e-6))
    assert result.annotators.tolist() == ["turned", "usual"]
    assert result.mean[0] == pytest.approx(expected, rel=1e-12)
    assert result.mean[0] < 0.75 < result.mean[1]


def test_three_items_and_more_than_ten_scores_are_needed():
    turned = ("turned", 0.0, 100.0)
    for n, is_left_out in ((2, False), (3, True)):
        result = pairwise_probabilities(*columns(two_systems(40, *[turned] * n)))
        assert result.mean[0] < 0.75
        assert result.is_below.tolist() == [is_left_out, False]
    for n, n_pairs in ((7, 0), (8, 3)):
        result = pairwise_probabilities(*columns(two_systems(n, *[turned] * 3)))
        assert result.n_pairs[0] == n_pairs
        assert result.is_checked[0] == (n_pairs > 0)
        assert math.isnan(result.mean[0]) == (n_pairs == 0)


def test_scores_of_the_annotator_are_among_all_scores():
    """As published: an annotator with most of the scores is typical, whatever the others give."""
    many = [("turned", 40.0 + i % 2, 60.0 + i % 2) for i in range(40)]
    result = pairwise_probabilities(*columns(two_systems(4, *many)))
    assert result.mean[0] > 0.9
    assert result.is_below.tolist() == [False, True]


def test_the_same_score_for_everything_is_not_found():
    """The rule detects atypical differences; if systems are close, none is typical."""
    varied = [("usual", 50.0 + 10 * (i % 5), 52.0 + 10 * (i % 7)) for i in range(70)]
    same = [("bored", 100.0, 100.0)] * 20
    result = pairwise_probabilities(*columns(two_systems(0, *varied, *same)))
    assert result.mean[0] > 0.95


def test_scores_at_random_pass():
    """Normal scores unrelated to anything: 1/√(1 + ln 2) = .7685."""
    rng = np.random.default_rng(1)
    n = 40_000
    result = pairwise_probabilities(
        rng.normal(50, 20, 2 * n),
        np.repeat(rng.integers(0, 2, n), 2),
        np.tile([0, 1], n),
        np.repeat(np.arange(n), 2),
        np.repeat(np.arange(n), 2),
    )
    assert result.mean == pytest.approx(1 / math.sqrt(1 + math.log(2)), abs=0.006)
    assert not result.is_below.any()


def test_scores_without_any_variance_can_be_compared():
    found = [(5.0, "x", system, i, i) for i in range(12) for system in "ab"]
    assert pairwise_probabilities(*columns(found)).mean.tolist() == [1.0]


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="equally long"):
        pairwise_probabilities([1.0], ["x"], ["a", "b"], [1], [1])
    with pytest.raises(ValueError, match="one-dimensional"):
        pairwise_probabilities([[1.0]], [["x"]], [["a"]], [[1]], [[1]])


def test_a_mean_of_the_threshold_is_enough():
    means, n_pairs = np.array([0.7499, 0.75, 0.7, math.nan]), np.array([9, 9, 9, 0])
    n_items = np.array([3, 3, 2, 3])
    found = PairwiseProbabilities(np.array(list("wxyz")), means, n_pairs, n_items)
    assert found.is_below.tolist() == [True, False, False, False]


def test_two_scores_of_one_system_are_no_pair():
    found = two_systems(12)
    once = pairwise_probabilities(*columns(found))
    twice = pairwise_probabilities(*columns(found + [(60.0, "usual", "a", i, i) for i in range(3)]))
    assert (once.n_pairs.tolist(), twice.n_pairs.tolist()) == ([12], [15])
