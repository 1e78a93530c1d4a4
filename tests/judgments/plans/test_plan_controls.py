"""Control items in plans by settings."""

from collections import Counter

import numpy as np

from judgments.models import (
    AlteredOutput,
    ExpectedScore,
    Item,
    Output,
    Reference,
    System,
)
from judgments.plans import design
from judgments.plans.composition import hidden_reference
from judgments.plans.controls.settings import controls_for, default_settings
from judgments.plans.seats import extend
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of
from tests import factory

from .plan_cases import SEVERAL, SINGLE, PlanTestCase, items_of, shown_on


class ControlsTest(PlanTestCase):
    n_segments, n_documents = 30, 6

    def of_batch(self, campaign):
        items = items_of(campaign)
        return items, shown_on(items)

    def distances(self, items, shown):
        """(kind, items from a control to what it belongs to, either way, n items)"""
        first = {}
        found = []
        for item in items:
            if item.kind == "regular":
                for row in shown[item.pk]:
                    first[item.segment_id, row.output.system_id] = item.position
        for item in items:
            if item.kind in ("repeat", "degraded"):
                key = item.segment_id, shown[item.pk][0].output.system_id
                found.append((item.kind, abs(item.position - first[key]), len(items)))
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

    def test_a_larger_reference_that_comes_later_is_not_taken_in_its_place(self):
        first, *rest = self.test_set.segments.order_by("position")
        Reference.objects.filter(segment=first).delete()
        campaign = self.campaign()
        self.plan(campaign, references=1)
        Reference.objects.bulk_create(
            Reference(segment=each, name="whole", text=f"whole {each.key}")
            for each in (first, *rest)
        )
        looked_up = hidden_reference(campaign, PlanSettings(references=1), write=False)
        system = System.objects.get(copies_reference="ref")
        self.assertEqual((looked_up.system, len(looked_up.outputs)), (system.pk, len(rest)))
        self.plan(campaign, references=1)
        self.assertFalse(System.objects.filter(copies_reference="whole").exists())
        # Another campaign takes the one that is whole.
        self.plan(self.campaign(), references=1)
        whole = System.objects.get(copies_reference="whole")
        self.assertEqual(whole.outputs.count(), len(rest) + 1)

    def test_it_is_no_system_of_later_plans(self):
        campaign = self.campaign()
        self.plan(campaign, references=1)
        seen = design.preview(campaign, PlanSettings())
        self.assertEqual(set(seen.systems), {"System-A", "System-B", "System-C"})
        self.assertEqual(seen.n_items, 72)
        with self.assertRaisesMessage(design.PlanError, "no system 'ref'"):
            self.plan(campaign, systems=("ref",))


