"""Plans by their settings, as they are written."""

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
from django.test import TestCase
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase as HypothesisTestCase

from judgments.assignment import design, queue
from judgments.assignment.control_settings import controls_for, default_settings
from judgments.assignment.plan_settings import PlanSettings
from judgments.models import (
    AlteredOutput,
    Item,
    ItemOutput,
    Membership,
    Output,
    Reference,
    Role,
    System,
    Task,
)
from judgments.protocols import protocol_of
from tests import factory

SINGLE = "direct-assessment"
SEVERAL = "adequacy-fluency"


def items_of(campaign, **filters):
    rows = Item.objects.filter(task__campaign=campaign, **filters)
    return list(rows.select_related("segment", "task").order_by("task", "position"))


def shown_on(items):
    """{item: the rows of its screen, in their order}"""
    found = defaultdict(list)
    rows = ItemOutput.objects.filter(item__in=items).select_related("output__system", "altered")
    for row in rows.order_by("item", "position"):
        found[row.item_id].append(row)
    return found


class PlanTestCase(TestCase):
    n_segments, n_documents, n_systems = 24, 4, 3

    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        cls.people = [factory.make_user(f"annotator-{n}") for n in range(3)]
        cls.test_set = factory.make_test_set(
            cls.owner,
            n_segments=cls.n_segments,
            n_systems=cls.n_systems,
            n_documents=cls.n_documents,
        )

    def campaign(self, preset=SINGLE, **fields):
        fields = {"owner": self.owner, "annotators": self.people} | fields
        return factory.make_campaign(self.test_set, preset=preset, **fields)

    def plan(self, campaign, **values):
        return design.plan(campaign, PlanSettings(**values))

    def twins(self, name="System-C", of="System-A"):
        """Let one system's outputs read as another's."""
        for row in Output.objects.filter(system__name=of).values("segment", "text"):
            same = Output.objects.filter(system__name=name, segment=row["segment"])
            same.update(text=row["text"])


class BlocksTest(PlanTestCase):
    def test_a_block_goes_to_one_annotator_with_all_systems(self):
        campaign = self.campaign()
        self.plan(campaign, block_length=3, batch_words=150)
        of_segment = defaultdict(list)
        for item in items_of(campaign):
            of_segment[item.segment_id].append((item.task_id, item.position))
        self.assertEqual(len(of_segment), 24)
        for places in of_segment.values():
            self.assertEqual(len(places), 3)
            self.assertEqual(len({task for task, _ in places}), 1)
        self.assertGreater(campaign.tasks.count(), 2)

    def test_the_settings_are_kept_and_a_plan_by_design_has_none(self):
        campaign = self.campaign()
        self.plan(campaign, block_length=3, seed=7)
        campaign.refresh_from_db()
        self.assertEqual(PlanSettings.read(campaign.plan), PlanSettings(block_length=3, seed=7))
        design.plan(campaign, batch_size=10, rng=np.random.default_rng(0))
        campaign.refresh_from_db()
        self.assertEqual(campaign.plan, {})

    def test_some_segments_are_drawn_in_blocks(self):
        campaign = self.campaign(SEVERAL)
        seen = design.preview(campaign, PlanSettings(block_length=2, segments=8))
        self.assertEqual((seen.n_segments, seen.n_items), (8, 8))
        self.assertIn((16, "segments", "they were not drawn"), list(seen.left_out))
        self.plan(campaign, block_length=2, segments=8)
        positions = sorted(item.segment.position for item in items_of(campaign))
        self.assertEqual([p % 2 for p in positions], [0, 1] * 4)  # whole blocks of two

    def test_the_same_seed_plans_the_same_and_another_does_not(self):
        plans = []
        for seed in (3, 3, 4):
            campaign = self.campaign()
            self.plan(campaign, block_length=3, batch_words=100, repeats=1, seed=seed)
            items = items_of(campaign)
            shown = shown_on(items)
            plans.append([(i.task.batch, i.kind, shown[i.pk][0].output_id) for i in items])
        self.assertEqual(plans[0], plans[1])
        self.assertNotEqual(plans[0], plans[2])

    def test_chosen_systems_and_what_is_wrong(self):
        campaign = self.campaign()
        self.plan(campaign, systems=("System-B",))
        shown = ItemOutput.objects.filter(item__task__campaign=campaign)
        self.assertEqual(set(shown.values_list("output__system__name", flat=True)), {"System-B"})
        for values, words in (
            ({"systems": ("System-X",)}, "no system 'System-X'"),
            ({"batch_words": 1}, "batch_words is 1"),
            ({"repeats": 4, "references": 2}, "at most 5"),
            ({"repeats": 0.3}, "halves"),
            ({"calibration": 24}, "not more segments"),
        ):
            with self.subTest(values), self.assertRaisesMessage(design.PlanError, words):
                self.plan(campaign, **values)

    def test_a_share_of_batches_has_more_seats(self):
        campaign = self.campaign()
        self.plan(campaign, batch_items=18, agreement_share=0.5, agreement_seats=3)
        seats = Counter(campaign.tasks.values_list("batch", flat=True))
        self.assertEqual(sorted(seats.values()), [1, 1, 3, 3])
        for batch, n in seats.items():
            screens = [
                [(i.segment_id, i.kind) for i in task.items.order_by("position")]
                for task in campaign.tasks.filter(batch=batch)
            ]
            self.assertEqual(screens, [screens[0]] * n)

    def test_blocks_one_by_one(self):
        campaign = self.campaign()
        self.plan(campaign, pool=True, block_length=3, repeats=1, lease_minutes=60)
        self.assertEqual(campaign.tasks.count(), 8)
        self.assertEqual({task.n_items for task in campaign.tasks.all()}, {9})
        part = Membership.objects.get(campaign=campaign, user=self.people[0])
        now = timezone.now()
        task = queue.claim(part, now)
        self.assertEqual((task.leased_until - now).total_seconds(), 3600)


