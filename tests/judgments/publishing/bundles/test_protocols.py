"""What people say in every protocol, and what owners decide, goes into a release and comes out
again with the figures of the campaign itself."""

import io
import tempfile
import uuid
import zipfile
from pathlib import Path
from unittest import mock

import pytest
from django.urls import reverse

from judgments.models import Grade, Item, KnownFault, PublishedFigure, RemovedItem, ShownHints
from judgments.models.chains.sealing import seal_all
from judgments.publishing.bundles import signing
from judgments.publishing.bundles.problem import BundleProblem
from judgments.publishing.bundles.release import release
from judgments.publishing.bundles.verification import verify
from judgments.quality.decisions.decisions import decide
from judgments.results.recomputation.forms import FaultForm
from judgments.test_sets.word_links import asking, runs
from tests import factory
from tests.base import CastTestCase
from tests.judgments.people import test_links
from tests.judgments.publishing.bundles.sites import assert_as_on_the_site
from tests.judgments.results import test_answers, test_edits, test_spans
from tests.made_files import made

pytestmark = pytest.mark.slow


class ReleasesMixin:
    def assert_comes_out_again(self, campaign, least, **options):
        seal_all()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "release.zip")
            release(campaign, file, aliases=True, **options)
            verdict = verify(file)
            self.assertEqual(verdict.wrong, [])
            self.assertEqual(verdict.left, {})
            self.assertGreater(sum(each.n for each in verdict.figures), least)
            assert_as_on_the_site(campaign, file)
            return verdict


class RatingsReleaseTest(ReleasesMixin, CastTestCase):
    @pytest.mark.proof
    def test_with_decisions_and_removed_items(self):
        for item in Item.objects.filter(task__campaign=self.campaign):
            first = factory.judge(item, {"adequacy": [2.0, 4.0, 5.0], "fluency": [4.0, 3.0, 5.0]})
            if item.position == 2:
                factory.judge(
                    item,
                    {"adequacy": [3.0, 2.0, 1.0], "fluency": [1.0, 2.0, 3.0]},
                    supersedes=first,
                )
        decide(self.campaign, self.annotator_2, excluded=True, reason="too fast", by=self.owner)
        RemovedItem.objects.create(
            campaign=self.campaign,
            segment=self.test_set.segments.last(),
            reason="a broken source",
            decided_by=self.owner,
        )
        what = {"figure": "judgments", "dimension": "adequacy", "of": "System-A", "text": "99"}
        figure = PublishedFigure.objects.create(campaign=self.campaign, **what)
        known = next(iter(FaultForm(self.campaign).rows.values()))
        KnownFault.objects.create(
            figure=figure, own=known.own, reason="a slip", decided_by=self.owner
        )
        verdict = self.assert_comes_out_again(self.campaign, 500)
        self.assertEqual(verdict.manifest["judgments"], 10)

    @pytest.mark.proof
    def test_the_report_says_that_people_judged_elsewhere(self):
        for key, is_said in (uuid.uuid4(), False), (uuid.uuid5(uuid.NAMESPACE_URL, "a"), True):
            with mock.patch("tests.factory.uuid.uuid4", return_value=key):
                item = self.campaign.tasks.first().items.get(position=1 + is_said)
                factory.judge(item, {"adequacy": [2.0, 4.0, 5.0], "fluency": [4.0, 3.0, 5.0]})
            seal_all()
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder, "release.zip")
                release(self.campaign, file)
                with zipfile.ZipFile(file) as packed:
                    text = packed.read("report/report.md").decode()
                self.assertEqual(verify(file).wrong, [])
            self.assertEqual("given elsewhere, and imported" in text, is_said)
            self.assertIn("what annotators were paid; releases leave it out", text)

    def test_what_is_in_no_chain_is_refused(self):
        factory.judge(self.campaign.tasks.first().items.first(), {"adequacy": [1.0, 2.0, 3.0]})
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(BundleProblem):
            release(self.campaign, Path(folder, "release.zip"))

    def test_the_button(self):
        page = self.get_as(self.owner, "exports", self.campaign.pk)
        self.assertContains(page, reverse("export-release", args=[self.campaign.pk]))
        page = self.get_as(self.researcher, "exports", self.campaign.pk)
        self.assertNotContains(page, "release.zip")
        self.assert_post_only("export-release", self.campaign.pk)
        self.as_user(self.owner)
        content = made(self.client, reverse("export-release", args=[self.campaign.pk]))
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            self.assertIsNone(packed.testzip())
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "release.zip")
            file.write_bytes(content)
            self.assertEqual(verify(file).wrong, [])

    def test_the_key_is_public_and_that_of_the_setting(self):
        text = self.client.get("/signing-key.txt").content.decode()
        self.assertEqual(text, signing.key_file())
        # The first key pair of RFC 8032, 7.1.
        with self.settings(SIGNING_KEY="nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A="):
            self.assertEqual(signing.public_text(), "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")


class SpansReleaseTest(ReleasesMixin, test_spans.SpansTestCase):
    preset = "mqm"

    @pytest.mark.proof
    def test_errors(self):
        for item in Item.objects.filter(task__campaign=self.spans):
            judgment = factory.judge(item, {"mqm": [-5.0, -1.0 - item.position, -1.0]})
            for shown in item.shown.all():
                judgment.spans.create(
                    output=shown.output,
                    start=0,
                    end=6 + item.position,
                    severity="minor" if shown.position else "major",
                )
                ShownHints.objects.create(judgment=judgment, output=shown.output, places="0-9")
        self.assert_comes_out_again(self.spans, 1000)


class EditsReleaseTest(ReleasesMixin, test_edits.EditsTestCase):
    def test_edits(self):
        self.assert_comes_out_again(self.editing, 20)

    def test_edits_that_are_judged_come_with_them(self):
        judging = factory.make_campaign(
            self.test_set,
            preset="acceptability",
            name="Judging edits",
            owner=self.owner,
            annotators=[self.outsider],
            options={"edits_of": str(self.editing.pk)},
        )
        segments = [edit.output.segment for edit in self.edits]
        task = factory.make_task(judging, self.outsider, segments=segments, n_outputs=1)
        for item, edit in zip(task.items.order_by("position"), self.edits, strict=True):
            Item.objects.filter(pk=item.pk).update(part=str(edit.pk))
            factory.judge(Item.objects.get(pk=item.pk), {"acceptable": [1.0]})
        self.assert_comes_out_again(judging, 20)


class LinksReleaseTest(ReleasesMixin, test_links.LinksTestCase):
    def test_links(self):
        self.judge_all()
        self.assertTrue(runs.work(asking.ask(self.linking, "comparison").pk))
        self.assert_comes_out_again(self.linking, 60)


class AnswersReleaseTest(ReleasesMixin, test_answers.AnswersTestCase):
    def test_answers_and_grades(self):
        self.answer(self.annotator_1, "A", ["", "", "Ada"])
        judgment = self.answer(self.annotator_2, "B", ["", "", "Bela"])
        answer = judgment.answers.order_by("pk").last()
        Grade.objects.create(answer=answer, grader=self.owner, is_right=True)
        self.assert_comes_out_again(self.asking, 20)
