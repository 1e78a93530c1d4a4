"""Invalid input, and too much input: one clear answer, and nothing breaks."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from judgments.models import JobStatus, Output, Reference, Segment
from metrics.models import MetricScore, PartStatus, ScoringJob
from metrics.scorers import SCORERS
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice, choose
from metrics.scoring.parts import Bench, inputs_of
from tests import factory
from tests.base import CastTestCase

pytestmark = pytest.mark.slow

NONSENSE = ("\0", "a\0b", "-1", "9" * 30, "nan", "1e400", "<script>", "\ud800", "٣", "x" * 5000)


class AddressesTest(CastTestCase):
    """With any URL, a page is shown or does not exist."""

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        metrics = [MetricChoice("bleu"), MetricChoice("ter")]
        jobs.work_on(jobs.create_job(cls.test_set, metrics, ["ref"]).pk)
        cls.slugs = [column.slug for column in score_table(cls.test_set).columns]

    def assert_all_answered(self, name, *arguments, fields, also=""):
        self.client.force_login(self.owner)
        address = reverse(name, args=[self.test_set.pk, *arguments])
        for field in fields:
            for value in NONSENSE:
                query = also + ascii(value).strip("'").replace("\\x00", "%00")
                with self.subTest(name=name, field=field, value=value[:20]):
                    response = self.client.get(f"{address}?{field}={query}")
                    self.assertIn(response.status_code, (200, 400, 404))

    @pytest.mark.proof
    def test_pages(self):
        self.assert_all_answered("test-set-metrics", fields=["unit", "by", "show"])
        self.assert_all_answered("metric-column", self.slugs[0], fields=["unit", "test", "adjust"])
        self.assert_all_answered("metric-documents", self.slugs[0], fields=["sort", "page"])
        self.assert_all_answered("metric-substitutions", fields=["system", "tokenize"])
        fields = ["metric", "system", "campaign", "tokenize", "words"]
        self.assert_all_answered("metric-references", fields=fields)
        fields = ["first", "second", "level", "controls"]
        self.assert_all_answered("metric-pairs", fields=fields)

    @pytest.mark.proof
    def test_segments(self):
        fields = ["system", "with", "sort", "document", "text", "where", "page", "segment"]
        self.assert_all_answered("metric-segments", fields=fields)
        self.assert_all_answered(
            "metric-segments", fields=["low", "high"], also=f"&scored={self.slugs[0]}&low="
        )

    def test_programs(self):
        self.assert_all_answered("api-metrics", fields=["unit"])
        self.assert_all_answered("api-pairs", self.slugs[0], fields=["unit"])

    def test_numbers_that_no_database_has(self):
        self.client.force_login(self.owner)
        for path in ("metrics/", "metrics/upload/", "metrics/scores.zip", "post-edits/delete/"):
            self.assertEqual(self.client.get(f"/testsets/{'9' * 30}/{path}").status_code, 404)
        for path in (f"jobs/{'9' * 30}/", f"segments/{'9' * 30}/1/"):
            address = f"/testsets/{self.test_set.pk}/metrics/{path}"
            self.assertEqual(self.client.get(address).status_code, 404)

    def test_no_form_works_for_another_site(self):
        client = Client(enforce_csrf_checks=True)
        client.force_login(self.owner)
        job = ScoringJob.objects.get()
        for name, *arguments in (
            ["score-start"],
            ["score-test"],
            ["score-upload"],
            ["score-cancel", job.pk],
            ["score-retry", job.pk],
            ["metric-delete", self.slugs[0]],
            ["post-edits-delete"],
            ["api-metrics"],
            ["api-upload"],
            ["api-job-cancel", job.pk],
        ):
            with self.subTest(name):
                address = reverse(name, args=[self.test_set.pk, *arguments])
                self.assertEqual(client.post(address, {"unit": "segment"}).status_code, 403)
        self.assertEqual(client.post(reverse("corpora"), {"name": "x"}).status_code, 403)
        self.assertEqual(MetricScore.objects.count(), 6)


class ProgramsTest(CastTestCase):
    """Requests for scores that no form would send."""

    def ask(self, data, status=400):
        self.client.force_login(self.owner)
        body = data if isinstance(data, str | bytes) else json.dumps(data)
        response = self.client.post(
            reverse("api-metrics", args=[self.test_set.pk]), body, content_type="application/json"
        )
        self.assertEqual(response.status_code, status, response.content[:300])
        return str(response.json())

    def test_what_is_no_request(self):
        for body in ("", "{", "[]", "null", b"\xff\xfe", '{"metrics": NaN}', "[" * 50_000):
            self.ask(body)
        for metrics in (
            None,
            1,
            "bleu",
            [],
            {},
            [None],
            [[]],
            [{"metric": None}],
            [{"metric": {}}],
        ):
            self.ask({"metrics": metrics})
        self.ask({"metrics": [{"metric": "bleu"}] * 21})
        self.assertFalse(ScoringJob.objects.exists())

    def test_options_of_the_wrong_kind(self):
        for slug, name in (("bleu", "max_order"), ("chrf", "beta"), ("bleu", "tokenize")):
            for value in ([], {}, "x" * 100_000, "\0", -1, 10**30):
                self.ask({"metrics": [{"metric": slug, "options": {name: value}}]})

    def test_texts_that_no_database_keeps(self):
        for slug, name in (("meteor", "function_words"), ("ngram_lm", "corpus")):
            for value in ("\0", "a\nb", "\ud800"):
                said = self.ask({"metrics": [{"metric": slug, "options": {name: value}}]})
                self.assertIn("control characters", said)
        said = self.ask(
            {"metrics": [{"metric": "meteor", "options": {"function_words": "x" * 30_000}}]}
        )
        self.assertIn("at most 20000 characters", said)

    def test_a_text_may_have_marks_that_nobody_sees(self):
        """Persian writes them between the parts of a word."""
        choice = choose("meteor", {"function_words": "می\u200cشود"})
        self.assertEqual(choice.options["function_words"], "می\u200cشود")

    def test_the_same_metric_twice_is_computed_once(self):
        self.ask({"metrics": [{"metric": "bleu"}] * 3}, status=201)
        self.assertEqual(ScoringJob.objects.get().total, 3)  # of three systems


class ScoreFilesTest(CastTestCase):
    def send(self, name, content, **data):
        data = {
            "direction": "higher",
            "files_of_scores": [SimpleUploadedFile(name, content)],
        } | data
        return self.post_as(self.owner, "score-upload", self.test_set.pk, data=data)

    def test_what_is_no_file_of_scores(self):
        contents = (
            b"\0",
            b"\xff\xfeS\0y\0s\0",
            b"\x1f\x8b\x08junk",
            b"System-A\tinf\n" * 4,
            b"System-A\t1e400\n" * 4,
            b"System-A\t1e308\n" * 4,
            b"System-A\t1\n" * 3,
            b"System-A\t1\n" * 100_000,
            b"[]",
            b"x" * 1_000_000,
        )
        for content in contents:
            for name in ("M-ref.seg.score", "M-ref.seg.score.gz", "t.tsv", "t.jsonl"):
                with self.subTest(name=name, content=content[:20]):
                    self.assertEqual(self.send(name, content).status_code, 422)
        self.assertFalse(MetricScore.objects.exists())

    def test_numbers_too_large_to_be_squared_are_refused_with_their_place(self):
        response = self.send("M-ref.sys.score", b"System-A\t1\nSystem-B\t-1e200\n")
        self.assertContains(
            response, "M-ref.sys.score, row 2: “-1e200” is too large", status_code=422, html=False
        )

    def test_names_of_files_are_not_trusted(self):
        for name in (".score", "-.seg.score", "a|b-ref.sys.score", "x" * 200 + "-ref.sys.score"):
            with self.subTest(name):
                self.assertEqual(self.send(name, b"System-A\t1\n").status_code, 422)
        self.send("<b>-ref.sys.score", b"System-A\t1\n")
        page = self.get_as(self.owner, "test-set-metrics", self.test_set.pk)
        self.assertContains(page, "&lt;b&gt;")
        self.assertNotContains(page, "<b>")


@pytest.fixture
def test_set(db):
    return factory.make_test_set(factory.make_user("owner"), n_systems=2)


def test_texts_that_change_while_they_are_scored_leave_scores_out_of_date(test_set, monkeypatch):
    """The second system's source texts are those that its worker read at first; the stored score
    records that."""
    job = jobs.create_job(test_set, [MetricChoice("bleu")], ["ref"])
    ScoringJob.objects.update(status=JobStatus.RUNNING)
    bench = Bench()
    jobs.compute_next_part(job.pk, bench)
    Reference.objects.filter(segment__position=0).update(text="Quite another one .")
    jobs.compute_next_part(job.pk, bench)
    column = score_table(test_set).columns[0]
    assert column.stale == {score.pk for score in column.scores.values()}


def test_a_segment_that_comes_while_a_worker_is_at_it(test_set):
    bench = Bench()
    system = test_set.systems.first()
    inputs_of(bench, test_set, [system.pk], ["ref"], False)
    first = test_set.segments.first()
    late = Segment.objects.create(
        test_set=test_set, document=first.document, key="late", position=99, source="Spät ."
    )
    Output.objects.create(segment=late, system=system, text="Late .")
    found = inputs_of(bench, test_set, [system.pk], ["ref"], False)[system.pk]
    assert len(found.hypotheses) == 4


def test_a_signature_that_has_no_room_fails_its_part_with_the_reason(test_set, monkeypatch):
    monkeypatch.setattr(SCORERS["ter"], "signature", lambda self, n, level="corpus": "x" * 400)
    job = jobs.create_job(test_set, [MetricChoice("ter")], ["ref"])
    jobs.work_on(job.pk)
    part = job.parts.first()
    assert (part.status, part.message) == (
        PartStatus.FAILED,
        "The signature has more than 300 characters.",
    )


@pytest.mark.parametrize("what", [ZeroDivisionError("a defect"), KeyError("x"), RecursionError()])
def test_a_metric_that_raises_fails_alone(test_set, monkeypatch, what):
    def raises(self, *texts):
        raise what

    monkeypatch.setattr(SCORERS["ter"], "statistics", raises)
    job = jobs.create_job(test_set, [MetricChoice("ter"), MetricChoice("bleu")], ["ref"])
    jobs.work_on(job.pk)
    job.refresh_from_db()
    assert job.status == JobStatus.FAILED
    assert type(what).__name__ in job.message
    assert {score.metric for score in MetricScore.objects.all()} == {"bleu"}
