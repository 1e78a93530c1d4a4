"""The fixed cast of view tests, and common assertions for views."""

from django.contrib.auth.models import User
from django.test import TestCase
from django.urls import reverse

from judgments.models import Campaign, TestSet

from . import factory


class CastTestCase(TestCase):
    """An owner, a researcher, two annotators and an outsider; a test set, a rating campaign and a
    pairwise campaign, each with one task per annotator."""

    owner: User
    researcher: User
    annotator_1: User
    annotator_2: User
    outsider: User
    test_set: TestSet
    campaign: Campaign
    pairwise: Campaign

    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner", is_staff=True)
        cls.researcher = factory.make_user("researcher")
        cls.annotator_1 = factory.make_user("annotator-1")
        cls.annotator_2 = factory.make_user("annotator-2")
        cls.outsider = factory.make_user("outsider")
        cls.test_set = factory.make_test_set(cls.owner)
        people = {
            "owner": cls.owner,
            "researchers": [cls.researcher],
            "annotators": [cls.annotator_1, cls.annotator_2],
        }
        cls.campaign = factory.make_campaign(cls.test_set, **people)
        cls.pairwise = factory.make_campaign(
            cls.test_set, preset="pairwise", name="Pairwise campaign", **people
        )
        for campaign in (cls.campaign, cls.pairwise):
            for seat, annotator in enumerate([cls.annotator_1, cls.annotator_2], 1):
                factory.make_task(campaign, annotator, seat=seat)

    def get_as(self, user, name, *args, **extra):
        """GET a named URL as a user (None: signed out)."""
        return self.as_user(user).get(reverse(name, args=args), **extra)

    def post_as(self, user, name, *args, data=None, **extra):
        return self.as_user(user).post(reverse(name, args=args), data or {}, **extra)

    def as_user(self, user):
        if user is None:
            self.client.logout()
        else:
            self.client.force_login(user)
        return self.client

    def assert_refused(self, name, *args, users=None, method="get"):
        """Assert that outsiders get 404, annotators 403, and signed-out visitors are sent to sign
        in."""
        expected = users or {
            None: 302,
            self.outsider: 404,
            self.annotator_1: 403,
        }
        for user, status in expected.items():
            client = self.as_user(user)
            response = getattr(client, method)(reverse(name, args=args))
            self.assertEqual(response.status_code, status, f"{user} {method} {name}")
            if user is None:
                self.assertIn("/sign-in/", response["Location"])

    def assert_post_only(self, name, *args):
        """Assert that GET is not allowed, and so changes nothing."""
        response = self.get_as(self.owner, name, *args)
        self.assertEqual(response.status_code, 405, f"GET {name}")
