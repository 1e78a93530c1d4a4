"""A metric learned from a campaign's own scores: on the page, and nowhere else."""

import json
from math import isnan

import numpy as np
import pytest
from sklearn.metrics import r2_score

from judgments.models import Item
from judgments.results.selection.selection import Selection
from metrics.models import MetricScore
from metrics.scoring import jobs
from metrics.scoring.choices import parse_metric
from metrics.with_people import averages_of, campaign_tasks
from metrics.with_people.exports import agreement_table, pair_table, ranking_table
from metrics.with_people.ridge_metric import LABEL
from tests import factory
from tests.base import CastTestCase
from tests.metrics.with_people.studies import page_of, place_of, study_of

N_SYSTEMS, N_SEGMENTS, N_DOCUMENTS = 5, 24, 8


def judged_campaign(owner, annotator, n_documents=N_DOCUMENTS, n_segments=N_SEGMENTS):
    """Return a campaign in which scores partly depend on chrF."""
    test_set = factory.make_test_set(
        owner, name="Learned", n_segments=n_segments, n_systems=N_SYSTEMS, n_documents=n_documents
    )
    rng = np.random.default_rng(2)
    for segment in test_set.segments.all():
        for output in segment.outputs.all():
            words = output.text.split()
            output.text = " ".join(words[: rng.integers(3, len(words) + 1)])
            output.save()
    chosen = [parse_metric(text) for text in ("bleu", "chrf", "ter")]
    jobs.work_on(jobs.create_job(test_set, chosen, ["ref"]).pk)
    campaign = factory.make_campaign(test_set, owner=owner, annotators=[annotator])
    factory.make_task(campaign, annotator)
    scores = np.array(
        [row.segment_scores for row in MetricScore.objects.filter(metric="chrf").order_by("system")]
    )
    for item in Item.objects.filter(task__campaign=campaign).select_related("segment", "task"):
        values = scores[:, item.segment.position] / 25 + rng.normal(size=N_SYSTEMS) * 0.5
        row = [float(value) for value in values.clip(1, 5).round()]
        factory.judge(item, {"adequacy": row, "fluency": row})
    return campaign


class LearnedTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.learned = judged_campaign(cls.owner, cls.annotator_1)

    def test_it_stands_in_both_tables_with_their_figures(self):
        page = page_of(self.learned, dimension="adequacy")
        found = page.learned
        assert found.fitted is not None
        self.assertEqual([metric.metric for metric in found.features], ["bleu", "chrf", "ter"])
        self.assertEqual((found.n_outputs, found.n_documents, found.n_folds), (120, 8, 8))
        study = study_of(self.learned, "adequacy")
        there = ~np.isnan(study.human)
        predicted = np.full(study.human.shape, np.nan)
        predicted[there] = found.fitted.predicted
        # Approximately scikit-learn's R², which uses the mean of all scores.
        expected = r2_score(study.human[there], predicted[there])
        self.assertAlmostEqual(found.share.estimate, expected, delta=0.03)
        self.assertGreater(found.share.low, 0)
        self.assertLess(found.best_share.estimate, found.share.estimate + 0.2)
        gain = found.share.estimate - found.best_share.estimate
        self.assertAlmostEqual(found.gain.estimate, gain)
        r = np.corrcoef(predicted.mean(axis=1), study.human_systems)[0, 1]
        for table in (page.system_table(), page.segment_table()):
            row = next(row for row in table.rows if row[0] == LABEL)
            self.assertFalse(isnan(row[2]))
        self.assertAlmostEqual(found.rows["system"].figures["pearson"].estimate, r)
        self.assertEqual(len(page.system_table().rows), len(page.systems.rows) + 1)

    def test_it_is_no_metric_anywhere_else(self):
        stored = MetricScore.objects.count()
        page = page_of(self.learned)
        page.system_table()
        selection = page.selection
        self.assertEqual(MetricScore.objects.count(), stored)
        self.assertNotIn("learned-here", page.board.slugs)
        averages = averages_of([campaign_tasks(selection, page.chosen.choice, page.board)])
        for text in (
            [row.name for row in averages.rows],
            [metric.title for metric in page.differences.metrics],
            [metric.title for metric in page.ranking.metrics + page.ranking.ranked_by],
            [row[0] for row in page.overview_table().rows],
            *(
                [cell for row in make(selection).rows for cell in row]
                for make in (agreement_table, pair_table, ranking_table)
            ),
        ):
            self.assertNotIn(LABEL, text)

    def test_the_page_says_what_it_is(self):
        response = self.get_as(self.owner, "correlation", self.learned.pk)
        for words in (
            LABEL.replace("'", "&#x27;"),
            "8 folds of whole documents, seed 1",
            "no part in AutoRank",
            "section-metric-weights",
            "Lowest",
        ):
            self.assertContains(response, words)

    def test_weights_are_means_over_folds(self):
        page = page_of(self.learned)
        rows = page.learned_sections()[1].table().rows
        self.assertEqual(len(rows), 3)
        weights = page.learned.fitted.weights
        i = next(i for i, m in enumerate(page.learned.features) if rows[0][0] == m.label)
        self.assertEqual(i, int(np.argmax(np.abs(weights.mean(axis=0)))))
        self.assertAlmostEqual(rows[0][2], weights[:, i].mean())
        self.assertEqual(rows[0][4:], (weights[:, i].min(), weights[:, i].max()))

    def test_the_api_gives_the_same(self):
        response = self.get_as(self.owner, "api-meta-evaluation", self.learned.pk)
        found, page = json.loads(response.content)["learned"], page_of(self.learned)
        self.assertEqual(found["reason"], "")
        self.assertAlmostEqual(found["r_squared"]["low"], page.learned.share.low)
        self.assertEqual(len(found["weights"]), 3)
        self.assertEqual(set(found["figures"]), {"system", "segment item"})

    def test_it_counts_outputs_of_donors_where_metrics_leave_them_out(self):
        before = page_of(self.learned).learned
        test_set = self.learned.test_set
        donor = test_set.systems.order_by("pk").first()
        segment = test_set.segments.order_by("position").first()
        assert segment is not None
        segment.references.update(donor=donor)
        page = page_of(self.learned)
        self.assertTrue(page.has_donors)
        self.assertIsNotNone(page.study.left)
        self.assertEqual(page.learned.n_outputs, 120)
        self.assertEqual(repr(page.learned.share), repr(before.share))
        for table in (page.system_table(), page.segment_table()):
            self.assertIn(LABEL, [row[0] for row in table.rows])
        self.assertIn("count here", " ".join(page.learned_sections()[0].notes()))

    def test_a_metric_that_lacks_a_score_is_left_out_and_named(self):
        score = MetricScore.objects.filter(metric="ter").first()
        values = score.segment_scores
        values[3] = np.nan
        score.segment_data = values.tobytes()
        score.score += 1
        score.save()
        page = page_of(self.learned)
        self.assertEqual([metric.metric for metric in page.learned.left_out], ["ter"])
        self.assertIn("TER", page.learned_sections()[0].notes()[-1])


@pytest.mark.parametrize(
    "n_documents, n_segments, words",
    [(4, 24, "five documents"), (6, 12, "20 judged segments")],
)
def test_too_little_is_said(db, n_documents, n_segments, words):
    owner, annotator = factory.make_user("owner", is_staff=True), factory.make_user("a")
    page = page_of(judged_campaign(owner, annotator, n_documents, n_segments))
    assert words in page.learned_sections()[0].sentence()
    assert page.learned_sections()[0].table().rows == []
    assert LABEL not in [row[0] for row in page.system_table().rows]


def test_one_metric_is_too_little(db):
    owner, annotator = factory.make_user("owner", is_staff=True), factory.make_user("a")
    campaign = judged_campaign(owner, annotator)
    MetricScore.objects.exclude(metric="chrf").delete()
    assert "two metrics" in page_of(campaign).learned_sections()[0].sentence()
    assert Selection.of(campaign) and place_of(study_of(campaign), "chrf") == 0
