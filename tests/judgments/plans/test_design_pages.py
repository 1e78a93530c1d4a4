"""The page on which work is planned."""

from unittest import mock
from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judgments.models import Item, Judgment, Kind, Output
from judgments.plans import stopping
from judgments.results.stopping.forms import PlanForm
from tests import factory
from tests.base import CastTestCase


class DesignTests(CastTestCase):
    DESIGN = {"batch_items": "2", "seats": "2", "seed": "1", "repeats": "0"}

    def setUp(self):
        self.fresh = factory.make_campaign(self.test_set, owner=self.owner, status="draft")

    def test_refused_to_others(self):
        for name in ("campaign-design", "campaign-design-clear"):
            self.assert_refused(name, self.campaign.pk, method="post")

    def test_preview_writes_nothing(self):
        data = self.DESIGN | {"preview": "1"}
        response = self.post_as(self.owner, "campaign-design", self.fresh.pk, data=data)
        self.assertContains(response, "Words to read")
        self.assertEqual(response.context["preview"].n_items, 8)
        price = self.get_as(self.owner, "campaign-design-price", self.fresh.pk, data=self.DESIGN)
        self.assertContains(price, "<dt>Judgments</dt><dd>8</dd>")
        self.assertFalse(self.fresh.tasks.exists())

    def test_comparisons_ask_how_many_and_say_how_many_are_equal(self):
        Output.objects.filter(system__name="System-B").update(text="Just the same .")
        Output.objects.filter(system__name="System-C").update(text="Just the same .")
        fresh = factory.make_campaign(
            self.test_set, preset="pairwise", owner=self.owner, status="draft"
        )
        for campaign, asks in ((self.fresh, False), (fresh, True)):
            form = self.get_as(self.owner, "campaign-design", campaign.pk).context["form"]
            self.assertIs("comparisons" in form.fields, asks)
        data = self.DESIGN | {"preview": "1", "comparisons": ""}
        response = self.post_as(self.owner, "campaign-design", fresh.pk, data=data)
        self.assertContains(response, "4 comparisons of identical translations")
        self.assertEqual(response.context["preview"].n_equal, 4)

    def test_plans_clears_and_plans_again(self):
        self.post_as(self.owner, "campaign-design", self.fresh.pk, data=self.DESIGN)
        self.assertEqual(self.fresh.tasks.count(), 4)
        self.post_as(self.owner, "campaign-design-clear", self.fresh.pk)
        self.assertEqual(self.fresh.tasks.count(), 0)

    def test_the_plan_that_stands_says_which_items_have_a_control(self):
        self.post_as(self.owner, "campaign-design", self.fresh.pk, data=self.DESIGN)
        item = Item.objects.filter(task__campaign=self.fresh).order_by("pk")[0]
        item.kind, item.control_kind = Kind.REPEAT, Kind.DEGRADED
        item.control_output = item.outputs.all()[0]
        item.save()
        page = self.get_as(self.owner, "campaign-design", self.fresh.pk)
        self.assertContains(page, "<dt>Regular items</dt><dd>7</dd>")
        self.assertContains(page, "<dt>Repeat</dt><dd>1</dd>")
        words = "Of these with a degraded copy among the outputs"
        self.assertContains(page, f"<dt>{words}</dt><dd>1</dd>")

    def test_the_plan_that_stands_leads_to_a_stopping_plan(self):
        words = "Before the first judgment you can"
        self.post_as(self.owner, "campaign-design", self.fresh.pk, data=self.DESIGN)
        self.assertNotContains(self.get_as(self.owner, "campaign-design", self.fresh.pk), words)

        texts = factory.make_test_set(self.owner, n_segments=48, n_documents=24, name="Long")
        large = factory.make_campaign(texts, owner=self.owner, status="draft")
        self.post_as(self.owner, "campaign-design", large.pk, data=self.DESIGN)
        link = reverse("stopping", args=[large.pk])
        page = self.get_as(self.owner, "campaign-design", large.pk)
        self.assertContains(page, words)
        self.assertContains(page, f'<a href="{link}">register a stopping plan</a>')
        item = Item.objects.filter(task__campaign=large).first()
        Judgment.objects.create(
            item=item, campaign=large, annotator=self.annotator_1, client_key=uuid4()
        )
        self.assertNotContains(self.get_as(self.owner, "campaign-design", large.pk), words)

    def test_a_stopping_plan_begins_with_what_is_planned(self):
        texts = factory.make_test_set(self.owner, n_segments=120, n_documents=24, name="Long")
        large = factory.make_campaign(texts, owner=self.owner, status="draft")
        self.assertEqual(PlanForm(large)["most"].initial, 24)
        data = self.DESIGN | {"block_length": "1", "segments": "48", "batch_items": "12"}
        self.post_as(self.owner, "campaign-design", large.pk, data=data)
        large.refresh_from_db()
        form = PlanForm(large)
        self.assertEqual((form.unit, form.n_units, form["most"].initial), ("blocks", 120, 48))
        page = self.get_as(self.owner, "stopping", large.pk)
        self.assertContains(page, "This many are planned to be judged: 48. The test set has 120.")

    def test_a_stopping_plan_that_the_work_has_left_is_warned_of(self):
        texts = factory.make_test_set(self.owner, n_segments=120, n_documents=24, name="Long")
        large = factory.make_campaign(texts, owner=self.owner, status="draft")
        whole = self.DESIGN | {"block_length": "0"}
        self.post_as(self.owner, "campaign-design", large.pk, data=whole)
        stopping.register(
            large, by=self.owner, aim="all", dimension="adequacy", unit="documents",
            test="signed-rank", looks=[12, 24], most=24,
        )  # fmt: skip
        page = self.get_as(self.owner, "campaign-design", large.pk)
        self.assertContains(page, "A stopping plan is registered")
        words = "The registered stopping plan no longer fits the planned work: it counts up to 24"
        for other in ({"segments": "40"}, {"block_length": "2"}):
            self.post_as(self.owner, "campaign-design", large.pk, data=whole | other)
            page = self.get_as(self.owner, "campaign-design", large.pk)
            self.assertContains(page, f"{words} documents.", msg_prefix=f"{other}")
        self.post_as(self.owner, "campaign-design", large.pk, data=whole)
        self.assertNotContains(self.get_as(self.owner, "campaign-design", large.pk), words)

    def test_controls_that_the_settings_rule_out_are_said(self):
        fresh = factory.make_campaign(
            self.test_set, preset="direct-assessment", owner=self.owner, status="draft"
        )
        data = self.DESIGN | {"references": "1", "design": "latin-square"}
        price = self.get_as(self.owner, "campaign-design-price", fresh.pk, data=data)
        self.assertContains(price, "Hidden references: none. In this design nobody sees")
        data["design"] = "paired"
        price = self.get_as(self.owner, "campaign-design-price", fresh.pk, data=data)
        self.assertNotContains(price, "none. In this design")

    def test_a_pool_has_control_items(self):
        data = self.DESIGN | {"loud_checks": "1", "pool": "on"}
        price = self.get_as(self.owner, "campaign-design-price", self.fresh.pk, data=data)
        self.assertNotContains(price, "Left out")
        self.assertContains(price, "attention check")

    def test_a_plan_for_crowds_is_a_pool_with_every_kind_of_control(self):
        """Also where the preset is not meant for a crowd."""
        fresh = factory.make_campaign(self.test_set, preset="esa", owner=self.owner, status="draft")
        wanted = {"pool": True, "repeats": 1, "degraded": 1, "loud_checks": 1, "silent_checks": 1}
        for query, is_for_crowds in (({}, False), ({"for": "crowds"}, True), ({"for": "x"}, False)):
            page = self.get_as(self.owner, "campaign-design", fresh.pk, data=query)
            form = page.context["form"]
            shown = {name: form[name].value() for name in wanted}
            self.assertIs(shown == wanted, is_for_crowds, query)
            self.assertIs("2 attention checks" in page.content.decode(), is_for_crowds)
            self.assertContains(page, "?for=crowds")
        self.assertFalse(fresh.tasks.exists())

    def test_a_pool_without_controls_is_warned_of(self):
        words = "Nothing in this pool shows who reads with care"
        for data, is_warned in (
            ({"pool": "on", "degraded": "0"}, True),
            ({"pool": "on", "degraded": "0", "silent_checks": "1"}, False),
            ({"degraded": "0"}, False),
        ):
            price = self.get_as(
                self.owner, "campaign-design-price", self.fresh.pk, data=self.DESIGN | data
            )
            self.assertIs(words in price.content.decode(), is_warned, data)

    def test_more_items_than_are_written_at_once_are_refused(self):
        with mock.patch("judgments.plans.errors.MOST_ITEMS", 7):
            price = self.get_as(
                self.owner, "campaign-design-price", self.fresh.pk, data=self.DESIGN
            )
            self.assertContains(price, "A plan has at most 7 items")
            self.assertContains(price, "<dt>Judgments</dt><dd>8</dd>")
            refused = self.post_as(self.owner, "campaign-design", self.fresh.pk, data=self.DESIGN)
            self.assertContains(refused, "A plan has at most 7 items")
            self.assertFalse(self.fresh.tasks.exists())

    def test_comparisons_beyond_it_are_not_even_made(self):
        pairs = factory.make_campaign(
            self.test_set, preset="pairwise", owner=self.owner, status="draft"
        )
        with (
            mock.patch("judgments.plans.errors.MOST_ITEMS", 3),
            mock.patch("judgments.plans.runs.BlockReader.paired") as made,
        ):
            price = self.get_as(self.owner, "campaign-design-price", pairs.pk)
            self.assertContains(price, "A plan has at most 3 items")
            made.assert_not_called()

    def test_clearing_takes_as_many_statements_however_many_items_there_are(self):
        counts = []
        for seats in ("2", "40"):
            fresh = factory.make_campaign(self.test_set, owner=self.owner, status="draft")
            data = self.DESIGN | {"batch_items": "100", "seats": seats}
            self.post_as(self.owner, "campaign-design", fresh.pk, data=data)
            with CaptureQueriesContext(connection) as queries:
                self.post_as(self.owner, "campaign-design-clear", fresh.pk)
            self.assertFalse(Item.objects.filter(task__campaign=fresh).exists())
            counts.append(len(queries))
        self.assertEqual(counts[0], counts[1])

    def test_held_work_is_not_cleared(self):
        self.post_as(self.owner, "campaign-design-clear", self.campaign.pk)
        self.assertEqual(self.campaign.tasks.count(), 2)

    def test_bad_values_are_named(self):
        for change in ({"batch_items": "0"}, {"seats": "x"}, {"seed": "-1"}):
            data = self.DESIGN | change
            response = self.post_as(self.owner, "campaign-design", self.fresh.pk, data=data)
            self.assertContains(response, "There is a problem")
            self.assertFalse(self.fresh.tasks.exists())

    def test_the_price_names_the_settings_that_are_wrong(self):
        data = self.DESIGN | {"seats": "0"}
        price = self.get_as(self.owner, "campaign-design-price", self.fresh.pk, data=data)
        self.assertContains(price, '<a href="#id_seats">Annotators for each batch</a>', html=True)
        self.assertContains(price, "greater than or equal to 1")

    def test_kinds_are_counted_in_words(self):
        data = self.DESIGN | {"repeats": "5", "batch_items": "8", "seats": "1"}
        price = self.get_as(self.owner, "campaign-design-price", self.fresh.pk, data=data)
        self.assertContains(price, "<li>4 regular items</li>")
        self.post_as(self.owner, "campaign-design", self.fresh.pk, data=data)
        page = self.get_as(self.owner, "campaign-design", self.fresh.pk)
        self.assertContains(page, "<dt>Regular items</dt><dd>4</dd>")
