"""A walk through everything that shows or sends results of a campaign: each says which judgments
its figures are of, and filters change them."""

import csv
import html
import io
import json
import re
import struct
from urllib.parse import urlencode

from django.core.cache import cache
from django.http import QueryDict
from django.urls import reverse

from judgments.files.csv_files import csv_cell
from judgments.models import Document
from judgments.quality.decisions.decisions import decide
from judgments.results.selection.selection import Selection
from judgments.web import sections
from tests import factory

from .campaign_addresses import ENDPOINTS, PAGES

FILES_ALONE = {"coverage"}  # of the report and the exports
# A number in a table of a page; and one in JSON.
VALUE = re.compile(r'<t[dh][^>]* data-value="(-?[\d.]+(?:e-?\d+)?)"')
NUMBER = re.compile(r"-?[\d.]+(e-?\d+)?")
# Whatever is filtered, these are the same: a log, a plan of all items, scores of a test set.
UNFILTERED = re.compile(
    "notes|quality-(decisions|removed-items|control-items|expected-scores)|stopping.*|"
    "metric-(scores|segment-scores|differences)"
)
OF_ALL_ITEMS = {"stopping", "api-stopping"}
KINDS = ("svg", "png", "vl.json")
ADDRESS = r"^http://testserver/f/[a-z2-7]{10}/$"


