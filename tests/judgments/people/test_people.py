"""People: who may read and change what, and that the page bears many."""

from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judgments.models import Membership, Role
from tests.base import CastTestCase


class PeopleTests(CastTestCase):
    def test_refused_to_others(self):
        self.assert_refused("campaign-people", self.campaign.pk)

    def test_every_change_is_a_post_by_an_owner(self):
        invitation = self.campaign.invitations.create(created_by=self.owner)
        for name, *args in (
            ("invitation-new", self.campaign.pk),
            ("invitation-close", self.campaign.pk, invitation.pk),
            ("member-new", self.campaign.pk),
        ):
            self.assert_refused(name, *args, method="post")
            self.assert_post_only(name, *args)
            self.assertEqual(self.post_as(self.researcher, name, *args).status_code, 403)

    def test_researchers_see_no_links(self):
        invitation = self.campaign.invitations.create(created_by=self.owner)
        response = self.get_as(self.researcher, "campaign-people", self.campaign.pk)
        self.assertContains(response, "annotator-1")
        self.assertNotContains(response, invitation.token)

    def test_personal_links_are_shown_to_nobody_else(self):
        response = self.get_as(self.owner, "campaign-people", self.campaign.pk)
        for membership in self.campaign.memberships.all():
            self.assertNotContains(response, membership.token)

    def test_make_and_close_a_link(self):
        data = {"invitation-role": "annotator", "invitation-kind": "shared"}
        data |= {"invitation-max_uses": "5"}
        self.post_as(self.owner, "invitation-new", self.campaign.pk, data=data)
        invitation = self.campaign.invitations.get()
        page = self.get_as(self.owner, "campaign-people", self.campaign.pk)
        self.assertContains(page, reverse("join", args=[invitation.token]))
        self.post_as(self.owner, "invitation-close", self.campaign.pk, invitation.pk)
        self.assertFalse(self.campaign.invitations.usable().exists())

    def test_a_link_makes_nobody_an_owner(self):
        data = {"invitation-role": "owner"}
        response = self.post_as(self.owner, "invitation-new", self.campaign.pk, data=data)
        self.assertContains(response, "There is a problem", status_code=422)
        self.assertFalse(self.campaign.invitations.exists())

    def test_links_of_other_campaigns_cannot_be_closed_here(self):
        invitation = self.pairwise.invitations.create(created_by=self.owner)
        response = self.post_as(self.owner, "invitation-close", self.campaign.pk, invitation.pk)
        self.assertEqual(response.status_code, 404)

    def test_add_an_account_and_change_its_role(self):
        for role in ("researcher", "annotator"):
            data = {"member-username": "outsider", "member-role": role}
            self.post_as(self.owner, "member-new", self.campaign.pk, data=data)
            membership = self.campaign.memberships.get(user=self.outsider)
            self.assertEqual(membership.role, role)

    def test_an_unknown_account_is_named(self):
        data = {"member-username": "nobody", "member-role": "researcher"}
        response = self.post_as(self.owner, "member-new", self.campaign.pk, data=data)
        self.assertContains(response, "There is no account “nobody”", status_code=422)

    def test_the_last_owner_stays(self):
        data = {"member-username": "owner", "member-role": "annotator"}
        response = self.post_as(self.owner, "member-new", self.campaign.pk, data=data)
        self.assertContains(response, "A campaign needs an owner", status_code=422)
        self.assertEqual(self.campaign.memberships.get(user=self.owner).role, Role.OWNER)


class ManyMembersTests(CastTestCase):
    def test_they_come_in_pages_with_the_same_few_statements(self):
        people = User.objects.bulk_create(User(username=f"judge-{n:03}") for n in range(218))
        Membership.objects.bulk_create(
            Membership(campaign=self.campaign, user=person, role="annotator", alias=person.username)
            for person in people
        )
        self.as_user(self.owner)
        address = reverse("campaign-people", args=[self.campaign.pk])
        seen, statements = set(), set()
        for page in range(1, 6):
            with CaptureQueriesContext(connection) as captured:
                response = self.client.get(address, {"page": page})
            statements.add(len(captured))
            shown = {member.alias for member in response.context["page"]}
            self.assertLessEqual(len(shown), 50)
            self.assertContains(response, f"Page {page} of 5")
            seen |= shown
        self.assertEqual(len(seen), 218 + 4)
        self.assertEqual(len(statements), 1, statements)
