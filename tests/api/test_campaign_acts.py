"""What owners do by programs: the same as on pages, with the same refusals and the same log."""

import csv
import io
from unittest.mock import patch

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from judgments.files.csv_files import csv_cell
from judgments.models import Act, Judgment, Status
from judgments.results import exports
from judgments.results.figure_addresses import address_of_figure
from judgments.results.selection.selection import Selection
from judgments.web import sections
from tests.api.test_access import ApiTestCase


class ActsTest(ApiTestCase):
    def send(self, user, name, *args, status=200, **data):
        address = reverse(name, args=[self.campaign.pk, *args])
        response = self.as_user(user).post(address, data, content_type="application/json")
        self.assertEqual(response.status_code, status, response.content)
        return response.json()

    def test_status(self):
        for status in (Status.PAUSED, Status.OPEN, Status.CLOSED):
            self.assertEqual(self.change(status)["status"], status)
            self.campaign.refresh_from_db()
            self.assertEqual(self.campaign.status, status)
        self.assertEqual(Act.objects.first().facts, {"status": "closed"})
        with patch(
            "judgments.plans.campaigns.opening.why_not_open", return_value="Nothing is planned."
        ):
            self.assertEqual(self.change("open", 409)["detail"], "Nothing is planned.")
        self.assertIn("status", self.change("lost", 400)["errors"])
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.status, Status.CLOSED)

    def change(self, status, expected=200):
        address = reverse("api-campaign-status", args=[self.campaign.pk])
        client = self.as_user(self.owner)
        response = client.post(address, {"status": status}, content_type="application/json")
        self.assertEqual(response.status_code, expected, response.content)
        return response.json()

    def test_invitations(self):
        made = self.send(self.owner, "api-invitations", status=201, kind="single", note="Ada")
        self.assertEqual((made["role"], made["max_uses"]), ("annotator", 1))
        self.assertTrue(made["usable"])
        self.assertEqual(self.get_as(None, "join", made["url"].split("/")[-2]).status_code, 200)
        listed = self.json_as(self.owner, "api-invitations", self.campaign.pk)
        self.assertIn(made, listed)
        closed = self.send(self.owner, "api-invitation-close", made["id"])
        self.assertFalse(closed["usable"])
        self.send(self.owner, "api-invitation-close", 10**9, status=404)
        said = self.send(self.owner, "api-invitations", status=400, kind="single", max_uses=5)
        self.assertIn("one person", said["detail"])
        self.send(self.owner, "api-invitations", status=400, role="owner")
        acts = [act.act for act in Act.objects.all()]
        self.assertEqual(acts, ["api-invitation-close", "api-invitations"])
        self.assertNotIn(made["url"].split("/")[-2], str(list(Act.objects.values())))

    def test_decisions(self):
        alias = self.campaign.memberships.get(user=self.annotator_1).alias
        asked = {"annotator": alias, "action": "leave-out", "reason": "Hurried."}
        log = self.send(self.owner, "api-decisions", status=201, **asked)
        self.assertEqual([(d["annotator"], d["decision"]) for d in log], [(alias, "left out")])
        self.assertEqual(self.json_as(self.researcher, "api-decisions", self.campaign.pk), log)
        decided = Selection.of(self.campaign).decided
        self.assertEqual(set(decided.annotators), {self.annotator_1.pk})
        said = self.send(self.owner, "api-decisions", status=409, **asked)
        self.assertEqual(said["detail"], "This annotator is left out already.")
        said = self.send(self.owner, "api-decisions", status=400, **asked | {"annotator": "x"})
        self.assertIn("Nobody of this name", said["detail"])
        self.assertEqual(Act.objects.first().facts, {}, "names can be erased")

    def test_decisions_on_segments(self):
        key = self.test_set.segments.first().key
        asked = {"segment": key, "action": "leave-out", "reason": "No source."}
        log = self.send(self.owner, "api-item-decisions", status=201, **asked)
        self.assertEqual([(d["segment"], d["system"]) for d in log], [(key, "")])
        self.send(self.owner, "api-item-decisions", status=409, **asked)
        said = self.send(self.owner, "api-item-decisions", status=400, **asked | {"segment": "?"})
        self.assertEqual(set(said["errors"]), {"segment"})

    def test_judgments_from_a_file(self):
        text = "".join(exports.tsv_lines(Selection.of(self.campaign)))
        number = Judgment.objects.count()
        address = reverse("api-judgments", args=[self.campaign.pk])
        client = self.as_user(self.owner)
        wrong = client.post(address, {"file": SimpleUploadedFile("x.tsv", b"a\tb\n1\t2\n")})
        self.assertEqual(wrong.status_code, 400)
        self.assertIn("Nothing was imported", wrong.json()["errors"]["file"][0])
        self.assertEqual(client.post(address).status_code, 400)
        others = text.replace("annotator-", "colleague-")
        right = client.post(address, {"file": SimpleUploadedFile("x.tsv", others.encode())})
        self.assertEqual(right.status_code, 201, right.content)
        self.assertEqual(right.json()["judgments"], Judgment.objects.count() - number)
        self.assertEqual(Act.objects.first().facts, {})

    def test_progress(self):
        found = self.json_as(self.researcher, "api-progress", self.campaign.pk)
        self.assertEqual(found["n_judged"], Judgment.objects.filter(campaign=self.campaign).count())
        self.assertEqual(
            sum(each["judged"] for each in found["annotators"]), found["n_judged"], found
        )


