"""Coefficients from weighted sums equal those of the drawn outputs."""

import math
import warnings

import numpy as np
import pytest

from metrics.stats.groups import grouped
from metrics.stats.ties import calibrated_accuracy
from metrics.stats.weighted_coefficients import (
    weighted_differences,
    weighted_pairs,
    weighted_pearson,
)
from tests.metrics.stats.system_bootstrap import counts_of

NAN = math.nan
N_SYSTEMS, N_SEGMENTS = 6, 9


def rng(seed=3):
    return np.random.default_rng(seed)


def scores():
    draw = rng()
    shape = N_SYSTEMS, N_SEGMENTS
    human = draw.integers(0, 4, shape).astype(float)
    metric = np.round(human + draw.normal(size=shape), 1)
    human[draw.random(shape) < 0.1] = NAN
    metric[draw.random(shape) < 0.1] = NAN
    return human, metric


def enough(there, systems, segments, grouping):
    """Return where a group has three different outputs: fewer have no correlation."""
    of_item = there[np.unique(systems)].sum(axis=0)[segments] >= 3
    of_system = there[:, np.unique(segments)].sum(axis=1)[systems] >= 3
    kept = {"item": of_item, "system": of_system[:, None], "none": np.array(True)}[grouping]
    return np.broadcast_to(kept, (len(systems), len(segments)))


def of_outputs(human, metric, systems, segments, grouping, coefficient):
    """Return the coefficient of the drawn outputs, each as often as drawn."""
    chosen = np.ix_(systems, segments)
    there = ~(np.isnan(human) | np.isnan(metric))
    table = human[chosen]
    if coefficient in ("pearson", "kendall-b"):
        table = np.where(enough(there, systems, segments, grouping), table, NAN)
    found = grouped(table, metric[chosen][None], grouping=grouping, coefficient=coefficient)
    return found.estimates[0]


@pytest.mark.parametrize("grouping", ["none", "item", "system"])
def test_pearson(grouping):
    human, metric = scores()
    systems = rng(1).integers(0, N_SYSTEMS, (30, N_SYSTEMS))
    segments = rng(2).integers(0, N_SEGMENTS, (30, N_SEGMENTS))
    weights = counts_of(systems, N_SYSTEMS), counts_of(segments, N_SEGMENTS)
    found = weighted_pearson(human, metric, *weights, grouping)
    for value, *drawn in zip(found, systems, segments, strict=True):
        expected = of_outputs(human, metric, *drawn, grouping, "pearson")
        assert value == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_pairs():
    human, metric = scores()
    epsilon = calibrated_accuracy(human, metric).epsilon
    systems = rng(1).integers(0, N_SYSTEMS, (30, N_SYSTEMS))
    # Pairs of a system with itself do not count: accuracies are compared where none is repeated.
    systems[10:] = [rng(i).permutation(N_SYSTEMS) for i in range(20)]
    systems[10:, 4:] = systems[10:, :2]
    segments = rng(2).integers(0, N_SEGMENTS, (30, N_SEGMENTS))
    few = systems[10:, :4]
    weights = counts_of(systems, N_SYSTEMS), counts_of(segments, N_SEGMENTS)
    found = weighted_pairs(human, metric, *weights, epsilon)
    for value, *drawn in zip(found["kendall-b"], systems, segments, strict=True):
        expected = of_outputs(human, metric, *drawn, "item", "kendall-b")
        assert value == pytest.approx(expected, abs=1e-6, nan_ok=True)
    weights = counts_of(few, N_SYSTEMS), counts_of(segments[10:], N_SEGMENTS)
    found = weighted_pairs(human, metric, *weights, epsilon)
    for i, drawn in enumerate(zip(few, segments[10:], strict=True)):
        for name, coefficient in (("accuracy", "acc_eq"), ("tau23", "tau23")):
            expected = of_outputs(human, metric, *drawn, "item", coefficient)
            assert found[name][i] == pytest.approx(expected, nan_ok=True)


def test_all_of_the_data_gives_the_estimates():
    human, metric = scores()
    once = np.ones((1, N_SYSTEMS)), np.ones((1, N_SEGMENTS))
    calibrated = calibrated_accuracy(human, metric)
    found = weighted_pairs(human, metric, *once, calibrated.epsilon)
    assert found["acc_eq"] == pytest.approx([calibrated.estimate])
    assert found["accuracy"] == pytest.approx([calibrated.uncalibrated])


def test_undefined_is_nan():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for human in (np.ones((3, 4)), np.full((3, 4), NAN), np.ones((1, 4))):
            once = np.ones((2, len(human))), np.ones((2, 4))
            for grouping in ("none", "item", "system"):
                assert np.isnan(weighted_pearson(human, human, *once, grouping)).all()
            found = weighted_pairs(human, human, *once, 0.0)
            assert np.isnan(found["kendall-b"]).all()
            # All are tied by people and by the metric, if there are any.
            has_pairs = len(human) > 1 and not np.isnan(human).any()
            assert np.isnan(found["accuracy"]).tolist() == [not has_pairs] * 2


def test_without_the_only_system_that_varies_differences_have_no_r():
    draw = rng(7)
    left_out = 1 - np.eye(N_SYSTEMS)
    for _ in range(40):
        human = draw.random((N_SYSTEMS, N_SEGMENTS))
        metric = np.repeat(np.round(draw.random((1, N_SEGMENTS)) * 100, 2), N_SYSTEMS, axis=0)
        metric[0] += draw.random(N_SEGMENTS)
        found = weighted_differences(human, metric, left_out, np.ones((N_SYSTEMS, N_SEGMENTS)))
        assert np.isnan(found).tolist() == [True] + [False] * (N_SYSTEMS - 1)
