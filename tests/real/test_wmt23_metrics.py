"""WMT23 English–German through the importer: texts, people's marked errors and 45 metrics as
released; the result is each metric's agreement with people.
"""

import numpy as np
import pytest
from django.contrib.auth import get_user_model
from scipy import stats

from judgments.exchange.releases import registry
from judgments.exchange.releases.records import Problems
from judgments.exchange.releases.writing import write
from judgments.files.uploads import opened
from judgments.models import Campaign
from judgments.results.selection.selection import Selection
from metrics.with_people import StudyChoice, averages_of, board_of, campaign_tasks, words
from tests.metrics.with_people.studies import over_segments, over_systems, page_of, study_of
from tests.real_data import OWNER
from tests.shared import read_tsv, shared_data

pytestmark = [pytest.mark.proof, pytest.mark.django_db]

NAME = "03_mqm_esa_wmt23_en-de"


def import_wmt23(folder):
    """The campaign of MQM scores; the folder of the release comes in as it is."""
    owner, _ = get_user_model().objects.get_or_create(username=OWNER)
    problems = Problems()
    with opened([shared_data("10_as_released", "wmt23.en-de.tar.gz")]) as files:
        write(registry.read(files, {}, problems), owner, problems)
    return Campaign.objects.get(name="wmt23 en-de mqm")


@pytest.fixture(scope="module")
def campaign(imported):
    shared_data("10_as_released", "wmt23.en-de.tar.gz")
    return imported(import_wmt23)


@pytest.fixture
def systems(campaign):
    return over_systems(campaign)


def test_accuracy_and_pearson_of_all_metrics(systems):
    expected = {
        row["metric"]: (row["pairwise_accuracy"], row["pearson"])
        for row in read_tsv(shared_data(NAME, "expected_metric_agreement.en-de.tsv"))
    }
    assert len(expected) == 45
    assert systems.left_out == ("refA",)
    assert len(systems.systems) == 12
    found = {
        row.metric.label.split(" (")[0]: tuple(
            f"{row.figures[key].estimate:.4f}" for key in ("accuracy", "pearson")
        )
        for row in systems.rows
        if not row.metric.is_sentinel
    }
    assert found == expected
    assert {row.figures["accuracy"].n for row in systems.rows} == {66}


def test_every_interval_holds_its_estimate(systems):
    for row in systems.rows:
        figure = row.figures["pearson"]
        if figure.has_interval:
            assert figure.low <= figure.estimate <= figure.high, row.metric.label


def test_sentinels_show_what_no_grouping_rewards(campaign):
    """Source length says nothing among the systems of one segment, and much over all outputs."""
    by = {grouping: over_segments(campaign, grouping) for grouping in ("item", "none")}
    length = {
        grouping: next(row for row in found.rows if row.metric.metric == "source_length")
        for grouping, found in by.items()
    }
    assert np.isnan(length["item"].figures["pearson"].estimate)
    assert length["none"].figures["pearson"].estimate > 0.5
    assert any("MetricX-23" in warning for warning in words.warnings(by["none"]))
    # Behind a sentinel of length are the last two of that year, one of them random by design.
    for warning in words.warnings(by["item"]):
        for metric in ("MetricX-23", "COMET", "BLEU", "chrF"):
            assert metric not in warning


def test_by_item_against_scipy(campaign):
    study = study_of(campaign)
    segments = over_segments(campaign, "item")
    place = next(i for i, metric in enumerate(study.metrics) if metric.label == "COMET")
    row = next(row for row in segments.rows if row.metric == study.metrics[place])
    pairs = [
        (human, metric)
        for human, metric in zip(study.human.T, study.segments[place].T, strict=True)
        if np.ptp(human) > 0 and np.ptp(metric) > 0
    ]
    for key, oracle in (("pearson", stats.pearsonr), ("kendall-b", stats.kendalltau)):
        expected = np.mean([oracle(human, metric).statistic for human, metric in pairs])
        figure = row.figures[key]
        assert figure.estimate == pytest.approx(expected, abs=1e-9)
        assert figure.n == len(pairs)
        assert figure.low < figure.estimate < figure.high


def test_averages_are_made_of_the_parts(campaign):
    board = board_of(campaign.test_set)
    averages = averages_of([campaign_tasks(Selection.of(campaign), StudyChoice(), board)])
    row = next(row for row in averages.rows if row.name == "COMET")
    r_sys, r_seg = (row.tasks[key] for key in ("system_pearson", "segment_pearson"))
    total = row.tasks["accuracy"] + (r_sys + 1) / 2 + (r_seg + 1) / 2 + row.tasks["acc_eq"]
    assert row.wmt23 == pytest.approx(total / 4)
    assert row.wmt24 == pytest.approx((row.tasks["spa"] + row.tasks["acc_eq"]) / 2)


def test_learned_here_explains_more_than_the_best_metric(campaign):
    """43 metrics together, each document predicted without it, against the best one's line."""
    found = page_of(campaign).learned
    assert (found.n_outputs, found.n_documents, found.n_folds) == (5520, 190, 10)
    assert found.best is not None and found.best.label.startswith("XCOMET")
    assert 0.4 < found.best_share.estimate < found.share.estimate < 0.65
    assert found.gain.low > 0
    print(f"learned {found.share}, {found.best.label} {found.best_share}, gain {found.gain}")
