import itertools
import math
import warnings

import numpy as np
import pytest

from metrics.stats import permutation
from metrics.stats.columns import FEWEST
from metrics.stats.draws import swap_masks
from metrics.stats.groups import VALUES, grouped, regroup
from metrics.stats.meta_evaluation import (
    SEGMENT_STATISTICS,
    SYSTEM_STATISTICS,
    compare_metrics,
    rank_metrics,
)
from metrics.stats.soft_accuracy import soft_pairwise_accuracy
from metrics.stats.ties import calibrated_accuracy
from tests.shared import read_tsv, shared_data

NAN = math.nan


def rng(seed=1):
    return np.random.default_rng(seed)


def scores(n_systems=6, n_segments=12, n_metrics=3, missing=0.0):
    """Return metrics that agree with people less and less."""
    draw = rng(7)
    human = draw.integers(0, 6, (n_systems, n_segments)).astype(float)
    noise = draw.normal(size=(n_metrics, n_systems, n_segments))
    metrics = human + noise * (1 + np.arange(n_metrics))[:, None, None]
    if missing:
        human[draw.random(human.shape) < missing] = NAN
        metrics[draw.random(metrics.shape) < missing] = NAN
    return human, metrics


def z(values):
    return (values - np.nanmean(values)) / np.nanstd(values)


def plain_p_values(human, metrics, grouping, coefficient, draws):
    """Return PERM-BOTH pair by pair and swap by swap, each with its opposite."""

    def statistic(x):
        values = VALUES[coefficient](*regroup(human, x[None], grouping))
        return np.nanmean(values) if np.isfinite(values).any() else NAN

    found = np.full((len(metrics), len(metrics)), NAN)
    for a, b in itertools.permutations(range(len(metrics)), 2):
        there = ~(np.isnan(human) | np.isnan(metrics[a]) | np.isnan(metrics[b]))
        x, y = (z(np.where(there, metrics[m], NAN)) for m in (a, b))
        observed = statistic(x) - statistic(y)
        order = (human.shape[1], human.shape[0]) if grouping == "system" else human.shape
        shape = {"none": human.shape}.get(grouping, order)
        count = 0
        for mask in np.concatenate(list(swap_masks(rng(), human.size, draws))).astype(bool):
            mask = mask.reshape(shape)
            mask = mask.T if grouping == "system" else mask
            drawn = statistic(np.where(mask, x, y)) - statistic(np.where(mask, y, x))
            count += int(drawn >= observed - 1e-10) + int(-drawn >= observed - 1e-10)
        found[a, b] = count / (2 * draws)
    return found


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("grouping", ["none", "item", "system"])
@pytest.mark.parametrize("coefficient", ["pearson", "kendall-b"])
def test_perm_both_is_that_of_single_swaps(coefficient, grouping, missing):
    human, metrics = scores(missing=missing, n_metrics=2 if missing else 3)
    found = compare_metrics(
        human, metrics, statistic=coefficient, grouping=grouping, rng=rng(), resamples=40
    )
    expected = plain_p_values(human, metrics, grouping, coefficient, 20)
    np.testing.assert_allclose(found.p_values, expected)
    assert (found.test, found.resamples) == ("PERM-BOTH", 40)
    own = grouped(human, metrics, grouping=grouping, coefficient=coefficient).estimates
    np.testing.assert_allclose(found.estimates, own)


def test_sums_in_blocks_are_the_same(monkeypatch):
    human, metrics = scores(n_segments=40)
    whole = compare_metrics(human, metrics, statistic="pearson", rng=rng(), resamples=60)
    monkeypatch.setattr(permutation, "_CELLS", 200)
    parts = compare_metrics(human, metrics, statistic="pearson", rng=rng(), resamples=60)
    np.testing.assert_array_equal(whole.p_values, parts.p_values)


def exact_p_value(human, first, second, statistic):
    """Return p over all swaps of scores."""
    first, second = z(first), z(second)
    masks = np.array(list(itertools.product([False, True], repeat=len(human))))
    observed = statistic(human, first) - statistic(human, second)
    drawn = [
        statistic(human, np.where(mask, first, second))
        - statistic(human, np.where(mask, second, first))
        for mask in masks
    ]
    return np.mean(np.array(drawn) >= observed - 1e-10)


