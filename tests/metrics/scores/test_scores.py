"""The page of metric scores, and the requests for them."""

from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from judgments.models import JobStatus, Output, Reference
from metrics.models import MetricScore, ScoringJob
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase

SLUGS = ["bleu", "chrf", "chrfpp", "ter"]
ASKED = {"metrics": ["bleu", "ter"], "references": ["ref"]}


class ScoresTestCase(CastTestCase):
    def compute(self, *slugs):
        job = jobs.create_job(self.test_set, [MetricChoice(slug) for slug in slugs], ["ref"])
        jobs.work_on(job.pk)
        return job

    def make_job(self, **fields):
        job = jobs.create_job(self.test_set, [MetricChoice("bleu")], ["ref"], self.owner)
        ScoringJob.objects.filter(pk=job.pk).update(**fields)
        job.refresh_from_db()
        return job


class PageTest(ScoresTestCase):
    name = "test-set-metrics"

    def test_strangers(self):
        self.assert_refused(
            self.name,
            self.test_set.pk,
            users={None: 302, self.outsider: 404, self.annotator_1: 404},
        )

    def test_empty(self):
        response = self.get_as(self.owner, self.name, self.test_set.pk)
        self.assertContains(response, "No scores yet")
        self.assertContains(response, "Compute scores")

    def test_a_researcher_reads_and_is_told_who_computes(self):
        response = self.get_as(self.researcher, self.name, self.test_set.pk)
        self.assertContains(response, "The owner of the test set can compute scores.")
        self.assertNotContains(response, "Compute scores")

    def test_the_four_usual_metrics_are_chosen(self):
        form = self.get_as(self.owner, self.name, self.test_set.pk).context["form"]
        self.assertEqual(form["metrics"].value(), ["bleu", "chrf", "chrfpp", "ter"])
        self.assertEqual(form["references"].value(), ["ref"])

    def test_the_table(self):
        self.compute("bleu", "ter")
        response = self.get_as(self.researcher, self.name, self.test_set.pk)
        self.assertContains(response, "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|")
        for score in MetricScore.objects.all():
            self.assertContains(response, f"{score.score:.2f}")
        table = response.context["table"]
        bleu = table.columns[0]
        by_score = sorted(bleu.scores.values(), key=lambda score: -score.score)
        rows = table.rows()
        self.assertEqual([system.pk for system, _ in rows], [s.system_id for s in by_score])
        self.assertTrue(rows[0][1][0].is_best)
        self.assertContains(response, "lower is better")
        self.assertContains(response, '<span class="small">best</span>', count=3, html=True)

    def test_queries_do_not_grow_with_systems_metrics_and_segments(self):
        large = factory.make_test_set(self.owner, n_segments=9, n_systems=6, name="Large")
        self.compute("bleu")
        jobs.work_on(jobs.create_job(large, [MetricChoice(s) for s in SLUGS], ["ref"]).pk)
        client, counts = self.as_user(self.owner), []
        for test_set in (self.test_set, large):
            with CaptureQueriesContext(connection) as queries:
                client.get(reverse(self.name, args=[test_set.pk]))
            counts.append(len(queries))
        self.assertEqual(counts[0], counts[1])

    def test_the_best_of_a_metric_of_errors_is_the_lowest(self):
        self.compute("ter")
        table = self.get_as(self.owner, self.name, self.test_set.pk).context["table"]
        scores = [cell.score.score for _, (cell,) in table.rows()]
        marks = [cell.is_best for _, (cell,) in table.rows()]
        self.assertEqual(scores, sorted(scores))
        self.assertEqual(marks, [score == min(scores) for score in scores])

    def test_what_is_out_of_date_is_marked(self):
        self.compute("bleu")
        Output.objects.filter(system__name="System-A", segment__position=0).update(text="Other .")
        response = self.get_as(self.owner, self.name, self.test_set.pk)
        self.assertContains(response, "1 score out of date")
        self.assertContains(response, ">out of date<", count=1)

    def test_left_out_segments_are_told(self):
        test_set = factory.make_test_set(self.owner, name="With a hole")
        test_set.segments.first().outputs.first().delete()
        jobs.work_on(jobs.create_job(test_set, [MetricChoice("bleu")], ["ref"]).pk)
        response = self.get_as(self.owner, self.name, test_set.pk)
        self.assertContains(response, "without 1 segment")
        self.assertContains(response, "should not be compared")

    def test_text_from_outside_is_escaped(self):
        self.test_set.systems.filter(name="System-A").update(name="<b>A</b>")
        self.compute("bleu")
        response = self.get_as(self.owner, self.name, self.test_set.pk)
        self.assertContains(response, "&lt;b&gt;A&lt;/b&gt;")
        self.assertNotContains(response, "<b>A</b>")

    def test_no_reference(self):
        Reference.objects.all().delete()
        response = self.get_as(self.owner, self.name, self.test_set.pk)
        self.assertContains(response, "no reference translations")

    def test_chinese_is_not_cut_at_spaces(self):
        test_set = factory.make_test_set(self.owner, target_language="zh", name="Chinese")
        form = self.get_as(self.owner, self.name, test_set.pk).context["form"]
        self.assertEqual(form["bleu-tokenize"].value(), "zh")

    def test_a_failure_shows_its_reason_and_a_way_on(self):
        self.make_job(status=JobStatus.FAILED, message="1 of 3 parts failed. <reason>")
        response = self.get_as(self.owner, self.name, self.test_set.pk)
        self.assertContains(response, "1 of 3 parts failed. &lt;reason&gt;")
        self.assertContains(response, "Retry what failed")

    def test_a_job_that_nobody_takes(self):
        job = self.make_job(moved_at=timezone.now() - timedelta(minutes=1))
        response = self.get_as(self.owner, self.name, self.test_set.pk)
        self.assertContains(response, "No worker has taken this job yet")
        self.assertContains(response, reverse("score-progress", args=[self.test_set.pk, job.pk]))

    def test_a_job_that_stands_still(self):
        self.make_job(
            status=JobStatus.RUNNING, moved_at=timezone.now() - timedelta(hours=1), done=1
        )
        response = self.get_as(self.owner, self.name, self.test_set.pk)
        self.assertContains(response, "Last progress:")
        self.assertContains(response, "Resume")


