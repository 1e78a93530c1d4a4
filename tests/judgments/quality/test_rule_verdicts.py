"""The rule on the page of quality control, and leaving out by it."""

import numpy as np
from django.test import TestCase
from django.urls import reverse

from judgments.models import Decision
from judgments.quality.decisions.decisions import decide
from judgments.results.observations.observations import dimensions_of
from tests.judgments.quality.control_campaigns import judge_all, plan


class RuleVerdictsTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        rng = np.random.default_rng(5)
        cls.planned = plan("direct-assessment", rng)
        judge_all(cls.planned, rng)
        cls.campaign = cls.planned.campaign
        cls.owner = cls.campaign.memberships.get(role="owner").user

    def setUp(self):
        self.client.force_login(self.owner)

    def address(self, name="quality-leave-out"):
        return reverse(name, args=[self.campaign.pk])

    def asked(self, response):
        return {name: response.context["form"][name].value() for name in ("rule", "users")}

    def test_the_page_shows_the_verdicts_with_reasons(self):
        response = self.client.get(self.address("quality"))
        self.assertContains(response, "By the rule")
        self.assertContains(
            response, "Passes 0 % of 8 attention checks; at least 70 % are required."
        )
        self.assertContains(response, "2 annotators who still count fail the rule.")
        self.assertContains(response, "Checks and planted errors")
        self.assertContains(response, "Deviation from the others, and drift")

    def test_who_fails_is_listed_first_and_left_out_when_confirmed(self):
        response = self.client.post(self.address())
        failing = [self.planned.people[care] for care in ("middle", "random")]
        for member in failing:
            self.assertContains(response, member.alias)
        self.assertNotContains(response, self.planned.people["good"].alias)
        self.assertFalse(Decision.objects.exists())
        asked = self.asked(response)
        self.assertEqual(self.client.post(self.address(), asked).status_code, 422)
        self.assertFalse(Decision.objects.exists())
        done = self.client.post(self.address(), asked | {"confirm": "on"})
        self.assertRedirects(done, self.address("quality"))
        decisions = Decision.objects.filter(excluded=True)
        self.assertEqual({d.annotator_id for d in decisions}, {m.user_id for m in failing})
        self.assertTrue(all(d.reason.startswith("By the rule: ") for d in decisions))
        # Nobody is left: the page says so, and nothing is logged twice.
        again = self.client.post(self.address(), asked | {"confirm": "on"}, follow=True)
        self.assertContains(again, "The rule leaves out nobody who still counts.")
        self.assertEqual(Decision.objects.count(), 2)

    def test_who_is_left_out_of_one_dimension_only_still_fails(self):
        failing = self.planned.people["random"]
        (dimension,) = dimensions_of(self.campaign)
        decide(
            self.campaign,
            failing.user,
            excluded=True,
            reason="Not these.",
            by=self.owner,
            dimension=dimension.slug,
        )
        self.assertContains(self.client.post(self.address()), failing.alias)

    def test_another_list_than_was_read_is_shown_again(self):
        response = self.client.post(
            self.address(), {"rule": 1, "users": "1,2,3", "confirm": "on"}, follow=True
        )
        self.assertContains(response, "in the meantime: check the list again")
        self.assertFalse(Decision.objects.exists())

    def test_thresholds_are_written_with_the_rule(self):
        data = {"rule-text": "", "rule-least_checks": "0.8", "rule-degraded_level": "0.01"}
        self.assertRedirects(
            self.client.post(self.address("quality-rule"), data), self.address("quality")
        )
        rule = self.campaign.quality_rules.last()
        self.assertEqual(rule.thresholds, {"least_checks": 0.8, "degraded_level": 0.01})
        data["rule-least_checks"] = "80"
        self.assertEqual(self.client.post(self.address("quality-rule"), data).status_code, 422)