@pytest.mark.parametrize("statistic", SYSTEM_STATISTICS)
def test_systems_against_all_swaps(statistic):
    human, metrics = scores(7, 30, 2)
    human, metrics = human.mean(axis=1), metrics.mean(axis=2)
    name = "acc_eq" if statistic == "pairwise-accuracy" else statistic

    def value(x, y):
        return VALUES[name](x[:, None], y[None, :, None])[0, 0]

    found = compare_metrics(human, metrics, statistic=statistic, rng=rng(), resamples=4000)
    expected = exact_p_value(human, metrics[0], metrics[1], value)
    # Four standard errors of a share of 4,000.
    assert found.p_values[0, 1] == pytest.approx(expected, abs=0.032)
    assert (found.grouping, found.epsilons.size) == ("none", 2)


def test_outcomes_of_pairs_are_swapped():
    human, metrics = scores(4, 3, 2)
    found = compare_metrics(human, metrics, statistic="acc_eq*", rng=rng(), resamples=4000)
    calibrated = [calibrated_accuracy(human, metric) for metric in metrics]
    assert found.estimates.tolist() == [one.estimate for one in calibrated]
    assert found.epsilons.tolist() == [one.epsilon for one in calibrated]
    right = np.array(
        [outcomes(human, m, c.epsilon) for m, c in zip(metrics, calibrated, strict=True)]
    )
    difference = right[0].astype(int) - right[1]
    differing = difference[difference != 0]
    signs = np.array(list(itertools.product([1, -1], repeat=len(differing))))
    expected = np.mean(signs @ differing >= differing.sum())
    assert found.p_values[0, 1] == pytest.approx(expected, abs=0.032)
    assert found.test == "permutation of pair outcomes"


def outcomes(human, metric, epsilon):
    """Return whether the metric gets each pair of a segment right."""
    found = []
    for x, y in zip(human.T, metric.T, strict=True):
        for i, j in itertools.combinations(range(len(x)), 2):
            theirs = 0 if abs(y[i] - y[j]) <= epsilon else np.sign(y[i] - y[j])
            found.append(np.sign(x[i] - x[j]) == theirs)
    return found


@pytest.mark.parametrize(("n_segments", "missing"), [(5, 0.0), (5, 0.2), (80, 0.0), (80, 0.05)])
def test_soft_accuracy_is_taken_anew_after_each_swap(n_segments, missing):
    human, metrics = scores(4, n_segments, 3, missing=missing)
    there = ~(np.isnan(human) | np.isnan(metrics).any(axis=0))
    human = np.where(there, human, NAN)
    found = compare_metrics(
        human, metrics, statistic="soft-accuracy", rng=rng(), resamples=30, permutations=64
    )
    draw = rng()
    soft_pairwise_accuracy(human, metrics, rng=draw, permutations=64)  # the estimates come first
    signs = np.rint(draw.random((64, n_segments), dtype=np.float32)) * 2 - 1

    def p_values(table):
        each = []
        for first, second in itertools.combinations(table, 2):
            difference = np.where(np.isnan(first - second), 0, first - second)
            kept = ~np.isnan(first - second)
            if kept.any():
                each.append(np.mean(signs @ difference >= difference.sum() - 1e-9))
        return np.array(each)

    people = p_values(human)

    def statistic(x):
        return 1 - np.mean(np.abs(p_values(x) - people))

    standard = [z(np.where(there, metric, NAN)) for metric in metrics]
    masks = np.concatenate(list(swap_masks(draw, human.size, 15))).reshape(-1, *human.shape)
    for a, b in itertools.permutations(range(3), 2):
        x, y = standard[a], standard[b]
        observed, count = statistic(x) - statistic(y), 0
        for mask in masks:
            drawn = statistic(np.where(mask, x, y)) - statistic(np.where(mask, y, x))
            count += int(drawn >= observed - 1e-10) + int(-drawn >= observed - 1e-10)
        assert found.p_values[a, b] == pytest.approx(count / 30)


def test_equal_metrics_do_not_differ():
    human, metrics = scores(n_metrics=1)
    twice = np.repeat(metrics, 2, axis=0)
    for statistic in SEGMENT_STATISTICS:
        found = compare_metrics(human, twice, statistic=statistic, rng=rng(), resamples=20)
        assert found.p_values[0, 1] == found.p_values[1, 0] == 1
        assert rank_metrics(found.estimates, found.p_values).tolist() == [1, 1]


def test_false_positives():
    """Two metrics that agree equally with people differ in 5 % of 300 tests, within 3
    deviations."""
    draw = rng(11)
    found = []
    for _ in range(300):
        human = draw.normal(size=12)
        metrics = human + draw.normal(size=(2, 12))
        one = compare_metrics(human, metrics, statistic="pearson", rng=draw, resamples=200)
        found.append(one.p_values[0, 1])
    assert np.mean(np.array(found) <= 0.05) == pytest.approx(0.05, abs=0.038)


