"""Removing annotators: what they did not judge goes to others, also while they send an answer."""

from threading import Thread

import numpy as np
from django.db import connection, transaction
from django.test import TestCase, TransactionTestCase
from django.utils import timezone

from judgments.judging import queue
from judgments.judging.notes import notes
from judgments.models import Item, Judgment, Membership, Task
from judgments.people.members import members as people
from judgments.people.workload.release import free_rest
from judgments.plans import seats
from tests import factory

from ..judging.test_queue import answers, at_once, part_of, submit, ticket_for


def claim(user, campaign):
    return queue.claim(part_of(user, campaign), timezone.now())


class ReleaseTests(TestCase):
    def setUp(self):
        self.owner = factory.make_user("owner")
        self.users = [factory.make_user(f"annotator-{i}") for i in range(3)]
        test_set = factory.make_test_set(self.owner, n_segments=6)
        self.campaign = factory.make_campaign(test_set, owner=self.owner, annotators=self.users)
        self.task = factory.make_task(self.campaign, self.users[0])

    def remove(self, user=None):
        people.remove(part_of(user or self.users[0], self.campaign))

    def take_back(self):
        return people.take_back(part_of(self.users[0], self.campaign))

    def judge(self, *positions):
        for item in self.task.items.filter(position__in=positions):
            submit(self.users[0], item)

    def skip(self, position):
        member = part_of(self.users[0], self.campaign)
        notes.note(member, self.task, position, kind="skip", reason="other", comment="")

    def places(self, task):
        return list(task.items.order_by("position").values_list("position", "is_judged"))

    def test_a_batch_without_judgments_is_free_again(self):
        self.skip(2)
        self.remove()
        found = claim(self.users[1], self.campaign)
        self.assertEqual((found.n_items, found.n_skipped, found.batch), (6, 0, 1))
        self.assertFalse(Item.objects.filter(is_skipped=True).exists())

    def test_the_rest_of_a_begun_batch_goes_to_one_other(self):
        self.judge(1, 4)
        self.skip(2)
        waiting = list(self.task.items.filter(is_judged=False).order_by("position"))
        self.remove()
        self.task.refresh_from_db()
        self.assertEqual(self.task.annotator, self.users[0])
        self.assertEqual((self.task.n_items, self.task.n_judged, self.task.n_skipped), (2, 2, 0))
        self.assertEqual(self.places(self.task), [(0, True), (1, True)])
        rest = claim(self.users[1], self.campaign)
        self.assertEqual((rest.batch, rest.seat, rest.rest_of, rest.n_items), (1, 2, 1, 4))
        self.assertEqual(self.places(rest), [(i, False) for i in range(4)])
        self.assertEqual(list(rest.items.order_by("position")), waiting)
        self.assertFalse(rest.items.filter(is_skipped=True).exists())
        self.assertIsNone(claim(self.users[2], self.campaign))
        for item in rest.items.all():
            submit(self.users[1], item)
        rest.refresh_from_db()
        self.assertTrue(rest.is_done)
        self.assertEqual(Judgment.objects.filter(campaign=self.campaign).count(), 6)

    def test_whoever_judges_the_batch_does_not_get_the_rest(self):
        factory.make_task(self.campaign, self.users[1], seat=2)
        self.judge(0)
        self.remove()
        self.assertEqual(Task.objects.get(rest_of=1).seat, 3)
        for item in Item.objects.filter(task__annotator=self.users[1]):
            submit(self.users[1], item)
        self.assertIsNone(claim(self.users[1], self.campaign))
        self.assertEqual(claim(self.users[2], self.campaign).rest_of, 1)

    def test_a_finished_batch_stays(self):
        self.judge(*range(6))
        self.remove()
        self.assertEqual(Task.objects.get().annotator, self.users[0])

    def test_taken_back_they_go_on_where_they_left(self):
        self.judge(1, 4)
        waiting = set(self.task.items.filter(is_judged=False))
        self.remove()
        self.take_back()
        task = Task.objects.get()
        self.assertEqual((task.pk, task.n_items, task.n_judged), (self.task.pk, 6, 2))
        self.assertEqual([place for place, _ in self.places(task)], list(range(6)))
        self.assertEqual(set(task.items.filter(is_judged=False)), waiting)
        item = task.items.filter(is_judged=False).first()
        self.assertIsNotNone(submit(self.users[0], item).judgment)

    def test_what_others_have_taken_stays_theirs(self):
        self.judge(0)
        self.remove()
        rest = claim(self.users[1], self.campaign)
        self.take_back()
        rest.refresh_from_db()
        self.assertEqual((rest.annotator, rest.n_items), (self.users[1], 5))
        self.task.refresh_from_db()
        self.assertEqual(self.task.n_items, 1)

    def test_all_of_a_batch_that_was_not_begun_is_theirs_again(self):
        self.remove()
        self.take_back()
        task = Task.objects.get()
        self.assertEqual((task.pk, task.annotator, task.n_items), (self.task.pk, self.users[0], 6))

    def test_who_left_an_empty_seat_may_take_another_of_the_batch(self):
        self.remove()
        self.assertIsNotNone(claim(self.users[1], self.campaign))
        self.take_back()
        second = factory.make_task(self.campaign, seat=3)
        self.assertEqual(claim(self.users[0], self.campaign).pk, second.pk)

    def test_the_next_one_who_is_removed_leaves_a_rest_too(self):
        self.judge(0)
        self.remove()
        rest = claim(self.users[1], self.campaign)
        submit(self.users[1], rest.items.first())
        self.remove(self.users[1])
        third = claim(self.users[2], self.campaign)
        self.assertEqual((third.seat, third.rest_of, third.n_items), (3, 2, 4))

    def test_an_answer_that_comes_after_is_refused_and_can_be_sent_again(self):
        self.judge(0)
        item = self.task.items.get(position=3)
        member, ticket = part_of(self.users[0], self.campaign), ticket_for(item, self.users[0])

        def send():
            now = timezone.now()
            return queue.submit(member, ticket, answers(), active_ms=0, now=now)

        self.remove()
        with self.assertRaises(queue.NotYours):
            send()
        self.assertFalse(Judgment.objects.filter(item=item).exists())
        self.take_back()
        self.assertEqual(send().judgment.client_key, ticket.key)

    def test_nobody_who_was_removed_claims(self):
        member = part_of(self.users[1], self.campaign)
        factory.make_task(self.campaign, batch=2)
        self.remove(self.users[1])
        with self.assertRaises(queue.NotYours):
            queue.claim(member, timezone.now())


