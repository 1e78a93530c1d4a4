"""Differences of systems from people and metrics.

PPI: figures of ppi-python 0.2.3 (``ppi_mean_pointestimate`` and ``ppi_mean_ci`` of `ppi_py`), on
the numbers below, with all 40 scores as the unlabeled ones. It depends on numba and gdown, so it is
not among the tests' requirements. Its standard error has n where ours has n - 1.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.stats.controlled_ranks import controlled_signed_ranks
from judgments.stats.joint_estimate import joint_estimate
from judgments.stats.paired_difference import paired_difference

N = math.nan
METRIC = np.array(
    [70.0, 73.6, 66.7, 59.3, 64.5, 58.1, 70.7, 86.1, 64.1, 62.6, 75.9, 74.3, 71.3, 58.8]  # noqa: RUF005
    + [69.6, 78.3, 53.9, 64.5, 47.2, 54.5, 47.9, 67.2, 54.8, 73.3, 71.9, 67.8, 39.8, 63.5]
    + [69.4, 71.4, 51.6, 64.3, 58.3, 60.3, 82.7, 60.3, 69.6, 80.6, 63.0, 68.7]
)
PEOPLE = np.array([43.0, 45, 30, 36, 50, 22, 49, 53, 33, 54, 52, 35, 43, 40, 40])
PPI = {
    1.0: (38.553333333333356, 2.614018582211717),
    0.5: (40.110000000000014, 2.1481549253564864),
    0.25: (40.888333333333335, 2.148413236058269),
    0.0: (41.666666666666664, 2.3145273895629406),
    # The default slope of the package.
    0.27923086675007414: (40.79732790151811, 2.1394703779062496),
}


def of_one(slope, **options):
    """Return PEOPLE as a difference of two systems, each segment its own document."""
    table = np.full((2, len(METRIC)), N)
    table[:, : len(PEOPLE)] = PEOPLE, np.zeros(len(PEOPLE))
    metric = np.stack([METRIC, np.zeros(len(METRIC))])[:, :, None]
    return joint_estimate(table, np.arange(len(METRIC)), metric, slopes=[slope], **options)


@pytest.mark.parametrize("slope", PPI)
def test_it_is_ppi_where_each_segment_is_its_own_cluster(slope):
    point, se = PPI[slope]
    found = of_one(slope).joint
    n, pool = len(PEOPLE), slope * METRIC.std() / math.sqrt(len(METRIC))
    assert found.estimate[0] == pytest.approx(point, abs=1e-10)
    theirs = math.sqrt((found.se[0] ** 2 - pool**2) * (n - 1) / n + pool**2)
    assert theirs == pytest.approx(se, abs=1e-10)


@pytest.mark.parametrize(("slope", "point"), [(1, 38.59043478260872), (0.5, 40.273478260869574)])
def test_weights_are_those_of_ppi(slope, point):
    weights = np.ones(len(METRIC))
    weights[: len(PEOPLE) : 2] = 2
    found = of_one(slope, weights=weights).joint
    assert found.estimate[0] == pytest.approx(point, abs=1e-10)


def campaign(seed, n_documents=24, each=3, judged=18, noise=2.0, n_systems=3, says=1.0):
    """Return scores of people and of two metrics, of which the second is uninformative."""
    rng = np.random.default_rng(seed)
    documents = np.repeat(np.arange(n_documents), each)
    shape = (n_systems, len(documents))
    true = rng.normal(size=shape) + np.arange(n_systems)[:, None]
    metrics = np.stack([says * true, rng.normal(size=shape)], axis=-1)
    table = np.round(true + noise * rng.normal(size=shape), 1)
    return np.where(documents < judged, table, N), documents, metrics


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_without_metrics_it_is_the_paired_difference(seed):
    table, documents, metrics = campaign(seed)
    table[0, 1] = N
    for found in (
        joint_estimate(table, documents, metrics[:, :, :0]),
        joint_estimate(table, documents, metrics, slopes=[0, 0]),
    ):
        for p, (a, b) in enumerate(found.pairs):
            plain = paired_difference(table[a] - table[b], documents)
            for of in (found.people, found.joint):
                for name in ("estimate", "se", "low", "high", "t", "df", "p_value", "sd"):
                    assert getattr(of, name)[p] == pytest.approx(getattr(plain, name), abs=1e-9)
        assert not found.is_in_use
        assert found.joint.r_squared.tolist() == [0, 0, 0]


def estimated(rows, lambdas, documents):
    """Return (estimate, standard error, R²) of each pair, with the slopes of each fold."""
    found = []
    for d, x, w, fold, pool, names in rows:
        predicted = np.array([x[i] @ lambdas[k] for i, k in enumerate(fold)])
        theta = w @ (d - predicted)
        residual, n = d - predicted - theta, len(set(names))
        variance = n / (n - 1) * sum((w * residual)[names == g].sum() ** 2 for g in set(names))
        mean = sum(w[i] * lambdas[k] for i, k in enumerate(fold))
        variance += sum((pool[documents == g] @ mean).sum() ** 2 for g in set(documents)) / (
            len(documents) ** 2
        )
        share = 1 - w @ residual**2 / (w @ (d - w @ d) ** 2)
        found.append((theta, math.sqrt(variance), share))
    return found


def oracle(table, documents, metrics, weights):
    """Return the definition in loops, without differences of sums."""
    pairs = list(itertools.combinations(range(len(table)), 2))
    judged_documents = sorted({g for g, y in zip(documents, table[0], strict=True) if y == y})
    n_folds = min(10, len(judged_documents) // 2)
    fold_of = {g: i % n_folds for i, g in enumerate(judged_documents)}
    rows = []
    for a, b in pairs:
        d, x = table[a] - table[b], metrics[a] - metrics[b]
        x = x - x.mean(axis=0)
        at = np.flatnonzero(~np.isnan(d))
        fold = np.array([fold_of[documents[i]] for i in at])
        rows.append((d[at], x[at], weights[at] / weights[at].sum(), fold, x, documents[at]))
    q = metrics.shape[2]

    def fitted(training, kept):
        left, right = [], []
        inner = [
            (d[inside], x[inside][:, kept], w[inside] / w[inside].sum())
            for (d, x, w, *_), inside in zip(rows, training, strict=True)
        ]
        variances = [w @ (d - w @ d) ** 2 for d, _, w in inner]
        least = 0.25 * np.median(variances)
        means = [
            (w @ d, w @ x, max(variance, least) / len(d))
            for (d, x, w), variance in zip(inner, variances, strict=True)
        ]
        for (d, x, w), (_, _, weight) in zip(inner, means, strict=True):
            root = np.sqrt(w / weight)
            left.append(root[:, None] * (x - w @ x))
            right.append(root * (d - w @ d))
        slopes = np.zeros(q)
        slopes[kept] = np.linalg.lstsq(np.concatenate(left), np.concatenate(right), rcond=None)[0]
        return slopes, means

    def error(k, kept):
        total = 0.0
        for f in set(range(n_folds)) - {k}:
            slopes, means = fitted([~np.isin(r[3], [k, f]) for r in rows], kept)
            for (d, x, w, fold, *_), (mean, mean_x, variance) in zip(rows, means, strict=True):
                test = fold == f
                residual = d[test] - mean - (x[test][:, kept] - mean_x) @ slopes[kept]
                total += w[test] @ residual**2 / variance
        return total

    lambdas = []
    for k in range(n_folds):
        kept = list(range(q))
        while kept:
            tried = {j: error(k, [i for i in kept if i != j]) for j in kept}
            best = min(tried, key=tried.get)
            if tried[best] > error(k, kept):
                break
            kept.remove(best)
        if error(k, kept) >= error(k, []):
            kept = []
        lambdas.append(fitted([r[3] != k for r in rows], kept)[0])
    return np.array(lambdas), np.array(estimated(rows, lambdas, documents))


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=12, deadline=None)
def test_it_is_the_definition(seed, weighted):
    table, documents, metrics = campaign(seed, judged=12, noise=1.5)
    rng = np.random.default_rng(seed)
    weights = rng.uniform(0.5, 2, len(documents)) if weighted else np.ones(len(documents))
    slopes, expected = oracle(table, documents, metrics, weights)
    found = joint_estimate(table, documents, metrics, weights=weights)
    assert found.slopes == pytest.approx(slopes, abs=1e-8)
    d = found.joint
    assert np.stack([d.estimate, d.se, d.r_squared], axis=1) == pytest.approx(expected, abs=1e-8)


def test_a_metric_that_says_the_opposite_helps_as_much():
    table, documents, metrics = campaign(3)
    usual, opposite = (joint_estimate(table, documents, sign * metrics) for sign in (1, -1))
    assert usual.share_explained > 0.1
    assert opposite.joint.estimate == pytest.approx(usual.joint.estimate, abs=1e-9)
    assert opposite.joint.se == pytest.approx(usual.joint.se, abs=1e-9)


def test_a_metric_that_favors_a_system_is_worth_the_same():
    table, documents, metrics = campaign(3)
    favors = metrics + 100 * np.arange(3)[:, None, None]
    usual, found = (
        joint_estimate(table, documents, metrics),
        joint_estimate(table, documents, favors),
    )
    assert found.joint.estimate == pytest.approx(usual.joint.estimate, abs=1e-6)
    assert found.joint.se == pytest.approx(usual.joint.se, abs=1e-6)


def test_noise_is_nearly_always_left_out_and_costs_little():
    kept, wider = [], []
    for seed in range(40):
        table, documents, metrics = campaign(seed, judged=24, says=0.0)
        found = joint_estimate(table, documents, metrics[:, :, 1:])
        kept.append((found.slopes != 0).mean())
        wider.append((found.joint.se / found.people.se).mean())
    assert np.mean(kept) < 0.3
    assert np.mean(wider) < 1.02


def test_with_few_documents_people_stand_alone():
    table, documents, metrics = campaign(5, judged=9)
    found = joint_estimate(table, documents, metrics)
    assert not found.enough
    assert not found.is_in_use
    assert found.joint.estimate.tolist() == found.people.estimate.tolist()
    assert joint_estimate(*campaign(5, judged=10)).enough


def test_its_people_are_those_of_the_signed_ranks():
    table, documents, metrics = campaign(6)
    ranks = controlled_signed_ranks(table, documents, controls=metrics)
    found = joint_estimate(table, documents, metrics)
    # The slopes of both come from nearly the same judgments.
    near = np.abs(found.joint.estimate - ranks.difference.estimate) / ranks.difference.se
    assert (near < 0.5).all()
    assert (found.joint.se / found.people.se).mean() < 1


def test_segments_without_scores_and_pairs_without_any():
    table, documents, metrics = campaign(7)
    metrics[0, 0] = N
    metrics[2] = N
    found = joint_estimate(table, documents, metrics)
    assert found.n.tolist() == [53, 54, 54]
    assert found.n_scored.tolist() == [71, 72, 72]
    assert found.joint.se[1] == pytest.approx(found.people.se[1])
    assert (found.joint.r_squared != 0).tolist() == [True, False, False]


def test_nothing_judged():
    found = joint_estimate(np.full((2, 6), N), np.arange(6), np.zeros((2, 6, 1)))
    assert np.isnan(found.joint.estimate).all()
    assert not found.enough
    assert found.share_explained == 0


def test_two_systems_that_hardly_differ_do_not_outweigh_the_others():
    """By 1/variance alone, a pair of nearly perfect systems pulled all slopes to 0, and the shares
    that metrics explain of the others' differences with them."""
    rng = np.random.default_rng(4)
    documents = np.repeat(np.arange(60), 5)
    metrics = rng.normal(size=(5, 300, 1))
    table = metrics[:, :, 0] + rng.normal(size=(5, 300))
    table[3:] = 0.0
    table[4, 17] = -1.0
    table[:, ::2] = np.nan
    found = joint_estimate(table, documents, metrics)
    among = [i for i, (a, b) in enumerate(found.pairs.tolist()) if max(a, b) < 3]
    assert (found.joint.r_squared[among] > 0.2).all()
    assert found.share_explained > 0


