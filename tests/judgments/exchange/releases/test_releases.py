"""Files in the field's formats, and the page of published figures."""

import io
import zipfile
from html import escape

from django.core.cache import cache

from judgments.exchange.releases.out import choices
from judgments.models import PublishedFigure
from tests import factory
from tests.base import CastTestCase


class Judged(CastTestCase):
    """The rating campaign, all judged."""

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        for task in cls.campaign.tasks.order_by("seat"):
            for item in task.items.order_by("position"):
                n = (item.position + task.seat) % 3
                factory.judge(item, {"adequacy": [5 - n, 3, 1 + n], "fluency": [4, 4 - n, 2]})

    def setUp(self):
        cache.clear()


class FormatsTest(Judged):
    def test_for_owners_and_researchers(self):
        arguments = (self.campaign.pk, "mt-metrics-eval")
        self.assert_refused("export-format", *arguments)
        refused = {self.outsider: 404, self.annotator_1: 403}
        self.assert_refused("api-format", *arguments, users=refused)
        self.assert_refused("api-formats", self.campaign.pk, users=refused)
        for user in (self.owner, self.researcher):
            for name in ("export-format", "api-format"):
                response = self.get_as(user, name, *arguments)
                self.assertEqual(response.status_code, 200)
                b"".join(response)

    def test_a_folder_comes_as_a_zip(self):
        response = self.get_as(
            self.researcher, "export-format", self.campaign.pk, "mt-metrics-eval"
        )
        self.assertIn("mt-metrics-eval.zip", response["Content-Disposition"])
        with zipfile.ZipFile(io.BytesIO(b"".join(response))) as archive:
            names = archive.namelist()
            adequacy = next(name for name in names if name.endswith("adequacy.sys.score"))
            lines = archive.read(adequacy).decode().splitlines()
        self.assertEqual(len(lines), self.test_set.systems.count())
        self.assertTrue(any("/sources/" in name for name in names))

    def test_what_a_format_has_no_place_for(self):
        for task in self.pairwise.tasks.order_by("seat"):
            for item in task.items.order_by("position"):
                factory.judge(item, 1)
        for name in ("export-format", "api-format"):
            response = self.get_as(self.researcher, name, self.pairwise.pk, "mt-metrics-eval")
            self.assertContains(response, "supports only scores and marked errors", status_code=400)

    def test_no_such_format(self):
        for name in ("export-format", "api-format"):
            response = self.get_as(self.researcher, name, self.campaign.pk, "no-such")
            self.assertContains(response, "There is no format", status_code=400)

    def test_the_lists(self):
        listed = self.get_as(self.researcher, "api-formats", self.campaign.pk).json()
        self.assertEqual(
            [row["slug"] for row in listed], [each.slug for each, _ in choices(self.campaign)]
        )
        page = self.get_as(self.researcher, "exports", self.campaign.pk)
        for row in listed:
            self.assertContains(page, escape(row["name"]))


class TextsTest(Judged):
    def test_for_those_who_may_read_the_test_set(self):
        arguments = (self.test_set.pk, "wmt-xml")
        refused = {None: 302, self.outsider: 404, self.annotator_1: 404}
        self.assert_refused("export-texts", *arguments, users=refused)
        for user in (self.owner, self.researcher):
            response = self.get_as(user, "export-texts", *arguments)
            self.assertIn("texts.de-en.all.xml", response["Content-Disposition"])
            self.assertIn(b"Quelltext Nummer 4 steht hier .", b"".join(response))

    def test_the_page_offers_what_texts_go_into(self):
        page = self.get_as(self.owner, "test-set", self.test_set.pk)
        self.assertEqual(
            [each.slug for each in page.context["formats"]],
            [
                "mt-metrics-eval",
                "tsv",
                "xlsx",
                "parquet",
                "xliff",
                "tmx",
                "wmt-xml",
                "iwslt",
                "wmt-jsonl",
            ],
        )


