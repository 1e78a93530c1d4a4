"""Contents of a report: the pages' figures, what was done, and what only authors know."""

import csv
import io
import json
import math

import numpy as np
import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from judgments.exchange.judgments.importer import import_judgments
from judgments.models import Campaign, Kind
from judgments.people.staffing.settings import set_staffing
from judgments.publishing.report import heds, marie
from judgments.publishing.report.blocks import Grid, Prose, Terms, texts_of
from judgments.publishing.report.contents import PARTS, report_of
from judgments.publishing.report.facts import facts_of
from judgments.publishing.report.methods import methods
from judgments.publishing.report.pairs import DETECTABLE
from judgments.publishing.report.source import Source
from judgments.quality.decisions.decisions import decide
from judgments.results.observations.observations import SEED
from judgments.results.power import figures as power
from judgments.results.selection.filters import Filters
from judgments.results.selection.selection import Selection
from judgments.web import sections
from judgments.web.sections import tables_of
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests.judgments.people import test_links
from tests.judgments.results import test_answers, test_edits, test_spans
from tests.judgments.results.test_results import ResultsTestCase

# Made by the report itself: read from the metrics' own tables.
OWN = {"metric-signatures", "metric-overview", "metric-outliers", "metric-year"}


def said(report):
    """All of its words."""
    found = []
    for part in report.parts:
        for block in part.blocks:
            if isinstance(block, Prose):
                found.append(block.text)
            elif isinstance(block, Terms):
                found += [f"{name}: {words}" for name, words in block.rows]
    return "\n".join(found)


