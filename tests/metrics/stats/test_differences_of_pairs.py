"""Pearson's r of the differences of pairs, groups of two, and values far from 0: against SciPy."""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from metrics.stats.columns import pearson_columns
from metrics.stats.groups import grouped
from metrics.stats.weighted_coefficients import weighted_differences


def scores(seed=1, n_systems=6, n_segments=9):
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 5, size=(n_systems, n_segments)).astype(float)
    metric = human + rng.normal(size=human.shape)
    human[rng.random(human.shape) < 0.1] = np.nan
    metric[rng.random(human.shape) < 0.1] = np.nan
    return human, metric


def by_hand(human, metric):
    """Return the result from every pair of every segment, in both orders, by SciPy."""
    pairs = [
        (human[i, n] - human[j, n], metric[i, n] - metric[j, n])
        for n in range(human.shape[1])
        for i, j in permutations(range(len(human)), 2)
    ]
    there = np.array([pair for pair in pairs if not np.isnan(pair).any()])
    return stats.pearsonr(*there.T).statistic


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_differences_of_all_pairs(seed):
    human, metric = scores(seed)
    found = grouped(human, metric[None], coefficient="difference-pearson")
    assert found.estimates[0] == pytest.approx(by_hand(human, metric), abs=1e-12)


def test_the_order_of_systems_does_not_matter():
    human, metric = scores()
    turned = grouped(human[::-1], metric[None, ::-1], coefficient="difference-pearson")
    found = grouped(human, metric[None], coefficient="difference-pearson")
    assert turned.estimates[0] == pytest.approx(found.estimates[0], abs=1e-12)


def test_what_does_not_vary_has_none():
    human, _ = scores()
    found = grouped(human, np.ones((1, *human.shape)), coefficient="difference-pearson")
    assert np.isnan(found.estimates[0]) and found.reasons[0]


def test_without_a_system_or_a_segment_it_is_that_of_the_others():
    human, metric = scores()
    systems, segments = np.ones((2, 6)), np.ones((2, 9))
    systems[0, 2] = segments[1, 4] = 0
    found = weighted_differences(human, metric, systems, segments)
    rest = [i for i in range(6) if i != 2]
    assert found[0] == pytest.approx(by_hand(human[rest], metric[rest]), abs=1e-12)
    others = [n for n in range(9) if n != 4]
    assert found[1] == pytest.approx(by_hand(human[:, others], metric[:, others]), abs=1e-12)


def test_groups_of_two_count_as_mt_metrics_eval_counts_them():
    """Its mean by item includes SciPy's r of two outputs, 1 or -1."""
    human, metric = np.array([[1.0, 2, 3], [2, 1, 5]]), np.array([[[1.0, 1, 1], [2, 2, 2]]])
    three = grouped(human, metric, coefficient="pearson")
    two = grouped(human, metric, coefficient="pearson", fewest=2)
    expected = np.mean(
        [stats.pearsonr(h, m).statistic for h, m in zip(human.T, metric[0].T, strict=True)]
    )
    assert np.isnan(three.estimates[0])
    assert two.estimates[0] == pytest.approx(expected)


def test_scores_are_centered_before_they_are_scaled():
    """Halves near a hundred million lose nothing: they and their differences are exact."""
    rng = np.random.default_rng(4)
    x, y = np.rint(rng.normal(size=(2, 12, 3)) * 100) / 2
    expected = [stats.pearsonr(a, b).statistic for a, b in zip(x.T, y.T, strict=True)]
    found = pearson_columns(x + 2.0**40, y[None] - 2.0**40)
    np.testing.assert_allclose(found[0], expected, atol=1e-15)
