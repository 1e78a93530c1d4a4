"""Power by formula, and by resampling; published values and oracles are named there."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import NormalIndPower

from judgments.stats.power import (
    minimum_detectable_effect,
    required_comparisons,
    required_judgments,
)
from judgments.stats.resampled_power import (
    TESTS,
    _Tables,
    pair_sample,
    resampled_effect,
    resampled_power,
    resampled_requirement,
)
from tests.judgments.stats.replay import clustered_signed_rank
from tests.shared import read_tsv, shared_data

RNG = np.random.default_rng


@pytest.mark.parametrize(("effect", "n"), [(1, 3140), (2, 785), (3, 349), (5, 126)])
def test_paired_sample_sizes(effect, n):
    """Tables of sample sizes for a standard deviation of 20, α = .05, power .8."""
    assert required_judgments(effect, 20).n == n
    assert minimum_detectable_effect(20, n).effect <= effect
    assert minimum_detectable_effect(20, n - 1).effect > effect


@pytest.mark.parametrize(("rate", "n"), [(0.52, 4904), (0.55, 783), (0.60, 194), (0.4, 194)])
def test_sign_test_sample_sizes(rate, n):
    assert required_comparisons(rate).n == n


@settings(max_examples=25, deadline=None)
@given(st.floats(0.05, 3), st.floats(0.5, 30), st.floats(0.001, 0.2), st.floats(0.3, 0.99))
def test_paired_formula_against_statsmodels(ratio, sd, alpha, power):
    """statsmodels also counts the far tail; it is negligible where z is above 2 or so."""
    found = required_judgments(ratio * sd, sd, alpha=alpha, power=power).n
    oracle = NormalIndPower(ddof=0)
    reached = oracle.power(ratio, found, alpha, ratio=0)
    assert reached >= power - 1e-9
    if found > 2:
        near = stats.norm.sf(stats.norm.isf(alpha / 2) - ratio * math.sqrt(found - 1))
        assert near < power


def test_few_signs_are_never_significant():
    assert required_comparisons(1.0).n == 6  # 2 · ½⁶ = .031, 2 · ½⁵ = .063


def test_undefined_has_a_reason():
    for found in (
        required_judgments(0, 1),
        required_judgments(math.nan, 1),
        required_judgments(1, math.nan),
        required_comparisons(0.5),
        required_comparisons(math.nan),
    ):
        assert math.isnan(found.n)
        assert found.reason
    for found in (
        minimum_detectable_effect(0, 10),
        minimum_detectable_effect(1, 0),
        minimum_detectable_effect(math.nan, 10),
    ):
        assert math.isnan(found.effect)
        assert found.reason


def test_what_is_no_question():
    for wrong in (
        lambda: required_judgments(1, -1),
        lambda: required_judgments(1, 1, alpha=0),
        lambda: required_judgments(1, 1, power=1),
        lambda: required_judgments(1, 1, alpha=0.5, power=0.4),
        lambda: required_comparisons(1.2),
        lambda: minimum_detectable_effect(1, -2),
        lambda: resampled_power(pair_sample([1.0]), 5, test="t", rng=RNG(1)),
        lambda: pair_sample([1.0], [1.0, 2.0]),
    ):
        with pytest.raises(ValueError):
            wrong()


SCORES = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 4), st.integers(0, 3)),
    min_size=3,
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(SCORES)
def test_statistics_of_a_draw_are_those_of_the_repeated_data(rows):
    """z of a draw from tables of counts = the test of the same rows in full, by SciPy."""
    a, b, cluster, _ = np.array(rows, float).T
    _, code = np.unique(cluster, return_inverse=True)
    times = np.array([rows[i][3] for i in np.unique(code, return_index=True)[1]])
    if not times.sum() or (a == b).all():
        return
    sample = pair_sample(a, b, cluster)
    z = {t: _Tables.of(sample, t).z(times[None, :].astype(float))[0] for t in TESTS}
    rows_of = [np.flatnonzero(code == c) for c in range(len(times))]
    drawn = [(i, k) for k, (c, n) in enumerate(_copies(times)) for i in rows_of[c]]
    x, y = a[[i for i, _ in drawn]], b[[i for i, _ in drawn]]
    copies = np.array([k for _, k in drawn])
    d = x - y
    if not d.any():
        return
    assert z["permutation"] == pytest.approx(d.sum() / math.sqrt((d**2).sum()))
    assert z["signed-rank-clustered"] == pytest.approx(clustered_signed_rank(d, copies).z)
    p = stats.wilcoxon(d, zero_method="wilcox", correction=True, method="asymptotic").pvalue
    assert 2 * stats.norm.sf(abs(z["signed-rank"])) == pytest.approx(min(p, 1))
    p = stats.mannwhitneyu(x, y, method="asymptotic").pvalue
    assert 2 * stats.norm.sf(abs(z["mann-whitney"])) == pytest.approx(min(p, 1))


def _copies(times):
    return [(c, k) for c, n in enumerate(times) for k in range(n)]


def test_places_changed_change_the_sign():
    rng = RNG(4)
    sample = pair_sample(rng.normal(size=30), rng.normal(size=30), np.arange(30) // 3)
    once = np.ones((1, 10))
    for test in TESTS:
        tables = _Tables.of(sample, test)
        assert tables.z(np.zeros((1, 10)), once) == pytest.approx(-tables.z(once))


def test_resampling_agrees_with_the_formula_on_normal_data():
    """With the formula's assumptions: the test of the mean, independent items."""
    d = RNG(7).normal(size=400)
    d = (d - d.mean()) / d.std() + 0.2
    sample = pair_sample(d)
    formula = required_judgments(0.2, 1.0).n
    found = resampled_requirement(sample, test="permutation", rng=RNG(1), guess=50, draws=2000)
    assert found.n == pytest.approx(formula, rel=0.12)
    power = resampled_power(sample, int(formula), test="permutation", rng=RNG(2), draws=4000)
    assert power == pytest.approx(0.8, abs=0.03)
    # Wilcoxon's test has 3/π = .955 of the efficiency of the mean on normal data.
    ranks = resampled_requirement(sample, test="signed-rank", rng=RNG(3), guess=50, draws=2000)
    assert ranks.n == pytest.approx(formula / (3 / math.pi), rel=0.12)


