"""The page that compares metrics with people, and its part of the exports."""

import csv
import io
import json
import math
from unittest.mock import patch

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pyarrow import parquet

from judgments.models import Item, Output, Reference, System
from judgments.results.selection.selection import Selection
from judgments.web.tables import interval
from metrics.models import MetricScore
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from metrics.templatetags.metric_numbers import coefficient
from metrics.with_people import scatter
from metrics.with_people.reports import metric_segment_table
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

    def systems(self, **query):
        return self.page(**query).context["page"].systems


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
        self.assertContains(response, "With so few systems, that can be chance.")
        self.assertContains(response, "Against Adequacy, mean rating")
        sections = response.context["sections"]
        charts = [section.slug for section in sections if section.chart()]
        self.assertContains(response, 'class="chart"', count=len(charts))
        self.assertEqual(
            charts, ["metric-overview", "metric-systems", "metric-segments", "metric-differences"]
        )
        overview = sections[0].table()
        turned = {row[0]: row[2] for row in overview.rows}
        self.assertEqual((turned["BLEU"], turned["TER"]), ("no", "yes"))
        self.assertEqual(overview.rows[0][-1], 3)

    def test_sentinels_stand_in_every_table(self):
        self.compute("bleu", "random")
        expected = {"Length ratio", "Source length", "Random"}
        for section in self.page().context["sections"]:
            if section.slug in ("metric-overview", "metric-differences", "metric-averages"):
                kinds = {row[0]: row[1] for row in section.table().rows}
                self.assertEqual({n for n, kind in kinds.items() if kind == "sentinel"}, expected)
            elif section.slug == "metric-systems":
                self.assertLess(expected, {row[0] for row in section.table().rows})

    def test_the_switches(self):
        self.compute("bleu", "chrf")
        slugs = {row.metric.label: row.metric.slug for row in self.systems().rows}
        response = self.page(
            dimension="fluency", method="z", over="judged", metric=slugs["chrF"], grouping="none"
        )
        systems = response.context["page"].systems
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
        systems = response.context["page"].systems
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
        self.assertEqual(response.context["page"].systems.systems, ("System-A", "System-C"))
        kept = self.page(humans="in")
        self.assertEqual(set(kept.context["page"].systems.systems), {"System-A", "System-C", "ref"})

    def test_a_system_that_copies_the_reference_is_one(self):
        for output in Output.objects.filter(system__name="System-B"):
            output.text = output.segment.references.get().text
            output.save()
        self.compute("bleu")
        self.assertEqual(self.systems().left_out, ("System-B",))

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
        # Before each cached result: whether anything was erased since (kept_files).
        own = [each for each in seen if "judgments_erasure" not in each["sql"]]
        self.assertLess(len(own), 20)

    def test_what_changes_shows_at_once(self):
        self.compute("bleu", "chrf")
        before = self.systems().rows
        item = Item.objects.filter(task__campaign=self.campaign).first()
        old = item.judgments.get()
        factory.judge(item, {"adequacy": [1.0, 5.0, 5.0], "fluency": [1.0] * 3}, supersedes=old)
        judged = self.systems().rows
        self.assertNotEqual(before, judged)
        MetricScore.objects.filter(metric="chrf").delete()
        scored = self.systems().rows
        self.assertEqual(len(scored), len(judged) - 1)
        Output.objects.filter(system__name="System-A", segment__position=0).update(text="Other .")
        self.assertNotEqual(scored, self.systems().rows)


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
        rows = self.file("metric-agreement")
        # 2 dimensions × raw and z × 2 metrics and 3 sentinels × (9 figures over systems, on all and
        # on judged segments, and 12 over segments in three groupings).
        self.assertEqual(len(rows), 2 * 2 * 5 * (2 * 9 + 3 * 12))
        self.assertEqual({row["turned"] for row in rows if row["metric"] == "TER"}, {"yes"})
        self.assertEqual({row["turned"] for row in rows if row["metric"] == "BLEU"}, {"no"})

    def test_one_metric_with_two_references_has_two_columns(self):
        segments = self.test_set.segments.all()
        Reference.objects.bulk_create(
            Reference(segment=segment, name="refB", text="Another text .") for segment in segments
        )
        for reference in ("ref", "refB"):
            jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("bleu")], [reference]).pk)
        table = metric_segment_table(Selection.of(self.campaign))
        self.assertEqual(len(set(table.keys)), 4)
        rows = self.file("metric-segment-scores")
        first, second = (
            {row[key] for row in rows} for key in rows[0] if key.endswith((" ref", " refB"))
        )
        self.assertNotEqual(first, second)
        address = reverse("api-table-file", args=[self.campaign.pk, table.slug, "parquet"])
        found = b"".join(self.as_user(self.researcher).get(address))
        names = parquet.read_table(io.BytesIO(found)).column_names
        self.assertEqual(names[:4], table.keys)

    def test_the_json_holds_them(self):
        self.compute("bleu")
        response = self.get_as(self.researcher, "export-json", self.campaign.pk)
        text = response.getvalue() if response.streaming else response.content
        self.assertIn(b'"agreements"', text)
        self.assertIn(MetricScore.objects.first().signature, json.dumps(json.loads(text)))

    def test_every_chart_of_the_page_is_a_file(self):
        self.compute("bleu")
        for query in ({}, {"dimension": "fluency", "method": "z", "over": "judged"}):
            context = self.page(**query).context
            charts = [section.chart() for section in context["sections"]]
            names = [chart.name for chart in charts if chart]
            self.assertEqual(len(names), 4)
            for name in names:
                address = reverse("correlation-chart", args=[self.campaign.pk, name, "svg"])
                response = self.client.get(f"{address}?{context['query']}")
                self.assertEqual(response.status_code, 200, name)
                self.assertIn(b"<svg", response.content)

    def test_every_chart_of_the_exports_is_a_file_of_its_own(self):
        self.compute("bleu", "ter")
        page = self.get_as(self.researcher, "exports", self.campaign.pk)
        names = [
            chart.slug
            for part in page.context["pages"]
            for chart in part["charts"]
            if part["name"].startswith("Metrics")
        ]
        # Two of all metrics, two of the best, and two scatter plots of each of two metrics and
        # three sentinels.
        self.assertEqual(len(names), 4 + 2 * 5)
        for name in names:
            response = self.get_as(self.researcher, "chart", self.campaign.pk, name, "svg")
            self.assertEqual(response.status_code, 200, name)
            self.assertIn(b"<svg", response.content)

    def test_a_chart_is_made_alone(self):
        """Nothing else of the page is computed for it."""
        self.compute("bleu", "ter")
        made = []
        real = scatter.scatter
        page = "metrics.with_people.page"
        with (
            patch.object(scatter, "scatter", lambda *a, **k: made.append(1) or real(*a, **k)),
            patch(f"{page}.differences", side_effect=AssertionError),
            patch("metrics.with_people.page.segment_agreement", side_effect=AssertionError),
        ):
            args = ("correlation-chart", self.campaign.pk, "metric-systems", "svg")
            self.assertEqual(self.get_as(self.researcher, *args).status_code, 200)
        self.assertEqual(len(made), 1)

    def test_one_figure_and_one_interval_everywhere(self):
        """Page, CSV, JSON, API and the caption of the scatter plot agree on an error metric: sign
        reversed, with the interval of one rule."""
        for i, name in enumerate("DEFG"):
            system = System.objects.create(test_set=self.test_set, name=f"System-{name}")
            for output in Output.objects.filter(system__name="System-A"):
                text = " ".join(output.text.split()[: i + 1])
                Output.objects.create(system=system, segment=output.segment, text=text)
        judge = factory.make_user("another")
        campaign = factory.make_campaign(
            self.test_set, owner=self.researcher, annotators=[judge], name="Seven"
        )
        for item in factory.make_task(campaign, judge, n_outputs=7).items.all():
            factory.judge(item, {"adequacy": [5.0, 3, 1, 2, 2, 4, 3], "fluency": [1.0] * 7})
        self.compute("bleu", "ter")
        client = self.as_user(self.researcher)

        def get(name, *args, **query):
            response = client.get(reverse(name, args=[campaign.pk, *args]), data=query)
            self.assertEqual(response.status_code, 200)
            return response

        page = get("correlation")
        row = next(row for row in page.context["page"].systems.rows if row.metric.label == "TER")
        figure = row.figures["pearson"]
        expected = (figure.estimate, figure.low, figure.high)
        self.assertFalse(any(math.isnan(value) for value in expected))
        words = f"{coefficient(figure.estimate)} ", interval(figure.low, figure.high)
        self.assertContains(page, f'{words[0]}<span class="muted small">{words[1]}</span>')

        text = get("export-table", "metric-agreement").content.decode("utf-8-sig")
        found = [r for r in csv.DictReader(io.StringIO(text)) if is_headline(r)]
        self.assertEqual(len(found), 1)
        ends = ("estimate", "estimate_low", "estimate_high")
        self.assertEqual(tuple(float(found[0][key]) for key in ends), expected)
        self.assertEqual(found[0]["turned"], "yes")

        document = json.loads(get("export-json").getvalue())
        (found,) = [r for r in document["metrics"]["agreements"] if is_headline(r)]
        self.assertEqual(tuple(found[key] for key in ends), expected)

        rows = get("api-meta-evaluation").json()["systems"]["metrics"]
        (found,) = [r["figures"]["pearson"] for r in rows if r["metric"]["metric"] == "TER"]
        self.assertEqual((found["estimate"], found["low"], found["high"]), expected)

        scatter_plot = get("correlation", metric=row.metric.slug).context["page"].system_scatter()
        self.assertIn(f"Pearson r = {words[0]}(95 % interval {words[1]}", scatter_plot.caption)
        chart = page.context["page"].system_chart()
        drawn = next(values for name, _, *values in chart.rows if name == "TER")
        self.assertEqual(tuple(drawn), expected)

    def test_no_such_chart(self):
        self.compute("bleu")
        args = ("correlation-chart", self.campaign.pk)
        self.assertEqual(self.get_as(self.researcher, *args, "none", "svg").status_code, 404)
        name = self.page().context["sections"][0].slug
        self.assertEqual(self.get_as(self.researcher, *args, name, "exe").status_code, 404)
        self.assert_refused(*args, name, "svg")

    def test_the_page_of_exports_without_scores(self):
        self.assertEqual(self.get_as(self.owner, "exports", self.campaign.pk).status_code, 200)


def is_headline(row):
    """Return whether it is TER's Pearson correlation over systems on the whole test set, with raw
    adequacy."""
    wanted = {
        "metric": "TER",
        "statistic": "Pearson r",
        "level": "system",
        "segments": "all",
        "human": "Adequacy, mean rating",
    }
    return wanted.items() <= row.items()
