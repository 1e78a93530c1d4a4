import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from metrics.stats import many_pairs
from metrics.stats.groups import grouped
from metrics.stats.ties import calibrated_accuracy

NAN = math.nan
HUMAN = st.sampled_from([0.0, 1.0, 1.0, 2.0, NAN])
METRIC = st.one_of(
    st.sampled_from([0.0, 0.5, 1.0, NAN]), st.floats(-3, 3).map(lambda v: round(v, 3))
)


@st.composite
def tables(draw):
    shape = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    human = draw(arrays(np.float64, shape, elements=HUMAN))
    return human, draw(arrays(np.float64, shape, elements=METRIC))


def accuracy(human, metric, epsilon):
    """Return the mean over items, pair by pair."""
    each = []
    for x, y in zip(human.T, metric.T, strict=True):
        there = np.flatnonzero(~(np.isnan(x) | np.isnan(y)))
        right = [
            np.sign(x[i] - x[j]) == (0 if abs(y[i] - y[j]) <= epsilon else np.sign(y[i] - y[j]))
            for i in there
            for j in there
            if i < j
        ]
        each += [np.mean(right)] if right else []
    return np.mean(each) if each else NAN


@settings(deadline=None, max_examples=60)
@given(tables())
def test_no_epsilon_is_better(table):
    human, metric = table
    found = calibrated_accuracy(human, metric)
    differences = np.abs(metric[:, None] - metric[None]).ravel()
    candidates = np.unique(np.append(differences[~np.isnan(differences)], 0))
    expected = [accuracy(human, metric, epsilon) for epsilon in candidates]
    if math.isnan(expected[0]):
        assert math.isnan(found.estimate) and found.reason and found.n_pairs == 0
        return
    assert found.estimate == pytest.approx(max(expected))
    # The smallest of the best; means that differ only by rounding are equal.
    best = candidates[np.flatnonzero(np.array(expected) >= max(expected) - 1e-12)[0]]
    assert found.epsilon == best
    assert found.estimate == pytest.approx(accuracy(human, metric, found.epsilon))
    assert found.uncalibrated == pytest.approx(expected[0])


# Tests of mt-metrics-eval 2 (tau_optimization_test.py, stats_test.py).
@pytest.mark.parametrize(
    ("human", "metric", "epsilon", "value"),
    [
        ([1, 2, 3, 4], [0, 2, 6, 8], 0, 1),
        ([1, 1, 1, 4], [0, 2, 6, 8], 4, 2 / 3),
        ([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3], 0.5, 0.7),
    ],
)
def test_published_examples(human, metric, epsilon, value):
    found = calibrated_accuracy([human], [metric], grouping="system")
    assert (found.epsilon, found.estimate) == (epsilon, pytest.approx(value))
    assert (found.n_pairs, found.n_groups) == (math.comb(len(human), 2), 1)


def test_accuracy_with_an_epsilon_of_two():
    # mt-metrics-eval 2 (stats_test.py): .4 for the last example above with epsilon 2.
    human, metric = np.array([[1.0, 2, 2, 3, 4]]).T, np.array([[2, 1, 1.5, 5, 3]]).T
    assert accuracy(human, metric, 2) == 0.4


@pytest.mark.parametrize("seed", range(12))
def test_many_pairs_are_calibrated_in_parts(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 4, (rng.integers(20, 40), 3)).astype(float)
    # Metrics with integer scores are tied often, those with many digits never.
    metric = np.round(human + rng.normal(0, 2, human.shape), seed % 4)
    human[rng.random(human.shape) < 0.1] = NAN
    for grouping in ("none", "item", "system"):
        whole = calibrated_accuracy(human, metric, grouping)
        monkeypatch.setattr(many_pairs, "MOST_PAIRS", 20)
        monkeypatch.setattr(many_pairs, "BINS", 3 + 5 * seed)
        monkeypatch.setattr(many_pairs, "_CELLS", 50)
        parts = calibrated_accuracy(human, metric, grouping)
        monkeypatch.undo()
        assert (parts.epsilon, parts.n_pairs) == (whole.epsilon, whole.n_pairs)
        assert parts.estimate == pytest.approx(whole.estimate)
        assert parts.uncalibrated == pytest.approx(whole.uncalibrated)


def test_all_metrics_at_once():
    rng = np.random.default_rng(0)
    human = rng.integers(0, 3, (5, 8)).astype(float)
    metrics = human + rng.normal(0, 1, (3, 5, 8))
    found = grouped(human, metrics, grouping="item", coefficient="acc_eq*")
    each = [calibrated_accuracy(human, metric) for metric in metrics]
    assert found.estimates.tolist() == [one.estimate for one in each]
    assert found.epsilons.tolist() == [one.epsilon for one in each]


def test_a_perfect_metric_is_exactly_1():
    for shape in ((4, 1), (4, 3), (3, 7)):
        human = np.arange(np.prod(shape), dtype=float).reshape(shape)
        assert calibrated_accuracy(human, human).estimate == 1
