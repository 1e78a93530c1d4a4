"""Sessions end with whatever they belong to, and those of an earlier version go on."""

from datetime import timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import TestCase
from django.urls import reverse
from django.utils import timezone

from judgments.models import Membership, Role
from tests import factory


class SessionTest(TestCase):
    def setUp(self):
        self.user = factory.make_user("somebody")
        self.client.force_login(self.user)

    def is_signed_in(self):
        response = self.client.get(reverse("home"))
        return response.wsgi_request.user.is_authenticated

    def test_a_session_lasts_from_request_to_request(self):
        self.assertTrue(self.is_signed_in())
        with self.assertNumQueries(1):
            session = self.client.session
            self.assertEqual(session["_auth_user_id"], str(self.user.pk))

    def test_who_signed_in_to_an_earlier_version_stays_signed_in(self):
        """Rooms were built, and the backend has moved since."""
        session = self.client.session
        session["_auth_user_backend"] = "judgments.backends.ModelBackend"
        session.save()
        self.assertTrue(self.is_signed_in())

    def test_it_ends_with_signing_out_everywhere(self):
        key = self.client.session.session_key
        self.client.post(reverse("logout"))
        self.client.cookies[settings.SESSION_COOKIE_NAME] = key
        self.assertFalse(self.is_signed_in())

    def test_it_ends_with_its_date(self):
        Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
        self.assertFalse(self.is_signed_in())

    def test_it_ends_with_a_new_password(self):
        self.user.set_password("another one entirely")
        self.user.save()
        self.assertFalse(self.is_signed_in())

    def test_it_ends_with_the_account(self):
        self.user.is_active = False
        self.user.save()
        self.assertFalse(self.is_signed_in())

    def test_it_ends_with_an_account_that_is_gone(self):
        self.user.delete()
        self.assertFalse(self.is_signed_in())

    def test_a_removed_member_and_a_new_role_count_at_once(self):
        test_set = factory.make_test_set(factory.make_user("owner"))
        campaign = factory.make_campaign(test_set, annotators=[self.user])
        factory.make_task(campaign, self.user)
        url = reverse("judge-item", args=[campaign.pk, 1])
        member = Membership.objects.filter(user=self.user)
        self.assertEqual(self.client.get(url).status_code, 200)
        member.update(role=Role.RESEARCHER)
        self.assertEqual(self.client.get(url).status_code, 403)
        member.update(role=Role.ANNOTATOR, removed_at=timezone.now())
        self.assertEqual(self.client.get(url).status_code, 404)
        member.delete()
        self.assertEqual(self.client.get(url).status_code, 404)

    def test_a_forged_key_is_nobody(self):
        for key in ("", "x" * 32, "' OR 1=1 --", "%s", '"' + "x" * 32 + '\\000"'):
            self.client.cookies[settings.SESSION_COOKIE_NAME] = key
            self.assertFalse(self.is_signed_in(), key)