def test_the_effect_found_by_resampling_is_found_with_the_wanted_power():
    rng = RNG(11)
    size = rng.exponential(size=300)
    d = size * rng.choice([-1, 1], size=300)
    found = resampled_effect(pair_sample(d), test="permutation", rng=RNG(1), guess=0.05, draws=2000)
    share = (1 + found.effect / size.mean()) / 2
    signs = np.where(rng.random((2000, 300)) < share, 1, -1)
    drawn = rng.choice(size, (2000, 300)) * signs
    z = drawn.sum(axis=1) / np.sqrt((drawn**2).sum(axis=1))
    assert (z > stats.norm.isf(0.025)).mean() == pytest.approx(0.8, abs=0.03)


def test_documents_that_repeat_themselves_cost_more():
    rng = RNG(3)
    of_document = np.repeat(rng.normal(0.3, 1, 60), 5)
    d, documents = of_document + rng.normal(0, 0.3, 300), np.repeat(np.arange(60), 5)
    alone, together = pair_sample(d), pair_sample(d, None, documents)
    options = {"guess": 200.0, "draws": 400}
    n_alone = resampled_requirement(alone, test="signed-rank", rng=RNG(1), **options).n
    n = resampled_requirement(together, test="signed-rank-clustered", rng=RNG(1), **options).n
    assert n > 3 * n_alone


@pytest.mark.parametrize("test", TESTS)
def test_resampling_without_an_answer_says_why(test):
    for values in ([], [1.0], [0.0] * 20, [1.0, -1.0] * 10, [math.nan] * 9):
        found = resampled_requirement(pair_sample(values), test=test, rng=RNG(1), guess=math.nan)
        assert math.isnan(found.n)
        assert found.reason
    for values in ([], [0.0] * 20, [2.0] * 3):
        found = resampled_effect(pair_sample(values), test=test, rng=RNG(1), guess=math.nan)
        assert math.isnan(found.effect)
        assert found.reason
    assert math.isnan(resampled_power(pair_sample([]), 5, test=test, rng=RNG(1)))


def test_signed_rank_needs_far_fewer_than_mann_whitney():
    """WMT23 English–German MQM, ONLINE-B and ONLINE-W: the paired tests make use of the same judged
    items."""
    rows = read_tsv(shared_data("03_mqm_esa_wmt23_en-de", "human_segments.en-de.tsv.gz"))
    scores = {
        name: np.array([float(r["mqm"] or "nan") for r in rows if r["system"] == name])
        for name in ("ONLINE-B", "ONLINE-W")
    }
    sample = pair_sample(scores["ONLINE-W"], scores["ONLINE-B"])
    assert len(sample.first) == 460
    sizes = {
        test: resampled_requirement(sample, test=test, rng=RNG(1), guess=2000).n
        for test in ("signed-rank", "mann-whitney")
    }
    assert sizes["mann-whitney"] > 3 * sizes["signed-rank"]
