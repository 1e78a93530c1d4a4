"""A pool: leases, returns, and a hundred annotators on a hundred connections at once."""

import random
import time
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from threading import Lock

import pytest
from django.db import connection
from django.db.models import Count, F, Q
from django.test import TestCase, TransactionTestCase
from django.utils import timezone

from judgments.judging import queue
from judgments.judging.notes import notes
from judgments.models import Chain, Item, ItemOutput, Judgment, Membership, Task
from judgments.people.members import members as people
from judgments.people.workload.release import free_rest
from tests import factory

from ..judging.test_queue import answers, at_once, part_of, submit, ticket_for

HOUR = timedelta(hours=1)


def make_pool(owner, annotators, n_segments=4, **plan):
    test_set = factory.make_test_set(owner, n_segments=n_segments, n_documents=1)
    return factory.make_campaign(
        test_set,
        owner=owner,
        annotators=annotators,
        plan={"pool": True, "lease_minutes": 60} | plan,
    )


def let_lapse(**which):
    tasks = Task.objects.filter(**which).exclude(leased_until=None)
    tasks.update(leased_until=timezone.now() - timedelta(seconds=1))


class PoolTestCase(TestCase):
    def setUp(self):
        self.owner = factory.make_user("owner")
        self.user, self.other, self.third = (factory.make_user(f"annotator-{i}") for i in range(3))
        self.campaign = make_pool(self.owner, [self.user, self.other, self.third])

    def claim(self, user):
        return queue.claim(part_of(user, self.campaign), timezone.now())

    def give_up(self, user, task):
        return queue.give_up(part_of(user, self.campaign), task.pk)

    def judge(self, user, task, *positions):
        for item in task.items.filter(position__in=positions):
            submit(user, item)


class LeaseTest(PoolTestCase):
    def test_a_lease_is_as_long_as_the_plan_says(self):
        factory.make_task(self.campaign)
        now = timezone.now()
        task = queue.claim(part_of(self.user, self.campaign), now)
        self.assertEqual(task.leased_until, now + HOUR)

    def test_every_answer_renews_it(self):
        factory.make_task(self.campaign)
        task = self.claim(self.user)
        let_lapse()
        before = timezone.now()
        submit(self.user, task.items.first())
        task.refresh_from_db()
        self.assertGreaterEqual(task.leased_until, before + HOUR)
        let_lapse()
        member = part_of(self.user, self.campaign)
        notes.note(member, task, 1, kind="skip", reason="other", comment="")
        task.refresh_from_db()
        self.assertGreaterEqual(task.leased_until, before + HOUR)

    def test_what_had_no_lease_has_none_after_an_answer(self):
        task = factory.make_task(self.campaign, self.user)
        submit(self.user, task.items.first())
        task.refresh_from_db()
        self.assertIsNone(task.leased_until)

    def test_the_rest_of_a_begun_block_lapses(self):
        factory.make_task(self.campaign)
        task = self.claim(self.user)
        self.judge(self.user, task, 0, 2)
        self.assertIsNone(self.claim(self.other))
        let_lapse()
        self.assertEqual(queue.next_free(part_of(self.other, self.campaign)).n_waiting, 2)
        rest = self.claim(self.other)
        self.assertEqual((rest.batch, rest.rest_of, rest.n_items), (task.batch, task.seat, 2))
        task.refresh_from_db()
        self.assertEqual((task.annotator, task.n_items, task.n_judged), (self.user, 2, 2))
        with self.assertRaises(queue.NotYours):
            submit(self.user, rest.items.first())
        self.judge(self.other, rest, 0, 1)
        self.assertEqual(Judgment.objects.count(), 4)

    def test_an_answer_of_a_lapsed_holder_counts_while_nobody_took_the_seat(self):
        factory.make_task(self.campaign)
        task = self.claim(self.user)
        self.judge(self.user, task, 0)
        let_lapse()
        self.judge(self.user, task, 1)
        self.assertIsNone(self.claim(self.other))  # the answer has renewed the lease
        self.assertEqual(Judgment.objects.count(), 2)

    def test_a_finished_block_does_not_lapse(self):
        factory.make_task(self.campaign)
        task = self.claim(self.user)
        self.judge(self.user, task, *range(4))
        let_lapse()
        self.assertIsNone(self.claim(self.other))


