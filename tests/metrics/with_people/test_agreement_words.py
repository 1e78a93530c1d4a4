"""The texts of the sections, and the treatment of sentinels and outliers, on generated figures."""

from dataclasses import replace
from math import nan

import numpy as np
import pytest

from metrics.with_people import averages_of, words
from metrics.with_people.agreement import Figure, MetricAgreement, MetricRow, ordered
from metrics.with_people.study import Metric, StudyChoice
from metrics.with_people.systems import separated
from metrics.with_people.tables import names_of


def metric(label, *, is_sentinel=False, higher=True):
    return Metric(label.lower(), label, label.lower(), ("ref",), "s", "s", higher, is_sentinel)


def agreement(values, **fields):
    """Return an agreement over systems with these Pearson correlations by label; `Lot` is a
    sentinel."""
    rows = [
        MetricRow(
            metric(label, is_sentinel=label == "Lot"),
            {
                "pearson": Figure(estimate=value, n=12, reason="" if value == value else "why"),
                "accuracy": Figure(estimate=0.5, n=66),
                "spa": Figure(estimate=0.75, low=0.7, high=0.8, n=66),
            },
        )
        for label, value in values.items()
    ]
    known = {
        "level": "system",
        "human_name": "Adequacy, mean rating",
        "statistics": {"pearson": "Pearson r", "accuracy": "Accuracy", "spa": "Soft"},
        "headline": "pearson",
        "rows": ordered(rows, "pearson"),
        "systems": tuple("ABCDEFGHIJKL"),
        "left_out": (),
        "n_segments": 5,
        "seed": 1,
    }
    return MetricAgreement(**known | fields)


def test_the_best_first_and_what_is_undefined_last():
    found = agreement({"One": 0.2, "Two": nan, "Lot": 0.9, "Three": 0.5})
    assert [row.metric.label for row in found.rows] == ["Lot", "Three", "One", "Two"]
    assert found.best.metric.label == "Three"


def test_a_sentinel_above_a_metric_is_warned_of():
    found = agreement({"One": 0.2, "Two": nan, "Lot": 0.4, "Three": 0.5})
    (warning,) = words.warnings(found)
    assert "by Pearson r: Lot above One. Either such a metric" in warning
    assert not words.warnings(agreement({"One": 0.5, "Lot": 0.4}))
    assert not words.warnings(agreement({"One": 0.5, "Lot": nan}))


def test_sentences():
    found = agreement({"One": 0.25, "Two": -0.5})
    assert words.lead(found) == (
        "Of 2 metrics One agrees best with people: Pearson r = .250 over 12 systems."
    )
    assert words.system_lead(found) == (
        "One orders 33 of 66 pairs of systems as people do (accuracy .500); soft pairwise accuracy "
        ".750 (95 % interval [.700, .800])."
    )
    assert words.lead(agreement({"One": nan})) == (
        "Over 12 systems no correlation is defined: why."
    )
    assert words.outlier_words(found) == "No system is an outlier."
    assert words.outlier_words(replace(found, outliers=("A", "B"))).startswith("A and B are outl")
    assert words.humans_words(replace(found, left_out=("ref",)), "out") == (
        "ref is a human reference and was left out."
    )
    assert words.in_words("Accuracy, ties calibrated") == "accuracy, ties calibrated,"
    assert words.in_words("Kendall τ-b") == "Kendall τ-b"


def test_reasons_name_the_metrics_that_they_are_about():
    found = agreement({"One": 0.25, "Two": nan})
    assert words.reasons(found, ["pearson", "spa"]) == ["Pearson r: why (Two)."]
    assert words.reasons(found, ["pearson"]) == ["No value: why (Two)."]


def test_names_are_as_short_as_they_differ():
    long = [metric("COMET (refA)"), metric("BLEU (refA)"), metric("BLEU (refB)")]
    assert list(names_of(long).values()) == ["COMET", "BLEU (refA)", "BLEU (refB)"]
    same = [replace(metric("BLEU"), slug=ref, references=(ref,)) for ref in ("refA", "refB")]
    assert set(names_of(same).values()) == {"BLEU (reference refA)", "BLEU (reference refB)"}


def test_what_people_separate():
    class Judged:
        p_values = np.array([[nan, 0.01, 0.6], [0.01, nan, 0.05], [0.6, 0.05, nan]])

    expected = [[False, True, False], [True, False, False], [False, False, False]]
    assert separated(Judged).tolist() == expected

    class Compared:
        p_values = None

    assert separated(Compared) is None


def test_no_campaign_has_no_average():
    found = averages_of([])
    assert (found.rows, found.n_campaigns) == ((), 0)


@pytest.mark.parametrize("wrong", [{"over": "some"}, {"humans": "some"}, {"fewest": "some"}])
def test_unknown_choices_are_refused(wrong):
    with pytest.raises(ValueError, match="not 'some'"):
        StudyChoice(**wrong)
