"""The pages of judges: made, priced, agreed to, run, and what comes of it."""

import json
import re
import tempfile
import zipfile
from pathlib import Path

import pytest
from django.test import TransactionTestCase, override_settings
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from judgments.judges import price, runs
from judgments.judges.prompts import PROMPTS
from judgments.models import Campaign, Judge, JudgeAnswer, JudgeStatus, Judgment
from judgments.models.chains import checking
from judgments.publishing.bundles.release import release
from judgments.publishing.bundles.verification import verify
from judgments.test_sets.deletion import rows
from metrics.models import MetricScore, MetricSpans
from tests import factory, model_endpoint
from tests.base import CastTestCase

from .test_runs import new_judge, run

FIELDS = {
    "name": "Stub", "endpoint": "stub", "model": "stub-1", "prompt": "campaign", "family": "",
    "temperature": 0, "samples": 1, "price_in": "2.5", "price_out": 10, "currency": "eur",
    "budget": 5, "requests_a_minute": 6000, "tokens_a_minute": 1_000_000, "at_once": 4,
}  # fmt: skip


@override_settings(JUDGE_ENDPOINTS={"stub": "http://127.0.0.1:9/v1"}, JUDGE_KEYS={"stub": ""})
class JudgePagesTest(CastTestCase):
    def test_a_judge_is_made_and_its_price_is_shown(self):
        answer = self.post_as(self.owner, "campaign-judge-new", self.campaign.pk, data=FIELDS)
        judge = Judge.objects.get()
        self.assertRedirects(answer, judge.get_absolute_url())
        page = self.get_as(self.owner, "campaign-judge", self.campaign.pk, judge.pk)
        self.assertContains(page, "12 items are left")
        self.assertContains(page, "Agree, and let it judge")
        self.assertContains(page, "Quelltext Nummer 1 steht hier .")
        self.assertNotContains(page, "System-A")
        self.assertEqual(judge.prompt_hash, PROMPTS["campaign"].hash)
        self.assertEqual(judge.currency, "EUR")

    def test_nothing_begins_without_the_switch(self):
        self.post_as(self.owner, "campaign-judge-new", self.campaign.pk, data=FIELDS)
        judge = Judge.objects.get()
        data = {"price": f"{price.forecast(judge).left:.4f}"}
        args = ("campaign-judge-start", self.campaign.pk, judge.pk)
        answer = self.client.post(reverse(args[0], args=args[1:]), data, follow=True)
        self.assertContains(answer, "may not leave this site")
        self.post_as(self.owner, "campaign-judges-leave", self.campaign.pk, data={"may_leave": "1"})
        with self.captureOnCommitCallbacks(execute=True):
            self.post_as(self.owner, *args, data=data)
        judge.refresh_from_db()
        self.assertEqual(judge.status, JudgeStatus.QUEUED)
        self.assertEqual(judge.agreed_by, self.owner)
        self.assertEqual(DBTaskResult.objects.filter(queue_name="judge").count(), 1)

    def test_a_price_that_has_changed_is_shown_again(self):
        judge = new_judge(self.campaign, self.owner, price_in=9999, status=JudgeStatus.NEW)
        address = reverse("campaign-judge-start", args=[self.campaign.pk, judge.pk])
        for said, words in (
            ("0", "The price has changed"),
            ("99999999", "The price has changed"),
            ("9999999999", "Agree to the price"),
            ("NaN", "Agree to the price"),
        ):
            answer = self.as_user(self.owner).post(address, {"price": said}, follow=True)
            self.assertContains(answer, words)
        judge.refresh_from_db()
        self.assertEqual(judge.status, JudgeStatus.NEW)

    def test_who_may_read_the_peoples_campaign_may_read_the_models(self):
        own = new_judge(self.campaign, self.owner).answers
        self.assertEqual(self.get_as(self.researcher, "scores", own.pk).status_code, 200)
        for user in (self.outsider, self.annotator_1):
            self.assertEqual(self.get_as(user, "scores", own.pk).status_code, 404)
        self.campaign.memberships.filter(user=self.researcher).update(removed_at=timezone.now())
        self.assertEqual(self.get_as(self.researcher, "scores", own.pk).status_code, 404)

    def test_wrong_values_are_told(self):
        for name, value in {
            "temperature": 3, "samples": 0, "budget": -1, "prompt": "x", "currency": "€€€",
            "endpoint": "http://169.254.169.254", "at_once": 1000, "segments": 0, "name": "",
        }.items():  # fmt: skip
            with self.subTest(name):
                answer = self.post_as(
                    self.owner, "campaign-judge-new", self.campaign.pk, data=FIELDS | {name: value}
                )
                self.assertEqual(answer.status_code, 200)
                self.assertIn(name, answer.context["form"].errors)
        self.assertFalse(Judge.objects.exists())

    def test_outsiders_and_annotators_see_nothing(self):
        judge = new_judge(self.campaign, self.owner)
        for name in ("campaign-judge", "campaign-judge-answers"):
            for user, status in ((self.outsider, 404), (self.annotator_1, 403)):
                answer = self.get_as(user, name, self.campaign.pk, judge.pk)
                self.assertEqual(answer.status_code, status)
            other = self.get_as(self.owner, name, self.pairwise.pk, judge.pk)
            self.assertEqual(other.status_code, 404)

    def test_a_judge_that_judged_nothing_is_deleted(self):
        judge = new_judge(self.campaign, self.owner, status=JudgeStatus.NEW)
        self.post_as(self.owner, "campaign-judge-delete", self.campaign.pk, judge.pk)
        self.assertFalse(Judge.objects.exists())
        self.assertFalse(Campaign.objects.filter(by_model=True).exists())

    def test_cancelled_it_stops(self):
        judge = new_judge(self.campaign, self.owner)
        self.post_as(self.owner, "campaign-judge-cancel", self.campaign.pk, judge.pk)
        self.assertFalse(runs.work_on(judge.pk))
        judge.refresh_from_db()
        self.assertEqual(judge.status, JudgeStatus.CANCELLED)
        self.assertNotEqual(Campaign.objects.get(pk=judge.answers_id).status, "open")


