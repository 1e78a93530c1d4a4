"""Errors marked by a metric compared with those of people, by hand; the statistic itself has its
oracle in tests/judgments/stats/test_span_pairs.py."""

import gc
import json
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judgments.models import Output
from judgments.results.selection.selection import Selection
from metrics.models import MetricScore, MetricSpans
from metrics.scores.importing import Instructions, import_scores
from metrics.with_people import board_of
from metrics.with_people.span_figures import (
    against_metric,
    grave_of,
    span_report,
    threshold_of,
    with_others,
)
from metrics.with_people.span_tables import SpanSections
from tests.judgments.results.test_spans import SpansTestCase, mark

SCORES = "system\tsegment\tscore\n" + "".join(
    f"System-{name}\t{segment}\t{score}\n"
    for name, score in (("A", 0.5), ("B", 0.9), ("C", 0.7))
    for segment in range(1, 5)
)
# In the first segment; nothing is marked in System-B and System-C.
ERRORS = (
    "system\tsegment\tstart\tend\tseverity\tcategory\n"
    "System-A\t1\t0\t6\tmajor\t\n"
    "System-A\t1\t8\t10\tmajor\t\n"
    "System-B\t1\t\t\t\t\n"
    "System-C\t1\t\t\t\t\n"
)
INSTRUCTIONS = Instructions(higher_is_better=True, name="Marker", references=())


class SpanFiguresTest(SpansTestCase):
    """People: System-A 0–6 minor and 8–10 major, System-B nothing, System-C 0–2 major; another
    person: System-A 3–6 and 8–10 minor, System-B and System-C nothing."""

    preset = "esa"

    def setUp(self):
        one = [mark(0, 6), mark(8, 10, "major")]
        self.answer(self.annotator_1, self.answers(one, [], [mark(0, 2, "major")], score=90))
        other = [mark(3, 6), mark(8, 10)]
        self.answer(self.annotator_2, self.answers(other, [], [], score=90))
        caches["results"].clear()

    def bring(self, errors=ERRORS):
        with TemporaryDirectory() as name:
            files = [Path(name) / "scores.tsv", Path(name) / "errors.tsv"]
            for file, text in zip(files, (SCORES, errors), strict=True):
                file.write_text(text)
            return import_scores(self.test_set, files, INSTRUCTIONS)

    def report(self):
        return span_report(Selection.of(self.spans), board_of(self.test_set))

    def test_figures_by_hand(self):
        assert self.bring().n_spans == 2
        (found,) = self.report().rows
        # Six pairs. Credit with the first: 6 · ½ + 2, of 8 and 8 characters, and 0 of 2; with the
        # second: 3 · ½ + 2 · ½, of 5 and 8.
        figures = found.figures
        self.assertEqual(figures.n, 6)
        self.assertAlmostEqual(figures.precision, 7.5 / 16)
        self.assertAlmostEqual(figures.recall, 7.5 / 15)
        self.assertAlmostEqual(figures.f1, 15 / 31)
        each = [2 * 5 / 16, 2 * 2.5 / 13, 1, 1, 0, 1]
        self.assertAlmostEqual(figures.macro_f1, np.mean(each))
        self.assertAlmostEqual(figures.exact_f1, 2 * 1 / (5 + 4))
        self.assertAlmostEqual(figures.partial_f1, 2 * (1 + 1 + 0.5 + 1) / (5 + 4))
        self.assertEqual((found.n_people, found.n_own), (5, 4))
        # Free of errors for people: both of B, one of C; for the metric (.85): only B.
        self.assertEqual(found.threshold, 0.85)
        truth, said = np.array([0, 0, 1, 1, 0, 1]), np.array([0, 0, 1, 1, 0, 0])
        phi = np.corrcoef(truth, said)[0, 1]
        self.assertAlmostEqual(found.matthews, phi)
        # Of nine pairs of a free one and another, the free one has more in eight, a tie in one.
        self.assertAlmostEqual(found.auc, (8 + 0.5) / 9)
        self.assertEqual(found.severities["major"].n, 2)
        self.assertAlmostEqual(found.severities["major"].characters, 2 / 4)
        self.assertAlmostEqual(found.severities["major"].met, 1 / 2)
        self.assertAlmostEqual(found.severities["minor"].characters, (3 + 1.5 + 1) / 11)

    def test_people_against_each_other(self):
        self.bring()
        people = self.report().people
        # As on the page Agreement: credit 3 + 2 · ½ of 8 + 5 + 2 characters.
        self.assertAlmostEqual(people.figures.f1, 2 * 4 / 15)
        self.assertAlmostEqual(people.figures.precision, people.figures.recall)
        self.assertEqual(people.figures.n, 6)
        truth, said = np.array([0, 0, 1, 1, 0, 1]), np.array([0, 0, 1, 1, 1, 0])
        self.assertAlmostEqual(people.matthews, np.corrcoef(truth, said)[0, 1])

    def test_examples_lead_to_their_segments(self):
        self.bring()
        selection, board = Selection.of(self.spans), board_of(self.test_set)
        table = SpanSections(selection, board).sections()[2].table()
        text = self.output(system="System-C").text
        row = ("Marker", "people marked it", "System-C", "1", "major", text[:2])
        self.assertEqual([tuple(each) for each in table.rows], [row])
        self.assertIn("#system-", table.links[0, "segment"])

    def test_what_only_the_metric_marks_is_an_example(self):
        self.bring(ERRORS + "System-B\t1\t3\t9\tmajor\t\n")
        examples = self.report().rows[0].examples
        self.assertEqual([each.by_people for each in examples], [True, False])
        self.assertEqual((examples[1].start, examples[1].end), (3, 9))

    def test_a_severity_that_people_lack_is_not_the_gravest(self):
        """System-A 0–6: neutral over all of the major one, which counts where both are."""
        self.bring(ERRORS + "System-B\t1\t3\t9\tneutral\t\nSystem-A\t1\t0\t10\tneutral\t\n")
        (found,) = self.report().rows
        self.assertEqual([each.by_people for each in found.examples], [True])
        # Credit of people's major 8–10: 2 of 2 with the first person, 0 of 2 in System-C.
        self.assertAlmostEqual(found.severities["major"].characters, 2 / 4)

    def test_without_errors_of_metrics_it_says_how(self):
        (folded, kinds, examples) = SpanSections(
            Selection.of(self.spans), board_of(self.test_set)
        ).sections()
        self.assertIn("xCOMET", folded.sentence())
        rows = folded.table().rows
        self.assertEqual((rows[0][0], len(rows)), ("Another person", 1))
        self.assertIsNone(kinds.table())
        self.assertIsNone(examples.table())

    def test_the_page_the_api_and_a_file(self):
        self.bring()
        page = self.get_as(self.researcher, "correlation", self.spans.pk)
        self.assertContains(page, "Marker: F1 of characters .484")
        self.assertContains(page, "one person against another")
        found = self.get_as(self.researcher, "api-meta-evaluation", self.spans.pk)
        errors = json.loads(found.content)["marked_errors"]
        self.assertAlmostEqual(errors["metrics"][0]["f1"], 15 / 31)
        self.assertAlmostEqual(errors["people"]["f1"], 8 / 15)
        file = self.get_as(self.researcher, "export-table", self.spans.pk, "metric-spans")
        self.assertIn("Marker", file.content.decode())
        other = self.get_as(self.researcher, "api-meta-evaluation", self.campaign.pk)
        self.assertIsNone(json.loads(other.content)["marked_errors"])

    def test_errors_of_changed_texts_are_left_out(self):
        self.bring()
        self.assertEqual(self.report().n_stale, 0)
        output = self.output(system="System-A", segment="2")
        Output.objects.filter(pk=output.pk).update(text="Something else .")
        report = self.report()
        self.assertEqual(report.n_stale, 1)
        self.assertEqual(report.rows[0].figures.n, 4)

    def test_the_errors_of_one_metric_at_a_time_are_in_memory(self):
        self.bring()
        data = [[[0, 5, "major", "", None]] * 211, None, None, None]
        for score in MetricScore.objects.order_by("pk"):
            MetricSpans.objects.filter(score=score).update(data=data, n_errors=211)
            for name in "KLM":
                score.pk, score.signature = None, name
                score.save()
                MetricSpans.objects.create(score=score, data=data, n_errors=211)
        held = []

        def count(*arguments):
            lists = (each for each in gc.get_objects() if type(each) is list)
            held.append(sum(len(each) == 211 for each in lists))
            return against_metric(*arguments)

        del data
        with patch("metrics.with_people.span_figures.against_metric", count):
            report = self.report()
        # Three systems each. The errors of the previous metric are released when the next ones are
        # loaded.
        self.assertEqual(len(report.rows), 4)
        self.assertLessEqual(max(held), 7)

    def test_the_number_of_statements_does_not_grow(self):
        self.bring()
        selection, board = Selection.of(self.spans), board_of(self.test_set)

        def statements():
            caches["results"].clear()
            with CaptureQueriesContext(connection) as captured:
                SpanSections(selection, board).sections()[2].table()
            return len(captured)

        statements()  # the first one reads the judgments, which stay in memory
        few = statements()
        data = [[[0, 5, "major", "", None]] * 3, None, None, None]
        score = MetricScore.objects.get(system__name="System-B")
        MetricSpans.objects.filter(score=score).update(data=data, n_errors=3)
        self.assertEqual(statements(), few)


