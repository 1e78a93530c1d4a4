"""Dates of a campaign: nobody judges before the start or after the deadline; reminders go once, to
those with unfinished batches; the end comes by itself; more time is one act."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from judgments.judging import queue
from judgments.models import Act, Judgment, Message, Status, Task
from judgments.people.staffing.settings import MINUTE, plain, read, set_staffing
from judgments.plans.campaigns.dates import extend, keep
from judgments.plans.campaigns.tasks import keep_dates, wake
from tests import factory
from tests.base import CastTestCase

DAY = timedelta(days=1)


def in_words(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime(MINUTE)


class DatesTests(CastTestCase):
    def set_dates(self, *, start=None, deadline=None, reminders=()):
        now = timezone.now()
        dates = {"reminders": list(reminders)}
        dates |= {"start": in_words(now + start)} if start is not None else {}
        dates |= {"deadline": in_words(now + deadline)} if deadline is not None else {}
        set_staffing(self.campaign, {"dates": dates})

    def answer(self):
        screen = self.get_as(self.annotator_1, "judge-item", self.campaign.pk, 1)
        answers = {f.name: "3" for f in screen.context["form"].visible_fields()}
        return {"ticket": screen.context["ticket"]} | answers

    def test_before_the_start_a_page_says_when_it_begins(self):
        self.set_dates(start=DAY)
        page = self.get_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertContains(page, "This campaign has not started")
        self.assertContains(page, in_words(timezone.now() + DAY)[:10])
        item = self.get_as(self.annotator_1, "judge-item", self.campaign.pk, 1)
        self.assertEqual(item.status_code, 302)
        with self.assertRaises(queue.NotOpen):
            member = self.campaign.memberships.get(user=self.annotator_2)
            queue.claim(member, timezone.now())

    def test_home_shows_the_deadline_to_annotators(self):
        self.set_dates(deadline=3 * DAY)
        home = self.get_as(self.annotator_1, "home")
        self.assertContains(home, f"The work ends on {in_words(timezone.now() + 3 * DAY)[:10]}")

    def test_an_answer_after_the_deadline_waits_and_is_stored_with_more_time(self):
        said = self.answer()
        self.set_dates(deadline=-DAY)
        where, json = reverse("judge-item", args=[self.campaign.pk, 1]), "application/json"
        late = self.client.post(where, said, headers={"Accept": json})
        self.assertEqual((late.status_code, late.json()["reason"]), (409, "closed"))
        self.assertFalse(Judgment.objects.exists())
        keep(self.campaign.pk, "", timezone.now())
        extended = self.post_as(
            self.owner, "campaign-dates-extend", self.campaign.pk, data={"days": 2}
        )
        self.assertEqual(extended.status_code, 302)
        self.campaign.refresh_from_db()
        self.assertTrue(self.campaign.is_open)
        self.as_user(self.annotator_1)
        stored = self.client.post(where, said, headers={"Accept": json})
        self.assertEqual(stored.status_code, 200)
        self.assertEqual(Judgment.objects.count(), 1)

    def test_it_closes_once_at_the_deadline_and_the_log_says_so(self):
        self.set_dates(deadline=-DAY)
        self.assertContains(
            self.get_as(self.annotator_1, "judge", self.campaign.pk), "This campaign is closed"
        )
        for _ in range(2):
            keep_dates.func(self.campaign.pk, "")
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.status, Status.CLOSED)
        acts = Act.objects.filter(campaign=self.campaign.pk, act="closed at the deadline")
        self.assertEqual(acts.count(), 1)
        log = self.get_as(self.owner, "campaign-log", self.campaign.pk)
        self.assertContains(log, "closed at the deadline")

    def test_after_the_deadline_it_opens_only_with_more_time(self):
        self.set_dates(deadline=-DAY)
        keep_dates.func(self.campaign.pk, "")
        address = ("campaign-status", self.campaign.pk)
        refused = self.post_as(self.owner, *address, data={"status": "open"}, follow=True)
        self.assertContains(refused, "The deadline has passed. First give more time")
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.status, Status.CLOSED)
        self.set_dates(deadline=DAY)
        self.post_as(self.owner, *address, data={"status": "open"})
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.status, Status.OPEN)

    def test_a_deadline_that_was_moved_closes_nothing(self):
        self.set_dates(deadline=DAY)
        keep_dates.func(self.campaign.pk, "")
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.status, Status.OPEN)

    @override_settings(CAN_MAIL=True)
    def test_reminders_go_once_to_those_who_are_not_done(self):
        self.annotator_1.email = self.annotator_2.email = "somebody@example.org"
        self.annotator_1.save()
        self.annotator_2.save()
        done = Task.objects.get(campaign=self.campaign, annotator=self.annotator_2)
        done.n_judged = done.n_items
        done.save()
        self.set_dates(deadline=DAY / 2, reminders=[7, 1])
        for _ in range(2):
            keep_dates.func(self.campaign.pk, "https://eval.example.org/")
        message = Message.objects.get()
        names = message.deliveries.values_list("membership__user__username", flat=True)
        self.assertEqual(list(names), ["annotator-1"])
        from judgments.people.messages.tasks import mail_message

        mail_message.func(message.pk)
        self.assertEqual(len(mail.outbox), 1)
        self.assertIn("Not all of your items are judged yet", mail.outbox[0].body)
        home = self.get_as(self.annotator_1, "home")
        self.assertContains(home, "Not all of your items are judged yet.")

    def test_a_worker_is_asked_for_each_moment_to_come(self):
        self.set_dates(deadline=3 * DAY, reminders=[7, 1])
        wake(self.campaign)
        found = DBTaskResult.objects.filter(task_path=keep_dates.module_path)
        days = sorted((each.run_after - timezone.now()).total_seconds() / 86400 for each in found)
        self.assertEqual([round(each) for each in days], [2, 3])

    def test_the_form_says_what_is_wrong(self):
        for said, words in (
            ({"start": "2027-02-01T12:00", "deadline": "2027-01-01T12:00"}, "after the start"),
            ({"first_reminder": "3"}, "needs a deadline"),
            ({"deadline": "soon"}, "valid date"),
            ({"deadline": "2027-02-01T12:00", "first_reminder": "61"}, "60"),
        ):
            page = self.post_as(self.owner, "campaign-dates", self.campaign.pk, data=said)
            self.assertContains(page, words, status_code=422)
        said = {"start": "2027-01-01T12:00", "deadline": "2027-02-01T12:00", "first_reminder": "3"}
        self.post_as(self.owner, "campaign-dates", self.campaign.pk, data=said)
        self.campaign.refresh_from_db()
        self.assertEqual(
            self.campaign.staffing["dates"],
            {"start": "2027-01-01T12:00", "deadline": "2027-02-01T12:00", "reminders": [3]},
        )
        self.assertEqual(plain(read(self.campaign.staffing)), self.campaign.staffing)

    def test_only_those_who_run_it_set_them(self):
        self.assert_refused("campaign-dates", self.campaign.pk)
        self.assert_refused("campaign-dates-extend", self.campaign.pk, method="post")
        self.assert_post_only("campaign-dates-extend", self.campaign.pk)


@pytest.mark.parametrize(
    "dates",
    [
        {"start": "2027-02-30T12:00"},
        {"start": 7},
        {"start": "2027-01-01T12:00+02:00"},
        {"deadline": "2027-01-01"},
        {"deadline": "2027-01-01T12:00", "reminders": [1, 2, 3]},
        {"deadline": "2027-01-01T12:00", "reminders": [True]},
        {"deadline": "2027-01-01T12:00", "reminders": 3},
        {"end": "2027-01-01T12:00"},
    ],
)
def test_what_is_no_date_is_refused(dates):
    with pytest.raises(ValueError):
        read({"dates": dates})


@pytest.mark.django_db(transaction=True)
def test_more_time_and_the_end_at_the_same_moment_leave_it_open():
    """Whichever comes first: the end that comes second sees the new deadline, and more time that
    comes second opens the campaign again."""
    owner = factory.make_user("owner")
    annotator = factory.make_user("ann")
    test_set = factory.make_test_set(owner)
    campaign = factory.make_campaign(test_set, owner=owner, annotators=[annotator])
    factory.make_task(campaign, annotator)
    for _ in range(5):
        past = in_words(timezone.now() - DAY)
        set_staffing(campaign, {"dates": {"deadline": past}})
        barrier = threading.Barrier(2)

        def at_once(act, barrier=barrier):
            barrier.wait()
            act()
            connection.close()

        acts = (
            lambda: keep(campaign.pk, "", timezone.now()),
            lambda: extend(campaign, 1),
        )
        threads = [threading.Thread(target=at_once, args=[act]) for act in acts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        campaign.refresh_from_db()
        assert campaign.is_open
