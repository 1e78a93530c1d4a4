"""Scores from files on the page and through the API, and the zip of all."""

import io
import zipfile

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from metrics.models import MetricScore
from tests.base import CastTestCase

SYSTEMS = "System-A\t0.5\nSystem-B\t0.75\nSystem-C\t1\n"


def sent(name, text):
    return SimpleUploadedFile(name, text.encode())


class PageTest(CastTestCase):
    def post(self, *files, **data):
        data = {"direction": "higher"} | data
        data["files_of_scores"] = [sent(name, text) for name, text in files]
        return self.post_as(self.owner, "score-upload", self.test_set.pk, data=data)

    def test_who_may(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused("score-upload", self.test_set.pk, users=users, method=method)
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 200}
        self.assert_refused_or_200("score-download", users)

    def assert_refused_or_200(self, name, users):
        for user, status in users.items():
            response = self.get_as(user, name, self.test_set.pk)
            self.assertEqual(response.status_code, status, f"{user} {name}")

    def test_the_metrics_page_leads_there(self):
        address = reverse("score-upload", args=[self.test_set.pk])
        self.assertContains(self.get_as(self.owner, "test-set-metrics", self.test_set.pk), address)
        page = self.get_as(self.researcher, "test-set-metrics", self.test_set.pk)
        self.assertNotContains(page, address)
        self.assertContains(self.get_as(self.owner, "score-upload", self.test_set.pk), "<h1>Add")

    def test_from_file_to_table(self):
        response = self.post(("COMET-22-ref.sys.score", SYSTEMS))
        self.assertEqual(response["Location"], reverse("test-set-metrics", args=[self.test_set.pk]))
        page = self.get_as(self.owner, "test-set-metrics", self.test_set.pk)
        self.assertContains(page, "Added 3 scores of systems: COMET-22 (uploaded).")
        self.assertContains(page, "COMET-22 (uploaded)|nrefs:1|uploaded:system|system:given")

    def test_every_page_of_the_scores_takes_them(self):
        segments = "System-A\t0.5\n" * 4 + "System-B\tNone\n" * 3 + "System-B\t0.25\n"
        documents = "System-A\t1\nSystem-A\t2\n"
        self.post(
            ("M-ref.seg.score", segments),
            ("D-src.doc.score", documents),
            ("S-ref.sys.score", SYSTEMS),
            direction="lower",
            exceptions="S , D",
        )
        for name in ("test-set-metrics", "metric-segments", "score-download"):
            response = self.get_as(self.researcher, name, self.test_set.pk)
            self.assertEqual(response.status_code, 200, name)
        directions = {
            score.options["name"]: score.options["higher_is_better"]
            for score in MetricScore.objects.all()
        }
        self.assertEqual(directions, {"M": False, "D": True, "S": True})
        campaign = self.get_as(self.researcher, "correlation", self.campaign.pk)
        self.assertEqual(campaign.status_code, 200)

    def test_what_is_wrong_stands_beside_the_field(self):
        response = self.post(("M-ref.sys.score", "System-A\tbad\n"))
        self.assertEqual(response.status_code, 422)
        errors = response.context["form"].errors
        self.assertIn("M-ref.sys.score, row 1: “bad” is not a finite", errors["files_of_scores"][0])
        self.assertFalse(MetricScore.objects.exists())

    def test_the_direction_is_asked_for(self):
        response = self.post(("M-ref.sys.score", SYSTEMS), direction="")
        self.assertContains(response, "Say whether higher or lower", status_code=422)
        response = self.post()
        self.assertContains(response, "Choose at least one file.", status_code=422)

    def test_references(self):
        response = self.post(("M.sys.score", SYSTEMS), references=["src", "ref"])
        self.assertContains(response, "Choose references, or none of them.", status_code=422)
        self.post(("M.sys.score", SYSTEMS), references=["src"], name="Q")
        self.post(("M.sys.score", SYSTEMS), references=["ref"])
        found = {(s.options["name"], *s.references) for s in MetricScore.objects.all()}
        self.assertEqual(found, {("Q",), ("M", "ref")})

    def test_left_out_and_replaced(self):
        self.post(("M-ref.sys.score", SYSTEMS + "refB\t1\n"), skip_unknown="on")
        page = self.get_as(self.owner, "test-set-metrics", self.test_set.pk)
        self.assertContains(page, "Left out: refB.")
        self.assertEqual(self.post(("M-ref.sys.score", SYSTEMS)).status_code, 422)
        self.assertEqual(self.post(("M-ref.sys.score", SYSTEMS), replace="on").status_code, 302)

    def test_scores_of_people_are_refused(self):
        response = self.post(("en-de.mqm.seg.score", SYSTEMS), name="MQM", references=["src"])
        self.assertContains(
            response, "these are scores of people, not of a metric", status_code=422
        )
        self.assertFalse(MetricScore.objects.exists())

    def test_names_are_only_text(self):
        self.post(("x.sys.score", SYSTEMS), name="<script>alert(1)</script>", references=["ref"])
        page = self.get_as(self.owner, "test-set-metrics", self.test_set.pk)
        self.assertNotContains(page, "<script>alert")

    def test_the_zip(self):
        self.post(("M-ref.sys.score", SYSTEMS))
        response = self.get_as(self.researcher, "score-download", self.test_set.pk)
        self.assertEqual(response["Content-Type"], "application/zip")
        packed = zipfile.ZipFile(io.BytesIO(response.content))
        content = packed.read("metric-scores/de-en/M-ref.sys.score").decode()
        self.assertEqual(content, SYSTEMS)


