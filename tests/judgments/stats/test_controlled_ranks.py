"""Signed ranks of all pairs with registered controls.

The figures of the small example were computed from the definition by another program.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.stats.controlled_ranks import (
    controlled_signed_ranks,
)
from judgments.stats.metric_controls import controls_of_metrics
from judgments.stats.paired_difference import paired_difference
from tests.judgments.stats.replay import clustered_signed_rank

N = math.nan
DOCUMENTS = np.array([0, 0, 1, 1, 2, 3, 3, 4, 5, 5, 5, 6, 6, 7])
SCORES = np.array(
    [
        [0, -1, -5, 0, -2, -6, -1, 0, -3, -1, N, N, N, N],
        [-1, -1, -10, -2, -2, -11, 0, -5, -4, -1, N, N, N, N],
        [-5, -3, -12, -1, -7, -16, -6, -6, -4, -2, N, N, N, N],
    ]
)
METRIC = np.array(
    [
        [9, 8, 6, 9, 8, 5, 8, 9, 7, 8, 8, 7, 9, 6],
        [8, 8, 4, 8, 7, 4, 9, 6, 7, 8, 8, 6, 8, 7],
        [6, 7, 4, 8, 5, 2, 6, 6, 7, 7, 7, 5, 8, 6],
    ],
    float,
)
WEIGHTS = np.array([1, 1, 0.5, 0.5, 1, 0.5, 0.5, 2, 1, 1, 1, 1, 1, 1])
EXPECTED = {
    "plain": (
        (1.8, 4.3, 2.5),
        (0.681645, 1.043954, 0.964365),
        (1.897367, 2.258579, 1.926348),
    ),
    "control": (
        (1.498683, 3.806936, 2.308253),
        (0.756453, 0.807283, 0.626672),
        (1.746389, 2.099634, 2.150082),
    ),
    "weights": (
        (1.944444, 4.166667, 2.222222),
        (0.944699, 0.997528, 0.785849),
        (1.711387, 2.188687, 2.110825),
    ),
    "weights, control": (
        (1.205992, 3.527621, 2.321629),
        (0.657054, 0.673143, 0.613215),
        (1.789484, 2.152980, 2.167273),
    ),
}


def near(values, expected):
    return values == pytest.approx(np.array(expected), abs=5e-7)


def of(name):
    return controlled_signed_ranks(
        SCORES,
        DOCUMENTS,
        controls=METRIC if "control" in name else None,
        weights=WEIGHTS if "weights" in name else None,
    )


@pytest.mark.parametrize("name", EXPECTED)
def test_the_small_example(name):
    found, (estimate, se, z) = of(name), EXPECTED[name]
    assert near(found.difference.estimate, estimate)
    assert near(found.difference.se, se)
    assert found.difference.df.tolist() == [5, 5, 5]
    assert near(found.z, z)
    assert found.pairs.tolist() == [[0, 1], [0, 2], [1, 2]]


def test_parts_of_the_small_example():
    assert near(of("control").difference.slopes, [1.917472])
    assert near(of("weights, control").difference.slopes, [1.789327])
    assert near(of("control").slopes, [0.263442])
    assert near(of("control").extra, [0.006121, 0.006576, 0.006374])
    ranks = [0.285714, 0, 0.857143, 0.571429, 0, 0.857143, -0.285714, 0.857143, 0.285714, 0]
    assert near(of("plain").ranks[0], ranks + [0] * 4)
    ranks = [0.279762, 0, 0.821429, 0.529762, 0, 0.821429, -0.279762, 0.821429, 0.279762, 0]
    assert near(of("weights").ranks[0], ranks + [0] * 4)


def random_campaign(seed, n_systems=4, n_documents=12, each=3, judged=8):
    """Return rounded scores, so that there are ties and zeros; documents; a metric."""
    rng = np.random.default_rng(seed)
    documents = np.repeat(np.arange(n_documents), each)
    metric = rng.normal(size=(n_systems, len(documents)))
    scores = np.round(metric + 2 * rng.normal(size=metric.shape))
    return np.where(documents < judged, scores, N), documents, metric


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_without_controls_it_is_the_present_tests(seed):
    scores, documents, _ = random_campaign(seed)
    scores[0, 1] = N  # one output was not judged
    found = controlled_signed_ranks(scores, documents)
    for p, (a, b) in enumerate(found.pairs):
        d = scores[a] - scores[b]
        ranks, mean = clustered_signed_rank(d, documents), paired_difference(d, documents)
        assert found.z[p] == pytest.approx(ranks.z, abs=1e-9)
        assert found.p_value[p] == pytest.approx(ranks.p_value, abs=1e-9)
        one = found.paired_difference(p)
        for name in ("estimate", "se", "low", "high", "t", "p_value", "sd", "n", "df"):
            assert getattr(one, name) == pytest.approx(getattr(mean, name), abs=1e-9), name
        assert (one.n_clusters, one.n_scored) == (mean.n_clusters, mean.n_scored)


@given(st.integers(0, 10_000), st.permutations(range(4)))
@settings(max_examples=30, deadline=None)
def test_names_of_systems_do_not_matter(seed, order):
    scores, documents, metric = random_campaign(seed)
    controls = controls_of_metrics(metric, np.arange(1, 37))
    first = controlled_signed_ranks(scores, documents, controls=controls)
    again = controlled_signed_ranks(scores[order], documents, controls=controls[order])
    z, theta = np.zeros((4, 4)), np.zeros((4, 4))
    for p, (a, b) in enumerate(first.pairs):
        z[a, b], z[b, a] = first.z[p], -first.z[p]
        theta[a, b], theta[b, a] = (s * first.difference.estimate[p] for s in (1, -1))
    for p, (a, b) in enumerate(again.pairs):
        assert again.z[p] == pytest.approx(z[order[a], order[b]], abs=1e-9)
        assert again.difference.estimate[p] == pytest.approx(theta[order[a], order[b]], abs=1e-9)


@given(st.integers(0, 10_000), st.sampled_from([0.01, 0.5, 4.0, 1000.0]))
@settings(max_examples=30, deadline=None)
def test_units_do_not_matter(seed, scale):
    scores, documents, metric = random_campaign(seed)
    weights = np.random.default_rng(seed).uniform(0.5, 2, len(documents))
    options = {"documents": documents, "weights": weights}
    first = controlled_signed_ranks(scores, controls=metric, **options)
    again = controlled_signed_ranks(
        scores * 4, controls=metric * scale + 7, documents=documents, weights=weights * scale
    )
    assert again.z == pytest.approx(first.z, abs=1e-9)
    assert again.difference.estimate == pytest.approx(4 * first.difference.estimate)
    assert again.difference.se == pytest.approx(4 * first.difference.se)


def test_where_the_pool_is_judged_the_control_moves_nothing():
    scores, documents, metric = random_campaign(5, judged=12)
    found = controlled_signed_ranks(scores, documents, controls=metric)
    plain = controlled_signed_ranks(scores, documents)
    assert found.difference.estimate == pytest.approx(plain.difference.estimate)
    assert found.r_squared.max() > 0.05
    # A single pair has its own slopes, and then R² is the squared correlation.
    one = controlled_signed_ranks(scores[:2], documents, controls=metric[:2]).difference
    expected = np.corrcoef(scores[0] - scores[1], metric[0] - metric[1])[0, 1] ** 2
    assert one.r_squared == pytest.approx([expected])
    assert np.all(found.sums.sum(axis=1) == pytest.approx(plain.sums.sum(axis=1)))


def test_a_control_narrows_intervals_and_covers():
    """Half of the variance is the metric's; the true value in the population is 0.3."""
    rng, widths, inside = np.random.default_rng(6), [], []
    documents = np.repeat(np.arange(200), 2)
    for _ in range(300):
        metric = rng.normal(size=(2, 400))
        scores = metric + rng.normal(size=metric.shape) + np.array([[0.3], [0]])
        scores = np.where(documents < 50, scores, N)
        width = []
        for controls in (None, metric):
            found = controlled_signed_ranks(scores, documents, controls=controls).difference
            width.append(found.high[0] - found.low[0])
        widths.append(width)
        inside.append(found.low[0] <= 0.3 <= found.high[0])
    plain, controlled = np.mean(widths, axis=0)
    assert controlled < 0.85 * plain
    assert 0.91 < np.mean(inside) < 0.985  # ± 2.5 standard errors around .95


