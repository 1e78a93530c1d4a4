"""When a rule says something of people who work in a pool."""

from django.test import TestCase

from judgments.models import Kind, Status
from judgments.quality.rules.verdicts import expected_controls
from tests import factory


class ExpectedTest(TestCase):
    def setUp(self):
        self.owner, self.user = factory.make_user("owner"), factory.make_user("annotator")
        self.campaign = factory.make_campaign(
            factory.make_test_set(self.owner), owner=self.owner, annotators=[self.user]
        )
        own = factory.make_task(self.campaign, self.user)
        own.items.filter(position=0).update(kind=Kind.CHECK)
        self.free = factory.make_task(self.campaign, batch=2)

    def expected(self, **fields):
        for name, value in fields.items():
            setattr(self.campaign, name, value)
        self.campaign.save()
        return {user: dict(found) for user, found in expected_controls(self.campaign).items()}

    def test_in_a_pool_more_come_while_blocks_are_left(self):
        pool = {"pool": True}
        self.assertEqual(self.expected(plan={}), {self.user.pk: {"check": 1}})
        self.assertEqual(self.expected(plan=pool), {self.user.pk: {"check": 3}})
        self.assertEqual(self.expected(status=Status.CLOSED), {self.user.pk: {"check": 1}})
        self.free.delete()
        self.assertEqual(self.expected(status=Status.OPEN), {self.user.pk: {"check": 1}})
