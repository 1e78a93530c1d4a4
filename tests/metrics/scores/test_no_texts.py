"""Metrics of a test set with keys only: scores come from files, and none is computed."""

import tempfile
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from judgments.models import no_texts
from judgments.test_sets.corpus import add_texts
from metrics import with_people as agreement
from metrics.models import MetricScore, ScoringJob
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase
from tests.judgments.test_sets.test_add_texts import all_rows

SCORES = "".join(
    f"System-{letter}\t{score}\n"
    for letter, scores in (("A", "1234"), ("B", "4213"), ("C", "3344"))
    for score in scores
)


class MetricsTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        factory.take_texts(cls.test_set)

    def import_scores(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "good-src.seg.score")
            path.write_text(SCORES)
            arguments = (str(self.test_set.pk), str(path), "--higher-is-better")
            call_command("import_scores", *arguments, stdout=StringIO())

    def test_no_metric_is_computed(self):
        with pytest.raises(ValueError, match="no metric can be computed"):
            jobs.create_job(self.test_set, [MetricChoice("length_ratio")], [])
        with pytest.raises(CommandError, match="no metric can be computed"):
            call_command("score", str(self.test_set.pk), "--metric=bleu")
        page = self.get_as(self.owner, "test-set-metrics", self.test_set.pk)
        self.assertNotContains(page, reverse("score-start", args=[self.test_set.pk]))
        self.assertContains(page, 'id="no-texts"', count=1)
        self.assertContains(page, reverse("score-upload", args=[self.test_set.pk]))
        answer = self.as_user(self.owner).post(
            reverse("api-metrics", args=[self.test_set.pk]),
            {"metrics": [{"metric": "bleu"}], "references": ["ref"]},
            content_type="application/json",
        )
        self.assertContains(answer, no_texts.TO_SCORE, status_code=400)
        self.assertFalse(ScoringJob.objects.exists())

    def test_scores_from_files_are_compared_with_people(self):
        for item in self.campaign.tasks.first().items.all():
            factory.judge(item, {"adequacy": [1, 3, 5], "fluency": [2, 3, 4]})
        self.import_scores()
        board = agreement.board_of(self.test_set)
        # Length sentinels need texts; the random one numbers segments by them.
        self.assertEqual([column.metric for column in board.table.columns], ["uploaded"])
        page = self.get_as(self.owner, "correlation", self.campaign.pk)
        self.assertContains(page, "good")
        self.assertContains(page, 'id="no-texts"', count=1)

    def test_nothing_is_shown_as_an_empty_text(self):
        self.import_scores()
        segment, system = self.test_set.segments.first(), self.test_set.systems.first()
        for name, *arguments in (
            ("metric-segments",),
            ("metric-diagnostic", segment.pk, system.pk),
            ("metric-substitutions",),
            ("metric-references",),
            ("metric-pairs",),
        ):
            page = self.get_as(self.owner, name, self.test_set.pk, *arguments)
            self.assertContains(page, 'id="no-texts"', count=1)
            self.assertNotContains(page, "empty translation")
        url = reverse("metric-segments", args=[self.test_set.pk])
        everything = self.client.get(url, {"text": "nothing has this"})
        self.assertContains(everything, 'id="segment-', count=4 + 1)  # and the table
        self.assertNotContains(everything, 'name="text"')

    def test_scores_of_before_are_not_out_of_date_when_the_texts_come(self):
        self.import_scores()
        before = MetricScore.objects.get(system__name="System-A").segment_scores
        add_texts(self.test_set, all_rows())
        self.test_set.refresh_from_db()
        (column,) = score_table(self.test_set).columns
        self.assertEqual(column.stale, set())
        after = MetricScore.objects.get(system__name="System-A").segment_scores
        np.testing.assert_array_equal(before, after)
        job = jobs.create_job(self.test_set, [MetricChoice("source_length")], [])
        jobs.work_on(job.pk)
        self.assertEqual(MetricScore.objects.filter(metric="source_length").count(), 3)