class FiguresTest(ApiTestCase):
    @pytest.mark.proof
    def test_a_table_in_parts_is_the_table(self):
        selection = Selection.of(self.campaign)
        for lazy, of in sections.tables_of(selection):
            number, slug = self.campaign.pk, lazy.slug
            file = self.get_as(self.researcher, "api-table-file", number, slug, "csv")
            text = file.getvalue().decode()
            address = f"http://testserver{address_of_figure(of, slug=slug)}"
            self.assertEqual(text, exports.table_file(lazy.make(), of.sentence, address))
            first = self.json_as(self.researcher, "api-table", number, slug, limit=2)
            rows = first["rows"]
            while first["next"] and len(rows) < 40:
                first = self.client.get(first["next"]).json()
                rows += first["rows"]
            _, *lines = csv.reader(io.StringIO(text))
            cells = [[str(csv_cell(cell)) for cell in row] for row in rows]
            self.assertEqual(cells, [line[:-2] for line in lines[: len(cells)]], slug)
            self.assertEqual(first["count"], len(lines))
            if not first["next"]:
                self.assertEqual(len(cells), len(lines))

    def test_what_is_not_there(self):
        for name, more in (("api-table", ()), ("api-chart", ()), ("api-chart-picture", ("svg",))):
            response = self.get_as(self.researcher, name, self.campaign.pk, "nothing", *more)
            self.assertEqual(response.status_code, 404)
        response = self.get_as(
            self.researcher, "api-chart-picture", self.campaign.pk, "scores-adequacy-raw", "exe"
        )
        self.assertEqual(response.status_code, 404)

    def test_charts(self):
        slug = "scores-adequacy-raw"
        spec = self.json_as(self.researcher, "api-chart", self.campaign.pk, slug, system="System-A")
        self.assertEqual(spec["usermeta"]["selection"]["sentence"], "Only the system System-A")
        for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
            response = self.get_as(
                self.researcher, "api-chart-picture", self.campaign.pk, slug, kind
            )
            self.assertTrue(response.content.startswith(start))

    def test_a_page_says_where_its_charts_and_tables_are(self):
        query = {"without": "annotator-1"}
        found = self.json_as(self.researcher, "api-page", self.campaign.pk, "scores", **query)
        drawn = [chart for section in found["sections"] for chart in section["charts"]]
        tables = [table for section in found["sections"] for table in section["tables"]]
        self.assertGreater(len(drawn), 0)
        for each in (drawn[0], *tables):
            answer = self.client.get(each["url"])
            self.assertEqual(answer.status_code, 200, each["url"])
        own, of_page = answer.json()["selection"], found["selection"]
        self.assertNotEqual(own.pop("address"), of_page.pop("address"))  # each figure has its own
        self.assertEqual(own, of_page)
        self.assertEqual(answer.json()["rows"], tables[-1]["rows"][:100])


class TextsTest(ApiTestCase):
    def test_texts(self):
        listed = self.json_as(self.researcher, "api-test-sets")["results"]
        self.assertEqual([each["id"] for each in listed], [self.test_set.pk])
        found = self.json_as(self.researcher, "api-test-set", self.test_set.pk)
        self.assertEqual(found["n_segments"], self.test_set.segments.count())
        self.assertEqual(found["systems"], ["System-A", "System-B", "System-C"])
        page = self.json_as(self.researcher, "api-test-set-segments", self.test_set.pk, limit=1)
        first = self.test_set.segments.first()
        (row,) = page["results"]
        self.assertEqual((row["key"], row["text"]), (first.key, first.source))
        output = first.outputs.get(system__name="System-B")
        self.assertEqual(row["outputs"]["System-B"], output.text)
        self.assertEqual(page["count"], found["n_segments"])


class RootTest(ApiTestCase):
    def test_people_get_a_page_and_programs_addresses(self):
        browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        for user in (None, self.annotator_1, self.owner):
            client = self.as_user(user) if user else self.client_class()
            page = client.get("/api/", headers={"accept": browser})
            self.assertContains(page, "<h1>The API</h1>")
            self.assertContains(page, "/api/campaigns/{campaign_id}/scores/")
            self.assertContains(page, reverse("docs-page", args=["api.html"]))
            links = client.get("/api/").json()
            self.assertEqual(links["campaigns"], "http://testserver/api/campaigns/")
            for link in (links["schema"], links["guide"]):
                self.assertEqual(client.get(link).status_code, 200)