class ApiTest(CastTestCase):
    def post(self, data, user=None, **extra):
        extra = extra or {"content_type": "application/json"}
        return self.post_as(user or self.owner, "api-upload", self.test_set.pk, data=data, **extra)

    def test_who_may(self):
        expected = {self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for user, status in expected.items():
            self.assertEqual(self.post({}, user).status_code, status, str(user))
        self.as_user(None)
        response = self.client.post(reverse("api-upload", args=[self.test_set.pk]))
        self.assertEqual(response.status_code, 403)
        self.assertEqual(self.get_as(self.owner, "api-upload", self.test_set.pk).status_code, 405)

    def test_rows(self):
        rows = [{"system": "System-A", "segment": "1", "score": 0.5}]
        rows += [{"system": "System-A", "segment": "2", "score": None}]
        asked = {"metric": "M", "references": ["ref"], "higher_is_better": False, "scores": rows}
        response = self.post(asked)
        self.assertEqual(response.status_code, 201, response.content)
        expected = {"metrics": ["M (uploaded)"], "n_scores": 1, "n_spans": 0, "left_out": []}
        self.assertEqual(response.json(), expected)
        score = MetricScore.objects.get()
        self.assertEqual((score.score, score.n_segments), (0.5, 1))
        self.assertFalse(score.options["higher_is_better"])
        self.assertContains(self.post(asked), "You can choose to replace them", status_code=400)
        self.assertEqual(self.post(asked | {"replace": True}).status_code, 201)

    def test_files(self):
        files = [sent("M-ref.sys.score", SYSTEMS), sent("Q-src.sys.score", "X\t1\nSystem-A\t2\n")]
        response = self.post_as(
            self.owner,
            "api-upload",
            self.test_set.pk,
            data={"higher_is_better": "true", "skip_unknown": "true", "files": files},
        )
        self.assertEqual(response.status_code, 201, response.content)
        self.assertEqual(response.json()["left_out"], ["X"])
        self.assertEqual(MetricScore.objects.count(), 4)

    def test_scores_of_people_are_refused(self):
        files = [sent("en-de.da-sqm.sys.score", SYSTEMS)]
        response = self.post_as(
            self.owner,
            "api-upload",
            self.test_set.pk,
            data={"higher_is_better": "true", "files": files},
        )
        self.assertEqual(response.status_code, 400, response.content)
        self.assertIn("scores of people, not of a metric", response.json()["detail"])

    def test_what_cannot_be(self):
        row = {"system": "System-A", "score": 1}
        known = {"metric": "M", "references": ["ref"], "higher_is_better": True}
        for data, words in (
            ({}, "required"),
            (known, "Send either scores or files."),
            (known | {"scores": []}, "Send either scores or files."),
            (known | {"scores": {"system": "System-A"}}, "Expected a list of rows."),
            (known | {"scores": [1]}, "scores.jsonl, row 1: not a JSON object"),
            (known | {"scores": [row | {"system": "X"}]}, "scores.jsonl, row 1, column score"),
            (known | {"scores": [row | {"score": True}]}, "should be a string or a number"),
            (known | {"scores": [row | {"system": "\ud800"}]}, "half of a surrogate pair"),
            (known | {"scores": [row | {"\ud800": 3}]}, "half of a surrogate pair"),
            (known | {"scores": [row, row]}, "has a second score"),
            (known | {"scores": [row], "references": ["refB"]}, "no reference “refB”"),
            ({"higher_is_better": True, "scores": [row]}, "does not name the metric"),
        ):
            with self.subTest(words):
                response = self.post(data)
                self.assertEqual(response.status_code, 400, response.content)
                self.assertIn(words, str(response.json()))
        self.assertFalse(MetricScore.objects.exists())
