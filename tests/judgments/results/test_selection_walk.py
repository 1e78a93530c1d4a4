"""Every address of results says which judgments its figures are of, and filters change them.

The files come from the pages' own lists: a new one is walked to as soon as a section lists it.
"""

import html
import json
import re

import pytest

from judgments.models import ErrorSpan, Item, Kind
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory

from ..people import test_links
from . import test_answers, test_edits, test_spans
from .selection_walk import Walk
from .test_results import ResultsTestCase

pytestmark = pytest.mark.slow


class RatingsWalkTest(Walk, ResultsTestCase):
    # No degraded copies.
    alike = ("quality-controls-adequacy", "quality-controls-fluency")

    def setUp(self):
        super().setUp()
        for item in Item.objects.filter(task__campaign=self.campaign, position=3):
            Item.objects.filter(pk=item.pk).update(kind=Kind.REPEAT)
        self.judge_everything()
        chosen = [MetricChoice("chrf"), MetricChoice("ter")]
        jobs.work_on(jobs.create_job(self.test_set, chosen, ["ref"]).pk)
        self.set_up_walk(self.campaign)

    @pytest.mark.proof
    def test_pages(self):
        self.walk_pages(7)

    @pytest.mark.proof
    def test_endpoints(self):
        self.walk_endpoints(7)

    @pytest.mark.proof
    def test_tables(self):
        self.walk_tables(40)

    @pytest.mark.proof
    def test_charts(self):
        self.walk_charts(40)

    @pytest.mark.proof
    def test_files(self):
        self.walk_files()

    @pytest.mark.proof
    def test_charts_of_the_page_metrics(self):
        for query in self.asked[:2]:
            page = self.get("correlation", **query).decode()
            links = {
                html.unescape(link)
                for link in re.findall(r'href="([^"]*/correlation/charts/[^"]*)"', page)
            }
            self.assertGreater(len(links), 3)
            for link in links:
                kind = "svg" if ".svg" in link else "png"
                self.assert_drawn(self.client.get(link).content, kind, self.selection(query))


@pytest.mark.proof
class PairwiseWalkTest(Walk, ResultsTestCase):
    asked = ({}, {"domain": "news"}, {"document": "doc1"})
    # All pairs are far from any level with so few; no degraded copies.
    alike = ("p-comparisons", "wmt-ranks-expected-wins", "quality-controls-comparisons")

    def setUp(self):
        super().setUp()
        self.judge_everything(self.pairwise)
        self.set_up_walk(self.pairwise)

    def test_everything(self):
        self.walk_pages(6)
        self.walk_endpoints(5)
        self.walk_tables(10)
        self.walk_charts(6)
        self.walk_files()


@pytest.mark.proof
class EditsWalkTest(Walk, test_edits.EditsTestCase):
    # No output was judged twice, the edits have no ratings in addition, and the corrections are of
    # one system and one domain.
    alike = (
        "edits-speed",
        *("agreement", "agreement-understood", "agreement-further-understood"),
        *("agreement-unedited", "agreement-further-unedited"),
        *("sensitivity-understood-raw", "sensitivity-unedited-raw"),
    )

    def test_everything(self):
        self.set_up_walk(self.editing)
        self.walk_pages(6)
        self.walk_endpoints(5)
        self.walk_tables(3)
        self.walk_charts(1)


@pytest.mark.proof
class LinksWalkTest(Walk, test_links.LinksTestCase):
    def test_everything(self):
        self.judge_all()
        self.set_up_walk(self.linking)
        self.asked = ({}, {"domain": "news"}, {"document": "doc1"})
        self.walk_pages(2)
        self.walk_endpoints(1)
        self.walk_tables(3)
        self.walk_charts(1)
        self.walk_files()


@pytest.mark.proof
class AnswersWalkTest(Walk, test_answers.AnswersTestCase):
    def test_everything(self):
        self.answer(self.annotator_1, "A", ["", "", "Ada"])
        self.answer(self.annotator_2, "B", ["", "", "Bela"])
        self.set_up_walk(self.asking)
        self.asked = ({}, {"system": "System-A"}, {"system": "System-B"})
        self.walk_pages(2)
        self.walk_endpoints(1)
        self.walk_tables(4)
        self.walk_charts(1)
        self.walk_files()


@pytest.mark.proof
class SpansWalkTest(Walk, test_spans.SpansTestCase):
    preset = "mqm"
    asked = (*Walk.asked, {"weights": "esa", "system": "System-A"})
    alike = ("quality-controls-mqm",)  # no degraded copies

    def setUp(self):
        for item in Item.objects.filter(task__campaign=self.spans):
            judgment = factory.judge(item, {"mqm": [-5.0, -1.0 - item.position, -1.0]})
            for shown in item.shown.all():
                ErrorSpan.objects.create(
                    judgment=judgment,
                    output=shown.output,
                    side="target",
                    start=0,
                    end=6 + item.position,
                    severity="minor" if shown.position else "major",
                )
        self.set_up_walk(self.spans)

    def test_everything(self):
        self.walk_pages(6)
        self.walk_endpoints(5)
        self.walk_tables(10)
        self.walk_charts(5)

    def test_the_files_of_errors(self):
        for query in self.asked:
            line = self.line(query)
            text = self.get("export-errors", "tsv", **query).decode()
            head, *rows = (row.split("\t") for row in text.splitlines())
            self.assertEqual(head[-1], "selection")
            self.assertEqual({row[-1] for row in rows}, {line})
            text = self.get("export-errors", "jsonl", **query).decode()
            lines = [json.loads(row) for row in text.splitlines()]
            self.assertEqual({row["selection"] for row in lines}, {line})
            self.assertEqual(len(lines), len(rows))
