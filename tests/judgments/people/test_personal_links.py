"""Links of guests: revoked, renewed, used, and what is left of the sessions that they opened."""

from django.test import Client
from django.urls import reverse

from judgments.models import Membership, Project, Role
from judgments.people.members import members as people
from tests import factory
from tests.base import CastTestCase


class LinkTestCase(CastTestCase):
    def setUp(self):
        self.member = self.guest("Grete")
        self.link = self.member.get_return_url()

    def guest(self, alias, campaign=None):
        return Membership.objects.create(
            campaign=campaign or self.campaign,
            user=people.new_guest(),
            role=Role.ANNOTATOR,
            alias=alias,
        )

    def came_back(self, link):
        """A browser of the guest's own, signed in by a link."""
        browser = Client()
        browser.post(link)
        return browser

    def is_in(self, browser):
        return browser.get(reverse("judge", args=[self.campaign.pk])).status_code != 302 or (
            "/sign-in/" not in browser.get(reverse("judge", args=[self.campaign.pk]))["Location"]
        )

    def change(self, name, member=None, user=None):
        member = member or self.member
        return self.post_as(user or self.owner, name, self.campaign.pk, member.pk)


class AccessTests(LinkTestCase):
    def test_every_change_is_a_post_by_an_owner(self):
        for name in ("link-revoke", "link-renew"):
            args = (self.campaign.pk, self.member.pk)
            self.assert_refused(name, *args, method="post")
            self.assert_post_only(name, *args)
            self.assertEqual(self.post_as(self.researcher, name, *args).status_code, 403)
            self.assertEqual(self.post_as(self.member.user, name, *args).status_code, 403)
        self.member.refresh_from_db()
        self.assertEqual(self.member.get_return_url(), self.link)
        self.assertIsNone(self.member.link_revoked_at)

    def test_members_of_other_campaigns_cannot_be_reached_from_here(self):
        other = factory.make_campaign(self.test_set, owner=self.outsider)
        there = self.guest("Hans", other)
        for name in ("link-revoke", "link-renew"):
            self.assertEqual(self.change(name, there).status_code, 404)

    def test_accounts_with_a_password_have_no_link(self):
        member = self.campaign.memberships.get(user=self.annotator_1)
        before = member.user.password
        for name in ("link-revoke", "link-renew"):
            self.assertEqual(self.change(name, member).status_code, 404)
        member.user.refresh_from_db()
        self.assertEqual(member.user.password, before)


class RevokeTests(LinkTestCase):
    def test_the_link_and_all_its_sessions_end(self):
        phone, laptop = self.came_back(self.link), self.came_back(self.link)
        self.assertTrue(self.is_in(phone) and self.is_in(laptop))
        self.change("link-revoke")
        self.assertFalse(self.is_in(phone) or self.is_in(laptop))
        for method in ("get", "post"):
            response = getattr(Client(), method)(self.link)
            self.assertContains(response, "This link is closed", status_code=410)
            self.assertContains(response, "Small campaign", status_code=410)
        self.assertFalse(self.is_in(self.came_back(self.link)))

    def test_other_guests_stay(self):
        other = self.came_back(self.guest("Hans").get_return_url())
        self.change("link-revoke")
        self.assertTrue(self.is_in(other))

    def test_whom_to_ask(self):
        self.owner.first_name, self.owner.last_name = "Anna", "Berg"
        self.owner.save()
        self.change("link-revoke")
        self.assertContains(Client().get(self.link), "Anna Berg", status_code=410)

    def test_an_unknown_link_says_what_may_have_happened(self):
        response = Client().get("/return/nonsense/")
        self.assertContains(response, "replaced by a newer link", status_code=404)

    def test_the_welcome_page_shows_no_link_that_is_dead(self):
        browser = Client()
        Membership.objects.filter(pk=self.member.pk).update(link_revoked_at="2026-01-01T00:00Z")
        browser.force_login(self.member.user)
        response = browser.get(reverse("welcome", args=[self.campaign.pk]))
        self.assertNotContains(response, self.member.token, status_code=410)