def words(picture):
    """The text of an SVG, without its marks."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", picture)).split())


def description(picture):
    """What a PNG says to those who cannot see it."""
    at, found = 8, b""
    while at < len(picture):
        (length,) = struct.unpack(">I", picture[at : at + 4])
        if picture[at + 4 : at + 8] == b"iTXt":
            found = picture[at + 8 : at + 8 + length]
        at += length + 12
    key, _, text = found.partition(b"\0\0\0\0\0")
    assert key == b"Description"
    return text.decode()


class Walk:
    """`campaign_walked` names the campaign. Everything is requested with an annotator excluded by
    decision, without filters and with two kinds of them."""

    asked = ({}, {"domain": "news"}, {"system": "System-A"})
    alike: tuple[str, ...] = ()
    """Tables in which the data of the test have nothing that a filter could change."""

    def set_up_walk(self, campaign):
        cache.clear()
        self.walked = campaign
        first = self.test_set.documents.order_by("position").first()
        Document.objects.filter(pk=first.pk).update(domain="news", original_language="de")
        Document.objects.filter(test_set=self.test_set).exclude(pk=first.pk).update(domain="law")
        third = factory.make_user("annotator-3")
        campaign.memberships.create(user=third, role="annotator", alias="annotator-3")
        decide(campaign, third, excluded=True, reason="Hurried.", by=self.owner)
        self.as_user(self.owner)

    def get(self, name, *args, **query):
        response = self.client.get(reverse(name, args=[self.walked.pk, *args]), query)
        self.assertEqual(response.status_code, 200, (name, args, query))
        content = response.getvalue() if response.streaming else response.content
        return content

    def selection(self, query, name=""):
        found = Selection.asked(self.walked, QueryDict(urlencode(query)))
        return found.unfiltered if name in OF_ALL_ITEMS else found

    def line(self, query, name=""):
        found = self.selection(query, name).sentence
        self.assertIn("1 annotator is left out", found)
        if query and name not in OF_ALL_ITEMS:
            self.assertIn("only", found)
        return found

    def is_there(self, name):
        """Whether the campaign's protocol has the address at all."""
        return self.client.get(reverse(name, args=[self.walked.pk])).status_code == 200

    def walk_pages(self, least):
        names = [name for name in sorted(PAGES) if self.is_there(name)]
        self.assertGreaterEqual(len(names), least)
        for query in self.asked:
            for name in names:
                with self.subTest(name=name, **query):
                    text = self.get(name, **query).decode()
                    self.assertIn(f"<strong>{html.escape(self.line(query, name))}.</strong>", text)

    def walk_endpoints(self, least):
        names = [name for name in sorted(ENDPOINTS) if self.is_there(name)]
        self.assertGreaterEqual(len(names), least)
        for query in self.asked:
            for name in names:
                with self.subTest(name=name, **query):
                    found = json.loads(self.get(name, **query))
                    self.assertEqual(found["selection"]["sentence"], self.line(query, name))

        self.walk_pages_of_the_api()
        self.assertGreater(self.n_figures, 10)

    def walk_pages_of_the_api(self):
        """Each says what it is of, and holds the figures of the CSV files."""
        for query in self.asked:
            for page, of, _ in sections.pages_of(self.selection(query)):
                with self.subTest(page=page.slug, **query):
                    found = json.loads(self.get("api-page", page.slug, **query))
                    self.assertEqual(found["selection"]["sentence"], of.sentence)
                    self.assertEqual(found["slug"], page.slug)
                    if page.web not in FILES_ALONE:
                        self.assert_same_figures(page.web, query, found)
                    for section in found["sections"]:
                        for table in section["tables"]:
                            text = self.get("export-table", table["slug"], **query).decode()
                            header, *rows = csv.reader(io.StringIO(text))
                            heads = [csv_cell(key) for key in table["columns"]]
                            self.assertEqual([*heads, "address"], header[:-1])
                            cells = [[str(csv_cell(v)) for v in row] for row in table["rows"]]
                            self.assertEqual(table["count"], len(rows))
                            self.assertEqual(cells, [row[:-2] for row in rows[:500]])

    def assert_same_figures(self, name, query, found):
        """Every number in the tables of a page, which holds nine digits, is in its JSON."""
        known = {
            f"{float(cell):.9g}"
            for section in found["sections"]
            for table in section["tables"]
            for row in table["rows"]
            for cell in row
            if NUMBER.fullmatch(str(cell))
        }
        response = self.client.get(reverse(name, args=[self.walked.pk]), query)
        self.assertEqual(response.status_code, 200, name)
        shown = {f"{float(value):.9g}" for value in VALUE.findall(response.content.decode())}
        self.assertEqual(shown - known, set(), name)
        self.n_figures = getattr(self, "n_figures", 0) + len(shown)

    def walk_tables(self, least):
        listed = [(table.slug, of) for table, of in sections.tables_of(self.selection({}))]
        self.assertGreaterEqual(len(listed), least)
        self.assertEqual(len(listed), len({slug for slug, _ in listed}), "two of one name")
        for slug, _ in listed:
            bare = {}
            for query in self.asked:
                with self.subTest(table=slug, **query):
                    (of,) = [
                        of
                        for table, of in sections.tables_of(self.selection(query))
                        if table.slug == slug
                    ]
                    rows = list(
                        csv.reader(io.StringIO(self.get("export-table", slug, **query).decode()))
                    )
                    self.assertEqual(rows[0][-1], "selection")
                    self.assertEqual({row[-1] for row in rows[1:]} - {of.sentence}, set())
                    bare[str(query)] = [row[:-2] for row in rows[1:]]
                    for row in rows[1:]:
                        self.assertRegex(row[-2], ADDRESS)
            whole, filtered = bare[str({})], [bare[str(query)] for query in self.asked[1:]]
            if whole and slug not in self.alike and not UNFILTERED.fullmatch(slug):
                with self.subTest(table=slug):
                    self.assertTrue(any(each != whole for each in filtered), slug)

    def walk_charts(self, least):
        listed = [(chart.slug, of.sentence) for chart, of in sections.charts_of(self.selection({}))]
        self.assertGreaterEqual(len(listed), least)
        self.assertEqual(len(listed), len({slug for slug, _ in listed}), "two of one name")
        for query in self.asked[:2]:
            for chart, of in sections.charts_of(self.selection(query)):
                for kind in KINDS:
                    with self.subTest(chart=chart.slug, kind=kind, **query):
                        self.assert_drawn(self.get("chart", chart.slug, kind, **query), kind, of)

    def assert_drawn(self, content, kind, of):
        if kind == "svg":
            self.assertIn(of.sentence, words(content.decode()))
        elif kind == "png":
            self.assert_addressed(description(content), of)
        else:
            spec = json.loads(content)
            self.assertEqual(spec["usermeta"]["selection"]["sentence"], of.sentence)
            self.assert_addressed(" ".join(spec["title"]["subtitle"]), of)

    def assert_addressed(self, line, of):
        """The sentence, and then the link that leads back."""
        sentence, _, address = line.rpartition(" ")
        self.assertEqual(sentence, of.sentence)
        self.assertRegex(address, ADDRESS)

    def walk_files(self):
        n_rows, n_of = [], []
        for query in self.asked:
            line = self.line(query)
            found = json.loads(self.get("export-json", **query))
            self.assertEqual(found["selection"]["sentence"], line)
            n_of.append(found["counts"]["observations"])
            text = self.get("export-observations", **query).decode()
            head, *rows = (row.split("\t") for row in text.splitlines())
            self.assertEqual(head[-1], "selection")
            self.assertEqual({row[-1] for row in rows}, {line})
            n_rows.append(len(rows))
        for n, *others in (n_rows, n_of):
            for other in others:
                self.assertLess(other, n)
