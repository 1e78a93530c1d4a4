import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from metrics.stats.soft_accuracy import count_true, soft_pairwise_accuracy

NAN = math.nan
SCORES = st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0, -2.0, NAN])


def rng(seed=4):
    return np.random.default_rng(seed)


def p_value(first, second, signs):
    """Return p pair by pair as in mt-metrics-eval 2 (pce.py), here with sums that do not round."""
    differences = [a - b for a, b in zip(first, second, strict=True)]
    there = [not math.isnan(d) for d in differences]
    if not any(there):
        return NAN
    observed = math.fsum(d for d, kept in zip(differences, there, strict=True) if kept)
    count = 0
    for row in signs:
        drawn = math.fsum(d * s for d, s, kept in zip(differences, row, there, strict=True) if kept)
        count += drawn >= observed - 1e-9
    return count / len(signs)


def test_two_systems_of_three_segments():
    # .872 with 1,000 permutations and seed 4: mt-metrics-eval 2. All p-values of people are 1; the
    # metric's is 7/8 except for chance.
    human, metric = [[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]]
    found = soft_pairwise_accuracy(human, [metric], rng=rng())
    assert found.estimates == pytest.approx([0.872])
    assert found.human_p[0, 1] == 1
    assert (found.n_pairs[0], found.n_segments, found.permutations) == (1, 3, 1000)


@st.composite
def tables(draw):
    shape = draw(st.integers(2, 4)), draw(st.integers(1, 6))
    human = draw(arrays(np.float64, shape, elements=SCORES))
    return human, draw(arrays(np.float64, (2, *shape), elements=SCORES))


@settings(deadline=None, max_examples=25)
@given(tables())
def test_it_is_the_mean_of_differences_of_p_values(table):
    human, metrics = table
    found = soft_pairwise_accuracy(human, metrics, rng=rng(), permutations=24)
    used = (~np.isnan(human)).sum(axis=0) >= 2
    human, metrics = human[:, used], np.where(np.isnan(human), NAN, metrics)[:, :, used]
    # The draws of mt-metrics-eval.
    signs = np.rint(rng().random(size=(24, used.sum()), dtype=np.float32)) * 2 - 1
    for m, metric in enumerate(metrics):
        apart = []
        for i in range(len(human)):
            for j in range(i + 1, len(human)):
                people = p_value(human[i], human[j], signs)
                apart.append(abs(people - p_value(metric[i], metric[j], signs)))
        apart = [difference for difference in apart if not math.isnan(difference)]
        assert found.n_pairs[m] == len(apart)
        expected = 1 - np.mean(apart) if apart else NAN
        assert found.estimates[m] == pytest.approx(expected, nan_ok=True)
        assert bool(found.reasons[m]) == (not apart)


def test_people_against_themselves_are_perfect():
    human = rng().normal(size=(4, 30))
    human[0, 3] = human[2, 5] = NAN
    found = soft_pairwise_accuracy(human, [human, -human], rng=rng(), permutations=200)
    assert found.estimates[0] == 1 > found.estimates[1]


def test_equal_systems_are_not_told_apart_by_rounding():
    # Sums of .1, .2 and .3 in another order differ in the last digit; p of no difference is 1.
    scores = np.array([[0.1, 0.2, 0.3] * 20, [0.3, 0.1, 0.2] * 20])
    found = soft_pairwise_accuracy([scores[0], scores[0]], [[scores[0]] * 2], rng=rng())
    assert found.human_p[0, 1] == 1
    found = soft_pairwise_accuracy(scores, [scores], rng=rng())
    expected = p_value(
        scores[0], scores[1], np.rint(rng().random((1000, 60), dtype=np.float32)) * 2 - 1
    )
    assert found.human_p[0, 1] == expected


@given(st.integers(1, 2100), st.integers(0, 9))
def test_flags_are_counted(n, seed):
    flags = rng(seed).random((2, n)) < seed / 9
    assert count_true(flags).tolist() == flags.sum(axis=1).tolist()


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="Expected human scores"):
        soft_pairwise_accuracy(np.zeros((2, 3)), np.zeros((2, 3)), rng=rng())
    with pytest.raises(ValueError, match="permutations must be"):
        soft_pairwise_accuracy(np.zeros((2, 3)), np.zeros((1, 2, 3)), rng=rng(), permutations=0)
