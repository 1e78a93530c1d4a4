"""What stands for segments on the pages of results leads to them: rows, cells, bars and points."""

import html
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.urls import reverse

from judgments.models import Campaign, Kind, Membership
from judgments.quality.decisions.decisions import decide
from judgments.results.segments.links import to_segment
from judgments.results.selection.selection import Selection
from judgments.web import sections
from tests import factory
from tests.base import CastTestCase
from tests.judgments.publishing.bundles.sites import load_demo

SHARED = "12"  # the keys of the segments that both annotators judge; the first judges all


class LinksCase(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.test_set = factory.make_test_set(cls.owner, n_segments=6, n_systems=6, name="Larger")
        for system in cls.test_set.systems.all():
            system.name = system.name.replace("-", ".")  # charts leave out what all begin with
            system.save()
        people = [cls.annotator_1, cls.annotator_2]
        cls.campaign = factory.make_campaign(
            cls.test_set, owner=cls.owner, researchers=[cls.researcher], annotators=people
        )
        segments = cls.test_set.segments.order_by("position")
        for seat, (who, n) in enumerate(zip(people, (6, 2), strict=True), 1):
            task = factory.make_task(cls.campaign, who, seat=seat, segments=segments[:n])
            for place, item in enumerate(task.items.order_by("position")):
                values = [5 - (place + system) % 3 - seat % 2 for system in range(6)]
                factory.judge(item, {"adequacy": values, "fluency": values[::-1]})
        alias = Membership.objects.get(campaign=cls.campaign, user=cls.annotator_2)
        alias.alias = "calm otter"
        alias.save()

    def setUp(self):
        cache.clear()

    def shown(self, name, query=""):
        """A page of results for a researcher, as text."""
        address = reverse(name, args=[self.campaign.pk]) + query
        response = self.as_user(self.researcher).get(address)
        self.assertEqual(response.status_code, 200)
        return response.content.decode()

    def leads(self, page, words):
        """The addresses of the links of a page with these words."""
        return [
            html.unescape(a) for a in re.findall(rf'href="([^"]*)">{re.escape(words)}</a>', page)
        ]

    def marks(self, page, chart):
        """By what the data of a chart say of a mark the address to which it leads."""
        text = re.search(rf'<script id="chart-{chart}"[^>]*>(.*?)</script>', page, re.DOTALL)
        self.assertIsNotNone(text, chart)
        spec = json.loads(text[1])
        parts = [spec, *spec.get("layer", ())]
        encoded = [part for part in parts if "href" in part.get("encoding", {})]
        self.assertTrue(encoded, "no mark of the chart follows its address")
        rows = [row for part in parts for row in part.get("data", {}).get("values", ())]
        return {row.get("name") or row["cell"]: row["href"] for row in rows if "href" in row}

    def keys(self, address):
        """The keys of the segments that an address of the list lists."""
        self.assertEqual(urlsplit(address).path, reverse("segments", args=[self.campaign.pk]))
        response = self.as_user(self.researcher).get(address)
        self.assertEqual(response.status_code, 200, address)
        page = response.content.decode()
        self.assertNotIn("Select a valid choice", page, address)
        return re.findall(r"doc\d (\d+)</a>", page)

    def listed(self, address):
        return "".join(sorted(self.keys(address)))

    def pair(self, address):
        """The two systems that an address puts side by side."""
        self.assertEqual(urlsplit(address).path, reverse("compare", args=[self.campaign.pk]))
        self.assertEqual(self.as_user(self.researcher).get(address).status_code, 200)
        asked = parse_qs(urlsplit(address).query)
        return asked["a"][0], asked["b"][0]


class AgreementTest(LinksCase):
    def test_annotators_lead_to_what_they_judged_by_their_pseudonyms(self):
        page = self.shown("agreement")
        bars = self.marks(page, "annotators")
        self.assertEqual(set(bars), {"annotator-1", "calm otter"})
        self.assertEqual(self.listed(bars["annotator-1"]), "123456")
        self.assertEqual(self.listed(bars["calm otter"]), SHARED)
        for address in self.leads(page, "calm otter"):
            self.assertEqual(self.listed(address), SHARED)
        self.assertNotIn("annotator-2", page)

    def test_a_pair_leads_to_what_both_judged_where_they_differ_most_first(self):
        page = self.shown("agreement")
        cells = self.marks(page, "agreement-annotators-adequacy")
        self.assertEqual(set(cells), {"0-1", "1-0"})
        for address in cells.values():
            self.assertEqual(self.listed(address), SHARED)
            self.assertIn("sort=disagreement", address)
        self.assertEqual(self.listed(self.leads(page, "12")[0]), SHARED)  # outputs

    def test_the_cells_keep_the_filter_of_the_page(self):
        page = self.shown("agreement", "?system=System.A&system=System.B&document=doc0")
        bars = self.marks(page, "annotators")
        self.assertEqual(self.listed(bars["annotator-1"]), "123")
        self.assertIn("document=doc0", bars["annotator-1"])


class QualityTest(LinksCase):
    def test_annotators_lead_to_what_they_judged(self):
        page = self.shown("quality")
        addresses = self.leads(page, "calm otter")
        self.assertGreaterEqual(len(addresses), 3, "who counts, and every table of figures")
        for address in addresses:
            self.assertEqual(self.listed(address), SHARED)

    def test_who_is_left_out_leads_there_too(self):
        about = {"excluded": True, "reason": "Too fast.", "by": self.owner}
        decide(self.campaign, self.annotator_2, **about)
        page = self.shown("quality")
        for address in self.leads(page, "calm otter"):
            self.assertEqual(self.listed(address), SHARED)
        self.assertEqual(self.listed(self.leads(page, "System.A")[0]), "123456")

    def test_degraded_copies_and_repeats_lead_to_theirs(self):
        task = self.campaign.tasks.get(seat=1)
        for kind, place in ((Kind.DEGRADED, 2), (Kind.REPEAT, 4)):
            item = task.items.get(position=place)
            item.pk, item.kind, item.position, item.is_judged = None, kind, place + 10, False
            item.save()
            shown = list(task.items.get(position=place).shown.all())
            for each in shown:
                each.pk, each.item = None, item
                each.save()
            item.task.n_items += 1
            factory.judge(item, {"adequacy": [1] * 6, "fluency": [1] * 6})
        page = self.shown("quality")
        found = {
            parse_qs(urlsplit(address).query)["kind"][0]: self.listed(address)
            for address in self.leads(page, "6")
            if "kind=" in address
        }
        self.assertEqual(found, {"degraded": "3", "repeat": "5"})
        drops = self.marks(page, "quality-drop-adequacy")
        self.assertEqual(self.listed(drops["annotator-1"]), "123456")


class ScoresAndPowerTest(LinksCase):
    def test_points_of_scores_lead_to_the_segments_of_their_system(self):
        points = self.marks(self.shown("scores"), "scores-adequacy-raw")
        self.assertEqual(sorted(points), list("ABCDEF"))
        for name, address in points.items():
            self.assertEqual(parse_qs(urlsplit(address).query)["system"], [f"System.{name}"])
            self.assertEqual(self.listed(address), "123456")

    def test_cells_of_pairs_lead_to_the_two_systems(self):
        page = self.shown("scores")
        cells = self.marks(page, "pairs-adequacy-raw")
        self.assertEqual(len(cells), 30)
        order = [row[0] for row in self.rows(page)]
        for cell, address in list(cells.items())[:3]:
            i, j = map(int, cell.split("-"))
            self.assertEqual(self.pair(address), (order[i], order[j]))

    def rows(self, page):
        """The matrix of p-values: of each row its system and the addresses of its cells."""
        body = re.search(r'id="section-pairs-adequacy-raw".*?<tbody>(.*?)</tbody>', page, re.DOTALL)
        rows = re.findall(r"<tr>(.*?)</tr>", body[1], re.DOTALL)
        return [(re.search(r">(System..)</a>", row)[1], row) for row in rows]

    def test_cells_of_the_matrix_lead_to_the_two_systems(self):
        rows = self.rows(self.shown("scores"))
        name, row = rows[0]
        first, *cells = [html.unescape(a) for a in re.findall(r'href="([^"]*)"', row)]
        self.assertEqual(self.listed(first), "123456")
        self.assertEqual([self.pair(a) for a in cells], [(name, other) for other, _ in rows[1:]])

    def test_rows_and_points_of_power_lead_to_the_two_systems(self):
        page = self.shown("power")
        points = self.marks(page, "power-adequacy")
        self.assertTrue(points)
        for name, address in points.items():
            first, second = self.pair(address)
            self.assertEqual(name, f"{first} – {second}".removeprefix("System."))
            self.assertIn(address, self.leads(page, f"{first} – {second}"))

    def test_the_learning_curve_leads_to_systems_and_pairs(self):
        page = self.shown("learning-curve")
        points = self.marks(page, "learning-curve-adequacy")
        self.assertEqual(sorted(points), list("ABCDEF"))
        self.assertEqual(self.listed(points["A"]), "123456")
        cells = self.marks(page, "learning-halves-adequacy")
        self.pair(next(iter(cells.values())))


class SharedTest(LinksCase):
    def test_the_list_of_what_two_or_more_judged(self):
        address = reverse("segments", args=[self.campaign.pk]) + "?show=shared"
        self.assertEqual("".join(self.keys(address)), SHARED)
        page = self.as_user(self.researcher).get(address)
        self.assertContains(
            page, "With outputs that two or more judged: 2 segments were judged, in the order"
        )
        one = f"{address}&annotator=annotator-1"
        self.assertEqual(self.keys(one), [])

    def test_programs_ask_for_the_same(self):
        address = f"/api/campaigns/{self.campaign.pk}/segments/"
        found = self.as_user(self.researcher).get(address, {"show": "shared"}).json()
        self.assertEqual([each["segment"]["key"] for each in found["results"]], list(SHARED))

    def test_it_is_asked_only_where_annotators_can_disagree(self):
        campaign = factory.make_campaign(
            self.test_set, preset="post-editing", name="Edits", owner=self.owner
        )
        campaigns = {True: self.campaign, False: campaign}
        for can, each in campaigns.items():
            address = reverse("segments", args=[each.pk]) + "?show=shared"
            page = self.as_user(self.owner).get(address).content.decode()
            self.assertEqual("Judged by two or more" in page, can)


def says_where_it_leads(chart):
    """Return whether a chart with linked marks says so next to it, and in no file."""
    leads = '"href"' in json.dumps(chart.spec)
    assert "leads to" not in chart.caption, chart.name
    return leads == ("leads to" in chart.hint)


class WhereOneComesFromCase(LinksCase):
    def test_the_output_one_came_for_comes_first(self):
        """Before the others and before people's scores; one key leads to the next one's."""
        segment = self.test_set.segments.order_by("position")[1]
        last = self.test_set.systems.order_by("-name")[0]
        address = to_segment(Selection.of(self.campaign), segment.pk, system=last.pk)
        self.assertTrue(address.endswith(f"?output={last.pk}#system-{last.pk}"))
        page = self.as_user(self.researcher).get(address).content.decode()
        places = [page.index(f'id="{at}"') for at in (f"system-{last.pk}", "scores", "outputs")]
        self.assertEqual(places, sorted(places))
        self.assertEqual(page.count(f'id="system-{last.pk}"'), 1)
        self.assertIn("Other outputs", page)
        self.assertRegex(page, rf'rel="next" href="[^"]*output={last.pk}#system-{last.pk}"')
        plain = self.as_user(self.researcher).get(address.replace(f"output={last.pk}", "output=x"))
        self.assertNotContains(plain, "Other outputs")

    def test_every_chart(self):
        selection = Selection.of(self.campaign)
        made = [lazy.make() for lazy, _ in sections.charts_of(selection)]
        found = [chart for chart in made if chart]
        self.assertGreater(len(found), 5)
        self.assertEqual([c.name for c in found if not says_where_it_leads(c)], [])


@pytest.mark.proof
def test_every_chart_of_the_demo_says_where_it_leads(db):
    load_demo()
    found = [
        (campaign.protocol, chart)
        for campaign in Campaign.objects.all()
        for lazy, _ in sections.charts_of(Selection.of(campaign))
        if (chart := lazy.make())
    ]
    assert len(found) > 30
    assert [(of, chart.name) for of, chart in found if not says_where_it_leads(chart)] == []
