"""The page of one metric against another, and of all pairs."""

import csv
import io
from math import isnan

import numpy as np
import pytest
from django.urls import reverse
from scipy.stats import kendalltau, pearsonr, spearmanr

from judgments.models import SystemFacts
from metrics.models import MetricScore, to_bytes
from metrics.scores.metric_pairs import page as page_module
from metrics.scores.metric_pairs.page import MetricPairAsked, MetricPairPage
from metrics.scores.tables import score_table, segment_matrix
from tests import factory
from tests.base import CastTestCase

N = 24


def store(test_set, system, metric, values):
    """Store scores of segments from a file, and their mean."""
    return MetricScore.objects.create(
        test_set=test_set,
        system=system,
        references=[],
        metric="uploaded",
        options={"name": metric, "higher_is_better": True},
        signature=f"uploaded|{metric}",
        segment_signature=f"uploaded|{metric}",
        score=float(np.nanmean(values)),
        n_segments=len(values),
        segment_data=to_bytes(np.asarray(values, np.float64)),
        texts_hash="",
        created_at="2026-01-01T00:00:00Z",
    )


class MetricPairsTest(CastTestCase):
    name = "metric-pairs"

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.texts = factory.make_test_set(
            cls.owner, name="Texts", n_segments=N, n_documents=6, n_systems=5
        )
        cls.systems = list(cls.texts.systems.order_by("name"))
        rng = np.random.default_rng(4)
        cls.scores = rng.normal(size=(2, len(cls.systems), N)).round(2)
        cls.scores[1] += cls.scores[0]
        for name, values in zip(("good", "fine"), cls.scores, strict=True):
            for system, row in zip(cls.systems, values, strict=True):
                store(cls.texts, system, name, row)
        cls.columns = {column.label: column for column in score_table(cls.texts).columns}

    def asked(self, **more):
        first, second = (self.columns[name].slug for name in ("good", "fine"))
        return {"first": first, "second": second} | more

    def made(self, **more):
        return MetricPairPage(score_table(self.texts), MetricPairAsked(**self.asked(**more)))

    def rows(self, slug, **more):
        table = next(
            lazy
            for section in self.made(**more).sections()
            for lazy in section.files
            if lazy.slug == slug
        )
        return table.make().rows

    def test_strangers(self):
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404}
        self.assert_refused(self.name, self.texts.pk, users=expected)
        self.assert_refused("metric-pairs-json", self.texts.pk, users=expected)

    def test_coefficients_of_all_outputs_are_scipys(self):
        x, y = (each.ravel() for each in self.scores)
        rows = {row[0]: row for row in self.rows("pair-figures")[:3]}
        self.assertAlmostEqual(rows["Pearson r"][2], pearsonr(x, y).statistic)
        self.assertAlmostEqual(rows["Spearman ρ"][2], spearmanr(x, y).statistic)
        self.assertAlmostEqual(rows["Kendall τ-b"][2], kendalltau(x, y).statistic)
        self.assertEqual({row[5] for row in rows.values()}, {x.size})
        self.assertLess(rows["Pearson r"][3], rows["Pearson r"][2])

    def test_by_item_they_are_means_over_segments(self):
        by_item = self.rows("pair-figures")[3:]
        expected = [
            np.mean([of(*self.scores[:, :, k]).statistic for k in range(N)])
            for of in (pearsonr, spearmanr, kendalltau)
        ]
        for row, value in zip(by_item, expected, strict=True):
            self.assertAlmostEqual(row[2], value)
            self.assertEqual(row[5], N)

    def test_over_systems(self):
        x, y = self.scores.mean(axis=2)
        rows = {row[0]: row for row in self.rows("pair-figures", level="system")}
        self.assertAlmostEqual(rows["Pearson r"][2], pearsonr(x, y).statistic)
        self.assertAlmostEqual(rows["Kendall τ-b"][2], kendalltau(x, y).statistic)
        self.assertEqual(rows["Pearson r"][5], len(self.systems))

    def test_two_systems_have_no_correlation_and_it_is_said_why(self):
        SystemFacts.objects.create(system=self.systems[0], is_control=True)
        for system in self.systems[3:]:
            MetricScore.objects.filter(system=system).delete()  # three are left, one a control
        rows = self.rows("pair-figures", level="system")
        self.assertTrue(all(isnan(row[2]) for row in rows))
        self.assertEqual({row[-1] for row in rows}, {"fewer than 3 pairs"})
        response = self.get_as(
            self.owner, self.name, self.texts.pk, data=self.asked(level="system")
        )
        self.assertContains(response, "there is no correlation: fewer than 3 pairs")
        self.assertContains(response, f"{self.systems[0].name} (control systems)")
        self.assertTrue(isnan(self.rows("all-pairs")[0][2]))
        kept = self.rows("pair-figures", level="system", controls="in")
        self.assertEqual(kept[0][5], 3)

    def test_the_farthest_apart_come_first_and_lead_to_their_words(self):
        z = [(each - each.mean()) / each.std() for each in self.scores]
        difference = z[0] - z[1]
        system, segment = np.unravel_index(np.argmax(np.abs(difference)), difference.shape)
        page = self.made()
        table = page_module.disagreement_table(page)
        key = self.texts.segments.order_by("position")[int(segment)].key
        self.assertEqual(table.rows[0][:2], [self.systems[system].name, key])
        self.assertAlmostEqual(table.rows[0][-1], difference[system, segment])
        self.assertEqual(len(table.rows), page_module.MOST_ROWS)
        self.client.force_login(self.owner)
        self.assertContains(self.client.get(table.links[0, "unit"]), key)

    def test_every_level_draws_points_that_lead_somewhere(self):
        n = len(self.systems)
        for level, points in (("segment", n * N), ("system", n)):
            chart = page_module.scatter(self.made(level=level))
            self.assertEqual(len(chart.rows), points)
            values = chart.spec["layer"][0]["data"]["values"]
            self.client.force_login(self.owner)
            self.assertEqual(self.client.get(values[0]["href"]).status_code, 200)

    def test_of_many_points_a_sample_is_drawn_with_the_farthest(self):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(page_module, "MOST_POINTS", 10)
            page = self.made()
            chart = page_module.scatter(page)
        self.assertLess(len(chart.rows), 10 + page_module.MOST_ROWS + 1)
        self.assertIn("farthest apart", chart.caption)
        drawn = {tuple(row[:2]) for row in chart.rows}
        self.assertIn(tuple(page_module.disagreement_table(page).rows[0][:2]), drawn)

    def test_all_pairs(self):
        (row,) = self.rows("all-pairs")
        x, y = self.scores.mean(axis=2)
        self.assertAlmostEqual(row[2], kendalltau(x, y).statistic)
        self.assertEqual(row[3:6:2], (len(self.systems), N))
        self.assertAlmostEqual(row[4], self.rows("pair-figures")[3][2])

    def test_a_matrix_of_many_metrics_shows_some_with_the_two(self):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(page_module, "MOST_IN_MATRIX", 3)
            for number in range(4):
                for system, row in zip(self.systems, self.scores[0], strict=True):
                    store(self.texts, system, f"more {number}", row * (number + 1))
            page = self.made()
            table = page_module.tau_matrix(page)
            self.assertEqual([row[0] for row in table.rows[:2]], ["fine", "good"])
            self.assertEqual(len(table.rows), 3)
            self.assertIn("3 of 6 metrics", page_module.matrix_notes(page)[0])
        self.assertEqual(len(self.rows("all-pairs")), 15)

    def test_a_metric_of_errors_has_its_sign_reversed(self):
        MetricScore.objects.filter(signature="uploaded|fine").update(
            options={"name": "fine", "higher_is_better": False}
        )
        rows = self.rows("pair-figures")
        x, y = (each.ravel() for each in self.scores)
        self.assertAlmostEqual(rows[0][2], -pearsonr(x, y).statistic)
        chart = page_module.scatter(self.made())
        self.assertIn("sign reversed", chart.columns[3].label)

    def test_files(self):
        for table in ("pair-figures", "pair-disagreement", "all-pairs", "pairs-systems"):
            response = self.get_as(self.owner, "metric-pairs-file", self.texts.pk, table)
            rows = list(csv.reader(io.StringIO(response.content.decode())))
            self.assertGreater(len(rows), 1, table)
        nothing = self.get_as(self.owner, "metric-pairs-file", self.texts.pk, "nonsense")
        self.assertEqual(nothing.status_code, 404)

    def test_json_has_every_figure_with_its_settings(self):
        address = reverse("metric-pairs-json", args=[self.texts.pk])
        self.client.force_login(self.owner)
        found = self.client.get(address, self.asked(level="system")).json()
        self.assertEqual(found["settings"], self.asked(level="system", controls="out"))
        figures = next(
            table
            for section in found["sections"]
            for table in section["tables"]
            if "pair-figures" in str(table)
        )
        self.assertIn("Pearson r", str(figures))

    def test_one_metric_is_not_enough(self):
        MetricScore.objects.filter(signature="uploaded|fine").delete()
        response = self.get_as(self.owner, self.name, self.texts.pk)
        self.assertContains(response, "Fewer than two metrics")
        for name, more in (("metric-pairs-json", ()), ("metric-pairs-file", ("all-pairs",))):
            refused = self.get_as(self.owner, name, self.texts.pk, *more)
            self.assertEqual(refused.status_code, 404)

    def test_the_page_shows_a_choice_and_asks_no_more_of_the_database_for_more_metrics(self):
        address = reverse(self.name, args=[self.texts.pk])
        self.client.force_login(self.owner)
        self.assertContains(self.client.get(address, self.asked()), "Every metric against every")
        with self.assertNumQueries(self.n_queries(address)):
            self.client.get(address, self.asked())
        before = self.n_queries(address)
        for system, row in zip(self.systems, self.scores[0], strict=True):
            store(self.texts, system, "third", row)
        self.client.get(address)
        self.assertEqual(self.n_queries(address), before)

    def n_queries(self, address):
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        with CaptureQueriesContext(connection) as found:
            self.client.get(address, self.asked())
        return len(found)

    def test_scores_are_those_of_the_table(self):
        column = self.columns["good"]
        ids = [system.pk for system in self.systems]
        np.testing.assert_array_equal(segment_matrix(column, ids, N), self.scores[0])


class ComputedPairsTest(CastTestCase):
    """Of metrics with statistics, which have scores of documents."""

    def test_over_documents(self):
        from metrics.scoring import jobs
        from metrics.scoring.choices import MetricChoice

        texts = factory.make_test_set(self.owner, name="Texts", n_segments=12, n_documents=4)
        metrics = [MetricChoice("chrf"), MetricChoice("ter")]
        jobs.work_on(jobs.create_job(texts, metrics, ["ref"]).pk)
        slugs = {column.metric: column.slug for column in score_table(texts).columns}
        asked = MetricPairAsked(slugs["chrf"], slugs["ter"], level="document")
        page = MetricPairPage(score_table(texts), asked)
        n = len(page.two.systems)
        self.assertEqual(page.two.scores.shape, (2, n, 4))
        chart = page_module.scatter(page)
        self.assertEqual(len(chart.rows), 4 * n)
        self.client.force_login(self.owner)
        href = chart.spec["layer"][0]["data"]["values"][0]["href"]
        self.assertIn("document=", href)
        self.assertEqual(self.client.get(href).status_code, 200)
