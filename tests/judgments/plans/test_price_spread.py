"""The spread that the price of a plan assumes, and from what it was taken."""

import statistics

import numpy as np
import pytest

from judgments.models import Decision, RemovedItem
from judgments.plans.price.figures import price_of
from judgments.plans.price.spread import spread_of
from judgments.plans.scope import PlannedWork
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of
from tests import factory
from tests.base import CastTestCase

WORK = PlannedWork(
    n_systems=2,
    of_documents=[1] * 400,
    pooled=[1] * 400,
    n_blocks=400,
    batches=10,
    items=800,
    answers=800,
    words=20_000.0,
    outputs=800.0,
    source_words=6.0,
    source_squares=36.0,
)


class SpreadOfCampaignTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.texts = factory.make_test_set(
            cls.owner, n_segments=30, n_systems=2, n_documents=30, name="Long"
        )

    def made(self, name, texts=None, **fields):
        fields.setdefault("preset", "direct-assessment")
        return factory.make_campaign(
            texts or self.texts,
            owner=self.owner,
            annotators=[self.annotator_1, self.annotator_2],
            name=name,
            **fields,
        )

    def judged(self, campaign, sd, seed=1, user=None):
        """Judge all segments, by one person, with differences of such a spread, which are
        returned."""
        task = factory.make_task(campaign, user or self.annotator_1)
        slug = protocol_of(campaign).dimensions()[0].slug
        drawn = np.random.default_rng(seed).normal(0, sd, 30)
        for item, each in zip(task.items.all(), drawn.tolist(), strict=True):
            factory.judge(item, {slug: [50 + each / 2, 50 - each / 2]})
        return drawn.tolist()

    def share(self, campaign):
        return spread_of(campaign).spread.share(6, 36)

    def test_before_anybody_judged_it_is_the_usual_one_by_one_statement(self):
        own = self.made("own")
        with self.assertNumQueries(1):
            known = spread_of(own)
        self.assertEqual(known.spread, protocol_of(own).usual_spread())
        self.assertIn("20 % of the scale: a rule of thumb.", " ".join(self.notes(own)))

    def notes(self, campaign, **settings):
        return price_of(campaign, PlanSettings(**settings), WORK).notes

    def test_a_pilot_moves_it_and_the_page_says_so(self):
        """30 differences next to 100, σ by the standard library."""
        own = self.made("own")
        before = float(price_of(own, PlanSettings(), WORK).alternatives[0].smallest)
        drawn = self.judged(own, 8)
        expected = 0.2 ** (10 / 13) * (1.1 * statistics.stdev(drawn) / 100) ** (3 / 13)
        self.assertEqual(self.share(own), pytest.approx(expected))
        price = price_of(own, PlanSettings(), WORK)
        words = f"vary by {100 * expected:.0f} % of the scale"
        self.assertIn(words, " ".join(price.notes))
        self.assertIn("adjusted by 30 segments of this campaign.", " ".join(price.notes))
        after = float(price.alternatives[0].smallest)
        self.assertEqual(after / before, pytest.approx(expected / 0.2, abs=0.01))
        self.assertNotIn("segments of this campaign", " ".join(self.notes(own, spread=0.3)))

    def test_other_campaigns_of_the_preset_and_languages_move_it_first(self):
        own = self.made("own")
        drawn = self.judged(self.made("earlier"), 8)
        other_languages = factory.make_test_set(
            self.owner,
            n_segments=30,
            n_systems=2,
            n_documents=30,
            name="French",
            target_language="fr",
        )
        self.judged(self.made("French", other_languages), 50)
        self.judged(self.made("ESA", preset="esa"), 50)
        expected = 0.2 ** (10 / 13) * (1.1 * statistics.stdev(drawn) / 100) ** (3 / 13)
        known = spread_of(own)
        self.assertEqual((known.n_judged, known.n_elsewhere, known.n_campaigns), (0, 30, 1))
        self.assertEqual(self.share(own), pytest.approx(expected))
        own_drawn = self.judged(own, 30, seed=2)
        both = expected ** (10 / 13) * (1.1 * statistics.stdev(own_drawn) / 100) ** (3 / 13)
        self.assertEqual(self.share(own), pytest.approx(both))
        words = "30 segments of 1 of the site's other campaigns and 30 segments of this campaign."
        self.assertIn(words, " ".join(self.notes(own)))

    def test_what_does_not_count_moves_nothing(self):
        own = self.made("own")
        usual = self.share(own)
        self.judged(own, 8)
        slug = protocol_of(own).dimensions()[0].slug
        said = {"annotator": self.annotator_1, "decided_by": self.owner, "reason": "careless"}
        for dimension in (slug, ""):
            Decision.objects.create(campaign=own, dimension=dimension, excluded=True, **said)
            self.assertEqual(self.share(own), usual)
            Decision.objects.create(campaign=own, dimension=dimension, excluded=False, **said)
            self.assertNotEqual(self.share(own), usual)
        gone = {"campaign": own, "decided_by": self.owner, "reason": "wrong source"}
        first = self.texts.segments.first()
        RemovedItem.objects.create(segment=first, removed=True, **gone)
        self.assertEqual(spread_of(own).n_judged, 29)
        [system, _] = self.texts.systems.order_by("name")
        second = self.texts.segments.all()[1]
        RemovedItem.objects.create(segment=second, system=system, removed=True, **gone)
        self.assertEqual(spread_of(own).n_judged, 28)

    def test_statements_do_not_grow_with_campaigns_and_judgments(self):
        own = self.made("own")
        self.judged(own, 8)
        for number in range(7):
            self.judged(self.made(f"earlier {number}"), 20)
        with self.assertNumQueries(12):
            known = spread_of(own)
        self.assertEqual((known.n_campaigns, known.n_elsewhere), (5, 150))

    def test_where_nothing_is_scored_nothing_is_read(self):
        pairs = self.made("pairs", preset="pairwise")
        with self.assertNumQueries(0):
            spread_of(pairs)