class RenewTests(LinkTestCase):
    def renewed(self):
        response = self.change("link-renew")
        self.member.refresh_from_db()
        return response, self.member.get_return_url()

    def test_the_old_link_and_its_sessions_are_dead_at_once(self):
        browser = self.came_back(self.link)
        response, link = self.renewed()
        self.assertContains(response, link)
        self.assertNotEqual(link, self.link)
        self.assertFalse(self.is_in(browser))
        self.assertEqual(Client().get(self.link).status_code, 404)
        self.assertFalse(self.is_in(self.came_back(self.link)))

    def test_a_new_link_after_a_revoked_one(self):
        self.change("link-revoke")
        _, link = self.renewed()
        self.assertTrue(self.is_in(self.came_back(link)))

    def test_what_an_owner_has_seen_opens_only_once(self):
        _, link = self.renewed()
        browser = Client()
        response = browser.post(link)
        self.assertRedirects(response, reverse("welcome", args=[self.campaign.pk]))
        self.member.refresh_from_db()
        own = self.member.get_return_url()
        self.assertNotEqual(own, link)
        self.assertContains(browser.get(response["Location"]), own)
        self.assertFalse(self.is_in(self.came_back(link)))
        self.assertTrue(self.is_in(browser))
        self.assertTrue(self.is_in(self.came_back(own)))

    def test_looking_at_the_new_link_does_not_use_it_up(self):
        _, link = self.renewed()
        Client().get(link)
        self.assertTrue(self.is_in(self.came_back(link)))

    def test_no_link_that_opens_the_campaigns_of_others(self):
        other = factory.make_campaign(self.test_set, owner=self.outsider)
        self.member.user.memberships.create(campaign=other, role="annotator", alias="Grete")
        response = self.change("link-renew")
        self.assertRedirects(response, reverse("campaign-people", args=[self.campaign.pk]))
        self.member.refresh_from_db()
        self.assertEqual(self.member.get_return_url(), self.link)
        other.memberships.create(user=self.owner, role="owner", alias="owner")
        self.assertEqual(self.change("link-renew").status_code, 200)

    def test_no_link_that_opens_the_projects_of_others(self):
        project = Project.objects.create(name="Secret", slug="secret", owner=self.outsider)
        part = project.people.create(user=self.member.user, role="watcher", alias="Grete")
        page = self.post_as(self.owner, "link-renew", self.campaign.pk, self.member.pk, follow=True)
        self.assertContains(page, "campaigns or projects that are not yours")
        self.member.refresh_from_db()
        self.assertEqual(self.member.get_return_url(), self.link)
        project.people.create(user=self.owner, role="manager", alias="owner")
        self.assertEqual(self.change("link-renew").status_code, 200)
        project.people.exclude(pk=part.pk).delete()
        project.people.update(role="annotator")  # who cannot open the project
        self.assertEqual(self.change("link-renew").status_code, 200)


class LastUseTests(LinkTestCase):
    def test_owners_see_when_a_link_was_used_and_when_its_guest_judged(self):
        self.came_back(self.link)
        task = factory.make_task(self.campaign, self.member.user, batch=9)
        task.last_judged_at = "2026-03-04T05:06Z"
        task.save()
        self.member.refresh_from_db()
        used = self.member.link_used_at.strftime("%Y-%m-%d %H:%M")
        page = self.get_as(self.owner, "campaign-people", self.campaign.pk)
        self.assertContains(page, used)
        self.assertContains(page, "2026-03-04 05:06")
        self.assertNotContains(page, self.member.token)

    def test_opening_the_page_is_no_use(self):
        Client().get(self.link)
        self.member.refresh_from_db()
        self.assertIsNone(self.member.link_used_at)

    def test_researchers_are_offered_no_change(self):
        page = self.get_as(self.researcher, "campaign-people", self.campaign.pk)
        for words in ("Revoke", "Create a new link", "Remove", "Link last used", "Shared devices"):
            self.assertNotContains(page, words)
