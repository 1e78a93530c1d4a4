"""The demo loads once, is labelled, and its systems differ as they were written."""

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from judgments.exchange import demo
from judgments.exchange.demo import simulation
from judgments.models import (
    Campaign,
    ErrorSpan,
    Item,
    ItemOutput,
    Judgment,
    Rating,
    Task,
    TestSet,
    controls_of,
)
from judgments.quality.rules.figures import quality
from judgments.quality.rules.verdicts import verdicts_of
from judgments.results.answers.figures import answers_report
from judgments.results.errors import figures as errors
from judgments.results.scores import page as scores
from judgments.results.selection.selection import Selection
from tests.made_once import rows_of_the_module

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def loaded_once(django_db_setup, django_db_blocker):
    with rows_of_the_module(django_db_blocker):
        demo.load()
        yield


@pytest.fixture
def loaded(loaded_once, db):
    """The demo, as it was loaded."""


SYSTEMS = {*simulation.SYSTEM_QUALITY, simulation.CONTROL}


def test_demo_has_thirty_segments_five_systems_and_two_references(loaded):
    test_set = TestSet.objects.get()
    assert test_set.segments.count() == 30
    assert test_set.documents.count() == 2
    named = test_set.systems.without_copies().values_list("name", flat=True)
    assert set(named) == SYSTEMS
    assert controls_of(test_set) == {
        test_set.systems.get(name=simulation.CONTROL).pk: simulation.CONTROL
    }
    assert test_set.reference_names == ["ref", "ref2"]
    for segment in test_set.segments.prefetch_related("references"):
        one, other = (reference.text for reference in segment.references.all())
        assert one != other


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
    campaigns = Campaign.objects.of_people().exclude(protocol="questions")
    assert len(campaigns) == 3
    for campaign in campaigns:
        selection = Selection.of(campaign)
        for options in scores.options_of(selection):
            sentence = scores.section(selection, options).sentence()
            assert "Baseline, a control system of known weakness, is last and in a" in sentence


def test_seats_are_left_for_a_visitor(loaded):
    annotator = get_user_model().objects.get(username="annotator")
    for campaign in Campaign.objects.of_people():
        assert campaign.tasks.free_for(annotator).exists()


def test_simulated_readers_understood_the_systems_as_written(loaded):
    report = answers_report(Selection.of(Campaign.objects.get(protocol="questions")))
    assert report.systems == ("Harbor", "Lantern", "Meadow", "Pebble", "Baseline")
    assert (report.n_answers, report.n_questions, report.n_ungraded) == (40, 8, 0)
    assert [cell.n_right for cell in report.overall()] == [8, 6, 4, 2, 0]
    assert {cell.n for cell in report.overall()} == {8}


def test_simulated_errors_order_the_systems_as_written(loaded):
    campaign = Campaign.objects.get(protocol="spans", by_model=False)
    report = errors.errors(Selection.of(campaign))
    assert report.names == ("Harbor", "Lantern", "Meadow", "Pebble", "Baseline")
    # Twice thirty each, and repeats of them.
    assert report.n_judgments.min() >= 60
    n_repeats = Item.objects.filter(task__campaign=campaign, kind="repeat", is_judged=True).count()
    assert report.n_judgments.sum() == 300 + n_repeats
    assert report.n_unmarked == 0
    shown = ItemOutput.objects.filter(altered__isnull=False).select_related("altered")
    altered = {(row.item_id, row.output_id): row.altered.text for row in shown}
    for span in ErrorSpan.objects.select_related("output", "judgment"):
        key = span.judgment.item_id, span.output_id
        text = altered.get(key, span.output.text)
        word = text[span.start : span.end]
        assert word and (key in altered or word.isalnum() or "_" in word), word


def test_every_kind_of_control_item_is_there(loaded):
    """As far as a protocol has them: adequacy and fluency, and comparisons, show the reference."""
    kinds = {
        campaign.protocol: set().union(
            *Item.objects.filter(task__campaign=campaign).values_list("kind", "control_kind")
        )
        - {"", "regular"}
        for campaign in Campaign.objects.of_people()
    }
    assert kinds == {
        "spans": {"repeat", "reference", "degraded", "check"},
        "rating": {"repeat", "degraded", "check"},
        "pairwise": {"repeat", "check"},
        "questions": set(),
    }


def test_the_rules_find_the_careless_annotator_and_nobody_else(loaded):
    for campaign in Campaign.objects.of_people().exclude(protocol="questions"):
        report = quality(Selection.of(campaign))
        verdicts = verdicts_of(campaign, report)
        failing = [each.alias for each in report.annotators if verdicts[each.user].state == "fail"]
        assert failing == ["Finn"], campaign
    spans = quality(Selection.of(Campaign.objects.get(protocol="spans", by_model=False)))
    tests = {each.alias: each.control.verdict for each in spans.annotators}
    assert tests.pop("Finn") == "fail"
    assert set(tests.values()) == {"pass"}


def test_the_page_of_quality_shows_degraded_copies(loaded, client):
    client.force_login(get_user_model().objects.get(username="manager"))
    campaign = Campaign.objects.get(protocol="spans", by_model=False)
    page = client.get(reverse("quality", args=[campaign.pk])).content.decode()
    assert "There are no degraded copies" not in page
    assert "Finn" in page
