"""Measures of a task, as a human score: values, signs, and the line of a metric against them."""

import csv
import io
from statistics import fmean

import numpy as np
import pytest
from django.core.cache import cache, caches
from scipy.stats import linregress, pearsonr, t

from judgments.models import Grade, Item, Outcome, Reference, System
from judgments.results.edits.speeds import speed_table, speed_words
from judgments.results.observations.measures import measure_named, measured_systems, observed_of
from judgments.results.selection.selection import Selection
from metrics.models import MetricScore
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from metrics.stats.correlation import regression_band
from metrics.with_people import MetricsPage, Settings, board_of
from metrics.with_people.scatter import band_of, slope_words
from tests import factory
from tests.base import CastTestCase
from tests.judgments.judging.test_questions import RIGHT
from tests.judgments.protocols.test_acceptability import edit
from tests.judgments.results.test_answers import AnswersTestCase


def test_slope_and_share_explained_are_those_of_scipy():
    rng = np.random.default_rng(8)
    x = rng.normal(30, 4, size=9)
    y = 5 - 0.16 * x + rng.normal(0, 0.3, size=9)
    band, expected = regression_band(x, y, [30.0]), linregress(x, y)
    half = t.ppf(0.975, 7) * expected.stderr
    assert band.slope == pytest.approx(expected.slope)
    assert band.slope_low == pytest.approx(expected.slope - half)
    assert band.slope_high == pytest.approx(expected.slope + half)
    assert band.r_squared == pytest.approx(expected.rvalue**2)


def test_two_points_have_a_slope_without_an_interval():
    band = regression_band([1.0, 2.0], [3.0, 5.0], [1.0])
    assert band.slope == 2 and np.isnan([band.slope_low, band.slope_high]).all()
    assert np.isnan(regression_band([1.0, 1.0], [3.0, 5.0], [1.0]).r_squared)


class EditingTest(CastTestCase):
    """Six words in every source; the seconds of editing increase with the system's letter."""

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        for letter in "DE":
            system = System.objects.create(test_set=cls.test_set, name=f"System-{letter}")
            for segment in cls.test_set.segments.all():
                text = "" if letter == "E" else f"Words {letter} of segment {segment.key}"
                segment.outputs.create(system=system, text=text)
        cls.editing = factory.make_campaign(
            cls.test_set,
            preset="post-editing",
            name="Editing",
            owner=cls.owner,
            researchers=[cls.researcher],
            annotators=[cls.annotator_1],
        )
        cls.seconds = {}
        for n, system in enumerate(cls.test_set.systems.order_by("name")):
            task = factory.make_task(cls.editing, cls.annotator_1, batch=n + 1, n_outputs=1)
            for item in Item.objects.filter(task=task).order_by("position"):
                shown = item.shown.get()
                shown.output = item.segment.outputs.get(system=system)
                shown.save()
                row = edit(item, "edited", f"Text {item.position}", editor=cls.annotator_1)
                row.active_ms = 6000 * (n + 1) + 600 * item.position
                row.keystrokes = 12 * (n + 1)
                with factory.rewriting():
                    row.save()
                cls.seconds.setdefault(system.name, []).append(row.active_ms / 1000 / 6)

    def setUp(self):
        cache.clear()
        caches["results"].clear()

    def compute(self):
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("bleu")], ["ref"]).pk)
        for n, score in enumerate(MetricScore.objects.order_by("system__name")):
            MetricScore.objects.filter(pk=score.pk).update(score=40 - 3.0 * n - (n == 1))

    def page(self, dimension="seconds_per_word"):
        selection = Selection.of(self.editing)
        board = board_of(self.test_set)
        slug = next(c.slug for c in board.table.columns if c.metric == "bleu")
        return MetricsPage(selection, board, Settings(dimension=dimension, metric=slug))

    def measured(self, slug):
        return measured_systems(Selection.of(self.editing), measure_named(self.editing, slug))

    def test_seconds_and_keystrokes_for_a_word_with_their_sign_reversed(self):
        found = self.measured("seconds_per_word")
        means = dict(zip(found.names.tolist(), found.mean.tolist(), strict=True))
        # System-E has no texts: "editing" it means translating from scratch.
        self.assertEqual(set(means), {f"System-{letter}" for letter in "ABCD"})
        for name, mean in means.items():
            self.assertAlmostEqual(mean, -fmean(self.seconds[name]))
        self.assertEqual(str(found.names[found.order[0]]), "System-A")  # the fastest is the best
        keys = self.measured("keystrokes_per_word")
        self.assertEqual(keys.mean.tolist(), [-2.0, -4.0, -6.0, -8.0])

    def test_speed_beside_an_empty_start(self):
        found = speed_table(Selection.of(self.editing))
        speeds = {row[0]: (row[1], row[2]) for row in found.rows}
        self.assertEqual([row[0] for row in found.rows], [f"System-{x}" for x in "ABCDE"])
        for name, (start, seconds) in speeds.items():
            self.assertEqual(start, "from scratch" if name == "System-E" else "the output")
            self.assertAlmostEqual(seconds, fmean(self.seconds[name]))
        _, _, seconds, low, high, strokes, n = found.rows[0]
        half = t.ppf(0.975, 3) * np.std(self.seconds["System-A"], ddof=1) / 2
        np.testing.assert_allclose([low, high], [seconds - half, seconds + half])
        self.assertEqual((strokes, n), (2.0, 4))
        share = 100 * fmean(self.seconds["System-A"]) / fmean(self.seconds["System-E"])
        words = speed_words(Selection.of(self.editing))
        self.assertIn(f"with the outputs of System-A 1.15: {share:.0f} % of that time.", words)
        page = self.get_as(self.researcher, "edits", self.editing.pk)
        self.assertContains(page, words)

    def test_what_could_not_be_corrected_took_no_time(self):
        first = Item.objects.filter(task__campaign=self.editing).order_by("pk").first()
        old = first.judgments.get()
        edit(first, Outcome.UNABLE, "", editor=self.annotator_1, supersedes=old)
        measure = measure_named(self.editing, "seconds_per_word")
        self.assertEqual(len(observed_of(Selection.of(self.editing), measure).ratings), 15)

    def test_a_metric_against_seconds(self):
        self.compute()
        page = self.page()
        study = page.study
        speed = [fmean(self.seconds[f"System-{letter}"]) for letter in "ABCD"]
        bleu = [40.0, 36.0, 34.0, 31.0]
        np.testing.assert_allclose(study.human_systems, np.negative(speed))
        expected = linregress(bleu, speed)
        half = t.ppf(0.975, 2) * expected.stderr
        band = band_of(study.metric_systems[0], study.human_systems)
        words = slope_words(study, band)
        low, high = (f"{v:.2f}".replace("-0.", "−.").replace("-", "−").replace("0.", ".")
                     for v in (expected.slope - half, expected.slope + half))  # fmt: skip
        slope = f"{expected.slope:.2f}".replace("-0.", "−.")
        r_squared = f"{expected.rvalue**2:.2f}".lstrip("0")
        self.assertEqual(words, f"+1 BLEU = {slope} s per word [{low}, {high}]; R² = {r_squared}.")
        row = page.systems.row_of(page.metric)
        self.assertAlmostEqual(row.figures["pearson"].estimate, -pearsonr(bleu, speed)[0])
        chart = page.system_scatter()
        self.assertIn(words, chart.caption)
        self.assertEqual(
            chart.columns[2].label, "Seconds of editing per source word, mean, sign reversed"
        )

    def test_the_page_offers_measures_beside_ratings(self):
        self.compute()
        query = {"dimension": "seconds_per_word"}
        page = self.get_as(self.researcher, "correlation", self.editing.pk, query_params=query)
        self.assertContains(page, '<option value="words_kept">')
        self.assertContains(page, '<option value="seconds_per_word" selected>')
        self.assertContains(page, "s per word [")
        api = {"query_params": query}
        found = self.get_as(self.researcher, "api-meta-evaluation", self.editing.pk, **api).json()
        self.assertEqual(
            found["systems"]["human"], "Seconds of editing per source word, mean, sign reversed"
        )
        wrong = {"query_params": {"dimension": "share_right"}}
        response = self.get_as(self.researcher, "api-meta-evaluation", self.editing.pk, **wrong)
        self.assertEqual(response.status_code, 400)

    def test_files_have_them_too(self):
        self.compute()
        response = self.get_as(self.owner, "export-table", self.editing.pk, "metric-agreement")
        rows = csv.DictReader(io.StringIO(response.content.decode()))
        self.assertIn("Keystrokes per source word, mean, sign reversed", {r["human"] for r in rows})


