"""Coefficients on ratings, against published examples and independent packages."""

import math

import krippendorff as krippendorff_package
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import cohen_kappa_score
from statsmodels.formula.api import ols
from statsmodels.stats import inter_rater
from statsmodels.stats.anova import anova_lm

from judgments.stats.agreement import (
    alpha_from_long,
    cohen_kappa,
    cohen_kappa_of_table,
    collapse_repeats,
    crossed_ratings,
    fleiss_kappa,
    icc,
    icc_one_way,
    krippendorff_alpha,
    landis_koch,
    large_kappas,
    pairwise_cohen_kappa,
    scott_pi,
    scott_pi_of_table,
    uniform_kappa,
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
# Fleiss (1971) as in textbooks: 10 subjects, 14 raters, 5 categories.
FLEISS = np.array(
    [[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
     [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]]
)  # fmt: skip
WEIGHTED = np.array([[11, 3, 1, 0], [1, 9, 0, 1], [0, 1, 10, 0], [1, 2, 0, 10]])
# Shrout and Fleiss (1979): 6 targets (rows), 4 judges.
SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
)


def _rng():
    return np.random.default_rng(11)


def _long(counts):
    """Counts (items, categories) → item, annotator, value."""
    item: list[int] = []
    annotator: list[int] = []
    value: list[int] = []
    for i, row in enumerate(counts):
        values = np.repeat(np.arange(len(row)), row)
        item += [i] * len(values)
        annotator += range(len(values))
        value += values.tolist()
    return np.array(item), np.array(annotator), np.array(value)


ratings_matrices = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(0, 12)),
    elements=st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0, N]),
)
two_raters = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), max_size=30)


# --- uniform chance ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agreeing", "k", "kappa"),
    [
        # Callison-Burch et al. (2007), tables of agreement: p(A) in thousandths, chance, kappa.
        (400, 5, 0.250),  # fluency
        (380, 5, 0.225),  # adequacy; printed .226, from p(A) before rounding
        (582, 3, 0.373),  # sentence ranking
        (693, 3, 0.540),  # constituent ranking
    ],
)
def test_wmt07_table(agreeing, k, kappa):
    first = np.zeros(1000)
    second = (np.arange(1000) >= agreeing).astype(float)
    item = np.tile(np.arange(1000), 2)
    annotator = np.repeat(["a", "b"], 1000)
    result = uniform_kappa(item, annotator, np.concatenate([first, second]), k=k)
    assert (result.p_observed, result.p_expected) == (agreeing / 1000, 1 / k)
    assert result.estimate == pytest.approx(kappa, abs=5.1e-4)
    assert (result.n_items, result.n_annotators, result.n_pairs) == (1000, 2, 1000)


@pytest.mark.parametrize(
    ("agreeing", "k", "kappa"),
    [(630, 5, 0.537), (574, 5, 0.468), (749, 3, 0.623), (825, 3, 0.738)],
)
def test_wmt07_intra_annotator_table(agreeing, k, kappa):
    """One annotator, each item twice; the published kappas are within .001."""
    value = np.concatenate([np.zeros(1000), np.arange(1000) >= agreeing])
    item, annotator = np.tile(np.arange(1000), 2), np.zeros(2000)
    result = uniform_kappa(item, annotator, value, k=k, which="own")
    assert result.estimate == pytest.approx(kappa, abs=1.1e-3)
    assert (result.n_items, result.n_annotators, result.n_pairs) == (1000, 1, 1000)
    nothing = uniform_kappa(item, annotator, value, k=k)
    assert math.isnan(nothing.estimate)
    assert nothing.reason == "no item was rated by two annotators"


def test_uniform_kappa_of_many_raters_is_randolphs():
    """.222527 for the example of Fleiss, as statsmodels has it."""
    result = uniform_kappa(*_long(FLEISS), k=5)
    assert result.estimate == pytest.approx(0.222527, abs=5e-7)
    oracle = inter_rater.fleiss_kappa(FLEISS, method="randolph")
    assert result.estimate == pytest.approx(oracle, abs=1e-12)
    assert (result.n_items, result.n_annotators, result.n_pairs) == (10, 14, 910)


def test_cross_and_own_pairs_are_told_apart():
    # Annotator a rated item 1 twice (1, 2), b once (1): cross pairs (1,1), (2,1); own pair (1,2).
    arrays = np.array([1, 1, 1]), np.array(["a", "a", "b"]), np.array([1, 2, 1])
    cross, own, both = (uniform_kappa(*arrays, k=5, which=w) for w in ("cross", "own", "all"))
    assert (cross.n_agreeing, cross.n_pairs, cross.n_annotators) == (1, 2, 2)
    assert (own.n_agreeing, own.n_pairs, own.n_annotators) == (0, 1, 1)
    assert (both.n_agreeing, both.n_pairs, both.n_annotators) == (1, 3, 2)
    # c has own pairs only, a and b cross pairs only: three annotators together.
    apart = [1, 1, 2, 2], ["a", "b", "c", "c"], [1, 1, 2, 2]
    assert uniform_kappa(*apart, k=5, which="all").n_annotators == 3


