"""Krippendorff's alpha, against his example and the package."""

import math

import krippendorff as krippendorff_package
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from judgments.stats.agreement import (
    alpha_from_long,
    krippendorff_alpha,
)
from judgments.stats.coefficients import matrix_to_long

N = np.nan
LEVELS = ["nominal", "ordinal", "interval", "ratio"]
# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": 4 observers, 12 units.
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
        [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
    ]
)
ratings_matrices = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(0, 12)),
    elements=st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0, N]),
)


def _rng():
    return np.random.default_rng(11)


@pytest.mark.parametrize(
    ("level", "expected"),
    [("nominal", 0.743421), ("ordinal", 0.815388), ("interval", 0.849107), ("ratio", 0.797403)],
)
def test_krippendorffs_example(level, expected):
    result = krippendorff_alpha(KRIPPENDORFF, level, rng=_rng())
    assert result.estimate == pytest.approx(expected, abs=5e-7)
    assert 1 - result.d_observed / result.d_expected == pytest.approx(result.estimate)
    assert (result.n_items, result.n_annotators, result.n_pairs) == (11, 4, 55)
    assert result.low < result.estimate < result.high


@given(ratings_matrices, st.sampled_from(LEVELS))
@settings(max_examples=150, deadline=None)
def test_alpha_against_the_krippendorff_package(matrix, level):
    result = krippendorff_alpha(matrix, level)
    pairable = matrix[:, (~np.isnan(matrix)).sum(axis=0) > 1]
    values = np.unique(pairable[~np.isnan(pairable)])
    if len(values) < 2:
        assert math.isnan(result.estimate)
        assert result.reason
    else:
        oracle = krippendorff_package.alpha(pairable, level_of_measurement=level)
        assert result.estimate == pytest.approx(oracle, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_bootstrap_sums_are_of_repeated_items(level):
    """Drawing an item twice equals having it twice."""
    from judgments.stats import alpha as module

    result = krippendorff_alpha(np.repeat(KRIPPENDORFF, 2, axis=1), level)
    counts, _, values = module._pairable(module.clean_ratings(*matrix_to_long(KRIPPENDORFF)))
    stats, disagreements = module._sufficient(counts, values, level)
    observed, expected = disagreements(2 * stats.sum(axis=0)[None, :])
    assert 1 - observed[0] / expected[0] == pytest.approx(result.estimate, abs=1e-12)


def test_ordinal_alpha_of_few_and_of_many_values():
    """Up to twelve values the bootstrap sums coincidences; beyond, it weighs the items."""
    from judgments.stats import alpha as module

    rng = _rng()
    matrix = np.clip(rng.integers(1, 9, 40) + rng.integers(0, 5, (3, 40)), 1, 12).astype(float)
    matrix[rng.random(matrix.shape) < 0.2] = N
    counts, *_ = module._pairable(module.clean_ratings(*matrix_to_long(matrix)))
    weights = rng.integers(0, 4, (5, counts.shape[0])).astype(float)
    sums = weights @ module._coincidences(counts)
    by_sums = module._coincident_ranks(counts.shape[1])(sums)
    by_weights = module._ordinal_disagreements(counts, weights)
    np.testing.assert_allclose(by_sums, by_weights, rtol=1e-12)
    long_scale = rng.permutation(300).reshape(3, 100).astype(float)
    result = krippendorff_alpha(long_scale, "ordinal", rng=rng, resamples=50)
    assert result.low < result.estimate < result.high


def test_alpha_of_scores_far_from_zero():
    """A large common offset changes no interval alpha."""
    matrix = KRIPPENDORFF + 1e7
    assert krippendorff_alpha(matrix).estimate == pytest.approx(0.849107, abs=5e-7)


def test_alpha_long_and_matrix_agree_with_names():
    item, annotator, value = matrix_to_long(KRIPPENDORFF)
    names = np.array([f"segment {i}" for i in item]), np.array(list("abcd"))[annotator]
    long = alpha_from_long(*names, value, "ordinal")
    assert long.estimate == krippendorff_alpha(KRIPPENDORFF, "ordinal").estimate


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        (np.full((3, 4), N), "no ratings"),
        (np.zeros((2, 0)), "no ratings"),
        ([[1.0, 2, 3]], "no item was rated by two"),
        ([[1.0, N], [N, 2]], "no item was rated by two"),
        (np.full((3, 5), 0.1), "same value"),
    ],
)
def test_alpha_undefined(matrix, reason, level):
    result = krippendorff_alpha(matrix, level, rng=_rng())
    assert math.isnan(result.estimate)
    assert math.isnan(result.low)
    assert reason in result.reason


def test_alpha_of_one_item():
    """Two values of one item: all disagreement is within it, alpha is 0; no interval."""
    result = krippendorff_alpha([[1.0], [2.0]], "interval", rng=_rng())
    assert result.estimate == pytest.approx(0)
    assert math.isnan(result.low)
    assert "at least two units" in result.interval_reason


def test_alpha_clusters():
    document = np.repeat([0, 1, 2, 3], 3)
    result = krippendorff_alpha(KRIPPENDORFF, rng=_rng(), clusters=document)
    assert result.n_units == 4
    with pytest.raises(ValueError, match="one per item"):
        krippendorff_alpha(KRIPPENDORFF, rng=_rng(), clusters=document[:5])
    with pytest.raises(ValueError, match="two clusters"):
        alpha_from_long([1, 1], [1, 2], [1, 2], clusters=[1, 2])


def test_ratio_alpha_of_very_many_values_is_undefined_with_a_reason():
    first = np.arange(1501) + 0.5
    found = krippendorff_alpha(np.stack([first, first + 0.25]), "ratio", rng=_rng())
    assert math.isnan(found.estimate)
    assert "2,000" in found.reason
    fewer = krippendorff_alpha(np.stack([first, first + 0.25])[:, :1000], "ratio")
    assert fewer.estimate > 0.99
    assert not math.isnan(krippendorff_alpha(np.stack([first, first + 0.25]), "interval").estimate)


def test_alpha_rejects():
    with pytest.raises(ValueError, match="collapse the repeats"):
        alpha_from_long([1, 1], [1, 1], [1, 2])
    with pytest.raises(ValueError, match="level is one of"):
        krippendorff_alpha(KRIPPENDORFF, "metric")
    with pytest.raises(ValueError, match="below 0"):
        krippendorff_alpha(KRIPPENDORFF - 3, "ratio")