def test_a_pair_without_scores_of_a_metric_is_tested_without():
    scores, documents, metric = random_campaign(7, n_systems=3)
    metric[0] = N
    metric[1, 2] = N
    found = controlled_signed_ranks(scores, documents, controls=controls_of_metrics(metric))
    assert found.controlled.tolist() == [False, False, True]
    plain = controlled_signed_ranks(scores, documents)
    assert found.z[:2] == pytest.approx(plain.z[:2])
    assert found.n.tolist() == [24, 24, 23] and found.n_scored[2] == 35
    assert found.extra[0] == 0 < found.extra[2]


def test_controls_are_means_of_standardized_metrics():
    first, second = np.array([[1.0, 2], [3, 4]]), np.array([[0.0, 0], [0, 8]])
    found = controls_of_metrics([first, second], [1, 3])
    z = [(m - m.mean()) / m.std() for m in (first, second)]
    assert found[:, :, 0] == pytest.approx(np.mean(z, axis=0))
    assert found[:, :, 1] == pytest.approx(np.mean(z, axis=0) * [0.5, 1.5])
    assert controls_of_metrics(np.ones((2, 3))).tolist() == [[[0], [0], [0]], [[0], [0], [0]]]
    assert controls_of_metrics(first).shape == (2, 2, 1)
    for wrong in ((np.zeros(3), None), (first, [1, 2, 3])):
        with pytest.raises(ValueError):
            controls_of_metrics(*wrong)


