"""The page of scores, its files and its API with every choice that a reader has."""

import csv
import io
import json

from django.core.cache import cache
from django.urls import reverse

from judgments.results.scores import comparisons
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase

CHOICES = {
    "method": ("raw", "z", "center", "mixed"),
    "over": ("regular", "all"),
    "check": ("rule", "none"),
}


class ScoreChoicesTest(CastTestCase):
    def setUp(self):
        cache.clear()
        for task in self.campaign.tasks.order_by("seat"):
            for item in task.items.order_by("position"):
                n = (item.position + task.seat) % 3
                values = {"adequacy": [5 - n, 3, 1 + n], "fluency": [4, 4 - n, 2]}
                factory.judge(item, values)
        for task in self.pairwise.tasks.all():
            for item in task.items.order_by("position"):
                factory.judge(item, (item.position % 3) - 1)

    def page(self, campaign, **query):
        response = self.get_as(self.researcher, "scores", campaign.pk, data=query)
        self.assertEqual(response.status_code, 200)
        return response

    def test_every_choice_is_on_the_page_and_is_kept(self):
        for values in (
            "z all rule",
            "center all rule",
            "raw regular none",
        ):
            chosen = values.split()
            response = self.page(self.campaign, **dict(zip(CHOICES, chosen, strict=True)))
            for value in chosen:
                self.assertContains(response, f'<option value="{value}" selected>')
            is_own = chosen[0] == "raw"
            self.assertEqual("Every pair of systems" in response.content.decode(), is_own)
            self.assertContains(response, "Ranks by the rules of WMT")

    def test_what_the_figures_mean(self):
        for query, words in (
            ({}, "a strict one pulls down"),
            ({}, "signed-rank test by segment, two-sided, Holm over 3 pairs, α = .05"),
            ({}, "of 3 pairs of systems differ ("),
            ({}, "It is not the probability that they are"),
            ({}, "pairs would differ. If you look for the answer"),
            ({"method": "z"}, "z then removes real differences"),
            ({"method": "z"}, "Which systems differ is not decided by them"),
            ({"method": "mixed"}, "Standard deviations: annotators"),
        ):
            self.assertContains(self.page(self.campaign, **query), words)

    def test_the_decision_is_chosen_once_for_all_pages(self):
        address = ("pair-test", self.campaign.pk)
        self.assertContains(self.get_as(self.owner, *address), "There are judgments already")
        chosen = {"compared_by": "z", "test": "permutation", "promise": "bh"}
        response = self.post_as(self.owner, *address, data=chosen)
        self.assertRedirects(response, reverse("scores", args=[self.campaign.pk]))
        response = self.page(self.campaign)
        self.assertContains(response, '<option value="z" selected>')
        said = "permutation test by segment (10,000 swaps, seed 20070623), two-sided, "
        said += "Benjamini–Hochberg over 3 pairs"
        self.assertContains(response, said)
        self.assertContains(self.get_as(self.researcher, "power", self.campaign.pk), said)
        response = self.post_as(self.owner, *address, data=chosen | {"test": "t"})
        self.assertEqual(response.status_code, 422)
        self.post_as(
            self.owner,
            *address,
            data={"compared_by": "raw", "test": "signed-rank", "promise": "holm"},
        )
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.plan, {})

    def test_comparisons_have_no_choice_of_scores(self):
        response = self.get_as(self.owner, "pair-test", self.pairwise.pk)
        self.assertNotContains(response, "compared_by")

    def test_models_of_comparisons(self):
        for model, title in (
            ("expected-wins", "expected wins"),
            ("bradley-terry", "Bradley–Terry strength"),
            ("davidson", "Davidson strength"),
            ("trueskill", "TrueSkill"),
        ):
            response = self.page(self.pairwise, model=model)
            self.assertContains(response, f"Systems by {title}")
            self.assertContains(response, f'<option value="{model}" selected>')

    def test_a_matrix_has_headers_and_a_title(self):
        response = self.page(self.campaign)
        self.assertContains(response, "<h4>Adjusted p that two systems differ")
        self.assertContains(response, '<th scope="col" class="num">System-B</th>')

    def test_excluded_annotators_stay_chosen(self):
        response = self.page(self.campaign, annotators="all")
        self.assertContains(response, '<input type="hidden" name="annotators" value="all">')

    def test_files_of_every_normalization(self):
        for method in CHOICES["method"]:
            name = f"scores-adequacy-{method}"
            response = self.get_as(self.owner, "export-table", self.campaign.pk, name)
            rows = list(csv.DictReader(io.StringIO(response.content.decode())))
            expected = scores_figures.system_scores(Selection.of(self.campaign), "adequacy", method)
            self.assertEqual(
                [float(row["score"]) for row in rows], expected.mean[expected.order].tolist()
            )
        response = self.get_as(self.owner, "export-table", self.campaign.pk, "significance")
        rows = list(csv.DictReader(io.StringIO(response.content.decode())))
        self.assertEqual(len(rows), 2 * 3)  # dimensions, pairs
        scores = scores_figures.system_scores(Selection.of(self.campaign), "adequacy")
        first, second = scores.order[:2]
        self.assertEqual(rows[0]["system"], scores.names[first])
        self.assertEqual(float(rows[0]["p"]), scores.p_values[first, second])
        self.assertEqual(float(rows[0]["difference"]), scores.pairs.difference[first, second])

    def test_the_json_file_has_them_too(self):
        response = self.get_as(self.owner, "export-json", self.campaign.pk)
        found = json.loads(b"".join(response).decode())["scores"]["systems"]
        self.assertEqual([each["method"] for each in found[:4]], list(CHOICES["method"]))
        scores = scores_figures.system_scores(Selection.of(self.campaign), "adequacy")
        self.assertEqual(found[0]["pairs"]["superiority"][0][1], scores.pairs.superiority[0, 1])

    def test_the_api_gives_what_the_page_shows(self):
        address = reverse("api-scores", args=[self.campaign.pk])
        client = self.as_user(self.researcher)
        decided = scores_figures.system_scores(Selection.of(self.campaign), "adequacy")
        for query in ({}, {"method": "mixed"}, {"rule": "wmt17-23"}):
            found = client.get(address, query).json()
            scores = scores_figures.system_scores(Selection.of(self.campaign), "adequacy", **query)
            for field in ("method", "rule", "test", "unit", "adjust"):
                self.assertEqual(found[field], getattr(scores, field))
            first, second = decided.order[:2]
            pair = found["pairs"][0]
            self.assertEqual(pair["system"], decided.names[first])
            self.assertEqual(pair["p"], decided.p_values[first, second])
            self.assertEqual(pair["p_adjusted"], decided.adjusted[first, second])
            self.assertEqual(pair["separated"], bool(decided.differs[first, second]))
        self.assertEqual(client.get(address, {"rule": "t"}).status_code, 400)
        self.assertEqual(client.get(address, {"method": "mixed"}).json()["test"], "Wald")

    def test_the_api_of_comparisons(self):
        client = self.as_user(self.researcher)
        address = reverse("api-scores", args=[self.pairwise.pk])
        for model in ("expected-wins", "trueskill"):
            found = client.get(address, {"model": model}).json()
            self.assertEqual(found["method"], model)
            (pair,) = found["pairs"]
            self.assertIsNone(pair["difference"])
            counted = comparisons.head_to_head(Selection.of(self.pairwise))
            self.assertEqual(pair["n"], counted.wins.sum())
            self.assertGreaterEqual(pair["superiority"], 0.5)
