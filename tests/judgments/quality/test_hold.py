"""The rule stops a person who fails it, after enough control items or a first batch, and nobody
else."""

import numpy as np
from django.db import connection
from django.test import TestCase
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judgments.models import AnnotatorState, Item, Kind, QualityRule
from judgments.people import states
from judgments.quality.notices.notices import events
from judgments.quality.rules.hold import hold_by_rule
from judgments.quality.rules.verdicts import write_rule
from tests.judgments.judging.judge_pages import ticket_in
from tests.judgments.quality.control_campaigns import CONTROLS, N_REGULAR, judge_all, plan

FIRST_CHECK = N_REGULAR + [kind for kind, _ in CONTROLS].index(Kind.CHECK)
"""Four loud checks stand there, and then four silent ones; positions count from 0."""
HELD = "Your work is being reviewed"


class HoldTest(TestCase):
    def plan(self, care, *, hold_after=3, **thresholds):
        planned = plan("direct-assessment", np.random.default_rng(3), cares=(care,), rule=None)
        self.campaign = planned.campaign
        self.member = planned.people[care]
        self.owner = self.campaign.memberships.get(role="owner").user
        self.rule(hold_after, **thresholds)
        return planned

    def rule(self, hold_after, **thresholds):
        asked = thresholds or {"least_checks": 0.7}
        write_rule(self.campaign, text="", by=self.owner, hold_after=hold_after, **asked)

    def answer(self, position, score):
        self.client.force_login(self.member.user)
        address = reverse("judge-item", args=[self.campaign.pk, position + 1])
        opened = self.client.get(address)
        data = {"output1-da": str(score), "ticket": ticket_in(opened)}
        return self.client.post(address, data)

    def state(self):
        return states.state_of(self.member).name

    def test_who_fails_is_held_after_as_many_control_items_as_the_rule_says(self):
        self.plan("middle")
        for position in range(3):
            self.answer(position, 50)
        for position in range(FIRST_CHECK, FIRST_CHECK + 3):
            self.assertEqual(self.state(), states.WORKING)
            response = self.answer(position, 50)
        self.assertEqual(self.state(), states.HELD)
        page = self.client.get(response.url, follow=True)
        self.assertContains(page, HELD)
        self.assertNotContains(page, "attention checks")
        change = AnnotatorState.objects.get()
        self.assertIsNone(change.decided_by)
        self.assertEqual(
            change.reason,
            "By the rule: Passes 0 % of 3 attention checks; at least 70 % are required.",
        )

    def test_who_passes_is_never_held(self):
        self.plan("good")
        for position in range(FIRST_CHECK, FIRST_CHECK + 4):
            self.answer(position, 0)
        self.assertEqual(self.state(), states.WORKING)

    def test_nobody_is_held_without_a_number_in_the_rule(self):
        self.plan("middle", hold_after=None)
        for position in range(FIRST_CHECK, FIRST_CHECK + 4):
            self.answer(position, 50)
        self.assertEqual(self.state(), states.WORKING)

    def test_the_end_of_a_first_batch_is_enough(self):
        planned = self.plan("middle", hold_after=1000)
        judge_all(planned, np.random.default_rng(3))
        hold_by_rule(self.member)
        self.assertEqual(self.state(), states.WORKING)
        items = Item.objects.filter(task__annotator=self.member.user)
        items.update(is_judged=True)
        self.campaign.tasks.update(n_judged=100)
        hold_by_rule(self.member)
        self.assertEqual(self.state(), states.HELD)

    def test_whom_an_owner_lets_go_on_is_not_held_again_until_another_rule(self):
        self.plan("middle")
        for position in range(FIRST_CHECK, FIRST_CHECK + 3):
            self.answer(position, 50)
        states.resume_work(self.campaign, self.member.user, reason="Fine.", by=self.owner)
        self.answer(FIRST_CHECK + 3, 50)
        self.assertEqual(self.state(), states.WORKING)
        self.rule(3, least_checks=0.9)
        self.answer(FIRST_CHECK + 4, 50)
        self.assertEqual(self.state(), states.HELD)

    def test_who_is_held_is_in_the_notices_once(self):
        self.plan("middle")
        for position in range(FIRST_CHECK, FIRST_CHECK + 3):
            self.answer(position, 50)
        subjects = [subject for event, subject in events(self.campaign, with_flags=True)]
        self.assertEqual(len(subjects), 1)
        self.assertIn(f"{self.member.user_id} ", subjects[0])
        (hold,) = self.campaign.annotator_states.all()
        self.assertTrue(subjects[0].endswith(f" held:{hold.pk}"), subjects)

    def test_few_statements_follow_an_answer_and_none_a_regular_one(self):
        self.plan("middle", hold_after=8)
        for position in range(FIRST_CHECK, FIRST_CHECK + 2):
            self.answer(position, 50)
        with CaptureQueriesContext(connection) as found:
            hold_by_rule(self.member)
        self.assertEqual(len(found), 3)  # the rule, its control items, whether a batch is done
        opened = self.client.get(reverse("judge-item", args=[self.campaign.pk, 5]))
        data = {"output1-da": "50", "ticket": ticket_in(opened)}
        address = reverse("judge-item", args=[self.campaign.pk, 5])
        with CaptureQueriesContext(connection) as found:
            self.client.post(address, data)
        self.assertFalse([each for each in found if "qualityrule" in each["sql"]])

    def test_the_form_writes_it_and_the_page_says_it(self):
        self.plan("middle", hold_after=None)
        self.client.force_login(self.owner)
        address = reverse("quality-rule", args=[self.campaign.pk])
        data = {"rule-text": "", "rule-least_checks": "0.8", "rule-hold_after": "4"}
        page = self.client.post(address, data, follow=True)
        self.assertContains(page, "Annotators who fail are held, starting after 4 control items")
        self.assertEqual(QualityRule.objects.last().hold_after, 4)
        data["rule-hold_after"] = "0"
        self.assertEqual(self.client.post(address, data).status_code, 422)