class RecomputationTest(Judged):
    def test_for_owners_and_researchers(self):
        self.assert_refused("recomputation", self.campaign.pk)
        for user in (self.owner, self.researcher):
            response = self.get_as(user, "recomputation", self.campaign.pk)
            self.assertContains(response, "No figures were published with these judgments")

    def publish(self, *rows):
        PublishedFigure.objects.bulk_create(
            PublishedFigure(
                campaign=self.campaign, figure=f, dimension=d, of=of, text=t, file="a.tsv"
            )
            for f, d, of, t in rows
        )

    def test_digit_by_digit(self):
        systems = list(self.test_set.systems.order_by("name").values_list("name", flat=True))
        self.publish(
            ("system mean", "adequacy", systems[1], "3"),
            ("system mean", "adequacy", systems[0], "17.25"),
            ("system mean", "grammar", systems[0], "3"),
            ("TrueSkill", "", systems[0], "0.5"),
            ("system mean", "adequacy", "nobody", "3"),
        )
        response = self.get_as(self.researcher, "recomputation", self.campaign.pk)
        self.assertContains(response, "1 of 2 published figures are reproduced with every digit")
        self.assertContains(response, "1 differs")
        self.assertContains(response, "3 published figures are not compared")
        table = response.context["sections"][0].tables[0].make()
        found = {(row[0], row[1], row[2]): row[5] for row in table.rows}
        self.assertEqual(found["system mean", "adequacy", systems[1]], "the same")
        self.assertEqual(found["system mean", "adequacy", systems[0]], "differs")
        # What differs stands first.
        self.assertEqual(table.rows[0][5], "differs")

    def decide(self, user, figure, reason="a slip of the pen"):
        data = {"figure": figure, "reason": reason}
        return self.post_as(user, "known-fault", self.campaign.pk, data=data)

    def test_a_fault_of_the_publication_is_no_difference(self):
        """The mean of the second system's adequacy is 3, which all annotators give it."""
        self.publish(("system mean", "adequacy", "System-B", "3.5"))
        (published,) = self.campaign.published_figures.all()
        figure = f"{published.pk} 3.0"
        self.assertEqual(self.decide(self.researcher, figure).status_code, 403)
        self.assertEqual(self.decide(self.owner, f"{published.pk} 3.1").status_code, 422)
        self.assertEqual(self.decide(self.owner, figure, "").status_code, 422)
        self.assertFalse(published.faults.exists())
        self.assertEqual(self.decide(self.owner, figure).status_code, 302)
        page = self.get_as(self.researcher, "recomputation", self.campaign.pk)
        self.assertContains(page, "1 figure is a known fault of the publication.")
        self.assertNotContains(page, "differs")
        self.assertNotContains(page, "Record it")
        table, faults = (each.make() for each in page.context["sections"][0].tables)
        self.assertEqual(
            table.rows[0][5:7], ("a known fault of the publication", "a slip of the pen")
        )
        self.assertEqual(faults.rows[0][3:7], ("3.5", "3.0", "3.0", "a slip of the pen"))
        asked = {"part": "provenance"}
        report = self.get_as(self.owner, "report", self.campaign.pk, data=asked)
        self.assertContains(report, "1 figure is a known fault of the publication.")
        page = self.get_as(self.owner, "recomputation", self.campaign.pk)
        self.assertContains(page, f"by {self.owner.get_username()} on")
        # It is of these two figures: ours changes, and it is a difference again.
        for user in (self.annotator_1, self.annotator_2):
            item = user.tasks.get(campaign=self.campaign).items.first()
            old = item.judgments.get()
            factory.judge(item, {"adequacy": [5, 1, 1], "fluency": [4, 4, 2]}, supersedes=old)
        page = self.get_as(self.owner, "recomputation", self.campaign.pk)
        self.assertContains(page, "1 differs")
        faults = page.context["sections"][0].tables[1].make()
        self.assertEqual(faults.rows[0][4], "3.0")
        self.assertNotEqual(faults.rows[0][5], "3.0")

    def test_a_fault_is_withdrawn(self):
        self.publish(("system mean", "adequacy", "System-B", "3.5"))
        (published,) = self.campaign.published_figures.all()
        for reason in ("a slip of the pen", "they average otherwise"):
            self.decide(self.owner, f"{published.pk} 3.0", reason)
        page = self.get_as(self.owner, "recomputation", self.campaign.pk)
        self.assertContains(page, "1 differs")
        self.assertContains(page, "no fault. they average otherwise")
        self.assertEqual([each.withdrawn for each in published.faults.all()], [False, True])
