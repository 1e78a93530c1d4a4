"""Members who are removed, and taken back."""

from functools import partial

from django.urls import reverse

from judgments.models import Campaign, Judgment, Role, TestSet
from judgments.quality.decisions.decisions import decide as decide_about
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase

from ..judging.judge_pages import answers, ticket_in


class MembersTestCase(CastTestCase):
    def setUp(self):
        self.member = self.campaign.memberships.get(user=self.annotator_1)
        self.task = self.campaign.tasks.get(annotator=self.annotator_1)

    def change(self, name, member=None, user=None):
        member = member or self.member
        return self.post_as(user or self.owner, name, self.campaign.pk, member.pk, follow=True)

    def seats(self):
        """Return size and annotator of the seats of their batch but that of annotator-2."""
        seats = self.campaign.tasks.exclude(annotator=self.annotator_2).order_by("seat")
        return list(seats.values_list("n_items", "annotator"))

    def judge_first(self):
        values = {"adequacy": [1, 2, 3], "fluency": [4, 4, 5]}
        return factory.judge(self.task.items.first(), values)


class RemoveTests(MembersTestCase):
    def test_every_change_is_a_post_by_an_owner(self):
        for name in ("member-remove", "member-take-back"):
            args = (self.campaign.pk, self.member.pk)
            self.assert_refused(name, *args, method="post")
            self.assert_post_only(name, *args)
            self.assertEqual(self.post_as(self.researcher, name, *args).status_code, 403)
        self.member.refresh_from_db()
        self.assertIsNone(self.member.removed_at)

    def test_members_of_other_campaigns_cannot_be_reached_from_here(self):
        there = self.pairwise.memberships.get(user=self.annotator_1)
        for name in ("member-remove", "member-take-back"):
            self.assertEqual(self.change(name, there).status_code, 404)

    def test_an_annotator_loses_access_at_once(self):
        item = reverse("judge-item", args=[self.campaign.pk, 1])
        ticket = ticket_in(self.as_user(self.annotator_1).get(item))
        self.change("member-remove")
        for name in ("judge", "judge-items", "judge-instructions", "welcome", "campaign"):
            response = self.get_as(self.annotator_1, name, self.campaign.pk)
            self.assertContains(response, "You no longer take part", status_code=404)
        data = answers() | {"ticket": ticket}
        json = {"headers": {"accept": "application/json"}}
        response = self.client.post(item, data)
        self.assertContains(response, "just sent was not stored", status_code=404)
        response = self.client.post(item, data, **json)
        self.assertEqual((response.status_code, response.json()), (404, {"problem": "removed"}))
        self.assertFalse(Judgment.objects.exists())
        self.assertNotContains(self.get_as(self.annotator_1, "home"), "Small campaign")
        self.assertContains(self.get_as(self.annotator_1, "home"), "Pairwise campaign")

    def test_a_researcher_loses_access_at_once_on_pages_and_in_the_api(self):
        for campaign in (self.campaign, self.pairwise):
            member = campaign.memberships.get(user=self.researcher)
            self.post_as(self.owner, "member-remove", campaign.pk, member.pk)
        self.assertFalse(Campaign.objects.visible_to(self.researcher).exists())
        self.assertFalse(TestSet.objects.visible_to(self.researcher).exists())
        self.as_user(self.researcher)
        for name in ("campaign", "campaign-people", "scores", "exports", "api-scores"):
            response = self.client.get(reverse(name, args=[self.campaign.pk]))
            self.assertEqual(response.status_code, 404, name)
        self.assertEqual(self.client.get("/api/campaigns/").json()["count"], 0)
        self.assertEqual(
            self.client.get(reverse("test-set", args=[self.test_set.pk])).status_code, 404
        )

    def test_an_owner_who_was_removed_manages_nothing(self):
        other = self.campaign.memberships.create(user=self.outsider, role="owner", alias="other")
        self.change("member-remove", self.campaign.memberships.get(user=self.owner), self.outsider)
        response = self.change("member-remove", other)
        self.assertEqual(response.status_code, 404)
        other.refresh_from_db()
        self.assertIsNone(other.removed_at)

    def test_the_last_owner_stays(self):
        owner = self.campaign.memberships.get(user=self.owner)
        self.assertContains(self.change("member-remove", owner), "A campaign needs an owner")
        other = self.campaign.memberships.create(user=self.outsider, role="owner", alias="other")
        self.change("member-remove", other)
        self.assertContains(self.change("member-remove", owner), "A campaign needs an owner")
        owner.refresh_from_db()
        self.assertIsNone(owner.removed_at)
        data = {"member-username": "owner", "member-role": "annotator"}
        response = self.post_as(self.owner, "member-new", self.campaign.pk, data=data)
        self.assertContains(response, "A campaign needs an owner", status_code=422)

    def test_who_removes_themselves_is_led_away(self):
        self.campaign.memberships.create(user=self.outsider, role="owner", alias="other")
        owner = self.campaign.memberships.get(user=self.owner)
        self.assertRedirects(self.change("member-remove", owner), reverse("home"))

    def test_judgments_stay_under_the_name(self):
        judgment = self.judge_first()
        before = self.get_as(self.owner, "export-observations", self.campaign.pk).getvalue()
        self.change("member-remove")
        self.assertTrue(Judgment.objects.filter(pk=judgment.pk).exists())
        self.assertEqual(Selection.of(self.campaign).alias(self.annotator_1.pk), "annotator-1")
        export = self.get_as(self.owner, "export-observations", self.campaign.pk).getvalue()
        self.assertIn(b"annotator-1", export)
        self.assertEqual(export, before)
        overview = self.get_as(self.owner, "campaign", self.campaign.pk)
        self.assertContains(overview, 'annotator-1 <span class="badge">removed</span>')

    def test_the_page_lists_who_was_removed(self):
        self.change("member-remove")
        page = self.get_as(self.owner, "campaign-people", self.campaign.pk).content.decode()
        members, removed = page.split('id="removed"')
        self.assertNotIn("annotator-1", members.split('id="members"')[1])
        self.assertIn("annotator-1", removed)

    def test_an_invitation_does_not_let_them_in_again(self):
        invitation = self.campaign.invitations.create(created_by=self.owner)
        self.change("member-remove")
        for method in ("get", "post"):
            client = self.as_user(self.annotator_1)
            response = getattr(client, method)(invitation.get_absolute_url())
            self.assertContains(response, "You were removed from", status_code=410)
        self.member.refresh_from_db()
        self.assertIsNotNone(self.member.removed_at)

    def test_a_guests_link_says_so(self):
        self.annotator_1.set_unusable_password()
        self.annotator_1.save()
        self.change("member-remove")
        response = self.as_user(None).post(self.member.get_return_url())
        self.assertContains(response, "You were removed from", status_code=410)
        self.assertNotIn("_auth_user_id", self.client.session)


