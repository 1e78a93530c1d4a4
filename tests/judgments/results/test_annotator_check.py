"""Annotators excluded by WMT26's rule: only from its table, named, and only on request."""

import numpy as np
from django.core.cache import cache
from django.test import TestCase
from django.urls import reverse

from judgments.models import Kind
from judgments.results.observations.observations import forget, load
from judgments.results.scores.figures import system_scores
from judgments.results.selection.selection import Selection
from judgments.stats.pairwise_probability import pairwise_probabilities
from tests import factory

USUAL = ([5, 3, 1], [4, 3, 2], [5, 4, 2], [4, 2, 1])
TURNED = ([1, 3, 5], [1, 2, 5], [2, 3, 5], [1, 2, 4])


class ThreeTest(TestCase):
    """Twelve segments in four documents, three systems; of three annotators "odd" turns round what
    the others say, on adequacy alone."""

    preset = "adequacy-fluency"
    n_documents = 4
    n_outputs = 3
    n_degraded = 0  # of the first items of "odd"
    rows = {"anna": USUAL, "ben": USUAL, "odd": TURNED}

    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        people = [factory.make_user(name) for name in cls.rows]
        test_set = factory.make_test_set(cls.owner, n_segments=12, n_documents=cls.n_documents)
        cls.campaign = factory.make_campaign(test_set, owner=cls.owner, annotators=people)
        for seat, person in enumerate(people, 1):
            task = factory.make_task(cls.campaign, person, seat=seat, n_outputs=cls.n_outputs)
            for place, item in enumerate(task.items.order_by("position")):
                if person.username == "odd" and place < cls.n_degraded:
                    item.kind = Kind.DEGRADED
                    item.save()
                row = cls.rows[person.username][place % 4][: cls.n_outputs]
                factory.judge(item, {"adequacy": row, "fluency": USUAL[place % 4][: len(row)]})

    def setUp(self):
        cache.clear()
        forget()
        self.client.force_login(self.owner)

    def scores(self, dimension="adequacy", **options):
        options = {"rule": "wmt26"} | options
        return system_scores(Selection.of(self.campaign), dimension, **options)

    def page(self, **query):
        response = self.client.get(reverse("scores", args=[self.campaign.pk]), query)
        self.assertEqual(response.status_code, 200)
        return response


class LeftOutTest(ThreeTest):
    def test_who_turns_scores_round_is_left_out_of_the_table(self):
        found = self.scores()
        check = found.annotator_check
        self.assertEqual((check.n_checked, check.n_annotators), (3, 3))
        self.assertEqual((check.threshold, check.fewest, check.unit), (0.75, 3, "documents"))
        ((alias, mean),) = check.left_out
        rows = load(Selection.of(self.campaign)).of_dimension("adequacy").ratings
        columns = (rows[name] for name in ("value", "annotator", "system", "judgment", "segment"))
        expected = pairwise_probabilities(*columns).mean[2]
        self.assertEqual((alias, mean), ("odd", expected))
        self.assertLess(mean, 0.75)
        without = Selection.of(self.campaign, without=["odd"])
        kept = system_scores(without, "adequacy", rule="wmt26", check="none")
        self.assertEqual(found.mean.tolist(), kept.mean.tolist())
        np.testing.assert_array_equal(found.p_of_rule, kept.p_of_rule)
        self.assertEqual(found.n_judgments.tolist(), [24, 24, 24])

    def test_nobody_is_left_out_elsewhere(self):
        everybody = [36, 36, 36]
        for options in ({"check": "none"}, {"rule": "wmt25"}, {"rule": "wmt17-23"}):
            found = self.scores(**options)
            self.assertIsNone(found.annotator_check)
            self.assertEqual(found.n_judgments.tolist(), everybody)
        found = self.scores("fluency")
        self.assertEqual(found.annotator_check.left_out, ())
        self.assertEqual(found.n_judgments.tolist(), everybody)
        self.assertEqual(self.scores(method="mixed").n_judgments.tolist(), [24, 24, 24])
        self.assertEqual(self.scores(method="z").n_judgments.tolist(), [24, 24, 24])
        selection = Selection.of(self.campaign)
        self.assertTrue(selection.is_everything)
        self.assertEqual(selection.judgments().count(), 36)

    def test_an_unknown_check_is_refused(self):
        with self.assertRaisesMessage(ValueError, "'some' is none of rule, none"):
            self.scores(check="some")

    def test_the_page_says_who_and_why(self):
        said = "Left out of WMT26&#x27;s ranks alone, as WMT26 did: 1 of 3 annotators, "
        said += "for a mean pairwise "
        said += "probability below .75: odd (."
        none = "leaves out none of 3 annotators: nobody has a mean pairwise probability below .75."
        response = self.page()
        self.assertContains(response, said)
        self.assertContains(response, none)  # fluency
        self.assertContains(response, '<option value="rule" selected>')
        response = self.page(check="none")
        self.assertNotContains(response, "Left out of WMT26")
        self.assertContains(response, '<option value="none" selected>')

    def test_the_api_says_who(self):
        address = reverse("api-scores", args=[self.campaign.pk])
        found = self.client.get(address, {"rule": "wmt26"}).json()
        check = found["annotator_check"]
        ((alias, mean),) = self.scores().annotator_check.left_out
        self.assertEqual(check["left_out"], [{"annotator": alias, "probability": mean}])
        self.assertEqual((check["threshold"], check["fewest"]), (0.75, 3))
        self.assertEqual((check["unit"], check["n_checked"]), ("documents", 3))
        self.assertEqual([row["n_judgments"] for row in found["systems"]], [24, 24, 24])
        for query in ({}, {"rule": "wmt26", "check": "none"}):
            found = self.client.get(address, query).json()
            self.assertIsNone(found["annotator_check"])
            self.assertEqual([row["n_judgments"] for row in found["systems"]], [36, 36, 36])
        self.assertEqual(self.client.get(address, {"check": "some"}).status_code, 400)


