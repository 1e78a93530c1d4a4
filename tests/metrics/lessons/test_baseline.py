"""Add a baseline system."""

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from judgments.models import JobStatus, Reference
from metrics.lessons.baseline_jobs import work
from metrics.models import BaselineJob, Bitext
from tests.base import CastTestCase

ASKED = {"kind": "phrase-based", "name": "Weak <b>"}


class BaselineTest(CastTestCase):
    name = "baseline"

    def address(self, *more):
        return [self.test_set.pk, *more]

    def asked(self, **data):
        return self.post_as(self.owner, self.name, *self.address(), data=ASKED | data)

    def test_strangers(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused(self.name, *self.address(), users=users, method=method)
        job = work.create_job(self.test_set, "phrase-based", "Weak", self.owner)
        self.assert_refused("baseline-progress", *self.address(job.pk), users=users)
        self.assert_refused("baseline-cancel", *self.address(job.pk), users=users, method="post")
        self.assert_post_only("baseline-cancel", *self.address(job.pk))

    def test_the_test_set_leads_here(self):
        page = self.get_as(self.owner, "test-set", *self.address())
        self.assertContains(page, reverse(self.name, args=self.address()))
        page = self.get_as(self.researcher, "test-set", *self.address())
        self.assertNotContains(page, reverse(self.name, args=self.address()))

    def test_from_the_button_to_the_system(self):
        page = self.get_as(self.owner, self.name, *self.address())
        self.assertContains(page, "2 campaigns with this test set are already planned")
        self.assertRedirects(self.asked(), reverse(self.name, args=self.address()))
        job = BaselineJob.objects.get()
        self.assertEqual((job.status, job.created_by), (JobStatus.QUEUED, self.owner))
        page = self.get_as(self.owner, self.name, *self.address())
        self.assertContains(page, "Weak &lt;b&gt; is waiting for a worker")
        self.assertContains(page, reverse("baseline-progress", args=self.address(job.pk)))
        self.assertNotContains(page, "Add the system")
        work.work_on(job.pk)
        part = self.get_as(self.owner, "baseline-progress", *self.address(job.pk))
        self.assertContains(part, "was added with 4 outputs")
        self.assertNotContains(part, "hx-get")
        page = self.get_as(self.owner, "test-set", *self.address())
        self.assertContains(page, "statistical, control system of known weakness, not human")
        page = self.get_as(self.owner, self.name, *self.address())
        self.assertContains(page, 'value="Baseline"')

    def test_what_cannot_be(self):
        taken = self.test_set.systems.first().name
        for data, words in (
            ({"name": ""}, "This field is required"),
            ({"name": taken}, "There is already a system with this name"),
            ({"kind": "neural"}, "Select a valid choice"),
        ):
            with self.subTest(words):
                self.assertContains(self.asked(**data), words, status_code=422)
        self.assertEqual(self.asked().status_code, 302)
        self.asked(name="Other")
        page = self.get_as(self.owner, self.name, *self.address())
        self.assertContains(page, "already being made")
        self.assertEqual(BaselineJob.objects.count(), 1)

    def test_without_references_the_page_says_why(self):
        Reference.objects.all().delete()
        page = self.get_as(self.owner, self.name, *self.address())
        self.assertContains(page, "This test set has no references to learn from.")
        self.assertNotContains(page, "Add the system")
        self.asked()
        self.assertFalse(BaselineJob.objects.exists())

    def test_bitexts_of_the_same_languages_are_offered(self):
        Reference.objects.all().delete()
        made = {"owner": self.owner, "data": b"", "n_pairs": 1}
        mine = Bitext.objects.create(
            name="News", source_language="de", target_language="en-GB", **made
        )
        Bitext.objects.create(name="Other", source_language="en", target_language="de", **made)
        page = self.get_as(self.owner, self.name, *self.address())
        self.assertContains(page, "News")
        self.assertNotContains(page, "Other")
        self.assertNotContains(page, "the other documents of this test set")
        self.assertContains(self.asked(bitext="x"), "Select a valid choice", status_code=422)
        self.asked(bitext=mine.pk)
        job = BaselineJob.objects.get()
        self.assertEqual((job.bitext, job.has_bitext), (mine, True))

    def test_a_job_is_cancelled(self):
        self.asked()
        job = BaselineJob.objects.get()
        response = self.post_as(self.owner, "baseline-cancel", *self.address(job.pk))
        self.assertRedirects(response, reverse(self.name, args=self.address()))
        page = self.get_as(self.owner, self.name, *self.address())
        self.assertContains(page, "No outputs of Weak &lt;b&gt; were added.")
        page = self.client.post(reverse("baseline-cancel", args=self.address(job.pk)), follow=True)
        self.assertContains(page, "There was nothing left to cancel.")

    def test_a_job_that_does_not_move(self):
        self.asked()
        BaselineJob.objects.update(moved_at=timezone.now() - timedelta(minutes=5))
        page = self.get_as(self.owner, self.name, *self.address())
        self.assertContains(page, "There has been no progress for minutes")
        BaselineJob.objects.update(status=JobStatus.FAILED, message="no memory left")
        page = self.get_as(self.owner, self.name, *self.address())
        self.assertContains(page, "no memory left")

    def test_annotators_see_nothing_of_it(self):
        self.asked()
        work.work_on(BaselineJob.objects.get().pk)
        for user in (self.annotator_1, self.annotator_2):
            page = self.get_as(user, "judge", self.campaign.pk, follow=True)
            self.assertNotContains(page, "Weak")
            self.assertNotContains(page, "control")