class StartTest(ScoresTestCase):
    name = "score-start"

    def test_strangers(self):
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        self.assert_refused(self.name, self.test_set.pk, users=expected, method="post")
        self.assertFalse(ScoringJob.objects.exists())

    def test_post_only(self):
        self.assert_post_only(self.name, self.test_set.pk)

    def test_it_queues_a_job(self):
        response = self.post_as(self.owner, self.name, self.test_set.pk, data=ASKED)
        self.assertRedirects(response, reverse("test-set-metrics", args=[self.test_set.pk]))
        job = ScoringJob.objects.get()
        self.assertEqual(job.metrics[0], {"metric": "bleu", "options": {}})
        self.assertEqual((job.status, job.total, job.created_by), ("queued", 6, self.owner))
        response = self.get_as(self.owner, "test-set-metrics", self.test_set.pk)
        self.assertContains(response, "Waiting for a worker: 0 of 6 scores")

    def test_options(self):
        data = ASKED | {
            "metrics": ["bleu", "chrf"],
            "bleu-tokenize": "intl",
            "bleu-lowercase": "on",
            "chrf-beta": "3",
        }
        self.post_as(self.owner, self.name, self.test_set.pk, data=data)
        self.assertEqual(
            ScoringJob.objects.get().metrics,
            [
                {"metric": "bleu", "options": {"tokenize": "intl", "lowercase": True}},
                {"metric": "chrf", "options": {"beta": 3}},
            ],
        )

    def test_what_cannot_be(self):
        for data, words in (
            ({}, "Choose at least one metric."),
            ({"metrics": ["bleu"]}, "Choose at least one reference set."),
            (ASKED | {"metrics": ["blue"]}, "blue is not one of the metrics"),
            (ASKED | {"references": ["x"]}, "There is no reference set x."),
            (ASKED | {"bleu-max_order": "0"}, "max_order must be an integer of at least 1"),
            (ASKED | {"bleu-max_order": "21"}, "less than or equal to 20"),
            (ASKED | {"metrics": ["chrf"], "chrf-beta": "-1"}, "beta must be a number above 0"),
        ):
            with self.subTest(words):
                response = self.post_as(self.owner, self.name, self.test_set.pk, data=data)
                self.assertContains(response, words, status_code=422)
                self.assertContains(response, "There is a problem", status_code=422)
                page = response.content.decode()  # visible at once, and not below all scores
                self.assertLess(page.index("There is a problem"), page.index("Compute scores"))
        self.assertFalse(ScoringJob.objects.exists())

    def test_one_job_at_a_time(self):
        for _ in range(2):
            self.post_as(self.owner, self.name, self.test_set.pk, data=ASKED)
        self.assertEqual(ScoringJob.objects.count(), 1)

    def test_no_systems(self):
        test_set = factory.make_test_set(self.owner, n_systems=0, name="Texts only")
        response = self.post_as(self.owner, self.name, test_set.pk, data=ASKED)
        self.assertEqual(response.status_code, 422)
        self.assertIn("no systems", str(response.context["form"].non_field_errors()))


