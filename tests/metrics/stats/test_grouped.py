import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from metrics.stats.columns import count_pairs, ranks
from metrics.stats.groups import COEFFICIENTS, grouped
from tests.shared import read_tsv, shared_data

NAN = math.nan
# Few different values, so that there are ties and constant raters, and missing ones.
SCORES = st.sampled_from([0.0, 0.25, 1.0, 1.0, 2.5, 30.0, -4.0, NAN])


@st.composite
def tables(draw):
    """Draw human scores (S, N) and those of two metrics (2, S, N), from no data to a small test
    set."""
    shape = draw(st.integers(0, 6)), draw(st.integers(0, 5))
    human = draw(arrays(np.float64, shape, elements=SCORES))
    return human, draw(arrays(np.float64, (2, *shape), elements=SCORES))


def columns(human, metric, grouping):
    """Return the paired values of each group, without missing ones."""
    pairs = {
        "none": [(human.ravel(), metric.ravel())],
        "item": list(zip(human.T, metric.T, strict=True)),
        "system": list(zip(human, metric, strict=True)),
    }[grouping]
    for x, y in pairs:
        there = ~(np.isnan(x) | np.isnan(y))
        yield x[there], y[there]


SCIPY = {
    "pearson": lambda x, y: stats.pearsonr(x, y).statistic,
    "spearman": lambda x, y: stats.spearmanr(x, y).statistic,
    "kendall-b": lambda x, y: stats.kendalltau(x, y).statistic,
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c").statistic,
}


@pytest.mark.parametrize("coefficient", SCIPY)
@settings(deadline=None, max_examples=40)
@given(tables(), st.sampled_from(["none", "item", "system"]), st.sampled_from(["skip", "zero"]))
def test_correlations_are_means_of_scipys(coefficient, table, grouping, undefined):
    human, metrics = table
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = grouped(
            human, metrics, grouping=grouping, coefficient=coefficient, undefined=undefined
        )
    for m, metric in enumerate(metrics):
        values, n_groups = [], 0
        for x, y in columns(human, metric, grouping):
            n_groups += 1
            if len(x) > 2 and np.ptp(x) and np.ptp(y):
                values.append(SCIPY[coefficient](x, y))
            elif undefined == "zero" and len(x) > 1:
                values.append(NAN)
        defined = [value for value in values if not math.isnan(value)]
        expected = np.sum(defined) / len(values) if values else NAN
        assert found.estimates[m] == pytest.approx(expected, abs=1e-12, nan_ok=True)
        assert found.n_groups[m] == len(defined)
        assert found.n_undefined[m] == n_groups - len(defined)
        assert bool(found.reasons[m]) == math.isnan(expected)


def outcomes(x, y):
    """Return concordant, discordant, tied by people, by the metric, by both; and differences by
    people."""
    pairs = [(x[i] - x[j], y[i] - y[j]) for i in range(len(x)) for j in range(i)]
    kinds = {"C": 0, "D": 0, "Th": 0, "Tm": 0, "Thm": 0}
    for a, b in pairs:
        order = "C" if a * b > 0 else "D"
        kinds["Thm" if a == b == 0 else "Th" if a == 0 else "Tm" if b == 0 else order] += 1
    return kinds, pairs


def share(numerator, denominator):
    return numerator / denominator if denominator else NAN


@settings(deadline=None, max_examples=60)
@given(tables(), st.sampled_from(["none", "item", "system"]))
def test_coefficients_of_pairs_are_counted(table, grouping):
    human, metrics = table
    found = {
        coefficient: grouped(human, metrics, grouping=grouping, coefficient=coefficient).estimates
        for coefficient in ("tau23", "acc_eq", "kendall-12", "kendall-13", "kendall-14", "daRR")
    }
    for m, metric in enumerate(metrics):
        taus, accuracies, right, wrong = [], [], 0, 0
        total = {"C": 0, "D": 0, "Th": 0, "Tm": 0, "Thm": 0}
        for x, y in columns(human, metric, grouping):
            kinds, pairs = outcomes(x, y)
            if pairs:
                good = kinds["C"] + kinds["Thm"]
                accuracies.append(good / len(pairs))
                taus.append((2 * good - len(pairs)) / len(pairs))
            total = {kind: total[kind] + n for kind, n in kinds.items()}
            right += sum(abs(a) >= 25 and a * b > 0 for a, b in pairs)
            wrong += sum(abs(a) >= 25 and a * b <= 0 for a, b in pairs)
        c, d, ties = total["C"], total["D"], total["Tm"]
        expected = {
            "tau23": share(sum(taus), len(taus)),
            "acc_eq": share(sum(accuracies), len(accuracies)),
            "kendall-12": share(c - d - ties, c + d + ties),
            "kendall-13": share(c - d, c + d),
            "kendall-14": share(c - d, c + d + ties),
            "daRR": share(right - wrong, right + wrong),
        }
        for coefficient, value in expected.items():
            assert found[coefficient][m] == pytest.approx(value, abs=1e-12, nan_ok=True)


