"""The link under a figure opens it again, and says what has changed since."""

import csv
import io
import json
from unittest import mock

from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judgments.models import FigureAddress
from judgments.results import figure_addresses
from judgments.results.figure_addresses import address_of_figure
from judgments.results.scores import page as scores_page
from judgments.results.selection.filters import Filters
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase


class AddressTest(CastTestCase):
    def setUp(self):
        for item in list(self.campaign.tasks.first().items.all()):
            factory.judge(item, {"adequacy": [20.0, 80.0, 50.0], "fluency": [40.0, 60.0, 55.0]})
        self.selection = Selection.of(self.campaign)

    def opened(self, address, user=None):
        self.client.force_login(user or self.researcher)
        return self.client.get(address)

    def test_opens_the_page_of_the_same_selection(self):
        filtered = Selection.of(self.campaign, filters=Filters(systems=("System-A",)))
        for selection in (self.selection, filtered):
            section = next(s for s in scores_page.sections(selection) if s.tables)
            address = address_of_figure(selection, "", section.tables[0].slug)
            response = self.opened(address)
            page = reverse("scores", args=[self.campaign.pk]) + selection.query
            self.assertEqual(response.status_code, 302)
            self.assertEqual(response["Location"].partition("#")[0], page)
            self.assertTrue(response["Location"].endswith(f"#section-{section.slug}"))

    def test_the_same_figure_has_the_same_address_and_another_has_another(self):
        first = address_of_figure(self.selection, "scores")
        self.assertEqual(address_of_figure(Selection.of(self.campaign), "scores"), first)
        others = {
            address_of_figure(self.selection, "agreement"),
            address_of_figure(
                Selection.of(self.campaign, "all", without=["annotator-1"]), "scores"
            ),
            address_of_figure(self.selection, "scores", query="dimension=fluency"),
        }
        self.assertEqual(len(others | {first}), 4)
        self.assertEqual(FigureAddress.objects.count(), 4)

    def test_says_that_judgments_have_changed(self):
        address = address_of_figure(self.selection, "scores")
        item = self.campaign.tasks.last().items.first()
        factory.judge(item, {"adequacy": [1.0, 2.0, 3.0], "fluency": [3.0, 4.0, 5.0]})
        response = self.opened(address)
        self.assertContains(response, "The judgments, exclusions or code have changed since")
        self.assertContains(response, f'href="{reverse("scores", args=[self.campaign.pk])}"')

    def test_says_which_version_made_it(self):
        address = address_of_figure(self.selection, "scores")
        FigureAddress.objects.update(version="0.0.9", fingerprint="0" * 64)
        self.assertContains(self.opened(address), "Version 0.0.9 of mteval computed it on")

    def test_who_may_open_it(self):
        code = address_of_figure(self.selection, "scores").split("/")[-2]
        self.assert_refused("figure", code)
        self.assertEqual(self.opened(reverse("figure", args=["aaaaaaaaaa"])).status_code, 404)

    def test_costs_one_statement_once(self):
        self.addCleanup(figure_addresses._known.clear)
        with self.captureOnCommitCallbacks(execute=True), CaptureQueriesContext(connection) as made:
            address_of_figure(self.selection, "scores")
        rows = [query["sql"] for query in made if "SAVEPOINT" not in query["sql"]]
        self.assertEqual(len(rows), 1)
        with self.assertNumQueries(0):
            address_of_figure(self.selection, "scores")

    def test_a_database_that_is_only_read_gives_the_long_address(self):
        fails = mock.patch.object(
            FigureAddress.objects, "bulk_create", side_effect=DatabaseError("read-only")
        )
        with fails:
            address = address_of_figure(self.selection, "scores")
        self.assertEqual(address, reverse("scores", args=[self.campaign.pk]))

    def test_files_carry_it(self):
        self.client.force_login(self.researcher)
        section = next(s for s in scores_page.sections(self.selection) if s.tables)
        url = reverse("export-table", args=[self.campaign.pk, section.tables[0].slug])
        rows = list(csv.DictReader(io.StringIO(self.client.get(url).content.decode())))
        addresses = {row["address"] for row in rows}
        self.assertEqual(len(addresses), 1)
        place = self.opened(addresses.pop())["Location"]
        self.assertTrue(place.startswith(reverse("scores", args=[self.campaign.pk])))
        url = reverse("export-json", args=[self.campaign.pk])
        whole = json.loads(b"".join(self.client.get(url)))
        place = self.opened(whole["selection"]["address"])["Location"]
        self.assertEqual(place, reverse("exports", args=[self.campaign.pk]))

    def test_files_of_the_api_carry_the_same(self):
        """Tables as CSV, charts as specification and picture: as the files of the pages do."""
        self.client.force_login(self.researcher)
        query = {"system": ["System-A", "System-B"]}
        selection = Selection.of(self.campaign, filters=Filters(systems=("System-A", "System-B")))
        table = next(s for s in scores_page.sections(selection) if s.tables).tables[0].slug
        chart = next(s for s in scores_page.sections(selection) if s.charts).charts[0].slug
        for slug, name, *kind in (
            (table, "api-table-file", "csv"),
            (chart, "api-chart"),
            (chart, "api-chart-picture", "svg"),
        ):
            url = reverse(name, args=[self.campaign.pk, slug, *kind])
            response = self.client.get(url, query)
            text = b"".join(response).decode()
            expected = address_of_figure(selection, slug=slug)
            self.assertIn(f"http://testserver{expected}", text, name)
            place = self.opened(expected)["Location"]
            self.assertIn(f"{selection.query}#section-", place)
