"""Judgments that count on Watch, what lacks one, and seats that are planned again for others."""

import csv
import io

import numpy as np
from django.urls import reverse
from django.utils import timezone

from judgments.judging import queue
from judgments.models import Item, ItemOutput, Membership, Role
from judgments.people.states import hold, state_of
from judgments.people.workload.progress import counters
from judgments.people.workload.valid import coverage, valid_counts
from judgments.plans import seats
from judgments.plans.errors import PlanError
from judgments.quality.decisions.decisions import decide, decide_item
from judgments.quality.notices.notices import events
from judgments.quality.watch import figures as latest
from tests import factory

from .test_watch import WatchTestCase


class ValidTests(WatchTestCase):
    """Two people have judged the four screens of a batch, each with three translations."""

    def setUp(self):
        super().setUp()
        self.judge_all()
        self.member = Membership.objects.get(campaign=self.campaign, user=self.annotator_1)

    def counts(self):
        found = valid_counts(self.campaign)
        return found.n_counting, found.n_wanted, found.n_missing

    def leave_out(self, excluded=True):
        decide(self.campaign, self.annotator_1, excluded=excluded, reason="Hurried.", by=self.owner)

    def plan_again(self, **known):
        rng = np.random.default_rng(7)
        return seats.plan_again(self.campaign, reason="Hurried.", by=self.owner, rng=rng, **known)

    def test_judgments_of_somebody_held_count_and_of_somebody_left_out_do_not(self):
        self.assertEqual(self.counts(), (8, 8, 0))
        self.assertEqual(
            [event for event, _ in events(self.campaign, with_flags=False)], ["complete"]
        )
        hold(self.campaign, self.annotator_1, reason="Fast.")
        self.assertEqual(self.counts(), (8, 8, 0))
        self.leave_out()
        self.assertEqual(self.counts(), (4, 8, 4))
        self.assertEqual(list(events(self.campaign, with_flags=False)), [])
        self.assertEqual(coverage(self.campaign).outputs, ((1, 12),))
        self.leave_out(excluded=False)
        self.assertEqual(self.counts(), (8, 8, 0))

    def test_removed_segments_and_translations_are_not_wanted(self):
        first, second, *_ = self.campaign.test_set.segments.all()
        decide_item(self.campaign, first, None, removed=True, reason="Broken.", by=self.owner)
        self.assertEqual(self.counts(), (6, 6, 0))
        for system in self.campaign.test_set.systems.all():
            self.assertEqual(self.counts(), (6, 6, 0))  # a screen with another one still counts
            decide_item(self.campaign, second, system, removed=True, reason="No.", by=self.owner)
        self.assertEqual(self.counts(), (4, 4, 0))
        self.assertEqual(coverage(self.campaign).n_segments, 2)

    def test_exactly_what_was_left_out_is_planned_again(self):
        segment = self.campaign.test_set.segments.first()
        decide_item(self.campaign, segment, None, removed=True, reason="Broken.", by=self.owner)
        self.leave_out()
        [task] = self.plan_again()
        self.assertEqual((task.batch, task.seat, task.n_items, task.annotator), (1, 3, 3, None))

        def shown(user):
            items = Item.objects.filter(task__campaign=self.campaign, task__annotator=user)
            found = ItemOutput.objects.filter(item__in=items.exclude(segment=segment))
            return sorted(found.values_list("item__segment", "output"))

        self.assertEqual(shown(None), shown(self.annotator_1))
        self.assertEqual(self.counts(), (3, 6, 0))
        self.assertEqual(state_of(self.member).name, "replaced")
        with self.assertRaises(PlanError):
            self.plan_again()

    def test_nobody_gets_what_they_have_judged_and_others_complete_it(self):
        self.leave_out()
        self.plan_again()
        second = Membership.objects.get(campaign=self.campaign, user=self.annotator_2)
        self.assertIsNone(queue.claim(second, timezone.now()))
        new = factory.make_user("new")
        third = self.campaign.memberships.create(user=new, role=Role.ANNOTATOR, alias="new")
        task = queue.claim(third, timezone.now())
        for item in task.items.all():
            item.task = task
            factory.judge(item, {"adequacy": [1, 2, 3], "fluency": [3, 2, 1]})
        self.assertEqual(self.counts(), (8, 8, 0))
        self.assertEqual(coverage(self.campaign).outputs, ((2, 12),))

    def test_watch_says_what_counts_and_plans_it_again(self):
        self.leave_out()
        self.assertContains(self.part("counters"), "<dt>Counted</dt>")
        page = self.part("valid")
        self.assertContains(page, "4 of 8 wanted judgments exist and count.")
        self.assertContains(page, "4 of 4 segments have a counted rating of every system.")
        text = self.get_as(self.owner, "lacking-file", self.campaign.pk).content.decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(len(rows), 12)
        self.assertEqual({row["why"] for row in rows}, {"judged by somebody left out"})
        self.post_as(self.owner, "plan-again", self.campaign.pk, data={})
        self.assertEqual(self.counts(), (4, 8, 4))
        self.post_as(self.owner, "plan-again", self.campaign.pk, data={"sure": "on"})
        self.assertEqual(self.counts(), (4, 8, 0))

    def act(self, action, reason="Hurried.", **extra):
        name = f"state-{self.member.pk}"
        data = {f"{name}-action": action, f"{name}-reason": reason}
        address = (self.owner, "annotator-state", self.campaign.pk, self.member.pk)
        return self.post_as(*address, data=data, **extra)

    def test_a_state_is_changed_beside_the_name(self):
        for action, state in (
            ("hold", "held"),
            ("go-on", "working"),
            ("hold", "held"),
            ("leave-out", "left out"),
            ("replace", "replaced"),
            ("take-in", "working"),
            ("replace", "replaced"),
        ):
            self.act(action)
            self.assertEqual(state_of(self.member).name, state)
        self.assertContains(self.part("annotators"), "Replaced since")
        self.assertEqual(self.campaign.tasks.count(), 4)

    def test_what_makes_no_sense_or_has_no_reason_changes_nothing(self):
        for action, reason in (("take-in", "x"), ("hold", ""), ("nonsense", "x")):
            self.act(action, reason)
            self.assertEqual(state_of(self.member).name, "working")

    def test_a_script_gets_the_part_in_its_place(self):
        response = self.act("hold", HTTP_HX_REQUEST="true")
        part = reverse("watch-part", args=[self.campaign.pk, "annotators"])
        self.assertRedirects(response, part)

    def test_refused_to_others(self):
        self.assert_refused("annotator-state", self.campaign.pk, self.member.pk, method="post")
        self.assert_refused("plan-again", self.campaign.pk, method="post")
        self.assert_refused("lacking-file", self.campaign.pk)


