"""Claims and submissions, alone and sixteen at once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import pairwise
from threading import Barrier

from django.db import IntegrityError, connection, transaction
from django.test import TestCase, TransactionTestCase
from django.utils import timezone

from judgments.judging import queue
from judgments.judging.ticket import new_ticket, unseal
from judgments.models import Judgment, Membership, Output, Preference, Rating, Status, Task
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from tests import factory

THREADS = 16
LEASE = timedelta(hours=24)  # where the plan says nothing


def answers(value=3, n_outputs=3):
    """Posted answers that give every output one value on both dimensions."""
    return {
        f"output{place}-{dimension}": str(value)
        for place in range(1, n_outputs + 1)
        for dimension in ("adequacy", "fluency")
    }


def ticket_for(item, user, number=1):
    return new_ticket(item.pk, user.pk, number, timezone.now(), 1)


def part_of(user, campaign) -> Membership:
    return Membership.objects.select_related("campaign__test_set").get(user=user, campaign=campaign)


def submit(user, item, data=None, *, ticket=None, active_ms=0):
    return queue.submit(
        part_of(user, item.task.campaign),
        ticket or ticket_for(item, user),
        answers() if data is None else data,
        active_ms=active_ms,
        now=timezone.now(),
    )


def at_once(function, arguments):
    """Call a function in one thread per argument, all let go at the same moment."""
    barrier = Barrier(len(arguments))

    def run(argument):
        try:
            connection.ensure_connection()
            barrier.wait(timeout=20)
            return function(argument)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(arguments)) as pool:
        return list(pool.map(run, arguments))


class ConcurrencyTestCase(TransactionTestCase):
    def setUp(self):
        self.owner = factory.make_user("owner")
        self.people = [factory.make_user(f"annotator-{i}") for i in range(THREADS)]
        self.test_set = factory.make_test_set(self.owner, n_segments=10, n_documents=10)
        self.campaign = factory.make_campaign(
            self.test_set, owner=self.owner, annotators=self.people
        )

    def claim(self, user):
        return queue.claim(part_of(user, self.campaign), timezone.now())

    def test_sixteen_annotators_claim_ten_seats(self):
        design.plan(self.campaign, PlanSettings(block_length=1, batch_items=1))
        claimed = [task for task in at_once(self.claim, self.people) if task]
        self.assertEqual(len(claimed), 10)
        self.assertEqual(len({task.pk for task in claimed}), 10)
        holders = Task.objects.values_list("annotator", flat=True)
        self.assertEqual(len(set(holders)), 10)
        self.assertNotIn(None, holders)

    def test_a_batch_with_many_seats_seats_sixteen_people(self):
        design.plan(self.campaign, PlanSettings(block_length=1, batch_items=10, seats=THREADS))
        claimed = at_once(self.claim, self.people)
        self.assertEqual({task.seat for task in claimed}, set(range(1, THREADS + 1)))

    def test_one_annotator_who_claims_sixteen_times_gets_one_batch(self):
        design.plan(self.campaign, PlanSettings(block_length=1, batch_items=1, seats=2))
        claimed = at_once(self.claim, [self.people[0]] * THREADS)
        self.assertEqual(len({task.pk for task in claimed}), 1)
        self.assertEqual(Task.objects.exclude(annotator=None).count(), 1)

    def test_sixteen_on_one_device_who_claim_at_once_get_different_batches(self):
        """There are two seats of each batch, and no batch has two people of one device."""
        design.plan(self.campaign, PlanSettings(block_length=1, batch_items=1, seats=2))
        now = timezone.now()
        for user in self.people:
            membership = part_of(user, self.campaign)
            membership.marks.create(kind="browser", mark="same", first_seen=now, last_seen=now)
        claimed = [task for task in at_once(self.claim, self.people) if task]
        self.assertEqual(len(claimed), 10)
        self.assertEqual(len({task.batch for task in claimed}), 10)

    def test_the_same_key_sixteen_times_is_one_judgment(self):
        user = self.people[0]
        item = factory.make_task(self.campaign, user).items.first()
        ticket = ticket_for(item, user)
        done = at_once(lambda _: submit(user, item, ticket=ticket), range(THREADS))
        self.assertEqual(len({submission.judgment.pk for submission in done}), 1)
        self.assert_judged_once(item)

    def test_sixteen_tabs_that_say_the_same_are_one_judgment(self):
        user = self.people[0]
        item = factory.make_task(self.campaign, user).items.first()
        done = at_once(lambda _: submit(user, item), range(THREADS))
        self.assertEqual(len({submission.judgment.pk for submission in done}), 1)
        self.assert_judged_once(item)

    def test_sixteen_tabs_that_differ_leave_one_current_judgment(self):
        user = self.people[0]
        item = factory.make_task(self.campaign, user).items.first()
        at_once(lambda i: submit(user, item, answers(1 + i % 5)), range(THREADS))
        revisions = list(Judgment.objects.filter(item=item).order_by("revision"))
        self.assertEqual([j.revision for j in revisions], list(range(1, len(revisions) + 1)))
        self.assertGreaterEqual(len(revisions), 5)
        self.assertEqual(Judgment.objects.filter(item=item).current().count(), 1)
        for before, after in pairwise(revisions):
            self.assertEqual(after.supersedes_id, before.pk)
        item.task.refresh_from_db()
        self.assertEqual(item.task.n_judged, 1)

    def test_sixteen_items_of_one_task_are_all_counted(self):
        user = self.people[0]
        segments = list(self.test_set.segments.all())
        task = factory.make_task(self.campaign, user, segments=(segments * 2)[:THREADS])
        at_once(lambda item: submit(user, item), list(task.items.all()))
        task.refresh_from_db()
        self.assertEqual(task.n_judged, THREADS)
        self.assertEqual(task.items.filter(is_judged=True).count(), THREADS)
        self.assertEqual(Rating.objects.count(), THREADS * 6)

    def assert_judged_once(self, item):
        self.assertEqual(Judgment.objects.filter(item=item).count(), 1)
        self.assertEqual(Rating.objects.count(), 6)
        item.refresh_from_db()
        item.task.refresh_from_db()
        self.assertTrue(item.is_judged)
        self.assertEqual(item.task.n_judged, 1)


class QueueTestCase(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        cls.user = factory.make_user("annotator-1")
        cls.other = factory.make_user("annotator-2")
        cls.test_set = factory.make_test_set(cls.owner)
        cls.campaign = factory.make_campaign(
            cls.test_set, owner=cls.owner, annotators=[cls.user, cls.other]
        )

    def claim(self, user, now=None):
        return queue.claim(part_of(user, self.campaign), now or timezone.now())

    def plan(self, **settings):
        return design.plan(self.campaign, PlanSettings(block_length=1, **settings))


class ClaimTest(QueueTestCase):
    def test_batches_come_in_order_and_nobody_sits_twice_in_one(self):
        self.plan(batch_items=2, seats=2)
        first = self.claim(self.user)
        self.assertEqual((first.batch, first.seat), (1, 1))
        second = self.claim(self.other)
        self.assertEqual((second.batch, second.seat), (1, 2))
        Task.objects.filter(pk=first.pk).update(n_judged=2)
        self.assertEqual((t := self.claim(self.user)) and (t.batch, t.seat), (2, 1))
        Task.objects.filter(pk=t.pk).update(n_judged=2)
        self.assertIsNone(self.claim(self.user))

    def test_an_unfinished_batch_is_kept(self):
        self.plan(batch_items=2)
        self.assertEqual(self.claim(self.user), self.claim(self.user))

    def test_a_lapsed_batch_goes_to_another(self):
        self.plan(batch_items=4)
        now = timezone.now()
        task = self.claim(self.user, now)
        self.assertEqual(task.leased_until, now + LEASE)
        self.assertIsNone(self.claim(self.other, now + LEASE - timedelta(seconds=1)))
        Task.objects.update(leased_until=now - timedelta(seconds=1))
        self.assertEqual(self.claim(self.other), task)
        with self.assertRaises(queue.NotYours):
            submit(self.user, task.items.first())

    def test_a_batch_with_a_judgment_does_not_lapse(self):
        self.plan(batch_items=4)
        task = self.claim(self.user)
        submit(self.user, task.items.first())
        Task.objects.update(leased_until=timezone.now() - timedelta(days=9))
        self.assertIsNone(self.claim(self.other))

    def test_a_batch_without_a_lease_does_not_lapse(self):
        (task,) = self.plan(batch_items=4)
        factory.seat(task, self.user)
        self.assertIsNone(self.claim(self.other, timezone.now() + timedelta(days=99)))

    def test_two_seats_of_a_batch_for_one_person_break_a_constraint(self):
        self.plan(batch_items=4, seats=2)
        with self.assertRaises(IntegrityError), transaction.atomic():
            Task.objects.update(annotator=self.user)

    def test_nothing_is_claimed_from_a_campaign_that_is_not_open(self):
        self.plan(batch_items=4)
        for status in (Status.DRAFT, Status.PAUSED, Status.CLOSED):
            self.campaign.status = status
            self.campaign.save()
            with self.subTest(status), self.assertRaises(queue.NotOpen):
                self.claim(self.user)


class SubmitTest(QueueTestCase):
    def setUp(self):
        self.task = factory.make_task(self.campaign, self.user)
        self.item = self.task.items.first()

    def test_a_judgment_is_stored_with_all_it_says(self):
        opened = timezone.now() - timedelta(seconds=30)
        ticket = new_ticket(self.item.pk, self.user.pk, 1, opened, 7)
        data = answers() | {"output2-adequacy": "5", "output3-fluency": "1"}
        judgment = submit(self.user, self.item, data, ticket=unseal(ticket.seal()),
                          active_ms=12_000).judgment  # fmt: skip
        judgment.refresh_from_db()
        self.assertEqual(judgment.annotator, self.user)
        self.assertEqual(judgment.campaign, self.campaign)
        self.assertEqual(judgment.client_key, ticket.key)
        self.assertEqual((judgment.revision, judgment.supersedes), (1, None))
        self.assertEqual((judgment.active_ms, judgment.guideline_version), (12_000, 7))
        self.assertLess(abs(judgment.started_at - opened), timedelta(milliseconds=1))
        shown = [row.output_id for row in self.item.shown.order_by("position")]
        said = {(r.output_id, r.dimension): r.value for r in judgment.ratings.all()}
        self.assertEqual(said, {
            (shown[0], "adequacy"): 3, (shown[0], "fluency"): 3,
            (shown[1], "adequacy"): 5, (shown[1], "fluency"): 3,
            (shown[2], "adequacy"): 3, (shown[2], "fluency"): 1,
        })  # fmt: skip
        self.task.refresh_from_db()
        self.assertEqual((self.task.n_judged, self.task.active_ms), (1, 12_000))
        self.assertEqual(self.task.last_judged_at, judgment.submitted_at)

    def test_active_time_is_no_longer_than_the_screen_was_open(self):
        ticket = new_ticket(self.item.pk, self.user.pk, 1, timezone.now() - timedelta(seconds=5), 1)
        judgment = submit(self.user, self.item, ticket=ticket, active_ms=10**15).judgment
        self.assertGreaterEqual(judgment.active_ms, 5000)
        self.assertLess(judgment.active_ms, 15_000)

    def test_without_a_script_active_time_is_unknown(self):
        self.assertIsNone(submit(self.user, self.item, active_ms=None).judgment.active_ms)

    def test_a_screen_from_the_future_took_no_time(self):
        ahead = timezone.now() + timedelta(hours=1)
        ticket = new_ticket(self.item.pk, self.user.pk, 1, ahead, 1)
        self.assertEqual(
            submit(self.user, self.item, ticket=ticket, active_ms=99).judgment.active_ms, 0
        )

    def test_an_old_key_that_comes_late_undoes_nothing(self):
        first = ticket_for(self.item, self.user)
        judgment = submit(self.user, self.item, answers(1), ticket=first).judgment
        revision = submit(self.user, self.item, answers(2)).judgment
        again = submit(self.user, self.item, answers(1), ticket=first).judgment
        self.assertEqual(again, judgment)
        self.assertEqual(Judgment.objects.filter(item=self.item).current().get(), revision)

    def test_a_revision_that_changes_nothing_stores_nothing(self):
        one = submit(self.user, self.item, active_ms=0).judgment
        two = submit(self.user, self.item, active_ms=0).judgment
        self.assertEqual(one, two)
        self.assertEqual(Judgment.objects.count(), 1)

    def test_a_revision_supersedes_and_counts_its_time(self):
        opened = timezone.now() - timedelta(seconds=30)
        for value in (1, 2):
            ticket = new_ticket(self.item.pk, self.user.pk, 1, opened, 1)
            submit(self.user, self.item, answers(value), ticket=ticket, active_ms=1000)
        self.task.refresh_from_db()
        self.assertEqual((self.task.n_judged, self.task.active_ms), (1, 2000))
        current = Judgment.objects.current().get()
        self.assertEqual((current.revision, current.supersedes.revision), (2, 1))

    def test_step_leads_to_the_next_item_that_waits(self):
        items = list(self.task.items.all())
        self.assertEqual(submit(self.user, items[1]).step, 1)
        self.assertEqual(submit(self.user, items[0]).step, 2)
        self.assertEqual(submit(self.user, items[2]).step, 1)
        self.assertIsNone(submit(self.user, items[3]).step)

    def test_another_annotators_item_is_refused(self):
        with self.assertRaises(queue.NotYours):
            submit(self.other, self.item)
        stolen = ticket_for(self.item, self.other)
        with self.assertRaises(queue.NotYours):
            submit(self.user, self.item, ticket=stolen)
        self.assertFalse(Judgment.objects.exists())

    def test_an_item_of_another_campaign_is_refused(self):
        campaign = factory.make_campaign(self.test_set, owner=self.owner, annotators=[self.user])
        with self.assertRaises(queue.NotYours):
            queue.submit(
                part_of(self.user, campaign), ticket_for(self.item, self.user), answers(),
                active_ms=None, now=timezone.now(),
            )  # fmt: skip

    def test_nothing_is_stored_while_the_campaign_is_not_open(self):
        for status in (Status.DRAFT, Status.PAUSED, Status.CLOSED):
            self.campaign.status = status
            self.campaign.save()
            self.item.task.campaign.refresh_from_db()
            with self.subTest(status), self.assertRaises(queue.NotOpen):
                submit(self.user, self.item)
        self.assertFalse(Judgment.objects.exists())

    def test_every_value_off_the_scale_is_refused(self):
        for bad in ("", "0", "6", "2.5", "-1", "nan", "inf", "1e9", "five", "٣", "\x00", "3 3"):
            with self.subTest(bad):
                done = submit(self.user, self.item, answers() | {"output2-fluency": bad})
                self.assertIsNone(done.judgment)
                self.assertEqual(list(done.form.errors), ["output2-fluency"])
        self.assertFalse(Judgment.objects.exists())

    def test_a_slider_takes_whole_numbers_from_0_to_100(self):
        campaign = factory.make_campaign(
            self.test_set, preset="direct-assessment", owner=self.owner, annotators=[self.user]
        )
        item = factory.make_task(campaign, self.user, n_outputs=1).items.first()
        for bad in ("", "-1", "101", "50.5", "nan", "inf", "-inf", "1e3", "abc", "0x10"):
            with self.subTest(bad):
                self.assertIsNone(submit(self.user, item, {"output1-da": bad}).judgment)
        for good in ("0", "100", "37"):
            judgment = submit(self.user, item, {"output1-da": good}).judgment
            self.assertEqual(judgment.ratings.get().value, float(good))

    def test_one_judgment_for_each_text(self):
        """Identical outputs are judged once, and the answer counts for each of them."""
        one, two, three = (row.output_id for row in self.item.shown.order_by("position"))
        Output.objects.filter(pk=three).update(text=Output.objects.get(pk=one).text)
        data = answers(2, n_outputs=1) | {"output2-adequacy": "4", "output2-fluency": "5"}
        judgment = submit(self.user, self.item, data).judgment
        said = {(r.output_id, r.dimension): r.value for r in judgment.ratings.all()}
        self.assertEqual(said, {
            (one, "adequacy"): 2, (one, "fluency"): 2, (three, "adequacy"): 2,
            (three, "fluency"): 2, (two, "adequacy"): 4, (two, "fluency"): 5,
        })  # fmt: skip


class PreferenceTest(QueueTestCase):
    def test_a_preference_is_stored_as_the_screen_had_it(self):
        campaign = factory.make_campaign(
            self.test_set, preset="pairwise", owner=self.owner, annotators=[self.user]
        )
        item = factory.make_task(campaign, self.user).items.first()
        first, second = (row.output_id for row in item.shown.order_by("position"))
        for value in (1, 0, -1):
            submit(self.user, item, {"preference": str(value)})
            said = Preference.objects.order_by("pk").last()
            self.assertEqual((said.output_a_id, said.output_b_id, said.value),
                             (first, second, value))  # fmt: skip
        submit(self.user, item, {"preference": "-1"})
        self.assertEqual(Judgment.objects.filter(item=item).count(), 3)
        for bad in ("", "2", "nan", "1.5"):
            self.assertIsNone(submit(self.user, item, {"preference": bad}).judgment)