class ReturnTest(PoolTestCase):
    def test_what_was_judged_stays_and_the_rest_is_free_at_once(self):
        factory.make_task(self.campaign)
        task = self.claim(self.user)
        self.judge(self.user, task, 1)
        self.assertEqual(self.give_up(self.user, task), 3)
        rest = self.claim(self.other)
        self.assertEqual((rest.rest_of, rest.n_items), (task.seat, 3))
        self.assertEqual(task.items.get().is_judged, True)
        self.assertIsNone(self.claim(self.user))

    def test_another_block_comes_next_and_the_same_one_when_nothing_else_is_free(self):
        for batch, seat in ((1, 1), (2, 1), (2, 2)):
            factory.make_task(self.campaign, batch=batch, seat=seat)
        first = self.claim(self.user)
        self.give_up(self.user, first)
        member = part_of(self.user, self.campaign)
        self.assertEqual(queue.n_free(member), 2)
        second = self.claim(self.user)
        self.assertEqual(second.batch, 2)
        self.judge(self.user, second, *range(4))
        self.assertEqual(queue.next_free(member).n_waiting, 4)
        again = self.claim(self.user)
        self.assertEqual((again.pk, again.n_items), (first.pk, 4))
        self.judge(self.user, again, *range(4))
        self.assertEqual((queue.n_free(member), self.claim(self.user)), (0, None))

    def test_what_was_skipped_waits_for_the_next_one(self):
        factory.make_task(self.campaign)
        task = self.claim(self.user)
        member = part_of(self.user, self.campaign)
        notes.note(member, task, 1, kind="skip", reason="other", comment="")
        self.give_up(self.user, task)
        rest = self.claim(self.other)
        self.assertEqual((rest.n_items, rest.n_skipped), (4, 0))
        self.assertFalse(Item.objects.filter(is_skipped=True).exists())

    def test_nobody_gives_back_what_is_not_theirs_or_is_finished(self):
        factory.make_task(self.campaign)
        task = self.claim(self.user)
        with self.assertRaises(queue.NotYours):
            self.give_up(self.other, task)
        self.judge(self.user, task, *range(4))
        self.assertEqual(self.give_up(self.user, task), 0)
        self.assertEqual(Task.objects.count(), 1)


ANNOTATORS = 100
SECONDS = 12
BATCHES = 120
SEATS = 2
ITEMS = 4


