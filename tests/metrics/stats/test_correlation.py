import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics.stats.correlation import (
    kendall,
    pairwise_accuracy,
    pearson,
    regression_band,
    spearman,
)
from tests.shared import read_tsv, shared_data

COEFFICIENTS = [pearson, spearman, kendall]
# Human scores and metric scores: few distinct values with ties, or many.
VALUES = st.one_of(st.integers(0, 4).map(float), st.floats(-1e3, 1e3).map(lambda v: round(v, 6)))


@st.composite
def pairs(draw, min_size=3):
    n = draw(st.integers(min_size, 30))
    x, y = (np.array(draw(st.lists(VALUES, min_size=n, max_size=n))) for _ in range(2))
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    return x, y


def test_pearson_by_hand():
    # x: 1 2 3 4, y: 1 3 2 5. Sxy = 5.5, Sxx = 5, Syy = 8.75: r = 5.5 / √43.75 = .8315.
    result = pearson([1, 2, 3, 4], [1, 3, 2, 5])
    assert result.estimate == pytest.approx(5.5 / math.sqrt(43.75))
    assert (result.n, result.reason) == (4, "")


@settings(deadline=None)
@given(pairs())
def test_pearson_is_scipys(xy):
    expected = stats.pearsonr(*xy)
    result = pearson(*xy)
    assert result.estimate == pytest.approx(expected.statistic, abs=1e-9)
    assume(abs(expected.statistic) < 1 - 1e-9)  # beyond, the last digit of r decides p
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)


@settings(deadline=None)
@given(pairs())
def test_spearman_is_scipys(xy):
    expected = stats.spearmanr(*xy)
    result = spearman(*xy)
    assert result.estimate == pytest.approx(expected.statistic, abs=1e-9)
    assume(abs(expected.statistic) < 1 - 1e-9)
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)


def pair_counts(x, y):
    """Return concordant and discordant pairs, ties only in x, only in y."""
    signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i in range(len(x)) for j in range(i)]
    return tuple(
        sum(test(a, b) for a, b in signs)
        for test in (
            lambda a, b: a * b > 0,
            lambda a, b: a * b < 0,
            lambda a, b: a == 0 != b,
            lambda a, b: a != 0 == b,
        )
    )


@settings(deadline=None)
@given(pairs())
def test_kendall_is_counted_from_pairs(xy):
    x, y = xy
    concordant, discordant, ties_x, ties_y = pair_counts(x, y)
    untied = concordant + discordant
    tau_b = (concordant - discordant) / math.sqrt((untied + ties_x) * (untied + ties_y))
    assert kendall(x, y).estimate == pytest.approx(tau_b)


def test_kendall_of_five_segments_with_ties():
    # Concordant 6, discordant 3, one tie in x: tau-b 3 / √(10 · 9).
    human, metric = [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]
    assert kendall(human, metric).estimate == pytest.approx(3 / math.sqrt(90))


@pytest.mark.parametrize("correlate", COEFFICIENTS)
@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([], [], "fewer than 3 pairs"),
        ([1, 2], [1, 2], "fewer than 3 pairs"),
        ([1, 2, math.nan, 4], [1, 2, 3, math.nan], "fewer than 3 pairs"),
        ([1, 1, 1], [1, 2, 3], "the first variable does not vary"),
        ([1, 2, 3], [0.1 + 0.2, 0.3, 0.3], "the second variable does not vary"),
        ([5, 5, 5], [2, 2, 2], "neither variable varies"),
        ([0, 0, 0], [1, 2, 3], "the first variable does not vary"),
    ],
)
def test_what_is_undefined_is_nan_with_a_reason(correlate, x, y, reason):
    result = correlate(x, y)
    assert math.isnan(result.estimate) and math.isnan(result.p_value)
    assert result.reason == reason


@pytest.mark.parametrize("correlate", COEFFICIENTS)
def test_infinite_values_have_no_correlation(correlate):
    assert correlate([1, 2, math.inf], [1, 2, 3]).reason == "a value is infinite"


@pytest.mark.parametrize("correlate", COEFFICIENTS)
def test_pairs_with_a_missing_value_are_dropped(correlate):
    x, y = [1, math.nan, 2, 3, 4, 7], [2, 5, 1, math.nan, 4, 5]
    result, without = correlate(x, y), correlate([1, 2, 4, 7], [2, 1, 4, 5])
    assert result.n == 4
    assert result.estimate == without.estimate and result.p_value == without.p_value


@pytest.mark.parametrize("correlate", COEFFICIENTS)
def test_perfect_agreement(correlate):
    result = correlate([1, 2, 3, 4, 5], [10, 20, 30, 40, 50])
    assert result.estimate == pytest.approx(1)
    assert result.p_value < 0.02
    opposite = correlate([1, 2, 3, 4, 5], [-10, -20, -30, -40, -50])
    assert opposite.estimate == pytest.approx(-1)


def test_three_pairs_suffice():
    result = pearson([1, 2, 3], [1, 3, 2])
    assert result.estimate == pytest.approx(0.5) and result.reason == ""


def test_values_near_the_limits_of_floats():
    x = np.array([1, 2, 3, 5])
    for scale in (1e-300, 1e300):
        assert pearson(x * scale, [2, 1, 4, 5]).estimate == pytest.approx(
            pearson(x, [2, 1, 4, 5]).estimate
        )


@pytest.mark.parametrize("correlate", COEFFICIENTS)
def test_bad_arguments_are_refused(correlate):
    with pytest.raises(ValueError, match="one shape"):
        correlate([1, 2, 3], [1, 2])


