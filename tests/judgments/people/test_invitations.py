"""Links for many people: made, shown, printed, mailed, closed."""

import csv
import io
import smtplib
from unittest import mock

from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings

from judgments.files.guest_list import Guest
from judgments.models import Invitation, MailState
from judgments.people.invitations import links as invitations
from judgments.people.invitations.tasks import mail_invitations
from judgments.web import limits
from tests.base import CastTestCase

LIST = (
    b"name,e-mail,alias\nAda {link},ada@example.org,\nGrace,grace@example.org,swift heron\nEva,,\n"
)
IN_MEMORY = {
    "CAN_MAIL": True,
    "EMAIL_BACKEND": "django.core.mail.backends.locmem.EmailBackend",
}


class SheetTests(CastTestCase):
    def make(self, content=LIST, **data):
        files = {"guests_file": SimpleUploadedFile("people.csv", content)} if content else {}
        return self.post_as(self.owner, "invitations-many", self.campaign.pk, data=files | data)

    def test_refused_to_others(self):
        sheet = invitations.invite_many(self.campaign, [Guest()], by=self.owner)
        for name, method, *args in (
            ("invitations-many", "get"),
            ("invitations-many", "post"),
            ("invitation-sheet", "get", sheet),
            ("invitation-cards", "get", sheet),
            ("invitation-file", "get", sheet),
            ("invitation-mail", "post", sheet),
            ("invitation-sheet-close", "post", sheet),
        ):
            self.assert_refused(name, self.campaign.pk, *args, method=method)
            client = self.as_user(self.researcher)
            from django.urls import reverse

            address = reverse(name, args=[self.campaign.pk, *args])
            self.assertEqual(getattr(client, method)(address).status_code, 403)
        for name in ("invitation-mail", "invitation-sheet-close"):
            self.assert_post_only(name, self.campaign.pk, sheet)

    def test_a_link_for_each_of_a_list(self):
        self.assertEqual(self.make().status_code, 302)
        made = list(self.campaign.invitations.order_by("pk"))
        self.assertEqual(
            [(i.name, i.max_uses, i.sheet) for i in made],
            [("Ada {link}", 1, 1), ("Grace", 1, 1), ("Eva", 1, 1)],
        )
        page = self.get_as(self.owner, "invitation-sheet", self.campaign.pk, 1)
        for invitation in made:
            self.assertContains(page, invitation.token)
        self.assertContains(self.get_as(self.owner, "campaign-people", self.campaign.pk), "Sheet 1")

    def test_one_bad_row_makes_nothing(self):
        response = self.make(LIST + b"Bad,no,\n")
        self.assertContains(response, "people.csv, row 5, column e-mail", status_code=422)
        self.assertFalse(Invitation.objects.exists())

    def test_an_alias_of_a_member_makes_nothing(self):
        response = self.make(b"name,e-mail,alias\nA,,annotator-1\n")
        self.assertContains(response, "annotator-1", status_code=422)
        self.assertFalse(Invitation.objects.exists())

    def test_a_number_of_links(self):
        self.make(b"", n_links="3")
        self.assertEqual(self.campaign.invitations.filter(max_uses=1, sheet=1).count(), 3)
        for data in ({}, {"n_links": "0"}, {"n_links": "2001"}):
            self.assertEqual(self.make(b"", **data).status_code, 422)
        self.assertEqual(self.make(LIST, n_links="3").status_code, 422)

    def test_cards_and_file_have_the_links(self):
        self.make()
        used = self.campaign.invitations.get(name="Eva")
        Invitation.objects.filter(pk=used.pk).update(uses=1)
        cards = self.get_as(self.owner, "invitation-cards", self.campaign.pk, 1)
        self.assertContains(cards, "/join/", count=2)
        self.assertNotContains(cards, used.token)
        file = self.get_as(self.owner, "invitation-file", self.campaign.pk, 1)
        rows = list(csv.DictReader(io.StringIO(file.content.decode())))
        self.assertEqual([row["used"] for row in rows], ["0", "0", "1"])
        self.assertTrue(rows[1]["link"].startswith("http://testserver/join/"))
        self.assertEqual(
            self.get_as(self.owner, "invitation-file", self.campaign.pk, 9).status_code, 404
        )

    def test_the_alias_of_the_list_is_proposed(self):
        self.make()
        invitation = self.campaign.invitations.get(name="Grace")
        self.assertContains(self.as_user(None).get(invitation.get_absolute_url()), "swift heron")

    def test_closing_a_sheet_closes_what_is_open(self):
        self.make()
        self.post_as(self.owner, "invitation-sheet-close", self.campaign.pk, 1)
        self.assertFalse(self.campaign.invitations.usable().exists())