@pytest.mark.slow
class HundredTest(TransactionTestCase):
    """Each annotator is a thread with a separate connection that claims, answers, revises, skips,
    returns, and is late; now and then one of them acts as a manager."""

    def setUp(self):
        self.owner = factory.make_user("owner")
        self.people = [factory.make_user(f"annotator-{i}") for i in range(ANNOTATORS)]
        self.campaign = make_pool(self.owner, self.people, n_segments=ITEMS)
        self.invitation = self.campaign.invitations.create(created_by=self.owner)
        self.make_blocks()
        self.lock = Lock()
        self.stored: list[tuple[int, int, int]] = []  # judgment, item, annotator
        self.done: Counter[str] = Counter()

    def make_blocks(self):
        tasks = Task.objects.bulk_create(
            Task(campaign=self.campaign, batch=batch, seat=seat, n_items=ITEMS)
            for batch in range(1, BATCHES + 1)
            for seat in range(1, SEATS + 1)
        )
        segments = list(self.campaign.test_set.segments.prefetch_related("outputs"))
        items = Item.objects.bulk_create(
            Item(task=task, position=position, segment=segment)
            for task in tasks
            for position, segment in enumerate(segments)
        )
        ItemOutput.objects.bulk_create(
            ItemOutput(item=item, output=item.segment.outputs.all()[0], position=0)
            for item in items
        )

    @pytest.mark.proof
    def test_nothing_is_shared_lost_doubled_or_locked_for_good(self):
        until = time.monotonic() + SECONDS
        first = at_once(lambda user: self.claim(user).pk, self.people)
        self.assertEqual(len(set(first)), ANNOTATORS)
        at_once(lambda user: self.work(user, until), self.people)
        print(f"\n{ANNOTATORS} annotators, each second:", end=" ")
        print(", ".join(f"{n / SECONDS:.0f} {name}" for name, n in sorted(self.done.items())))
        for what in ("claims", "answers", "skips", "returns", "lapses"):
            self.assertTrue(self.done[what], what)
        for what in ("batches taken away", "removals", "joins"):
            self.assertTrue(self.done[what], what)
        self.assert_nothing_is_lost_or_doubled()
        self.assert_counters_are_what_they_count()
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
            )
            self.assertEqual(cursor.fetchone(), (0,))

    def count(self, what):
        with self.lock:
            self.done[what] += 1

    def claim(self, user, choose=None):
        task = queue.claim(part_of(user, self.campaign), timezone.now())
        self.count("claims")
        return task

    def work(self, user, until):
        """Whatever is refused is refused by these two exceptions; all others fail the test."""
        choose = random.Random(user.pk)
        actions = [self.answer] * 10 + [self.claim] * 2 + [self.skip, self.give_back, self.lapse]
        rare = [self.take_away, self.remove, self.take_up, self.join]
        while time.monotonic() < until:
            action = choose.choice(rare if choose.random() < 0.04 else actions)
            with suppress(queue.NotYours, notes.AlreadyJudged):
                action(user, choose)

    def mine(self, user, choose):
        """One of the items that the annotator sees, who may lose it at any moment."""
        found = Item.objects.filter(task__annotator=user, task__campaign=self.campaign)
        found = list(found.select_related("task").order_by("is_judged", "pk")[:6])
        return choose.choice(found) if found else None

    def answer(self, user, choose):
        if item := self.mine(user, choose):
            done = queue.submit(
                part_of(user, self.campaign),
                ticket_for(item, user),
                answers(choose.randint(1, 5), n_outputs=1),
                active_ms=0,
                now=timezone.now(),
            )
            with self.lock:
                self.stored.append((done.judgment.pk, item.pk, user.pk))
            self.count("answers")

    def skip(self, user, choose):
        if item := self.mine(user, choose):
            member = part_of(user, self.campaign)
            notes.note(member, item.task, item.position, kind="skip", reason="other", comment="")
            self.count("skips")

    def take_up(self, user, choose):
        notes.take_up_skipped(part_of(user, self.campaign))

    def give_back(self, user, choose):
        if (item := self.mine(user, choose)) and choose.random() < 0.3:
            self.count("returns" if queue.give_up(part_of(user, self.campaign), item.task_id)
                       else "returns of nothing")  # fmt: skip

    def lapse(self, user, choose):
        """As if the annotator had been away for longer than the lease."""
        let_lapse(annotator=user)
        self.count("lapses")

    def take_away(self, user, choose):
        """Take something back from its holder, as a manager."""
        held = Task.objects.filter(campaign=self.campaign, n_judged__lt=F("n_items"))
        task = choose.choice(held.exclude(annotator=None).order_by("?")[:5] or [None])
        if task and free_rest(task):
            self.count("batches taken away")

    def join(self, user, choose):
        """Somebody comes in by the link, while all others are at work."""
        people.accept(self.invitation, None, "")
        self.count("joins")

    def remove(self, user, choose):
        member = part_of(choose.choice(self.people), self.campaign)
        people.remove(member)
        time.sleep(0.05)
        people.take_back(member)
        self.count("removals")

    def assert_nothing_is_lost_or_doubled(self):
        known = set(Judgment.objects.values_list("pk", "item", "annotator"))
        self.assertLessEqual(set(self.stored), known)
        current = Judgment.objects.current().filter(campaign=self.campaign)
        self.assertEqual(current.count(), Item.objects.filter(is_judged=True).count())
        self.assertEqual(current.values("item").distinct().count(), current.count())
        strangers = Judgment.objects.exclude(annotator=F("item__task__annotator"))
        self.assertFalse(strangers.exists())
        # Every seat of a block has the same segments: nobody has judged one of a block twice.
        judged = Counter(current.values_list("annotator", "item__task__batch", "item__segment"))
        self.assertEqual(set(judged.values()), {1})
        in_blocks = Counter(Item.objects.values_list("task__batch", "segment"))
        self.assertEqual(len(in_blocks), BATCHES * ITEMS)
        self.assertEqual(set(in_blocks.values()), {SEATS})
        self.assertEqual(Membership.objects.current().count(), ANNOTATORS + 1 + self.done["joins"])

    def assert_counters_are_what_they_count(self):
        counted = Task.objects.annotate(
            items_=Count("items"),
            judged_=Count("items", filter=Q(items__is_judged=True)),
            skipped_=Count("items", filter=Q(items__is_skipped=True)),
        )
        for task in counted:
            self.assertEqual(
                (task.n_items, task.n_judged, task.n_skipped),
                (task.items_, task.judged_, task.skipped_),
            )
            places = task.items.order_by("position").values_list("position", flat=True)
            self.assertEqual(list(places), list(range(task.n_items)))
        answered = Counter(Judgment.objects.values_list("item__task", flat=True))
        chains = dict(Chain.objects.values_list("task_id", "length"))
        self.assertEqual(chains, dict(answered))
