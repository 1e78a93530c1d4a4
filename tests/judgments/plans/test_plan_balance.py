"""Balance of plans with everything at once: equal outputs judged once, control items, calibration,
a share for agreement, blocks in batches or in a pool."""

from collections import Counter, defaultdict

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase as HypothesisTestCase

from judgments.models import Output, Reference
from judgments.plans import design
from judgments.plans.controls import copies as controls
from judgments.plans.settings import PlanSettings
from tests import factory

from .plan_cases import SEVERAL, SINGLE, items_of, shown_on

PER_TEN = ("repeats", "references", "degraded")
KIND = {"repeats": "repeat", "references": "reference", "degraded": "degraded"}

chosen_settings = st.fixed_dictionaries(
    {
        "block_length": st.integers(0, 4),
        "batch_words": st.sampled_from([150, 600, 5000]),
        "agreement_share": st.sampled_from([0.0, 0.1, 0.5, 1.0]),
        "agreement_seats": st.integers(2, 3),
        "calibration": st.integers(0, 2),
        "pool": st.booleans(),
        "seed": st.integers(0, 99),
        **{name: st.sampled_from([0.0, 0.5, 1.0]) for name in PER_TEN},
    }
)


class PlanBalanceTest(HypothesisTestCase):
    def make(self, sizes, n_systems, alike, seed):
        """Documents of so many segments; each text of a share ``alike`` reads as another's."""
        owner = factory.make_user("owner")
        test_set = factory.make_test_set(
            owner, n_segments=sum(sizes), n_systems=n_systems, n_documents=sum(sizes)
        )
        rng = np.random.default_rng(seed)
        documents = iter(test_set.documents.order_by("position"))
        segments = iter(test_set.segments.order_by("position"))
        for size in sizes:
            document = next(documents)
            for _ in range(size):
                segment = next(segments)
                segment.document, segment.source = document, "wort " * int(rng.integers(1, 30))
                segment.save()
                Reference.objects.filter(segment=segment).delete()
                reference = f"what person {segment.position} wrote about it"
                Reference.objects.create(segment=segment, name="ref", text=reference)
                for output in segment.outputs.all():
                    same = rng.random() < alike
                    words = "the same text again and again" if same else f"text {output.pk} of it"
                    Output.objects.filter(pk=output.pk).update(text=f"{words} {segment.pk}")
        return owner, test_set

    @settings(max_examples=25, deadline=None)
    @given(
        st.lists(st.integers(1, 6), min_size=2, max_size=6),
        st.integers(2, 4),
        st.sampled_from([0.0, 0.4, 1.0]),
        st.sampled_from([SINGLE, SEVERAL]),
        chosen_settings,
    )
    def test_it_holds_for_all_settings_together(self, sizes, n_systems, alike, preset, chosen):
        owner, test_set = self.make(sizes, n_systems, alike, chosen["seed"])
        campaign = factory.make_campaign(test_set, preset=preset, owner=owner)
        wanted = PlanSettings(**chosen)
        if wanted.calibration >= sum(sizes):
            return
        tasks = design.plan(campaign, wanted)
        items = items_of(campaign)
        shown = shown_on(items)
        text_of = dict(texts_of(test_set))
        of_task = defaultdict(list)
        for item in items:
            of_task[item.task_id].append(item)
        self.check_seats(tasks, of_task, wanted)
        # What follows holds for every seat, so it is looked at in the first ones.
        first = rows_of(tasks, of_task)
        everybody = {i.segment_id for i in items if i.kind == "control"}
        self.assertEqual(len(everybody), wanted.calibration)
        regular = Counter(
            row.output_id
            for batch in first
            for item in batch
            if item.kind == "regular"
            for row in shown[item.pk]
            if text_of.get(row.output_id)
        )
        judged = Output.objects.filter(system__test_set=test_set, system__copies_reference="")
        judged = judged.exclude(segment__in=everybody)
        # Every output once: by itself, or under the one that reads the same.
        self.assertEqual(regular, Counter(judged.values_list("pk", flat=True)))
        for batch in first:
            self.check_batch(batch, shown, text_of, wanted, preset)

    def check_seats(self, tasks, of_task, wanted):
        """So many batches of the share have more seats, and all seats of one the same screens. In a
        pool the blocks of a batch have as many as it has."""
        n_seats = Counter(task.batch for task in tasks)
        for task in tasks:
            if task.follows:
                self.assertEqual(n_seats[task.batch], n_seats[task.follows])
        seats = Counter(task.batch for task in tasks if task.follows is None)
        n_more = round(wanted.agreement_share * len(seats))
        n_more = max(1, n_more) if wanted.agreement_share else 0
        self.assertEqual(
            Counter(seats.values()),
            Counter([wanted.agreement_seats] * n_more + [1] * (len(seats) - n_more)),
        )
        screens = defaultdict(set)
        for task in tasks:
            what = tuple((item.segment_id, item.kind) for item in of_task[task.pk])
            screens[task.batch].add(what)
        self.assertTrue(all(len(found) == 1 for found in screens.values()))

    def check_batch(self, batch, shown, text_of, wanted, preset):
        kinds = Counter(item.kind for item in batch)
        if not wanted.has_controls:
            self.assertEqual(set(kinds), {"regular"})
            return
        place = {}
        for position, item in enumerate(batch):
            texts = [text_of.get(row.output_id) for row in shown[item.pk]]
            if item.kind == "regular":
                place |= {row.output_id: position for row in shown[item.pk]}
            elif item.kind != "control":
                # Control items are never merged.
                self.assertEqual(len(texts), len(set(texts)), item.kind)
        for position, item in enumerate(batch):
            if item.kind in ("repeat", "degraded"):
                for row in shown[item.pk]:
                    if row.output_id in place:
                        distance = abs(position - place[row.output_id])
                        self.assertGreaterEqual(2 * distance, len(batch) - 1, item.kind)
        if preset == SINGLE:  # otherwise references are added to screens
            n = kinds["regular"]
            most = controls.wanted(n, {KIND[name]: getattr(wanted, name) for name in PER_TEN})
            for kind in ("reference", "degraded"):
                self.assertLessEqual(kinds[kind], most[kind])
            self.assertLessEqual(kinds["repeat"], most["repeat"] + most["degraded"])


def rows_of(tasks, of_task):
    """The items of the first seat of every batch; in a pool, of its blocks one after the other."""
    found = {}
    for task in tasks:
        if task.seat == 1:
            found[task.batch] = found.get(task.follows, [])
            found[task.batch] += of_task[task.pk]
    return list({id(items): items for items in found.values()}.values())


def texts_of(test_set):
    """(id, text) of every system's outputs, copies of references left out."""
    rows = Output.objects.filter(system__test_set=test_set, system__copies_reference="")
    return rows.values_list("pk", "text")
