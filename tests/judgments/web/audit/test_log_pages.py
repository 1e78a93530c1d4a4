"""The log as a page, as a file and through the programming interface; and who may read it."""

import csv
import datetime
import io

from django.urls import reverse
from django.utils import timezone

from judgments.models import Act
from judgments.quality.log.forms import ANNOTATORS
from judgments.quality.log.names import named
from judgments.quality.log.views import ACTS_ON_A_PAGE
from judgments.web.audit import facts
from tests import factory
from tests.base import CastTestCase


class LogTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.root = factory.make_user("root", is_staff=True, is_superuser=True)
        yesterday = timezone.now() - datetime.timedelta(days=1)
        rows = [
            ("owner", "campaign-status", {"status": "paused"}, cls.campaign.pk, None, yesterday),
            ("owner", "member-new", {"note": "=1+1"}, cls.campaign.pk, None, timezone.now()),
            ("=cmd()", "score-start", {}, None, cls.test_set.pk, timezone.now()),
            ("owner", "quality-rule", {"why": "elsewhere"}, cls.pairwise.pk, None, timezone.now()),
            ("system", "manage.py migrate", {}, None, None, timezone.now()),
        ]
        for account, act, said, campaign, test_set, at in rows:
            Act.objects.create(
                account=account, act=act, facts=said, campaign=campaign, test_set=test_set, at=at,
                role="owner", result="done",
            )  # fmt: skip

    def rows(self, name="campaign-log-file", user=None, **query):
        arguments = [] if name.startswith("site") else [self.campaign.pk]
        response = self.get_as(user or self.owner, name, *arguments, data=query)
        self.assertEqual(response.status_code, 200)
        return list(csv.DictReader(io.StringIO(response.getvalue().decode())))

    def test_outsiders(self):
        everybody = {None: 302, self.outsider: 404, self.annotator_1: 403, self.researcher: 403}
        for name in ("campaign-log", "campaign-log-file"):
            self.assert_refused(name, self.campaign.pk, users=everybody)
        operators = dict.fromkeys([self.outsider, self.annotator_1, self.owner], 403)
        for name in ("site-log", "site-log-file"):
            self.assert_refused(name, users={None: 302} | operators)
        for user, status in (everybody | {None: 403, self.owner: 200}).items():
            response = self.get_as(user, "api-log", self.campaign.pk)
            self.assertEqual(response.status_code, status, user)

    def test_the_page_holds_the_campaign_and_its_test_set(self):
        response = self.get_as(self.owner, "campaign-log", self.campaign.pk)
        self.assertContains(response, "changed the status")
        self.assertContains(response, "status: paused")
        self.assertContains(response, "started scoring")
        self.assertNotContains(response, "elsewhere")
        self.assertNotContains(response, "migrate")

    def test_filters(self):
        today = timezone.now().date().isoformat()
        for query, n in (
            ({"person": "owner"}, 2),
            ({"act": "campaign-status"}, 1),
            ({"day": today}, 2),
            ({"person": "owner", "day": today}, 1),
            ({"person": "nobody", "day": "yesterday"}, 3),  # neither can be read
        ):
            with self.subTest(**query):
                page = self.get_as(self.owner, "campaign-log", self.campaign.pk, data=query)
                acts = [act.act for act, *_ in page.context["rows"]]
                self.assertEqual(len(acts) - acts.count("campaign-log-file"), n)
                # Files that were taken are acts of today themselves.
                files = [r for r in self.rows(**query) if r["act"] != "campaign-log-file"]
                self.assertEqual(len(files), n)

    def test_the_last_day_of_the_calendar_is_a_day(self):
        for day in ("9999-12-31", "0001-01-01"):
            page = self.get_as(self.owner, "campaign-log", self.campaign.pk, data={"day": day})
            self.assertEqual(page.status_code, 200)

    def test_annotators_are_named_as_they_are_called_today(self):
        """In the database they are numbers, so that erasing a name erases it here, too."""
        member = self.campaign.memberships.get(user=self.annotator_1)
        said = {"decision-annotator": str(self.annotator_1.pk), "decision-action": "leave-out"}
        common = {"campaign": self.campaign.pk, "result": "done", "at": timezone.now()}
        Act.objects.create(
            account=f"account {self.annotator_1.pk}", user=self.annotator_1.pk, role="annotator",
            act="join", objects_named={"token": facts.KEPT_BACK}, **common,
        )  # fmt: skip
        Act.objects.create(
            account="owner", role="owner", act="quality-decide", facts=said, **common
        )
        Act.objects.create(
            account="owner", role="owner", act="link-revoke",
            objects_named={"membership_id": member.pk}, **common,
        )  # fmt: skip
        for alias in ("Ida", "erased-7"):
            member.alias = alias
            member.save()
            page = self.get_as(self.owner, "campaign-log", self.campaign.pk)
            rows = [row for row in page.context["rows"] if row[0].act != "campaign-log-file"]
            found = [(who, what, said) for _, who, _, what, said in rows[:3]]
            expected = [
                ("owner", f"member: {alias}", ""),
                ("owner", "", f"decision-action: leave-out; decision-annotator: {alias}"),
                (alias, "", ""),
            ]
            self.assertEqual(found, expected)
            names = [row["name"] for row in self.rows(person=ANNOTATORS)]
            self.assertEqual(names, [alias])

    def test_names_take_one_statement(self):
        for number in range(40):
            Act.objects.create(
                account=f"account {number}", user=number, role="annotator", act="join",
                campaign=self.campaign.pk, result="done",
            )  # fmt: skip
        acts = list(Act.objects.all()[:40])
        with self.assertNumQueries(1):
            self.assertEqual(len(list(named(acts))), 40)

    def test_the_file_has_no_formula_and_is_an_act_itself(self):
        rows = self.rows()
        self.assertEqual(rows[0]["act"], "campaign-log-file")
        self.assertEqual([row["account"] for row in rows[1:]], ["'=cmd()", "owner", "owner"])
        self.assertEqual(rows[2]["facts"], "note: =1+1")
        self.assertEqual(Act.objects.first().act, "campaign-log-file")

    def test_the_site(self):
        page = self.get_as(self.root, "site-log")
        self.assertContains(page, "manage.py migrate")
        self.assertContains(page, "elsewhere")
        self.assertEqual(len(self.rows("site-log-file", self.root)), 5 + 1)

    def test_pages(self):
        Act.objects.bulk_create(
            Act(
                account="owner", act="login", role="owner", result="done", campaign=self.campaign.pk
            )
            for _ in range(ACTS_ON_A_PAGE)
        )
        query = {"page": 2, "person": "owner"}
        second = self.get_as(self.owner, "campaign-log", self.campaign.pk, data=query)
        self.assertEqual(len(second.context["rows"]), 2)
        self.assertContains(second, "?page=1&amp;person=owner")

    def test_the_interface(self):
        response = self.get_as(self.owner, "api-log", self.campaign.pk, data={"limit": 2})
        found = response.json()
        self.assertEqual(found["count"], 3)
        self.assertEqual(found["results"][0]["words"], "started scoring")
        self.assertEqual(found["results"][1]["facts"], {"note": "=1+1"})

    def test_empty_states(self):
        other = factory.make_campaign(factory.make_test_set(self.owner, name="B"), owner=self.owner)
        page = self.get_as(self.owner, "campaign-log", other.pk)
        self.assertContains(page, "Nothing yet")
        page = self.get_as(self.owner, "campaign-log", other.pk, data={"day": "2020-01-01"})
        self.assertContains(page, "No matching acts")

    def test_owners_find_it(self):
        page = self.get_as(self.owner, "campaign", self.campaign.pk)
        self.assertContains(page, reverse("campaign-log", args=[self.campaign.pk]))
        page = self.get_as(self.researcher, "campaign", self.campaign.pk)
        self.assertNotContains(page, reverse("campaign-log", args=[self.campaign.pk]))
