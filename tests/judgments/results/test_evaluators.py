"""Histograms of the values that annotators gave, against NumPy on the stored rows."""

import csv
import io
import json
import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
from django.core.cache import cache
from django.test import TestCase
from django.urls import reverse

from judgments.models import Judgment, Kind, Preference, Rating
from judgments.quality.evaluators.figures import evaluators
from judgments.quality.rules import figures as rules
from judgments.results.selection.selection import Selection
from judgments.web import sections
from tests import factory
from tests.base import CastTestCase


def stored(campaign, user, dimension):
    """The values of an annotator as the database has them."""
    rows = Rating.objects.filter(
        judgment__campaign=campaign,
        judgment__annotator=user,
        judgment__superseded_by=None,
        judgment__item__kind__in=(Kind.REGULAR, Kind.REPEAT),
        dimension=dimension,
        is_copy=False,
    )
    return np.array(rows.order_by("pk").values_list("value", flat=True), float)


class EvaluatorsTest(CastTestCase):
    """Adequacy from 1 to 5."""

    def setUp(self):
        cache.clear()
        task_1, task_2 = self.campaign.tasks.order_by("seat")
        items = list(task_1.items.order_by("position"))
        for item, adequacy in zip(items, ([5, 5, 4], [4, 5, 3], [5, 1, 5]), strict=False):
            factory.judge(item, {"adequacy": adequacy, "fluency": [3, 3, 3]})
        first, second = task_2.items.order_by("position")[:2]
        old = factory.judge(first, {"adequacy": [1, 1, 1], "fluency": [1, 1, 1]})
        factory.judge(first, {"adequacy": [2, 3, 2], "fluency": [1, 2, 4]}, supersedes=old)
        second.kind = Kind.DEGRADED
        second.save()
        factory.judge(second, {"adequacy": [1, 1, 1], "fluency": [1, 1, 1]})

    def test_counts_are_those_of_the_stored_rows(self):
        report = evaluators(Selection.of(self.campaign), "adequacy")
        self.assertEqual(report.ticks, (1, 2, 3, 4, 5))
        self.assertEqual(report.edges.tolist(), [0.5, 1.5, 2.5, 3.5, 4.5, 5.5])
        users = {self.annotator_1.pk: self.annotator_1, self.annotator_2.pk: self.annotator_2}
        self.assertEqual([each.user for each in report.annotators], [*users][::-1])  # by mean
        for each in report.annotators:
            values = stored(self.campaign, users[each.user], "adequacy")
            known, n = np.unique(values, return_counts=True)
            expected = [int(n[known == value].sum()) for value in range(1, 6)]
            self.assertEqual(list(each.counts), expected)
            self.assertEqual(each.n, len(values))
            self.assertAlmostEqual(each.mean, values.mean())
            self.assertAlmostEqual(each.sd, values.std(ddof=1))

    def test_standardized_by_ones_own_mean_and_deviation(self):
        report = evaluators(Selection.of(self.campaign), "adequacy", "z")
        for each, user in zip(report.annotators, (self.annotator_2, self.annotator_1), strict=True):
            values = stored(self.campaign, user, "adequacy")
            z = (values - values.mean()) / values.std(ddof=1)
            self.assertEqual(list(each.counts), np.histogram(z, bins=report.edges)[0].tolist())
            for count, low, high in zip(each.counts, each.lowest, each.highest, strict=True):
                if count:
                    inside = (values >= low) & (values <= high)
                    self.assertEqual(inside.sum(), count)
        flat = evaluators(Selection.of(self.campaign), "fluency", "z").annotators
        (without,) = (each for each in flat if each.reason)
        self.assertEqual((without.user, sum(without.counts)), (self.annotator_1.pk, 0))

    def test_the_page(self):
        page = self.get_as(self.researcher, "evaluators", self.campaign.pk)
        low, high = self.annotator_2.username, self.annotator_1.username
        self.assertContains(
            page, f"Of 2 annotators, {low} gave the lowest values, 2.33 on average, and {high}"
        )
        spec = json.loads(
            re.search(r'id="chart-evaluators-adequacy"[^>]*>(.+?)</script>', page.content.decode())[
                1
            ]
        )
        bars = spec["layer"][1]["data"]["values"]
        self.assertEqual(sum(bar["n"] for bar in bars), 12)
        (bar,) = (bar for bar in bars if bar["name"] == low and bar["range"] == "3")
        asked = parse_qs(urlsplit(bar["href"]).query)
        self.assertEqual(
            asked, {"dimension": ["adequacy"], "by": [low], "low": ["3.0"], "high": ["3.0"]}
        )
        z = self.client.get(
            reverse("evaluators", args=[self.campaign.pk]),
            {"values": "z", "dimension": "fluency", "annotator": low},
        )
        self.assertContains(z, "z-scores: fluency")
        self.assertContains(z, "One annotator")
        odd = self.client.get(
            reverse("evaluators", args=[self.campaign.pk]),
            {"values": "x", "dimension": "y", "page": "z"},
        )
        self.assertContains(odd, "Values given: adequacy")
        for name in ("agreement", "quality", "campaign-people"):
            known = self.get_as(self.owner, name, self.campaign.pk)
            self.assertContains(known, reverse("evaluators", args=[self.campaign.pk]))

    def test_files_hold_what_the_page_shows(self):
        self.as_user(self.researcher)
        selection = Selection.of(self.campaign)
        quality = rules.quality(selection, "adequacy")
        url = reverse("export-table", args=[self.campaign.pk, "evaluators-adequacy"])
        text = self.client.get(url).content.decode("utf-8-sig")
        rows = {row["annotator"]: row for row in csv.DictReader(io.StringIO(text))}
        self.assertEqual(len(rows), 2)
        for each in quality.annotators:
            row = rows[each.alias]
            self.assertEqual(float(row["agreement"]), each.deviation.correlation)
            self.assertEqual(float(row["median_seconds"]), each.median_seconds)
        for slug in ("evaluators-adequacy", "evaluators-fluency-z"):
            url = reverse("chart", args=[self.campaign.pk, slug, "vl.json"])
            self.assertNotIn("href", self.client.get(url).content.decode())
        response = self.client.get(reverse("export-json", args=[self.campaign.pk]))
        found = json.loads(response.getvalue())
        reports = found["evaluators"]["reports"]
        self.assertEqual(
            [(r["dimension"], r["values"]) for r in reports],
            [(d, v) for d in ("adequacy", "fluency") for v in ("raw", "z")],
        )

    def test_who_may(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 403, self.researcher: 200}
        self.assert_refused("evaluators", self.campaign.pk, users=users)


