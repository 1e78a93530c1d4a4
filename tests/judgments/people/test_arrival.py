"""Whoever asks for a judging page is known in one statement, and only as long as Django would."""

from unittest import mock

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import TestCase
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from judgments.models import Membership, ReadingSettings, Role
from judgments.people import arrival
from tests import factory

OK, AWAY = 200, 302


class ArrivalTest(TestCase):
    def setUp(self):
        self.user, self.other = factory.make_user("one"), factory.make_user("other")
        test_set = factory.make_test_set(factory.make_user("owner"))
        self.campaign = factory.make_campaign(test_set, annotators=[self.user, self.other])
        factory.make_task(self.campaign, self.user)
        self.url = reverse("judge-item", args=[self.campaign.pk, 1])
        self.client.force_login(self.user)
        self.assertEqual(self.ask().status_code, OK)
        with CaptureQueriesContext(connection) as captured:
            self.assertEqual(self.ask().status_code, OK)
        # Who it is, their work, the item, the reference.
        self.assertEqual(len(captured), 4, captured.captured_queries)

    def ask(self):
        return self.client.get(self.url)

    def test_the_request_knows_what_django_would_find(self):
        user = self.ask().wsgi_request.user
        self.assertEqual(user, self.user)
        self.assertEqual(user.email, self.user.email)  # was not read with it
        session = self.ask().wsgi_request.session
        self.assertEqual(session["_auth_user_id"], str(self.user.pk))
        self.assertIn("Cookie", self.ask()["Vary"])

    def test_a_session_that_is_signed_out_elsewhere_ends(self):
        Session.objects.all().delete()
        self.assertEqual(self.ask().status_code, AWAY)

    def test_one_that_is_out_of_date_ends(self):
        Session.objects.update(expire_date=timezone.now())
        self.assertEqual(self.ask().status_code, AWAY)

    def test_a_new_password_ends_it(self):
        self.user.set_password("another one entirely")
        self.user.save()
        self.assertEqual(self.ask().status_code, AWAY)

    def test_a_closed_account_ends_it(self):
        self.user.is_active = False
        self.user.save()
        self.assertEqual(self.ask().status_code, AWAY)

    def test_an_account_that_is_gone_ends_it(self):
        self.user.memberships.all().delete()
        self.user.tasks.update(annotator=None)
        self.user.delete()
        self.assertEqual(self.ask().status_code, AWAY)

    def test_a_session_that_now_says_something_else_is_read_anew(self):
        key = self.client.session.session_key
        self.client.logout()
        self.client.force_login(self.other)
        Session.objects.filter(pk=key).delete()
        Session.objects.update(session_key=key)
        self.client.cookies[settings.SESSION_COOKIE_NAME] = key
        self.assertEqual(self.ask().wsgi_request.user, self.other)

    def test_a_removed_member_and_a_new_role_count_at_once(self):
        member = Membership.objects.filter(user=self.user)
        member.update(role=Role.RESEARCHER)
        self.assertEqual(self.ask().status_code, 403)
        member.update(role=Role.ANNOTATOR, removed_at=timezone.now())
        self.assertEqual(self.ask().status_code, 404)
        member.delete()
        self.assertEqual(self.ask().status_code, 404)

    def test_settings_come_along(self):
        self.assertContains(self.ask(), 'data-text-size="100"')
        ReadingSettings.objects.create(user=self.user, text_size=125)
        self.assertContains(self.ask(), 'data-text-size="125"')

    def test_what_is_remembered_is_bounded(self):
        self.enterContext(mock.patch.object(arrival, "MOST_SESSIONS", 1))
        self.client.force_login(self.other)
        self.ask()
        self.assertEqual(len(arrival._seen), 1)
