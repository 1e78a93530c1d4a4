"""Charts and tables are listed without making them, and made alone."""

import dataclasses
from contextlib import ExitStack
from unittest import mock

from judgments.results.selection.selection import Selection
from judgments.web import sections
from judgments.web.charts import Chart
from judgments.web.sections import Lazy, ResultsPage, Section
from judgments.web.tables import Table

from .test_results import ResultsTestCase

COMPUTING = {
    "agreement": "judgments.results.agreement.figures.agreement",
    "workload": "judgments.results.agreement.figures.workload",
    "system_scores": "judgments.results.scores.figures.system_scores",
    "segment_scores": "judgments.results.scores.figures.segment_scores",
    "power": "judgments.results.power.figures.power",
    "quality": "judgments.quality.rules.figures.quality",
}


class LazyTest(ResultsTestCase):
    def setUp(self):
        super().setUp()
        self.judge_everything()

    def without(self, *names):
        """Assert that none of these is computed."""
        stack = ExitStack()
        for name in names:
            problem = AssertionError(f"{name} was computed")
            stack.enter_context(mock.patch(COMPUTING[name], side_effect=problem))
        return stack

    def test_files_are_listed_without_computing_any(self):
        with self.without(*COMPUTING):
            response = self.get_as(self.owner, "exports", self.campaign.pk)
        self.assertContains(response, "Systems by adequacy, mixed model")
        self.assertContains(response, "Annotator by annotator: fluency")

    def test_one_chart_and_one_table_are_made_alone(self):
        others = [name for name in COMPUTING if name != "system_scores"]
        with self.without(*others):
            chart = self.get_as(
                self.owner, "chart", self.campaign.pk, "scores-adequacy-raw", "vl.json"
            )
            table = self.get_as(self.owner, "export-table", self.campaign.pk, "scores-adequacy-raw")
        self.assertEqual((chart.status_code, table.status_code), (200, 200))

    def test_a_chart_with_nothing_to_draw_says_so(self):
        response = self.get_as(
            self.owner, "chart", self.campaign.pk, "agreement-repeats-adequacy", "svg"
        )
        self.assertContains(response, "There is nothing to draw yet.")

    def test_every_name_stands_for_itself(self):
        """What is listed is what is made: charts and tables of the same names and titles."""
        selection = Selection.of(self.campaign)
        for lazy, _ in sections.tables_of(selection):
            made = lazy.make()
            self.assertIsInstance(made, Table)
            self.assertEqual(made.slug, lazy.slug)
        for lazy, _ in sections.charts_of(selection):
            made = lazy.make()
            if made is not None:
                self.assertIsInstance(made, Chart)
                self.assertEqual(made.name, lazy.slug)

    def test_the_pages_read_the_same_list(self):
        listed = {lazy.slug for lazy, _ in sections.tables_of(Selection.of(self.campaign))}
        listed |= {lazy.slug for lazy, _ in sections.charts_of(Selection.of(self.campaign))}
        for name in ("agreement", "scores", "power"):
            response = self.get_as(self.owner, name, self.campaign.pk)
            shown = [
                each.slug
                for section in response.context["sections"]
                for each in (*section.charts, *section.tables)
            ]
            self.assertGreater(len(shown), 3)
            self.assertLessEqual(set(shown), listed)

    def test_a_page_can_be_added_by_an_app_above(self):
        known = sections.all_pages()
        one = Table("one", "One", ("name", "value"), [("a", 1.5)])
        page = ResultsPage(
            slug="added",
            name="Added",
            sections=lambda selection: [
                Section("added", "Added", tables=[Lazy("one", "One", lambda: one)])
            ],
            data=lambda selection: {"value": 1.5},
            asked=lambda campaign: campaign.pk == self.campaign.pk,
        )
        with mock.patch.object(sections, "all_pages", lambda: [*known, page]):
            response = self.get_as(self.owner, "exports", self.campaign.pk)
            self.assertContains(response, "one.csv")
            (row,) = self.get_csv(self.campaign, "one")
            self.assertRegex(row.pop("address"), "/f/[a-z2-7]{10}/$")
            expected = {"name": "a", "value": "1.5", "selection": "All judgments count"}
            self.assertEqual(row, expected)
            self.assertEqual(sections.data_of(Selection.of(self.campaign))["added"], {"value": 1.5})
            self.assertEqual(sections.data_of(Selection.of(self.pairwise))["added"], {})
            response = self.get_as(self.owner, "export-table", self.pairwise.pk, "one")
            self.assertEqual(response.status_code, 404)

    def test_a_section_is_a_value(self):
        with self.assertRaises(dataclasses.FrozenInstanceError):
            Section("s", "S").title = "T"  # type: ignore[misc]