class FewDocumentsTest(ThreeTest):
    n_documents = 2

    def test_two_documents_are_too_few(self):
        found = self.scores()
        self.assertEqual(found.annotator_check.n_checked, 0)
        self.assertEqual(found.n_judgments.tolist(), [36, 36, 36])
        said = "nobody rated two systems side by side and at least 3 documents."
        self.assertContains(self.page(), said)


class OneDocumentTest(ThreeTest):
    n_documents = 1

    def test_items_count_where_there_is_one_document(self):
        check = self.scores().annotator_check
        self.assertEqual((check.n_checked, check.unit), (3, "items"))
        self.assertEqual([alias for alias, _ in check.left_out], ["odd"])


class ControlsTest(ThreeTest):
    """What "odd" said of degraded copies says nothing about differences between systems."""

    n_degraded = 9

    def test_controls_do_not_count(self):
        check = self.scores().annotator_check
        self.assertEqual((check.n_checked, check.n_annotators), (2, 3))
        self.assertEqual(check.left_out, ())
        said = "1 with fewer than 3 documents, or without two systems side by side, was not checked"
        self.assertContains(self.page(), said)


class OneOutputTest(ThreeTest):
    n_outputs = 1

    def test_outputs_that_stand_alone_are_not_compared(self):
        self.assertEqual(self.scores().annotator_check.n_checked, 0)


class NobodyLeftTest(ThreeTest):
    """Two who turn each other's scores round are both far from the mean of the two."""

    rows = {"anna": [[5, 3, 1]] * 4, "odd": [[1, 3, 5]] * 4}

    def test_the_page_says_that_everybody_is_left_out(self):
        found = self.scores()
        self.assertTrue(found.annotator_check.leaves_nobody)
        self.assertEqual(len(found.names), 0)
        response = self.page()
        self.assertContains(response, "2 of 2 annotators, for a mean pairwise probability below")
        self.assertContains(response, 'name="check"')
        response = self.client.get(
            reverse("api-scores", args=[self.campaign.pk]), {"rule": "wmt26"}
        ).json()
        self.assertEqual(response["systems"], [])
        self.assertEqual(len(response["annotator_check"]["left_out"]), 2)


class EmptyTest(ThreeTest):
    rows: dict = {}

    def test_without_judgments_nobody_is_checked(self):
        found = self.scores()
        self.assertEqual(found.reason, "there are no ratings")
        self.assertEqual(found.annotator_check.n_annotators, 0)
        self.assertContains(self.page(), "No judgments yet")
