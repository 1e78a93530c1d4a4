"""What the price of a plan says of the metrics that it registers."""

import numpy as np
import pytest
from django.core.cache import caches

from judgments.plans.metric_controls import Control, known_controls
from judgments.plans.price.figures import price_of
from judgments.plans.price.metric_worth import (
    PRIOR_SEGMENTS,
    KnownShare,
    explained_of,
    worth_of,
)
from judgments.plans.scope import PlannedWork
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of
from judgments.stats.planning.proposal import explained_by
from tests import factory
from tests.base import CastTestCase

from .test_proposal import upload_scores

TRAINED = [Control("one", "COMET", trained=True), Control("two", "MetricX", trained=True)]
WORK = PlannedWork(
    n_systems=3,
    of_documents=[1] * 400,
    pooled=[1] * 800,
    n_blocks=400,
    batches=10,
    items=1200,
    answers=1200,
    words=20_000.0,
    outputs=1200.0,
    source_words=6.0,
    source_squares=36.0,
)


class ExplainedTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.texts = factory.make_test_set(
            cls.owner, n_segments=60, n_documents=30, name="Judged elsewhere"
        )
        upload_scores(cls.texts, "COMET-22")
        cls.controls = known_controls(cls.texts)
        cls.fresh = factory.make_campaign(
            cls.texts, preset="mqm", owner=cls.owner, status="draft", name="Fresh"
        )

    def setUp(self):
        caches["results"].clear()

    def judge_elsewhere(self, *, noise):
        """All segments of another campaign, by the metric's own scores and noise."""
        other = factory.make_campaign(
            self.texts, preset="mqm", owner=self.owner, annotators=[self.annotator_1], name="Other"
        )
        slug = protocol_of(other).dimensions()[0].slug
        rng = np.random.default_rng(3)
        for item in factory.make_task(other, self.annotator_1).items.order_by("position"):
            said = [(item.position + place) % 7 for place in range(3)]
            values = [-3.0 - each + noise * float(rng.normal()) for each in said]
            factory.judge(item, {slug: values})

    def notes(self, work=WORK, controls=None):
        controls = self.controls if controls is None else controls
        return price_of(self.fresh, PlanSettings(), work, controls=controls).notes

    def test_before_anybody_has_judged_it_is_what_was_measured(self):
        found = explained_of(self.fresh, TRAINED)
        self.assertEqual(found, KnownShare(("COMET", "MetricX"), explained_by(2), 0, 0))
        self.assertEqual(explained_of(self.fresh, []), KnownShare())
        first = self.notes(controls=TRAINED)[0]
        self.assertIn("People on 400 segments and COMET and MetricX on 800 show a diff", first)
        self.assertIn("14 % of the variance", first)
        self.assertIn("WMT23, three language pairs", first)
        alone = price_of(self.fresh, PlanSettings(), WORK).alternatives[0].smallest
        price = price_of(self.fresh, PlanSettings(), WORK, controls=TRAINED)
        self.assertIn(f"difference of {price.alternatives[0].smallest} ", first)
        self.assertIn(f"instead of {alone}:", first)
        self.assertLess(float(price.alternatives[0].smallest), float(alone))

    def test_the_sites_campaigns_move_it(self):
        self.judge_elsewhere(noise=0.1)
        found = explained_of(self.fresh, self.controls)
        self.assertEqual((found.n_elsewhere, found.n_campaigns), (60, 1))
        usual = explained_by(1) * PRIOR_SEGMENTS
        self.assertEqual(
            found.r_squared, pytest.approx((usual + 60) / (PRIOR_SEGMENTS + 60), abs=0.01)
        )
        first = self.notes()[0]
        self.assertIn("adjusted by 60 segments of 1 of the site's other campaigns", first)

    def test_metrics_that_explain_nothing_elsewhere_lower_it(self):
        self.judge_elsewhere(noise=1000)
        found = explained_of(self.fresh, self.controls)
        self.assertLess(found.r_squared, explained_by(1))

    def test_campaigns_without_these_scores_say_nothing(self):
        self.judge_elsewhere(noise=0.1)
        found = explained_of(self.fresh, TRAINED)
        self.assertEqual((found.n_campaigns, found.r_squared), (0, explained_by(2)))

    def test_when_it_is_not_worth_it(self):
        whole = PlannedWork(**{**vars(WORK), "pooled": [1] * 400})
        self.assertIn(
            "Nothing is gained by COMET-22: all segments are judged", self.notes(whole)[0]
        )
        untrained = [Control("three", "chrF")]
        first = self.notes(controls=untrained)[0]
        self.assertIn("Not worth registering: chrF. None of the variance", first)
        said = worth_of(KnownShare(("COMET",), 0.0, 50, 2), WORK, "2", "2")
        self.assertIn("adjusted by 50 segments of 2 of the site's other campaigns", said)

    def test_without_metrics_nothing_is_said(self):
        self.assertFalse([note for note in self.notes(controls=[]) if "instead of" in note])

    def test_it_is_kept(self):
        self.judge_elsewhere(noise=0.1)
        explained_of(self.fresh, self.controls)
        with self.assertNumQueries(6):
            explained_of(self.fresh, self.controls)
