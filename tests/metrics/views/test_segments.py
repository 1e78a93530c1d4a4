"""The page of segment scores."""

import numpy as np

from judgments.models import Output
from metrics import jobs
from metrics.choices import MetricChoice
from metrics.models import MetricScore
from metrics.views.segments import PER_PAGE
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
        query = {"system": system.pk, "sort": 1, "order": "down"}
        self.assertEqual(self.keys(**query), worst[:PER_PAGE])
        self.assertEqual(self.keys(**query, page=2), worst[PER_PAGE:])
        self.assertContains(self.page(**query), 'aria-sort="descending"')

    def test_texts_and_scores_of_the_system(self):
        system = self.large.systems.get(name="System-B")
        response = self.page(system=system.pk)
        row = response.context["rows"][0]
        output = system.outputs.get(segment__position=0).text
        self.assertEqual(row["output"], output)
        self.assertContains(response, output)
        chrf = MetricScore.objects.get(system=system, metric="chrf")
        self.assertEqual(row["scores"][0], chrf.segment_scores[0])

    def test_a_link_leads_to_the_page_of_its_segment(self):
        segment = self.large.segments.last()
        response = self.page(segment=segment.pk)
        self.assertEqual(response.context["page"].number, 2)
        self.assertContains(response, f'id="segment-{segment.pk}"')

    def test_nonsense_in_the_address_is_passed_over(self):
        for query in (
            {"system": "x"},
            {"sort": "99"},
            {"sort": "²"},
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