NAN = math.nan


@settings(deadline=None)
@given(pairs(min_size=4), st.sampled_from([0.9, 0.95]))
def test_regression_band_is_that_of_statsmodels(xy, level):
    x, y = xy
    assume(np.ptp(x) > 1e-3)
    grid = np.linspace(x.min(), x.max(), 7)
    model = sm.OLS(y, sm.add_constant(x)).fit()
    prediction = model.get_prediction(sm.add_constant(grid, has_constant="add"))
    band = regression_band(x, y, grid, level=level)
    scale = 1e-7 * np.abs(y).max()
    assert (band.intercept, band.slope) == pytest.approx(tuple(model.params), rel=1e-6, abs=1e-6)
    np.testing.assert_allclose(band.fit, prediction.predicted_mean, rtol=1e-6, atol=scale)
    low, high = prediction.conf_int(alpha=1 - level).T
    np.testing.assert_allclose(band.low, low, rtol=1e-6, atol=scale)
    np.testing.assert_allclose(band.high, high, rtol=1e-6, atol=scale)


def test_a_level_that_is_none_is_refused():
    with pytest.raises(ValueError, match="level must be between 0 and 1"):
        regression_band([1, 2, 3], [1, 2, 4], [1], level=95)


def test_regression_without_a_band_or_without_a_line():
    two = regression_band([1, 2], [1, 3], [0, 3])
    assert two.fit.tolist() == [-1, 5] and np.isnan(two.low).all()
    assert two.reason == "a band needs at least 3 pairs"
    for x, y, reason in [
        ([1], [1], "fewer than 2 pairs"),
        ([2, 2, 2], [1, 2, 3], "x does not vary"),
        ([1, math.nan, 2], [math.nan, 1, 2], "fewer than 2 pairs"),
        ([1, 2, math.inf], [1, 2, 3], "a value is infinite"),
    ]:
        band = regression_band(x, y, [0, 1])
        assert band.reason == reason and math.isnan(band.slope)
        assert np.isnan(band.fit).all() and band.fit.shape == (2,)


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from([0.0, 1.0, 1.5, 4.0, math.inf, NAN])] * 2), max_size=8))
def test_pairwise_accuracy_counts_signs(scores):
    human, metric = [x for x, _ in scores], [y for _, y in scores]
    both = [pair for pair in scores if not math.isnan(sum(map(abs, pair)))]
    pairs = [(a, b) for i, a in enumerate(both) for b in both[:i]]
    right = sum(
        ((a[0] > b[0]) - (a[0] < b[0])) == ((a[1] > b[1]) - (a[1] < b[1])) for a, b in pairs
    )
    found = pairwise_accuracy(human, metric)
    assert (found.n_correct, found.n_pairs, found.n_left_out) == (right, len(pairs), 0)
    if pairs:
        assert found.estimate == right / len(pairs) and found.reason == ""
    else:
        assert math.isnan(found.estimate) and found.reason == "fewer than 2 systems"


def test_pairwise_accuracy_of_pairs_that_people_separate():
    # People separate the first from the others, on either side of the diagonal; the metric ranks
    # the first above only the third.
    human, metric = [3, 2, 1], [2, 3, 1]
    p_values = [[NAN, 0.01, NAN], [0.99, NAN, 0.2], [0.04, 0.8, NAN]]
    found = pairwise_accuracy(human, metric, p_values=p_values)
    assert (found.n_correct, found.n_pairs, found.n_left_out, found.estimate) == (1, 2, 1, 0.5)
    found = pairwise_accuracy(human, metric, p_values=p_values, alpha=0.02)
    assert (found.n_correct, found.n_pairs, found.estimate) == (0, 1, 0)
    found = pairwise_accuracy(human, metric, p_values=p_values, alpha=0.01)
    assert math.isnan(found.estimate) and found.reason == "people separate no pair"


def test_scores_that_do_not_fit_have_no_pairwise_accuracy():
    with pytest.raises(ValueError, match="two lists"):
        pairwise_accuracy([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="square p-values"):
        pairwise_accuracy([1, 2], [1, 2], p_values=[0.1, 0.2])


def test_systems_by_the_protocols_of_the_esa_study():
    """Spearman's rho of system means between protocols, to the four digits of the table."""
    folder = shared_data("03_mqm_esa_wmt23_en-de")
    scores: dict[str, dict[tuple[str, str], float]] = {"WMT-MQM": {}, "WMT-DASQM": {}}
    for row in read_tsv(folder / "published_esa_segments.en-de.tsv.gz"):
        where = scores.setdefault(row["protocol"], {})
        where[row["system"], row["line"]] = float(row["score"])
    for row in read_tsv(folder / "human_segments.en-de.tsv.gz"):
        for protocol, column in (("WMT-MQM", "mqm"), ("WMT-DASQM", "da_sqm")):
            if row[column]:
                scores[protocol][row["system"], row["line"]] = float(row[column])
    for row in read_tsv(folder / "computed_protocol_agreement.tsv"):
        first, second = scores[row["protocol_a"]], scores[row["protocol_b"]]
        means = [
            [
                np.mean(
                    [table[where] for where in first.keys() & second.keys() if where[0] == name]
                )
                for name in sorted({name for name, _ in first.keys() & second.keys()})
            ]
            for table in (first, second)
        ]
        found = spearman(means[0], means[1])
        assert found.n == int(row["systems"])
        assert found.estimate == pytest.approx(float(row["system_spearman"]), abs=5.1e-5), row
