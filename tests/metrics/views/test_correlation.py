"""The page that compares metrics with people, and what it adds to the exports."""

import csv
import io
import json

from django.urls import reverse

from judgments.models import Item, Output
from metrics import jobs
from metrics.choices import MetricChoice
from metrics.models import MetricScore
from tests import factory
from tests.base import CastTestCase


class Judged(CastTestCase):
    name = "correlation"

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        values = iter([5, 3, 1, 4, 3, 2, 5, 2, 1, 4, 4, 2] * 4)
        for item in Item.objects.filter(task__campaign=cls.campaign).order_by("pk"):
            row = [float(next(values)) for _ in range(3)]
            factory.judge(item, {"adequacy": row, "fluency": row[::-1]})

    def compute(self, *slugs):
        chosen = [MetricChoice(slug) for slug in slugs]
        jobs.work_on(jobs.create_job(self.test_set, chosen, ["ref"]).pk)

    def page(self, **query):
        return self.get_as(self.researcher, self.name, self.campaign.pk, data=query)


class CorrelationTest(Judged):
    def test_strangers(self):
        self.assert_refused(self.name, self.campaign.pk)

    def test_without_scores_it_leads_to_them(self):
        response = self.page()
        self.assertContains(response, "No metric scores yet")
        self.assertContains(response, reverse("test-set-metrics", args=[self.test_set.pk]))

    def test_without_judgments_it_says_so(self):
        self.compute("bleu")
        response = self.get_as(self.owner, self.name, self.pairwise.pk)
        self.assertContains(response, "No judgments yet")

    def test_a_sentence_tables_and_charts(self):
        self.compute("bleu", "ter")
        response = self.page()
        self.assertContains(response, "over 3 systems")
        self.assertContains(response, "With so few systems that can be chance.")
        self.assertContains(response, ">lower is better, so negative is good</td>", count=2)
        self.assertContains(response, "Against Adequacy, mean rating", count=4)
        self.assertContains(response, 'class="chart"', count=2)
        row = response.context["systems"].rows[0]
        self.assertEqual(row.pearson.n, 3)

    def test_the_switches(self):
        self.compute("bleu", "chrf")
        slug = self.page().context["systems"].rows[1].column.slug
        response = self.page(dimension="fluency", method="z", over="judged", metric=slug)
        systems = response.context["systems"]
        self.assertEqual(
            (systems.dimension, systems.method, systems.over), ("fluency", "z", "judged")
        )
        self.assertContains(response, "chrF against people, over systems")
        self.assertContains(response, "Against Fluency, mean z-score")

    def test_nonsense_in_the_address_means_the_defaults(self):
        self.compute("bleu")
        response = self.page(dimension="x", method="x", over="x", metric="x")
        systems = response.context["systems"]
        self.assertEqual(
            (systems.dimension, systems.method, systems.over), ("adequacy", "raw", "all")
        )

    def test_two_systems_give_a_reason_and_no_number(self):
        self.compute("bleu")
        MetricScore.objects.filter(system__name="System-C").delete()
        response = self.page()
        self.assertContains(response, "no correlation is defined: fewer than 3 pairs")
        self.assertContains(response, "Not defined: fewer than 3 pairs")

    def test_what_is_out_of_date_is_told(self):
        self.compute("bleu")
        Output.objects.filter(system__name="System-A", segment__position=0).update(text="Other .")
        self.assertContains(self.page(), "1 metric score out of date")

    def test_comparisons_have_one_score(self):
        self.compute("bleu")
        for item in Item.objects.filter(task__campaign=self.pairwise):
            factory.judge(item, 1)
        response = self.get_as(self.owner, self.name, self.pairwise.pk)
        self.assertContains(response, "Against expected wins")
        self.assertNotIn("dimension", response.context["form"].fields)

    def test_the_number_of_statements_does_not_grow_with_judgments(self):
        self.compute("bleu")
        client = self.as_user(self.researcher)
        address = reverse(self.name, args=[self.campaign.pk])
        client.get(address)
        with self.assertNumQueries(14):
            client.get(address)


class ExportTest(Judged):
    def file(self, slug):
        response = self.get_as(self.researcher, "export-table", self.campaign.pk, slug)
        self.assertEqual(response.status_code, 200)
        return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))

    def test_tables(self):
        self.compute("bleu", "ter")
        scores = self.file("metric-scores")
        self.assertEqual(len(scores), 6)
        stored = MetricScore.objects.get(metric="bleu", system__name="System-A")
        found = next(r for r in scores if (r["system"], r["metric"]) == ("System-A", "BLEU"))
        self.assertEqual(float(found["score"]), stored.score)
        self.assertEqual(found["signature"], stored.signature)
        self.assertEqual(len(self.file("metric-segment-scores")), 12)
        rows = self.file("correlation")
        # 2 dimensions × raw and z × (systems on all, on judged segments, segments) × 2 × 3.
        self.assertEqual(len(rows), 2 * 2 * 3 * 2 * 3)
        shown = self.page().context["systems"].rows[0].pearson
        self.assertEqual(rows[0]["coefficient"], "Pearson r")
        self.assertEqual(float(rows[0]["estimate"]), shown.estimate)

    def test_the_json_holds_them(self):
        self.compute("bleu")
        response = self.get_as(self.researcher, "export-json", self.campaign.pk)
        text = response.getvalue() if response.streaming else response.content
        self.assertIn(b'"correlations"', text)
        self.assertIn(MetricScore.objects.first().signature, json.dumps(json.loads(text)))

    def test_every_chart_of_the_page_is_a_file(self):
        self.compute("bleu")
        for query in ({}, {"dimension": "fluency", "method": "z", "over": "judged"}):
            context = self.page(**query).context
            for chart in (context["system_chart"], context["segment_chart"]):
                response = self.get_as(
                    self.researcher, "chart", self.campaign.pk, chart.name, "svg"
                )
                self.assertEqual(response.status_code, 200, chart.name)
                self.assertIn(b"<svg", response.content)

    def test_the_page_of_exports_without_scores(self):
        self.assertEqual(self.get_as(self.owner, "exports", self.campaign.pk).status_code, 200)
