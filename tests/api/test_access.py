"""Who may read what through the programming interface, and that numbers are those of the pages."""

import json

from django.test import Client
from django.urls import reverse

from judgments.models import Item
from judgments.results.agreement import figures as agreement
from judgments.results.scores import figures as scores
from judgments.results.selection.selection import Selection
from metrics.models import MetricScore, ScoringJob
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase
from tests.metrics.with_people.studies import over_systems, row_of

ASKED = {"metrics": [{"metric": "bleu", "options": {"tokenize": "intl"}}, {"metric": "ter"}]}


class ApiTestCase(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        values = iter([5, 3, 1, 4, 3, 2, 5, 2, 1, 4, 4, 2] * 4)
        for item in Item.objects.filter(task__campaign=cls.campaign).order_by("pk"):
            row = [float(next(values)) for _ in range(3)]
            factory.judge(item, {"adequacy": row, "fluency": row[::-1]})

    def json_as(self, user, name, *args, **query):
        response = self.get_as(user, name, *args, data=query)
        self.assertEqual(response.status_code, 200, response.content)
        return response.json()

    def post_json(self, user, data):
        return self.as_user(user).post(
            reverse("api-metrics", args=[self.test_set.pk]), data, content_type="application/json"
        )


class AccessTest(ApiTestCase):
    def test_campaigns(self):
        for name in (
            "api-campaign",
            "api-scores",
            "api-agreement",
            "api-quality",
            "api-power",
            "api-pages",
            "api-meta-evaluation",
        ):
            expected = {None: 403, self.outsider: 404, self.annotator_1: 403, self.researcher: 200}
            for user, status in expected.items():
                response = self.get_as(user, name, self.campaign.pk)
                self.assertEqual(response.status_code, status, f"{user} {name}")
                expected_type = "application/json" if status == 200 else "application/problem+json"
                self.assertEqual(response["Content-Type"], expected_type)

    def test_a_page_of_results(self):
        expected = {None: 403, self.outsider: 404, self.annotator_1: 403, self.researcher: 200}
        for user, status in expected.items():
            response = self.get_as(user, "api-page", self.campaign.pk, "agreement")
            self.assertEqual(response.status_code, status, str(user))
        response = self.get_as(self.researcher, "api-page", self.campaign.pk, "none-of-them")
        self.assertEqual(response.status_code, 404)

    def test_the_list_holds_what_one_may_read(self):
        for user, n in ((self.owner, 2), (self.researcher, 2), (self.annotator_1, 0)):
            self.assertEqual(self.json_as(user, "api-campaigns")["count"], n)

    def test_test_sets(self):
        expected = {None: 403, self.outsider: 404, self.annotator_1: 404, self.researcher: 200}
        for user, status in expected.items():
            response = self.get_as(user, "api-metrics", self.test_set.pk)
            self.assertEqual(response.status_code, status, str(user))

    def test_only_the_owner_starts_a_job(self):
        expected = {self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for user, status in expected.items():
            self.assertEqual(self.post_json(user, ASKED).status_code, status, str(user))
        self.assertFalse(ScoringJob.objects.exists())

    def test_what_cannot_be_read_is_refused(self):
        for sent in ("{", "[" * 100_000, "[]", '{"metrics": NaN}'):
            self.assertEqual(self.post_json(self.owner, sent).status_code, 400, sent[:20])
        self.assertFalse(ScoringJob.objects.exists())

    def test_a_post_from_another_site_is_refused(self):
        client = Client(enforce_csrf_checks=True)
        client.force_login(self.owner)
        response = client.post(
            reverse("api-metrics", args=[self.test_set.pk]),
            json.dumps(ASKED),
            content_type="application/json",
        )
        self.assertEqual(response.status_code, 403)
        self.assertFalse(ScoringJob.objects.exists())


class NumbersTest(ApiTestCase):
    def test_rules_for_ratings_do_not_rank_comparisons(self):
        answer = self.as_user(self.researcher).get(
            reverse("api-scores", args=[self.pairwise.pk]), {"rule": "wmt25"}
        )
        self.assertEqual(answer.status_code, 400)
        self.assertIn("all-pairs or wmt13-16", answer.content.decode())

    def test_scores(self):
        found = self.json_as(self.researcher, "api-scores", self.campaign.pk, dimension="fluency")
        expected = scores.system_scores(Selection.of(self.campaign), "fluency")
        self.assertEqual(found["dimension"], "fluency")
        self.assertEqual(
            [row["score"] for row in found["systems"]], expected.mean[expected.order].tolist()
        )

    def test_agreement(self):
        found = self.json_as(self.researcher, "api-agreement", self.campaign.pk)
        expected = agreement.agreement(Selection.of(self.campaign)).headline.result
        self.assertEqual(found["between"][0]["estimate"], expected.estimate)
        self.assertEqual(found["between"][0]["n_items"], expected.n_items)

    def test_an_unknown_dimension(self):
        for name in ("api-scores", "api-agreement", "api-meta-evaluation"):
            response = self.get_as(
                self.researcher, name, self.campaign.pk, data={"dimension": "beauty"}
            )
            self.assertEqual(response.status_code, 400)
            said = response.json()
            self.assertEqual(said["errors"], {"dimension": ["Known: adequacy, fluency."]})
            self.assertEqual(said["detail"], "dimension: Known: adequacy, fluency.")

    def test_what_is_undefined_is_null(self):
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("bleu")], ["ref"]).pk)
        MetricScore.objects.filter(system__name="System-A").delete()
        found = self.json_as(self.researcher, "api-meta-evaluation", self.campaign.pk)
        row = next(r for r in found["systems"]["metrics"] if r["metric"]["metric"] == "BLEU")
        pearson = row["figures"]["pearson"]
        self.assertIsNone(pearson["estimate"])
        self.assertEqual(pearson["reason"], "fewer than 3 pairs")

    def test_a_job_from_start_to_correlation(self):
        response = self.post_json(self.owner, ASKED)
        self.assertEqual(response.status_code, 201, response.content)
        self.assertEqual(self.post_json(self.owner, ASKED).status_code, 409)
        job = ScoringJob.objects.get()
        self.assertEqual(response.json()["id"], job.pk)
        self.assertEqual(response.json()["total"], 6)
        jobs.work_on(job.pk)
        found = self.json_as(self.researcher, "api-metrics", self.test_set.pk)
        self.assertEqual(found["job"]["status"], "done")
        self.assertEqual([m["label"] for m in found["metrics"]], ["BLEU (tokenize intl)", "TER"])
        stored = MetricScore.objects.get(metric="ter", system__name="System-B")
        row = next(r for r in found["metrics"][1]["systems"] if r["system"] == "System-B")
        self.assertEqual((row["score"], row["out_of_date"]), (stored.score, False))
        found = self.json_as(self.owner, "api-meta-evaluation", self.campaign.pk, method="z")
        rows = {each["metric"]["metric"]: each for each in found["systems"]["metrics"]}
        expected = row_of(over_systems(self.campaign, method="z"), "ter").figures["pearson"]
        self.assertEqual(rows["TER"]["figures"]["pearson"]["estimate"], expected.estimate)
        self.assertEqual(rows["TER"]["metric"]["turned"], "yes")

    def test_what_cannot_be(self):
        for data, words in (
            ({}, "required"),
            ({"metrics": []}, "may not be empty"),
            ({"metrics": [{"metric": "blue"}]}, "No metric blue is computed here"),
            ({"metrics": [{"metric": "bleu", "options": {"tokens": 1}}]}, "Unknown option"),
            ({"metrics": [{"metric": "bleu", "options": {"tokenize": 1}}]}, "expected str"),
            ({"metrics": [{"metric": "bleu", "options": {"max_order": 10**9}}]}, "at most 20"),
            ({"metrics": [{"metric": "bleu"}], "references": ["x"]}, "No reference set 'x'"),
        ):
            with self.subTest(words):
                response = self.post_json(self.owner, data)
                self.assertEqual(response.status_code, 400)
                self.assertIn(words, response.content.decode())
        self.assertFalse(ScoringJob.objects.exists())
