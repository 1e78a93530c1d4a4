"""The pages that delete: who sees them, what they say, and what has to be typed."""

from django.urls import reverse

from judgments.models import Act, Campaign, DeletedCampaign, Status, System, TestSet
from tests import factory
from tests.base import CastTestCase

NAMES = ("campaign-delete", "test-set-delete", "system-delete")


class DeletionTestCase(CastTestCase):
    def address(self, name):
        system = self.test_set.systems.order_by("name").last()
        return {
            "campaign-delete": [self.campaign.pk],
            "test-set-delete": [self.test_set.pk],
            "system-delete": [self.test_set.pk, system.pk],
        }[name]

    def delete(self, address, **data):
        return self.post_as(self.owner, address, *self.address(address), data=data)

    def close(self):
        Campaign.objects.update(status=Status.CLOSED)
        self.campaign.refresh_from_db()


class AccessTest(DeletionTestCase):
    def test_outsiders_and_members(self):
        operator = factory.make_user("root", is_superuser=True)
        of_campaign = {None: 302, self.outsider: 404, self.annotator_1: 403, self.researcher: 403}
        of_texts = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for name in NAMES:
            users = of_campaign | {operator: 403} if name == "campaign-delete" else of_texts
            for method in ("get", "post"):
                self.assert_refused(name, *self.address(name), users=users, method=method)
        self.assertEqual(Campaign.objects.count(), 2)
        self.assertEqual(System.objects.count(), 3)

    def test_systems_of_another_test_set(self):
        other = factory.make_test_set(self.outsider, name="Other")
        response = self.get_as(
            self.owner, "system-delete", self.test_set.pk, other.systems.first().pk
        )
        self.assertEqual(response.status_code, 404)

    def test_links_are_for_those_who_may(self):
        operator = factory.make_user("root", is_superuser=True)
        for name, page, others in (
            ("campaign-delete", self.campaign, [self.researcher, operator]),
            ("test-set-delete", self.test_set, [self.researcher]),
            ("system-delete", self.test_set, [self.researcher]),
        ):
            link = reverse(name, args=self.address(name))
            for user in [self.owner, *others]:
                shown = self.as_user(user).get(page.get_absolute_url()).content.decode()
                self.assertEqual(link in shown, user == self.owner, (name, user))


class CampaignTest(DeletionTestCase):
    name = "campaign-delete"

    def judge(self):
        for item in self.campaign.tasks.first().items.all():
            factory.judge(item, {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]})

    def test_an_open_one_is_refused(self):
        page = self.get_as(self.owner, self.name, self.campaign.pk)
        self.assertContains(page, "The campaign is open. Close it first.")
        self.assertNotContains(page, "<textarea")
        response = self.delete(self.name, name=self.campaign.name, reason="Misread.")
        self.assertContains(response, "Close it first", status_code=422)
        self.assertTrue(Campaign.objects.filter(pk=self.campaign.pk).exists())

    def test_it_says_what_goes_and_asks_for_name_and_reason(self):
        self.judge()
        self.close()
        page = self.get_as(self.owner, self.name, self.campaign.pk)
        self.assertContains(page, "4 judgments by 1 annotator,")
        self.assertContains(page, "2 tasks with 8 items")
        self.assertContains(page, "4 memberships and 0 invitation links")
        for data, problem in (
            ({"name": "small campaign", "reason": "x"}, "This is another name."),
            ({"reason": "x"}, "This field is required."),
            ({"name": self.campaign.name, "reason": "  "}, "This field is required."),
            ({"name": self.campaign.name, "reason": "x" * 2001}, "at most 2000 characters"),
        ):
            self.assertContains(self.delete(self.name, **data), problem, status_code=422)
        self.assertEqual(Campaign.objects.count(), 2)
        self.assertFalse(Act.objects.exists())

    def test_it_goes_and_is_recorded(self):
        self.judge()
        self.close()
        number = self.campaign.pk
        response = self.delete(self.name, name=self.campaign.name, reason="Misread.")
        self.assertRedirects(response, reverse("campaigns"), fetch_redirect_response=False)
        page = self.client.get(reverse("campaigns"))
        self.assertContains(page, "Small campaign was deleted, with 4 judgments.")
        record = DeletedCampaign.objects.get()
        self.assertEqual((record.campaign, record.judgments), (number, 4))
        self.assertEqual((record.deleted_by, record.reason), ("owner", "Misread."))
        act = Act.objects.get()
        self.assertEqual((act.act, act.campaign, act.role), (self.name, number, "owner"))
        self.assertEqual(act.facts["reason"], "Misread.")
        self.assertEqual(self.get_as(self.owner, "campaign", number).status_code, 404)
        # An open page of it says that it is gone.
        for user in (self.annotator_1, self.researcher):
            self.assertEqual(self.get_as(user, "judge", number).status_code, 404)
        self.owner.is_superuser = True
        self.owner.save()
        log = self.get_as(self.owner, "site-log")
        self.assertContains(log, "deleted the campaign")
        self.assertNotContains(log, reverse("campaign", args=[number]))


class TextsTest(DeletionTestCase):
    def test_what_campaigns_use_is_kept_and_they_are_named(self):
        hidden = factory.make_campaign(self.test_set, name="Somebody else's")
        for name, reason in (
            ("test-set-delete", "Campaigns use this test set."),
            ("system-delete", "Campaigns plan to show its translations."),
        ):
            page = self.get_as(self.owner, name, *self.address(name))
            self.assertContains(page, reason)
            self.assertContains(page, f'<a href="{self.campaign.get_absolute_url()}">Small camp')
            self.assertNotContains(page, hidden.get_absolute_url() + '"')
            asked = {"test-set-delete": "Small set", "system-delete": "System-C"}[name]
            self.assertContains(self.delete(name, name=asked), reason, status_code=422)
        page = self.get_as(self.owner, "test-set-delete", self.test_set.pk)
        self.assertContains(page, "Somebody else&#x27;s")
        self.assertTrue(TestSet.objects.filter(pk=self.test_set.pk).exists())

    def test_what_was_judged_is_kept(self):
        item = self.campaign.tasks.first().items.first()
        factory.judge(item, {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]})
        page = self.get_as(self.owner, "system-delete", *self.address("system-delete"))
        self.assertContains(page, "There are judgments of its translations.")
        self.assertNotContains(page, "Pairwise campaign")

    def test_a_system_and_then_the_test_set_go(self):
        self.close()
        for campaign in (self.campaign, self.pairwise):
            data = {"name": campaign.name, "reason": "Misread."}
            self.post_as(self.owner, "campaign-delete", campaign.pk, data=data)
        page = self.get_as(self.owner, "system-delete", *self.address("system-delete"))
        self.assertContains(page, "4 translations with their post-edits")
        self.assertContains(self.delete("system-delete", name="C"), "another name", status_code=422)
        response = self.delete("system-delete", name=" System-C ")
        self.assertRedirects(response, self.test_set.get_absolute_url())
        self.assertEqual(self.test_set.systems.count(), 2)
        page = self.get_as(self.owner, "test-set-delete", self.test_set.pk)
        self.assertContains(page, "4 segments with their references, and 2 systems")
        response = self.delete("test-set-delete", name="Small set")
        self.assertRedirects(response, reverse("test-sets"))
        self.assertFalse(TestSet.objects.exists())
        acts = list(Act.objects.order_by("pk").values_list("act", flat=True))
        self.assertEqual(acts[2:], ["system-delete", "test-set-delete"])