def test_thresholds_follow_the_scale():
    assert threshold_of(np.array([0.2, np.nan, 1.0])) == 0.85
    assert threshold_of(np.array([0.2, 90])) == 85
    assert isnan(threshold_of(np.array([-3.0, 0.5])))
    assert isnan(threshold_of(np.array([120.0, 0.5])))
    assert isnan(threshold_of(np.array([np.nan])))
    # Slightly beyond 1 is not another scale; five points and a distance are.
    assert threshold_of(np.array([0.2, 0.9, 1.002])) == 0.85
    assert threshold_of(np.array([-0.01, 0.9])) == 0.85
    assert threshold_of(np.array([3, 100.2])) == 85
    assert isnan(threshold_of(np.array([1.0, 3, 5])))
    assert isnan(threshold_of(np.array([-0.5, 60])))


def test_severities_of_a_metric_take_their_places_among_those_of_people():
    assert with_others(("minor", "major"), ["critical", "neutral", "minor", "odd"]) == [
        "odd",
        "neutral",
        "minor",
        "major",
        "critical",
    ]
    assert with_others(("minor", "critical"), ["major"]) == ["minor", "major", "critical"]
    assert with_others(("low", "high"), ["odd"]) == ["odd", "low", "high"]
    assert with_others((), []) == []
    assert grave_of(("minor", "major", "critical")) == {"major", "critical"}
    assert grave_of(("low", "high")) == {"high"}
