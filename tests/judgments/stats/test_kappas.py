"""Kappas of Cohen, Scott and Fleiss, against published examples and independent packages."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from judgments.stats import large_kappas as large_kappas_module
from judgments.stats import shared_items
from judgments.stats.agreement import cohen_kappa, fleiss_kappa, pairwise_cohen_kappa, scott_pi
from judgments.stats.coefficients import matrix_to_long
from tests.judgments.stats.long_form import (
    agreement_matrix,
    cohen_kappa_of_table,
    large_kappas,
    scott_pi_of_table,
)

N = np.nan
# Fleiss (1971) as in textbooks: 10 subjects, 14 raters, 5 categories.
FLEISS = np.array(
    [[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
     [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]]
)  # fmt: skip
WEIGHTED = np.array([[11, 3, 1, 0], [1, 9, 0, 1], [0, 1, 10, 0], [1, 2, 0, 10]])
two_raters = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), max_size=30)


def _rng():
    return np.random.default_rng(11)


def test_textbook_tables():
    table = np.array([[20, 5], [10, 15]])
    kappa, pi = cohen_kappa_of_table(table), scott_pi_of_table(table)
    assert kappa.estimate == pytest.approx(0.4)
    assert (kappa.p_observed, kappa.p_expected) == pytest.approx((0.7, 0.5))
    assert pi.estimate == pytest.approx(0.393939, abs=5e-7)
    assert kappa.n_items == kappa.n_pairs == 50
    assert kappa.n_agreeing == 35


@pytest.mark.parametrize(
    ("weights", "expected"), [(None, 0.733475), ("linear", 0.747475), ("quadratic", 0.766355)]
)
def test_weighted_table(weights, expected):
    """The oracle is statsmodels' cohens_kappa."""
    result = cohen_kappa_of_table(WEIGHTED, weights=weights)
    assert result.estimate == pytest.approx(expected, abs=5e-7)
    wt = {None: None, "linear": "linear", "quadratic": "quadratic"}[weights]
    oracle = inter_rater.cohens_kappa(WEIGHTED, wt=wt, return_results=True).kappa
    assert result.estimate == pytest.approx(oracle, abs=1e-12)


@given(two_raters, st.sampled_from([None, "linear", "quadratic"]))
@settings(max_examples=100, deadline=None)
def test_cohen_against_sklearn(pairs, weights):
    first, second = np.array(pairs, float).reshape(-1, 2).T
    result = cohen_kappa(first, second, weights=weights, categories=np.arange(1, 5))
    if len(set(first) | set(second)) < 2:
        assert math.isnan(result.estimate)
        assert ("same value" if pairs else "no item") in result.reason
    else:
        oracle = cohen_kappa_score(first, second, weights=weights, labels=[1, 2, 3, 4])
        assert result.estimate == pytest.approx(oracle, abs=1e-10)


@given(two_raters)
@settings(max_examples=60, deadline=None)
def test_scott_is_fleiss_of_two_raters(pairs):
    first, second = np.array(pairs, int).reshape(-1, 2).T
    counts = np.zeros((len(first), 4))
    np.add.at(counts, (np.arange(len(first)), first - 1), 1)
    np.add.at(counts, (np.arange(len(first)), second - 1), 1)
    assume(len(set(first) | set(second)) > 1)
    oracle = inter_rater.fleiss_kappa(counts, method="fleiss")
    assert scott_pi(first, second).estimate == pytest.approx(oracle, abs=1e-10)
    assert fleiss_kappa(counts).estimate == pytest.approx(oracle, abs=1e-10)


def test_cohen_leaves_out_missing_values():
    first, second = np.array([1, 2, N, 1, 2]), np.array([1, 2, 1, N, 1])
    result = cohen_kappa(first, second)
    assert result.n_items == 3
    assert result.estimate == pytest.approx(cohen_kappa_score([1, 2, 2], [1, 2, 1]))


@pytest.mark.parametrize("values", [[], [N, N]])
def test_cohen_without_data(values):
    for result in (cohen_kappa(values, values), scott_pi(values, values, rng=_rng())):
        assert math.isnan(result.estimate)
        assert math.isnan(result.low)
        assert result.reason
        assert result.n_items == 0


def test_cohen_rejects():
    with pytest.raises(ValueError, match="outside the categories"):
        cohen_kappa([1, 9], [1, 1], categories=[1, 2])
    with pytest.raises(ValueError, match="equally long"):
        cohen_kappa([1, 2], [1])
    with pytest.raises(ValueError, match="linear"):
        cohen_kappa([1, 2], [1, 2], weights="cubic")


