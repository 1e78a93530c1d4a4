"""Blocks that show some of the systems: what is drawn, stored and kept."""

from collections import Counter, defaultdict

import numpy as np

from judgments.models import Kind, Task
from judgments.models.chains import record
from judgments.models.chains.record_checking import check_record
from judgments.people.workload.release import split
from judgments.plans import design, seats
from judgments.plans.settings import PlanSettings
from judgments.plans.views import form_of

from .plan_cases import SINGLE, PlanTestCase, items_of, shown_on

CESA = "cesa-wmt26"


class RandomSystemsTest(PlanTestCase):
    n_segments, n_documents, n_systems = 24, 4, 5

    def planned(self, **values):
        campaign = self.campaign(CESA)
        values = {"choice": "random", "systems_shown": 3, "block_length": 3} | values
        self.plan(campaign, **values)
        return campaign

    def shown_of_blocks(self, campaign):
        """{(document, block): the sets of systems that its segments show}"""
        items = items_of(campaign, kind=Kind.REGULAR)
        shown = shown_on(items)
        found = defaultdict(set)
        for item in items:
            names = frozenset(row.output.system.name for row in shown[item.pk])
            block = item.segment.document_id, item.segment.position % 6 // 3
            found[block].add(names)
        return found

    def test_a_block_shows_so_many_and_the_same_ones_throughout(self):
        blocks = self.shown_of_blocks(self.planned())
        self.assertEqual(len(blocks), 8)
        for sets in blocks.values():
            self.assertEqual([len(each) for each in sets], [3])
        drawn = Counter(name for sets in blocks.values() for each in sets for name in each)
        self.assertEqual(sum(drawn.values()), 24)
        self.assertGreater(len({frozenset(sets) for sets in blocks.values()}), 1)

    def test_the_chances_are_stored_with_every_batch_and_on_record(self):
        campaign = self.planned(batch_items=6)
        expected = {
            "wave": 1,
            "waves": 1,
            "chances": {f"System-{name}": 0.6 for name in "ABCDE"},
            "size": 3,
        }
        self.assertGreater(campaign.tasks.count(), 1)
        for choice in campaign.tasks.values_list("choice", flat=True):
            self.assertEqual(choice, expected)
        record.begin(campaign.pk, "opened")
        self.assertEqual(check_record(campaign).found, [])
        Task.objects.filter(campaign=campaign).update(choice=expected | {"size": 4})
        self.assertIn("systems that were drawn", str(check_record(campaign).found))

    def test_more_seats_and_rests_have_the_chances_of_their_batch(self):
        campaign = self.planned(batch_items=6)
        record.begin(campaign.pk, "opened")
        seats.extend(campaign, seats=1, rng=np.random.default_rng(1))
        split(campaign.tasks.filter(seat=2).first())
        self.assertFalse(campaign.tasks.filter(choice=None).exists())
        self.assertEqual(check_record(campaign).found, [])

    def test_all_systems_have_no_chances(self):
        campaign = self.campaign(CESA)
        self.plan(campaign)
        self.assertEqual(set(campaign.tasks.values_list("choice", flat=True)), {None})

    def test_the_same_seed_draws_the_same(self):
        first, again, other = (self.shown_of_blocks(self.planned(seed=n)) for n in (7, 7, 8))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_what_cannot_be_drawn_is_said(self):
        campaign = self.campaign(CESA)
        with self.assertRaisesRegex(design.PlanError, "2 to 5 systems are shown, not 6"):
            self.plan(campaign, choice="random", systems_shown=6)
        self.test_set.systems.get(name="System-A").outputs.first().delete()
        with self.assertRaisesRegex(design.PlanError, "a translation of every segment"):
            self.plan(campaign, choice="random")

    def test_where_a_screen_shows_one_nothing_is_drawn(self):
        campaign = self.campaign(SINGLE)
        self.assertNotIn("choice", form_of(campaign).fields)
        self.assertIn("choice", form_of(self.campaign(CESA)).fields)
        self.plan(campaign, choice="random", systems_shown=3)
        self.assertEqual(set(campaign.tasks.values_list("choice", flat=True)), {None})

    def test_the_preview_of_a_race_reckons_all_systems(self):
        campaign = self.campaign(CESA)
        race = design.preview(campaign, PlanSettings(choice="race"))
        whole = design.preview(campaign, PlanSettings())
        self.assertEqual(race.n_outputs, whole.n_outputs)
        some = design.preview(campaign, PlanSettings(choice="random", systems_shown=3))
        self.assertEqual(some.n_outputs * 5, whole.n_outputs * 3)
