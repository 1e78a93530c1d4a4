"""The page that compares metrics with people, and what it adds to the exports."""

import csv
import io
import json

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from metrics.evaluation import system_level

from judgments.models import Item, Output, System
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

    @classmethod
    def compute(cls, *slugs):
        chosen = [MetricChoice(slug) for slug in slugs]
        jobs.work_on(jobs.create_job(cls.test_set, chosen, ["ref"]).pk)

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
        self.assertContains(response, "lower is better; turned")
        self.assertContains(response, "Against Adequacy, mean rating")
        self.assertContains(response, 'class="chart"', count=len(response.context["page"].charts))
        self.assertEqual(
            [section.slug for section in response.context["page"].sections],
            ["systems", "segments", "differences", "averages"],
        )
        row = response.context["systems"].rows[0]
        self.assertEqual(row.figures["pearson"].n, 3)

    def test_sentinels_stand_in_every_table(self):
        self.compute("bleu", "random")
        page = self.page().context["page"]
        expected = {"Length ratio", "Source length", "Random"}
        for section in page.sections[:2]:
            for shown in section.agreements:
                marks = {row.metric.title: row.marks for row in shown.rows}
                self.assertLess(expected, set(marks))
                self.assertEqual(marks["Random"], ["sentinel"])  # its scores are stored
                self.assertIn("sentinel, computed here", marks["Source length"])
        for section in page.sections[2:]:
            names = {row[0] for row in section.tables[0].rows}
            self.assertLess(expected, names)

    def test_the_switches(self):
        self.compute("bleu", "chrf")
        slugs = {row.metric.label: row.metric.slug for row in self.page().context["systems"].rows}
        response = self.page(
            dimension="fluency", method="z", over="judged", metric=slugs["chrF"], grouping="none"
        )
        systems = response.context["systems"]
        self.assertEqual(systems.over, "judged")
        self.assertEqual(systems.human_name, "Fluency, mean z-score")
        self.assertContains(response, "chrF against people, over systems")
        self.assertContains(response, "Against Fluency, mean z-score")
        self.assertContains(response, "on exactly the judged outputs, all outputs together")
        for compared in ("spa", "item-acc_eq", "segment-pearson", "item-pearson"):
            response = self.page(compared=compared)
            self.assertEqual(response.status_code, 200)
            self.assertContains(response, "All pairs of metrics: ")

    def test_nonsense_in_the_address_means_the_defaults(self):
        self.compute("bleu")
        response = self.page(
            dimension="x", method="x", over="x", metric="x", humans="x", grouping="x", compared="x"
        )
        systems = response.context["systems"]
        self.assertEqual((systems.human_name, systems.over), ("Adequacy, mean rating", "all"))

    def test_two_systems_give_a_reason_and_no_number(self):
        self.compute("bleu")
        MetricScore.objects.filter(system__name="System-C").delete()
        response = self.page()
        self.assertContains(response, "no correlation is defined: fewer than 3 pairs")
        self.assertContains(response, "Pearson r: fewer than 3 pairs (BLEU).")

    def test_human_references_among_the_systems(self):
        System.objects.filter(name="System-B").update(name="ref")
        self.compute("bleu")
        response = self.page()
        self.assertContains(response, "ref is a human reference and was left out.")
        self.assertEqual(response.context["systems"].systems, ("System-A", "System-C"))
        kept = self.page(humans="in")
        self.assertEqual(set(kept.context["systems"].systems), {"System-A", "System-C", "ref"})

    def test_a_system_that_copies_the_reference_is_one(self):
        for output in Output.objects.filter(system__name="System-B"):
            output.text = output.segment.references.get().text
            output.save()
        self.compute("bleu")
        self.assertEqual(self.page().context["systems"].left_out, ("System-B",))

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
        with CaptureQueriesContext(connection) as seen:
            client.get(address)
        self.assertLess(len(seen), 15)

    def test_what_changes_shows_at_once(self):
        self.compute("bleu", "chrf")
        before = self.page().context["systems"].rows
        item = Item.objects.filter(task__campaign=self.campaign).first()
        old = item.judgments.get()
        factory.judge(item, {"adequacy": [1.0, 5.0, 5.0], "fluency": [1.0] * 3}, supersedes=old)
        judged = self.page().context["systems"].rows
        self.assertNotEqual(before, judged)
        MetricScore.objects.filter(metric="chrf").delete()
        scored = self.page().context["systems"].rows
        self.assertEqual(len(scored), len(judged) - 1)
        Output.objects.filter(system__name="System-A", segment__position=0).update(text="Other .")
        self.assertNotEqual(scored, self.page().context["systems"].rows)


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
        # 2 dimensions × raw and z × (systems on all, on judged segments, segments) × 2 metrics and
        # 3 sentinels × 3 coefficients.
        self.assertEqual(len(rows), 2 * 2 * 3 * 5 * 3)
        shown = system_level(self.campaign).rows[0].pearson
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
            self.assertGreater(len(context["page"].charts), 5)
            for chart in context["page"].charts:
                address = reverse("correlation-chart", args=[self.campaign.pk, chart.name, "svg"])
                response = self.client.get(f"{address}?{context['query']}")
                self.assertEqual(response.status_code, 200, chart.name)
                self.assertIn(b"<svg", response.content)

    def test_charts_of_the_exports(self):
        self.compute("bleu")
        response = self.get_as(
            self.researcher, "chart", self.campaign.pk, "agreement-systems", "svg"
        )
        self.assertEqual(response.status_code, 200)
        self.assertIn(b"<svg", response.content)

    def test_no_such_chart(self):
        self.compute("bleu")
        args = ("correlation-chart", self.campaign.pk)
        self.assertEqual(self.get_as(self.researcher, *args, "none", "svg").status_code, 404)
        name = self.page().context["page"].charts[0].name
        self.assertEqual(self.get_as(self.researcher, *args, name, "exe").status_code, 404)
        self.assert_refused(*args, name, "svg")

    def test_the_page_of_exports_without_scores(self):
        self.assertEqual(self.get_as(self.owner, "exports", self.campaign.pk).status_code, 200)
