"""Projects by programs: who sees them, makes and changes them, and what their tables are."""

import csv
import io
import json
from unittest.mock import patch

from django.urls import reverse

from judgments.models import Act, Project
from judgments.people import access
from judgments.plans.projects.forms import MOST_CAMPAIGNS
from judgments.web import heavy, limits
from tests import factory
from tests.api.test_access import ApiTestCase


class ProjectsByProgramsTest(ApiTestCase):
    def setUp(self):
        super().setUp()
        self.project = Project.objects.create(name="Year", slug="year", owner=self.owner)
        self.project.campaigns.add(self.campaign)

    def send(self, user, address_name, /, *args, status=200, **data):
        address = reverse(address_name, args=args)
        response = self.as_user(user).post(address, data, content_type="application/json")
        self.assertEqual(response.status_code, status, response.content)
        return response.json()

    def test_outsiders_and_annotators_see_none(self):
        for user in (self.outsider, self.annotator_1):
            self.assertEqual(self.json_as(user, "api-projects")["results"], [])
            for name, args in (
                ("api-project", ["year"]),
                ("api-project-tables", ["year"]),
                ("api-project-table-file", ["year", "project-scores", "json"]),
            ):
                self.assertEqual(self.get_as(user, name, *args).status_code, 404)
            self.send(user, "api-project-campaigns", "year", status=404, add=[])

    def test_a_reader_gets_what_they_may_read_and_changes_nothing(self):
        second = factory.make_campaign(self.test_set, owner=self.owner, name="Second")
        self.project.campaigns.add(second)
        reader = factory.make_user("reader", is_staff=True)
        second.memberships.create(user=reader, role="researcher", alias="reader")
        found = self.json_as(reader, "api-project", "year")
        self.assertEqual([each["id"] for each in found["campaigns"]], [second.pk])
        self.assertEqual(found["hidden_campaigns"], 1)
        self.assertNotIn(self.campaign.name, str(found))
        self.send(reader, "api-project-campaigns", "year", status=403, remove=[second.pk])
        said = self.send(reader, "api-projects", status=400, name="Own", add=[self.campaign.pk])
        self.assertIn("campaigns", said["errors"])

    def test_made_and_changed(self):
        made = self.send(self.owner, "api-projects", status=201, name="WMT 23")
        self.assertEqual((made["slug"], made["campaigns"]), ("wmt-23", []))
        self.assertEqual(Act.objects.first().act, "api-projects")
        known = {"add": [self.campaign.pk], "dimensions": {str(self.campaign.pk): "fluency"}}
        changed = self.send(self.owner, "api-project-campaigns", "wmt-23", **known)
        expected = {"id": self.campaign.pk, "name": self.campaign.name, "dimension": "fluency"}
        self.assertEqual(changed["campaigns"], [expected])
        # What is not named stays.
        changed = self.send(self.owner, "api-project-campaigns", "wmt-23", add=[self.campaign.pk])
        self.assertEqual(changed["campaigns"], [expected])
        found = self.json_as(self.owner, "api-project", "wmt-23")
        self.assertEqual([each["dimension"] for each in found["pairs"]], ["fluency"])
        for wrong in (
            {"add": [10**9]},
            {"dimensions": {str(self.campaign.pk): "beauty"}},
            {"dimensions": {"999": "fluency"}},
            {"add": ["x"]},
            {"dimensions": {"\ud800": "fluency"}},
            {"dimensions": {"\ud800": "too long " * 9}},
            {"dimensions": {"²": "fluency"}},
            {"dimensions": {"1" * 20: ""}},
            {"dimensions": dict.fromkeys(map(str, range(MOST_CAMPAIGNS + 1)), "")},
        ):
            self.send(self.owner, "api-project-campaigns", "wmt-23", status=400, **wrong)
        emptied = self.send(
            self.owner, "api-project-campaigns", "wmt-23", remove=[self.campaign.pk]
        )
        self.assertEqual(emptied["campaigns"], [])
        self.send(self.owner, "api-projects", status=400, name="Again", slug="wmt-23")
        self.send(self.annotator_1, "api-projects", status=403, name="Mine")

    def test_a_choice_that_the_campaign_asks_no_more_is_in_nobodys_way(self):
        self.project.joined.update(dimension="beauty")
        second = factory.make_campaign(self.test_set, owner=self.owner, name="Second")
        changed = self.send(self.owner, "api-project-campaigns", "year", add=[second.pk])
        said = {each["id"]: each["dimension"] for each in changed["campaigns"]}
        self.assertEqual(said, {self.campaign.pk: "", second.pk: ""})
        self.project.joined.update(dimension="beauty")
        changed = self.send(self.owner, "api-project-campaigns", "year", remove=[second.pk])
        self.assertEqual([each["id"] for each in changed["campaigns"]], [self.campaign.pk])

    def test_who_reads_a_project_waits_where_much_is_made_and_is_asked_once(self):
        ask = access.campaigns_of_project
        with patch.object(access, "campaigns_of_project", side_effect=ask) as asked:
            found = self.json_as(self.owner, "api-project", "year")
        self.assertEqual((len(found["pairs"]), asked.call_count), (1, 1))
        with patch.object(heavy, "take_place", side_effect=limits.Exceeded(limits.HEAVY, 10)):
            response = self.get_as(self.owner, "api-project", "year")
        self.assertEqual(response.status_code, 429)

    def test_every_table_is_the_one_of_its_page(self):
        listed = self.json_as(self.owner, "api-project-tables", "year")["tables"]
        self.assertIn("project-scores", {each["slug"] for each in listed})
        for each in listed:
            address = reverse("project-file", args=["year", each["page"], each["slug"], "csv"])
            page = self.as_user(self.owner).get(address).content.decode()
            file = self.client.get(each["csv"]).getvalue().decode()
            rows, own = (list(csv.reader(io.StringIO(text))) for text in (file, page))
            n = rows[0].index("address")
            self.assertEqual([row[:n] for row in rows[1:]], [row[:n] for row in own[1:]], each)
            data = json.loads(self.client.get(each["json"]).getvalue())["data"]
            self.assertEqual(len(data), len(own) - 1)
            self.assertEqual(self.client.get(each["parquet"]).getvalue()[:4], b"PAR1")

    def test_choices(self):
        address = ("api-project-table-file", "year", "project-one-system", "json")
        for status, query in ((200, "System-B"), (400, "nobody")):
            response = self.as_user(self.owner).get(
                reverse(address[0], args=address[1:]), {"system": query}
            )
            self.assertEqual(response.status_code, status)
        for slug, kind in (("nothing", "csv"), ("project-scores", "xlsx")):
            response = self.get_as(self.owner, "api-project-table-file", "year", slug, kind)
            self.assertEqual(response.status_code, 404)
