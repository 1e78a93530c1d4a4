"""Control items in a pool: batches that are handed out block by block."""

from collections import Counter

import numpy as np
from django.utils import timezone

from judgments.judging import queue
from judgments.models import Membership, Task
from judgments.plans import design, seats
from judgments.plans.controls.copies import Stretch, in_blocks
from judgments.plans.layout import PlannedScreen
from judgments.plans.settings import PlanSettings

from .plan_cases import PlanTestCase, items_of, shown_on

CONTROLLED = {
    "pool": True,
    "block_length": 3,
    "batch_items": 45,
    "repeats": 1,
    "degraded": 1,
    "loud_checks": 1,
    "silent_checks": 1,
}


def screen(number: int) -> PlannedScreen:
    return PlannedScreen(number, ((number, 1),))


def test_what_was_inserted_stays_with_the_block_before_it():
    blocks = [None, 4, 4, None, 7, None, None, 2]
    batch = [Stretch((screen(n),), block=block) for n, block in enumerate(blocks)]
    found = [[each.segment for each in part] for part in in_blocks(batch)]
    assert found == [[0, 1, 2, 3], [4, 5, 6], [7]]


class RowsTest(PlanTestCase):
    """24 segments of three systems: eight blocks of nine screens, in two batches or more."""

    def setUp(self):
        self.pool = self.campaign()
        self.tasks = self.plan(self.pool, **CONTROLLED)

    def part(self, person):
        return Membership.objects.get(campaign=self.pool, user=self.people[person])

    def claim(self, person):
        """The number of the batch that somebody is given, which is then done."""
        task = queue.claim(self.part(person), timezone.now())
        if task is None:
            return None
        task.items.update(is_judged=True)
        Task.objects.filter(pk=task.pk).update(n_judged=task.n_items)
        return task.batch

    def heads(self):
        return [task.batch for task in self.tasks if task.follows is None]

    def test_blocks_have_what_a_batch_of_them_would_have(self):
        batches = self.campaign()
        whole = self.plan(batches, **CONTROLLED | {"pool": False})
        self.assertEqual(len(self.tasks), 8)
        self.assertEqual(len(self.heads()), len(whole))
        self.assertGreater(len(whole), 1)
        for campaign in (self.pool, batches):
            kinds = Counter(item.kind for item in items_of(campaign))
            self.assertEqual(kinds["check"], 2 * len(whole))
            self.assertGreater(min(kinds["repeat"], kinds["degraded"]), 0)
        screens = [
            [(item.segment_id, item.kind) for item in items_of(campaign)]
            for campaign in (self.pool, batches)
        ]
        self.assertEqual(*screens)

    def test_every_block_is_judged_in_all_translations_by_one_person(self):
        items = items_of(self.pool, kind="regular")
        shown = shown_on(items)
        systems = {}
        for item in items:
            seen = systems.setdefault((item.task.batch, item.segment_id), set())
            seen |= {row.output.system_id for row in shown[item.pk]}
        whole = [key for key, seen in systems.items() if len(seen) == 3]
        # What stands apart from its copy is in another block.
        copied = sum(item.kind in ("repeat", "degraded") for item in items_of(self.pool))
        self.assertGreaterEqual(len(whole), 24 - copied)

    def test_a_row_stays_with_who_began_it(self):
        first, second = self.heads()[:2]
        self.assertEqual([self.claim(0), self.claim(1)], [first, second])
        self.assertEqual([self.claim(0), self.claim(1)], [first + 1, second + 1])
        self.assertEqual(self.claim(0), first + 2)

    def test_what_comes_again_was_seen_by_the_same_person(self):
        """As many people as there are rows take turns until nothing is left."""
        self.assertEqual(len(self.heads()), len(self.people))
        while self.claim(0) is not None:
            self.claim(1)
            self.claim(2)
        items = items_of(self.pool)
        self.assertFalse(Task.objects.filter(campaign=self.pool, annotator=None).exists())
        shown = shown_on(items)
        regular, copies = set(), set()
        for item in items:
            outputs = {(item.task.annotator_id, row.output_id) for row in shown[item.pk]}
            if item.kind == "regular":
                regular |= outputs
            elif item.kind in ("repeat", "degraded"):
                copies |= outputs
        self.assertTrue(copies)
        self.assertLessEqual(copies, regular)

    def test_who_stops_leaves_the_rest_to_others(self):
        first = self.heads()[0]
        self.claim(0)
        taken = []
        while (batch := self.claim(1)) is not None:
            taken.append(batch)
        # Rows that nobody began come before what somebody left.
        self.assertEqual(taken[-1], self.heads()[1] - 1)
        self.assertEqual(sorted([first, *taken]), [task.batch for task in self.tasks])

    def test_the_page_before_a_block_announces_what_is_claimed(self):
        for _ in range(4):
            announced = queue.next_free(self.part(2))
            self.assertEqual(self.claim(2), announced.batch)

    def test_a_block_that_is_given_back_keeps_its_place(self):
        self.claim(0)
        second = queue.claim(self.part(0), timezone.now())
        queue.give_up(self.part(0), second.pk)
        rest = Task.objects.get(campaign=self.pool, rest_of=1)
        self.assertEqual(rest.follows, self.heads()[0])

    def test_more_seats_are_rows_too(self):
        added = seats.extend(self.pool, seats=1, rng=np.random.default_rng(1))
        before = {task.batch: task.follows for task in self.tasks}
        self.assertEqual({task.batch: task.follows for task in added}, before)

    def test_seats_of_a_share_are_of_whole_rows(self):
        campaign = self.campaign()
        self.plan(campaign, **CONTROLLED, agreement_share=0.5)
        n_seats = Counter(campaign.tasks.values_list("batch", flat=True))
        for batch, follows in campaign.tasks.values_list("batch", "follows"):
            self.assertEqual(n_seats[batch], n_seats[follows or batch])
        self.assertEqual(set(n_seats.values()), {1, 2})

    def test_one_version_of_a_document_in_rows(self):
        campaign = self.campaign()
        chosen = CONTROLLED | {"design": "latin-square", "batch_items": 20}
        made = design.composed(campaign, PlanSettings(**chosen))
        self.assertTrue(any(made.follows))
        for number, follows in enumerate(made.follows, 1):
            self.assertIn(follows, (None, number - 1))

    def test_without_controls_there_are_no_rows(self):
        campaign = self.campaign()
        tasks = self.plan(campaign, pool=True, block_length=3)
        self.assertEqual({task.follows for task in tasks}, {None})