class CountTests(WatchTestCase):
    """What else goes by judgments that count."""

    def setUp(self):
        super().setUp()
        third = factory.make_user("third")
        self.campaign.memberships.create(user=third, role=Role.ANNOTATOR, alias="third")
        factory.make_task(self.campaign, third, seat=3)
        self.judge_all()
        self.third = third

    def test_agreement_is_with_those_who_count_also_when_they_are_held(self):
        before = latest.annotator_figures(self.campaign).agreement
        self.assertEqual(len(before), 3)
        hold(self.campaign, self.third, reason="Fast.")
        self.assertEqual(latest.annotator_figures(self.campaign).agreement, before)
        decide(self.campaign, self.third, excluded=True, reason="Fast.", by=self.owner)
        after = latest.annotator_figures(self.campaign).agreement
        self.assertEqual(set(after), {self.annotator_1.pk, self.annotator_2.pk})
        self.assertLess(after[self.annotator_1.pk][1], before[self.annotator_1.pk][1])

    def test_the_counters_on_watch_have_both(self):
        now = timezone.now()
        self.assertEqual(counters(self.campaign, now).valid.n_counting, 12)
        decide(self.campaign, self.third, excluded=True, reason="Fast.", by=self.owner)
        found = counters(self.campaign, now)
        self.assertEqual((found.valid.n_counting, found.valid.n_wanted), (8, 12))
