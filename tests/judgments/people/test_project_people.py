"""Parts in a project: what each opens, who is refused, links, and what ends with a part."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client, TransactionTestCase
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from judgments.files.guest_list import Guest
from judgments.models import Membership, Project, ProjectLink, ProjectRole, Role
from judgments.people.projects import links, sharing
from tests import factory
from tests.base import CastTestCase


class ProjectPeopleTest(CastTestCase):
    """Two campaigns of de-en on one test set, and one of en-cs."""

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        texts = factory.make_test_set(
            cls.owner, name="Czech", source_language="en", target_language="cs"
        )
        cls.czech = factory.make_campaign(texts, owner=cls.owner, name="Czech campaign")
        factory.make_task(cls.czech)
        cls.project = Project.objects.create(name="Year", slug="year", owner=cls.owner)
        cls.project.campaigns.add(cls.campaign, cls.pairwise, cls.czech)

    def link(self, role, *pairs, email=""):
        (found,) = links.make_links(
            self.project,
            [(Guest(email=email), pairs)],
            role=role,
            by=self.owner,
            expires_at=timezone.now() + timedelta(days=1),
        )
        return found

    def join(self, user, link, **data):
        return self.as_user(user).post(link.get_absolute_url(), data)

    def roles(self, user):
        found = Membership.objects.current().filter(user=user).order_by("campaign")
        return dict(found.values_list("campaign__name", "role"))

    def test_each_role_at_each_page(self):
        pages = {
            "campaign-design": (self.czech.pk,),
            "scores": (self.czech.pk,),
            "project-people": ("year",),
            "project": ("year",),
        }
        expected = {
            ProjectRole.MANAGER: (200, 200, 200, 200),
            ProjectRole.READER: (403, 200, 403, 200),
            ProjectRole.WATCHER: (404, 404, 403, 200),
            ProjectRole.ANNOTATOR: (403, 403, 404, 404),
        }
        for role, answers in expected.items():
            user = factory.make_user(f"a-{role}")
            self.join(user, self.link(role))
            for (page, named), status in zip(pages.items(), answers, strict=True):
                with self.subTest(f"{role} {page}"):
                    self.assertEqual(self.get_as(user, page, *named).status_code, status)

    def test_a_manager_of_one_pair_runs_its_campaigns_and_not_the_project(self):
        self.join(self.outsider, self.link(ProjectRole.MANAGER, "en-cs"))
        self.assertEqual(self.roles(self.outsider), {"Czech campaign": Role.OWNER})
        self.assertEqual(self.get_as(self.outsider, "project-people", "year").status_code, 403)
        self.assertEqual(self.get_as(self.outsider, "project-edit", "year").status_code, 403)

    def test_a_manager_deletes_neither_campaign_nor_project(self):
        self.join(self.outsider, self.link(ProjectRole.MANAGER))
        self.assertEqual(
            self.get_as(self.outsider, "campaign-delete", self.czech.pk).status_code, 403
        )
        self.assertEqual(self.post_as(self.outsider, "project-delete", "year").status_code, 403)

    def test_who_judges_reads_only_other_texts_and_watches_nothing(self):
        self.join(self.annotator_1, self.link(ProjectRole.READER))
        self.assertEqual(
            self.roles(self.annotator_1),
            {
                "Small campaign": Role.ANNOTATOR,
                "Pairwise campaign": Role.ANNOTATOR,
                "Czech campaign": Role.RESEARCHER,
            },
        )
        for role, pairs in ((ProjectRole.WATCHER, ()), (ProjectRole.READER, ("de-en",))):
            response = self.join(self.annotator_2, self.link(role, *pairs))
            self.assertContains(response, "who judges in this project", status_code=422)
        self.assertFalse(self.project.people.filter(user=self.annotator_2).exists())

    def test_a_reader_of_texts_does_not_come_to_judge_them(self):
        link = self.link(ProjectRole.ANNOTATOR, "de-en")
        response = self.join(self.researcher, link, alias="swan")
        self.assertContains(response, "cannot also judge", status_code=422)
        self.assertEqual(set(self.roles(self.researcher).values()), {Role.RESEARCHER})

    def test_one_link_gives_the_work_of_two_pairs_and_of_what_comes_later(self):
        link = self.link(ProjectRole.ANNOTATOR)
        response = self.join(None, link, alias="calm otter")
        self.assertRedirects(response, reverse("welcome", args=[self.campaign.pk]))
        guest = ProjectLink.objects.get().used_by
        self.assertEqual(len(self.roles(guest)), 3)
        self.assertContains(self.client.get("/"), "Czech campaign")
        back = Membership.objects.filter(user=guest).first().get_return_url()
        self.assertRedirects(Client().post(back), "/")
        late = factory.make_campaign(self.test_set, owner=self.owner, name="Late")
        self.project.campaigns.add(late)
        sharing.share(self.project, self.owner)
        self.assertEqual(self.roles(guest)["Late"], Role.ANNOTATOR)
        self.assertEqual(Membership.objects.get(user=guest, campaign=late).alias, "calm otter")
        used = self.join(None, link, alias="otter")
        self.assertContains(used, "invitation is closed", status_code=410)

    def test_a_typed_name_that_is_taken_anywhere_in_the_project_is_told(self):
        self.pairwise.memberships.create(user=self.outsider, role=Role.ANNOTATOR, alias="Zoe")
        link = self.link(ProjectRole.ANNOTATOR)
        response = self.join(None, link, alias="Zoe")
        self.assertContains(response, "This name is already taken", status_code=422)
        self.assertFalse(self.project.people.exists())
        self.campaign.memberships.create(user=self.outsider, role=Role.ANNOTATOR, alias="Zoe")
        self.join(self.outsider, link, alias="Zoe")  # whose name it is
        self.assertEqual(self.project.people.get().alias, "Zoe")

    def test_what_ends_with_a_part(self):
        self.join(self.outsider, self.link(ProjectRole.MANAGER))
        member = self.project.people.get(user=self.outsider)
        self.post_as(self.owner, "project-part-end", "year", member.pk)
        self.assertEqual(self.roles(self.outsider), {})
        self.assertEqual(self.get_as(self.outsider, "project", "year").status_code, 404)
        self.join(self.outsider, self.link(ProjectRole.READER))
        self.assertEqual(set(self.roles(self.outsider).values()), {Role.RESEARCHER})

    def test_links_of_a_manager_who_is_none_any_more_let_nobody_in(self):
        self.join(self.outsider, self.link(ProjectRole.MANAGER))
        own, other = self.link(ProjectRole.MANAGER), self.link(ProjectRole.READER)
        ProjectLink.objects.filter(pk__in=[own.pk, other.pk]).update(created_by=self.outsider)
        member = self.project.people.get(user=self.outsider)
        self.post_as(self.owner, "project-part-end", "year", member.pk)
        ProjectLink.objects.filter(pk=other.pk).update(closed_at=None)
        for link in (own, other):
            self.assertEqual(self.join(self.outsider, link).status_code, 410)
        self.assertEqual(self.roles(self.outsider), {})

    def test_who_read_before_reads_after_the_part(self):
        before = self.roles(self.researcher)
        self.join(self.researcher, self.link(ProjectRole.MANAGER))
        self.assertEqual(set(self.roles(self.researcher).values()), {Role.OWNER})
        member = self.project.people.get(user=self.researcher)
        self.post_as(self.owner, "project-part-end", "year", member.pk)
        self.assertEqual(self.roles(self.researcher), before)
        own = Membership.objects.filter(user=self.researcher, removed_at=None)
        self.assertEqual(set(own.values_list("by_project", "role_before")), {(None, "")})

    def test_a_role_given_in_the_campaign_is_independent_of_the_part(self):
        self.join(self.outsider, self.link(ProjectRole.MANAGER))
        self.join(self.researcher, self.link(ProjectRole.MANAGER))
        for user, role in ((self.outsider, Role.OWNER), (self.researcher, Role.ANNOTATOR)):
            data = {"member-username": user.username, "member-role": role}
            self.post_as(self.owner, "member-new", self.campaign.pk, data=data)
        first = self.campaign.memberships.get(user=self.owner)
        self.post_as(self.owner, "member-remove", self.campaign.pk, first.pk)
        self.assertFalse(Membership.objects.current().filter(pk=first.pk).exists())
        for user in (self.outsider, self.researcher):
            sharing.take_part_away(self.project.people.get(user=user))
        self.assertEqual(self.roles(self.outsider), {"Small campaign": Role.OWNER})
        self.assertEqual(self.roles(self.researcher)["Small campaign"], Role.ANNOTATOR)

    def test_a_lower_role_given_in_the_campaign_stays_when_the_project_is_saved(self):
        self.join(self.outsider, self.link(ProjectRole.MANAGER))
        data = {"member-username": self.outsider.username, "member-role": Role.RESEARCHER}
        self.post_as(self.owner, "member-new", self.campaign.pk, data=data)
        sharing.share(self.project, self.owner)
        self.assertEqual(self.roles(self.outsider)["Small campaign"], Role.RESEARCHER)
        late = factory.make_campaign(self.test_set, owner=self.owner, name="Late")
        late.memberships.create(user=self.outsider, role=Role.RESEARCHER, alias="reader")
        self.project.campaigns.add(late)
        sharing.share(self.project, self.owner, joined={late.pk})
        self.assertEqual(self.roles(self.outsider)["Late"], Role.OWNER)

    def test_a_part_in_another_project_keeps_what_both_open(self):
        other = Project.objects.create(name="Other", slug="other", owner=self.owner)
        other.campaigns.add(self.czech)
        for project in (self.project, other):
            (link,) = links.make_links(
                project,
                [(Guest(), [])],
                role=ProjectRole.READER,
                by=self.owner,
                expires_at=timezone.now() + timedelta(days=1),
            )
            self.join(self.outsider, link)
        self.assertEqual(len(self.roles(self.outsider)), 3)
        member = self.project.people.get(user=self.outsider)
        self.post_as(self.owner, "project-part-end", "year", member.pk)
        self.assertEqual(self.roles(self.outsider), {"Czech campaign": Role.RESEARCHER})

    def test_an_annotators_work_goes_to_others(self):
        self.join(None, self.link(ProjectRole.ANNOTATOR, "en-cs"), alias="otter")
        guest = ProjectLink.objects.get().used_by
        self.czech.tasks.update(annotator=guest, claimed_at=timezone.now())
        member = self.project.people.get(user=guest)
        self.post_as(self.owner, "project-part-end", "year", member.pk)
        self.assertTrue(self.czech.tasks.filter(annotator=None, n_items__gt=0).exists())

    def test_only_campaigns_that_the_inviting_person_runs_are_opened(self):
        other = factory.make_campaign(
            factory.make_test_set(self.outsider, name="Others"), owner=self.outsider
        )
        self.project.campaigns.add(other)
        friend = factory.make_user("friend")
        self.join(friend, self.link(ProjectRole.MANAGER))
        self.assertNotIn(other.pk, Membership.objects.filter(user=friend).values("campaign"))
        self.assertEqual(len(self.roles(friend)), 3)

    def test_somebody_without_an_account_makes_one(self):
        link = self.link(ProjectRole.MANAGER)
        page = self.as_user(None).get(link.get_absolute_url())
        self.assertContains(page, "Create the account and join")
        word = "a long and winding phrase"
        data = {"username": "coco", "password1": word, "password2": word}
        self.assertRedirects(self.join(None, link, **data), "/projects/year/")
        self.assertEqual(len(self.roles(ProjectLink.objects.get().used_by)), 3)

    def test_links_by_the_page_and_their_file(self):
        data = {"n_links": 40, "for_each": "on", "days": 60}
        self.post_as(self.owner, "project-links", "year", data=data)
        rows = list(
            csv.DictReader(
                io.StringIO(
                    self.get_as(self.owner, "project-links-file", "year").content.decode(
                        "utf-8-sig"
                    )
                )
            )
        )
        self.assertEqual(len({row["link"] for row in rows}), 80)
        self.assertEqual([row["pairs"] for row in rows].count("en-cs"), 40)
        self.post_as(self.owner, "project-links-close", "year")
        self.assertFalse(ProjectLink.objects.usable().exists())

    def test_a_list_names_pairs_and_a_wrong_one_makes_no_link(self):
        for pairs, n, words in (
            ("en-cs; de-en;", 1, ""),
            ("en-xx", 0, "the pairs are de-en, en-cs"),
        ):
            file = SimpleUploadedFile("people.csv", f"name,e-mail,pairs\nAda,,{pairs}\n".encode())
            response = self.post_as(
                self.owner, "project-links", "year", data={"guests_file": file, "days": 9}
            )
            if words:
                self.assertContains(response, words, status_code=422)
            self.assertEqual(ProjectLink.objects.count(), n or 1)
        self.assertEqual(ProjectLink.objects.get().pairs, ["en-cs", "de-en"])

    def test_as_many_statements_for_many_links(self):
        counts = []
        for n in (1, 2, 200):
            with CaptureQueriesContext(
                connection,
            ) as asked:
                self.post_as(
                    self.owner,
                    "project-links",
                    "year",
                    data={"n_links": n, "for_each": "on", "days": 60},
                )
            counts.append(len(asked))
        self.assertEqual(*counts[1:])  # the first signs in

    def test_mail(self):
        with self.settings(CAN_MAIL=True), self.captureOnCommitCallbacks(execute=True):
            data = {"colleague-role": "manager", "colleague-days": 3}
            data["colleague-email"] = "co@example.org"
            self.post_as(self.owner, "project-invite", "year", data=data)
        link = ProjectLink.objects.get()
        from judgments.people.projects.tasks import mail_project_link

        mail_project_link.call(link.pk, "http://testserver/")
        self.assertIn(link.token, mail.outbox[-1].body)
        self.assertEqual(mail.outbox[-1].to, ["co@example.org"])
        self.post_as(self.owner, "project-link-close", "year", link.pk)
        mail_project_link.call(link.pk, "http://testserver/")
        self.assertEqual(len(mail.outbox), 1)

    def test_refused(self):
        for name in ("project-people", "project-links-file"):
            users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
            self.assert_refused(name, "year", users=users)
        for name in ("project-invite", "project-links", "project-links-close"):
            self.assert_refused(name, "year", users=users, method="post")
            self.assert_post_only(name, "year")


class TwoAtOnceTest(TransactionTestCase):
    def test_one_link_lets_one_of_two_in(self):
        owner = factory.make_user("owner", is_staff=True)
        campaign = factory.make_campaign(factory.make_test_set(owner), owner=owner)
        project = Project.objects.create(name="Year", slug="year", owner=owner)
        project.campaigns.add(campaign)
        (link,) = links.make_links(
            project, [(Guest(), ())], role=ProjectRole.ANNOTATOR, by=owner, expires_at=None
        )

        def come(name):
            try:
                links.accept(link, None, name)
            except links.LinkUsedUp:
                return "late"
            finally:
                connection.close()
            return "in"

        with ThreadPoolExecutor(2) as pool:
            self.assertEqual(sorted(pool.map(come, ("one", "two"))), ["in", "late"])
        self.assertEqual(campaign.memberships.filter(role=Role.ANNOTATOR).count(), 1)