class ReportTest(ResultsTestCase):
    def selection(self, campaign=None, **asked):
        return Selection.of(campaign or self.campaign, **asked)

    def assert_figures_of_pages(self, selection):
        """Each table of the report has the cells of the page's table of its name."""
        of_pages = {lazy.slug: lazy for lazy, _ in tables_of(selection)}
        n = 0
        for grid in report_of(selection).grids:
            if grid.table.slug in OWN:
                continue
            made = of_pages[grid.table.slug].make()
            shown = texts_of(grid.table)
            if grid.table.keys[-1] == DETECTABLE.key and DETECTABLE.key not in made.keys:
                shown = [row[:-1] for row in shown]
            self.assertEqual(shown, texts_of(made), grid.table.slug)
            n += sum(map(len, shown))
        return n

    def test_every_number_is_the_pages(self):
        self.judge_everything()
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("chrf")], ["ref"]).pk)
        self.assertGreater(self.assert_figures_of_pages(self.selection()), 200)
        only = Filters(systems=("System-A", "System-B"))
        self.assertGreater(self.assert_figures_of_pages(self.selection(filters=only)), 50)

    def test_comparisons_have_the_pages_numbers(self):
        self.judge_everything(self.pairwise)
        self.assertGreater(self.assert_figures_of_pages(self.selection(self.pairwise)), 30)

    def test_counts_are_those_of_the_judgments(self):
        """Two annotators judge each of three systems on every segment, once."""
        self.judge_everything()
        n = self.test_set.segments.count()
        tables = {grid.table.slug: grid.table for grid in report_of(self.selection()).grids}
        names = ("System-A", "System-B", "System-C")
        matrix = tables["judged-matrix"]
        self.assertEqual(tuple(head.heading for head in matrix.heads[1:4]), names)
        for row in matrix.rows[:2]:
            self.assertEqual(row[1:7], (n, n, n, 3 * n, n, n))
        self.assertEqual(matrix.rows[2][:7], ("all", 2 * n, 2 * n, 2 * n, 6 * n, n, 2 * n))
        self.assertEqual(tables["judged-overlap"].rows, [(2, 3 * n, 1.0)])

    def test_a_tutorial_that_was_a_test_is_told(self):
        self.judge_everything()
        self.campaign.memberships.filter(role="annotator").update(n_practiced=2)
        for plan, wanted in (
            ({}, False),
            ({"tutorial_right": 0.6, "tutorial_tries": 2}, True),
        ):
            self.campaign.plan = plan
            self.campaign.save()
            prose = " ".join(each.text for each in methods(facts_of(self.selection())))
            self.assertIn("Two annotators practiced", prose)
            self.assertEqual("at least 60 % right answers, within two tries" in prose, wanted)

    def test_cells_lead_to_the_segments(self):
        self.judge_everything()
        (table,) = [
            lazy.make() for lazy, _ in tables_of(self.selection()) if lazy.slug == "judged-matrix"
        ]
        address = table.links[0, table.keys[1]]
        self.assertIn("annotator=annotator-1", address)
        self.assertIn("system=System-A", address)

    def test_beside_what_is_not_significant_stands_what_would_have_been(self):
        self.judge_everything()
        selection = self.selection()
        known = {
            frozenset((pair.first, pair.second)): pair.detectable
            for pair in power.power(selection, "adequacy").pairs
        }
        (grid,) = [
            each for each in report_of(selection, ["pairs"]).grids
            if each.table.slug == "pairs-adequacy-raw"
        ]  # fmt: skip
        at = grid.table.keys.index("p_adjusted")
        n = 0
        for row in grid.table.rows:
            if row[at] < 0.05:
                self.assertTrue(math.isnan(row[-1]))
            else:
                expected = known[frozenset(row[:2])]
                np.testing.assert_equal(row[-1], expected)
                n += not math.isnan(expected)
        self.assertGreater(n, 0)
        self.assertIn("Smallest detectable", grid.below)

    def test_below_each_table_stands_what_it_is_of(self):
        self.judge_everything()
        decide(self.campaign, self.annotator_2, excluded=True, reason="Hurried.", by=self.owner)
        for grid in report_of(self.selection(), ["counts", "scores", "agreement"]).grids:
            self.assertIn("1 annotator is left out.", grid.below)
            self.assertIn("n = ", grid.below)
            self.assertIn(str(SEED), grid.below)

    def test_exclusions_come_with_reasons_and_the_result_of_all(self):
        self.judge_everything()
        decide(self.campaign, self.annotator_2, excluded=True, reason="Hurried.", by=self.owner)
        report = report_of(self.selection(), ["exclusions"])
        slugs = [grid.table.slug for grid in report.grids]
        self.assertEqual(slugs, ["quality-with-and-without", "quality-decisions"])
        self.assertIn("Hurried.", json.dumps(sections.plain(list(report.grids)[1].table.rows)))

    def test_methods_say_what_was_done_and_what_is_missing(self):
        questions = [
            {"name": "native", "label": "Native speaker?", "kind": "yes-no"},
            {"name": "years", "label": "Years of work", "kind": "number"},
        ]
        set_staffing(
            self.campaign,
            {"questions": questions, "pay": {"per": "hour", "amount": "20", "currency": "EUR"}},
        )
        said_ones = {"native": "yes", "years": 3}
        self.campaign.memberships.filter(user=self.annotator_1).update(about=said_ones)
        self.judge_everything()
        words = methods(facts_of(self.selection()))
        text = " ".join(map(str, words))
        self.assertIn("We evaluated three systems that translate from German (de) to", text)
        self.assertIn("Two annotators took part.", text)
        self.assertIn("Native speaker: yes: 1.", text)
        self.assertIn("Years of work: 3 to 3, median 3 (1 answered).", text)
        self.assertIn("They were paid 20.00 EUR per hour.", text.replace("20 EUR", "20.00 EUR"))
        open_ones = [each.text for each in words if each.is_open]
        self.assertIn("how they were recruited.", open_ones)
        self.assertNotIn("the native languages of the annotators.", open_ones)

    def prose(self, campaign=None):
        return " ".join(map(str, methods(facts_of(self.selection(campaign)))))

    def test_controls_among_the_outputs_of_a_screen_are_told(self):
        self.judge_everything()
        task = self.campaign.tasks.first()
        check, degraded, *_ = task.items.order_by("position")
        task.items.filter(pk=check.pk).update(kind=Kind.CHECK)
        output = degraded.shown.first().output
        task.items.filter(pk=degraded.pk).update(control_output=output, control_kind=Kind.DEGRADED)
        self.assertIn("Control items: 1 degraded, 1 attention check.", self.prose())
        facts = facts_of(self.selection())
        answers = {number: str(answer) for number, answer in heds.design(facts)}
        quality = answers["3.3.3 Quality assurance"]
        self.assertIn("Control items: 1 degraded, 1 attention check.", quality)

    def test_third_judgments_are_no_control_items(self):
        self.judge_everything()
        task = self.campaign.tasks.first()
        item = task.items.order_by("position").first()
        task.items.filter(pk=item.pk).update(kind=Kind.THIRD)
        text = self.prose()
        self.assertIn("There were no control items.", text)
        self.assertIn("One item was planned for a third person, since two others", text)
        answers = {
            number: str(answer) for number, answer in heds.design(facts_of(self.selection()))
        }
        self.assertIn("No control items.", answers["3.3.3 Quality assurance"])

    def test_only_ratings_are_averaged(self):
        self.judge_everything()
        self.judge_everything(self.pairwise)
        averaged = "Repeated judgments of an output are averaged first"
        self.assertIn(averaged, self.prose())
        text = self.prose(self.pairwise)
        self.assertNotIn(averaged, text)
        self.assertIn("the chance of being judged better than another system", text)

    def test_nothing_is_claimed_of_screens_elsewhere(self):
        rows = "annotator\tsegment\tsystem\tdimension\tvalue\n"
        rows += "Mia\t1\tSystem-A\tadequacy\t4\nMia\t1\tSystem-A\tfluency\t4\n"
        import_judgments(self.campaign, SimpleUploadedFile("ratings.tsv", rows.encode()))
        text = said(report_of(self.selection()))
        self.assertIn("The judgments were given elsewhere, and imported.", text)
        self.assertNotIn("names of systems were hidden", text)

    def test_the_checklist_counts_what_is_known(self):
        self.judge_everything()
        facts = facts_of(self.selection())
        self.assertEqual(
            [answer for _, answer, _ in marie.answers(facts)], [True, True, True, None]
        )
        self.campaign.simulated = True
        facts = facts_of(self.selection())
        self.assertEqual(next(answer for _, answer, _ in marie.answers(facts)), False)

    def test_the_datasheet_has_every_question_number(self):
        self.judge_everything()
        text = said(report_of(self.selection(), ["datasheet"]))
        numbers = ["1.1", "1.3", "2.1", "2.5", "3.1.1", "3.1.3", "3.2.1", "3.2.5"]
        numbers += [f"3.3.{n}" for n in range(1, 9)] + [f"4.3.{n}" for n in range(1, 12)]
        numbers += ["4.1.1", "4.1.2", "4.1.3", "4.2.1", "4.2.2", "4.2.3", "5.1", "5.4"]
        for number in numbers:
            self.assertIn(f"\n{number} ", f"\n{text}")

    def test_a_campaign_without_judgments_has_a_report(self):
        text = said(report_of(self.selection()))
        self.assertIn("Nobody has judged yet.", text)

    def test_the_file_of_counts_is_among_the_exports(self):
        self.judge_everything()
        response = self.get_as(self.researcher, "export-table", self.campaign.pk, "judged-matrix")
        rows = list(csv.DictReader(io.StringIO(response.content.decode())))
        self.assertEqual([row["annotator"] for row in rows], ["annotator-1", "annotator-2", "all"])


