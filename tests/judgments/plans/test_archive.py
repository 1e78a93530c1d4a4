"""Lists that are searched, and the archive of campaigns and projects."""

from django.urls import reverse

from judgments.files.guest_list import Guest
from judgments.models import Campaign, Project, Status
from judgments.people.projects import links
from tests import factory
from tests.base import CastTestCase


class ArchiveTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        texts = factory.make_test_set(
            cls.owner, name="Czech texts", source_language="en", target_language="cs"
        )
        cls.czech = factory.make_campaign(texts, owner=cls.owner, name="Spring")
        cls.project = Project.objects.create(name="Year", slug="year", owner=cls.owner)
        cls.project.campaigns.add(cls.campaign, cls.czech)

    def names(self, page="campaigns", user=None, **query):
        response = self.as_user(user or self.owner).get(reverse(page), query)
        return {each.name for each in response.context[page]}

    def close(self):
        Campaign.objects.update(status=Status.CLOSED)

    def test_campaigns_are_found_by_name_texts_languages_and_state(self):
        rest = {self.campaign.name, self.pairwise.name}
        self.assertEqual(self.names(), rest | {"Spring"})
        for words in ("spring", "CZECH", "en-cs", "czech spr"):
            self.assertEqual(self.names(q=words), {"Spring"}, words)
        self.assertEqual(self.names(q="de-en"), rest)
        self.assertEqual(self.names(q="spring de-en"), set())
        Campaign.objects.filter(pk=self.czech.pk).update(status=Status.CLOSED)
        self.assertEqual(self.names(q="closed"), {"Spring"})
        page = self.as_user(self.owner).get(reverse("campaigns"), {"q": "nowhere"})
        self.assertContains(page, "No matching campaigns.")
        self.assertEqual(self.names(q="\0"), rest | {"Spring"})

    def test_projects_are_found_by_name_address_and_description(self):
        Project.objects.create(name="Course", slug="c1", owner=self.owner, description="Spring")
        for words, found in (("course", {"Course"}), ("SPRING", {"Course"}), ("year", {"Year"})):
            self.assertEqual(self.names("projects", q=words), found)
        page = self.as_user(self.owner).get(reverse("projects"), {"q": "nowhere"})
        self.assertContains(page, "No matching projects.")

    def test_links_of_an_archived_draft_let_nobody_in(self):
        Campaign.objects.filter(pk=self.czech.pk).update(status=Status.DRAFT)
        link = self.czech.invitations.create(created_by=self.owner)
        self.post_as(self.owner, "campaign-archive", self.czech.pk)
        response = self.as_user(None).post(reverse("join", args=[link.token]), {"alias": "Ann"})
        self.assertEqual(response.status_code, 410)
        self.assertFalse(self.czech.memberships.filter(role="annotator").exists())

    def test_refused_to_others(self):
        self.close()
        for user, status in ((self.researcher, 403), (self.annotator_1, 403), (self.outsider, 404)):
            response = self.post_as(user, "campaign-archive", self.campaign.pk)
            self.assertEqual(response.status_code, status)
        for user, status in ((self.researcher, 403), (self.outsider, 404)):
            self.assertEqual(self.post_as(user, "project-archive", "year").status_code, status)
        self.assertFalse(Campaign.objects.exclude(archived_at=None).exists())
        self.assertFalse(Project.objects.exclude(archived_at=None).exists())

    def test_an_archived_campaign_is_out_of_the_lists_and_only_read(self):
        self.post_as(self.owner, "campaign-archive", self.campaign.pk)
        self.campaign.refresh_from_db()
        self.assertIsNone(self.campaign.archived_at)  # it is open
        self.close()
        self.post_as(self.owner, "campaign-archive", self.campaign.pk)
        self.assertNotIn(self.campaign.name, self.names())
        self.assertIn(self.campaign.name, self.names(archived="on"))
        for user in (self.owner, self.annotator_1):
            home = self.get_as(user, "home")
            self.assertNotContains(home, f"{self.campaign.name}<")
        refused = self.post_as(
            self.owner, "campaign-status", self.campaign.pk, data={"status": "open"}
        )
        self.assertEqual(refused.status_code, 403)
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.status, Status.CLOSED)
        self.assertContains(self.get_as(self.owner, "campaign", self.campaign.pk), "Restore the")
        self.assertEqual(self.get_as(self.owner, "scores", self.campaign.pk).status_code, 200)
        self.post_as(self.owner, "campaign-archive", self.campaign.pk, data={"restore": ""})
        self.assertIn(self.campaign.name, self.names())

    def test_a_project_goes_with_its_campaigns_and_comes_back_with_these(self):
        answer = self.as_user(self.owner).post(
            reverse("project-archive", args=["year"]), follow=True
        )
        self.assertContains(answer, "Close these campaigns first")
        self.close()
        self.post_as(self.owner, "campaign-archive", self.pairwise.pk)
        self.post_as(self.owner, "project-archive", "year")
        self.assertEqual((self.names("projects"), self.names()), (set(), set()))
        self.assertEqual(self.names("projects", archived="on"), {"Year"})
        self.assertContains(self.get_as(self.owner, "project", "year"), "Restore the project")
        refused = self.post_as(self.owner, "project-edit", "year", data={"name": "Other"})
        self.assertEqual(refused.status_code, 422)
        self.assertFalse(Project.objects.filter(name="Other").exists())
        self.assertEqual(self.post_as(self.owner, "project-links", "year").status_code, 422)
        watch = reverse("project-watch", args=["year"])
        self.assertEqual(self.as_user(self.owner).get(watch).context["watched"].of, [])
        found = self.client.get(watch, {"archived": "on", "q": "en-cs"}).context["watched"].of
        self.assertEqual([each.campaign for each in found], [self.czech])
        self.post_as(self.owner, "project-archive", "year", data={"restore": ""})
        self.assertEqual(self.names("projects"), {"Year"})
        self.assertEqual(self.names(), {self.campaign.name, "Spring"})

    def test_links_of_an_archived_project_let_nobody_in(self):
        (link,) = links.make_links(
            self.project, [(Guest(), [])], role="reader", by=self.owner, expires_at=None
        )
        self.close()
        self.post_as(self.owner, "project-archive", "year")
        response = self.as_user(self.outsider).post(link.get_absolute_url())
        self.assertEqual(response.status_code, 410)

    def test_archived_campaigns_are_not_offered_to_projects(self):
        self.close()
        self.post_as(self.owner, "campaign-archive", self.pairwise.pk)
        new = self.get_as(self.owner, "project-new")
        self.assertNotContains(new, self.pairwise.name)
        self.assertContains(new, self.czech.name)
