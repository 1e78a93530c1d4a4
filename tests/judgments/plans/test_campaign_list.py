"""The list of campaigns says how far each is."""

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests import factory
from tests.base import CastTestCase


class CampaignListTests(CastTestCase):
    def test_numbers_and_the_last_judgment(self):
        task = self.campaign.tasks.first()
        factory.judge(task.items.first(), {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]})
        task.refresh_from_db()
        task.last_judged_at = timezone.make_aware(timezone.datetime(2026, 3, 4, 5, 6))
        task.save()
        for name in ("campaigns", "home"):
            response = self.get_as(self.owner, name)
            self.assertContains(response, "1 of 8 (12 %)", count=1)
            self.assertContains(response, "0 of 8 (0 %)", count=1)
            self.assertContains(response, "2026-03-04 05:06")

    def test_a_campaign_without_a_plan_says_so(self):
        self.campaign.tasks.all().delete()
        self.assertContains(self.get_as(self.owner, "campaigns"), "nothing is planned", count=1)

    def test_statements_do_not_grow_with_campaigns(self):
        for name in ("campaigns", "home"):
            self.get_as(self.owner, name)
            with CaptureQueriesContext(connection) as few:
                self.client.get(reverse(name))
            for n in range(3):
                new = factory.make_campaign(self.test_set, name=f"{name} {n}", owner=self.owner)
                factory.make_task(new)
            with CaptureQueriesContext(connection) as many:
                response = self.client.get(reverse(name))
            self.assertContains(response, f"{name} 2")
            self.assertEqual(len(many), len(few))
