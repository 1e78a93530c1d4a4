"""Averages of metrics over several campaigns, for those who may read them."""

import csv
import io

from django.urls import reverse

from judgments.models import Item
from judgments.results.selection import Selection
from metrics import jobs
from metrics import meta_evaluation as meta
from metrics.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase


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

    def page(self, *campaigns, user=None, name="meta-evaluation"):
        keys = [campaign.pk for campaign in campaigns]
        return self.get_as(user or self.researcher, name, data={"campaign": keys})

    def test_who_is_signed_out_is_sent_to_sign_in(self):
        for name in ("meta-evaluation", "meta-evaluation-file"):
            self.assertEqual(self.get_as(None, name).status_code, 302)

    def test_outsiders_and_annotators_read_nothing(self):
        for name in ("meta-evaluation", "meta-evaluation-file"):
            for user, status in ((self.outsider, 404), (self.annotator_1, 403)):
                response = self.page(self.campaign, user=user, name=name)
                self.assertEqual(response.status_code, status)
        response = self.page(user=self.outsider)
        self.assertContains(response, "No campaign to read")
        self.assertNotContains(response, self.campaign.name)

    def test_nothing_chosen_yet(self):
        response = self.page()
        self.assertContains(response, "Choose campaigns")
        self.assertContains(response, "Other campaign")

    def test_reading_only(self):
        client = self.as_user(self.researcher)
        self.assertEqual(client.post(reverse("meta-evaluation")).status_code, 405)

    def test_two_campaigns(self):
        response = self.page(self.campaign, self.other)
        self.assertContains(response, "Highest on average: BLEU")
        self.assertContains(response, "not every campaign has them: TER and chrF.")
        rows = {row[0]: row for row in response.context["averages"].rows}
        self.assertEqual(set(rows), {"BLEU", "Length ratio", "Source length", "Random"})
        # The scheme of WMT24 from the figures of each campaign's own page.
        parts = []
        for campaign in (self.campaign, self.other):
            found = meta.tasks(
                Selection.of(campaign), meta.Choice(), meta.board_of(campaign.test_set)
            )
            _, figures = found.figures()["BLEU"]
            parts.append((figures["spa"].estimate + figures["acc_eq"].estimate) / 2)
        self.assertAlmostEqual(rows["BLEU"][2], sum(parts) / 2)

    def test_the_table_as_a_file(self):
        response = self.page(self.campaign, self.other, name="meta-evaluation-file")
        found = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
        shown = self.page(self.campaign, self.other).context["averages"]
        self.assertEqual([row["metric"] for row in found], [row[0] for row in shown.rows])
        self.assertEqual(float(found[0]["wmt24"]), shown.rows[0][2])

    def test_what_has_no_scores_is_named(self):
        response = self.page(self.campaign, self.pairwise)
        self.assertContains(
            response, "because metric scores or judgments are missing: Pairwise campaign."
        )

    def test_nonsense_in_the_address(self):
        response = self.get_as(self.researcher, "meta-evaluation", data={"campaign": "x"})
        self.assertContains(response, "Choose campaigns")
        response = self.get_as(self.researcher, "meta-evaluation", data={"campaign": "999999"})
        self.assertEqual(response.status_code, 404)
