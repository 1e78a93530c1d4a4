"""The Power page, its planner, its figures in the API and in files."""

import csv
import io
import itertools
import json

from django.core.cache import cache

from judgments.results.power import figures as power
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase


class PowerPageTest(CastTestCase):
    def setUp(self):
        cache.clear()

    def judge_everything(self, campaign=None):
        campaign = campaign or self.campaign
        for task in campaign.tasks.order_by("seat"):
            for item in task.items.order_by("position"):
                n = (item.position + task.seat) % 3
                if campaign.protocol == "pairwise":
                    factory.judge(item, n - 1)
                else:
                    factory.judge(item, {"adequacy": [5 - n, 3, 1 + n], "fluency": [4, 4 - n, 2]})

    def page(self, campaign=None, **query):
        response = self.get_as(
            self.researcher, "power", (campaign or self.campaign).pk, query_params=query
        )
        self.assertEqual(response.status_code, 200)
        return response

    def test_for_owners_and_researchers(self):
        self.assert_refused("power", self.campaign.pk)
        self.assert_refused(
            "api-power", self.campaign.pk, users={self.outsider: 404, self.annotator_1: 403}
        )
        for user in (self.owner, self.researcher):
            for name in ("power", "api-power"):
                self.assertEqual(self.get_as(user, name, self.campaign.pk).status_code, 200)

    def test_empty_campaign(self):
        response = self.page()
        self.assertContains(response, "No two systems were judged yet")
        self.assertContains(response, "Plan a campaign")

    def test_open_pairs_with_intervals(self):
        self.judge_everything()
        response = self.page()
        self.assertContains(response, "Pairs that are not separated: adequacy")
        self.assertContains(response, "does not prove equality")
        self.assertContains(response, "pairs of systems are separated (signed-rank test by segment")
        for section in response.context["sections"]:
            self.assertIn("seed", section.tables[0].make().note)

    def test_comparisons(self):
        self.judge_everything(self.pairwise)
        response = self.page(self.pairwise)
        self.assertContains(response, "The two systems are not separated (signed-rank test by")

    def test_planner(self):
        """n of the published table: sd 20, difference 2, α .05, power .8 → 785."""
        query = {"sd": 20, "effect": 2, "systems": 2, "alpha": 0.05, "power": 0.8, "looks": 1}
        response = self.page(**query)
        self.assertContains(response, "785 items, each judged of all 2 systems")
        self.assertContains(response, "783 of a pair")
        self.assertNotContains(response, "When to look")
        response = self.page(**(query | {"systems": 4, "looks": 5}))
        self.assertContains(response, "whichever of the 6 pairs")
        rows = response.context["plan"].looks.rows
        self.assertEqual(len(rows), 5)
        self.assertTrue(all(a[2] > b[2] for a, b in itertools.pairwise(rows)))
        self.assertContains(response, "Lan–DeMets, one-sided form")
        five = {"systems": 2, "effect": 20 / 8, "looks": 5, "spending": "obrien-fleming"}
        looks = self.page(**(query | five)).context["plan"].looks
        self.assertIn("O'Brien–Fleming", looks.note)
        # Reboussin et al. (2000); the looks are at whole items, not quite at fifths.
        published = [4.877, 3.357, 2.680, 2.290, 2.031]
        for row, bound in zip(looks.rows, published, strict=True):
            self.assertAlmostEqual(row[2], bound, delta=0.02)

    def test_planner_says_what_is_wrong(self):
        response = self.page(sd="much", effect=0, systems=1, alpha=2, power=0.8, looks=11)
        self.assertContains(response, "There is a problem")
        self.assertIsNone(response.context["plan"])
        self.assertEqual(
            set(response.context["planner"].errors), {"sd", "effect", "systems", "alpha", "looks"}
        )

    def test_planner_with_extremes(self):
        query = {"systems": 200, "alpha": 0.0001, "power": 0.99, "looks": 10}
        for sd, effect, items in ((1e9, 1e-9, r"[1-9][\d,]{40,} items"), (1e-9, 1e9, "1 item")):
            plan = self.page(sd=sd, effect=effect, **query).context["plan"]
            self.assertRegex(plan.lead, f"^{items}, each judged of all 200 systems")
        for sd in ("nan", "inf"):
            response = self.page(sd=sd, effect=1, **query)
            self.assertIsNone(response.context["plan"])
            self.assertEqual(set(response.context["planner"].errors), {"sd"})

    def test_api_and_files_hold_the_figures_of_the_page(self):
        self.judge_everything()
        report = power.power(Selection.of(self.campaign), "adequacy")
        response = self.get_as(
            self.researcher, "api-power", self.campaign.pk, query_params={"dimension": "adequacy"}
        )
        found = response.json()
        self.assertEqual((found["test"], found["clusters"]), ("signed-rank", "segments"))
        pairs = [(p["first"], p["second"], p["difference"]) for p in found["pairs"]]
        expected = [(p.first, p.second, p.difference.estimate) for p in report.pairs]
        self.assertEqual(pairs, expected)
        response = self.get_as(
            self.researcher, "export-table", self.campaign.pk, "differences-adequacy"
        )
        rows = list(csv.DictReader(io.StringIO(response.content.decode())))
        self.assertEqual(
            [(r["first"], float(r["difference"])) for r in rows], [(a, d) for a, _, d in pairs]
        )
        response = self.get_as(self.researcher, "export-table", self.campaign.pk, "power-adequacy")
        self.assertEqual(response.status_code, 200)
        response = self.get_as(self.researcher, "export-json", self.campaign.pk)
        exported = json.loads(response.getvalue())
        self.assertIn("power", str(exported.keys()))

    def test_api_refuses_what_is_not_there(self):
        for query in ({"test": "t"}, {"dimension": "beauty"}):
            response = self.get_as(
                self.researcher, "api-power", self.campaign.pk, query_params=query
            )
            self.assertEqual(response.status_code, 400, query)