class ProgressTest(ScoresTestCase):
    name = "score-progress"

    def test_strangers(self):
        job = self.make_job()
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404}
        self.assert_refused(self.name, self.test_set.pk, job.pk, users=expected)

    def test_it_asks_for_itself_until_the_job_has_ended(self):
        job = self.make_job(status=JobStatus.RUNNING, done=1, moved_at=timezone.now())
        response = self.get_as(self.researcher, self.name, self.test_set.pk, job.pk)
        self.assertContains(response, "Computing: 1 of 3 scores, 33 %")
        self.assertContains(response, "hx-get=")
        self.assertNotIn("HX-Retarget", response)
        self.assertNotContains(response, "Cancel")
        jobs.work_on(job.pk)
        response = self.get_as(self.owner, self.name, self.test_set.pk, job.pk)
        self.assertNotContains(response, reverse(self.name, args=[self.test_set.pk, job.pk]))
        self.assertEqual(response["HX-Retarget"], "#job")
        self.assertContains(response, 'id="scores" hx-swap-oob="true"')

    def test_the_table_comes_along_when_there_are_more_scores_than_the_page_has(self):
        job = self.make_job(status=JobStatus.RUNNING, done=1, moved_at=timezone.now())
        for seen, comes in (("0", True), ("1", False), ("", True), ("x", True)):
            data = {"seen": seen, "unit": "document"}
            response = self.get_as(self.owner, self.name, self.test_set.pk, job.pk, data=data)
            self.assertEqual('id="scores"' in response.content.decode(), comes, seen)
            self.assertContains(response, "?seen=1&amp;unit=document")

    def test_progress_of_each_metric_and_every_reason(self):
        test_set = factory.make_test_set(self.owner, name="With a hole")
        test_set.systems.get(name="System-B").outputs.all().delete()
        choices = [MetricChoice(slug) for slug in ("bleu", "ter")]
        job = jobs.create_job(test_set, choices, ["ref"])
        jobs.work_on(job.pk)
        response = self.get_as(self.owner, "test-set-metrics", test_set.pk)
        self.assertEqual(response.context["job"], job)
        bleu, ter = response.context["progress"]
        self.assertEqual((bleu.label, bleu.done, bleu.total, bleu.n_failed), ("BLEU", 3, 3, 1))
        reason = "System-B has no segment with an output and a reference."
        self.assertEqual(ter.failures, {reason: ["System-B"]})
        self.assertContains(response, f"System-B: {reason}", count=3)

    def test_a_job_of_another_test_set(self):
        job = self.make_job()
        other = factory.make_test_set(self.owner, name="Other")
        response = self.get_as(self.owner, self.name, other.pk, job.pk)
        self.assertEqual(response.status_code, 404)


class CancelTest(ScoresTestCase):
    name = "score-cancel"

    def test_strangers(self):
        job = self.make_job()
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        self.assert_refused(self.name, self.test_set.pk, job.pk, users=expected, method="post")
        job.refresh_from_db()
        self.assertEqual(job.status, JobStatus.QUEUED)

    def test_post_only(self):
        self.assert_post_only(self.name, self.test_set.pk, self.make_job().pk)

    def test_it_cancels_once(self):
        job = self.make_job()
        response = self.as_user(self.owner).post(
            reverse(self.name, args=[self.test_set.pk, job.pk]), follow=True
        )
        self.assertContains(response, "Cancelled. Finished scores are kept.")
        self.assertContains(response, "Resume")
        job.refresh_from_db()
        self.assertEqual(job.status, JobStatus.CANCELLED)
        response = self.as_user(self.owner).post(
            reverse(self.name, args=[self.test_set.pk, job.pk]), follow=True
        )
        self.assertContains(response, "nothing left to cancel")


class RetryTest(ScoresTestCase):
    name = "score-retry"

    def test_strangers(self):
        job = self.make_job(status=JobStatus.FAILED)
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        self.assert_refused(self.name, self.test_set.pk, job.pk, users=expected, method="post")
        job.refresh_from_db()
        self.assertEqual(job.status, JobStatus.FAILED)

    def test_post_only(self):
        self.assert_post_only(self.name, self.test_set.pk, self.make_job().pk)

    def test_it_waits_for_a_worker_again(self):
        job = self.make_job(status=JobStatus.CANCELLED)
        self.post_as(self.owner, self.name, self.test_set.pk, job.pk)
        job.refresh_from_db()
        self.assertEqual(job.status, JobStatus.QUEUED)
        jobs.work_on(job.pk)
        self.assertEqual(MetricScore.objects.count(), 3)

    def test_not_beside_another_job(self):
        job = self.make_job(status=JobStatus.FAILED)
        other = self.make_job(status=JobStatus.QUEUED)
        self.post_as(self.owner, self.name, self.test_set.pk, job.pk)
        page = self.get_as(self.owner, "test-set-metrics", self.test_set.pk)
        self.assertContains(page, "Scores are already being computed. Wait, or cancel first.")
        address = reverse("api-job-retry", args=[self.test_set.pk, job.pk])
        self.assertEqual(self.as_user(self.owner).post(address).status_code, 409)
        job.refresh_from_db()
        self.assertEqual(job.status, JobStatus.FAILED)
        self.post_as(self.owner, self.name, self.test_set.pk, other.pk)  # itself active
        other.refresh_from_db()
        self.assertEqual(other.status, JobStatus.QUEUED)

    def test_a_job_that_is_done_stays_done(self):
        job = self.compute("bleu")
        self.post_as(self.owner, self.name, self.test_set.pk, job.pk)
        job.refresh_from_db()
        self.assertEqual(job.status, JobStatus.DONE)