class OtherValuesTest(CastTestCase):
    """Comparisons, long scales, and what has no values."""

    def campaign_of(self, preset, **fields):
        campaign = factory.make_campaign(
            self.test_set, preset=preset, owner=self.owner, annotators=[self.annotator_1], **fields
        )
        return campaign, factory.make_task(campaign, self.annotator_1)

    def test_comparisons_count_answers_as_they_stood(self):
        campaign, task = self.campaign_of("pairwise")
        for item, value in zip(task.items.order_by("position"), (1, 1, 0, -1), strict=True):
            factory.judge(item, value)
        (each,) = evaluators(Selection.of(campaign)).annotators
        values = np.array(Preference.objects.values_list("value", flat=True))
        self.assertEqual(list(each.counts), [int((values == v).sum()) for v in (-1, 0, 1)])
        page = self.get_as(self.owner, "evaluators", campaign.pk)
        self.assertContains(page, "Comparisons have no ratings")
        with self.assertRaisesRegex(ValueError, "values is raw here"):
            evaluators(Selection.of(campaign), values="z")

    def test_ranks(self):
        campaign, task = self.campaign_of("relative-ranking")
        item = task.items.order_by("position").first()
        factory.judge(item, {"rank": [1, 2, 2]})
        (each,) = evaluators(Selection.of(campaign)).annotators
        self.assertEqual(each.counts, (1, 2))
        self.assertContains(
            self.get_as(self.owner, "evaluators", campaign.pk), "Rankings have no ratings"
        )

    def test_a_scale_without_an_end_has_its_tail_in_the_last_bin(self):
        campaign, task = self.campaign_of("mqm")
        drawn = -np.random.default_rng(7).exponential(4, 12).round(1)
        drawn[0] = -400
        for item, values in zip(task.items.order_by("position"), drawn.reshape(4, 3), strict=True):
            factory.judge(item, {"mqm": values.tolist()})
        report = evaluators(Selection.of(campaign), "mqm")
        (each,) = report.annotators
        self.assertTrue(report.beyond)
        clipped = np.clip(drawn, report.edges[0], report.edges[-1])
        self.assertEqual(list(each.counts), np.histogram(clipped, report.edges)[0].tolist())
        self.assertEqual(each.lowest[0], -400)
        self.assertContains(
            self.get_as(self.owner, "evaluators", campaign.pk),
            "The outermost bars also include values",
        )

    def test_a_long_scale_has_twenty_bins(self):
        campaign, task = self.campaign_of("direct-assessment")
        drawn = np.random.default_rng(7).integers(0, 101, 12)
        shown = task.items.first().shown.count()
        for item, values in zip(
            task.items.order_by("position"), drawn.reshape(-1, 3), strict=False
        ):
            factory.judge(item, {"da": values[:shown].tolist()})
        report = evaluators(Selection.of(campaign))
        self.assertEqual(report.edges.tolist(), list(range(0, 101, 5)))
        values = stored(campaign, self.annotator_1, "da")
        expected = np.histogram(values, bins=np.linspace(0, 100, 21))[0].tolist()
        self.assertEqual(list(report.annotators[0].counts), expected)

    def test_no_page_where_nobody_gives_values(self):
        for preset, options in (
            ("comprehension", {}),
            ("word-alignment", {}),
            ("custom-rating", {"are_means": True}),
        ):
            dimensions = {"dimensions": [{"slug": "trust", "low": 1, "high": 3}]}
            fields = {"options": dimensions | options} if options else {}
            campaign, _task = self.campaign_of(preset, **fields)
            self.assertEqual(self.get_as(self.owner, "evaluators", campaign.pk).status_code, 404)
            people = self.get_as(self.owner, "campaign-people", campaign.pk)
            self.assertNotContains(people, "Evaluators")
            self.assertNotIn(
                "evaluators", {page.slug for page, *_ in sections.pages_of(Selection.of(campaign))}
            )

    def test_nothing_judged_yet(self):
        self.assertEqual(Judgment.objects.count(), 0)
        for preset in ("pairwise", "relative-ranking", "mqm", "direct-assessment"):
            campaign, _task = self.campaign_of(preset)
            page = self.get_as(self.owner, "evaluators", campaign.pk)
            self.assertContains(page, "No judgments yet")


class ManyAnnotatorsTest(TestCase):
    def test_twenty_on_a_page_by_rising_mean(self):
        owner = factory.make_user("owner")
        test_set = factory.make_test_set(owner, n_segments=1, n_documents=1)
        people = [factory.make_user(f"person-{i:02}") for i in range(23)]
        campaign = factory.make_campaign(test_set, owner=owner, annotators=people)
        for i, user in enumerate(people):
            item = factory.make_task(campaign, user, seat=i + 1).items.get()
            value = 1 + (7 * i) % 5
            factory.judge(item, {"adequacy": [value] * 3, "fluency": [3] * 3})
        self.client.force_login(owner)
        names = []
        for number in (1, 2):
            page = self.client.get(reverse("evaluators", args=[campaign.pk]), {"page": number})
            table = page.context["section"].tables[0].make()
            names += [(row[1], row[0]) for row in table.rows]
            self.assertEqual(len(table.rows), 20 if number == 1 else 3)
        self.assertEqual(names, sorted(names))
        self.assertEqual(len(names), 23)