def test_a_pair_with_few_segments_counts_little():
    rng = np.random.default_rng(5)
    documents = np.repeat(np.arange(40), 3)
    metrics = rng.normal(size=(4, 120, 1))
    table = metrics[:, :, 0] + rng.normal(size=(4, 120))
    table[3, 3:] = np.nan
    found = joint_estimate(table, documents, metrics)
    three = joint_estimate(table[:3], documents, metrics[:3])
    assert found.share_explained == pytest.approx(three.share_explained, abs=0.1)
    assert found.share_explained > 0.3


def test_a_metric_that_varies_in_one_document_only_is_not_used_there():
    rng = np.random.default_rng(13)
    for n_documents in range(10, 22):
        documents = np.repeat(np.arange(n_documents), 3)
        people = rng.normal(70, 15, (3, len(documents))).round()
        metric = np.zeros((3, len(documents), 2))
        metric[:, :, 0] = people * 0.3 + rng.normal(0, 10, people.shape)
        metric[:, documents == 2, 1] = rng.random((3, 3)) * 100
        both = joint_estimate(people, documents, metric)
        one = joint_estimate(people, documents, metric[:, :, :1])
        assert both.slopes[2, 1] == 0  # its fold learns from the other documents
        assert np.abs(both.joint.estimate - one.joint.estimate).max() < 0.5 * one.joint.se.min()