@override_settings(**IN_MEMORY)
class MailTests(CastTestCase):
    def setUp(self):
        guests = [
            Guest("Ada {link}", "ada@example.org"),
            Guest("Eva"),
            Guest("Bo", "bo@example.org"),
        ]
        self.sheet = invitations.invite_many(self.campaign, guests, by=self.owner)
        self.ada = self.campaign.invitations.get(email="ada@example.org")

    def post(self, **data):
        words = {"mail-subject": "To {campaign}", "mail-body": "Hi {name}: {link}"} | data
        return self.post_as(self.owner, "invitation-mail", self.campaign.pk, self.sheet, data=words)

    def work(self, subject="To {campaign}", body="Hi {name}: {link}"):
        return mail_invitations.call(
            self.campaign.pk, self.sheet, subject, body, "https://mt.example.org/"
        )

    def test_the_page_sends_nothing_and_the_worker_all(self):
        self.post()
        self.assertEqual(len(mail.outbox), 0)
        self.assertEqual(self.work(), 2)
        first = mail.outbox[0]
        self.assertEqual(
            (first.subject, first.to), (f"To {self.campaign.name}", ["ada@example.org"])
        )
        link = f"https://mt.example.org{self.ada.get_absolute_url()}"
        self.assertEqual(first.body, f"Hi Ada {{link}}: {link}")
        self.ada.refresh_from_db()
        self.assertEqual(self.ada.mail_state, MailState.SENT)
        self.assertIsNotNone(self.ada.mailed_at)

    def test_nothing_is_sent_twice(self):
        self.post()
        self.work()
        self.post()
        self.assertEqual(self.work(), 0)
        self.assertEqual(len(mail.outbox), 2)

    def test_what_fails_says_why_and_can_be_sent_again(self):
        self.post()
        refused = smtplib.SMTPRecipientsRefused({"ada@example.org": (550, b"No such user")})
        with mock.patch("django.core.mail.EmailMessage.send", side_effect=[refused, 1]):
            self.assertEqual(self.work(), 1)
        self.ada.refresh_from_db()
        self.assertEqual(self.ada.mail_state, MailState.FAILED)
        self.assertIn("No such user", self.ada.mail_problem)
        page = self.get_as(self.owner, "invitation-sheet", self.campaign.pk, self.sheet)
        self.assertContains(page, "No such user")
        self.post()
        self.assertEqual(self.work(), 1)
        self.assertEqual(mail.outbox[-1].to, ["ada@example.org"])

    @override_settings(RATE_LIMITS=1)
    def test_mails_have_a_limit(self):
        with mock.patch.object(limits, "INVITATION_MAILS", limits.Limit("test", 1, 60)):
            self.assertEqual(self.post().status_code, 429)
        self.ada.refresh_from_db()
        self.assertEqual(self.ada.mail_state, MailState.NONE)

    def test_a_mail_without_the_link_is_refused(self):
        response = self.post(**{"mail-body": "Hello"})
        self.assertContains(response, "Put {link}", status_code=422)
        self.ada.refresh_from_db()
        self.assertEqual(self.ada.mail_state, MailState.NONE)

    def test_closed_and_used_links_are_not_mailed(self):
        Invitation.objects.filter(pk=self.ada.pk).update(uses=1)
        self.post()
        self.assertEqual(self.work(), 1)

    def test_a_subject_has_one_line(self):
        self.post()
        self.assertEqual(self.work(subject="A\nBcc: x@example.org"), 2)
        self.assertEqual(mail.outbox[0].subject, "A Bcc: x@example.org")
        self.assertEqual(mail.outbox[0].recipients(), ["ada@example.org"])

    @override_settings(CAN_MAIL=False)
    def test_a_site_without_mail_says_so(self):
        page = self.get_as(self.owner, "invitation-sheet", self.campaign.pk, self.sheet)
        self.assertContains(page, "does not send email")
        self.assertEqual(self.post().status_code, 422)
        self.ada.refresh_from_db()
        self.assertEqual(self.ada.mail_state, MailState.NONE)


class ChoiceTests(CastTestCase):
    def test_a_link_for_one_person(self):
        data = {"invitation-role": "annotator", "invitation-kind": "single"}
        self.post_as(self.owner, "invitation-new", self.campaign.pk, data=data)
        self.assertEqual(self.campaign.invitations.get().max_uses, 1)
        response = self.post_as(
            self.owner, "invitation-new", self.campaign.pk, data=data | {"invitation-max_uses": "5"}
        )
        self.assertContains(response, "closes after one person", status_code=422)
