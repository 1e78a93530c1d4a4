"""One person in two windows: who is asked, what the manager sees, who gets which items."""

from datetime import timedelta
from ipaddress import ip_network

from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from judgments.models import DeviceMark, Invitation, Membership, Task
from judgments.people import devices
from tests import factory
from tests.base import CastTestCase

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1"


def window(address="198.51.100.7", agent=FIREFOX):
    """A browser without cookies: a private window, or another device."""
    return Client(REMOTE_ADDR=address, headers={"User-Agent": agent})


class DevicesTestCase(CastTestCase):
    def setUp(self):
        self.campaign.tasks.all().delete()
        for seat in (1, 2):
            factory.make_task(self.campaign, seat=seat)
        self.invitation = Invitation.objects.create(campaign=self.campaign, created_by=self.owner)
        self.link = self.invitation.get_absolute_url()

    def join(self, browser, alias, **data):
        response = browser.post(self.link, {"alias": alias} | data)
        self.assertEqual(response.status_code, 302, response.content.decode()[:2000])
        return self.campaign.memberships.get(alias=alias)

    def claim(self, browser):
        browser.post(reverse("judge", args=[self.campaign.pk]))

    def holders(self):
        held = Task.objects.filter(campaign=self.campaign).exclude(annotator=None)
        members = Membership.objects.filter(
            campaign=self.campaign, user__in=held.values("annotator")
        )
        return set(members.values_list("alias", flat=True))


class AskedTests(DevicesTestCase):
    def test_a_browser_that_belongs_to_a_member_is_asked(self):
        browser = window()
        self.join(browser, "Grete")
        page = browser.get(self.link)
        self.assertContains(page, "You already take part here as Grete")
        self.assertContains(page, "Continue as Grete")
        self.assertContains(page, "I am a different person")
        judge = reverse("judge", args=[self.campaign.pk])
        self.assertRedirects(browser.post(self.link), judge)
        self.assertEqual(self.invitation_uses(), 1)

    def test_signed_out_the_browser_is_still_known_but_signs_nobody_in(self):
        browser = window()
        self.join(browser, "Grete")
        browser.post(reverse("logout"))
        page = browser.get(self.link)
        self.assertContains(page, "If you are Grete, open your own link")
        self.assertNotContains(page, "Continue as Grete")
        asked = browser.post(self.link, {"alias": "Hans"})
        self.assertContains(asked, "If you are Grete, open your own link")
        self.assertEqual(self.invitation_uses(), 1)
        self.assertNotIn("_auth_user_id", browser.session)

    def test_another_person_joins_as_such(self):
        browser = window()
        grete = self.join(browser, "Grete")
        hans = self.join(browser, "Hans", other="yes")
        self.assertNotEqual(grete.user, hans.user)
        self.assertEqual(int(browser.session["_auth_user_id"]), hans.user_id)
        page = browser.get(self.link)
        self.assertContains(page, "You already take part here as Hans")
        self.assertContains(page, "If you are Grete")

    def test_a_familiar_window_is_told_without_a_name(self):
        self.join(window(), "Grete")
        page = window().get(self.link)
        self.assertContains(page, "Someone has joined from this network")
        self.assertNotContains(page, "Grete")
        for other in (window(agent=SAFARI), window(address="198.51.100.8")):
            self.assertNotContains(other.get(self.link), "Someone has joined from this network")

    def test_opening_an_invitation_sets_no_cookie(self):
        browser = window()
        browser.get(self.link)
        self.assertNotIn(devices.COOKIE, browser.cookies)

    def test_the_cookie_is_out_of_reach_of_scripts_and_cannot_be_made_up(self):
        browser = window()
        self.join(browser, "Grete")
        cookie = browser.cookies[devices.COOKIE]
        self.assertTrue(cookie["httponly"])
        self.assertEqual(cookie["samesite"], "Lax")
        other = window(agent=SAFARI)
        other.cookies[devices.COOKIE] = cookie.value.split(":")[0] + ":a:b"
        self.assertNotContains(other.get(self.link), "Grete")

    def test_who_was_removed_is_not_named(self):
        browser = window()
        grete = self.join(browser, "Grete")
        self.post_as(self.owner, "member-remove", self.campaign.pk, grete.pk)
        browser.post(reverse("logout"))
        self.assertNotContains(browser.get(self.link), "Grete")

    def invitation_uses(self):
        self.invitation.refresh_from_db()
        return self.invitation.uses


