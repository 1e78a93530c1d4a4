import threading
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from judgments.models import Campaign, Invitation, Membership, Role
from judgments.people import pseudonyms
from judgments.people.members import members as people
from tests import factory
from tests.base import CastTestCase


class InvitationTests(CastTestCase):
    def setUp(self):
        self.invitation = Invitation.objects.create(campaign=self.campaign, created_by=self.owner)

    def join(self, user=None, **data):
        return self.post_as(user, "join", self.invitation.token, data=data)

    def test_opening_the_link_changes_nothing(self):
        users = get_user_model().objects.count()
        response = self.get_as(None, "join", self.invitation.token)
        self.assertContains(response, "invited to judge")
        self.assertEqual(get_user_model().objects.count(), users)
        self.invitation.refresh_from_db()
        self.assertEqual(self.invitation.uses, 0)

    def test_a_guest_joins_without_a_password_and_gets_a_link_back(self):
        response = self.join(alias="Grete")
        self.assertRedirects(response, reverse("welcome", args=[self.campaign.pk]))
        membership = Membership.objects.get(campaign=self.campaign, alias="Grete")
        self.assertEqual(membership.role, Role.ANNOTATOR)
        self.assertFalse(membership.user.has_usable_password())
        welcome = self.client.get(response["Location"])
        self.assertContains(welcome, membership.get_return_url())
        self.invitation.refresh_from_db()
        self.assertEqual(self.invitation.uses, 1)

    def test_a_guest_without_a_name_gets_one(self):
        before = set(self.campaign.memberships.values_list("pk", flat=True))
        self.join()
        joined = self.campaign.memberships.exclude(pk__in=before).get()
        self.assertTrue(pseudonyms.is_made(joined.alias), joined.alias)

    def test_a_name_is_taken_once(self):
        response = self.join(alias="annotator-1")
        self.assertContains(response, "This name is already taken")

    def test_a_name_with_markup_is_refused(self):
        response = self.join(alias="<b>x</b>")
        self.assertContains(response, "Use letters, digits")
        self.assertNotContains(response, "<b>x</b>")

    def test_an_account_joins_as_itself(self):
        response = self.join(self.outsider)
        self.assertRedirects(
            response, reverse("judge", args=[self.campaign.pk]), fetch_redirect_response=False
        )
        self.assertTrue(self.campaign.memberships.filter(user=self.outsider).exists())

    def test_a_member_stays_what_they_are(self):
        self.join(self.owner)
        role = self.campaign.memberships.get(user=self.owner).role
        self.assertEqual(role, Role.OWNER)
        self.invitation.refresh_from_db()
        self.assertEqual(self.invitation.uses, 0)

    def test_closed_links_let_nobody_in(self):
        now = timezone.now()
        for change in (
            {"closed_at": now},
            {"expires_at": now - timedelta(minutes=1)},
            {"max_uses": 3, "uses": 3},
        ):
            invitation = Invitation.objects.create(
                campaign=self.campaign, created_by=self.owner, **change
            )
            for method in ("get", "post"):
                response = getattr(self.as_user(None), method)(invitation.get_absolute_url())
                self.assertContains(response, "This invitation is closed", status_code=410)

    def test_a_closed_campaign_lets_no_annotator_in(self):
        Campaign.objects.filter(pk=self.campaign.pk).update(status="closed")
        link = self.invitation.get_absolute_url()
        for method in ("get", "post"):
            response = getattr(self.as_user(None), method)(link)
            self.assertContains(response, "or the campaign itself is closed", status_code=410)
        self.invitation.role = Role.RESEARCHER
        self.invitation.save()
        self.assertContains(self.as_user(None).get(link), "read the results")

    def test_an_unknown_token(self):
        self.assertEqual(self.get_as(None, "join", "nonsense").status_code, 404)
        for address in ("/join/%00/", "/return/%00/", "/join/a%0Ab/"):
            self.assertEqual(self.client.get(address).status_code, 404, address)


class ReturnLinkTests(CastTestCase):
    def setUp(self):
        user = people.new_guest()
        self.membership = Membership.objects.create(
            campaign=self.campaign, user=user, role=Role.ANNOTATOR, alias="Grete"
        )
        self.link = self.membership.get_return_url()

    def test_the_link_signs_in_by_a_post_only(self):
        self.assertContains(self.as_user(None).get(self.link), "Grete")
        self.assertNotIn("_auth_user_id", self.client.session)
        response = self.client.post(self.link)
        self.assertRedirects(
            response, reverse("judge", args=[self.campaign.pk]), fetch_redirect_response=False
        )
        self.assertEqual(int(self.client.session["_auth_user_id"]), self.membership.user_id)

    def test_accounts_with_a_password_or_rights_are_never_opened_by_a_link(self):
        for user in (self.owner, self.annotator_1):
            link = self.campaign.memberships.get(user=user).get_return_url()
            self.assertEqual(self.as_user(None).post(link).status_code, 404)
        self.membership.user.is_staff = True
        self.membership.user.save()
        self.assertEqual(self.as_user(None).post(self.link).status_code, 404)

    def test_the_welcome_page_is_the_members_own(self):
        self.assertContains(
            self.get_as(self.membership.user, "welcome", self.campaign.pk), self.link
        )
        self.assertNotContains(
            self.get_as(self.annotator_1, "welcome", self.campaign.pk, follow=False),
            self.link,
            status_code=302,
        )
        self.assertEqual(self.get_as(self.outsider, "welcome", self.campaign.pk).status_code, 404)
        self.assertEqual(self.get_as(None, "welcome", self.campaign.pk).status_code, 404)


@pytest.mark.django_db(transaction=True)
def test_an_invitation_for_three_lets_three_of_ten_in_at_once():
    owner = factory.make_user("owner")
    campaign = factory.make_campaign(factory.make_test_set(owner), owner=owner)
    invitation = Invitation.objects.create(campaign=campaign, created_by=owner, max_uses=3)
    outcomes = []

    def join():
        try:
            people.accept(invitation, None)
            outcomes.append("in")
        except people.InvitationUsedUp:
            outcomes.append("closed")
        finally:
            connection.close()

    threads = [threading.Thread(target=join) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["closed"] * 7 + ["in"] * 3
    assert campaign.memberships.filter(role=Role.ANNOTATOR).count() == 3
