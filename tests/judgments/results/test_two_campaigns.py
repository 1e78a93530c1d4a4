"""Two campaigns side by side, as a page and files."""

import csv
import io

import numpy as np
from django.urls import reverse
from django.utils.html import escape
from scipy import stats

from judgments.models import Judgment
from judgments.results.compare.two_campaigns import cost_of, two_rankings
from judgments.results.scores import figures as scores
from judgments.results.selection.filters import Filters
from judgments.results.selection.selection import Selection
from judgments.web.sections import plain
from tests import factory

from .comparisons import ComparisonTestCase


class TwoCampaignsTest(ComparisonTestCase):
    def setUp(self):
        super().setUp()
        self.other = factory.make_campaign(
            self.test_set,
            name="The other",
            owner=self.owner,
            researchers=[self.researcher],
            annotators=[self.annotator_1, self.annotator_2],
        )
        for seat, annotator in enumerate([self.annotator_1, self.annotator_2], 1):
            factory.make_task(self.other, annotator, seat=seat)

    def test_for_owners_and_researchers(self):
        self.assert_refused("compare-campaigns", self.campaign.pk)
        self.assert_refused("compare-campaigns-file", self.campaign.pk, "both-costs", "csv")

    def test_the_figures_as_json_are_those_of_the_page(self):
        self.judge_everything()
        self.judge_everything(self.other, shift=1)
        query = {"with": self.other.pk, "dimension": "fluency", "system": ["System-A", "System-B"]}
        page = self.page("compare-campaigns", **query)
        address = reverse("compare-campaigns-json", args=[self.campaign.pk])
        self.assertContains(page, f'href="{address}?with={self.other.pk}&amp;dimension=fluency')
        found = self.get_as(self.researcher, "compare-campaigns-json", self.campaign.pk, data=query)
        found = found.json()
        sections = [each for each in page.context["sections"] if each.exists()]
        self.assertEqual(len(sections), 4)
        for section, said in zip(sections, found["sections"], strict=True):
            self.assertEqual(said["sentence"], section.sentence())
            self.assertContains(page, escape(section.sentence()))
            for lazy, table in zip(section.tables, said["tables"], strict=True):
                made = lazy.make()
                self.assertEqual((table["slug"], table["columns"]), (lazy.slug, made.keys))
                self.assertEqual(table["rows"], plain([list(row) for row in made.rows]))
                for row in made.display():
                    for _, text in row:
                        self.assertContains(page, escape(text))
            for lazy, chart in zip(section.charts, said["charts"], strict=True):
                self.assertEqual(len(chart["rows"]), 2, lazy.slug)
        self.assertEqual(found["dimensions"], ["fluency", None])
        for campaign, said in zip((self.campaign, self.other), found["selections"], strict=True):
            filters = Filters(systems=("System-A", "System-B"))
            selection = Selection.of(campaign, filters=filters)
            self.assertEqual(said["fingerprint"], selection.fingerprint)

    def test_the_json_is_for_those_who_read_both(self):
        self.judge_everything(self.other)
        query = {"with": self.other.pk}
        self.assert_refused("compare-campaigns-json", self.campaign.pk)
        alone = self.get_as(self.owner, "compare-campaigns-json", self.campaign.pk)
        self.assertEqual(alone.status_code, 404)
        self.other.memberships.filter(user=self.researcher).delete()
        for user, status in ((None, 302), (self.outsider, 404), (self.researcher, 404)):
            args = ("compare-campaigns-json", self.campaign.pk)
            self.assertEqual(self.get_as(user, *args, data=query).status_code, status)

    def test_files_lead_back_to_the_two(self):
        self.judge_everything()
        self.judge_everything(self.other)
        query = {"with": self.other.pk, "dimension": "fluency", "system": ["System-A", "System-B"]}
        args = ("compare-campaigns-file", self.campaign.pk, "both-costs", "csv")
        text = self.get_as(self.researcher, *args, data=query).text
        (address,) = {row["address"] for row in csv.DictReader(io.StringIO(text))}
        place = self.client.get(address)["Location"]
        self.assertTrue(place.endswith("#section-costs"), place)
        response = self.client.get(place)
        self.assertContains(response, "The other")
        self.assertEqual(response.context["two"].dimensions, ("fluency", None))
        systems = response.context["selection"].filters.systems
        self.assertEqual(systems, ("System-A", "System-B"))
        args = ("compare-campaigns-file", self.campaign.pk, "both-scores", "svg")
        self.assertIn("/f/", self.get_as(self.researcher, *args, data=query).text)

    def test_the_other_one_is_asked_for_too(self):
        """Who may not read the other campaign does not learn that it is there."""
        self.judge_everything(self.other)
        self.other.memberships.filter(user=self.researcher).delete()
        for role in (None, "annotator"):
            if role:
                self.other.memberships.create(user=self.researcher, role=role, alias="r")
            response = self.page("compare-campaigns", **{"with": self.other.pk})
            self.assertEqual(response.status_code, 404, role)
            self.assertNotContains(self.page("compare-campaigns"), "The other")
            address = ("compare-campaigns-file", self.campaign.pk, "both-costs", "csv")
            response = self.get_as(self.researcher, *address, query_params={"with": self.other.pk})
            self.assertEqual(response.status_code, 404, role)

    def test_nonsense_in_the_place_of_a_campaign(self):
        for wanted in (self.campaign.pk, 10**12, "x", "\0", "-1"):
            response = self.page("compare-campaigns", **{"with": wanted})
            self.assertEqual(response.status_code, 404, wanted)

    def test_none_to_choose(self):
        self.assertContains(self.page("compare-campaigns"), "No other campaign to compare with")

    def test_agreement_of_rankings_as_scipy_has_it(self):
        self.judge_everything()
        self.judge_everything(self.other, shift=1)
        response = self.page("compare-campaigns", **{"with": self.other.pk})
        rows = self.table(response, "both-coefficients").rows
        found = {(row[0], row[1]): row[2] for row in rows}
        one, two = (
            scores.system_scores(Selection.of(campaign), "adequacy").mean
            for campaign in (self.campaign, self.other)
        )
        self.assertAlmostEqual(found["systems", "Pearson"], stats.pearsonr(one, two).statistic)
        self.assertAlmostEqual(found["systems", "Spearman"], stats.spearmanr(one, two).statistic)
        tau = stats.kendalltau(one, two).statistic
        self.assertAlmostEqual(found["systems", "Kendall τ-b"], tau)
        x, y = (
            scores.segment_scores(Selection.of(campaign), "adequacy").values.ravel()
            for campaign in (self.campaign, self.other)
        )
        self.assertAlmostEqual(found["outputs", "Pearson"], stats.pearsonr(x, y).statistic)
        self.assertEqual(
            {row[1] for row in self.table(response, "both-kappas").rows}, {"Adequacy", "Fluency"}
        )
        read = [(*row[:3], row[-1]) for row in self.table(response, "both-kappas").rows]
        self.assertEqual(len(set(read)), len(read))  # alpha of two levels says which it is

    def test_decisions_that_differ(self):
        """One campaign sees A over B over C everywhere, the other C over B over A."""
        for campaign, row in ((self.campaign, [5, 3, 1]), (self.other, [1, 3, 5])):
            for task in campaign.tasks.order_by("seat"):
                for item in task.items.all():
                    factory.judge(item, {"adequacy": row, "fluency": row}, active_ms=60_000)
        selections = Selection.of(self.campaign), Selection.of(self.other)
        found = two_rankings(selections, ("adequacy", "adequacy"))
        self.assertEqual((found.accuracy.n_correct, found.accuracy.n_pairs), (0, 3))
        self.assertEqual(found.coefficients["kendall"].estimate, -1)
        decided = scores.system_scores(selections[0], "adequacy").differs
        self.assertEqual(len(found.different), int(np.triu(decided, 1).sum()))
        self.assertTrue(all(each.decisions == (1, -1) for each in found.different))
        cost = cost_of(selections[0], "adequacy")
        n = self.campaign.judgments.count()
        self.assertEqual((cost.judgments, cost.n_timed), (n, n))
        self.assertAlmostEqual(cost.hours, n / 60)
        if cost.decided:
            self.assertAlmostEqual(cost.minutes_per_decision, n / cost.decided)

    def test_unknown_time_is_said_to_be(self):
        self.judge_everything()
        self.judge_everything(self.other)
        with factory.rewriting():
            Judgment.objects.filter(campaign=self.other).update(active_ms=None)
        rows = self.file("compare-campaigns-file", "both-costs", "csv", **{"with": self.other.pk})
        self.assertEqual([row["time"] for row in rows], ["known for all", "unknown"])
        self.assertEqual(rows[1]["minutes_per_decision"], "")

    def test_ratings_beside_comparisons(self):
        self.judge_everything()
        self.judge_everything(self.pairwise)
        response = self.page("compare-campaigns", **{"with": self.pairwise.pk})
        self.assertEqual(response.status_code, 200)
        levels = {row[0] for row in self.table(response, "both-coefficients").rows}
        self.assertEqual(levels, {"systems"})

    def test_no_system_in_common(self):
        self.judge_everything()
        response = self.page("compare-campaigns", **{"with": self.other.pk, "system": "System-A"})
        self.assertContains(response, "fewer than two systems of the same name")
