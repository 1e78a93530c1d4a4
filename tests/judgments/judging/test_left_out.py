"""Annotators who are left out by a decision get no more work, and learn why."""

from concurrent.futures import ThreadPoolExecutor

from django.db import connection, transaction
from django.test import TransactionTestCase
from django.urls import reverse
from django.utils import timezone

from judgments.judging import queue
from judgments.models import Decision, Judgment, Membership, Task
from judgments.people import states
from judgments.people.staffing.settings import set_staffing
from judgments.quality.decisions.decisions import decide
from judgments.quality.decisions.exclusions import ExclusionRow, add_exclusions
from judgments.quality.decisions.forms import LEAVE_OUT
from tests import factory

from ..models.test_locks import in_a_thread, until_somebody_waits
from .judge_pages import JudgingTestCase, answers, ticket_in
from .test_queue import submit

KIND = "There is no more work for you in this campaign"
AS_SCRIPT = {"headers": {"accept": "application/json"}}


def leave_out(campaign, annotator, by, *, excluded=True, dimension=""):
    known = {"excluded": excluded, "dimension": dimension}
    return decide(campaign, annotator, reason="Too fast.", by=by, **known)


class LeftOutTest(JudgingTestCase):
    def leave_out(self, **known):
        return leave_out(self.campaign, self.annotator_1, self.owner, **known)

    def test_an_owner_leaves_somebody_out_on_the_page_and_they_are_told(self):
        self.answer(1)
        data = {
            "decision-annotator": self.annotator_1.pk,
            "decision-action": LEAVE_OUT,
            "decision-reason": "Too fast.",
        }
        self.post_as(self.owner, "quality-decide", self.campaign.pk, data=data)
        self.assertTrue(Decision.objects.get().excluded)
        page = self.get_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertContains(page, KIND)
        self.assertContains(page, "ask the people who run the campaign")
        self.assertNotContains(page, "Too fast")
        for other in ("Give this batch back", "My work", "Start the next batch"):
            self.assertNotContains(page, other)

    def test_no_item_of_a_begun_batch_is_shown(self):
        self.answer(1)
        self.leave_out()
        entry = reverse("judge", args=[self.campaign.pk])
        for number in (1, 2):
            self.assertRedirects(self.open(number), entry)
            row = self.client.get(self.item_url(number), headers={"x-rows": str(number)})
            self.assertRedirects(row, entry)
        self.assertRedirects(
            self.get_as(self.annotator_1, "judge-note", self.campaign.pk, 2), entry
        )
        self.assertRedirects(self.get_as(self.annotator_1, "judge-items", self.campaign.pk), entry)

    def test_an_answer_that_comes_afterwards_is_not_stored_and_the_page_says_so(self):
        ticket = ticket_in(self.open(1))
        self.leave_out()
        response = self.answer(1, ticket=ticket)
        self.assertContains(response, KIND, status_code=409)
        self.assertContains(response, "Your last answer was not stored.", status_code=409)
        self.assertFalse(Judgment.objects.exists())

    def test_a_script_is_told_why_and_keeps_the_answer(self):
        ticket = ticket_in(self.open(1))
        self.hold()
        reply = self.answer(1, ticket=ticket, **AS_SCRIPT)
        self.assertEqual(reply.json(), {"problem": "not-open", "reason": "held"})
        self.leave_out()
        reply = self.answer(1, ticket=ticket, **AS_SCRIPT)
        self.assertEqual(reply.json(), {"problem": "not-open", "reason": "left-out"})
        self.leave_out(excluded=False)
        self.assertEqual(
            self.answer(1, ticket=ticket, **AS_SCRIPT).json(), {"next": self.item_url(2)}
        )

    def test_what_they_have_not_judged_is_the_others_and_theirs_again_when_they_count(self):
        self.answer(1)
        self.leave_out()
        own = Task.objects.filter(annotator=self.annotator_1, n_judged__gt=0)
        self.assertEqual([(each.n_items, each.n_judged) for each in own], [(1, 1)])
        free = Task.objects.get(campaign=self.campaign, annotator=None)
        self.assertEqual(free.n_items, 3)
        self.leave_out(excluded=False)
        self.assertEqual([(each.n_items, each.n_judged) for each in own.all()], [(4, 1)])

    def test_who_is_held_reads_that_their_work_is_looked_at_and_goes_on_afterwards(self):
        self.answer(1)
        self.hold()
        page = self.get_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertContains(page, "Your work is being reviewed")
        self.assertNotContains(page, KIND)
        self.assertNotContains(page, "Too fast")
        self.assertContains(self.get_as(self.annotator_1, "home"), "Your work is being reviewed")
        self.assertEqual(states.state_of(self.member()).reason, "Too fast.")
        self.assertFalse(self.hold())
        self.assertTrue(
            states.resume_work(self.campaign, self.annotator_1, reason="Well.", by=self.owner)
        )
        self.assertRedirects(
            self.get_as(self.annotator_1, "judge", self.campaign.pk), self.item_url(2)
        )

    def test_who_is_held_has_no_code_yet(self):
        set_staffing(self.campaign, {"codes": {"pass": "GOOD", "fail": "SORRY"}})
        for number in range(1, 5):
            self.answer(number)
        self.hold()
        page = self.get_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertNotContains(page, "GOOD")
        self.assertNotContains(page, "SORRY")

    def hold(self):
        return states.hold(self.campaign, self.annotator_1, reason="Too fast.")

    def member(self):
        return Membership.objects.get(campaign=self.campaign, user=self.annotator_1)

    def test_who_counts_is_not_told_so(self):
        leave_out(self.campaign, self.annotator_2, self.owner)
        self.leave_out(dimension="fluency")
        self.assertEqual(self.answer(1, **AS_SCRIPT).json(), {"next": self.item_url(2)})
        self.assertNotContains(self.open(2), KIND)

    def test_a_page_that_is_too_old_shows_no_item(self):
        self.open(1)
        self.leave_out()
        self.assertContains(self.answer(1, ticket="none"), KIND, status_code=409)

    def test_practice_shows_nothing_either(self):
        self.campaign.practices.create(position=1, source="Quelle", outputs=["a", "b", "c"])
        self.leave_out()
        practice = self.get_as(self.annotator_1, "judge-practice", self.campaign.pk, 1)
        self.assertRedirects(practice, reverse("judge", args=[self.campaign.pk]))

    def test_they_get_no_batch_and_go_on_when_they_count_again(self):
        Task.objects.filter(campaign=self.campaign).update(annotator=None)
        self.leave_out()
        page = self.post_as(self.annotator_1, "judge", self.campaign.pk, follow=True)
        self.assertContains(page, KIND)
        self.assertFalse(self.campaign.tasks.filter(annotator=self.annotator_1).exists())
        self.leave_out(excluded=False)
        page = self.post_as(self.annotator_1, "judge", self.campaign.pk, follow=True)
        self.assertContains(page, "Item 1 of 4")

    def test_a_table_of_exclusions_ends_the_work_too(self):
        add_exclusions(self.campaign, self.owner, [ExclusionRow("annotator-1", reason="Late.")])
        self.assertContains(self.get_as(self.annotator_1, "judge", self.campaign.pk), KIND)

    def test_the_code_for_work_that_does_not_count_is_shown_at_once(self):
        """They cannot finish the batch any more, and may have to hand a code in."""
        set_staffing(self.campaign, {"codes": {"pass": "GOOD", "fail": "SORRY"}})
        self.answer(1)
        self.assertNotContains(
            self.get_as(self.annotator_1, "judge-items", self.campaign.pk), "SORRY"
        )
        self.leave_out()
        page = self.get_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertContains(page, "SORRY")
        self.assertNotContains(page, "GOOD")

    def test_a_campaign_that_is_paused_says_the_same(self):
        self.leave_out()
        self.set_status("paused")
        self.assertContains(self.get_as(self.annotator_1, "judge", self.campaign.pk), KIND)


