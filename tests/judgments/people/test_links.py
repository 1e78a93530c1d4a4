"""Word alignment: proposals come in from files, agreement is shown, links go out."""

import csv
import json
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from judgments.models import AlignmentLink, Output, PrefilledLink
from judgments.results.links.figures import word_links
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase

FIRST = {(0, 0): True, (1, 1): True, (2, 2): False}
SECOND = {(0, 0): True, (1, 1): False, (3, 3): True}
# By hand: |P1∩P2| = 2, |P1∩S2| = 1, |P2∩S1| = 2, |P| = 3 + 3, |S| = 2 + 2: 1 - (3 + 4) / 10.
AER = 0.3


def link(item, links):
    judgment = factory.judge(item, {})
    output = item.shown.get().output
    AlignmentLink.objects.bulk_create(
        AlignmentLink(
            judgment=judgment, output=output, source_token=i, target_token=j, is_sure=sure
        )
        for (i, j), sure in links.items()
    )


def upload(name, text):
    return SimpleUploadedFile(name, text.encode())


class LinksTestCase(CastTestCase):
    def setUp(self):
        self.linking = factory.make_campaign(
            self.test_set,
            preset="word-alignment",
            name="Linking",
            owner=self.owner,
            researchers=[self.researcher],
            annotators=[self.annotator_1, self.annotator_2],
        )
        self.tasks = [
            factory.make_task(self.linking, annotator, seat=seat, n_outputs=1)
            for seat, annotator in enumerate([self.annotator_1, self.annotator_2], 1)
        ]

    def judge_all(self):
        """Both link four texts alike but for the links that `AER` is of."""
        for task, links in zip(self.tasks, (FIRST, SECOND), strict=True):
            for item in task.items.all():
                link(item, links)


class ResultsTests(LinksTestCase):
    def test_refused_to_others(self):
        self.assert_refused("word-links", self.linking.pk)

    def test_other_campaigns_have_none(self):
        self.assertEqual(self.get_as(self.owner, "word-links", self.campaign.pk).status_code, 404)
        self.assertEqual(self.get_as(self.owner, "api-links", self.campaign.pk).status_code, 404)

    def test_before_the_first_judgment(self):
        response = self.get_as(self.researcher, "word-links", self.linking.pk)
        self.assertContains(response, "No links yet")

    def test_the_page_says_how_far_they_agree(self):
        self.judge_all()
        response = self.get_as(self.researcher, "word-links", self.linking.pk)
        self.assertContains(response, "24 links were drawn in 8 judgments")
        self.assertContains(response, "the alignment error rate is .300")
        self.assertContains(response, "over 4 comparisons by 1 pair of annotators")
        self.assertContains(response, "Percentile bootstrap over 4 segments, 1,000 resamples")
        self.assertNotContains(response, "Proposed links")

    def test_the_page_of_agreement_leads_there(self):
        response = self.get_as(self.owner, "agreement", self.linking.pk)
        self.assertRedirects(response, reverse("word-links", args=[self.linking.pk]))

    def test_one_annotator_has_no_agreement(self):
        link(self.tasks[0].items.first(), FIRST)
        response = self.get_as(self.owner, "word-links", self.linking.pk)
        self.assertContains(response, "Agreement is not known")

    def test_who_is_left_out_is_left_out(self):
        self.judge_all()
        self.linking.decisions.create(
            annotator=self.annotator_2, decided_by=self.owner, excluded=True, reason="Test"
        )
        response = self.get_as(self.owner, "word-links", self.linking.pk)
        self.assertContains(response, "12 links were drawn in 4 judgments")
        response = self.client.get(response.request["PATH_INFO"] + "?annotators=all")
        self.assertContains(response, "24 links were drawn in 8 judgments")

    def test_what_became_of_proposals(self):
        self.judge_all()
        output = self.tasks[0].items.first().shown.get().output
        for source, target, sure in ((0, 0, True), (1, 1, True), (5, 5, True)):
            PrefilledLink.objects.create(
                campaign=self.linking,
                output=output,
                source_token=source,
                target_token=target,
                is_sure=sure,
            )
        first, second = word_links(Selection.of(self.linking)).linkers
        self.assertEqual((first.kept, first.changed, first.removed, first.own), (2, 0, 1, 1))
        self.assertEqual((second.kept, second.changed, second.removed, second.own), (1, 1, 1, 1))

    def test_the_api_gives_the_same(self):
        self.judge_all()
        data = self.get_as(self.researcher, "api-links", self.linking.pk).json()
        self.assertAlmostEqual(data["agreement"]["aer"], AER)
        self.assertEqual(data["pairs"][0]["annotators"], ["annotator-1", "annotator-2"])
        self.assertEqual(data["annotators"][0]["n_sure"], 8)
        self.assertEqual((data["seed"], data["tokenization"]), (20070623, "words"))
        self.assertEqual(self.get_as(self.outsider, "api-links", self.linking.pk).status_code, 404)

    def test_links_go_out_with_their_words(self):
        self.judge_all()
        response = self.get_as(self.owner, "export-table", self.linking.pk, "word-links")
        rows = list(csv.DictReader(response.content.decode().splitlines()))
        self.assertEqual(len(rows), 24)
        self.assertEqual(
            [rows[2][name] for name in ("annotator", "source_word", "target_word", "link")],
            ["annotator-1", "1", "number", "possible"],
        )
        self.assertEqual({row["tokenization"] for row in rows}, {"words"})
        whole = self.get_as(self.owner, "export-json", self.linking.pk)
        document = json.loads(b"".join(whole.streaming_content))
        self.assertAlmostEqual(document["links"]["every"]["aer"], AER)
        self.assertEqual(len(document["observations"]["rows"]), 24)
        self.assertEqual(document["counts"]["judgments"], 8)
        page = self.get_as(self.owner, "exports", self.linking.pk)
        self.assertContains(page, "8 judgments by 2 annotators")
        chart = self.get_as(self.owner, "chart", self.linking.pk, "link-agreement", "svg")
        self.assertEqual(chart.status_code, 200)


