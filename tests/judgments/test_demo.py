"""The demo loads once, is labelled, and its systems differ as they were written."""

import pytest
from django.contrib.auth import get_user_model

from judgments import demo, results
from judgments.demo import simulation
from judgments.models import (
    Campaign,
    ErrorSpan,
    Item,
    Judgment,
    Rating,
    Task,
    TestSet,
    controls_of,
)
from judgments.pages import scores
from judgments.results.answers import answers_report
from judgments.results.selection import Selection

pytestmark = pytest.mark.slow


@pytest.fixture
def loaded(db):
    demo.load()


SYSTEMS = {*simulation.SYSTEM_QUALITY, simulation.CONTROL}


def test_demo_has_thirty_segments_and_five_systems(loaded):
    test_set = TestSet.objects.get()
    assert test_set.segments.count() == 30
    assert test_set.documents.count() == 2
    assert set(test_set.systems.values_list("name", flat=True)) == SYSTEMS
    assert controls_of(test_set) == {
        test_set.systems.get(name=simulation.CONTROL).pk: simulation.CONTROL
    }
    assert test_set.reference_names == ["ref"]


def test_demo_loads_once(loaded):
    before = Judgment.objects.count()
    assert demo.load() == "already there"
    assert Judgment.objects.count() == before


def test_every_campaign_is_labelled_simulated(loaded):
    assert set(Campaign.objects.values_list("simulated", flat=True)) == {True}


def test_counters_agree_with_the_rows(loaded):
    for task in Task.objects.all():
        assert task.n_items == task.items.count()
        assert task.n_judged == Judgment.objects.filter(item__task=task).count()
        assert task.n_judged == Item.objects.filter(task=task, is_judged=True).count()


def test_simulated_ratings_order_the_systems_as_written(loaded):
    means = {
        name: sum(values) / len(values)
        for name in SYSTEMS
        if (
            values := list(
                Rating.objects.filter(output__system__name=name, dimension="adequacy").values_list(
                    "value", flat=True
                )
            )
        )
    }
    assert sorted(means, key=means.get) == ["Baseline", "Pebble", "Meadow", "Lantern", "Harbor"]


def test_every_ranking_by_people_says_that_the_control_is_last(loaded):
    campaigns = Campaign.objects.exclude(protocol="questions")
    assert len(campaigns) == 3
    for campaign in campaigns:
        selection = Selection.of(campaign)
        for options in scores.options_of(selection):
            sentence = scores.section(selection, options).sentence()
            assert "Baseline, a control system of known weakness, is last and in a" in sentence


def test_seats_are_left_for_a_visitor(loaded):
    annotator = get_user_model().objects.get(username="annotator")
    for campaign in Campaign.objects.all():
        assert campaign.tasks.free_for(annotator).exists()


def test_simulated_readers_understood_the_systems_as_written(loaded):
    report = answers_report(Selection.of(Campaign.objects.get(protocol="questions")))
    assert report.systems == ("Harbor", "Lantern", "Meadow", "Pebble", "Baseline")
    assert (report.n_answers, report.n_questions, report.n_ungraded) == (40, 8, 0)
    assert [cell.n_right for cell in report.overall()] == [8, 6, 4, 2, 0]
    assert {cell.n for cell in report.overall()} == {8}


def test_simulated_errors_order_the_systems_as_written(loaded):
    campaign = Campaign.objects.get(protocol="spans")
    report = results.errors(Selection.of(campaign))
    assert report.names == ("Harbor", "Lantern", "Meadow", "Pebble", "Baseline")
    assert report.n_judgments.tolist() == [60] * 5
    assert report.n_unmarked == 0
    words = {span.output.text[span.start : span.end] for span in ErrorSpan.objects.all()}
    assert all(word.isalnum() or "_" in word for word in words)
