"""References that come in from a file, and leave as one to be corrected."""

import csv
import gzip
import io
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import TestCase
from django.urls import reverse

from judgments.models import CampaignRecord, Reference, ReferenceFacts
from judgments.models.chains import record
from tests import factory
from tests.base import CastTestCase

LINES = "one\n\nthree\nfour\n"


def sent(name, content):
    content = content.encode() if isinstance(content, str) else content
    return SimpleUploadedFile(name, content)


class ReferenceSetsTest(CastTestCase):
    name = "reference-new"

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.alone = factory.make_test_set(cls.owner, name="Without a campaign")

    def post(self, file, content, test_set=None, user=None, **data):
        data = {"name": "refB", "file": sent(file, content)} | data
        test_set = test_set or self.test_set
        return self.post_as(user or self.owner, self.name, test_set.pk, data=data)

    def texts(self, name, test_set=None):
        rows = Reference.objects.filter(segment__test_set=test_set or self.test_set, name=name)
        return dict(rows.values_list("segment__key", "text"))

    def assert_refused_with(self, words, *args, **data):
        before = list(Reference.objects.order_by("pk").values_list("pk", "name", "text"))
        response = self.post(*args, **data)
        self.assertContains(response, words, status_code=422)
        after = list(Reference.objects.order_by("pk").values_list("pk", "name", "text"))
        self.assertEqual(before, after)
        self.assertFalse(ReferenceFacts.objects.exists())

    def test_who_may(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused(self.name, self.test_set.pk, users=users, method=method)
        users = {None: 302, self.outsider: 404, self.annotator_1: 404}
        self.assert_refused("reference-file", self.test_set.pk, users=users)

    def test_the_test_set_leads_there(self):
        address = reverse(self.name, args=[self.test_set.pk])
        page = self.get_as(self.owner, "test-set", self.test_set.pk)
        self.assertContains(page, address)
        page = self.get_as(self.researcher, "test-set", self.test_set.pk)
        self.assertNotContains(page, address)

    def test_plain_text(self):
        response = self.post("anything.txt", LINES)
        self.assertEqual(response["Location"], f"/testsets/{self.test_set.pk}/#systems")
        page = self.get_as(self.owner, "test-set", self.test_set.pk)
        self.assertContains(page, "Added the reference refB: 3 segments.")
        self.assertEqual(self.texts("refB"), {"1": "one", "3": "three", "4": "four"})

    def test_tables(self):
        for name, content in (
            ("t.tsv", "segment\ttext\n2\ttwo\n"),
            ("t.jsonl", '{"segment": 2, "text": "two"}\n'),
            ("t.csv.gz", gzip.compress(b'text,segment\n"two",2\n')),
        ):
            self.assertEqual(self.post(name, content, name=f"ref {name}").status_code, 302, name)
            self.assertEqual(self.texts(f"ref {name}"), {"2": "two"})

    def test_what_is_wrong_is_told_with_its_place(self):
        for words, name, content in (
            ("b.txt: the file has 2 lines, but the test set has 4", "b.txt", "one\ntwo\n"),
            ("b.txt, row 5: the test set has only 4 segments.", "b.txt", "a\n" * 5),
            ("b.txt, row 2: byte 1 of the line (0xff) is not UTF-8", "b.txt", b"a\n\xff\nb\nc\n"),
            ("row 1: the line contains a NUL", "b.txt", "a\0\nb\nc\nd\n"),
            ("at most 50,000 are possible", "b.txt", f"a\n{'b' * 50_001}\nc\nd\n"),
            ("they contain no reference texts", "b.txt", "\n\n\n\n"),
            ("not plain text", "b.txt", b"PK\x03\x04 and so on"),
            ("row 3, column segment: the segment “1” occurs twice", "t.tsv", "segment\ttext\n"
             "1\ta\n1\tb\n"),
            ("row 3, column segment: the test set has no segment “9”", "t.tsv", "segment\ttext\n"
             "1\ta\n9\tb\n"),
            ("row 2, column text: the cell is empty", "t.tsv", "segment\ttext\n1\t \n"),
            ("column text: this column is missing", "t.tsv", "segment\n1\n"),
            ("column system: this column is not known", "t.csv", "segment,text,system\n1,a,b\n"),
            ("column source: the source differs", "t.csv", "segment,text,source\n1,a,b\n"),
            ("but the header has 2", "t.tsv", "segment\ttext\n1\ta\tb\n"),
            ("not a whole gzip file", "t.tsv.gz", b"no gzip"),
        ):  # fmt: skip
            with self.subTest(words):
                self.assert_refused_with(words, name, content)

    def test_what_is_wrong_with_the_form(self):
        for words, data in (
            ("This field is required", {"name": ""}),
            ("starts or ends with a space", {"name": " refB"}),
            ("cannot be shown", {"name": "a\u202eb"}),
            ("at most 100 characters", {"name": "x" * 101}),
            ("is not one of the available choices", {"original": "refZ"}),
            ("Choose the reference that was corrected.", {"step": "errors"}),
        ):
            with self.subTest(words):
                self.assert_refused_with(words, "b.txt", LINES, **data)
        response = self.post_as(self.owner, self.name, self.test_set.pk, data={"name": "refB"})
        self.assertEqual(response.status_code, 422)

    def test_hostile_texts_are_data(self):
        text = "<script>alert(1)</script>"
        self.post("b.txt", f"{text}\n\n\n=1+1\n")
        page = self.get_as(self.owner, "test-set", self.test_set.pk)
        self.assertNotContains(page, text)
        self.assertEqual(self.texts("refB")["4"], "=1+1")

    def test_a_reference_leaves_and_comes_back_corrected(self):
        segment = self.test_set.segments.get(key="2")
        segment.references.update(text='=HYPERLINK("x"),\ttab')
        file = self.get_as(self.owner, "reference-file", self.test_set.pk, data={"name": "ref"})
        self.assertEqual(file["Content-Disposition"], 'attachment; filename="ref.csv"')
        head, *rows = list(csv.reader(io.StringIO(file.text)))
        self.assertEqual(head, ["segment", "source", "text"])
        self.assertEqual(rows[1], ["2", segment.source, '\'=HYPERLINK("x"),\ttab'])
        changed = file.text.replace("number 3", "no. 3")
        data = {"name": "ref-1", "original": "ref", "step": "errors"}
        response = self.post("ref.csv", changed, **data)
        self.assertEqual(response.status_code, 302)
        page = self.client.get(response["Location"])
        self.assertContains(page, "In 1 of them it differs from ref.")
        self.assertContains(page, "a corrected copy of ref, errors corrected")
        expected = self.texts("ref") | {"3": "Source text no. 3 stands here ."}
        self.assertEqual(self.texts("ref-1"), expected)
        facts = ReferenceFacts.objects.get()
        said = (facts.name, facts.kind, facts.original, facts.step)
        self.assertEqual(said, ("ref-1", "corrected", "ref", "errors"))

    def test_a_corrected_copy_is_whole(self):
        words = "1 segment of “ref” is not in it, such as “2”"
        self.assert_refused_with(words, "b.txt", LINES, original="ref", step="errors")

    def test_no_copy_of_itself(self):
        whole = "a\nb\nc\nd\n"
        self.post("b.txt", whole, self.alone, original="ref")
        response = self.post("b.txt", whole, self.alone, name="ref", original="refB", replace="on")
        self.assertContains(response, "was made from it", status_code=422)
        response = self.post("b.txt", whole, self.alone, name="ref", original="ref", replace="on")
        self.assertContains(response, "is this reference", status_code=422)
        self.assertNotIn("a", self.texts("ref", self.alone).values())

    def test_replacing(self):
        self.post("b.txt", LINES)
        self.assert_refused_with("You can choose to replace it", "b.txt", "x\n\n\n\n")
        self.assertEqual(self.post("b.txt", "x\n\n\n\n", replace="on").status_code, 302)
        self.assertEqual(self.texts("refB"), {"1": "x"})
        self.assertEqual(len(self.texts("ref")), 4)
        # A file that is wrong leaves what was there.
        self.assert_refused_with("has 1 line", "b.txt", "y\n", replace="on")

    def test_of_a_set_that_is_replaced_stays_what_is_still_true(self):
        self.post("b.txt", "one\ntwo\nthree\nfour\n", original="ref", step="errors")
        a, b = self.test_set.systems.order_by("name")[:2]
        references = Reference.objects.filter(name="refB", segment__test_set=self.test_set)
        references.filter(segment__key__in=("1", "2")).update(donor=a)
        references.filter(segment__key__in=("3", "4")).update(donor=b)
        response = self.post("b.txt", "one\nother\nthree\n\n", replace="on")
        page = self.client.get(response["Location"])
        for words in (
            "Replaced the reference refB: 3 segments.",
            "The donors of 2 segments were removed with the old texts.",
            "It is no longer stated to be a corrected copy of ref.",
        ):
            self.assertContains(page, words)
        found = references.order_by("segment__key").values_list("segment__key", "donor")
        self.assertEqual(list(found), [("1", a.pk), ("2", None), ("3", b.pk)])
        self.assertFalse(ReferenceFacts.objects.exists())

    def test_other_facts_of_a_set_that_is_replaced_stay(self):
        self.post("b.txt", LINES)
        ReferenceFacts.objects.create(test_set=self.test_set, name="refB", kind="human")
        response = self.post("b.txt", LINES, replace="on")
        self.assertNotContains(self.client.get(response["Location"]), "no longer stated")
        self.assertEqual(ReferenceFacts.objects.get().kind, "human")

    def test_annotators_are_shown_what_they_were_shown(self):
        for data in ({"name": "a-ref"}, {"name": "ref", "replace": "on"}):
            self.assert_refused_with("annotators of campaigns are shown", "b.txt", LINES, **data)
            response = self.post("b.txt", LINES, self.alone, **data)
            self.assertEqual(response.status_code, 302)

    def test_no_reference_appears_where_annotators_were_shown_none(self):
        Reference.objects.filter(segment__in=self.test_set.segments.filter(key="3")).delete()
        words = "1 of them has none yet, such as “3”. Leave them out."
        self.assert_refused_with(words, "b.txt", LINES)
        self.assertEqual(self.post("b.txt", "one\n\n\nfour\n").status_code, 302)
        Reference.objects.all().delete()
        self.assert_refused_with("3 of them have none yet, such as “1”", "b.txt", LINES)

    def test_campaigns_without_references_on_their_screens_hold_nothing_back(self):
        for campaign in (self.campaign, self.pairwise):
            campaign.options |= {"show_reference": False}
            campaign.save()
        self.assertEqual(self.post("b.txt", LINES, name="a-ref").status_code, 302)
        self.pairwise.options |= {"show_reference": True}
        self.pairwise.save()
        self.assert_refused_with("annotators of campaigns are shown", "b.txt", LINES, name="a")

    def test_whole_documents_with_references_hold_back(self):
        factory.make_campaign(
            self.alone,
            preset="direct-assessment",
            options={
                "unit": "whole document",
                "show_reference": False,
                "reference_document": True,
            },
        )
        words = "annotators of campaigns are shown"
        self.assert_refused_with(words, "b.txt", LINES, self.alone, name="a")

    def test_it_stands_in_the_record_of_campaigns(self):
        record.begin(self.campaign.pk, "opened")
        n = CampaignRecord.objects.filter(campaign_id=self.campaign.pk).count()
        self.post("b.txt", LINES)
        acts = CampaignRecord.objects.filter(campaign_id=self.campaign.pk).order_by("pk")[n:]
        self.assertEqual({each.act for each in acts}, {"reference added"})
        self.post("b.txt", "x\n\n\n\n", replace="on")
        self.assertEqual(
            {each.act for each in acts.all()}, {"reference added", "reference replaced"}
        )

    def test_a_test_set_of_keys_takes_none(self):
        factory.take_texts(self.alone)
        response = self.post("b.txt", LINES, self.alone)
        self.assertContains(response, "has no texts", status_code=422)

    def test_there_is_no_such_file(self):
        for data in ({}, {"name": "refZ"}, {"name": "r\0"}):
            found = self.get_as(self.owner, "reference-file", self.test_set.pk, data=data)
            self.assertEqual(found.status_code, 404)


class CommandTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.test_set = factory.make_test_set(factory.make_user("owner"))

    def run_it(self, content, *words):
        with TemporaryDirectory() as folder:
            file = Path(folder) / "b.txt"
            file.write_text(content)
            out = io.StringIO()
            call_command("import_reference", self.test_set.pk, str(file), *words, stdout=out)
        return out.getvalue()

    def test_a_reference(self):
        output = self.run_it(LINES, "--name", "refB")
        self.assertEqual(output, f"Test set {self.test_set.pk}: 3 texts of refB.\n")
        self.assertEqual(self.test_set.reference_names, ["ref", "refB"])
        self.run_it("x\n\n\n\n", "--name", "refB", "--replace")
        self.assertEqual(Reference.objects.get(name="refB").text, "x")

    def test_what_is_wrong(self):
        copy = ("--name", "refB", "--original")
        for words, given in (
            ("starts or ends with a space", ("--name", " a")),
            ("There is no reference refZ", (*copy, "refZ")),
            ("give --original", ("--name", "refB", "--step", "errors")),
            ("b.txt: 1 segment of “ref” is not in it", (*copy, "ref")),
        ):
            with self.assertRaisesMessage(CommandError, words):
                self.run_it(LINES, *given)
        self.assertEqual(self.test_set.reference_names, ["ref"])
