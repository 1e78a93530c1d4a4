"""Pages and the API refuse a URL with unknown parameters, and list the known ones."""

import json

from django.urls import reverse

from tests.judgments.results.test_results import ResultsTestCase

PAGES = (
    *("agreement", "scores", "exports", "power", "quality", "domains", "evaluators", "compare"),
    *("compare-campaigns", "learning-curve", "segments", "report", "stopping", "correlation"),
    *("recomputation", "export-json", "export-archive", "export-observations"),
)
API = ("api-scores", "api-agreement", "api-pages", "api-segments")


class UnknownParametersTest(ResultsTestCase):
    def asked(self, name, query):
        address = reverse(name, args=[self.campaign.pk])
        return self.as_user(self.researcher).get(f"{address}?{query}")

    def assert_names(self, name, query, *words):
        response = self.asked(name, query)
        self.assertEqual(response.status_code, 400, f"{name}?{query}")
        said = response.content.decode()
        if response["Content-Type"].startswith("application/"):
            said = json.loads(said)["detail"]
        for word in words:
            self.assertIn(word, said, f"{name}?{query}")

    def test_a_misspelled_parameter_is_refused_everywhere(self):
        self.judge_everything()
        for name in (*PAGES, *API):
            with self.subTest(name):
                self.assert_names(name, "domian=news", "domian", "domain", "document")

    def test_a_name_that_is_not_there_is_refused_everywhere(self):
        self.judge_everything()
        self.test_set.documents.update(domain="news")
        for name in (*PAGES, *API):
            with self.subTest(name):
                self.assert_names(name, "domain=newz", "newz", "news")
                self.assertNotEqual(self.asked(name, "domain=news").status_code, 400)

    def test_every_kind_of_name(self):
        self.judge_everything()
        for query, known in (
            ("system=Systen-A", "System-A"),
            ("document=dok0", "doc0"),
            ("annotator=nobody", "annotator-1"),
            ("without=nobody", "annotator-2"),
            ("kind=odd", "regular"),
            ("annotators=some", "kept"),
        ):
            self.assert_names("agreement", query, known)
            self.assert_names("api-agreement", query, known)

    def test_addresses_without_a_selection(self):
        response = self.as_user(self.researcher).get(reverse("api-campaigns") + "?limt=3")
        self.assertEqual(response.status_code, 400)
        self.assertIn("limit, offset", response.json()["detail"])