def test_long_columns_are_counted_by_sorting():
    rng = np.random.default_rng(3)
    human = rng.integers(0, 9, (70, 2)).astype(np.float64)
    metrics = rng.integers(0, 30, (2, 70, 2)).astype(np.float64)
    human[rng.random(human.shape) < 0.1] = NAN
    metrics[rng.random(metrics.shape) < 0.1] = NAN
    counts = count_pairs(human, metrics)
    for m, n in np.ndindex(2, 2):
        (x, y), *_ = columns(human[:, n], metrics[m, :, n], "none")
        kinds, pairs = outcomes(x, y)
        assert counts.concordant[m, n] == kinds["C"]
        assert counts.discordant[m, n] == kinds["D"]
        assert counts.tied_in_both[m, n] == kinds["Thm"]
        assert counts.tied_in_metric_only[m, n] == kinds["Tm"]
        assert counts.pairs[m, n] == len(pairs)


# The values of this example of five segments: tests of mt-metrics-eval 2 (stats_test.py).
@pytest.mark.parametrize(
    ("coefficient", "value"),
    [
        ("kendall-b", 0.316227766),
        ("kendall-c", 0.32),
        ("tau23", 0.2),
        ("acc_eq", 0.6),
        ("acc_eq*", 0.7),
    ],
)
def test_five_segments(coefficient, value):
    human, metric = np.array([[1, 2, 2, 3, 4.0]]), np.array([[[2, 1, 1.5, 5, 3]]])
    for grouping in ("none", "system"):
        found = grouped(human, metric, grouping=grouping, coefficient=coefficient)
        assert found.estimates == pytest.approx([value])


def test_darr_of_four_segments():
    # mt-metrics-eval 2 (stats_test.py): with threshold 25, 4 right and 1 wrong; with 1, 4 and 2.
    human, metric = np.array([[10, 11, 100, 150]]), np.array([[[2, 1, 4, 3]]])
    found = grouped(human, metric, grouping="none", coefficient="daRR")
    assert found.estimates == pytest.approx([3 / 5])
    found = grouped(human, metric, grouping="none", coefficient="daRR", threshold=1)
    assert found.estimates == pytest.approx([2 / 6])


@given(arrays(np.float64, st.tuples(st.integers(1, 9), st.just(2)), elements=SCORES))
def test_ranks_are_scipys(values):
    for ours, column in zip(ranks(values).T, values.T, strict=True):
        expected = stats.rankdata(column, nan_policy="omit")
        np.testing.assert_array_equal(ours, expected)


def test_infinite_scores_have_an_order_and_no_moments():
    human, metric = [[1.0], [2.0], [3.0]], [[[-math.inf], [0.0], [math.inf]]]
    assert grouped(human, metric, coefficient="kendall-b").estimates.tolist() == [1]
    assert grouped(human, metric, coefficient="pearson").reasons == (
        "no segment has a coefficient",
    )


def test_bad_arguments_are_refused():
    human, metrics = np.zeros((2, 3)), np.zeros((1, 2, 3))
    with pytest.raises(ValueError, match="Expected human scores"):
        grouped(human, metrics[0])
    with pytest.raises(ValueError, match="grouping must be"):
        grouped(human, metrics, grouping="items")
    with pytest.raises(ValueError, match="coefficient must be one of"):
        grouped(human, metrics, coefficient="kendall")
    with pytest.raises(ValueError, match="undefined must be"):
        grouped(human, metrics, undefined="drop")


def test_every_coefficient_of_no_data_is_nan_with_a_reason():
    for coefficient in COEFFICIENTS:
        found = grouped(np.zeros((0, 0)), np.zeros((2, 0, 0)), coefficient=coefficient)
        assert np.isnan(found.estimates).all() and all(found.reasons)


def read_protocols():
    """Return the scores of the protocols of the ESA study: {protocol: {(system, line): score}}."""
    folder = shared_data("03_mqm_esa_wmt23_en-de")
    found: dict[str, dict] = {"WMT-MQM": {}, "WMT-DASQM": {}}
    for row in read_tsv(folder / "published_esa_segments.en-de.tsv.gz"):
        where = found.setdefault(row["protocol"], {})
        where[row["system"], row["line"]] = float(row["score"])
    for row in read_tsv(folder / "human_segments.en-de.tsv.gz"):
        for protocol, column in (("WMT-MQM", "mqm"), ("WMT-DASQM", "da_sqm")):
            if row[column]:
                found[protocol][row["system"], row["line"]] = float(row[column])
    return found


def test_protocols_of_the_esa_study_agree_as_published():
    """Kendall's tau-c and Pearson's r between protocols, to the digits of the table."""
    scores = read_protocols()
    table = list(read_tsv(shared_data("03_mqm_esa_wmt23_en-de", "computed_protocol_agreement.tsv")))
    assert len(table) > 6
    for row in table:
        first, second = scores[row["protocol_a"]], scores[row["protocol_b"]]
        common = sorted(first.keys() & second.keys())
        assert len(common) == int(row["segments"])
        human = np.array([[first[where] for where in common]])
        metric = np.array([[[second[where] for where in common]]])
        for coefficient, column in (("kendall-c", "kendall_tau_c"), ("pearson", "pearson")):
            found = grouped(human, metric, grouping="none", coefficient=coefficient)
            assert found.estimates[0] == pytest.approx(float(row[column]), abs=5.1e-5)
