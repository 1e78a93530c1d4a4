"""Metrics against people over the interface: the figures of the page with signature, n and seed."""

import math

from django.urls import reverse

from judgments.results.selection.selection import Selection
from metrics import with_people as agreement
from tests.metrics.with_people.test_correlation import Judged


class MetaEvaluationTest(Judged):
    name = "api-meta-evaluation"

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.compute("bleu", "ter")

    def found(self, **query):
        response = self.get_as(self.researcher, self.name, self.campaign.pk, data=query)
        self.assertEqual(response.status_code, 200, response.content)
        return response.json()

    def test_strangers(self):
        expected = {None: 403, self.outsider: 404, self.annotator_1: 403}
        for user, status in expected.items():
            response = self.get_as(user, self.name, self.campaign.pk)
            self.assertEqual(response.status_code, status, user)

    def test_the_figures_are_those_of_the_page(self):
        found = self.found(dimension="fluency", method="z", grouping="none")
        board = agreement.board_of(self.test_set)
        choice = agreement.StudyChoice("fluency", "z")
        systems = agreement.system_agreement(Selection.of(self.campaign), choice, board)
        segments = agreement.segment_agreement(Selection.of(self.campaign), choice, board, "none")
        for level, expected in (("systems", systems), ("segments", segments)):
            self.assertEqual(len(found[level]["metrics"]), 5)
            for ours, row in zip(found[level]["metrics"], expected.rows, strict=True):
                self.assertEqual(ours["metric"]["signature"], row.metric.signature)
                for key, figure in row.figures.items():
                    value = None if math.isnan(figure.estimate) else figure.estimate
                    self.assertEqual(ours["figures"][key]["estimate"], value, key)
                    self.assertEqual(ours["figures"][key]["n"], figure.n)
                    ends = None if math.isnan(figure.low) else figure.low
                    self.assertEqual(ours["figures"][key]["low"], ends, key)
            self.assertEqual(found[level]["seed"], expected.seed)
            turned = {
                each["metric"]["slug"]: each["metric"]["turned"] for each in found[level]["metrics"]
            }
            self.assertEqual(turned, {row.metric.slug: row.metric.turned for row in expected.rows})
        self.assertEqual({m["metric"] for m in found["averages"]}, titles(found["systems"]))
        self.assertEqual({m["metric"] for m in found["differences"]["metrics"]}, titles(systems))

    def test_what_cannot_be(self):
        for query in ({"grouping": "x"}, {"compared": "x"}, {"humans": "x"}, {"dimension": "x"}):
            response = self.get_as(self.researcher, self.name, self.campaign.pk, data=query)
            self.assertEqual(response.status_code, 400, query)

    def test_a_campaign_without_judgments(self):
        response = self.get_as(self.owner, self.name, self.pairwise.pk)
        self.assertEqual(response.status_code, 200)
        self.assertEqual(response.json()["systems"]["systems"], [])

    def test_reading_only(self):
        client = self.as_user(self.owner)
        self.assertEqual(client.post(reverse(self.name, args=[self.campaign.pk])).status_code, 405)


def titles(found):
    if isinstance(found, dict):
        return {each["metric"]["metric"] for each in found["metrics"]}
    return {row.metric.title for row in found.rows}
