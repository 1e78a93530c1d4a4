"""The site's data on a metric that was just added.

`test_adding_a_metric.py` runs this in a copy of the checkout with the metric of CONTRIBUTING.md.
Here it does not exist, so this file is not collected.
"""

from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from metrics.models import MetricScore, ScoringJob
from metrics.scorers import get_scorer
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests.base import CastTestCase

SLUG, NAME = "shared_types", "Shared types"
# Of "source text number 1 here" and "source text number 1 stands here .": 5 of 7 words.
EXPECTED = 100 * 5 / 7


class AddedMetricTest(CastTestCase):
    def test_it_is_scored_as_said(self):
        scorer = get_scorer(SLUG)
        stats = scorer.statistics(["a B c", ""], [["A b d", "x"], ["a", ""]])
        self.assertEqual(stats.tolist(), [[2, 4], [0, 0]])
        self.assertEqual(scorer.segment_scores(stats).tolist(), [50, 100])
        self.assertEqual(scorer.signature(2), "nrefs:2|lowercase:yes|version:1|impl:mteval")
        strict = get_scorer(SLUG, lowercase=False)
        self.assertEqual(strict.statistics(["a B c"], [["A b d"]]).tolist(), [[0, 6]])

    def test_the_form_offers_it_with_its_option(self):
        page = self.get_as(self.owner, "test-set-metrics", self.test_set.pk)
        self.assertContains(page, NAME)
        self.assertContains(page, f'name="{SLUG}-lowercase"')
        self.assertContains(self.get_as(self.owner, "metric-list"), NAME)
        self.assertContains(self.get_as(self.owner, "metric-page", SLUG), "lowercase")

    def test_the_form_starts_it_and_the_table_shows_it(self):
        data = {"metrics": [SLUG], "references": ["ref"], f"{SLUG}-lowercase": "on"}
        response = self.post_as(self.owner, "score-start", self.test_set.pk, data=data)
        self.assertEqual(response.status_code, 302, response.content)
        jobs.work_on(ScoringJob.objects.get().pk)
        page = self.get_as(self.researcher, "test-set-metrics", self.test_set.pk)
        self.assertContains(page, "Shared types|nrefs:1|lowercase:yes|version:1|impl:mteval")
        self.assertContains(page, f"{EXPECTED:.2f}")

    def test_the_command(self):
        out = StringIO()
        call_command("score", self.test_set.pk, "--metric", f"{SLUG}:lowercase=no", stdout=out)
        self.assertIn("Shared types", out.getvalue())
        score = MetricScore.objects.get(system__name="System-A")
        assert score.score == pytest.approx(EXPECTED)
        self.assertEqual(score.options, {"lowercase": False})

    def test_the_api(self):
        response = self.as_user(self.owner).post(
            reverse("api-metrics", args=[self.test_set.pk]),
            {"metrics": [{"metric": SLUG}]},
            content_type="application/json",
        )
        self.assertEqual(response.status_code, 201, response.content)
        jobs.work_on(ScoringJob.objects.get().pk)
        found = self.get_as(self.researcher, "api-metrics", self.test_set.pk).json()
        (metric,) = found["metrics"]
        self.assertEqual((metric["metric"], metric["label"]), (SLUG, NAME))
        scores = {row["system"]: row["score"] for row in metric["systems"]}
        assert scores["System-A"] == pytest.approx(EXPECTED)

    def test_correlation_and_segments(self):
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice(SLUG)], ["ref"]).pk)
        for name, pk in (("metric-segments", self.test_set.pk), ("correlation", self.campaign.pk)):
            page = self.get_as(self.researcher, name, pk)
            self.assertEqual(page.status_code, 200, name)
        self.assertContains(self.get_as(self.researcher, "metric-segments", self.test_set.pk), NAME)