class AfterwardsTest(CastTestCase):
    def judged(self, campaign, script=model_endpoint.answer_to, **fields):
        judge = new_judge(campaign, self.owner, **fields)
        with model_endpoint.serving(script) as endpoint:
            run(judge, endpoint)
        self.assertEqual(judge.status, JudgeStatus.DONE, judge.message)
        return judge

    def test_answers_leave_as_they_came(self):
        judge = self.judged(self.campaign)
        answer = self.get_as(self.owner, "campaign-judge-answers", self.campaign.pk, judge.pk)
        rows = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
        self.assertEqual(len(rows), 12)
        self.assertEqual(json.loads(rows[0]["text"]), {
            "translation_1_adequacy": "5", "translation_1_fluency": "5",
        })  # fmt: skip
        self.assertEqual({row["segment"] for row in rows}, {"1", "2", "3", "4"})
        self.assertNotIn("System-", json.dumps(rows))

    def test_it_is_a_metric_of_the_test_set(self):
        self.judged(self.campaign)
        scores = MetricScore.objects.filter(test_set=self.test_set)
        self.assertEqual(scores.count(), 3)
        self.assertEqual({score.score for score in scores}, {5.0})
        self.assertEqual(scores[0].options["origin"], "judge")

    def test_pairs_become_shares_that_are_won(self):
        """Always the first: each system wins as often as it stands first."""
        judge = self.judged(self.pairwise, lambda body, number: '{"preference": "1"}', samples=2)
        scores = MetricScore.objects.filter(test_set=judge.answers.test_set)
        self.assertEqual([score.score for score in scores], [0.5, 0.5, 0.5])

    def test_errors_become_those_of_a_metric(self):
        campaign = factory.make_campaign(
            self.test_set, preset="esa", name="ESA", owner=self.owner, annotators=[]
        )
        mark = {"quote": "text", "before": "", "after": "", "side": "target", "severity": "minor"}

        def script(body, number):
            return json.dumps({"translation_1_spans": [mark], "translation_1_esa": 80})

        self.judged(campaign, script)
        spans = MetricSpans.objects.all()
        self.assertEqual([each.n_errors for each in spans], [4, 4, 4])
        self.assertEqual(spans[0].data[0], [[7, 11, "minor", "", None]])

    def test_people_are_read_as_before(self):
        """No figure of the people's campaign changes when a model judges."""
        for item in self.campaign.tasks.first().items.all():
            row = [[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]][item.position % 2]
            factory.judge(item, {"adequacy": row, "fluency": row})
        names = ("agreement", "scores", "quality", "power", "segments", "exports", "report")
        before = {name: self.page(name) for name in names}
        judge = self.judged(self.campaign)
        self.assertTrue(Judgment.objects.filter(campaign=judge.answers).exists())
        MetricScore.objects.all().delete()  # Segments can be sorted by metrics
        for name in names:
            self.assertEqual(self.page(name), before[name], name)

    def test_all_pages_of_results_show_its_campaign(self):
        campaign = factory.make_campaign(
            self.test_set, preset="esa", name="ESA", owner=self.owner, annotators=[]
        )
        own = self.judged(campaign, samples=2).answers
        for name in (
            "campaign", "watch", "campaign-people", "errors", "agreement", "quality", "scores",
            "power", "correlation", "segments", "report", "exports", "compare-campaigns",
        ):  # fmt: skip
            with self.subTest(name):
                answer = self.get_as(self.owner, name, own.pk)
                self.assertContains(answer, "Judged by a model.")
        page = self.get_as(self.owner, "scores", own.pk)
        self.assertContains(page, "System-A")

    def test_nobody_else_works_in_its_campaign(self):
        own = self.judged(self.campaign).answers
        page = self.get_as(self.owner, "campaign", own.pk)
        self.assertContains(page, "A language model judges in it, and nobody else.")
        for button in ("Invite people", "Who judges what", "Import judgments", "Open the campaign"):
            self.assertNotContains(page, button)
        self.post_as(self.owner, "campaign-status", own.pk, data={"status": "open"})
        own.refresh_from_db()
        self.assertEqual(own.status, "closed")
        page = self.get_as(self.owner, "import-judgments", own.pk)
        self.assertEqual(page.status_code, 404)

    def test_a_plan_of_a_model_is_not_discarded(self):
        judge = new_judge(self.campaign, self.owner, status=JudgeStatus.NEW)
        n_items = judge.answers.tasks.progress()["items"]
        self.post_as(self.owner, "campaign-design-clear", judge.answers_id)
        self.post_as(self.owner, "campaign-design", judge.answers_id, data={"seats": "2"})
        self.assertEqual(judge.answers.tasks.progress()["items"], n_items)

    def test_it_goes_with_its_campaign(self):
        """Also its scores, and the people's campaign takes it along."""
        judge = self.judged(self.campaign)
        Campaign.objects.filter(pk=self.campaign.pk).update(status="closed")
        page = self.get_as(self.owner, "campaign-delete", self.campaign.pk)
        self.assertContains(page, "1 language model that answered")
        rows.delete_campaign(self.campaign, by="owner", reason="A test.")
        self.assertFalse(Campaign.objects.filter(pk=judge.answers_id).exists())
        self.assertFalse(Judge.objects.exists())
        self.assertFalse(JudgeAnswer.objects.exists())
        self.assertFalse(MetricScore.objects.exists())

    def test_the_campaign_of_a_judge_at_work_stays(self):
        new_judge(self.campaign, self.owner)
        self.campaign.status = "closed"
        self.campaign.save()
        with self.assertRaisesRegex(rows.NotDeleted, "Cancel"):
            rows.delete_campaign(self.campaign, by="owner", reason="A test.")

    def page(self, name):
        answer = self.get_as(self.owner, name, self.campaign.pk)
        self.assertEqual(answer.status_code, 200)
        return re.sub(rb'(nonce|value)="[\w-]{20,}"', b"", answer.content)


