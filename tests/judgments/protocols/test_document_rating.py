"""Direct assessment of documents: one slider for all segments of a document."""

import pytest
from django.test import Client
from django.urls import reverse

from judgments.models import Judgment, Output, Rating
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from tests import factory

pytestmark = pytest.mark.django_db


class Work:
    """Two documents of two segments, two systems; all planned for one annotator."""

    def __init__(self, **options):
        self.annotator = factory.make_user("annotator")
        self.test_set = factory.make_test_set(factory.make_user("owner"), n_systems=2)
        self.campaign = factory.make_campaign(
            self.test_set, preset="document-assessment", annotators=[self.annotator]
        )
        self.campaign.options |= options
        self.campaign.save()

    def plan(self):
        design.plan(self.campaign, PlanSettings(batch_items=10))
        self.task = self.campaign.tasks.get()
        self.task.annotator = self.annotator
        self.task.save()
        self.client = Client()
        self.client.force_login(self.annotator)
        return self

    def url(self, number=1):
        return reverse("judge-item", args=[self.campaign.pk, number])

    def post(self, value, number=1):
        page = self.client.get(self.url(number)).content.decode()
        ticket = page.partition('name="ticket" value="')[2].partition('"')[0]
        return self.client.post(self.url(number), {"ticket": ticket, "output1-da": value})


def test_the_plan_has_a_screen_for_each_document_and_system():
    work = Work()
    preview = design.preview(work.campaign, PlanSettings(batch_items=10))
    assert (preview.n_items, preview.n_answers, preview.n_segments) == (4, 4, 4)
    work.plan()
    for item in work.task.items.all():
        outputs = [row.output for row in item.shown.order_by("position")]
        assert len({output.system_id for output in outputs}) == 1
        assert [output.segment.position for output in outputs] in ([0, 1], [2, 3])
        assert item.segment_id == outputs[0].segment_id


def test_systems_without_the_whole_document_are_left_out():
    work = Work()
    Output.objects.filter(system__name="System-B", segment__position=1).delete()
    preview = design.preview(work.campaign, PlanSettings(batch_items=10))
    assert preview.n_items == 3
    Output.objects.filter(segment__position__in=[0, 2]).delete()
    Output.objects.filter(segment__position=1).delete()
    assert design.preview(work.campaign, PlanSettings(batch_items=10)).n_items == 2
    Output.objects.all().delete()
    with pytest.raises(design.PlanError, match="as a whole"):
        design.plan(work.campaign, PlanSettings(batch_items=10))


@pytest.mark.parametrize("source", [True, False])
@pytest.mark.parametrize("reference", [True, False])
def test_the_screen_shows_all_paragraphs(source, reference):
    work = Work(source_document=source, reference_document=reference).plan()
    page = work.client.get(work.url())
    positions = work.task.items.get(position=0).outputs.values_list("segment__position", flat=True)
    assert len(page.context["form"].paragraphs) == 2
    for position in positions:
        number = position + 1
        assert (f"Quelltext Nummer {number} steht" in page.content.decode()) is source
        assert (f"Source text number {number} stands" in page.content.decode()) is reference


@pytest.mark.parametrize("value", ["", "-1", "101", "50.5", "x", "nan"])
def test_bad_values(value):
    response = Work().plan().post(value)
    assert response.status_code == 400
    assert list(response.context["form"].errors) == ["output1-da"]
    assert not Judgment.objects.exists()


def test_one_rating_is_stored_and_results_read_documents():
    """Identical segments within a document are shown, and get no rating."""
    work = Work()
    Output.objects.update(text="Yes .")
    work.plan()
    for number, value in enumerate((10, 20, 30, 40), 1):
        assert work.post(str(value), number).status_code == 302
    assert len(work.client.get(work.url()).context["form"].paragraphs) == 2
    assert list(Rating.objects.values_list("value", "is_copy").order_by("pk")) == [
        (value, False) for value in (10, 20, 30, 40)
    ]
    assert set(Rating.objects.values_list("output__segment__position", flat=True)) == {0, 2}
    (question,) = work.client.get(work.url(2)).context["places"][0][2]
    assert question.value == "20"
    scores = scores_figures.system_scores(Selection.of(work.campaign))
    assert scores.n_segments.tolist() == [2, 2]
    work.post("20", 2)
    assert Judgment.objects.count() == 4, "the same again is the same answer"