class AnswersMeasureTest(AnswersTestCase):
    def setUp(self):
        super().setUp()
        cache.clear()
        caches["results"].clear()
        self.answer(self.annotator_1, "A", [RIGHT, "for-the-secret-key", "Ada"])
        self.answer(self.annotator_2, "B", ["", "", ""])

    def measured(self, slug):
        return measured_systems(Selection.of(self.asking), measure_named(self.asking, slug))

    def test_the_share_of_right_answers_follows_grades(self):
        found = self.measured("share_right")
        self.assertEqual(found.names.tolist(), ["System-A", "System-B"])
        before = found.mean.tolist()
        self.assertEqual(before[1], 0)
        answer = self.asking.judgments.first().answers.get(is_right=None)
        Grade.objects.create(answer=answer, is_right=False, grader=self.owner)
        after = self.measured("share_right").mean.tolist()
        self.assertEqual((before[0], after[0]), (1, 2 / 3))  # of two graded answers, of three

    def test_reading_is_timed_once_a_screen_over_the_words_of_the_document(self):
        found = self.measured("reading_seconds_per_word")
        n = sum(len(s.source.split()) for s in self.documents[0].segments.all())
        np.testing.assert_allclose(found.mean, [-1.5 / n, -1.5 / n])

    def test_metrics_are_of_the_whole_document(self):
        places = [s.position for s in self.documents[0].segments.all()]
        second = Reference.objects.filter(segment__position=places[1])
        second.update(text="Something else altogether")
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("chrf")], ["ref"]).pk)
        page = self.get_as(self.researcher, "correlation", self.asking.pk)
        self.assertContains(page, "Share of right answers")
        study = page.context["page"].study
        self.assertEqual(study.human.shape, (2, 1))
        scores = {s.system.name: s for s in MetricScore.objects.select_related("system")}
        metric = [metric.slug for metric in study.metrics].index(page.context["page"].metric)
        of_each = np.array([scores[name].segment_scores[places] for name in study.systems])
        self.assertGreater(np.ptp(of_each, axis=1).min(), 1)
        found = study.segments[metric]
        for own, value in zip(of_each, found[:, 0], strict=True):
            self.assertLess(own.min(), value)
            self.assertLess(value, own.max())