class BalanceTest(HypothesisTestCase):
    @settings(max_examples=15, deadline=None)
    @given(
        st.integers(1, 3),
        st.lists(st.integers(1, 7), min_size=1, max_size=5),
        st.integers(1, 4),
        st.integers(30, 400),
        st.sampled_from([SINGLE, SEVERAL]),
        st.integers(0, 99),
    )
    def test_batches_are_balanced(self, n_systems, sizes, length, words, preset, seed):
        owner = factory.make_user("owner")
        test_set = factory.make_test_set(
            owner, n_segments=sum(sizes), n_systems=n_systems, n_documents=sum(sizes)
        )
        documents = list(test_set.documents.order_by("position"))
        rng = np.random.default_rng(seed)
        segments = iter(test_set.segments.order_by("position"))
        for document, size in zip(documents, sizes, strict=False):
            for _ in range(size):
                segment = next(segments)
                segment.document = document
                segment.source = "wort " * int(rng.integers(1, 40))
                segment.save()
        campaign = factory.make_campaign(test_set, preset=preset, owner=owner)
        chosen = PlanSettings(block_length=length, batch_words=words, seed=seed)
        made = design.composed(campaign, chosen)
        design.plan(campaign, chosen)

        # Every output once.
        shown = Counter(row.output_id for rows in shown_on(items_of(campaign)).values()
                        for row in rows)  # fmt: skip
        wanted = Output.objects.filter(system__test_set=test_set)
        self.assertEqual(shown, Counter(wanted.values_list("pk", flat=True)))

        # No block is cut, and segments keep their order within each translation.
        blocks = {}
        for document, size in zip(documents, sizes, strict=False):
            n = -(-size // length)
            for j, segment in enumerate(document.segments.order_by("position")):
                blocks[segment.pk] = (document.pk, j * n // size)
        of_block = defaultdict(set)
        order = defaultdict(list)
        for item in items_of(campaign):
            of_block[blocks[item.segment_id]].add(item.task_id)
            for row in item.shown.select_related("output"):
                key = (item.task_id, item.segment.document_id, row.output.system_id)
                order[key].append(item.segment.position)
        self.assertTrue(all(len(tasks) == 1 for tasks in of_block.values()))
        self.assertTrue(all(found == sorted(found) for found in order.values()))

        # Work is equal but for a block.
        loads = [sum(screen.words for screen in batch) for batch in made.batches]
        of_blocks = Counter()
        for batch in made.batches:
            for screen in batch:
                of_blocks[blocks[screen.segment]] += screen.words
        self.assertLessEqual(max(loads) - min(loads), max(of_blocks.values()) + 1e-6)

        # Each system comes first, second … equally often.
        if preset == SINGLE:
            turns = Counter()
            for block, tasks in of_block.items():
                items = [i for i in items_of(campaign, task__in=tasks)
                         if blocks[i.segment_id] == block]  # fmt: skip
                systems = [i.shown.get().output.system_id for i in items]
                for turn, system in enumerate(dict.fromkeys(systems)):
                    turns[system, turn] += 1
            every = [turns[s.pk, t] for s in test_set.systems.all() for t in range(n_systems)]
            self.assertLessEqual(max(every) - min(every), 1)


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
        from judgments.assignment.ticket import Ticket
        import uuid

        part = Membership.objects.get(campaign=campaign, user=self.people[0])
        ticket = Ticket(
            item=item.pk, annotator=self.people[0].pk, key=uuid.uuid4(),
            opened_at=timezone.now(), guideline_version=1,
        )  # fmt: skip
        data = {"output1-da": "70", "output1-da-moved": "1"}
        done = queue.submit(part, ticket, data, active_ms=1, now=timezone.now())
        self.assertIsNotNone(done.judgment, done.form.errors)
        ratings = done.judgment.ratings.order_by("is_copy")
        self.assertEqual([(r.value, r.is_copy) for r in ratings], [(70, False), (70, True)])

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
            with self.assertRaisesMessage(design.PlanError, "read the same"):
                self.plan(self.campaign(preset))
