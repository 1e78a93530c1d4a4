import math
import warnings

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from judgments.stats.ranking import (
    bradley_terry,
    count_wins,
    expected_wins,
    expected_wins_of_pairs,
)

WINS = np.array([[0, 7, 8], [3, 0, 6], [2, 4, 0]])


def _rng(seed=5):
    return np.random.default_rng(seed)


def test_three_systems():
    """Expected wins by hand: (.7 + .8)/2, (.3 + .6)/2, (.2 + .4)/2. Bradley-Terry: choix."""
    wins = expected_wins(WINS)
    assert wins.estimate == pytest.approx([0.75, 0.45, 0.30])
    assert (wins.n_pairs, wins.n_opponents.tolist(), wins.unmet) == (30, [2, 2, 2], ())
    strength = bradley_terry(WINS).log_strength
    assert strength == pytest.approx([0.74057, -0.1491, -0.59147], abs=1e-5)


def test_count_wins():
    counted = count_wins(["A", "B", "A", "C"], ["B", "A", "C", "A"], [1, 1, 0, -1])
    assert counted.systems.tolist() == ["A", "B", "C"]
    assert counted.wins.tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    assert counted.ties.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    ordered = count_wins(["A"], ["B"], [1], systems=np.array(["B", "A", "D"]))
    assert ordered.wins.tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    with pytest.raises(ValueError, match="not listed"):
        count_wins(["A"], ["B"], [1], systems=np.array(["A"]))
    with pytest.raises(ValueError, match="labels"):
        count_wins(["A"], ["B"], [3])


def test_ties_are_dropped_and_opponents_never_met_are_skipped():
    wins = np.array([[0, 3, 0], [1, 0, 2], [0, 2, 0]])
    ties = np.array([[0, 0, 5], [0, 0, 0], [5, 0, 0]])
    result = expected_wins(wins, ties=ties, systems=["A", "B", "C"])
    assert result.estimate == pytest.approx([0.75, (0.25 + 0.5) / 2, 0.5])
    assert result.unmet == ((0, 2),)
    assert (result.n_ties, result.n_pairs) == (5, 13)


@pytest.mark.parametrize(
    ("wins", "reason"),
    [
        ([[0, 3, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], "2 groups that were never"),
        ([[0, 1, 0], [1, 0, 0], [0, 0, 0]], "never compared (C)"),
        (np.zeros((2, 2)), "never compared"),
        (np.zeros((1, 1)), "at least two systems"),
        (np.zeros((0, 0)), "at least two systems"),
    ],
)
def test_disconnected_comparisons_are_an_error(wins, reason):
    names = np.array(["A", "B", "C", "D"])[: len(wins)]
    result = expected_wins(wins, systems=names)
    assert np.isnan(result.estimate).all()
    assert reason in result.reason
    strengths = bradley_terry(wins)
    assert np.isnan(strengths.log_strength).all()
    assert strengths.reason


def test_bradley_terry_without_a_finite_solution():
    result = bradley_terry([[0, 3, 4], [0, 0, 2], [0, 1, 0]])
    assert np.isnan(result.log_strength).all()
    assert "no finite strengths" in result.reason
    # A tie links the two in both directions.
    tied = bradley_terry([[0, 3, 4], [0, 0, 2], [0, 1, 0]], ties=[[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    assert np.isfinite(tied.log_strength).all()


@given(hnp.arrays(np.int64, (4, 4), elements=st.integers(1, 9)))
@settings(max_examples=40, deadline=None)
def test_bradley_terry_against_logistic_regression(wins):
    np.fill_diagonal(wins, 0)
    rows, columns = np.triu_indices(4, k=1)
    design = np.zeros((6, 4))
    design[np.arange(6), rows], design[np.arange(6), columns] = 1, -1
    outcome = np.column_stack([wins[rows, columns], wins[columns, rows]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # for a perfect fit, such as equal numbers of wins
        fit = sm.GLM(outcome, design[:, 1:], family=sm.families.Binomial()).fit(tol=1e-12)
    expected = np.concatenate([[0], fit.params])
    strength = bradley_terry(wins).log_strength
    np.testing.assert_allclose(strength, expected - expected.mean(), atol=1e-6)


def test_bradley_terry_counts_ties_half():
    ties = np.array([[0, 2, 0], [2, 0, 4], [0, 4, 0]])
    halves = bradley_terry(WINS + ties / 2)
    assert bradley_terry(WINS, ties=ties).log_strength == pytest.approx(halves.log_strength)


def _judgments(n=600):
    rng = _rng(1)
    first, second = rng.integers(0, 4, n), rng.integers(1, 4, n)
    second = (first + second) % 4
    label = np.sign(first - second) * np.where(rng.random(n) < 0.7, 1, -1)
    label[rng.random(n) < 0.1] = 0
    return first, second, label, rng.integers(0, 60, n), rng.integers(0, 8, n)


def test_interval_against_a_plain_bootstrap():
    first, second, label, segment, _ = _judgments()
    ours = expected_wins_of_pairs(first, second, label, units=segment, rng=_rng(), resamples=2000)
    assert ours.resampled.shape == (2000, 4)
    assert ours.n_units == 60
    rng, plain = _rng(9), []
    rows = [np.flatnonzero(segment == s) for s in range(60)]
    for _ in range(2000):
        drawn = np.concatenate([rows[s] for s in rng.integers(0, 60, 60)])
        counted = count_wins(first[drawn], second[drawn], label[drawn], systems=np.arange(4))
        plain.append(expected_wins(counted.wins).estimate)
    np.testing.assert_allclose(ours.low, np.quantile(plain, 0.025, axis=0), atol=0.008)
    np.testing.assert_allclose(ours.high, np.quantile(plain, 0.975, axis=0), atol=0.008)


def test_segments_and_annotators_together_are_wider():
    first, second, label, segment, annotator = _judgments()
    # Half of the annotators judge the opposite: annotators matter.
    label = np.where(annotator < 2, -label, label)
    alone, crossed = (
        expected_wins_of_pairs(
            first, second, label, units=segment, crossed=others, rng=_rng(), resamples=500
        )
        for others in (None, annotator)
    )
    np.testing.assert_array_equal(alone.estimate, crossed.estimate)
    assert ((crossed.high - crossed.low) > 1.2 * (alone.high - alone.low)).all()


def test_no_interval():
    first, second, label, segment, _ = _judgments()
    for units, rng in ((segment, None), (None, _rng()), (segment * 0, _rng())):
        result = expected_wins_of_pairs(first, second, label, units=units, rng=rng)
        assert np.isfinite(result.estimate).all()
        assert np.isnan(result.low).all()
        assert np.isnan(result.high).all()
        assert result.resampled.shape == (0, 4)
    nothing = expected_wins_of_pairs([], [], [], units=[], rng=_rng())
    assert nothing.low.shape == (0,)
    assert nothing.reason
    with pytest.raises(ValueError, match="one per judgment"):
        expected_wins_of_pairs(first, second, label, units=segment[:5], rng=_rng())
    assert math.isnan(nothing.level)
