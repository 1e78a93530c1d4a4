"""How much may be sent; answers that can be stored are never too many."""

from unittest import mock

from django.test import Client, override_settings
from django.urls import reverse

from judgments.models import Judgment
from judgments.web import limits
from tests import factory
from tests.judgments.judging.judge_pages import JudgingTestCase, answers, ticket_in


def most(name: str, n: int):
    """So many within the time of a limit."""
    limit = getattr(limits, name)
    return mock.patch.object(limits, name, limits.Limit(limit.name, n, limit.seconds))


@override_settings(RATE_LIMITS=1)
class PostLimitTests(JudgingTestCase):
    def post(self, user=None, address="reading-settings", client=None, **extra):
        client = client or self.as_user(user)
        return client.post(reverse(address), {}, **extra)

    def test_an_account_that_sends_too_much_is_told_when_to_go_on(self):
        with most("POSTS", 3):
            for _ in range(3):
                self.assertNotEqual(self.post(self.annotator_1).status_code, 429)
            response = self.post(self.annotator_1)
            self.assertContains(response, "Too many requests", status_code=429)
            self.assertTrue(0 < int(response["Retry-After"]) <= limits.POSTS.seconds)
            response = self.post(self.annotator_1, headers={"Accept": "application/json"})
            self.assertEqual(response.status_code, 429)
            self.assertIn("try again in", response.json()["detail"])
            self.assertNotEqual(self.post(self.annotator_2).status_code, 429)
            page = self.get_as(self.annotator_1, "account")
            self.assertEqual(page.status_code, 200, "what is only looked at goes on")

    def test_what_is_refused_counts_like_everything_else(self):
        address = reverse("campaign-status", args=[self.campaign.pk])
        with most("POSTS", 3):
            statuses = [
                self.as_user(self.annotator_1).post(address, {}).status_code for _ in range(5)
            ]
        self.assertEqual(statuses, [403, 403, 403, 429, 429])

    def test_strangers_are_counted_by_their_address(self):
        with most("POSTS_FROM_ADDRESS", 2):
            sent = [
                self.post(address="password-reset", client=Client()).status_code for _ in range(3)
            ]
            elsewhere = self.post(
                address="password-reset", client=Client(), REMOTE_ADDR="192.0.2.7"
            )
        self.assertEqual([status == 429 for status in sent], [False, False, True])
        self.assertNotEqual(elsewhere.status_code, 429)

    def test_programs_are_counted_by_their_account(self):
        address = reverse("api-campaign-status", args=[self.campaign.pk])
        with most("POSTS", 2):
            statuses = [
                self.as_user(self.owner)
                .post(address, {"status": "open"}, content_type="application/json")
                .status_code
                for _ in range(3)
            ]
        self.assertEqual(statuses[2], 429, statuses)
        self.assertNotIn(429, statuses[:2])

    def test_answers_that_waited_for_a_connection_are_all_stored(self):
        """Also of somebody whose other requests are too many already."""
        with most("POSTS", 1):
            for _ in range(3):
                last = self.post(self.annotator_1)
            self.assertEqual(last.status_code, 429)
            for number in range(1, 5):
                self.assertEqual(self.answer(number).status_code, 302)
        self.assertEqual(Judgment.objects.count(), 4)

    def test_of_judging_only_what_is_refused_counts(self):
        ticket = ticket_in(self.open())
        with most("POSTS", 2):
            client, address = self.as_user(self.annotator_1), self.item_url()
            wrong = [client.post(address, {"ticket": "none"}).status_code for _ in range(4)]
            self.assertEqual(wrong[2:], [429, 429], wrong)
            right = client.post(address, answers() | {"ticket": ticket})
            self.assertEqual(right.status_code, 302)
        self.assertEqual(Judgment.objects.count(), 1)

    def test_signing_in_has_its_own_limits_besides(self):
        with most("POSTS_FROM_ADDRESS", 2):
            data = {"username": "owner", "password": factory.PASSWORD}
            self.assertEqual(Client().post(reverse("login"), data).status_code, 302)