class AssignmentTests(DevicesTestCase):
    def test_two_members_of_one_browser_never_hold_both_seats(self):
        browser = window()
        self.join(browser, "Grete")
        self.claim(browser)
        self.join(browser, "Hans", other="yes")
        self.claim(browser)
        self.assertEqual(self.holders(), {"Grete"})
        page = browser.get(reverse("judge", args=[self.campaign.pk]))
        self.assertContains(page, "Nothing to judge yet")
        other = window("203.0.113.9", SAFARI)
        self.join(other, "Uwe")
        self.claim(other)
        self.assertEqual(self.holders(), {"Grete", "Uwe"})

    def test_two_private_windows_never_hold_both_seats(self):
        one, two = window(), window()
        for browser, alias in ((one, "Grete"), (two, "Hans")):
            self.join(browser, alias)
            self.claim(browser)
        self.assertEqual(self.holders(), {"Grete"})

    def test_a_window_and_a_private_one_never_hold_both_seats(self):
        """The first has its name from another campaign."""
        named = window()
        elsewhere = Invitation.objects.create(campaign=self.pairwise, created_by=self.owner)
        named.post(elsewhere.get_absolute_url())
        named.post(reverse("logout"))
        for browser, alias in ((named, "Grete"), (window(), "Hans")):
            self.join(browser, alias)
            self.claim(browser)
        self.assertEqual(self.holders(), {"Grete"})

    def test_two_browsers_with_names_are_told_apart(self):
        elsewhere = Invitation.objects.create(campaign=self.pairwise, created_by=self.owner)
        for alias in ("Grete", "Hans"):
            browser = window()
            browser.post(elsewhere.get_absolute_url())
            browser.post(reverse("logout"))
            self.join(browser, alias)
            self.claim(browser)
        self.assertEqual(self.holders(), {"Grete", "Hans"})

    def test_until_an_owner_says_that_they_are_different_people(self):
        one, two, three = window(), window(), window()
        self.join(one, "Grete")
        self.claim(one)
        self.join(two, "Hans")
        (group,) = devices.groups_of(self.campaign)
        self.post_as(self.owner, "devices-accept", self.campaign.pk, group.pk)
        self.claim(two)
        self.assertEqual(self.holders(), {"Grete", "Hans"})
        # The decision did not cover people who join later.
        self.join(three, "Uwe")
        factory.make_task(self.campaign, seat=3)
        self.claim(three)
        self.assertEqual(self.holders(), {"Grete", "Hans"})

    def test_of_one_browser_no_owner_says_so(self):
        browser = window()
        self.join(browser, "Grete")
        self.join(browser, "Hans", other="yes")
        for mark in DeviceMark.objects.filter(kind="browser"):
            response = self.post_as(self.owner, "devices-accept", self.campaign.pk, mark.pk)
            self.assertEqual(response.status_code, 404)

    def test_accounts_with_passwords_are_known_from_their_first_batch_on(self):
        browser = window()
        for user in (self.annotator_1, self.annotator_2):
            browser.force_login(user)
            self.claim(browser)
        self.assertEqual(self.holders(), {"annotator-1"})

    def test_two_batches_may_be_shared_out(self):
        factory.make_task(self.campaign, batch=2)
        browser = window()
        self.join(browser, "Grete")
        self.claim(browser)
        self.join(browser, "Hans", other="yes")
        self.claim(browser)
        self.assertEqual(self.holders(), {"Grete", "Hans"})
        batches = Task.objects.filter(campaign=self.campaign).exclude(annotator=None)
        self.assertEqual(set(batches.values_list("batch", flat=True)), {1, 2})

    def test_a_proxy_that_hides_addresses_makes_no_network(self):
        for alias in ("Grete", "Hans"):
            browser = window()
            browser.defaults["HTTP_X_FORWARDED_FOR"] = "203.0.113.1"
            self.join(browser, alias)
            self.claim(browser)
        self.assertEqual(self.holders(), {"Grete", "Hans"})

    @override_settings(TRUSTED_PROXIES=[ip_network("198.51.100.7")])
    def test_a_trusted_proxy_tells_networks_apart(self):
        visitors = (("Grete", "203.0.113.1"), ("Uwe", "203.0.113.1"), ("Hans", "192.0.2.1"))
        for alias, address in visitors:
            browser = window()
            browser.defaults["HTTP_X_FORWARDED_FOR"] = address
            self.join(browser, alias)
            self.claim(browser)
        self.assertEqual(self.holders(), {"Grete", "Hans"})