class TakeBackTests(MembersTestCase):
    def test_they_have_their_role_and_their_work_again(self):
        self.judge_first()
        self.change("member-remove")
        self.change("member-take-back")
        self.task.refresh_from_db()
        self.assertEqual((self.task.n_items, self.task.n_judged), (4, 1))
        self.assertFalse(self.campaign.tasks.exclude(rest_of=None).exists())
        page = self.get_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertEqual(page.status_code, 302)
        self.assertEqual(page["Location"], reverse("judge-item", args=[self.campaign.pk, 2]))

    def test_adding_the_account_takes_it_back(self):
        self.change("member-remove")
        data = {"member-username": "annotator-1", "member-role": "researcher"}
        self.post_as(self.owner, "member-new", self.campaign.pk, data=data)
        self.member.refresh_from_db()
        self.assertEqual((self.member.removed_at, self.member.role), (None, Role.RESEARCHER))
        self.assertEqual(self.seats(), [(0, self.annotator_1.pk), (4, None)])


class RoleTests(MembersTestCase):
    def give(self, role):
        data = {"member-username": "annotator-1", "member-role": role}
        self.post_as(self.owner, "member-new", self.campaign.pk, data=data)

    def test_the_rest_of_somebody_who_no_longer_judges_goes_to_others(self):
        self.judge_first()
        self.give("researcher")
        self.assertEqual(self.seats(), [(1, self.annotator_1.pk), (3, None)])
        self.give("annotator")
        self.assertEqual(self.seats(), [(4, self.annotator_1.pk)])

    def test_nothing_moves_if_an_annotator_stays_one(self):
        self.give("annotator")
        self.assertEqual(self.seats(), [(4, self.annotator_1.pk)])

    def test_a_decision_gives_a_researcher_no_items(self):
        self.judge_first()
        decide = partial(decide_about, self.campaign, self.annotator_1, reason="x", by=self.owner)
        decide(excluded=True)
        self.give("researcher")
        decide(excluded=False)
        self.assertEqual(self.seats(), [(1, self.annotator_1.pk), (3, None)])
