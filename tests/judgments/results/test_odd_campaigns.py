"""Pages of campaigns with next to nothing in them: every one has a state that was thought of."""

from django.core.cache import cache

from judgments.models import Judgment, Segment, Task
from judgments.protocols import protocol_of
from tests import factory
from tests.base import CastTestCase

PAGES = (
    "campaign",
    "campaign-design",
    "import-judgments",
    "agreement",
    "quality",
    "scores",
    "exports",
)
FILES = ("correlation", "export-json", "export-observations")
API = ("api-scores", "api-agreement", "api-quality", "api-meta-evaluation")


class OddCampaignTests(CastTestCase):
    def setUp(self):
        cache.clear()

    def campaign_of(self, test_set, preset, **fields):
        return factory.make_campaign(
            test_set, preset=preset, owner=self.owner, annotators=[self.annotator_1], **fields
        )

    def assert_pages(self, campaign):
        for name in (*PAGES, *FILES, *API):
            response = self.get_as(self.owner, name, campaign.pk)
            self.assertEqual(response.status_code, 200, f"{name} of {campaign.preset}")

    def test_no_segments(self):
        empty = factory.make_test_set(self.owner, n_segments=0, n_systems=0, name="Empty")
        for preset in ("adequacy-fluency", "pairwise", "relative-ranking"):
            self.assert_pages(self.campaign_of(empty, preset))

    def test_three_outputs_have_three_ranks(self):
        campaign = self.campaign_of(self.test_set, "relative-ranking")
        task = factory.make_task(campaign, self.annotator_1, n_outputs=3)
        item = task.items.first()
        form = protocol_of(campaign).form(item, list(item.outputs.all()))
        ranks = ["1 (best)", "2", "3 (worst)"]
        for field in form.fields.values():
            self.assertEqual([words for _, words in field.choices], ranks)

    def test_ratings_without_a_question(self):
        for options in ({}, {"dimensions": []}, {"separate_passes": True}):
            campaign = self.campaign_of(self.test_set, "custom-rating", options=options)
            self.assert_pages(campaign)
            self.assertContains(self.get_as(self.owner, "scores", campaign.pk), "No judgments yet")
            data = {"batch_items": "30", "seats": "1", "seed": "1"}
            response = self.post_as(self.owner, "campaign-design", campaign.pk, data=data)
            self.assertContains(response, "asks no question")
            self.assertFalse(Task.objects.filter(campaign=campaign).exists())

    def test_the_first_comparisons(self):
        for answers in ([1], [0], [1, 1], [0, 0], [1, -1]):
            test_set = factory.make_test_set(self.owner, n_segments=2, n_systems=2)
            campaign = self.campaign_of(test_set, "pairwise")
            segments = Segment.objects.filter(test_set=test_set)[: len(answers)]
            task = factory.make_task(campaign, self.annotator_1, segments=segments)
            for item, answer in zip(task.items.order_by("position"), answers, strict=True):
                factory.judge(item, answer)
            self.assert_pages(campaign)
            self.assertEqual(Judgment.objects.filter(campaign=campaign).count(), len(answers))

    def test_one_comparison_says_that_it_ranks_nothing(self):
        task = factory.make_task(self.pairwise, self.annotator_1, batch=2)
        factory.judge(task.items.get(position=0), 1)
        response = self.get_as(self.owner, "scores", self.pairwise.pk)
        self.assertContains(response, "There is no ranking of the 2 systems")