class ShownTests(DevicesTestCase):
    def test_the_owner_sees_who_shares_what(self):
        browser = window()
        self.join(browser, "Grete")
        self.join(browser, "Hans", other="yes")
        self.assertEqual([g.kind for g in devices.groups_of(self.campaign)], ["browser"])
        self.join(window(), "Uwe")
        groups = devices.groups_of(self.campaign)
        found = [(g.kind.value, [m.alias for m in g.members], g.n_batches) for g in groups]
        self.assertEqual(
            found, [("browser", ["Grete", "Hans"], 0), ("network", ["Grete", "Hans", "Uwe"], 0)]
        )
        page = self.get_as(self.owner, "campaign-people", self.campaign.pk)
        self.assertContains(page, "Same network and kind of browser, when they joined")
        for task, alias in zip(self.campaign.tasks.all(), ("Grete", "Hans"), strict=True):
            task.annotator = self.campaign.memberships.get(alias=alias).user
            task.save()
        self.assertEqual([g.n_batches for g in devices.groups_of(self.campaign)], [1, 1])

    def test_quality_control_leads_there(self):
        task = self.campaign.tasks.first()
        task.annotator = self.annotator_1
        task.save()
        factory.judge(task.items.first(), {"adequacy": [1, 2, 3], "fluency": [4, 4, 5]})
        words = "Some members may be one person"
        self.assertNotContains(self.get_as(self.owner, "quality", self.campaign.pk), words)
        browser = window()
        self.join(browser, "Grete")
        self.join(browser, "Hans", other="yes")
        self.assertContains(self.get_as(self.owner, "quality", self.campaign.pk), words)
        self.assertNotContains(self.get_as(self.researcher, "quality", self.campaign.pk), words)

    def test_the_overview_says_why_batches_may_be_left(self):
        words = "Some members may be one person, so they are not given"
        self.assertNotContains(self.get_as(self.owner, "campaign", self.campaign.pk), words)
        for alias in ("Grete", "Hans"):
            self.join(window(), alias)
        self.assertContains(self.get_as(self.owner, "campaign", self.campaign.pk), words)
        self.assertNotContains(self.get_as(self.researcher, "campaign", self.campaign.pk), words)
        (group,) = devices.groups_of(self.campaign)
        self.post_as(self.owner, "devices-accept", self.campaign.pk, group.pk)
        self.assertNotContains(self.get_as(self.owner, "campaign", self.campaign.pk), words)

    def test_an_empty_list_says_so(self):
        page = self.get_as(self.owner, "campaign-people", self.campaign.pk)
        self.assertContains(page, "No two members have used the same browser")

    def test_only_owners_decide(self):
        self.join(window(), "Grete")
        mark = DeviceMark.objects.get(kind="network")
        args = ("devices-accept", self.campaign.pk, mark.pk)
        self.assert_refused(*args, method="post")
        self.assert_post_only(*args)
        self.assertEqual(self.post_as(self.researcher, *args).status_code, 403)
        elsewhere = ("devices-accept", self.pairwise.pk, mark.pk)
        self.assertEqual(self.post_as(self.owner, *elsewhere).status_code, 404)
        mark.refresh_from_db()
        self.assertIsNone(mark.accepted_at)


class KeptTests(DevicesTestCase):
    def test_nothing_that_could_be_read_is_stored(self):
        browser = window()
        self.join(browser, "Grete")
        name = browser.cookies[devices.COOKIE].value.split(":")[0]
        for mark in DeviceMark.objects.all():
            self.assertRegex(mark.mark, r"\A[0-9a-f]{64}\Z")
            self.assertNotIn(name, mark.mark)

    def test_another_campaign_and_another_secret_give_other_codes(self):
        one = devices.mark_of(self.campaign, "browser", "name")
        self.assertNotEqual(one, devices.mark_of(self.pairwise, "browser", "name"))
        with self.settings(SECRET_KEY="another"):
            self.assertNotEqual(one, devices.mark_of(self.campaign, "browser", "name"))

    def test_what_was_not_seen_for_half_a_year_is_forgotten(self):
        self.join(window(), "Grete")
        long_ago = timezone.now() - devices.KEPT
        DeviceMark.objects.update(last_seen=long_ago + timedelta(hours=1))
        self.join(window("203.0.113.9"), "Hans")
        self.assertEqual(DeviceMark.objects.count(), 4)
        DeviceMark.objects.filter(membership__alias="Grete").update(last_seen=long_ago)
        self.join(window("203.0.113.10"), "Uwe")
        marks = DeviceMark.objects.values_list("membership__alias", flat=True)
        self.assertEqual(sorted(marks), ["Hans", "Hans", "Uwe", "Uwe"])

    def test_a_second_visit_is_the_same_mark(self):
        browser = window()
        grete = self.join(browser, "Grete")
        self.claim(browser)
        browser.post(reverse("logout"))
        browser.post(Membership.objects.get(pk=grete.pk).get_return_url())
        self.assertEqual(grete.marks.filter(kind="browser").count(), 1)