@pytest.mark.slow
class ReleasedTest(TransactionTestCase):
    def test_its_campaign_comes_out_again(self):
        """A release of it holds how it was asked and all answers, and is recomputed as any is."""
        owner = factory.make_user("owner", is_staff=True)
        test_set = factory.make_test_set(owner)
        campaign = factory.make_campaign(test_set, preset="esa", name="ESA", owner=owner)
        judge = new_judge(campaign, owner)
        with model_endpoint.serving(model_endpoint.answer_to) as endpoint:
            run(judge, endpoint)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "release.zip"
            release(judge.answers, path, aliases=True)
            verdict = verify(path)
            self.assertEqual((verdict.wrong, verdict.left), ([], {}))
            with zipfile.ZipFile(path) as bundle:
                said = json.loads(bundle.read("judge.json"))
                answers = bundle.read("judge-answers.jsonl").splitlines()
                report = bundle.read("report/report.md").decode()
                everything = b"".join(bundle.read(name) for name in bundle.namelist())
        self.assertEqual(said["prompt_sha256"], PROMPTS["campaign"].hash)
        self.assertEqual(len(answers), 12)
        self.assertIn("those of a language model", report)
        self.assertNotIn(model_endpoint.KEY.encode(), everything)
        self.assertNotIn(b"127.0.0.1", everything)
        found = checking.check(judge.answers)
        self.assertEqual((found.judgments, found.found), (12, []))
