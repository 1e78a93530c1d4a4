"""Judgments of any format into a campaign that exists: by the page Import, and by the command."""

import io
import tempfile
from pathlib import Path
from unittest.mock import patch

from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judgments.exchange.judgments.campaigns import new_campaign
from judgments.exchange.judgments.importer import JudgmentWriter
from judgments.exchange.releases import writing
from judgments.models import Campaign, ErrorSpan, ImportRecord, JobStatus, Rating, TestSet
from tests import factory

from .test_release_import import ImportTestCase

# Row 1 of `factory.make_test_set`: its segment 1, and the output of System-A.
SOURCE, OUTPUT = "Quelltext Nummer 1 steht hier .", "Source text number 1 here"
HEAD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def mqm(target=OUTPUT, segment=1, category="Style", severity="Minor", rater="r1"):
    row = ["System-A", "doc0", "1", str(segment), rater, SOURCE, target, category, severity]
    return "\t".join(row) + "\n"


MARKED = OUTPUT.replace("text", "<v>text</v>")


class IntoCampaignTest(ImportTestCase):
    def setUp(self):
        options = {"weights": {"minor": 1, "major": 5}, "categories": ["Style", "Wrong meaning"]}
        self.mqm = new_campaign(
            *(self.test_set, self.owner, "MQM of ours", "mqm"),
            options=options | {"sides": ["target"]},
            outputs_per_item=1,
        )
        self.said = {"source-language": "de", "target-language": "en"}

    def look(self, content, **answers):
        upload = self.upload_file("mqm_deen.tsv", (HEAD + content).encode())
        self.answer(upload, "look", **{"campaign": str(self.mqm.pk), **answers})
        return upload

    def test_by_the_page(self):
        before = Campaign.objects.count(), TestSet.objects.count()
        upload = self.look(mqm(MARKED) + mqm(rater="r2", category="No-error", severity="No-error"))
        page = self.page(upload)
        self.assertContains(page, "Add the judgments to")
        self.assertContains(page, "1 error span by 2 raters")
        self.assertNotContains(page, "Name of the campaign")
        self.assertFalse(ErrorSpan.objects.filter(judgment__campaign=self.mqm).exists())
        self.answer(upload)
        self.assertTrue(upload.is_imported, upload.outcome)
        self.assertEqual((Campaign.objects.count(), TestSet.objects.count()), before)
        error = ErrorSpan.objects.get(judgment__campaign=self.mqm)
        self.assertEqual((error.start, error.end), (7, 11))
        self.assertEqual((error.severity, error.category), ("minor", "style"))
        values = Rating.objects.filter(judgment__campaign=self.mqm, dimension="mqm")
        self.assertEqual(sorted(values.values_list("value", flat=True)), [-1, 0])
        stored = ImportRecord.objects.get(campaign=self.mqm)
        self.assertEqual((stored.n_judgments, stored.n_left_out), (2, 0))
        again = self.look(mqm(MARKED))
        self.assertEqual(again.status, JobStatus.FAILED)
        self.assertContains(self.page(again), "this judgment is already in the campaign")

    def test_a_trial_writes_nothing_and_finds_the_same(self):
        """Not even for a moment: others work in the campaign."""
        first = self.look(mqm(MARKED))
        self.answer(first)
        rows = mqm(MARKED) + mqm(MARKED, rater="r2") + mqm(MARKED, rater="r3")
        upload = self.upload_file("mqm_deen.tsv", (HEAD + rows).encode())
        with (
            CaptureQueriesContext(connection) as asked,
            patch.object(JudgmentWriter, "store", side_effect=AssertionError),
            patch.object(writing, "SCREENS_AT_ONCE", 1),
        ):
            self.answer(upload, "look", **{"campaign": str(self.mqm.pk), **self.said})
        locks = [each["sql"] for each in asked.captured_queries if "FOR NO KEY" in each["sql"]]
        self.assertFalse([sql for sql in locks if 'FROM "judgments_campaign"' in sql])
        tried = [(each["row"], each["reason"]) for each in upload.outcome["problems"]]
        self.assertEqual([row for row, _ in tried], [2])
        self.assertIn("already in the campaign", tried[0][1])
        self.assertEqual(self.mqm.judgments.count(), 1)

    def test_what_does_not_fit_is_refused_with_its_row(self):
        for row, reason in (
            (mqm(MARKED, category="Style/Other"), "the categories here are"),
            (mqm(MARKED, severity="Critical"), "the severities here are minor, major"),
            (mqm(MARKED, segment=99), "“99” is not a segment of the test set"),
        ):
            fine = mqm(rater="r2", category="No-error", severity="No-error")
            upload = self.look(fine + row)
            self.assertEqual(upload.status, JobStatus.FAILED, reason)
            self.assertContains(self.page(upload), reason)
            self.assertEqual(upload.outcome["problems"][0]["row"], 3, reason)

    def test_judgments_of_other_texts_are_refused(self):
        """The places of their errors would be wrong."""
        upload = self.look(mqm(MARKED.replace("here", "there")))
        self.assertContains(self.page(upload), "its text reads otherwise in the test set")
        self.assertEqual(upload.outcome["problems"][0]["row"], 2)

    def test_only_campaigns_that_one_runs_and_that_ask_for_this(self):
        foreign = factory.make_campaign(self.test_set, preset="mqm", owner=self.outsider)
        upload = self.upload_file("mqm_deen.tsv", (HEAD + mqm(MARKED)).encode())
        (asked,) = [each for each in upload.outcome["questions"] if each["name"] == "campaign"]
        self.assertEqual([value for value, _ in asked["choices"]], ["", str(self.mqm.pk)])
        upload.answers = {"campaign": str(foreign.pk)}
        upload.save()
        self.answer(upload, "look", **self.said)
        self.assertFalse(upload.is_imported)
        self.assertFalse(foreign.judgments.exists())

    def test_a_table_of_ratings_without_languages(self):
        table = (
            "rater\tsegment\tsystem\tadequacy\tfluency\tremark\n"
            "annotator-1\t1\tSystem-A\t5\t4\tx\nMia\t1\tSystem-B\t2\t7\t\n"
        )
        upload = self.upload_file("t.tsv", table.encode())
        self.answer(upload, "look", campaign=str(self.campaign.pk))
        self.assertContains(self.page(upload), "7 is not on the scale")
        upload = self.upload_file("t.tsv", table.replace("\t7\t", "\t1\t").encode())
        self.answer(upload, "look", campaign=str(self.campaign.pk))
        self.assertContains(self.page(upload), "1 column is not used from t.tsv: remark.")
        self.answer(upload)
        self.assertTrue(upload.is_imported, upload.outcome)
        rows = Rating.objects.filter(judgment__campaign=self.campaign).order_by("value")
        self.assertEqual(list(rows.values_list("value", flat=True)), [1, 2, 4, 5])
        annotators = set(rows.values_list("judgment__annotator__username", flat=True))
        self.assertIn("annotator-1", annotators)

    def test_by_the_command(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        path = Path(folder, "mqm_deen.tsv")
        path.write_text(HEAD + mqm(MARKED) + mqm(MARKED, rater="r2", severity="Critical"))
        given = ["import_release", path, "--owner", "owner", "--answer", f"campaign={self.mqm.pk}"]
        errors = io.StringIO()
        with self.assertRaises(CommandError):
            call_command(*given, stdout=io.StringIO(), stderr=errors)
        self.assertIn("the severities here are minor, major", errors.getvalue())
        call_command(*given, "--leave-out", "60", stdout=io.StringIO(), stderr=errors)
        self.mqm.refresh_from_db()
        self.assertEqual(self.mqm.options["rows_left_out"], 1)
        self.assertEqual(self.mqm.judgments.count(), 1)