class RaceTests(TransactionTestCase):
    def setUp(self):
        self.owner = factory.make_user("owner")
        self.user = factory.make_user("annotator")
        test_set = factory.make_test_set(self.owner, n_segments=12)
        self.campaign = factory.make_campaign(test_set, owner=self.owner, annotators=[self.user])

    def test_an_answer_that_holds_its_item_is_stored_before_the_removal(self):
        item = factory.make_task(self.campaign, self.user).items.get(position=5)
        removal = Thread(target=self.in_thread, args=(self.remove,))
        with transaction.atomic():
            submit(self.user, item)
            removal.start()
            removal.join(0.3)
            self.assertTrue(removal.is_alive(), "the removal must wait for the answer")
        removal.join(20)
        self.assertEqual(Judgment.objects.get().item_id, item.pk)
        self.assertEqual(Item.objects.get(pk=item.pk).task.annotator, self.user)
        self.assert_consistent()

    def test_answers_while_the_person_is_removed_are_stored_or_refused(self):
        """Twelve answers, first ones and revisions, and the removal, all at the same moment, again
        and again; each answer that was acknowledged is there."""
        for round_ in range(6):
            with self.subTest(round_):
                batch = round_ + 1
                task = factory.make_task(self.campaign, self.user, batch=batch)
                items = list(task.items.order_by("position"))
                for item in items[:6]:
                    submit(self.user, item)
                member = part_of(self.user, self.campaign)
                jobs = [*items, None]
                outcomes = at_once(lambda item, m=member: self.send_or_remove(m, item), jobs)
                stored = {outcome for outcome in outcomes if outcome is not None}
                known = set(Judgment.objects.values_list("pk", flat=True))
                self.assertLessEqual(stored, known)
                self.assert_consistent()
                people.take_back(Membership.objects.get(pk=member.pk))
                self.assert_consistent()

    def test_answers_while_the_person_is_erased_are_stored_or_refused(self):
        for round_ in range(4):
            user = factory.make_user(f"guest-{round_}")
            self.campaign.memberships.create(user=user, role="annotator", alias=f"guest-{round_}")
            task = factory.make_task(self.campaign, user, batch=round_ + 1)
            member = part_of(user, self.campaign)

            def act(item, user=user, member=member):
                if item is None:
                    return people.erase_person(user, by="owner", reason="They asked.") and None
                try:
                    ticket = ticket_for(item, user)
                    now = timezone.now()
                    done = queue.submit(member, ticket, answers(5), active_ms=0, now=now)
                except queue.NotYours:
                    return None
                return done.judgment.pk

            outcomes = at_once(act, [*task.items.order_by("position"), None])
            stored = {outcome for outcome in outcomes if outcome is not None}
            self.assertLessEqual(stored, set(Judgment.objects.values_list("pk", flat=True)))
            user.refresh_from_db()
            self.assertFalse(user.is_active)
            self.assert_consistent()

    def test_seats_that_are_added_wait_for_a_seat_that_is_split(self):
        task = factory.make_task(self.campaign, self.user)
        submit(self.user, task.items.get(position=0))
        rng = np.random.default_rng(1)
        addition = Thread(
            target=self.in_thread, args=(lambda: seats.extend(self.campaign, seats=2, rng=rng),)
        )
        with transaction.atomic():
            self.assertEqual(free_rest(task), 11)
            addition.start()
            addition.join(0.3)
            self.assertTrue(addition.is_alive(), "seats are numbered one after the other")
        addition.join(20)
        found = self.campaign.tasks.order_by("seat").values_list("seat", "n_items")
        self.assertEqual(list(found), [(1, 1), (2, 11), (3, 12), (4, 12)])
        self.assert_consistent()

    def send_or_remove(self, member, item):
        if item is None:
            return self.remove()
        ticket = ticket_for(item, self.user)
        try:
            now = timezone.now()
            done = queue.submit(member, ticket, answers(5), active_ms=0, now=now)
        except queue.NotYours:
            return None
        return done.judgment.pk

    def remove(self):
        people.remove(part_of(self.user, self.campaign))

    def in_thread(self, function):
        try:
            function()
        finally:
            connection.close()

    def assert_consistent(self):
        """Counters are what they count, places are without a gap, nothing is judged by nobody."""
        for task in Task.objects.all():
            states = list(task.items.order_by("position").values_list("position", "is_judged"))
            self.assertEqual([place for place, _ in states], list(range(task.n_items)))
            self.assertEqual(sum(judged for _, judged in states), task.n_judged)
        for judgment in Judgment.objects.select_related("item__task"):
            self.assertTrue(judgment.item.is_judged)
            self.assertEqual(judgment.annotator_id, judgment.item.task.annotator_id)

    def test_two_owners_who_remove_each_other_leave_one(self):
        other = factory.make_user("other")
        self.campaign.memberships.create(user=other, role="owner", alias="other")

        def remove(user):
            try:
                people.remove(part_of(user, self.campaign))
            except ValueError:
                return 0
            return 1

        self.assertEqual(sum(at_once(remove, [self.owner, other])), 1)
        owners = self.campaign.memberships.current().filter(role="owner")
        self.assertEqual(owners.count(), 1)
