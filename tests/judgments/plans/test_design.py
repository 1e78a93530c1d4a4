"""Plans, as they are written to the database."""

from collections import Counter

import numpy as np
from django.db import connection
from django.test import TestCase

from judgments.models import Item, ItemOutput, Output, Status, Task
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from tests import factory


def rng(seed=0):
    return np.random.default_rng(seed)


class DesignTestCase(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        cls.annotator = factory.make_user("annotator")
        cls.test_set = factory.make_test_set(cls.owner, n_segments=6, n_systems=4, n_documents=2)

    def campaign(self, preset="adequacy-fluency", **fields):
        fields = {"owner": self.owner, "annotators": [self.annotator]} | fields
        return factory.make_campaign(self.test_set, preset=preset, **fields)

    def screens(self, task):
        """(segment position, set of outputs, order of outputs, part) by position."""
        return [
            (
                item.segment.position,
                tuple(item.shown.order_by("position").values_list("output_id", flat=True)),
                item.part,
            )
            for item in task.items.select_related("segment").order_by("position")
        ]

    def test_whole_documents_in_order_with_all_outputs_on_a_screen(self):
        campaign = self.campaign()
        design.plan(campaign, PlanSettings(batch_items=4, seats=2))
        tasks = list(Task.objects.filter(campaign=campaign).order_by("batch", "seat"))
        self.assertEqual([(t.batch, t.seat, t.n_items) for t in tasks],
                         [(1, 1, 3), (1, 2, 3), (2, 1, 3), (2, 2, 3)])  # fmt: skip
        for task, segments in zip(tasks, ([0, 1, 2], [0, 1, 2], [3, 4, 5], [3, 4, 5]), strict=True):
            screens = self.screens(task)
            self.assertEqual([screen[0] for screen in screens], segments)
            for position, outputs, _ in screens:
                every = Output.objects.filter(segment__position=position)
                self.assertEqual(set(outputs), set(every.values_list("pk", flat=True)))
            positions = list(task.items.values_list("position", flat=True))
            self.assertEqual(positions, [0, 1, 2])

    def test_seats_see_the_same_screens_in_orders_of_their_own(self):
        campaign = self.campaign()
        one, two = design.plan(campaign, PlanSettings(batch_items=6, seats=2))
        orders = list(zip(self.screens(one), self.screens(two), strict=True))
        self.assertTrue(all(set(a[1]) == set(b[1]) for a, b in orders))
        self.assertTrue(any(a[1] != b[1] for a, b in orders))

    def test_the_same_seed_plans_the_same(self):
        orders = []
        for _ in range(2):
            campaign = self.campaign()
            (task,) = design.plan(campaign, PlanSettings(batch_items=6, seed=5))
            orders.append(self.screens(task))
        self.assertEqual(*orders)

    def test_postgresql_counts_the_rows_of_tables_that_were_empty(self):
        """Until then it plans joins as if there were none, and pages take minutes."""
        counted = "SELECT reltuples FROM pg_class WHERE oid = %s::regclass"
        for model in (Item, ItemOutput):
            table = model._meta.db_table
            with self.subTest(table), connection.cursor() as cursor:
                cursor.execute(f"ANALYZE {table}")
                cursor.execute(counted, [table])
                self.assertLessEqual(cursor.fetchone()[0], 0)
        design.plan(self.campaign(), PlanSettings(batch_items=6, seats=2))
        for model in (Item, ItemOutput):
            with self.subTest(model), connection.cursor() as cursor:
                cursor.execute(counted, [model._meta.db_table])
                self.assertEqual(cursor.fetchone()[0], model.objects.count())

    def test_separate_passes_ask_fluency_first(self):
        campaign = self.campaign(options={"separate_passes": True, "outputs_per_item": 5})
        tasks = design.plan(campaign, PlanSettings(batch_items=6))
        self.assertEqual([task.n_items for task in tasks], [6, 6])
        screens = self.screens(tasks[0])
        self.assertEqual([s[2] for s in screens], ["fluency"] * 3 + ["adequacy"] * 3)
        self.assertEqual([s[0] for s in screens], [0, 1, 2, 0, 1, 2])

    def test_every_pair_of_a_segment_with_left_and_right_balanced(self):
        campaign = self.campaign("pairwise")
        design.plan(campaign, PlanSettings(batch_items=100))
        items = Item.objects.filter(task__campaign=campaign)
        self.assertEqual(items.count(), 6 * 6)
        lead = Counter()
        for item in items:
            names = [row.output.system.name for row in item.shown.order_by("position")]
            lead[tuple(sorted(names))] += 1 if names == sorted(names) else -1
        self.assertEqual(len(lead), 6)
        self.assertEqual(set(lead.values()), {0})

    def test_a_chosen_number_of_pairs(self):
        campaign = self.campaign("pairwise")
        (task,) = design.plan(campaign, PlanSettings(batch_items=100, comparisons=2))
        self.assertEqual(task.n_items, 12)

    def test_chosen_systems_only(self):
        campaign = self.campaign()
        systems = ("System-A", "System-C")
        design.plan(campaign, PlanSettings(batch_items=100, systems=systems))
        shown = ItemOutput.objects.filter(item__task__campaign=campaign)
        self.assertEqual(set(shown.values_list("output__system__name", flat=True)), set(systems))

    def test_a_segment_with_one_output_cannot_be_compared(self):
        first = self.test_set.segments.first()
        first.outputs.exclude(pk=first.outputs.first().pk).delete()
        seen = design.preview(self.campaign("pairwise"), PlanSettings(batch_items=100))
        self.assertEqual((seen.n_segments, seen.n_skipped), (5, 1))

    def test_the_preview_counts_what_the_plan_writes(self):
        for preset, options in (
            ("adequacy-fluency", {}),
            ("adequacy-fluency", {"separate_passes": True}),
            ("pairwise", {}),
            ("relative-ranking", {"outputs_per_item": 3}),
            ("direct-assessment", {"outputs_per_item": 1}),
        ):
            with self.subTest(preset=preset, options=options):
                campaign = self.campaign(preset, options=options)
                arguments = {"batch_items": 8, "seats": 3}
                seen = design.preview(campaign, PlanSettings(**arguments))
                self.assertFalse(campaign.tasks.exists())
                tasks = design.plan(campaign, PlanSettings(**arguments))
                items = Item.objects.filter(task__campaign=campaign)
                self.assertEqual(seen.n_tasks, len(tasks))
                self.assertEqual(seen.n_items, items.count())
                self.assertEqual(seen.n_screens * 3, seen.n_items)
                sizes = [task.items.count() for task in tasks]
                self.assertEqual([task.n_items for task in tasks], sizes)
                self.assertEqual((seen.smallest_task, seen.largest_task), (min(sizes), max(sizes)))
                shown = ItemOutput.objects.filter(item__in=items).count()
                answers = {
                    "adequacy-fluency": shown if options else 2 * shown,
                    "pairwise": shown / 2,
                }.get(preset, shown)
                self.assertEqual(seen.n_answers, answers)

    def test_planning_again_replaces_what_nobody_has_begun(self):
        campaign = self.campaign()
        design.plan(campaign, PlanSettings(batch_items=2))
        design.plan(campaign, PlanSettings(batch_items=6))
        self.assertEqual(campaign.tasks.count(), 1)

    def test_planning_again_keeps_its_hands_off_work(self):
        campaign = self.campaign()
        (task,) = design.plan(campaign, PlanSettings(batch_items=6))
        task.annotator = self.annotator
        task.save()
        with self.assertRaisesMessage(design.PlanError, "Pause the campaign"):
            design.plan(campaign, PlanSettings(batch_items=6))
        factory.judge(task.items.first(), {"adequacy": [1, 2, 3, 4], "fluency": [1, 2, 3, 4]})
        campaign.status = Status.PAUSED
        campaign.save()
        with self.assertRaisesMessage(
            design.PlanError,
            "There are judgments, so the work cannot be planned again. Create another campaign",
        ):
            design.plan(campaign, PlanSettings(batch_items=6))
        self.assertEqual(campaign.tasks.get(), task)

    def test_impossible_numbers_are_refused(self):
        campaign = self.campaign()
        for arguments in (
            {"batch_items": 0},
            {"batch_items": 5, "seats": 0},
            {"batch_items": 5, "comparisons": 0},
            {"batch_items": 5, "segments": -1},
            {"batch_items": 5, "systems": ("System-X",)},
        ):
            with self.subTest(arguments), self.assertRaises(design.PlanError):
                design.plan(campaign, PlanSettings(**arguments))
        self.assertFalse(campaign.tasks.exists())

    def test_equal_outputs_are_not_compared(self):
        """Of four systems two agree on every segment: five of six pairs are left."""
        texts = Output.objects.filter(system__name="System-A").values("segment", "text")
        for row in texts:
            twins = Output.objects.filter(system__name="System-C", segment=row["segment"])
            twins.update(text=row["text"])
        campaign = self.campaign("pairwise")
        preview = design.preview(campaign, PlanSettings(batch_items=50))
        self.assertEqual((preview.n_equal, preview.n_items, preview.n_answers), (6, 30, 30))
        design.plan(campaign, PlanSettings(batch_items=50))
        for item in Item.objects.filter(task__campaign=campaign):
            self.assertEqual(len(set(item.outputs.values_list("text", flat=True))), 2)
        rated = design.preview(self.campaign(), PlanSettings(batch_items=50))
        self.assertEqual((rated.n_equal, rated.n_answers), (0, 6 * 3 * 2))
        each = design.preview(self.campaign(), PlanSettings(batch_items=50, equal_once=False))
        self.assertEqual((each.n_equal, each.n_answers), (0, 6 * 4 * 2))

    def test_nothing_to_compare_is_said(self):
        Output.objects.update(text="The same .")
        for preset in ("pairwise", "relative-ranking"):
            with self.assertRaisesMessage(design.PlanError, "are identical, so"):
                design.plan(self.campaign(preset), PlanSettings(batch_items=50))
