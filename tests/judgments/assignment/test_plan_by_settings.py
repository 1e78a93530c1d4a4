"""Plans by their settings, as they are written."""

import uuid
from collections import Counter, defaultdict

import numpy as np
from django.test import TestCase
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase as HypothesisTestCase

from judgments.assignment import design, queue
from judgments.assignment.control_settings import controls_for, default_settings
from judgments.assignment.document import document_rows
from judgments.assignment.plan_settings import PlanSettings
from judgments.assignment.screen import open_item
from judgments.assignment.ticket import Ticket
from judgments.assignment.words import words_of_items
from judgments.deletion import delete_campaign
from judgments.models import (
    AlteredOutput,
    Item,
    ItemOutput,
    Membership,
    Output,
    Reference,
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
            with self.assertRaisesMessage(design.PlanError, "read the same"):
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
        with self.assertRaisesMessage(design.PlanError, "choose the paired design"):
            self.plan(self.campaign("pairwise"), design="one-version")


class ControlsTest(PlanTestCase):
    n_segments, n_documents = 30, 6

    def of_batch(self, campaign):
        items = items_of(campaign)
        return items, shown_on(items)

    def distances(self, items, shown):
        """(kind, items between a control and what it belongs to, n items)"""
        first = {}
        found = []
        for item in items:
            if item.kind == "regular":
                for row in shown[item.pk]:
                    first[item.segment_id, row.output.system_id] = item.position
        for item in items:
            if item.kind in ("repeat", "degraded"):
                key = item.segment_id, shown[item.pk][0].output.system_id
                found.append((item.kind, item.position - first[key], len(items)))
        return found

    def test_of_ten_items_seven_are_regular(self):
        campaign = self.campaign()
        chosen = PlanSettings(repeats=1, references=1, degraded=1, batch_words=10**6)
        seen = design.preview(campaign, chosen)
        design.plan(campaign, chosen)
        items, shown = self.of_batch(campaign)
        kinds = Counter(item.kind for item in items)
        # 90 regular items and 90/7 of each
        self.assertEqual(kinds, {"regular": 90, "repeat": 13, "reference": 13, "degraded": 13})
        self.assertEqual(seen.kinds, dict(kinds))
        self.assertEqual((seen.n_items, seen.n_batches), (129, 1))
        for kind, distance, n in self.distances(items, shown):
            self.assertGreaterEqual(2 * distance, n, kind)
        for item in items:
            (row,) = shown[item.pk]
            self.assertEqual(row.altered is not None, item.kind == "degraded")
            if row.altered:
                self.assertNotEqual(row.text, row.output.text)
                self.assertEqual(row.altered.rule, "wmt16")
            copies = row.output.system.copies_reference
            self.assertEqual(copies, "ref" if item.kind == "reference" else "")

    def test_a_run_is_read_through_again_where_the_document_is_shown(self):
        campaign = self.campaign("da-sqm")
        self.plan(campaign, repeats=1, references=1, degraded=1, batch_words=10**6)
        items, shown = self.of_batch(campaign)
        runs = []
        for item in items:
            key = (item.segment.document_id, shown[item.pk][0].output.system_id,
                   item.kind != "regular")  # fmt: skip
            if (
                runs
                and runs[-1][0] == key
                and runs[-1][1][-1].segment.position < (item.segment.position)
            ):
                runs[-1][1].append(item)
            else:
                runs.append((key, [item]))
        self.assertEqual({len(run) for _, run in runs}, {5})
        kinds = {tuple(sorted(Counter(i.kind for i in run).items())) for _, run in runs}
        self.assertEqual(kinds, {
            (("regular", 5),), (("repeat", 5),), (("reference", 5),),
            (("degraded", 5),),
        })  # fmt: skip
        for _kind, distance, n in self.distances(items, shown):
            self.assertGreaterEqual(2 * distance, n)

    def test_several_on_a_screen_have_one_control_among_them(self):
        campaign = self.campaign(SEVERAL, options={"show_reference": False})
        self.plan(campaign, repeats=1, references=1, degraded=1, batch_words=10**6)
        items, shown = self.of_batch(campaign)
        self.assertEqual(Counter((item.kind, item.control_kind) for item in items), {
            ("regular", ""): 26, ("regular", "reference"): 4,
            ("repeat", ""): 4, ("repeat", "degraded"): 4,
        })  # fmt: skip
        for item in items:
            altered = [row.output_id for row in shown[item.pk] if row.altered]
            references = [
                row.output_id for row in shown[item.pk] if row.output.system.copies_reference
            ]
            control = [item.control_output_id] if item.control_kind else []
            self.assertEqual(altered, control if item.control_kind == "degraded" else [])
            self.assertEqual(references, control if item.control_kind == "reference" else [])
            self.assertEqual(len(shown[item.pk]), 4 if references else 3)
        for _kind, distance, n in self.distances(items, shown):
            self.assertGreaterEqual(2 * distance, n)

    def test_a_full_screen_comes_again_with_the_reference_for_one(self):
        campaign = self.campaign("contrastive-da", options={"outputs_per_item": 2})
        self.plan(campaign, references=1, batch_words=10**6)
        items, shown = self.of_batch(campaign)
        regular = [item for item in items if item.kind == "regular"]
        again = [item for item in items if item.kind == "repeat"]
        self.assertEqual({item.control_kind for item in regular}, {""})
        self.assertEqual({item.control_kind for item in again}, {"reference"})
        self.assertEqual({len(shown[item.pk]) for item in again}, {2})

    def test_comparisons_with_the_reference(self):
        campaign = self.campaign("pairwise", options={"show_reference": False})
        self.plan(campaign, references=1, degraded=1, batch_words=10**6)
        items, shown = self.of_batch(campaign)
        kinds = Counter(item.kind for item in items)
        self.assertEqual(kinds, {"regular": 90, "reference": 10})
        for item in items:
            with_reference = any(r.output.system.copies_reference for r in shown[item.pk])
            self.assertEqual(with_reference, item.kind == "reference")

    def test_calibration_items_are_the_same_for_everybody(self):
        campaign = self.campaign()
        self.plan(campaign, calibration=3, batch_items=30, loud_checks=1, silent_checks=2)
        tasks = list(campaign.tasks.all())
        self.assertGreater(len(tasks), 2)
        fixed, regular = set(), set()
        for task in tasks:
            items = items_of(campaign, task=task)
            shown = shown_on(items)
            fixed.add(frozenset(shown[i.pk][0].output_id for i in items if i.kind == "control"))
            regular.update(i.segment_id for i in items if i.kind == "regular")
            rules = Counter(shown[i.pk][0].altered.rule for i in items if i.kind == "check")
            self.assertEqual(rules, {"loud": 1, "silent": 2})
            self.assertLessEqual(len(items), 30)
        self.assertEqual(len(fixed), 1)
        (outputs,) = fixed
        apart = set(Output.objects.filter(pk__in=outputs).values_list("segment_id", flat=True))
        self.assertEqual(len(apart), 3)
        self.assertFalse(apart & regular)
        self.assertEqual(len(regular), 27)

    def test_every_seat_has_the_same_items_and_altered_texts(self):
        campaign = self.campaign(SEVERAL)
        self.plan(campaign, seats=2, degraded=1, batch_words=10**6)
        one, two = ([(i.segment_id, i.kind, i.control_output_id,
                      sorted((r.output_id, r.altered_id or 0) for r in i.shown.all()))
                     for i in items_of(campaign, task=task)]
                    for task in campaign.tasks.all())  # fmt: skip
        self.assertEqual(one, two)
        self.assertGreater(AlteredOutput.objects.filter(campaign=campaign).count(), 0)

    def test_outputs_that_cannot_be_altered_are_repeated(self):
        test_set = factory.make_test_set(
            self.owner, n_segments=12, n_systems=2, n_documents=1, name="One document"
        )
        campaign = factory.make_campaign(test_set, preset=SINGLE, owner=self.owner)
        self.plan(campaign, degraded=1, batch_words=10**6)
        kinds = Counter(item.kind for item in items_of(campaign))
        self.assertEqual(kinds, {"regular": 24, "repeat": 3})
        seen = design.preview(campaign, PlanSettings(degraded=1, batch_words=10**6))
        self.assertEqual(seen.kinds, dict(kinds))
        self.assertIn("degraded", " ".join(each.what for each in seen.left_out))

    def test_planning_again_leaves_no_altered_texts(self):
        campaign = self.campaign()
        self.plan(campaign, degraded=2)
        self.plan(campaign)
        self.assertFalse(AlteredOutput.objects.filter(campaign=campaign).exists())


class ReferenceTest(PlanTestCase):
    def test_the_hidden_system_is_made_once_under_a_free_name(self):
        System.objects.filter(name="System-A").update(name="ref")
        campaign = self.campaign()
        seen = design.preview(campaign, PlanSettings(references=1))
        self.assertFalse(System.objects.exclude(copies_reference="").exists())
        self.assertGreater(seen.kinds["reference"], 0)
        for _ in range(2):
            self.plan(campaign, references=1)
        system = System.objects.get(copies_reference="ref")
        self.assertEqual(system.name, "ref (reference)")
        texts = dict(Reference.objects.values_list("segment_id", "text"))
        self.assertEqual(dict(system.outputs.values_list("segment_id", "text")), texts)

    def test_it_is_no_system_of_later_plans(self):
        campaign = self.campaign()
        self.plan(campaign, references=1)
        seen = design.preview(campaign, PlanSettings())
        self.assertEqual(set(seen.systems), {"System-A", "System-B", "System-C"})
        by_design = design.preview(campaign, batch_size=100, rng=np.random.default_rng(0))
        self.assertEqual(by_design.n_items, 72)
        with self.assertRaisesMessage(design.PlanError, "no system 'ref'"):
            self.plan(campaign, systems=("ref",))


class ReasonsTest(PlanTestCase):
    def reasons(self, preset, **options):
        found = controls_for(protocol_of(self.campaign(preset, options=options)))
        return {kind for kind, reason in found.items() if reason}

    def test_each_protocol_says_which_make_no_sense(self):
        checks = {"loud_checks", "silent_checks"}
        self.assertEqual(self.reasons(SINGLE), set())
        self.assertEqual(self.reasons(SINGLE, show_reference=True), {"references"})
        self.assertEqual(self.reasons("pairwise", show_reference=False), {"degraded"})
        self.assertEqual(self.reasons("relative-ranking", show_reference=False), {"degraded"})
        self.assertEqual(self.reasons("mqm"), set())
        self.assertEqual(
            self.reasons("comprehension"),
            {"repeats", "references", "degraded", "calibration"} | checks,
        )
        self.assertEqual(self.reasons("document-assessment"), {"degraded", "calibration"} | checks)
        self.assertLessEqual({"degraded"} | checks, self.reasons("post-editing"))
        self.assertLessEqual({"degraded"} | checks, self.reasons("word-alignment"))
        Reference.objects.all().delete()
        self.assertEqual(self.reasons(SINGLE), {"references"})

    def test_what_makes_no_sense_is_left_out_and_said(self):
        campaign = self.campaign("pairwise")  # which shows the reference
        chosen = PlanSettings(references=1, degraded=1, repeats=1)
        seen = design.preview(campaign, chosen)
        self.assertEqual(set(seen.no_controls), {"references", "degraded"})
        self.plan(campaign, **chosen.stored())
        self.assertEqual({item.kind for item in items_of(campaign)}, {"regular", "repeat"})

    def test_how_a_plan_begins(self):
        crowd = default_settings(self.campaign(SINGLE))
        self.assertEqual((crowd.repeats, crowd.references, crowd.degraded), (1, 1, 1))
        self.assertEqual(crowd.block_length, 3)
        beside = default_settings(self.campaign("direct-assessment-reference"))
        self.assertEqual((beside.repeats, beside.references, beside.degraded), (1, 0, 1))
        expert = default_settings(self.campaign("mqm"))
        self.assertEqual((expert.repeats, expert.references, expert.degraded), (0.5, 0, 0))
        self.assertEqual(expert.block_length, 0)
        asked = default_settings(self.campaign("comprehension"))
        self.assertFalse(asked.has_controls)


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

    def test_the_screens_are_those_that_the_plan_writes(self):
        for preset in (SINGLE, SEVERAL):
            with self.subTest(preset=preset):
                campaign = self.campaign(preset, options={"show_reference": False})
                chosen = PlanSettings(
                    repeats=1, references=1, degraded=1, silent_checks=1, batch_words=300
                )
                screens = list(design.planned_screens(campaign, chosen, timezone.now(), 2))
                self.assertFalse(Item.objects.filter(task__campaign=campaign).exists())
                design.plan(campaign, chosen)
                items = items_of(campaign, task__batch=2)
                shown = shown_on(items)
                self.assertEqual(
                    [(s.item.kind, [row.text for row in s.shown]) for s in screens],
                    [(item.kind, [row.text for row in shown[item.pk]]) for item in items],
                )
                for screen in screens:
                    self.assertFalse(screen.form().is_bound)

    def test_words_are_of_sources_and_outputs(self):
        campaign = self.campaign(SEVERAL)
        seen = design.preview(campaign, PlanSettings(batch_words=10**6))
        self.plan(campaign, batch_words=10**6)
        (task,) = campaign.tasks.all()
        (words,) = words_of_items([task]).values()
        self.assertEqual(seen.n_words, round(sum(words.values())))


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
