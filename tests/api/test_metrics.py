"""Metric scores through the programming interface: intervals, segments, pairs, jobs."""

import numpy as np
from django.urls import reverse

from judgments.models import JobStatus
from metrics.models import MetricScore, ScoringJob
from metrics.scorers import SCORERS
from metrics.scores.comparisons import compare_column, compute_comparisons
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase


class MetricsApiTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.texts = factory.make_test_set(cls.owner, name="Texts")
        cls.texts.systems.get(name="System-B").outputs.get(segment__key="2").delete()
        choices = [MetricChoice("bleu"), MetricChoice("ter")]
        cls.job = jobs.create_job(cls.texts, choices, ["ref"])
        jobs.work_on(cls.job.pk)
        cls.slug = score_table(cls.texts).columns[1].slug

    def get(self, name, *args, status=200, user=None, **query):
        response = self.get_as(user or self.owner, name, self.texts.pk, *args, data=query)
        self.assertEqual(response.status_code, status, response.content)
        return response.json()

    def post(self, name, *args, status=200, user=None):
        response = self.post_as(user or self.owner, name, self.texts.pk, *args)
        self.assertEqual(response.status_code, status, response.content)
        return response.json()

    def test_outsiders(self):
        for name, arguments in (
            ("api-segment-scores", [self.slug]),
            ("api-pairs", [self.slug]),
            ("api-job", [self.job.pk]),
        ):
            for user in (self.outsider, self.researcher, self.annotator_1):
                self.get(name, *arguments, status=404, user=user)
            response = self.get_as(None, name, self.texts.pk, *arguments)
            self.assertEqual(response.status_code, 403)
        for name in ("api-job-cancel", "api-job-retry"):
            self.post(name, self.job.pk, status=404, user=self.outsider)
            response = self.get_as(self.owner, name, self.texts.pk, self.job.pk)
            self.assertEqual(response.status_code, 405)

    def test_a_researcher_reads_and_does_not_cancel(self):
        job = jobs.create_job(self.test_set, [MetricChoice("bleu")], ["ref"])
        for name, status in (("api-job-cancel", 403), ("api-job-retry", 403)):
            response = self.post_as(self.researcher, name, self.test_set.pk, job.pk)
            self.assertEqual(response.status_code, status)
        response = self.get_as(self.researcher, "api-job", self.test_set.pk, job.pk)
        self.assertEqual(response.json()["status"], "queued")

    def test_what_belongs_to_another_test_set(self):
        job = jobs.create_job(self.test_set, [MetricChoice("bleu")], ["ref"])
        self.get("api-job", job.pk, status=404)
        self.post("api-job-cancel", job.pk, status=404)
        self.get("api-pairs", "bleu-00000000", status=404)
        response = self.get_as(self.owner, "api-segment-scores", self.test_set.pk, self.slug)
        self.assertEqual(response.status_code, 404)

    def test_scores_of_segments(self):
        found = self.get("api-segment-scores", self.slug)
        self.assertEqual(found["segments"], ["1", "2", "3", "4"])
        self.assertEqual(found["metric"], "ter")
        for score in MetricScore.objects.filter(metric="ter", test_set=self.texts):
            given = np.array(found["systems"][score.system.name], dtype=float)
            np.testing.assert_array_equal(given, score.segment_scores)
        self.assertIsNone(found["systems"]["System-B"][1])

    def test_intervals_and_groups(self):
        untested = self.get("api-metrics")["metrics"][1]
        self.assertIsNone(untested["tests"])
        self.assertEqual({row["low"] for row in untested["systems"]}, {None})
        self.assertEqual({row["group"] for row in untested["systems"]}, {None})
        compute_comparisons(self.texts)
        found = self.get("api-metrics")["metrics"][1]
        self.assertEqual(found["tests"]["unit"], "segment")
        self.assertEqual(found["slug"], self.slug)
        for row in found["systems"]:
            self.assertLessEqual(row["low"], row["score"])
            self.assertLessEqual(row["score"], row["high"])
            self.assertGreaterEqual(row["group"], 1)
        self.assertIsNone(self.get("api-metrics", unit="document")["metrics"][1]["tests"])
        self.assertIn("unit", self.get("api-metrics", unit="word", status=400)["errors"])

    def test_pairs(self):
        self.assertEqual(self.get("api-pairs", self.slug)["pairs"], [])
        compute_comparisons(self.texts)
        found = self.get("api-pairs", self.slug)
        table = score_table(self.texts)
        tested = compare_column(table.columns[1], table)
        names = {system.pk: system.name for system in table.systems}
        self.assertEqual(
            [(p["first"], p["second"], p["randomization"]["holm"]) for p in found["pairs"]],
            [(names[p.first], names[p.second], p.randomization.holm) for p in tested.pairs],
        )

    def test_a_job_from_start_to_end(self):
        address = reverse("api-metrics", args=[self.texts.pk])
        response = self.as_user(self.owner).post(
            address, {"metrics": [{"metric": "chrf"}]}, content_type="application/json"
        )
        self.assertEqual(response.status_code, 201)
        job = response.json()["id"]
        found = self.get("api-job", job)
        self.assertEqual(found["metrics"][0] | {"failures": []}, found["metrics"][0])
        self.assertEqual((found["metrics"][0]["done"], found["metrics"][0]["total"]), (0, 3))
        self.assertEqual(self.post("api-job-cancel", job)["status"], "cancelled")
        self.assertEqual(self.post("api-job-retry", job)["status"], "queued")
        jobs.work_on(job)
        found = self.get("api-job", job)
        self.assertEqual((found["status"], found["metrics"][0]["done"]), ("done", 3))
        for name in ("api-job-cancel", "api-job-retry"):
            self.assertEqual(self.post(name, job)["status"], "done")

    def test_every_failure_with_its_reason(self):
        self.texts.systems.get(name="System-C").outputs.all().delete()
        ScoringJob.objects.all().delete()
        job = jobs.create_job(self.texts, [MetricChoice("chrf")], ["ref"])
        jobs.work_on(job.pk)
        found = self.get("api-job", job.pk)
        self.assertEqual(found["status"], JobStatus.FAILED)
        reason = "System-C has no segment with an output and a reference."
        self.assertEqual(
            found["metrics"][0]["failures"], [{"reason": reason, "systems": ["System-C"]}]
        )

    def test_scores_of_other_programs_cannot_be_asked_for(self):
        self.assertIn("uploaded", SCORERS)
        address = reverse("api-metrics", args=[self.texts.pk])
        response = self.as_user(self.owner).post(
            address, {"metrics": [{"metric": "uploaded"}]}, content_type="application/json"
        )
        self.assertEqual(response.status_code, 400)
        self.assertIn("Uploaded scores are not computed: POST them to", str(response.json()))