@given(ratings_matrices)
@settings(max_examples=60, deadline=None)
def test_uniform_kappa_by_listing_all_pairs(matrix):
    item, annotator, value = matrix_to_long(matrix)
    equal = [
        value[i] == value[j]
        for i in range(len(item))
        for j in range(i)
        if item[i] == item[j] and annotator[i] != annotator[j]
    ]
    result = uniform_kappa(item, annotator, value, k=5)
    if not equal:
        assert math.isnan(result.estimate)
        assert result.reason
    else:
        assert (result.n_agreeing, result.n_pairs) == (sum(equal), len(equal))
        assert result.estimate == pytest.approx((np.mean(equal) - 0.2) / 0.8, abs=1e-12)


def test_uniform_kappa_rejects():
    one = np.array([1, 1]), np.array([1, 2])
    with pytest.raises(ValueError, match="at least two categories"):
        uniform_kappa(*one, np.array([1, 1]), k=1)
    with pytest.raises(ValueError, match="3 different values on a scale of k=2"):
        uniform_kappa(np.array([1, 1, 1]), np.arange(3), np.array([1, 2, 3]), k=2)
    with pytest.raises(ValueError, match="equally long"):
        uniform_kappa(*one, np.array([1]), k=2)
    with pytest.raises(ValueError, match="cross"):
        uniform_kappa(*one, np.array([1, 1]), k=2, which="inter")


# --- Cohen, Scott, Fleiss ---------------------------------------------------------------------


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


# --- Krippendorff's alpha ---------------------------------------------------------------------


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
    """Drawing an item twice is the same as having it twice."""
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


def test_alpha_rejects():
    with pytest.raises(ValueError, match="collapse the repeats"):
        alpha_from_long([1, 1], [1, 1], [1, 2])
    with pytest.raises(ValueError, match="level is one of"):
        krippendorff_alpha(KRIPPENDORFF, "metric")
    with pytest.raises(ValueError, match="below 0"):
        krippendorff_alpha(KRIPPENDORFF - 3, "ratio")


def test_collapse_repeats():
    arrays = [1, 1, 2, 1], ["a", "a", "a", "b"], [1.0, 4.0, 7.0, N]
    item, annotator, value = collapse_repeats(*arrays)
    assert (item.tolist(), annotator.tolist(), value.tolist()) == ([1, 2], ["a", "a"], [2.5, 7])
    assert collapse_repeats(*arrays, how="first")[2].tolist() == [1, 7]
    assert collapse_repeats(*arrays, how="last")[2].tolist() == [4, 7]
    with pytest.raises(ValueError, match="how is"):
        collapse_repeats(*arrays, how="median")


# --- ICC --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "expected"),
    [("1,1", 0.165742), ("2,1", 0.289764), ("3,1", 0.714841),
     ("1,k", 0.442797), ("2,k", 0.620051), ("3,k", 0.909316)],
)  # fmt: skip
def test_icc_of_shrout_and_fleiss(form, expected):
    result = icc(SHROUT_FLEISS.T, form, rng=_rng())
    assert result.estimate == pytest.approx(expected, abs=5e-7)
    assert (result.n_items, result.n_annotators) == (6, 4)
    assert result.low < result.high


def test_icc_uses_complete_items():
    holes = np.column_stack([SHROUT_FLEISS.T.astype(float), [5, N, 5, 5]])
    assert icc(holes).estimate == icc(SHROUT_FLEISS.T).estimate
    assert icc(holes).n_items == 6


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        ([[1.0, 2, 3]], "two annotators"),
        ([[1.0], [2.0]], "fewer than two items"),
        ([[1.0, N], [N, 2.0]], "fewer than two items"),
        (np.full((2, 3), 0.1), "same value"),
    ],
)
def test_icc_undefined(matrix, reason):
    result = icc(matrix, rng=_rng())
    assert math.isnan(result.estimate)
    assert reason in result.reason


def test_icc_rejects():
    with pytest.raises(ValueError, match="form is one of"):
        icc(SHROUT_FLEISS, "4,1")


