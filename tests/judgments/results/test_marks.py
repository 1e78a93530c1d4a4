"""Agreement on marked errors: on the page, in the API, in files."""

import csv
import io

from judgments.results.agreement import marks
from judgments.results.selection.selection import Selection
from tests.judgments.results.test_spans import SpansTestCase, mark


class MarksTest(SpansTestCase):
    """By hand. System-A: 8 and 5 characters, 5 of them of both, 3 with one severity; System-B:
    nothing; System-C: nothing and 2. Errors: two against two that overlap, one pair of them with
    one severity, and one that nobody met."""

    preset = "esa"

    def setUp(self):
        one = [mark(0, 6), mark(8, 10, "major")]
        self.answer(self.annotator_1, self.answers(one, [], []))
        other = [mark(3, 6), mark(8, 10)]
        self.answer(self.annotator_2, self.answers(other, [], [mark(0, 2)]))
        self.answer(self.annotator_1, self.answers([], [], [mark(0, 3)]), number=2)

    def test_figures(self):
        report = marks.marks(Selection.of(self.spans))
        found = [each.result.estimate for each in report.coefficients]
        expected = [10 / 15, (10 / 13 + 1 + 0) / 3, 8 / 15, 4 / 5, 2 / 5]
        for value, wanted in zip(found, expected, strict=True):  # without categories: five
            self.assertAlmostEqual(value, wanted)
        self.assertEqual(report.coefficients[0].result.n_items, 3)
        self.assertEqual((report.n_judgments, report.n_spans), (6 + 3, 6))
        self.assertEqual(
            report.directed,
            (("annotator-1", 2, (1.0, 0.5, 0.5)), ("annotator-2", 3, (2 / 3, 1 / 3, 1 / 3))),
        )

    def test_a_revision_counts_and_what_it_superseded_does_not(self):
        self.answer(self.annotator_2, self.answers([mark(3, 6), mark(8, 10)], [], []))
        self.assertAlmostEqual(
            marks.marks(Selection.of(self.spans)).coefficients[0].result.estimate, 10 / 13
        )

    def test_the_page(self):
        self.assert_refused("agreement", self.spans.pk)
        page = self.get_as(self.researcher, "agreement", self.spans.pk)
        self.assertContains(
            page,
            "67 % of the characters that two annotators mark are marked by both: character F1 .67",
        )
        self.assertContains(page, "Nothing here is corrected for chance")
        self.assertContains(page, "Errors matched, by annotator")
        self.assertNotContains(page, "same severity and category")
        other = self.get_as(self.researcher, "agreement", self.campaign.pk)
        self.assertNotContains(other, "Marked errors")

    def test_the_api_and_files(self):
        answer = self.get_as(self.researcher, "api-agreement", self.spans.pk).json()
        self.assertAlmostEqual(answer["marks"]["coefficients"][0]["estimate"], 10 / 15)
        other = self.get_as(self.researcher, "api-agreement", self.campaign.pk).json()
        self.assertIsNone(other["marks"])
        file = self.get_as(self.researcher, "export-table", self.spans.pk, "agreement-marks")
        rows = list(csv.DictReader(io.StringIO(file.content.decode("utf-8-sig"))))
        self.assertAlmostEqual(float(rows[0]["estimate"]), 10 / 15)
        chart = self.get_as(self.researcher, "chart", self.spans.pk, "agreement-marks", "vl.json")
        self.assertEqual(chart.status_code, 200)


class NothingMarkedTest(SpansTestCase):
    def test_before_anything_is_judged(self):
        self.assertContains(
            self.get_as(self.researcher, "agreement", self.spans.pk), "No judgments yet"
        )
        self.assertIn("there are no ratings", str(marks.marks(Selection.of(self.spans))))
        self.assertEqual(
            self.get_as(self.researcher, "api-agreement", self.spans.pk).status_code, 200
        )