@pytest.mark.parametrize("weights", [None, "quadratic"])
def test_cohen_over_pairs(weights):
    rng = _rng()
    truth = rng.integers(1, 5, 200)
    matrix = np.clip(truth + rng.integers(-1, 2, (4, 200)), 1, 4).astype(float)
    matrix[3, :150] = N
    item, annotator, value = matrix_to_long(matrix)
    options = {"weights": weights, "categories": np.arange(1, 5)}
    kappas = [
        cohen_kappa(matrix[i], matrix[j], **options) for i in range(4) for j in range(i + 1, 4)
    ]
    long = item, annotator, value
    light = pairwise_cohen_kappa(*long, average="mean", **options, rng=_rng(), resamples=200)
    assert light.estimate == pytest.approx(np.mean([k.estimate for k in kappas]), abs=1e-12)
    assert light.low < light.estimate < light.high
    n = np.array([k.n_items for k in kappas])
    observed, expected = (
        np.average([getattr(k, name) for k in kappas], weights=n)
        for name in ("d_observed", "d_expected")
    )
    pooled = pairwise_cohen_kappa(*long, **options)
    assert pooled.estimate == pytest.approx(1 - observed / expected, abs=1e-12)
    assert (pooled.n_items, pooled.n_annotators, pooled.n_pairs) == (200, 4, n.sum())
    enough = pairwise_cohen_kappa(*long, min_shared=100, **options)
    assert (enough.n_annotators, enough.n_pairs) == (3, 600)


@pytest.mark.parametrize("pooled_marginals", [False, True])
@given(
    matrix=hnp.arrays(np.float64, (4, 7), elements=st.sampled_from([1.0, 2.0, 3.0, N])),
    weights=st.sampled_from([None, "linear", "quadratic"]),
)
@settings(max_examples=60, deadline=None)
def test_large_kappa_is_the_one_of_listed_pairs(matrix, weights, pooled_marginals):
    columns = matrix_to_long(matrix)
    options = {"weights": weights, "categories": [1, 2, 3], "pooled_marginals": pooled_marginals}
    listed = pairwise_cohen_kappa(*columns, **options)
    [summed] = large_kappas(*columns, readings=[(weights, pooled_marginals)], categories=[1, 2, 3])
    for name in ("estimate", "p_observed", "p_expected"):
        assert getattr(summed, name) == pytest.approx(getattr(listed, name), abs=1e-12, nan_ok=True)
    for name in ("coefficient", "n_items", "n_annotators", "n_pairs", "n_agreeing", "reason"):
        assert getattr(summed, name) == getattr(listed, name)


def test_scott_over_pairs():
    """Of two annotators it is Scott's pi; weighted, with every pair far apart, it is the same."""
    table = np.array([[20, 5], [10, 15]])
    first, second = np.repeat([0, 0, 1, 1], table.ravel()), np.repeat([0, 1, 0, 1], table.ravel())
    item, annotator = np.tile(np.arange(50), 2), np.repeat(["a", "b"], 50)
    columns = item, annotator, np.concatenate([first, second])
    for weights in (None, "linear"):
        pi = pairwise_cohen_kappa(*columns, weights=weights, pooled_marginals=True)
        assert pi.estimate == pytest.approx(0.393939, abs=5e-7)


def test_fleiss_textbook():
    result = fleiss_kappa(FLEISS, rng=_rng())
    assert result.estimate == pytest.approx(0.209931, abs=5e-7)
    assert result.low < result.estimate < result.high
    assert (result.n_items, result.n_annotators, result.n_pairs) == (10, 14, 910)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ([[2, 0], [1, 2]], "use Krippendorff's alpha"),
        ([[3, 0], [3, 0]], "same value"),
        ([[1, 0], [0, 1]], "no item was rated by two"),
        (np.zeros((0, 3)), "no ratings"),
    ],
)
def test_fleiss_undefined(counts, reason):
    result = fleiss_kappa(counts, rng=_rng())
    assert math.isnan(result.estimate)
    assert reason in result.reason


@pytest.mark.parametrize("cells", [1, 60])
def test_large_kappas_block_by_block_are_the_same(monkeypatch, cells):
    """Annotators one by one, and two by two, if their values are too many for one table."""
    rng = np.random.default_rng(2)
    matrix = np.where(rng.random((7, 40)) < 0.5, N, rng.integers(1, 4, (7, 40)))
    columns = matrix_to_long(matrix)
    readings = [(None, False), (None, True), ("linear", False), ("quadratic", True)]
    at_once = large_kappas(*columns, readings=readings, categories=[1, 2, 3])
    together = agreement_matrix(*columns, measure="cohen")
    for module in (shared_items, large_kappas_module):
        monkeypatch.setattr(module, "BLOCK_CELLS", cells)
    in_blocks = large_kappas(*columns, readings=readings, categories=[1, 2, 3])
    assert [k.estimate for k in in_blocks] == pytest.approx([k.estimate for k in at_once])
    assert [k.p_expected for k in in_blocks] == pytest.approx([k.p_expected for k in at_once])
    apart = agreement_matrix(*columns, measure="cohen")
    assert np.allclose(apart.estimate, together.estimate, equal_nan=True)