class ProposedLinksTests(LinksTestCase):
    def post(self, **files):
        return self.post_as(self.owner, "proposed-links", self.linking.pk, data=files)

    def test_refused_to_others(self):
        self.assert_refused("proposed-links", self.linking.pk)
        response = self.get_as(self.researcher, "proposed-links", self.linking.pk)
        self.assertEqual(response.status_code, 403)
        response = self.get_as(self.owner, "proposed-links", self.campaign.pk)
        self.assertEqual(response.status_code, 404)

    def test_plain_files_and_tables(self):
        system = upload("System-A.txt", "0-0 1?1\n\n2-2\n0p0\n")
        response = self.post(systems=system)
        self.assertRedirects(response, reverse("proposed-links", args=[self.linking.pk]))
        outputs = Output.objects.filter(system__name="System-A").order_by("segment__position")
        first, _, third, fourth = outputs.values_list("pk", flat=True)
        found = PrefilledLink.objects.values_list(
            "output", "source_token", "target_token", "is_sure"
        )
        self.assertEqual(
            set(found),
            {(first, 0, 0, True), (first, 1, 1, False), (third, 2, 2, True), (fourth, 0, 0, False)},
        )
        self.assertContains(self.client.get(response["Location"]), "Replace them")
        self.post(table=upload("links.tsv", "system\tsegment\tlinks\nSystem-B\t2\t5-4 0-1\n"))
        self.assertEqual(PrefilledLink.objects.count(), 2, "it takes the place of what was there")

    def test_bad_files_are_named_and_change_nothing(self):
        self.post(systems=upload("System-A.txt", "0-0\n\n\n\n"))
        table = "system\tsegment\tlinks\nSystem-A\t1\t0-0\n"
        for file, words in (
            (upload("System-A.txt", "0-0\n"), "the file has 1 line, but the test set has 4"),
            (upload("System-A.txt", "0-0\n" * 5), "row 5"),
            (upload("System-X.txt", "0-0\n\n\n\n"), "no system “System-X”"),
            (upload("System-A.txt", "\n0-99\n\n\n"), "System-A.txt, row 2: “0-99” goes beyond"),
            (upload("System-A.txt", "\n\n0:1\n\n"), "row 3: “0:1” is not a link"),
            (upload("System-A.txt", "0-0 0-0\n\n\n\n"), "row 1: “0-0” links two words"),
            (upload("System-A.txt", "\n\n\n\n"), "they contain no links"),
            (upload("links.tsv", table + "System-A\t1\t1-1\n"), "row 3, column segment: a second"),
            (upload("links.tsv", table + "System-A\t9\t1-1\n"), "there is no segment “9”"),
            (upload("links.tsv", table + "System-A\t2\tx\n"), "row 3, column links: “x”"),
            (upload("links.tsv", "system\tlinks\nSystem-A\t0-0\n"), "segment"),
        ):
            with self.subTest(words):
                field = "table" if file.name.endswith(".tsv") else "systems"
                response = self.post(**{field: file})
                self.assertContains(response, words, status_code=422)
                self.assertEqual(PrefilledLink.objects.count(), 1)
        self.assertContains(self.post(), "Choose either", status_code=422)

    def test_the_command_does_the_same(self):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "links.txt"
            path.write_text("0-0 1p1\n\n\n\n")
            table = Path(folder) / "links.jsonl"
            table.write_text('{"system": "System-B", "segment": "9", "links": "0-0"}\n')
            out = StringIO()
            system = ("--system", f"System-A={path}")
            call_command("import_links", self.linking.pk, *system, stdout=out)
            self.assertIn("2 proposed link(s) in 1 translation(s)", out.getvalue())
            for args, message in (
                ((self.linking.pk, "--table", table), "links.jsonl, row 1, column segment: there"),
                ((self.linking.pk, *system, "--table", table), "Give either"),
                ((self.campaign.pk, "--table", table), "is not about word alignment"),
                ((0, "--table", table), "There is no campaign 0"),
            ):
                with self.assertRaisesMessage(CommandError, message):
                    call_command("import_links", *args)
            self.assertEqual(PrefilledLink.objects.count(), 2)

    def test_not_after_the_first_judgment(self):
        link(self.tasks[0].items.first(), FIRST)
        response = self.post(systems=upload("System-A.txt", "0-0\n\n\n\n"))
        self.assertContains(response, "Judging has started", status_code=422)
        self.assertFalse(PrefilledLink.objects.exists())
