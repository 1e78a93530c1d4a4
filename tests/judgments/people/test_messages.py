"""Messages: who gets them, who sees what, and mails where an address is known."""

import pytest
from django.core import mail
from django.test import override_settings
from django.urls import reverse

from judgments.models import Delivery, Invitation, MailState, Message
from judgments.people.messages.tasks import mail_message
from tests import factory
from tests.base import CastTestCase

TEXT = "Please read the new example before your next batch."


class MessageTests(CastTestCase):
    def member(self, user):
        return self.campaign.memberships.get(user=user)

    def send(self, *users, **more):
        people = [self.member(user).pk for user in users]
        return self.post_as(
            self.owner,
            "campaign-messages",
            self.campaign.pk,
            data={"text": TEXT, "people": people} | more,
        )

    def test_only_those_who_run_the_campaign_write(self):
        self.assert_refused("campaign-messages", self.campaign.pk)
        self.assert_refused("campaign-messages", self.campaign.pk, method="post")

    def test_one_of_two_sees_it_until_they_have_read_it(self):
        self.send(self.annotator_1)
        for name, args in (("home", ()), ("judge-item", (self.campaign.pk, 1))):
            self.assertContains(self.get_as(self.annotator_1, name, *args), TEXT)
            self.assertNotContains(self.get_as(self.annotator_2, name, *args), TEXT)
        page = self.get_as(self.annotator_1, "judge-item", self.campaign.pk, 1)
        self.assertContains(page, "Message from owner")
        self.assertNotContains(page, "annotator-2")
        message = Message.objects.get()
        posted = self.post_as(
            self.annotator_1,
            "judge-messages",
            self.campaign.pk,
            data={"message": message.pk, "stays": "on"},
        )
        self.assertEqual(posted.status_code, 204, "browsers stay on the page of the answer")
        self.assertNotContains(self.get_as(self.annotator_1, "home"), TEXT)
        page = self.get_as(self.owner, "campaign-messages", self.campaign.pk)
        self.assertContains(page, "read 20")

    def test_nobody_reads_it_for_another(self):
        self.send(self.annotator_1)
        data = {"message": Message.objects.get().pk}
        self.post_as(self.annotator_2, "judge-messages", self.campaign.pk, data=data)
        self.assertIsNone(Delivery.objects.get().read_at)

    def test_it_is_in_the_file_of_what_is_stored_about_them(self):
        self.send(self.annotator_1)
        self.assertContains(self.get_as(self.annotator_1, "my-data-file"), TEXT)
        self.assertNotContains(self.get_as(self.annotator_2, "my-data-file"), TEXT)

    def test_outsiders_and_owners_read_none(self):
        for user, status in ((self.outsider, 404), (self.owner, 403), (self.researcher, 403)):
            for call in (self.get_as, self.post_as):
                answer = call(user, "judge-messages", self.campaign.pk)
                self.assertEqual(answer.status_code, status)

    def test_who_is_written_to_has_to_be_said(self):
        self.assertEqual(self.send().status_code, 422)
        self.assertEqual(self.send(self.annotator_1, everybody="on").status_code, 422)
        elsewhere = self.pairwise.memberships.get(user=self.annotator_1)
        answer = self.post_as(
            self.owner,
            "campaign-messages",
            self.campaign.pk,
            data={"text": TEXT, "people": [elsewhere.pk]},
        )
        self.assertEqual(answer.status_code, 422)
        self.assertEqual(self.send(self.annotator_1, text="x" * 2001).status_code, 422)
        self.assertFalse(Message.objects.exists())

    def test_what_is_written_is_no_markup(self):
        self.send(everybody="on", text="<script>alert(1)</script>")
        self.assertNotContains(self.get_as(self.annotator_1, "home"), "<script>alert")

    def test_an_answer_tells_the_screen_that_there_is_one(self):
        screen = self.get_as(self.annotator_1, "judge-item", self.campaign.pk, 1)
        self.send(self.annotator_1)
        answers = {f.name: "3" for f in screen.context["form"].visible_fields()}
        answer = self.as_user(self.annotator_1).post(
            reverse("judge-item", args=[self.campaign.pk, 1]),
            {"ticket": screen.context["ticket"]} | answers,
            headers={"Accept": "application/json"},
        )
        self.assertEqual(answer.status_code, 200)
        self.assertIs(answer.json()["message"], True)
        part = self.get_as(self.annotator_1, "judge-messages", self.campaign.pk)
        self.assertContains(part, TEXT)

    @override_settings(CAN_MAIL=True)
    def test_mails_go_to_accounts_and_to_links_for_one(self):
        self.annotator_1.email = "one@example.org"
        self.annotator_1.save()
        guest = self.member(self.annotator_2)
        guest.invitation = Invitation.objects.create(
            campaign=self.campaign, created_by=self.owner, max_uses=1, email="two@example.org"
        )
        guest.save()
        self.send(everybody="on", by_mail="on")
        message = Message.objects.get()
        for _ in range(2):  # as a worker that was killed and comes again
            mail_message.func(message.pk)
        self.assertEqual(
            sorted(each.to[0] for each in mail.outbox), ["one@example.org", "two@example.org"]
        )
        body = mail.outbox[0].body
        self.assertIn(TEXT, body)
        self.assertIn(f"/judge/{self.campaign.pk}/", body)
        self.assertEqual(message.deliveries.filter(mail_state=MailState.SENT).count(), 2)


@pytest.mark.django_db
def test_of_somebody_erased_no_delivery_stays():
    from judgments.people.messages.messages import annotators_of, send
    from judgments.people.my_data.erasure import erase

    owner, annotator = factory.make_user("owner"), factory.make_user("ann")
    test_set = factory.make_test_set(owner)
    campaign = factory.make_campaign(test_set, owner=owner, annotators=[annotator])
    send(campaign, annotators_of(campaign), text=TEXT, sender="owner")
    erase(annotator, by="test", reason="asked", judgments=False)
    assert not Delivery.objects.exists()
    assert Message.objects.get().text == TEXT
