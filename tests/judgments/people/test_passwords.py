"""Changing the password, and a new one by mail."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client, override_settings
from django.urls import reverse
from django_tasks_db.models import DBTaskResult

from judgments.models import Membership
from judgments.people.members import members as people
from mteval_site import environment
from tests import factory
from tests.base import CastTestCase

NEW = "a quite different one 7"
CHANGE = {"old_password": factory.PASSWORD, "new_password1": NEW, "new_password2": NEW}


class AccountTests(CastTestCase):
    def test_everybody_has_a_page(self):
        for user in (self.owner, self.annotator_1, self.outsider):
            response = self.get_as(user, "account")
            self.assertContains(response, f"You are signed in as {user.username}.")
            self.assertContains(response, reverse("password-change"))
            self.assertContains(response, reverse("tokens"))
        for name in ("account", "password-change"):
            self.assertIn("/sign-in/", self.get_as(None, name)["Location"])

    def test_the_menu_leads_there(self):
        self.assertContains(self.get_as(self.owner, "home"), f'href="{reverse("account")}"')

    def test_a_guest_has_no_password_to_change(self):
        guest = people.new_guest("Grete")
        Membership.objects.create(campaign=self.campaign, user=guest, alias="Grete")
        response = self.get_as(guest, "account")
        self.assertContains(response, "This account has no password.")
        self.assertNotContains(response, reverse("password-change"))
        for act in (self.get_as, self.post_as):
            self.assertRedirects(act(guest, "password-change"), reverse("account"))
        guest.refresh_from_db()
        self.assertFalse(guest.has_usable_password())

    def test_annotators_read_it_in_their_language(self):
        response = self.get_as(self.annotator_1, "account", headers={"accept-language": "cs"})
        self.assertContains(response, "Váš účet")


class PasswordChangeTests(CastTestCase):
    def signed_in(self):
        client = Client()
        data = {"username": "owner", "password": factory.PASSWORD}
        self.assertEqual(client.post(reverse("login"), data).status_code, 302)
        return client

    def is_signed_in(self, client):
        return client.get(reverse("account")).status_code == 200

    def test_the_sessions_of_other_devices_end(self):
        here, there = self.signed_in(), self.signed_in()
        response = here.post(reverse("password-change"), CHANGE, follow=True)
        self.assertContains(response, "You were signed out everywhere else.")
        self.assertTrue(self.is_signed_in(here))
        self.assertFalse(self.is_signed_in(there))
        data = {"username": "owner", "password": NEW}
        self.assertEqual(there.post(reverse("login"), data).status_code, 302)

    def test_errors_are_told_in_words(self):
        client = self.signed_in()
        for changed, said in (
            ({"old_password": "wrong"}, "Your old password was entered incorrectly"),
            ({"new_password2": "other"}, "The two password fields didn"),
            ({"new_password1": "owner1", "new_password2": "owner1"}, "too short"),
        ):
            response = client.post(reverse("password-change"), CHANGE | changed)
            self.assertContains(response, "There is a problem")
            self.assertContains(response, said)
        self.assertTrue(
            get_user_model().objects.get(username="owner").check_password(factory.PASSWORD)
        )

    def test_the_old_password_cannot_be_guessed_in_a_session_left_open(self):
        client = self.signed_in()
        wrong = CHANGE | {"old_password": "wrong"}
        statuses = [client.post(reverse("password-change"), wrong).status_code for _ in range(21)]
        self.assertEqual(statuses, [200] * 20 + [429])
        self.assertEqual(client.post(reverse("password-change"), CHANGE).status_code, 429)


@override_settings(CAN_MAIL=True)
class PasswordResetTests(CastTestCase):
    def setUp(self):
        self.owner.email = "owner@example.org"
        self.owner.save()

    @pytest.fixture(autouse=True)
    def worker(self, run_tasks):
        self.run_tasks = run_tasks

    def ask(self, address, **extra):
        return Client().post(reverse("password-reset"), {"email": address}, **extra)

    def link(self):
        (sent,) = mail.outbox
        return re.search(r"^http://testserver(/\S+)$", sent.body, re.MULTILINE)[1]

    def test_by_mail(self):
        old = Client()
        old.force_login(self.owner)
        self.assertRedirects(self.ask("Owner@example.org"), reverse("password-reset-sent"))
        self.run_tasks()
        (sent,) = mail.outbox
        self.assertEqual(sent.to, ["owner@example.org"])
        self.assertEqual(sent.subject, "A new password for mteval")
        self.assertIn("the account owner on http://testserver/", sent.body)
        device = Client()
        response = device.get(self.link(), follow=True)
        self.assertNotIn(self.link(), response.redirect_chain[-1][0], "no secret in the address")
        data = {"new_password1": NEW, "new_password2": NEW}
        response = device.post(response.redirect_chain[-1][0], data, follow=True)
        self.assertContains(response, "Your password was changed, and you are signed in.")
        self.assertEqual(device.get(reverse("account")).status_code, 200)
        self.assertEqual(old.get(reverse("account")).status_code, 302, "other devices are out")
        self.assertContains(
            Client().get(self.link(), follow=True), "This link has already been used"
        )

    def test_the_answer_and_its_work_are_the_same_for_an_unknown_address(self):
        known, unknown = self.ask("owner@example.org"), self.ask("nobody@example.org")
        self.assertEqual(known.status_code, unknown.status_code)
        self.assertEqual(known["Location"], unknown["Location"])
        self.assertEqual(known.content, unknown.content)
        self.assertEqual(DBTaskResult.objects.count(), 2)
        self.run_tasks()
        self.assertEqual(len(mail.outbox), 1)

    def test_nothing_that_opens_an_account_waits_in_the_queue(self):
        self.ask("owner@example.org")
        queued = str(DBTaskResult.objects.values_list("args_kwargs", flat=True)[0])
        self.assertIn("owner@example.org", queued)
        self.assertNotIn("new-password", queued)

    def test_accounts_without_a_password_get_none(self):
        guest = people.new_guest("Grete")
        guest.email = "grete@example.org"
        guest.save()
        self.outsider.email, self.outsider.is_active = "out@example.org", False
        self.outsider.save()
        self.ask("grete@example.org")
        self.ask("out@example.org")
        self.run_tasks()
        self.assertEqual(mail.outbox, [])

    def test_nobody_gets_a_flood_of_mails(self):
        for n in range(6):
            response = self.ask("owner@example.org", REMOTE_ADDR=f"192.0.2.{n}")
            self.assertEqual(response.status_code, 302)
        self.run_tasks()
        self.assertEqual(len(mail.outbox), 3)

    def test_addresses_cannot_be_tried_by_the_thousand(self):
        statuses = [self.ask(f"{n}@example.org").status_code for n in range(31)]
        self.assertEqual(statuses, [302] * 30 + [429])

    def test_in_the_language_of_who_asks(self):
        self.ask("owner@example.org", headers={"accept-language": "de"})
        self.run_tasks()
        self.assertEqual(mail.outbox[0].subject, "Ein neues Passwort für mteval")

    def test_a_person_whose_name_is_closed_gets_in_by_mail(self):
        def status(**data):
            return Client().post(reverse("login"), {"username": "owner", **data}).status_code

        self.assertEqual([status(password="wrong") for _ in range(10)][-1], 429)
        self.ask("owner@example.org")
        self.run_tasks()
        device = Client()
        address = device.get(self.link(), follow=True).redirect_chain[-1][0]
        device.post(address, {"new_password1": NEW, "new_password2": NEW})
        device.post(reverse("logout"))
        right = {"username": "owner", "password": NEW}
        self.assertEqual(device.post(reverse("login"), right).status_code, 302)
        self.assertEqual(status(password=NEW), 429, "strangers still wait")

    @override_settings(CAN_MAIL=False, OPERATOR_CONTACT="mt@example.org")
    def test_without_mail_the_page_says_whom_to_ask(self):
        for response in (self.get_as(None, "password-reset"), self.ask("owner@example.org")):
            self.assertContains(response, "contact the person who runs it: mt@example.org.")
            self.assertNotContains(response, 'type="email"')
        self.assertEqual(DBTaskResult.objects.count(), 0)

    def test_links_that_are_none(self):
        for address in ("MQ/abc/", "MQ/set-password/", "xx/abc-def/"):
            response = Client().get(f"/account/new-password/{address}")
            self.assertContains(response, "This link has already been used or has expired.")


@pytest.mark.parametrize(
    ("url", "host", "port", "tls", "ssl"),
    [
        ("smtp+tls://me:p%40ss@mail.example.org", "mail.example.org", 587, True, False),
        ("smtps://mail.example.org:2465", "mail.example.org", 2465, False, True),
        ("smtp://localhost", "localhost", 25, False, False),
    ],
)
def test_the_address_of_the_mail_server(url, host, port, tls, ssl):
    found = environment.mail(url)
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"]) == (host, port)
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (tls, ssl)
    if "me:" in url:
        assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("me", "p@ss")


@pytest.mark.parametrize("url", ["mail.example.org", "http://example.org", "smtp://", "smtp://a:b"])
def test_an_address_of_a_mail_server_that_is_none(url):
    with pytest.raises(environment.ImproperlyConfigured, match="EMAIL_URL"):
        environment.mail(url)
