"""The clustered paired difference against SciPy, statsmodels, its formula written out, and
simulation."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from judgments.stats.paired_difference import paired_difference
from tests.judgments.stats.replay import clustered_signed_rank

RNG = np.random.default_rng


def test_without_documents_it_is_the_t_test():
    d = RNG(1).normal(0.3, 2, 25)
    found = paired_difference(d)
    oracle = stats.ttest_1samp(d, 0)
    assert (found.t, found.p_value) == pytest.approx((oracle.statistic, oracle.pvalue))
    assert (found.low, found.high) == pytest.approx(tuple(oracle.confidence_interval()))
    assert found.effective_sd == pytest.approx(found.sd) == pytest.approx(d.std(ddof=1))
    assert (found.n, found.n_clusters, found.df) == (25, 25, 24)


def test_with_documents_it_is_statsmodels_clustered_error():
    rng = RNG(2)
    documents = rng.integers(0, 9, 60)
    d = rng.normal(size=9)[documents] + rng.normal(0.5, 1, 60)
    found = paired_difference(d, documents)
    model = sm.OLS(d, np.ones(60)).fit(
        cov_type="cluster", cov_kwds={"groups": documents}, use_t=True
    )
    assert (found.estimate, found.se) == pytest.approx((model.params[0], model.bse[0]))
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(found.t), 8))


def written_out(d, x, documents):
    """Return the estimator as written in its formula, item by item."""
    judged = ~np.isnan(d)
    n, total = int(judged.sum()), len(d)
    design = np.column_stack([np.ones(n), x[judged]])
    beta = np.linalg.lstsq(design, d[judged], rcond=None)[0][1:]
    h = x[judged].mean(axis=0) - x.mean(axis=0)
    estimate = d[judged].mean() - beta @ h
    e = d[judged] - d[judged].mean() - (x[judged] - x[judged].mean(axis=0)) @ beta
    centered = x[judged] - x[judged].mean(axis=0)
    factor = 1 + n * h @ np.linalg.inv(centered.T @ centered) @ h
    names = sorted(set(documents[judged]))
    between = sum(e[documents[judged] == name].sum() ** 2 for name in names)
    g, q = len(names), x.shape[1]
    gained = d[judged].var(ddof=1) - (e**2).sum() / (n - 1 - q)
    variance = g / (g - 1) * between / n**2 * factor + max(0, gained) / total
    return estimate, math.sqrt(variance), g - 1 - q


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 3), st.floats(-2, 2))
def test_control_variates_by_the_letter(seed, q, slope):
    rng = RNG(seed)
    documents = rng.integers(0, 15, 80).astype(str)
    x = rng.normal(3, 2, (80, q)) * 10.0 ** rng.integers(-3, 4, q)
    d = slope * x[:, 0] / x[:, 0].std() + rng.normal(size=80)
    d[rng.random(80) < 0.4] = np.nan
    found = paired_difference(d, documents, controls=x)
    estimate, se, df = written_out(d, x, documents)
    assert (found.estimate, found.se) == pytest.approx((estimate, se), rel=1e-6)
    assert (found.df, found.n, found.n_scored) == (df, int((~np.isnan(d)).sum()), 80)
    assert found.t == pytest.approx(found.estimate / found.se)


def test_a_control_that_does_not_vary_changes_nothing():
    d = RNG(5).normal(size=40)
    plain = paired_difference(d)
    found = paired_difference(d, controls=np.full(40, 3.0))
    assert (found.estimate, found.se, found.df) == (plain.estimate, pytest.approx(plain.se), 39)


def test_items_without_a_score_are_left_out():
    rng = RNG(6)
    d, x = rng.normal(size=30), rng.normal(size=30)
    x[:5] = np.nan
    found = paired_difference(d, controls=x)
    assert found.estimate == pytest.approx(paired_difference(d[5:], controls=x[5:]).estimate)
    assert (found.n, found.n_scored) == (25, 25)


def test_undefined_has_a_reason_and_no_warning():
    nan = math.nan
    with np.errstate(all="raise"):
        for d, clusters, controls in (
            ([], None, None),
            ([nan, nan], None, None),
            ([1.0], None, None),
            ([2.0] * 5, None, None),
            ([0.1 + 0.2] * 7, None, None),
            ([1.0, 2.0], ["a", "a"], None),
            ([1.0, 2.0], None, [1.0, 2.0]),
            ([1.0, 2.0], None, [nan, nan]),
        ):
            found = paired_difference(d, clusters, controls=controls)
            assert found.reason, (d, clusters, controls)
            assert math.isnan(found.p_value)
    assert paired_difference([1.0]).estimate == 1


def test_arrays_that_do_not_fit():
    for wrong in (
        lambda: paired_difference([[1.0]]),
        lambda: paired_difference([1.0, 2.0], ["a"]),
        lambda: paired_difference([1.0, 2.0], controls=[1.0]),
        lambda: clustered_signed_rank([1.0, 2.0], ["a"]),
    ):
        with pytest.raises(ValueError):
            wrong()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=30))
def test_signed_rank_of_single_items_is_scipys(values):
    found = clustered_signed_rank(values)
    if not any(values):
        assert math.isnan(found.p_value)
        assert found.reason
        return
    oracle = stats.wilcoxon(values, correction=False, method="asymptotic")
    assert found.p_value == pytest.approx(oracle.pvalue)
    assert (found.n, found.n_dropped) == (len(values) - values.count(0), values.count(0))


def judged_documents(rng, n_documents=60, size=3, slope=0.0, n_scored=None):
    """Return differences without an effect: a part of the document, one of the control, noise."""
    documents = np.repeat(np.arange(n_documents), size)
    x = rng.normal(size=len(documents))
    d = np.repeat(rng.normal(0, 0.7, n_documents), size) + slope * x
    d += rng.normal(size=len(documents))
    return np.where(np.arange(len(d)) < (n_scored or len(d)), d, np.nan), documents, x


def test_coverage_with_documents_and_a_control():
    """95 % intervals contain the truth in about 95 %; without documents in far fewer. The control
    is known for all items, of which 60 % were judged."""
    rng = RNG(8)
    hits = np.zeros(3)
    for _ in range(800):
        d, documents, x = judged_documents(rng, slope=0.8, n_scored=108)
        for i, found in enumerate(
            (
                paired_difference(d, documents),
                paired_difference(d, documents, controls=x),
                paired_difference(d),
            )
        ):
            hits[i] += found.low <= 0 <= found.high
    clustered, controlled, naive = hits / 800
    assert 0.93 <= clustered <= 0.97
    assert 0.925 <= controlled <= 0.97
    assert naive < 0.92


def test_errors_of_the_signed_rank_test_with_documents():
    rng = RNG(9)
    p_values = np.array(
        [
            (clustered_signed_rank(d, documents).p_value, clustered_signed_rank(d).p_value)
            for d, documents, _ in (judged_documents(rng) for _ in range(800))
        ]
    )
    by_document, by_item = (p_values < 0.05).mean(axis=0)
    assert 0.03 <= by_document <= 0.07
    assert by_item > 0.08


@pytest.mark.parametrize("value", [0.1, 0.37, 1.7, 33.3])
def test_a_control_that_does_not_vary_where_people_judged_has_no_effect(value):
    rng = RNG(11)
    for judged in range(10, 30):
        d = np.full(60, np.nan)
        d[:judged] = rng.normal(2, 10, judged).round()
        control = rng.random(60) * 100
        control[:judged] = value
        documents = np.arange(60) // 2
        found, plain = (paired_difference(d, documents, controls=x) for x in (control, None))
        assert found.estimate == pytest.approx(plain.estimate, rel=1e-12)
        assert found.se == pytest.approx(plain.se, rel=1e-12)
        assert found.df == plain.df
        assert found.slopes == [0]
