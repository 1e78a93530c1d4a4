"""The page of segment scores."""

import numpy as np
from django.urls import reverse

from judgments.models import Output
from metrics.models import MetricScore
from metrics.scores.segment_views import PER_PAGE
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase


class SegmentsTest(CastTestCase):
    name = "metric-segments"

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.large = factory.make_test_set(cls.owner, n_segments=PER_PAGE + 3, name="Large")
        for output in Output.objects.filter(system__test_set=cls.large, system__name="System-A"):
            place = output.segment.position
            Output.objects.filter(pk=output.pk).update(text=f"Source text {place} " + "x " * place)
        job = jobs.create_job(cls.large, [MetricChoice("chrf"), MetricChoice("ter")], ["ref"])
        jobs.work_on(job.pk)

    def page(self, **query):
        return self.get_as(self.owner, self.name, self.large.pk, data=query)

    def slug(self, metric):
        table = score_table(self.large)
        return next(column.slug for column in table.columns if column.metric == metric)

    def keys(self, **query):
        return [row["key"] for row in self.page(**query).context["rows"]]

    def test_strangers(self):
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404}
        self.assert_refused(self.name, self.test_set.pk, users=expected)

    def test_empty(self):
        response = self.get_as(self.researcher, self.name, self.test_set.pk)
        self.assertContains(response, "No scores yet")

    def test_the_order_of_the_test_set_page_by_page(self):
        self.assertEqual(self.keys(), [str(i + 1) for i in range(PER_PAGE)])
        self.assertEqual(self.keys(page=2), [str(PER_PAGE + i) for i in (1, 2, 3)])
        self.assertContains(self.page(), "Page 1 of 2")

    def test_sorted_by_a_metric(self):
        system = self.large.systems.get(name="System-A")
        ter = MetricScore.objects.get(system=system, metric="ter").segment_scores
        worst = [str(i + 1) for i in np.argsort(-ter, kind="stable")]
        query = {"system": system.pk, "sort": self.slug("ter"), "order": "down"}
        self.assertEqual(self.keys(**query), worst[:PER_PAGE])
        self.assertEqual(self.keys(**query, page=2), worst[PER_PAGE:])
        self.assertContains(self.page(**query), 'aria-sort="descending"')

    def test_texts_and_scores_of_the_system(self):
        system = self.large.systems.get(name="System-B")
        response = self.page(system=system.pk)
        row = response.context["rows"][0]
        output = system.outputs.get(segment__position=0).text
        self.assertEqual(row["outputs"], [(system, output)])
        self.assertContains(response, output)
        chrf = MetricScore.objects.get(system=system, metric="chrf")
        self.assertEqual(row["cells"][0]["value"], chrf.segment_scores[0])

    def test_a_link_leads_to_the_page_of_its_segment(self):
        segment = self.large.segments.last()
        response = self.page(segment=segment.pk)
        self.assertEqual(response.context["page"].number, 2)
        self.assertContains(response, f'id="segment-{segment.pk}"')

    def test_nonsense_in_the_address_is_passed_over(self):
        for query in (
            {"system": "x"},
            {"sort": "99"},
            {"sort": "disagree"},
            {"with": "x"},
            {"document": "²"},
            {"scored": "x", "low": "1"},
            {"low": "nan", "high": "inf"},
            {"text": "\0"},
            {"first": "x", "second": "y"},
            {"segment": "9" * 30},
            {"segment": "1"},
            {"page": "x"},
        ):
            with self.subTest(query):
                self.assertEqual(self.keys(**query)[0], "1")

    def test_languages_and_directions(self):
        test_set = factory.make_test_set(self.owner, target_language="ar", name="Arabic")
        jobs.work_on(jobs.create_job(test_set, [MetricChoice("chrf")], ["ref"]).pk)
        response = self.get_as(self.owner, self.name, test_set.pk)
        self.assertContains(response, '<dd lang="ar" dir="rtl">')

    def test_texts_are_looked_for(self):
        self.assertEqual(self.keys(text="nummer 7 "), ["7"])
        self.assertEqual(self.keys(text="NUMBER 28 stands", where="reference"), ["28"])
        self.assertEqual(self.keys(text="Nummer 7 ", where="output"), [])
        response = self.page(text="Nummer 7 ", where="output")
        self.assertContains(response, "No matching segments")
        response = self.page(text="7")
        self.assertContains(response, "of 28 segments")

    def test_a_percent_sign_is_no_wildcard(self):
        self.assertEqual(self.keys(text="%"), [])

    def test_one_document(self):
        document = self.large.documents.last()
        expected = list(document.segments.values_list("key", flat=True))
        self.assertEqual(self.keys(document=document.pk), expected)

    def test_a_range_of_scores(self):
        system = self.large.systems.get(name="System-A")
        ter = MetricScore.objects.get(system=system, metric="ter").segment_scores
        within = [str(i + 1) for i, score in enumerate(ter) if 50 <= score <= 120]
        self.assertTrue(0 < len(within) < len(ter))
        query = {"system": system.pk, "scored": self.slug("ter"), "low": "50", "high": "120"}
        self.assertEqual(self.keys(**query), within)

    def test_two_systems_beside_each_other_sorted_by_their_difference(self):
        a, b = (self.large.systems.get(name=f"System-{name}") for name in "AB")
        ter = {
            score.system_id: score.segment_scores
            for score in MetricScore.objects.filter(metric="ter")
        }
        difference = ter[a.pk] - ter[b.pk]
        query = {"system": a.pk, "with": b.pk, "sort": self.slug("ter"), "order": "down"}
        expected = [str(i + 1) for i in np.argsort(-difference, kind="stable")]
        self.assertEqual(self.keys(**query), expected[:PER_PAGE])
        response = self.page(**query)
        row = response.context["rows"][0]
        self.assertEqual([system for system, _ in row["outputs"]], [a, b])
        largest = difference.max()
        self.assertEqual(row["cells"][1]["difference"], f"+{largest:.1f}")

    def test_where_two_metrics_disagree(self):
        system = self.large.systems.get(name="System-A")
        own = {
            score.metric: score.segment_scores
            for score in MetricScore.objects.filter(system=system)
        }
        z = [(v - v.mean()) / v.std() for v in (own["chrf"], -own["ter"])]
        expected = [str(i + 1) for i in np.argsort(-abs(z[0] - z[1]), kind="stable")]
        query = {"system": system.pk, "first": self.slug("chrf"), "second": self.slug("ter")}
        self.assertEqual(self.keys(**query), expected[:PER_PAGE])
        self.assertContains(self.page(**query), "Disagreement ↓")

    def test_only_some_metrics(self):
        response = self.page(show=self.slug("ter"))
        self.assertEqual([h["column"].metric for h in response.context["headings"]], ["ter"])

    def test_the_address_keeps_what_was_asked_for(self):
        a, b = self.large.systems.all()[:2]
        query = {"system": a.pk, "with": b.pk, "text": "Source", "where": "output"}
        response = self.page(**query)
        self.assertIn("text=Source&where=output", response.context["query"])
        self.assertContains(response, "page=2&amp;system=")

    def test_queries_do_not_grow_with_the_page(self):
        address = reverse(self.name, args=[self.large.pk])
        client = self.as_user(self.owner)
        with self.assertNumQueries(11):
            client.get(address)
        other = factory.make_test_set(self.owner, n_segments=2, n_systems=5, name="Few")
        jobs.work_on(jobs.create_job(other, [MetricChoice("chrf")], ["ref"]).pk)
        with self.assertNumQueries(11):
            client.get(reverse(self.name, args=[other.pk]))
