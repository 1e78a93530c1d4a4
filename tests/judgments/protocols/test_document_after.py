"""DA+SQM with a score of the document after its last segment, and related presets."""

import pytest
from django.test import Client
from django.urls import reverse

from judgments.exchange.releases import from_database
from judgments.exchange.releases.appraise import rows_of
from judgments.models import Item, Judgment, Output, Rating, System
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.protocols import PRESETS, preset_named, protocol_of
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from metrics.with_people.judged_segments import judged_in
from tests import factory

pytestmark = pytest.mark.django_db
PRESET = "da-sqm-document"


class Work:
    """Two documents of three segments, two systems, one annotator."""

    def __init__(self, preset=PRESET, **settings):
        self.owner = factory.make_user("owner")
        self.annotator = factory.make_user("annotator")
        self.test_set = factory.make_test_set(self.owner, n_segments=6, n_documents=2, n_systems=2)
        self.campaign = factory.make_campaign(
            self.test_set, preset=preset, owner=self.owner, annotators=[self.annotator]
        )
        self.settings = PlanSettings(**{"batch_items": 100} | settings)

    def plan(self):
        design.plan(self.campaign, self.settings)
        self.campaign.tasks.update(annotator=self.annotator)
        self.client = Client()
        self.client.force_login(self.annotator)
        return self

    def items(self):
        return list(
            Item.objects.filter(task__campaign=self.campaign)
            .select_related("segment")
            .order_by("task__batch", "position")
        )

    def url(self, number=1):
        return reverse("judge-item", args=[self.campaign.pk, number])

    def page(self, number=1):
        return self.client.get(self.url(number)).content.decode()

    def post(self, number, **values):
        ticket = self.page(number).partition('name="ticket" value="')[2].partition('"')[0]
        return self.client.post(self.url(number), {"ticket": ticket} | values)

    def judge_all(self, value=lambda number: number * 5):
        for number, item in enumerate(self.items(), 1):
            answers = {"output1-sqm": value(number)}
            if item.part:
                answers["output1-sqm_document"] = value(number) + 1
            assert self.post(number, **answers).status_code == 302


def test_the_last_segment_of_each_reading_asks_about_the_document():
    work = Work()
    preview = design.preview(work.campaign, work.settings)
    assert (preview.n_items, preview.n_answers) == (12, 12 + 4)
    items = work.plan().items()
    assert [bool(item.part) for item in items] == [False, False, True] * 4
    assert {item.segment.position for item in items if item.part} == {2, 5}


def test_documents_cannot_be_judged_in_parts():
    with pytest.raises(design.PlanError, match="whole documents"):
        Work(block_length=2).plan()


def test_outputs_that_read_the_same_are_each_rated_in_their_document():
    work = Work()
    first, second = System.objects.order_by("name")
    for output in Output.objects.filter(system=first, segment__position=2):
        Output.objects.filter(system=second, segment=output.segment).update(text=output.text)
    work.plan()
    assert len(work.items()) == 12
    assert {item.shown.count() for item in work.items()} == {1}


def test_the_screen_asks_both_and_shows_the_document_around():
    work = Work().plan()
    assert "output1-sqm_document" not in work.page(1)
    last = work.page(3)
    assert "The whole document" in last and 'name="output1-sqm"' in last
    assert last.count('<li class="row') == 3
    assert work.page(1).count('<li class="row') == 3


def test_an_answer_without_the_document_is_not_complete():
    work = Work().plan()
    assert work.post(3, **{"output1-sqm": 50}).status_code == 400
    assert not Judgment.objects.exists()
    # And if the document is not asked about, it is not stored.
    work.post(1, **{"output1-sqm": 50, "output1-sqm_document": 1})
    assert list(Rating.objects.values_list("dimension", "value")) == [("sqm", 50)]


def test_a_check_asks_nothing_about_the_document():
    work = Work(loud_checks=2, silent_checks=2).plan()
    checks = [item for item in work.items() if item.kind == "check"]
    assert checks and not any(item.part for item in checks)


def test_results_have_a_score_of_documents_beside_that_of_segments():
    work = Work().plan()
    work.judge_all()
    selection = Selection.of(work.campaign)
    by_segment = scores_figures.segment_scores(selection, "sqm")
    by_document = scores_figures.segment_scores(selection, "sqm_document")
    assert by_segment.values.shape == (2, 6)
    assert by_document.values.shape == (2, 2)
    assert by_document.n.sum() == 4
    # The first document in its first reading: items 1 to 3.
    assert 16 in by_document.values
    owner = Client()
    owner.force_login(work.owner)
    for page in ("agreement", "scores", "quality", "power", "correlation"):
        assert owner.get(reverse(page, args=[work.campaign.pk])).status_code == 200, page
    scores = owner.get(reverse("scores", args=[work.campaign.pk])).content.decode()
    assert "whole document" in scores.lower()


def test_metrics_are_compared_on_whole_documents():
    work = Work()
    protocol = protocol_of(work.campaign)
    assert protocol.rates_documents("sqm_document") and not protocol.rates_documents("sqm")
    last = [segment.pk for segment in work.test_set.segments.all() if segment.position in (2, 5)]
    judged = judged_in(work.campaign, last, protocol.rates_documents("sqm_document"))
    assert [places.tolist() for places in judged.documents] == [[0, 1, 2], [3, 4, 5]]


def test_appraise_gets_a_row_for_the_document():
    work = Work().plan()
    work.judge_all()
    release = from_database.release_of([work.campaign])
    rows = list(rows_of(from_database.judgments_part(work.campaign), release.texts[0]))
    assert len(rows) == 12 + 4
    of_documents = [row for row in rows if row[8] == "True"]
    assert sorted(int(row[6]) for row in of_documents) == [16, 31, 46, 61]


@pytest.mark.parametrize("slug", ["xsts-rp", "correct-or-not", PRESET])
def test_new_presets_say_what_they_ask(slug):
    preset = preset_named(slug)
    assert slug in PRESETS and all(d.provenance for d in preset.dimensions)


def test_correct_or_not_is_a_share():
    (dimension,) = preset_named("correct-or-not").dimensions
    assert dimension.scale.is_yes_or_no
