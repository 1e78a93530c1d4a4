"""Refusals: the log says them once an hour, and how often."""

import threading

import pytest
from django.db import connections
from django.test import Client, TransactionTestCase
from django.urls import reverse

from judgments.models import Act, Refusals, Result
from tests import factory
from tests.base import CastTestCase


class RefusalsTest(CastTestCase):
    def refuse(self, user, name="campaign-status", *, campaign=None, n=1, status="closed"):
        client = self.as_user(user)
        address = reverse(name, args=[(campaign or self.campaign).pk])
        for _ in range(n):
            self.assertEqual(client.post(address, {"status": status}).status_code, 403)

    @pytest.mark.proof
    def test_300_refused_posts_are_one_row_with_their_number(self):
        self.refuse(self.annotator_1, n=300)
        act = Act.objects.with_times().get()
        self.assertEqual((act.result, act.act), (Result.REFUSED, "campaign-status"))
        self.assertEqual((act.times, act.campaign), (300, self.campaign.pk))

    def test_what_differs_has_rows_of_its_own(self):
        """Another account, another act, another campaign, another hour."""
        self.refuse(self.annotator_1, n=2)
        self.refuse(self.annotator_2)
        self.refuse(self.annotator_1, "campaign-close")
        self.refuse(self.annotator_1, campaign=self.pairwise)
        Refusals.objects.update(hour="2026-01-01T00:00Z")
        self.refuse(self.annotator_1)
        times = list(Act.objects.with_times().order_by("pk").values_list("times", flat=True))
        self.assertEqual(times, [2, 1, 1, 1, 1])

    def test_what_is_done_is_never_folded(self):
        for status in ("paused", "open", "paused"):
            self.post_as(self.owner, "campaign-status", self.campaign.pk, data={"status": status})
        self.assertEqual(Act.objects.with_times().filter(result="done", times=1).count(), 3)

    def test_page_file_and_api_say_how_often(self):
        self.refuse(self.annotator_1, n=3)
        page = self.get_as(self.owner, "campaign-log", self.campaign.pk)
        self.assertContains(page, "Refused</span> 3 times in this hour")
        text = self.get_as(self.owner, "campaign-log-file", self.campaign.pk).getvalue().decode()
        header, *rows = text.splitlines()
        (refused,) = (row for row in rows if "refused" in row)
        self.assertEqual((header.split(",")[-1], refused.split(",")[-1]), ("times", "3"))
        found = self.get_as(self.owner, "api-log", self.campaign.pk).json()["results"]
        self.assertEqual([each["times"] for each in found if each["result"] == "refused"], [3])


class AtOnceTest(TransactionTestCase):
    def test_refusals_at_once_are_one_row(self):
        owner, annotator = factory.make_user("owner"), factory.make_user("annotator-1")
        test_set = factory.make_test_set(owner)
        campaign = factory.make_campaign(test_set, owner=owner, annotators=[annotator])
        address = reverse("campaign-status", args=[campaign.pk])
        start, found = threading.Barrier(4), []

        def ask() -> None:
            client = Client()
            try:
                client.force_login(annotator)
                start.wait(timeout=60)
                found.extend(client.post(address, {}).status_code for _ in range(5))
            finally:
                connections.close_all()

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [403] * 20)
        # The clock may strike between two of them.
        rows = list(Act.objects.with_times())
        self.assertEqual(sum(act.times for act in rows), 20)
        self.assertEqual(len(rows), len({act.at.hour for act in rows}))


@pytest.mark.django_db
def test_the_log_itself_stays_as_it_was_written():
    """The count is in a separate table: no row of the log is changed for it."""
    assert not {"times"} & {field.name for field in Act._meta.get_fields()}
