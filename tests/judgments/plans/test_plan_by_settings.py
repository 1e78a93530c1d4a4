"""Plans by their settings, as they are written."""

from collections import Counter, defaultdict
from itertools import groupby

import numpy as np
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase as HypothesisTestCase

from judgments.judging import queue
from judgments.judging.document import document_rows
from judgments.judging.screen import open_item
from judgments.models import (
    AlteredOutput,
    ItemOutput,
    Membership,
    Output,
)
from judgments.people.workload.words import loads_of_items, words_of_items
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.test_sets.deletion.rows import delete_campaign
from tests import factory

from .plan_cases import SEVERAL, SINGLE, PlanTestCase, items_of, shown_on


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

    def test_the_settings_are_kept(self):
        campaign = self.campaign()
        self.plan(campaign, block_length=3, seed=7)
        campaign.refresh_from_db()
        self.assertEqual(PlanSettings.read(campaign.plan), PlanSettings(block_length=3, seed=7))

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
            ({"calibration": 24}, "must be more segments"),
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
        self.plan(campaign, pool=True, block_length=3, lease_minutes=60)
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

        if preset == SINGLE:
            self.assert_systems_take_turns(campaign, of_block, blocks)

    def assert_systems_take_turns(self, campaign, of_block, blocks):
        """Each comes first, second … equally often; a block is read through in one translation
        before the next."""
        turns = Counter()
        for block, tasks in of_block.items():
            items = [i for i in items_of(campaign, task__in=tasks)
                     if blocks[i.segment_id] == block]  # fmt: skip
            read = [system for system, _ in groupby(i.shown.get().output.system_id for i in items)]
            self.assertEqual(len(read), len(set(read)))
            turns.update((system, turn) for turn, system in enumerate(read))
        systems = list(campaign.test_set.systems.all())
        every = [turns[system.pk, turn] for system in systems for turn in range(len(systems))]
        self.assertLessEqual(max(every) - min(every), 1)


class PreviewTest(PlanTestCase):
    def test_it_counts_what_the_plan_writes(self):
        for preset, values in (
            (SINGLE, {"repeats": 1, "references": 1, "degraded": 1, "batch_words": 300}),
            (SEVERAL, {"repeats": 1, "degraded": 1, "seats": 2, "loud_checks": 1}),
            ("pairwise", {"repeats": 0.5, "comparisons": 2}),
            ("relative-ranking", {"references": 2}),
            ("da-sqm", {"degraded": 2, "block_length": 3, "batch_words": 500}),
            ("document-assessment", {"repeats": 1, "references": 1}),
            ("document-assessment", {"design": "latin-square", "batch_items": 2}),
            ("mqm", {"design": "one-version", "repeats": 2}),
        ):
            with self.subTest(preset=preset, **values):
                campaign = self.campaign(preset)
                seen = design.preview(campaign, PlanSettings(**values))
                self.assertFalse(campaign.tasks.exists())
                tasks = self.plan(campaign, **values)
                items = items_of(campaign)
                self.assertEqual(seen.n_tasks, len(tasks))
                self.assertEqual(seen.n_items, len(items))
                self.assertEqual(dict(seen.kinds), Counter(item.kind for item in items))
                controls = Counter(i.control_kind for i in items if i.control_kind)
                self.assertEqual(dict(seen.controls), controls)
                sizes = [task.n_items for task in tasks]
                self.assertEqual((seen.smallest_task, seen.largest_task), (min(sizes), max(sizes)))
                self.assertEqual([task.items.count() for task in tasks], sizes)
                positions = list(tasks[0].items.values_list("position", flat=True))
                self.assertEqual(positions, list(range(sizes[0])))

    def test_words_are_of_sources_and_outputs(self):
        campaign = self.campaign(SEVERAL)
        seen = design.preview(campaign, PlanSettings(batch_words=10**6))
        self.plan(campaign, batch_words=10**6)
        (task,) = campaign.tasks.all()
        (words,) = words_of_items([task]).values()
        self.assertEqual(seen.n_words, round(sum(words.values())))

    def test_words_of_equal_outputs_are_read_once_where_they_are_judged_once(self):
        """The time for a word is learned from these words, and multiplied by those of a plan."""
        self.twins()
        found = {}
        for equal_once in (True, False):
            settings = {"batch_words": 10**6, "equal_once": equal_once}
            campaign = self.campaign(SEVERAL)
            seen = design.preview(campaign, PlanSettings(**settings))
            self.plan(campaign, **settings)
            (task,) = campaign.tasks.all()
            loads = loads_of_items([task])[task.pk].values()
            self.assertEqual(seen.n_words, round(sum(load.words for load in loads)))
            found[equal_once] = sum(load.n_outputs for load in loads)
        self.assertLess(found[True], found[False])
        of_texts = Output.objects.filter(segment__test_set=campaign.test_set)
        self.assertEqual(found[False], of_texts.count())


class DocumentRowsTest(PlanTestCase):
    """What an annotator sees of the document around an item."""

    def test_a_run_follows_on_another_translation_without_mixing(self):
        self.twins()
        campaign = self.campaign("da-sqm")
        self.plan(campaign, block_length=3, repeats=1, degraded=1, batch_words=10**6)
        part = Membership.objects.get(campaign=campaign, user=self.people[0])
        task = queue.claim(part, timezone.now())
        items = items_of(campaign)
        shown = shown_on(items)
        self.assertEqual(task.n_items, len(items))
        lengths = set()
        for item in items:
            screen = open_item(part, item.position + 1, timezone.now())
            rows = [row for row in document_rows(screen) if row.number is not None]
            lengths.add(len(rows))
            texts = [shown[items[row.number - 1].pk] for row in rows]
            self.assertEqual([row.output for row in rows], [of[0].text for of in texts])
            systems = [{row.output.system_id for row in of} for of in texts]
            self.assertTrue(set.intersection(*systems))
        self.assertGreaterEqual(min(lengths), 3)

    def test_a_campaign_with_altered_texts_can_be_deleted(self):
        campaign = self.campaign()
        self.plan(campaign, degraded=2, silent_checks=1)
        campaign.status = "closed"
        campaign.save()
        delete_campaign(campaign, by="owner", reason="A trial.")
        self.assertFalse(AlteredOutput.objects.exists())
