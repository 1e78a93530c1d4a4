"""How much better: counted, shown, given and exported."""

import csv

from judgments.models import Preference
from tests import factory
from tests.base import CastTestCase

# Four items, the first output against the second: clearly better, slightly worse, equal, better
# without a strength.
ANSWERS = [(1, 2), (-1, 1), (0, None), (1, None)]


class StrengthTests(CastTestCase):
    def setUp(self):
        self.pairwise.options = {"ask_strength": True}
        self.pairwise.save()
        task = self.pairwise.tasks.get(annotator=self.annotator_1)
        for item, (sign, strength) in zip(task.items.order_by("position"), ANSWERS, strict=True):
            judgment = factory.judge(item, sign)
            with factory.rewriting():
                Preference.objects.filter(judgment=judgment).update(strength=strength)

    def test_the_page_counts_them(self):
        response = self.get_as(self.researcher, "scores", self.pairwise.pk)
        self.assertContains(response, "How much better")
        self.assertContains(response, "Of 4 comparisons 25 % say that one translation is clearly")
        self.assertContains(response, "50 % slightly, and 25 % that both are equal")
        self.pairwise.options = {}
        self.pairwise.save()
        response = self.get_as(self.researcher, "scores", self.pairwise.pk)
        self.assertNotContains(response, "How much better")

    def test_the_order_of_the_screen_does_not_matter(self):
        """B against A, slightly better, is A against B slightly worse."""
        task = self.pairwise.tasks.get(annotator=self.annotator_2)
        judgment = factory.judge(task.items.first(), 1)
        row = Preference.objects.get(judgment=judgment)
        with factory.rewriting():
            Preference.objects.filter(pk=row.pk).update(
                output_a=row.output_b_id, output_b=row.output_a_id, strength=2
            )
        data = self.get_as(self.owner, "api-scores", self.pairwise.pk).json()
        self.assertEqual(
            data["strengths"],
            [
                {
                    "first": "System-A",
                    "second": "System-B",
                    "first_clearly": 1,
                    "first_slightly": 1,
                    "equal": 1,
                    "second_slightly": 1,
                    "second_clearly": 1,
                    "n": 5,
                }
            ],
        )

    def test_they_go_out(self):
        response = self.get_as(self.owner, "export-table", self.pairwise.pk, "strengths")
        (row,) = csv.DictReader(response.content.decode().splitlines())
        self.assertEqual((row["first_clearly"], row["second_slightly"], row["n"]), ("1", "1", "4"))
        response = self.get_as(self.owner, "export-observations", self.pairwise.pk)
        lines = b"".join(response.streaming_content).decode().splitlines()
        rows = list(csv.DictReader(lines, delimiter="\t"))
        self.assertEqual([row["strength"] for row in rows], ["2", "1", "", ""])
        response = self.get_as(self.owner, "export-table", self.campaign.pk, "strengths")
        self.assertEqual(response.status_code, 404)

    def test_who_is_left_out_is_left_out(self):
        self.pairwise.decisions.create(
            annotator=self.annotator_1, decided_by=self.owner, excluded=True, reason="Test"
        )
        data = self.get_as(self.owner, "api-scores", self.pairwise.pk).json()
        self.assertEqual(data["strengths"], [])
