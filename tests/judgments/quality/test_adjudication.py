"""Clashes judged by a third person: requested by name, blind, and stored in addition."""

import numpy as np
import pytest
from django.urls import reverse
from django.utils import timezone

from judgments.judging.queue import claim, free_seats, give_up
from judgments.models import Adjudication, Item, Kind, Role, Task
from judgments.models.chains import record
from judgments.models.chains.record_checking import check_record
from judgments.people.workload.progress import annotator_rows, counters
from judgments.people.workload.valid import valid_counts
from judgments.plans import seats
from judgments.plans.adjudication import Disputed, adjudicate
from judgments.plans.design import PlanError
from judgments.quality.clashes.figures import clashes
from judgments.quality.decisions.decisions import decide
from judgments.results.scores import adjudication
from judgments.results.scores.figures import system_scores
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase


class ThirdPersonTests(CastTestCase):
    """annotator-1 and annotator-2 clash on System-A in the first segment; annotator-3 is free."""

    def setUp(self):
        self.other = factory.make_user("annotator-3")
        for campaign in (self.campaign, self.pairwise):
            campaign.memberships.create(user=self.other, role=Role.ANNOTATOR, alias="annotator-3")
        self.third = self.campaign.memberships.get(user=self.other)
        first, second = (task.items.get(position=0) for task in self.tasks())
        factory.judge(first, {"adequacy": [1, 3, 3], "fluency": [3, 3, 3]})
        factory.judge(second, {"adequacy": [5, 3, 3], "fluency": [3, 3, 3]})
        (self.clash,) = clashes(Selection.of(self.campaign)).clashes

    def tasks(self, campaign=None):
        return (campaign or self.campaign).tasks.order_by("batch", "seat")[:2]

    def ask(self, user=None, third=None, clash=None):
        data = {"clash": clash or self.clash.key, "third": (third or self.third).pk}
        return self.post_as(user or self.owner, "clash-third", self.campaign.pk, data=data)

    def judged(self, adequacy=4):
        """What annotator-3 has judged."""
        self.assertEqual(self.ask().status_code, 302)
        item = Item.objects.get(kind=Kind.THIRD)
        names = [row.output.system.name for row in item.shown.order_by("position")]
        values = [adequacy if name == "System-A" else 3 for name in names]
        factory.judge(item, {"adequacy": values, "fluency": [3] * 3})
        return item

    def test_for_owners_only(self):
        self.assert_refused("clash-third", self.campaign.pk, method="post")
        self.assert_post_only("clash-third", self.campaign.pk)
        self.assertEqual(self.ask(self.researcher).status_code, 403)
        page = self.get_as(self.researcher, "clashes", self.campaign.pk)
        self.assertNotContains(page, "Ask a third person")
        self.assertFalse(Adjudication.objects.exists())

    def test_a_task_of_their_own_that_says_nothing_of_the_others(self):
        self.assertContains(
            self.get_as(self.owner, "clashes", self.campaign.pk), "Ask a third person"
        )
        self.assertEqual(self.ask().status_code, 302)
        asked = Adjudication.objects.get()
        self.assertEqual(asked.key, self.clash.key)
        task = asked.item.task
        self.assertEqual((task.annotator, task.seat, task.n_items), (self.other, 1, 1))
        self.assertEqual(task.batch, 2)
        shown = set(asked.item.shown.values_list("output", flat=True))
        self.assertEqual(shown, set(asked.first.shown.values_list("output", flat=True)))
        self.assertEqual(claim(self.third, timezone.now()), task)
        page = self.get_as(self.other, "judge", self.campaign.pk, follow=True)
        self.assertContains(page, "Quelltext Nummer 1")
        for word in ("third", "Third", "clash", "annotator-1", "annotator-2", "System-A"):
            self.assertNotContains(page, word)

    def test_who_has_the_translations_is_not_asked(self):
        member = self.campaign.memberships.get(user=self.annotator_2)
        self.assertContains(
            self.ask(third=member), "annotator-2 has 3 of these translations", status_code=422
        )
        self.assertFalse(Adjudication.objects.exists())
        self.assertEqual(self.campaign.tasks.count(), 2)

    def test_who_is_left_out_is_not_asked(self):
        decide(self.campaign, self.other, excluded=True, reason="Fast.", by=self.owner)
        self.assertEqual(self.ask().status_code, 422)
        disputed = [Disputed(*self.clash.items)]
        with pytest.raises(PlanError, match="is not working"):
            adjudicate(
                self.campaign, disputed, self.third, by=self.owner, rng=np.random.default_rng(1)
            )

    def test_only_clashes_of_the_list(self):
        for key in ("1-2", f"{self.clash.key}9"):
            self.assertContains(self.ask(clash=key), "Tick clashes", status_code=422)
        self.assertFalse(Adjudication.objects.exists())

    def test_a_campaign_that_is_closed(self):
        self.campaign.status = "closed"
        self.campaign.save()
        page = self.get_as(self.owner, "clashes", self.campaign.pk)
        self.assertNotContains(page, "Ask a third person")
        self.assertContains(self.ask(), "Open the campaign first", status_code=422)

    def test_the_third_person_gets_none_of_the_batch_they_clash_in(self):
        factory.make_task(self.campaign, batch=1, seat=3)
        self.assertTrue(free_seats(self.third).exists())
        self.ask()
        self.assertFalse(free_seats(self.third).exists())

    def test_neither_progress_nor_seats(self):
        before = valid_counts(self.campaign), counters(self.campaign, timezone.now()).n_judged
        self.judged()
        counted = counters(self.campaign, timezone.now())
        self.assertEqual((valid_counts(self.campaign), counted.n_judged), before)
        rows = {row["alias"]: row["judged"] for row in annotator_rows(self.campaign)}
        self.assertEqual(rows["annotator-3"], 1)  # it is work, and is paid
        added = seats.extend(self.campaign, seats=1, rng=np.random.default_rng(1))
        self.assertEqual([task.batch for task in added], [1])
        added = seats.extend(self.campaign, seats=1, n_batches=1, rng=np.random.default_rng(1))
        self.assertEqual([task.batch for task in added], [1])
        steer = self.get_as(self.owner, "campaign-steer", self.campaign.pk)
        third = Task.objects.get(is_adjudication=True)
        self.assertNotIn(third, [task for task, _ in steer.context["rows"]])

    def test_what_they_give_back_goes_to_nobody_else(self):
        self.ask()
        task = Task.objects.get(is_adjudication=True)
        give_up(self.third, task.pk)
        rest = Task.objects.get(batch=task.batch, annotator=None)
        self.assertTrue(rest.is_adjudication)
        fourth = factory.make_user("annotator-4")
        member = self.campaign.memberships.create(
            user=fourth, role=Role.ANNOTATOR, alias="annotator-4"
        )
        self.assertIsNone(claim(member, timezone.now()))
        self.assertEqual(self.ask(third=member).status_code, 302)
        page = self.get_as(self.owner, "clashes", self.campaign.pk)
        self.assertContains(page, "nobody now (asked), annotator-4 (asked)")

    def test_beside_the_two_with_and_without(self):
        self.judged(4)
        selection = Selection.of(self.campaign)
        (found,), n_asked = adjudication.opinions(selection)
        self.assertEqual(n_asked, 1)
        self.assertEqual(found.annotators, ("annotator-1", "annotator-2", "annotator-3"))
        self.assertEqual((found.values, found.nearer), ((1, 5, 4), adjudication.SECOND))

        def mean(selection):
            scores = system_scores(selection, "adequacy")
            return scores.mean[scores.names.tolist().index("System-A")]

        self.assertAlmostEqual(mean(selection), 3)  # (1 + 5) / 2
        self.assertAlmostEqual(mean(adjudication.counted(selection)), 10 / 3)
        rows = {row[:2]: row[2:] for row in adjudication.effect_table(selection).rows}
        without, with_them, difference = rows["adequacy", "System-A"]
        self.assertAlmostEqual(without, 3)
        self.assertAlmostEqual(with_them, 10 / 3)
        self.assertAlmostEqual(difference, 1 / 3)
        page = self.get_as(self.owner, "scores", self.campaign.pk)
        self.assertContains(page, "Of 1 clash that was put to a third person 1 is judged")
        self.assertContains(page, reverse("clash", args=[self.campaign.pk, self.clash.key]))
        self.assertContains(page, '<a href="?adjudicated=in">')
        asked = self.client.get(page.request["PATH_INFO"], {"adjudicated": "in"})
        self.assertContains(asked, "hird judgments of clashes count too")
        self.assertEqual(
            self.client.get(page.request["PATH_INFO"], {"adjudicated": "no"}).status_code, 400
        )
        csv = self.get_as(self.owner, "export-table", self.campaign.pk, "adjudication")
        self.assertIn("annotator-1,1", csv.content.decode())
        clash = self.get_as(self.researcher, "clash", self.campaign.pk, self.clash.key)
        self.assertContains(clash, "third person</span>", count=1)

    def test_a_clash_stays_the_same_after_the_third(self):
        before = clashes(Selection.of(self.campaign))
        self.judged(2)
        self.assertEqual(clashes(Selection.of(self.campaign)), before)

    def test_halfway_is_nearer_to_neither(self):
        self.judged(3)
        ((found,), _) = adjudication.opinions(Selection.of(self.campaign))
        self.assertEqual(found.nearer, adjudication.BOTH)

    def test_comparisons(self):
        first, second = (task.items.get(position=0) for task in self.tasks(self.pairwise))
        factory.judge(first, 1)
        factory.judge(second, -1)
        (clash,) = clashes(Selection.of(self.pairwise)).clashes
        third = self.pairwise.memberships.get(user=self.other)
        data = {"clash": clash.key, "third": third.pk}
        self.post_as(self.owner, "clash-third", self.pairwise.pk, data=data)
        asked = Adjudication.objects.get()
        order = list(asked.item.shown.order_by("position").values_list("output", flat=True))
        was = list(asked.first.shown.order_by("position").values_list("output", flat=True))
        # As the first of the two, whichever output is shown first.
        factory.judge(asked.item, 1 if order == was else -1)
        ((found,), _) = adjudication.opinions(Selection.of(self.pairwise))
        self.assertEqual((found.values[:2], found.nearer), ((1, 0), adjudication.FIRST))
        self.assertContains(self.get_as(self.owner, "scores", self.pairwise.pk), "Agreed with")

    def test_the_record_says_who_was_asked_what(self):
        record.begin(self.campaign.pk, "opened")
        self.ask()
        self.assertEqual(check_record(self.campaign).found, [])
        Adjudication.objects.update(dimension="fluency")
        (found,) = check_record(self.campaign).found
        self.assertIn("dimension", str(found))
