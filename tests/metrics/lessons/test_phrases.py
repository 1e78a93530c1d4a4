"""The page of phrases and terms of a test set."""

import csv
import gzip
import io
from unittest import mock

from django.urls import reverse

from judgments.models import Output, Reference, Segment
from metrics.lessons.phrase_tables import linking
from metrics.models import LinkedTexts
from tests import factory
from tests.base import CastTestCase

PAGES = (
    ("metric-phrases",),
    ("metric-phrases-file", "terms"),
    ("metric-phrases-moses",),
)
# “Haus” is a house for A and the reference, for B twice a home.
SOURCES = ["Haus eins", "Haus zwei", "Haus drei", "Buch vier"]
HOUSES = ["house one", "house two", "house three", "book four"]
HOMES = ["home one", "home two", "house three", "book four"]


class PhrasesTests(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.test_set = factory.make_test_set(cls.owner, n_systems=2, name="Houses")
        factory.make_campaign(
            cls.test_set, name="Houses", owner=cls.owner, researchers=[cls.researcher]
        )
        for place, source in enumerate(SOURCES):
            segment = Segment.objects.get(test_set=cls.test_set, position=place)
            Segment.objects.filter(pk=segment.pk).update(source=source)
            Reference.objects.filter(segment=segment).update(text=f"{HOUSES[place]} !")
            for name, texts in (("A", HOUSES), ("B", HOMES)):
                outputs = Output.objects.filter(segment=segment, system__name=f"System-{name}")
                outputs.update(text=texts[place])

    def link(self):
        linking.work_on(linking.ask(self.test_set).pk)

    def page(self, **asked):
        response = self.get_as(self.researcher, "metric-phrases", self.test_set.pk, data=asked)
        self.assertEqual(response.status_code, 200)
        return response

    def test_who_reads_the_metrics_reads_the_phrases(self):
        self.link()
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 200}
        for name, *more in PAGES:
            for user, status in users.items():
                response = self.get_as(user, name, self.test_set.pk, *more)
                self.assertEqual(response.status_code, status, (user, name))

    def test_only_the_owner_has_words_linked(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        self.assert_refused("metric-phrases-link", self.test_set.pk, users=users, method="post")
        self.assert_post_only("metric-phrases-link", self.test_set.pk)
        self.assertFalse(LinkedTexts.objects.exists())
        self.assertNotContains(self.page(), '<button type="submit">Link the words')
        self.assertContains(
            self.page(), "The owner of the test set can start the linking of words."
        )
        response = self.post_as(self.owner, "metric-phrases-link", self.test_set.pk)
        self.assertRedirects(response, reverse("metric-phrases", args=[self.test_set.pk]))
        self.assertContains(self.page(), "Waiting for a worker")

    def test_without_texts_there_is_nothing_to_link(self):
        keys = factory.take_texts(factory.make_test_set(self.owner, name="Keys"))
        page = self.get_as(self.owner, "metric-phrases", keys.pk)
        self.assertNotContains(page, "Link the words")
        self.post_as(self.owner, "metric-phrases-link", keys.pk)
        self.assertFalse(LinkedTexts.objects.exists())

    def test_nothing_is_there_before_words_are_linked(self):
        for name, *more in PAGES[1:]:
            response = self.get_as(self.owner, name, self.test_set.pk, *more)
            self.assertEqual(response.status_code, 404)

    def test_who_translates_a_phrase_how_and_where(self):
        self.link()
        page = self.page(q="Haus")
        rows = {row.text: row.counts for row in page.context["renderings"]}
        self.assertEqual(rows, {"house": [3, 1, 3], "home": [0, 2, 0]})
        home = next(row.way for row in page.context["renderings"] if row.text == "home")
        page = self.page(q="Haus", way=home, of="1")
        self.assertEqual(page.context["n_examples"], 2)
        self.assertContains(page, "<mark>home</mark>", 2)
        system = self.test_set.systems.get(name="System-B")
        for segment in self.test_set.segments.order_by("position")[:2]:
            url = reverse("metric-diagnostic", args=[self.test_set.pk, segment.pk, system.pk])
            self.assertContains(page, f'href="{url}"')
        back = self.page(q="home", where="target")
        self.assertEqual([(r.text, r.counts) for r in back.context["renderings"]], [
            ("Haus", [0, 2, 0])
        ])  # fmt: skip
        for odd in ({"way": "99"}, {"way": "x", "of": "-1"}, {"of": "9" * 40}, {"where": "?"}):
            self.page(q="Haus", **odd)

    def test_consistency_and_terms(self):
        self.link()
        page = self.page()
        term = page.context["terms"][0]
        self.assertEqual((term.text, term.n_segments), ("Haus", 3))
        self.assertEqual(term.cells[0], (1, 3, "house", 3))
        self.assertEqual(term.cells[1], (2, 3, "home", 2))
        rows = {row[0]: row[1:] for row in page.context["consistency"].rows}
        self.assertEqual(rows["System-A"][:5], (1, 1, 1.0, 1.0, 1.0))
        # (2/3)² + (1/3)²; one of three places as the reference.
        for value, expected in zip(rows["System-B"][2:], (0.0, 2.0, 5 / 9, 1 / 3), strict=True):
            self.assertAlmostEqual(value, expected)
        self.assertContains(page, "System-A has 100 % always alike, System-B 0 %.")
        self.assertNotIn("Buch", [term.text for term in self.page(show="all").context["terms"]])
        self.assertContains(self.page(term="Zug"), "No such term.")
        self.assertEqual(len(self.page(show="uneven", term="hau").context["terms"]), 1)

    def test_the_files(self):
        self.link()
        text = self.get_as(self.researcher, "metric-phrases-file", self.test_set.pk, "terms")
        rows = list(csv.DictReader(io.StringIO(text.content.decode())))
        self.assertEqual([row["translation_by"] for row in rows], ["System-A", "System-B", "ref"])
        self.assertEqual((rows[1]["term"], rows[1]["ways"]), ("Haus", "2"))
        table = "translations"
        text = self.get_as(
            self.researcher, "metric-phrases-file", self.test_set.pk, table, data={"q": "Haus"}
        )
        rows = list(csv.DictReader(io.StringIO(text.content.decode())))
        self.assertIn(("home", "System-B", "2"), [
            (row["translation"], row["translation_by"], row["places"]) for row in rows
        ])  # fmt: skip
        moses = self.get_as(
            self.researcher, "metric-phrases-moses", self.test_set.pk, data={"of": "1"}
        )
        lines = gzip.decompress(moses.content).decode().splitlines()
        self.assertTrue(any(line.startswith("Haus ||| home ||| 1 ") for line in lines))
        for wrong in ("3", "-1", "x", "9" * 30):
            response = self.get_as(
                self.researcher, "metric-phrases-moses", self.test_set.pk, data={"of": wrong}
            )
            self.assertEqual(response.status_code, 404)

    def test_a_page_that_waits_reads_nothing_of_what_is_kept(self):
        self.link()
        with mock.patch("metrics.lessons.phrase_tables.page.from_data", side_effect=AssertionError):
            page = self.get_as(
                self.owner,
                "metric-phrases",
                self.test_set.pk,
                headers={"HX-Request": "true"},
            )
        self.assertContains(page, "Show them")
        self.assertNotContains(self.page(), "Show them")

    def test_a_text_that_changed_is_told(self):
        self.link()
        self.assertNotContains(self.page(), "The texts have changed since")
        Segment.objects.filter(test_set=self.test_set, position=0).update(source="Neu")
        self.assertContains(self.page(), "The texts have changed since")
        self.test_set.segments.order_by("position").last().delete()
        page = self.page(q="Haus")
        self.assertContains(page, "Segment 1")
        self.assertNotContains(page, "/metrics/segments/")

    def test_the_page_of_metrics_leads_here(self):
        page = self.get_as(self.researcher, "test-set-metrics", self.test_set.pk)
        self.assertContains(page, reverse("metric-phrases", args=[self.test_set.pk]))