def test_a_metric_that_does_not_vary_has_no_test_and_a_reason():
    human, metrics = scores(n_metrics=3)
    metrics[1] = 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare_metrics(human, metrics, statistic="pearson", rng=rng(), resamples=20)
    assert np.isnan(found.estimates).tolist() == [False, True, False]
    assert found.reasons[1] and not found.reasons[0]
    assert np.isnan(found.p_values[1]).all() and np.isnan(found.p_values[:, 1]).all()
    assert found.p_values[0, 2] <= 1


@pytest.mark.parametrize("statistic", SEGMENT_STATISTICS)
def test_no_data(statistic):
    for shape in ((0, 0), (1, 4), (3, 0)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = compare_metrics(
                np.ones(shape), np.ones((2, *shape)), statistic=statistic, rng=rng(), resamples=4
            )
        assert np.isnan(found.estimates).all() and all(found.reasons)


def test_too_few_outputs_for_a_correlation():
    assert FEWEST == 3
    found = compare_metrics([1, 2], [[1, 2], [2, 1]], statistic="pearson", rng=rng(), resamples=4)
    assert np.isnan(found.estimates).all() and np.isnan(found.p_values).all()


def test_bad_arguments_are_refused():
    human, metrics = scores()
    with pytest.raises(ValueError, match="statistic must be one of"):
        compare_metrics(human, metrics, statistic="daRR", rng=rng())
    with pytest.raises(ValueError, match="statistic must be one of"):
        compare_metrics(human[:, 0], metrics[..., 0], statistic="acc_eq", rng=rng())
    with pytest.raises(ValueError, match="grouping must be"):
        compare_metrics(human, metrics, statistic="pearson", grouping="all", rng=rng())
    with pytest.raises(ValueError, match="resamples must be"):
        compare_metrics(human, metrics, statistic="pearson", rng=rng(), resamples=0)
    with pytest.raises(ValueError, match="Expected human scores"):
        compare_metrics(human, metrics[0], statistic="pearson", rng=rng())


def test_ranks_walk_down():
    # By hand, from the rule: B is not beaten by A; C is beaten by A, a member of its cluster, and
    # begins a new one; D is beaten by A and B but not by C, so that it stays with C; E has none.
    estimates = [0.9, 0.8, 0.7, 0.6, NAN]
    p = np.full((5, 5), 1.0)
    p[0, 2] = p[0, 3] = p[1, 3] = 0.05
    assert rank_metrics(estimates, p).tolist() == [1, 1, 2, 2, 0]
    shuffled = [3, 0, 4, 2, 1]
    again = rank_metrics(np.array(estimates)[shuffled], p[np.ix_(shuffled, shuffled)])
    assert again.tolist() == [2, 1, 0, 2, 1]
    assert rank_metrics(estimates, np.full((5, 5), NAN)).tolist() == [1, 1, 1, 1, 0]
    assert rank_metrics(estimates, p, alpha=0.01).tolist() == [1, 1, 1, 1, 0]
    with pytest.raises(ValueError, match="square"):
        rank_metrics(estimates, p[:4])


@pytest.mark.proof
def test_system_agreement_of_the_45_metrics_of_wmt23():
    """Pairwise accuracy and Pearson of each metric with MQM over the 12 systems, to the four digits
    of the table."""
    folder = shared_data("03_mqm_esa_wmt23_en-de")
    people = {row["system"]: row["mqm"] for row in read_tsv(folder / "published_systems.en-de.tsv")}
    systems = sorted(people.keys() - {"refA"})
    expected = {
        row["metric"]: (float(row["pairwise_accuracy"]), float(row["pearson"]))
        for row in read_tsv(folder / "expected_metric_agreement.en-de.tsv")
    }
    assert (len(systems), len(expected)) == (12, 45)
    given = {
        (row["metric"], row["system"]): float(row["score"])
        for row in read_tsv(folder / "metric_systems.en-de.tsv")
    }
    human = np.array([float(people[system]) for system in systems])
    metrics = np.array([[given[metric, system] for system in systems] for metric in expected])
    for place, statistic in enumerate(("pairwise-accuracy", "pearson")):
        found = compare_metrics(human, metrics, statistic=statistic, rng=rng(), resamples=2)
        figures = [figure[place] for figure in expected.values()]
        assert found.estimates == pytest.approx(figures, abs=5.1e-5)