@given(
    hnp.arrays(
        np.float64,
        st.tuples(st.integers(2, 4), st.integers(2, 8)),
        elements=st.sampled_from([1.0, 2.0, 4.0, 5.0]),
    )
)
@settings(max_examples=25, deadline=None)
def test_icc_against_the_mean_squares_of_statsmodels(matrix):
    item, annotator, value = matrix_to_long(matrix)
    k, n = matrix.shape
    if len(np.unique(value)) == 1:
        assert icc(matrix).reason == icc_one_way(item, annotator, value).reason
        return
    frame = pd.DataFrame({"item": item, "annotator": annotator, "value": value})
    with np.errstate(all="ignore"):
        two = anova_lm(ols("value ~ C(item) + C(annotator)", frame).fit())
        one = anova_lm(ols("value ~ C(item)", frame).fit())
    msb, msj, mse = two["sum_sq"] / np.array([n - 1, k - 1, (n - 1) * (k - 1)])
    msw = one["sum_sq"]["Residual"] / (n * (k - 1))
    expected = {
        "1,1": (msb - msw, msb + (k - 1) * msw),
        "2,1": (msb - mse, msb + (k - 1) * mse + k * (msj - mse) / n),
        "3,1": (msb - mse, msb + (k - 1) * mse),
        "1,k": (msb - msw, msb),
        "2,k": (msb - mse, msb + (msj - mse) / n),
        "3,k": (msb - mse, msb),
    }
    for form, (above, below) in expected.items():
        result = icc(matrix, form)
        if abs(below) < 1e-9:
            assert math.isnan(result.estimate)
            assert result.reason
        else:
            assert result.estimate == pytest.approx(above / below, abs=1e-8, rel=1e-6)
    if msb + (k - 1) * msw > 1e-9:
        assert icc_one_way(item, annotator, value).estimate == pytest.approx(
            icc(matrix, "1,1").estimate, abs=1e-12
        )


def test_one_way_icc_of_unequal_numbers_of_ratings():
    """Half of the variance is the items': 4,000 items with two to five ratings."""
    rng = _rng()
    item = np.repeat(np.arange(4000), rng.integers(2, 6, 4000))
    value = rng.normal(size=4000)[item] + rng.normal(size=len(item)) + 100
    result = icc_one_way(item, np.arange(len(item)), value, rng=rng, resamples=200)
    assert result.estimate == pytest.approx(0.5, abs=0.03)
    assert result.low < 0.5 < result.high
    assert (result.n_items, result.n_annotators) == (4000, len(item))
    # By hand: items (1, 2), (3, 3, 6); means 1.5, 4, grand 3; MSB = 7.5, MSW = 6.5/3, n0 = 2.4.
    small = icc_one_way([1, 1, 2, 2, 2], list("ababc"), [1, 2, 3, 3, 6])
    assert small.estimate == pytest.approx((7.5 - 6.5 / 3) / (7.5 + 1.4 * 6.5 / 3))


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        (([], [], []), "no ratings"),
        (([1, 2], ["a", "b"], [1, 2]), "no item was rated by two"),
        (([1, 1], ["a", "b"], [1, 2]), "fewer than two items"),
        (([1, 1, 2, 2], list("abab"), [3, 3, 3, 3]), "same value"),
    ],
)
def test_one_way_icc_undefined(columns, reason):
    result = icc_one_way(*columns, rng=_rng())
    assert math.isnan(result.estimate)
    assert reason in result.reason


def test_crossed_ratings():
    """Items 1 to 3 were rated by a and b, item 4 by a and c, item 5 by a."""
    item, annotator = [2, 1, 1, 2, 3, 3, 4, 4, 5], list("babaabaca")
    matrix, items, reason = crossed_ratings(item, annotator, np.arange(9.0))
    assert (matrix.tolist(), items.tolist(), reason) == ([[1, 3, 4], [2, 0, 5]], [1, 2, 3], "")
    matrix, items, reason = crossed_ratings(item, annotator, np.arange(9.0), share=0.8)
    assert (matrix.size, len(items)) == (0, 0)
    assert "read ICC(1,1)" in reason
    assert "no item was rated by two" in crossed_ratings([1, 2], ["a", "b"], [1, 2])[2]
    assert crossed_ratings([], [], [])[2] == "there are no ratings"


# --- intervals and gloss ----------------------------------------------------------------------


def test_interval_covers_as_often_as_it_says():
    """Uniform kappa of 60 items by two annotators who agree with chance .6: true kappa .5."""
    covered = 0
    for seed in range(200):
        agree = np.random.default_rng(seed).random(60) < 0.6
        value = np.concatenate([np.zeros(60), ~agree])
        result = uniform_kappa(
            np.tile(np.arange(60), 2), np.repeat([0, 1], 60), value, k=5,
            rng=np.random.default_rng(seed), resamples=400,
        )  # fmt: skip
        covered += result.low <= 0.5 <= result.high
    assert 0.9 <= covered / 200 <= 0.99


@pytest.mark.parametrize(
    ("kappa", "words"),
    [(-0.1, "poor"), (0, "slight"), (0.2, "slight"), (0.21, "fair"), (0.4, "fair"),
     (0.41, "moderate"), (0.61, "substantial"), (0.81, "almost perfect"), (1, "almost perfect"),
     (N, "")],
)  # fmt: skip
def test_landis_koch(kappa, words):
    assert landis_koch(kappa) == words
