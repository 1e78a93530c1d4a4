"""Pages of results under filters that leave nothing, or one system: each says what to do."""

import pytest
from django.urls import reverse

from tests.judgments.results.campaign_addresses import PAGES

from ..results.test_results import ResultsTestCase

pytestmark = pytest.mark.slow
ALIASES = ("annotator-1", "annotator-2")


class NothingLeftTest(ResultsTestCase):
    def setUp(self):
        super().setUp()
        self.test_set.systems.create(name="None")  # without an output
        self.judge_everything()
        self.judge_everything(self.pairwise)

    def pages(self, campaign, query):
        """(name, text) of the pages that the campaign has."""
        client = self.as_user(self.researcher)
        for name in sorted(PAGES):
            response = client.get(reverse(name, args=[campaign.pk]), query)
            if response.status_code != 404:
                yield name, response.status_code, response.content.decode()

    def test_filters_that_leave_nothing(self):
        for campaign in (self.campaign, self.pairwise):
            for query in ({"until": "1990-01-01"}, {"without": ALIASES}, {"system": "None"}):
                found = list(self.pages(campaign, query))
                self.assertGreater(len(found), 8)
                for name, status, text in found:
                    with self.subTest(page=name, **query):
                        self.assertEqual(status, 200)
                        self.assertIn("Show all judgments", text)
                        self.assertNotIn("No judgments yet", text)

    def test_segments_and_report_count_nothing_that_was_left_out(self):
        client = self.as_user(self.researcher)
        for campaign, system in (
            (self.campaign, "None"),
            (self.pairwise, "None"),
            (self.pairwise, "System-A"),
        ):
            with self.subTest(campaign=campaign.name, system=system):
                page = client.get(reverse("segments", args=[campaign.pk]), {"system": system})
                self.assertContains(page, "0 segments were judged")
                page = client.get(reverse("report", args=[campaign.pk]), {"system": system})
                self.assertNotContains(page, "We evaluated three systems")
                alone = "We evaluated one system that translates from"
                words = alone if system != "None" else "No judged output is among those asked for"
                self.assertContains(page, words)

    def test_one_system(self):
        for campaign in (self.campaign, self.pairwise):
            for name, status, text in self.pages(campaign, {"system": "System-A"}):
                with self.subTest(page=name):
                    self.assertEqual(status, 200)
                    self.assertNotIn(">nan<", text)

    def test_without_a_filter_nothing_is_said_to_widen(self):
        page = self.as_user(self.owner).get(reverse("scores", args=[self.pairwise.pk]))
        self.assertNotContains(page, "No matching judgments")
