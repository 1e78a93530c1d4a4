"""Averages of metrics over several campaigns, for users who may read them."""

import csv
import io

from django.core.cache import caches
from django.urls import reverse
from django_tasks_db.models import DBTaskResult

from judgments.models import Item, Project
from judgments.quality.decisions.decisions import decide
from judgments.results.selection.selection import Selection
from metrics import with_people as agreement
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from metrics.with_people import tasks as with_people_tasks
from tests import factory
from tests.base import CastTestCase

NAMES = ("project-metrics", "project-metrics-file")


class MetaEvaluationTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        people = {"owner": cls.owner, "researchers": [cls.researcher]}
        other = factory.make_test_set(cls.owner, name="Other set", n_segments=5)
        cls.other = factory.make_campaign(
            other, name="Other campaign", annotators=[cls.annotator_1], **people
        )
        factory.make_task(cls.other, cls.annotator_1)
        values = iter([5, 3, 1, 4, 3, 2, 5, 2, 1, 4, 4, 2, 1, 5] * 8)
        for campaign, slugs in ((cls.campaign, ("bleu", "ter")), (cls.other, ("bleu", "chrf"))):
            for item in Item.objects.filter(task__campaign=campaign).order_by("pk"):
                row = [float(next(values)) for _ in range(3)]
                factory.judge(item, {"adequacy": row, "fluency": row})
            chosen = [MetricChoice(slug) for slug in slugs]
            jobs.work_on(jobs.create_job(campaign.test_set, chosen, ["ref"]).pk)

    def setUp(self):
        caches["results"].clear()

    def project(self, *campaigns):
        """Return the URL of the project with exactly these."""
        slug = "-".join(["of", *(str(campaign.pk) for campaign in campaigns)])
        found, _ = Project.objects.get_or_create(slug=slug, name=slug, owner=self.owner)
        found.campaigns.set(campaigns)
        return slug

    def page(self, *campaigns, user=None, name="project-metrics", **query):
        return self.get_as(user or self.researcher, name, self.project(*campaigns), data=query)

    def part(self):
        client = self.as_user(self.researcher)
        address = reverse("project-metrics", args=[self.project(self.campaign)])
        return client.get(address, headers={"HX-Request": "true"})

    def work(self, preset="page"):
        """Do what a worker does with all waiting tasks."""
        for campaign in (self.campaign, self.other):
            with_people_tasks.run_agreement.call(campaign.pk, preset)

    def compute(self, *campaigns, user=None, preset="page"):
        slug, data = self.project(*campaigns), {"preset": preset}
        return self.post_as(user or self.researcher, "project-metrics", slug, data=data)

    def queued(self):
        return DBTaskResult.objects.filter(task_path="metrics.with_people.tasks.run_agreement")

    def test_a_worker_computes_and_the_page_says_how_far_it_is(self):
        response = self.compute(self.campaign, self.other)
        address = reverse("project-metrics", args=[self.project(self.campaign, self.other)])
        self.assertRedirects(response, f"{address}?preset=page", fetch_redirect_response=False)
        self.assertEqual(self.queued().count(), 2)
        self.assertContains(self.page(self.campaign, self.other), "0 of 2 campaigns done")
        self.compute(self.campaign, self.other)
        self.assertEqual(self.queued().count(), 2)  # waiting tasks are not queued again
        response = self.page(self.campaign, self.other, name="project-metrics-file")
        self.assertEqual(response.status_code, 404)
        with_people_tasks.run_agreement.call(self.other.pk, "page")
        self.assertContains(self.page(self.campaign, self.other), "1 of 2 campaigns done")
        with_people_tasks.run_agreement.call(self.campaign.pk, "page")
        self.assertContains(self.page(self.campaign, self.other), "Highest on average")
        self.queued().delete()
        self.compute(self.campaign, self.other)
        self.assertEqual(self.queued().count(), 0)  # nor computed ones

    def test_reading_starts_nothing(self):
        for name in NAMES:
            self.page(self.campaign, self.other, name=name)
        self.part()
        self.assertEqual(self.queued().count(), 0)
        response = self.page(self.campaign, self.other)
        self.assertContains(response, f"Not computed yet: {self.campaign.name}, Other campaign.")
        self.assertNotContains(response, "hx-trigger")

    def test_what_failed_is_tried_again_when_asked_for(self):
        self.compute(self.other)
        self.queued().update(status="FAILED")
        self.assertContains(self.page(self.other), "the worker failed: Other campaign.")
        self.compute(self.other)
        self.assertEqual(self.queued().filter(status="READY").count(), 1)
        self.assertContains(self.page(self.other), "0 of 1 campaign done")

    def test_the_part_that_waits_is_asked_for_alone(self):
        response = self.part()
        self.assertContains(response, 'id="averages"')
        self.assertNotContains(response, "<html")

    def test_presets_choose_for_each_campaign(self):
        self.work("wmt24")
        response = self.page(self.campaign, self.other, preset="wmt24")
        self.assertContains(response, "Highest on average")
        chosen = agreement.PRESETS["wmt24"].choice(self.campaign)
        pair = self.test_set.source_language, self.test_set.target_language
        self.assertEqual(chosen.humans, "others" if pair == ("en", "de") else "out")
        self.assertIsNone(chosen.dimension)  # none is called mqm: the first
        mqm = agreement.PRESETS["wmt23"].choice(self.campaign)
        self.assertEqual(mqm.humans, "out")

    def test_two_campaigns_of_one_test_set_are_warned_of(self):
        again = factory.make_campaign(
            self.test_set, owner=self.owner, researchers=[self.researcher], name="Once more"
        )
        response = self.page(self.campaign, again)
        self.assertContains(response, f"{self.campaign.name} and Once more judged one test set")
        self.assertNotContains(self.page(self.campaign, self.other), "judged one test set")

    def test_who_is_signed_out_is_sent_to_sign_in(self):
        for name in NAMES:
            self.assertEqual(self.get_as(None, name, self.project()).status_code, 302)

    def test_outsiders_and_annotators_read_nothing(self):
        for name in NAMES:
            for user in (self.outsider, self.annotator_1):
                self.assertEqual(self.page(self.campaign, user=user, name=name).status_code, 404)

    def test_a_project_without_campaigns(self):
        self.assertContains(self.page(user=self.owner), "No campaign to read")

    def test_who_may_not_read_cannot_have_it_computed(self):
        for user in (self.outsider, self.annotator_1):
            self.assertEqual(self.compute(self.campaign, user=user).status_code, 404)
        self.assertEqual(self.post_as(None, "project-metrics", self.project()).status_code, 302)
        self.assertEqual(self.queued().count(), 0)

    def test_it_says_which_judgments_count(self):
        third = factory.make_user("annotator-3")
        self.campaign.memberships.create(user=third, role="annotator", alias="annotator-3")
        decide(self.campaign, third, excluded=True, reason="Hurried.", by=self.owner)
        self.work()
        response = self.page(self.campaign)
        said = f"{self.campaign.name}: 1 annotator is left out"
        self.assertContains(response, f"<strong>{said}.</strong>")
        response = self.page(self.campaign, name="project-metrics-file")
        rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
        self.assertEqual({row["selection"] for row in rows}, {said})
        (address,) = {row["address"] for row in rows}
        self.assertContains(self.client.get(address), f"<strong>{said}.</strong>")

    def test_two_campaigns(self):
        self.work()
        response = self.page(self.campaign, self.other)
        self.assertContains(response, "Highest on average: BLEU")
        self.assertContains(response, "not every campaign has them: TER and chrF.")
        rows = {row[0]: row for row in response.context["averages"].rows}
        self.assertEqual(set(rows), {"BLEU", "Length ratio", "Source length", "Random"})
        # The scheme of WMT24 from the figures of each campaign's own page.
        parts = []
        for campaign in (self.campaign, self.other):
            found = agreement.campaign_tasks(
                Selection.of(campaign),
                agreement.StudyChoice(),
                agreement.board_of(campaign.test_set),
            )
            *_, figures = found.figures()["BLEU"]
            parts.append((figures["spa"].estimate + figures["acc_eq"].estimate) / 2)
        self.assertAlmostEqual(rows["BLEU"][2], sum(parts) / 2)

    def test_the_table_as_a_file(self):
        self.work()
        response = self.page(self.campaign, self.other, name="project-metrics-file")
        found = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
        shown = self.page(self.campaign, self.other).context["averages"]
        self.assertEqual([row["metric"] for row in found], [row[0] for row in shown.rows])
        self.assertEqual(float(found[0]["wmt24"]), shown.rows[0][2])

    def test_what_has_no_scores_is_named(self):
        self.work()
        response = self.page(self.campaign, self.pairwise)
        self.assertContains(
            response, "because metric scores or judgments are missing: Pairwise campaign."
        )