class AtTheSameMomentTest(TransactionTestCase):
    """A claim and the decision at the same moment, each with a separate connection."""

    def setUp(self):
        self.owner, self.annotator = factory.make_user("owner"), factory.make_user("annotator")
        test_set = factory.make_test_set(self.owner)
        people = {"owner": self.owner, "annotators": [self.annotator]}
        self.campaign = factory.make_campaign(test_set, **people)
        factory.make_task(self.campaign)
        # As the request read it, before the decision.
        self.member = Membership.objects.select_related("campaign__test_set").get(
            user=self.annotator
        )

    def claim(self):
        return queue.claim(self.member, timezone.now())

    def test_a_claim_waits_for_the_decision_and_gets_nothing(self):
        ways = (
            lambda: leave_out(self.campaign, self.annotator, self.owner),
            lambda: add_exclusions(
                self.campaign, self.owner, [ExclusionRow("annotator", reason="Late.")]
            ),
        )
        for way in ways:
            with ThreadPoolExecutor(1) as pool:
                with transaction.atomic():
                    way()
                    claimed = pool.submit(in_a_thread, self.claim)
                    until_somebody_waits()
                with self.assertRaises(queue.NotYours):
                    claimed.result(timeout=8)
            self.assertFalse(Task.objects.exclude(annotator=None).exists())
            leave_out(self.campaign, self.annotator, self.owner, excluded=False)
        connection.close()

    def test_the_decision_waits_for_a_claim(self):
        """So what is claimed was claimed before it."""
        with ThreadPoolExecutor(1) as pool:
            with transaction.atomic():
                self.claim()
                decided = pool.submit(
                    in_a_thread, leave_out, self.campaign, self.annotator, self.owner
                )
                until_somebody_waits()
                self.assertFalse(Decision.objects.exists())
            self.assertTrue(decided.result(timeout=8).excluded)

    def test_the_decision_waits_for_an_answer_that_is_being_stored(self):
        """So what was stored was stored before it, and all the rest goes to others."""
        task = factory.seat(self.campaign.tasks.get(), self.annotator)
        n_items = task.n_items
        with ThreadPoolExecutor(1) as pool:
            with transaction.atomic():
                submit(self.annotator, task.items.first(), answers())
                decided = pool.submit(
                    in_a_thread, leave_out, self.campaign, self.annotator, self.owner
                )
                until_somebody_waits()
            self.assertTrue(decided.result(timeout=8).excluded)
        task.refresh_from_db()
        self.assertEqual((task.n_items, task.n_judged), (1, 1))
        self.assertEqual(self.campaign.tasks.get(annotator=None).n_items, n_items - 1)

    def test_an_answer_waits_for_the_decision_and_is_not_stored(self):
        task = factory.seat(self.campaign.tasks.get(), self.annotator)
        item = task.items.select_related("task__campaign").first()
        with ThreadPoolExecutor(1) as pool:
            with transaction.atomic():
                leave_out(self.campaign, self.annotator, self.owner)
                answered = pool.submit(in_a_thread, submit, self.annotator, item, answers())
                until_somebody_waits()
            with self.assertRaises(queue.NotYours):
                answered.result(timeout=8)
        self.assertFalse(Judgment.objects.exists())
