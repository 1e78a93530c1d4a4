"""The proposal at the top of the plan's page."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from judgments.models import Reference
from judgments.plans.design import preview
from judgments.plans.price.figures import price_of
from judgments.plans.scope import planned_work
from judgments.plans.stopping import plan_of
from metrics.scores.importing import Instructions, import_scores
from tests import factory
from tests.base import CastTestCase


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

    def test_what_asks_about_whole_documents_is_offered_whole_documents(self):
        campaign = factory.make_campaign(
            self.texts, preset="da-sqm-document", owner=self.owner, status="draft", name="Whole"
        )
        page = self.page(campaign)
        settings = page.context["proposal"].settings
        self.assertEqual(settings.block_length, 0)
        self.assertIn("in whole documents", page.context["proposal"].sentence)
        price = price_of(campaign, settings, planned_work(preview(campaign, settings)))
        self.assertFalse([each.words for each in price.alternatives if "blocks" in each.words])

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
        self.assertContains(self.page(hours=3, difference=2), "Enter either the difference or")
        self.assertContains(self.page(hours=0.2), "No part of these texts does that")
        self.assertContains(self.page(difference="x"), "Enter a number")

    def test_without_references_metrics_that_need_none_are_named(self):
        words = "metrics that need none do nearly as well"
        self.assertNotContains(self.page(), words)
        Reference.objects.filter(segment__test_set=self.texts).delete()
        self.assertContains(self.page(), words)

    def test_nothing_is_proposed_where_segments_are_few_or_not_scored(self):
        few = factory.make_campaign(self.test_set, owner=self.owner, status="draft", name="few")
        self.assertNotContains(self.page(few), "Fill in the settings")
        for preset in ("pairwise", "word-alignment"):
            other = factory.make_campaign(
                self.texts, preset=preset, owner=self.owner, status="draft", name=preset
            )
            self.assertNotContains(self.page(other), "Fill in the settings")