class Every:
    """Campaigns of the other protocols have a report in every format but the drawn ones."""

    def assert_report(self, campaign):
        cache.clear()
        selection = Selection.of(campaign)
        source = Source(selection)
        for slug, (_title, make) in PARTS.items():
            with self.subTest(part=slug):
                list(make(source))
        self.as_user(self.owner)
        for kind in ("html", "tex", "md", "xlsx"):
            response = self.client.get(reverse("report-file", args=[campaign.pk, kind]))
            self.assertEqual(response.status_code, 200, kind)
            self.assertIn(f"report.{kind}", response["Content-Disposition"])


class EditsReportTest(Every, test_edits.EditsTestCase):
    def test_report(self):
        self.assert_report(self.editing)


class LinksReportTest(Every, test_links.LinksTestCase):
    def test_report(self):
        self.judge_all()
        self.assert_report(self.linking)


class AnswersReportTest(Every, test_answers.AnswersTestCase):
    def test_report(self):
        self.answer(self.annotator_1, "A", ["", "", "Ada"])
        self.assert_report(self.asking)


class SpansReportTest(Every, test_spans.SpansTestCase):
    def test_report(self):
        self.assert_report(self.spans)


@pytest.mark.proof
@pytest.mark.slow
def test_every_campaign_of_the_demo_has_a_report(db):
    from judgments.exchange import demo

    demo.load()
    cache.clear()
    for campaign in Campaign.objects.order_by("pk"):
        report = report_of(Selection.of(campaign))
        slugs = {part.slug for part in report.parts}
        assert {"design", "instructions", "counts", "datasheet", "checklist"} <= slugs
        assert "made up by a program" in said(report)
        assert isinstance(next(report.grids), Grid)
