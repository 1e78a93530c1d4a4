"""Outputs that read the same, and designs in which nobody sees two versions."""

import uuid
from collections import Counter, defaultdict

from django.utils import timezone

from judgments.judging import queue
from judgments.judging.screen import open_item
from judgments.judging.ticket import Ticket
from judgments.models import (
    Membership,
    Output,
    Task,
)
from judgments.plans import design
from judgments.plans.settings import PlanSettings

from .plan_cases import SEVERAL, PlanTestCase, items_of, shown_on


class EqualOnceTest(PlanTestCase):
    def test_outputs_that_read_the_same_share_a_place(self):
        self.twins()
        campaign = self.campaign()
        seen = design.preview(campaign, PlanSettings())
        self.assertEqual((seen.n_items, seen.n_answers), (48, 48))
        self.assertEqual(seen.systems, {"System-A": 24, "System-B": 24, "System-C": 24})
        self.plan(campaign)
        for rows in shown_on(items_of(campaign)).values():
            names = {row.output.system.name for row in rows}
            self.assertIn(names, ({"System-A", "System-C"}, {"System-B"}))
        self.assertEqual(design.preview(campaign, PlanSettings(equal_once=False)).n_items, 72)

    def test_one_answer_holds_for_both(self):
        self.twins()
        campaign = self.campaign()
        self.plan(campaign)
        item = next(
            item
            for item in items_of(campaign)
            if len(item.shown.all()) == 2 and item.task == campaign.tasks.first()
        )
        item.task.annotator = self.people[0]
        item.task.save()

        part = Membership.objects.get(campaign=campaign, user=self.people[0])
        ticket = Ticket(
            item=item.pk, annotator=self.people[0].pk, number=1, key=uuid.uuid4(),
            opened_at=timezone.now(), guideline_version=1,
        )  # fmt: skip
        data = {"output1-da": "70", "output1-da-moved": "1"}
        done = queue.submit(part, ticket, data, active_ms=1, now=timezone.now())
        self.assertIsNotNone(done.judgment, done.form.errors)
        ratings = done.judgment.ratings.order_by("is_copy")
        self.assertEqual([(r.value, r.is_copy) for r in ratings], [(70, False), (70, True)])

    def test_switched_off_each_has_its_place(self):
        self.twins()
        campaign = self.campaign(SEVERAL)
        self.plan(campaign, equal_once=False)
        part = Membership.objects.get(campaign=campaign, user=self.people[0])
        queue.claim(part, timezone.now())
        self.assertEqual(len(open_item(part, 1, timezone.now()).shown), 3)
        self.plan(self.campaign(SEVERAL, name="Another"))
        other = Membership.objects.get(campaign__name="Another", user=self.people[0])
        queue.claim(other, timezone.now())
        self.assertEqual(len(open_item(other, 1, timezone.now()).shown), 2)

    def test_on_a_screen_of_several_too(self):
        self.twins()
        campaign = self.campaign(SEVERAL, options={"outputs_per_item": 2})
        self.plan(campaign)
        items = items_of(campaign)
        self.assertEqual(len(items), 24)
        self.assertEqual({len(rows) for rows in shown_on(items).values()}, {3})

    def test_equal_translations_are_not_compared(self):
        self.twins()
        campaign = self.campaign("pairwise")
        seen = design.preview(campaign, PlanSettings())
        self.assertEqual((seen.n_equal, seen.n_items), (24, 48))
        Output.objects.update(text="The same .")
        for preset in ("pairwise", "relative-ranking"):
            with self.assertRaisesMessage(design.PlanError, "are identical, so"):
                self.plan(self.campaign(preset))


class OneVersionTest(PlanTestCase):
    def annotate(self, campaign):
        """Everybody takes and finishes batches while there are any; {user: items}."""
        had = defaultdict(list)
        for user in self.people:
            part = Membership.objects.get(campaign=campaign, user=user)
            while (task := queue.claim(part, timezone.now())) is not None:
                Task.objects.filter(pk=task.pk).update(n_judged=task.n_items)
                had[user] += items_of(campaign, task=task)
        return had

    def test_nobody_sees_a_document_in_two_versions(self):
        for name in ("one-version", "latin-square"):
            with self.subTest(design=name):
                campaign = self.campaign()
                self.plan(campaign, design=name, batch_items=12, block_length=3)
                self.assertEqual(campaign.tasks.count(), 6)
                every = Counter(row.output_id for rows in shown_on(items_of(campaign)).values()
                                for row in rows)  # fmt: skip
                self.assertEqual(set(every.values()), {1})
                self.assertEqual(len(every), 72)
                had = self.annotate(campaign)
                self.assertEqual([len(items) for items in had.values()], [24, 24, 24])
                for items in had.values():
                    systems = defaultdict(set)
                    for rows in shown_on(items).values():
                        for row in rows:
                            systems[row.item.segment.document_id].add(row.output.system_id)
                    self.assertEqual({len(found) for found in systems.values()}, {1})

    def test_what_was_had_is_not_looked_up_for_every_place_on_every_screen(self):
        """As part of the statement that took seconds for each claim among 8,000 items."""
        campaign = self.campaign()
        self.plan(campaign, design="latin-square", pool=True, block_length=3)
        part = Membership.objects.get(campaign=campaign, user=self.people[0])
        task = queue.claim(part, timezone.now())
        Task.objects.filter(pk=task.pk).update(n_judged=task.n_items)
        free = queue.in_one_version(campaign.tasks.all(), part)
        self.assertNotIn("EXISTS", str(free.query))
        # Of this document only the same version is left; of the three others all are.
        self.assertEqual(campaign.tasks.count(), 12)
        self.assertEqual(free.count(), 10)

    def test_a_square_has_each_system_at_each_place(self):
        campaign = self.campaign()
        self.plan(campaign, design="latin-square", batch_words=100_000)
        places = Counter()
        for task in campaign.tasks.all():
            of_document = {}
            for item in items_of(campaign, task=task):
                system = item.shown.get().output.system_id
                self.assertEqual(of_document.setdefault(item.segment.document_id, system), system)
            self.assertEqual(len(of_document), 4)
            for place, system in enumerate(of_document.values()):
                places[system, place] += 1
            counts = Counter(of_document.values())
            self.assertLessEqual(max(counts.values()) - min(counts.values()), 1)
        self.assertEqual(set(places.values()), {1})
        self.assertEqual(len(places), 12)

    def test_control_items_keep_to_the_version(self):
        campaign = self.campaign()
        self.plan(campaign, design="one-version", repeats=1, references=1, degraded=1,
                  calibration=2, batch_items=30)  # fmt: skip
        kinds = Counter(item.kind for item in items_of(campaign))
        self.assertEqual(kinds["reference"], 0)
        self.assertGreater(min(kinds["repeat"], kinds["degraded"], kinds["control"]), 0)
        for task in campaign.tasks.all():
            systems = defaultdict(set)
            for item in items_of(campaign, task=task):
                systems[item.segment.document_id].add(item.shown.get().output.system_id)
            self.assertEqual({len(found) for found in systems.values()}, {1})

    def test_screens_of_several_translations_have_no_one_version(self):
        with self.assertRaisesMessage(design.PlanError, "Choose the paired design"):
            self.plan(self.campaign("pairwise"), design="one-version")
