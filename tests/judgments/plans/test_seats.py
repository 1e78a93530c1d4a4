"""More seats for a plan, and a batch that is taken back."""

import numpy as np
import pytest
from django.utils import timezone

from judgments.judging import queue
from judgments.models import ItemOutput
from judgments.people.workload.release import free_rest
from judgments.plans import design, seats
from judgments.plans.settings import PlanSettings
from tests import factory
from tests.base import CastTestCase


class SeatsTests(CastTestCase):
    def setUp(self):
        self.campaign.tasks.all().delete()
        design.plan(self.campaign, PlanSettings(batch_items=2))

    def screens(self, task):
        return [
            (item.segment_id, item.kind, item.part, set(item.outputs.values_list("pk", flat=True)))
            for item in task.items.order_by("position")
        ]

    def test_new_seats_have_the_same_screens(self):
        added = seats.extend(self.campaign, seats=2, rng=np.random.default_rng(2))
        self.assertEqual(
            sorted((task.batch, task.seat) for task in added), [(1, 2), (1, 3), (2, 2), (2, 3)]
        )
        for task in added:
            first = self.campaign.tasks.get(batch=task.batch, seat=1)
            self.assertEqual(self.screens(task), self.screens(first))
            self.assertEqual(task.n_items, first.n_items)
            self.assertIsNone(task.annotator)

    def test_the_order_of_outputs_is_drawn_anew(self):
        def orders(task):
            rows = ItemOutput.objects.filter(item__task=task).order_by("item__position", "position")
            return list(rows.values_list("output", flat=True))

        first = self.campaign.tasks.get(batch=1, seat=1)
        drawn = {
            tuple(orders(task))
            for task in seats.extend(
                self.campaign, seats=8, batches=[1], rng=np.random.default_rng(2)
            )
        }
        self.assertGreater(len(drawn | {tuple(orders(first))}), 4)

    def test_only_the_batches_that_are_chosen(self):
        added = seats.extend(self.campaign, seats=1, batches=[2], rng=np.random.default_rng(2))
        self.assertEqual([task.batch for task in added], [2])
        with pytest.raises(design.PlanError, match="no batch 7"):
            seats.extend(self.campaign, seats=1, batches=[2, 7], rng=np.random.default_rng(2))

    def test_control_items_are_as_they_were_planned(self):
        test_set = factory.make_test_set(
            self.owner, n_segments=30, n_systems=3, n_documents=6, name="Controls"
        )
        for preset in ("direct-assessment", "adequacy-fluency"):
            campaign = factory.make_campaign(test_set, preset=preset, owner=self.owner)
            settings = PlanSettings(repeats=1, degraded=1, loud_checks=1, batch_words=10**6)
            (first,) = design.plan(campaign, settings)
            (added,) = seats.extend(campaign, seats=1, rng=np.random.default_rng(2))
            planned, copied = ([(item.segment_id, item.kind, item.control_output_id,
                                 item.control_kind,
                                 sorted((row.output_id, row.text) for row in item.shown.all()))
                                for item in task.items.order_by("position")]
                               for task in (first, added))  # fmt: skip
            self.assertEqual(copied, planned)
            altered = ItemOutput.objects.filter(item__task=added).exclude(altered=None)
            self.assertGreater(altered.count(), 1, preset)

    def test_what_was_taken_back_is_part_of_the_batch(self):
        task = self.campaign.tasks.get(batch=1, seat=1)
        whole = self.screens(task)
        factory.seat(task, self.annotator_1)
        task.refresh_from_db()
        factory.judge(task.items.get(position=1), {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]})
        self.assertEqual(free_rest(task), 1)
        (added,) = seats.extend(self.campaign, seats=1, batches=[1], rng=np.random.default_rng(2))
        self.assertEqual(added.seat, 3)
        self.assertEqual(self.screens(added), whole)

    def test_a_batch_is_taken_back(self):
        task = self.campaign.tasks.get(batch=1, seat=1)
        factory.seat(task, self.annotator_1)
        task.refresh_from_db()
        judged = task.items.get(position=0)
        factory.judge(judged, {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]})
        self.assertEqual(free_rest(task), 1)
        task.refresh_from_db()
        self.assertEqual((task.n_items, task.n_judged), (1, 1))
        self.assertEqual(task.items.get().pk, judged.pk)
        rest = self.campaign.tasks.get(batch=1, seat=2)
        self.assertEqual((rest.annotator, rest.n_items, rest.rest_of), (None, 1, 1))
        # Their next claim gets another batch, and somebody else gets the rest.
        mine = self.campaign.memberships.get(user=self.annotator_1)
        self.assertEqual(queue.claim(mine, timezone.now()).batch, 2)
        other = self.campaign.memberships.get(user=self.annotator_2)
        self.assertEqual(queue.claim(other, timezone.now()).pk, rest.pk)

    def test_nothing_is_taken_back_from_nobody_or_of_what_is_done(self):
        task = self.campaign.tasks.get(batch=1, seat=1)
        self.assertEqual(free_rest(task), 0)
        factory.seat(task, self.annotator_1)
        task.refresh_from_db()
        for item in task.items.all():
            item.task = task
            factory.judge(item, {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]})
        self.assertEqual(free_rest(task), 0)