def test_nothing_to_compare():
    same = controlled_signed_ranks(np.ones((2, 4)), [0, 0, 1, 1])
    assert np.isnan(same.z[0]) and np.isnan(same.difference.se[0])
    assert same.paired_difference(0).reason == "the differences do not vary"
    none = controlled_signed_ranks(np.full((2, 4), N), [0, 0, 1, 1], controls=np.ones((2, 4)))
    assert np.isnan(none.z[0]) and np.isnan(none.difference.estimate[0]) and none.n[0] == 0
    assert none.paired_difference(0).reason == "no item was judged of both systems"
    assert np.isnan(controlled_signed_ranks(np.zeros((3, 0)), []).z).tolist() == [True] * 3
    one = controlled_signed_ranks([[1.0, 3], [0, 1]], [0, 0])
    assert one.paired_difference(0).reason == "there are too few documents"
    constant = controlled_signed_ranks(SCORES, DOCUMENTS, controls=np.ones((3, 14)))
    assert constant.z == pytest.approx(of("plain").z) and constant.slopes.tolist() == [0]


def test_ranks_and_mean_on_different_sides_are_said():
    d = np.array([1.0] * 9 + [-50])
    found = controlled_signed_ranks([d, np.zeros(10)], np.arange(10))
    assert found.z[0] > 0 > found.difference.estimate[0]
    assert found.contradictory.tolist() == [True]
    assert not of("control").contradictory.any()


@pytest.mark.parametrize(
    "wrong",
    [
        {"table": SCORES[0]},
        {"documents": DOCUMENTS[:3]},
        {"weights": np.zeros(14)},
        {"controls": METRIC[:2]},
    ],
)
def test_arrays_must_fit(wrong):
    options = {"table": SCORES, "documents": DOCUMENTS} | wrong
    with pytest.raises(ValueError):
        controlled_signed_ranks(options.pop("table"), options.pop("documents"), **options)


@pytest.mark.parametrize("value", [0.1, 0.37, 1.7, 33.3])
def test_a_control_that_does_not_vary_where_people_judged_has_no_slope(value):
    rng = np.random.default_rng(12)
    for judged in range(10, 30):
        table = np.full((2, 60), N)
        table[:, :judged] = rng.normal(50, 10, (2, judged)).round()
        control = np.zeros((2, 60))
        control[0] = rng.random(60) * 100
        control[0, :judged] = value
        documents = np.arange(60) // 2
        found = controlled_signed_ranks(table, documents, controls=control)
        plain = controlled_signed_ranks(table, documents)
        assert found.slopes == found.difference.slopes == [0]
        assert (found.z, found.p_value) == (plain.z, plain.p_value)
        assert found.difference.estimate == plain.difference.estimate
