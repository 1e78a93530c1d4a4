"""The proposal at the top of the plan's page.

Expected figures: Cochran (1977), "Sampling Techniques", chapters 9 and 10, worked out by hand.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from judgments.models import Reference
from judgments.plans.design import preview
from judgments.plans.price.figures import price_of
from judgments.plans.scope import planned_work
from judgments.plans.stopping import plan_of
from judgments.stats.planning.blocks import draw_blocks
from judgments.stats.planning.price import segments_per_document
from judgments.stats.planning.proposal import KnownTexts, length_of_blocks, propose
from metrics.scores.importing import Instructions, import_scores
from tests import factory
from tests.base import CastTestCase

KNOWN = KnownTexts([6] * 100, judging=300.0, reading=5.0, sd=10.0, rho=0.13, pair_alpha=0.05)


def test_single_segments_of_many_documents_show_as_much_as_half_of_the_whole_ones():
    """50 documents: 300 segments with 1 + 5 · .13 times the variance, and z(.975) · √(50/(50 - z²))
    for z; of single segments at even steps two come from each of 100 documents:
    300 · 1.13/1.65 · (1.0139/1.0285)² = 199.7."""
    found = propose(KNOWN)
    assert found.block_length == 1  # κ = 25/300, √(κ · .87/.13) = .75
    assert found.segments == 200
    assert found.seconds == pytest.approx(found.segments * (300 + 5 * 5))
    assert found.whole_seconds == pytest.approx(300 * 300, rel=0.02)


def test_the_documents_of_a_draw_are_as_it_expects():
    """Σm²/Σm of the judged segments, over two hundred draws."""
    sizes = [1, 2, 5, 9, 14, 3, 8] * 6
    documents = np.repeat(np.arange(len(sizes)), sizes)
    rng = np.random.default_rng(3)
    for longest, n in ((1, 60), (3, 40), (3, 90)):
        cut = replace(KNOWN, sizes=sizes, rho=0.5).cut(longest)
        found = []
        for _ in range(200):
            taken = draw_blocks(documents, n, rng, longest=longest).taken
            found.append(segments_per_document(np.bincount(documents[taken])))
        n_segments, drawn = cut.segments(n), np.mean(found)
        clusters = float(np.minimum(1, n / cut.n_blocks * cut.blocks).sum())
        few = math.sqrt(clusters / (clusters - 1.959964**2))
        reach = 1.959964 * few + 0.841621
        sd = 10 * math.sqrt((1 + 0.5 * (drawn - 1)) / n_segments)
        assert cut.difference(n) == pytest.approx(reach * sd, rel=0.03)


def test_controls_make_it_smaller_and_fewer_systems_make_blocks_longer():
    controlled = propose(replace(KNOWN, r_squared=0.17))
    assert 0.83 < controlled.segments / propose(KNOWN).segments < 0.9
    assert length_of_blocks(replace(KNOWN, judging=50.0)) == 2  # κ = .5, √(κ · 6.69) = 1.83
    assert length_of_blocks(replace(KNOWN, context_cost=1.0)) == 3
    assert length_of_blocks(replace(KNOWN, context_cost=9.0)) == 0  # longer than documents are
    told = propose(replace(KNOWN, context_cost=1.0))
    assert told.seconds == pytest.approx(300 * (told.segments + told.n_blocks))


def test_hours_or_a_difference_may_be_asked_for():
    some = propose(KNOWN, seconds=100 * 325)
    assert (some.segments, some.seconds) == (100, 100 * 325)
    again = propose(KNOWN, difference=some.difference)
    assert again.segments == pytest.approx(100, abs=1)
    every = propose(KNOWN, seconds=10**9)  # nothing is gained where all is judged
    assert (every.segments, every.block_length, every.seconds) == (600, 0, 600 * 300)
    assert propose(KNOWN, seconds=39 * 325) is None
    assert propose(KNOWN, difference=0.01) is None
    assert propose(KNOWN, difference=99.0).segments == 40
    assert propose(replace(KNOWN, sizes=[3] * 13)) is None


def upload_scores(test_set, name):
    """Scores of all segments of a metric of that name."""
    n = test_set.segments.count()
    lines = [
        f"{system.name}\t{(i + place) % 7}\n"
        for place, system in enumerate(test_set.systems.all())
        for i in range(n)
    ]
    file = SimpleUploadedFile(f"{name}-src.seg.score", "".join(lines).encode())
    import_scores(test_set, [file], Instructions(higher_is_better=True))


class ProposalPageTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.texts = factory.make_test_set(cls.owner, n_segments=150, n_documents=25, name="Long")

    def setUp(self):
        self.fresh = factory.make_campaign(
            self.texts, preset="mqm", owner=self.owner, status="draft"
        )

    def page(self, campaign=None, **asked):
        campaign = campaign or self.fresh
        return self.get_as(self.owner, "campaign-design", campaign.pk, data=asked)

    def test_it_is_there_without_asking_and_its_price_is_that_of_its_plan(self):
        page = self.page()
        proposal = page.context["proposal"]
        self.assertContains(page, proposal.sentence)
        self.assertContains(page, reverse("test-set-metrics", args=[self.texts.pk]))
        settings = proposal.settings
        self.assertEqual((settings.block_length, settings.design), (1, "paired"))
        self.assertIn(
            f"Judge {settings.segments} of 150 segments, drawn one by one", proposal.sentence
        )
        price = price_of(self.fresh, settings, planned_work(preview(self.fresh, settings)))
        hours = float(dict(price.counters)["Hours"])
        said = float(proposal.sentence.partition(" hours ")[0].rpartition(" ")[2])
        self.assertAlmostEqual(said, hours, delta=0.06 * hours)
        shown = float(proposal.sentence.partition("difference of ")[2].partition(" ")[0])
        self.assertAlmostEqual(shown, float(price.alternatives[0].smallest), delta=0.06 * shown)

    def test_it_fills_in_the_settings_and_a_plan_registers_the_metrics(self):
        upload_scores(self.texts, "COMET-22")
        upload_scores(self.texts, "Length")
        page = self.page(**{"for": "proposal", "question": "best"})
        form, proposal = page.context["form"], page.context["proposal"]
        self.assertIn("with COMET-22 as controls", proposal.sentence)
        self.assertEqual(form.settings_before, proposal.settings)
        [ticked] = form.ticked
        self.assertIn("COMET-22", ticked)
        self.assertEqual(len(form.fields["controls"].choices), 2)
        self.assertNotContains(page, "This plan, with trained metrics")
        self.assertEqual(self.page().context["form"].ticked, [])

        data = {"controls": form.ticked, "question": "best", "repeats": "0"}
        data |= {"segments": form.shown("segments"), "block_length": form.shown("block_length")}
        self.post_as(self.owner, "campaign-design", self.fresh.pk, data=data)
        plan = plan_of(self.fresh)
        self.assertEqual([each["signature"] for each in plan.controls], form.ticked)
        self.assertEqual((plan.aim, plan.unit, plan.test), ("best", "blocks", "signed-rank"))
        self.assertEqual(plan.looks[-1], plan.most)
        self.assertEqual(plan.block_length, form.shown("block_length"))
        self.post_as(self.owner, "campaign-design-clear", self.fresh.pk)
        self.assertEqual(self.page().context["form"].ticked, form.ticked)

    def test_a_plan_that_is_too_small_for_controls_is_not_made(self):
        upload_scores(self.texts, "COMET-22")
        [(signature, _)] = self.page().context["form"].fields["controls"].choices
        data = {"controls": [signature], "segments": "12", "block_length": "1"}
        answer = self.post_as(self.owner, "campaign-design", self.fresh.pk, data=data)
        self.assertContains(answer, "a plan has at least 40 items")
        self.assertFalse(self.fresh.tasks.exists())

    def test_what_is_asked_decides(self):
        def hours(**asked):
            words = self.page(**asked).context["proposal"].sentence
            return float(words.partition(" hours ")[0].rpartition(" ")[2])

        self.assertLess(hours(question="one-pair", difference=1.2), hours(difference=1.2))
        self.assertAlmostEqual(hours(hours=3), 3, delta=0.1)
        self.assertContains(self.page(hours=3, difference=2), "Say either the difference or")
        self.assertContains(self.page(hours=0.2), "No part of these texts does that")
        self.assertContains(self.page(difference="x"), "Enter a number")

    def test_without_references_metrics_that_need_none_are_named(self):
        words = "metrics that need none do nearly as well"
        self.assertNotContains(self.page(), words)
        Reference.objects.filter(segment__test_set=self.texts).delete()
        self.assertContains(self.page(), words)

    def test_nothing_is_proposed_where_segments_are_few_or_not_scored(self):
        few = factory.make_campaign(self.test_set, owner=self.owner, status="draft", name="few")
        self.assertContains(self.page(few), "Nothing is proposed")
        for preset in ("pairwise", "word-alignment"):
            other = factory.make_campaign(
                self.texts, preset=preset, owner=self.owner, status="draft", name=preset
            )
            self.assertNotContains(self.page(other), "Fill in the settings")