class BesideOriginalsTest(PlanTestCase):
    n_segments, n_documents = 48, 16

    def checks(self, preset="cesa-wmt26", **settings):
        campaign = self.campaign(preset, options={"outputs_per_item": 3})
        asked = {"beside_checks": 2, "batch_items": 12} | settings
        self.plan(campaign, **asked)
        items = items_of(campaign, kind="check")
        return campaign, items, shown_on(items)

    def test_a_damaged_copy_stands_beside_its_original(self):
        campaign, items, shown = self.checks()
        self.assertEqual(len(items), 2 * campaign.tasks.count())
        self.assertEqual(preview_kinds(campaign)["check"], len(items))
        places = Counter()
        for item in items:
            (expected,) = item.expected_scores.all()
            self.assertEqual((expected.dimension, expected.low, expected.high), ("esa", None, None))
            row_of = {row.output_id: row for row in shown[item.pk]}
            original, copy = row_of[expected.output_id], row_of[expected.above_id]
            self.assertIsNone(item.control_output_id)  # none of its scores counts
            self.assertEqual(copy.altered.rule, "beside")
            self.assertIsNone(original.altered)
            # The planted phrase, and nothing else, is what the two differ in.
            self.assertNotEqual(copy.text, original.text)
            before, after = copy.text[: copy.altered.start], copy.text[copy.altered.end :]
            self.assertTrue(original.text.startswith(before) and original.text.endswith(after))
            others = [row for row in shown[item.pk] if row not in (original, copy)]
            self.assertEqual([row.altered for row in others], [None])
            places[original.position, copy.position] += 1
        self.assertEqual(len(places), 6)  # every order of the two among three

    def test_each_of_its_screens_comes_as_it_is_too(self):
        _, items, shown = self.checks()
        self.assertTrue(items)
        for item in items:
            alike = Item.objects.filter(task=item.task, segment=item.segment, kind="regular")
            self.assertEqual(
                {row.output_id for row in shown[item.pk]},
                set(alike.get().shown.values_list("output", flat=True)),
            )

    def test_checks_for_which_a_batch_has_no_screen_are_missing(self):
        campaign = self.campaign("cesa-wmt26", options={"outputs_per_item": 3})
        seen = design.preview(campaign, PlanSettings(beside_checks=10, batch_items=12))
        [lacking] = [each for each in seen.left_out if each.what.startswith("attention check")]
        self.assertEqual(seen.kinds["check"] + lacking.n, 10 * seen.n_batches)
        self.assertGreater(lacking.n, 0)

    def test_every_seat_has_them(self):
        campaign, items, _ = self.checks(seats=2)
        self.assertEqual(ExpectedScore.objects.count(), len(items))
        extend(campaign, seats=1, rng=np.random.default_rng(1))
        self.assertEqual(ExpectedScore.objects.count(), 3 * len(items) // 2)
        design.plan(campaign, PlanSettings(batch_items=12))
        self.assertEqual(ExpectedScore.objects.count(), 0)

    def test_where_no_screen_is_left_there_are_fewer(self):
        campaign, items, _ = self.checks(batch_items=3, loud_checks=1, beside_checks=9)
        for task in campaign.tasks.all():
            kinds = Counter(task.items.values_list("kind", "control_kind"))
            self.assertLessEqual(kinds["repeat", "check"], kinds["regular", ""])
        self.assertTrue(items)


def preview_kinds(campaign):
    """Of all seats, as the page of the plan says it."""
    return design.preview(campaign, PlanSettings.read(campaign.plan)).kinds


class ReasonsTest(PlanTestCase):
    def reasons(self, preset, **options):
        found = controls_for(protocol_of(self.campaign(preset, options=options)))
        return {kind for kind, reason in found.items() if reason}

    def test_each_protocol_says_which_make_no_sense(self):
        beside = {"beside_checks"}  # of several translations, each with its score
        checks = {"loud_checks", "silent_checks"} | beside
        self.assertEqual(self.reasons(SINGLE), beside)
        self.assertEqual(self.reasons(SEVERAL, show_reference=False), set())
        self.assertEqual(self.reasons("cesa-wmt26"), set())
        self.assertEqual(self.reasons(SINGLE, show_reference=True), {"references"} | beside)
        self.assertEqual(self.reasons("pairwise", show_reference=False), {"degraded"} | beside)
        self.assertEqual(
            self.reasons("relative-ranking", show_reference=False), {"degraded"} | beside
        )
        self.assertEqual(self.reasons("mqm"), beside)
        self.assertEqual(
            self.reasons("comprehension"),
            {"repeats", "references", "degraded", "calibration"} | checks,
        )
        self.assertEqual(self.reasons("document-assessment"), {"degraded", "calibration"} | checks)
        self.assertLessEqual({"degraded"} | checks, self.reasons("post-editing"))
        self.assertLessEqual({"degraded"} | checks, self.reasons("word-alignment"))
        Reference.objects.all().delete()
        self.assertEqual(self.reasons(SINGLE), {"references"} | beside)

    def test_what_makes_no_sense_is_left_out_and_said(self):
        campaign = self.campaign("pairwise")  # which shows the reference
        chosen = PlanSettings(references=1, degraded=1, repeats=1)
        seen = design.preview(campaign, chosen)
        self.assertEqual(set(seen.no_controls), {"references", "degraded", "beside_checks"})
        self.plan(campaign, **chosen.stored())
        self.assertEqual({item.kind for item in items_of(campaign)}, {"regular", "repeat"})

    def test_how_a_plan_begins(self):
        crowd = default_settings(self.campaign(SINGLE))
        self.assertEqual((crowd.repeats, crowd.references, crowd.degraded), (1, 1, 1))
        self.assertEqual((crowd.loud_checks, crowd.silent_checks), (1, 1))
        self.assertEqual(crowd.block_length, 3)
        beside = default_settings(self.campaign("direct-assessment-reference"))
        self.assertEqual((beside.repeats, beside.references, beside.degraded), (1, 0, 1))
        expert = default_settings(self.campaign("mqm"))
        self.assertEqual((expert.repeats, expert.references, expert.degraded), (0.5, 0, 0))
        self.assertEqual(expert.block_length, 0)
        asked = default_settings(self.campaign("comprehension"))
        self.assertFalse(asked.has_controls)
