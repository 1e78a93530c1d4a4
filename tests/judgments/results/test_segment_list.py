"""The list of judged segments: on rows that are known, and against a slow count."""

import itertools
import math
import statistics
from collections import defaultdict

import numpy as np
import pytest
from django.http import QueryDict
from django.urls import reverse

from judgments.models import ErrorSpan, Rating, Segment
from judgments.quality.decisions.decisions import decide
from judgments.results.observations.outside_scores import OutsideScores
from judgments.results.scores.figures import segment_scores
from judgments.results.segments.figures import (
    SegmentsAsked,
    clashes_with,
    judged_segments,
    listed,
    marked_errors,
    means,
    with_parents,
)
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase


class SegmentListCase(CastTestCase):
    def items(self, campaign):
        return [list(task.items.order_by("position")) for task in campaign.tasks.order_by("seat")]

    def keys(self, asked=None, columns=(), flagged=(), query="", campaign=None):
        selection = Selection.asked(campaign or self.campaign, QueryDict(query))
        found = listed(selection, asked or SegmentsAsked(), list(columns), frozenset(flagged))
        keys = dict(Segment.objects.values_list("pk", "key"))
        return [keys[pk] for pk in found.segment_ids]


class RatedSegmentTests(SegmentListCase):
    """Adequacy of systems A, B and C; the second annotator judged the first two segments."""

    def setUp(self):
        mine, theirs = self.items(self.campaign)
        for item, row in zip(mine, ([1, 2, 3], [5, 5, 5], [2, 2, 2]), strict=False):
            factory.judge(item, {"adequacy": row, "fluency": [3, 3, 3]})
        for item, row in zip(theirs, ([1, 4, 3], [5, 4, 5]), strict=False):
            factory.judge(item, {"adequacy": row, "fluency": [1, 3, 3]})

    def test_only_judged_segments_in_the_order_of_the_test_set(self):
        found = judged_segments(Selection.of(self.campaign))
        self.assertEqual(found.places.tolist(), [0, 1, 2])
        self.assertEqual(found.n_judgments.tolist(), [2, 2, 1])
        self.assertEqual(found.n_annotators.tolist(), [2, 2, 1])
        self.assertEqual(self.keys(), ["1", "2", "3"])

    def test_scores_are_those_of_all_other_pages(self):
        selection = Selection.of(self.campaign)
        found, scores = judged_segments(selection), segment_scores(selection)
        np.testing.assert_array_equal(found.values, scores.values)
        self.assertEqual(found.values[:, 0].tolist(), [1, 3, 3])

    def test_disagreement_is_a_slow_count(self):
        given = defaultdict(list)
        for rating in Rating.objects.filter(dimension="adequacy"):
            given[rating.output.segment.key, rating.output_id].append(rating.value)
        slow = defaultdict(list)
        for (key, _), values in given.items():
            if len(values) > 1:
                slow[key].append(statistics.stdev(values))
        found = judged_segments(Selection.of(self.campaign)).disagreement
        np.testing.assert_allclose(found[:2], [statistics.mean(slow[key]) for key in "12"])
        self.assertTrue(math.isnan(found[2]))
        # Of fluency only one output differs, by two points.
        fluency = judged_segments(Selection.of(self.campaign), "fluency").disagreement
        np.testing.assert_allclose(fluency[0], 2**0.5 / 3)

    def test_orders(self):
        for sort, keys in (
            ("lowest", ["3", "1", "2"]),
            ("highest", ["2", "1", "3"]),
            ("disagreement", ["1", "2", "3"]),
            ("nothing", ["1", "2", "3"]),
        ):
            self.assertEqual(self.keys(SegmentsAsked(sort=sort)), keys, sort)

    def test_values_of_one_annotator(self):
        asked = SegmentsAsked(by="annotator-1", low=1, high=2)
        self.assertEqual(self.keys(asked), ["1", "3"])
        asked = SegmentsAsked(by="annotator-2", low=4, high=4)
        self.assertEqual(self.keys(asked), ["1", "2"])
        asked = SegmentsAsked(by="annotator-2", dimension="fluency", high=1)
        self.assertEqual(self.keys(asked), ["1", "2"])
        self.assertEqual(self.keys(SegmentsAsked(by="annotator-2")), ["1", "2"])
        self.assertEqual(self.keys(SegmentsAsked(by="nobody")), [])

    def test_scores_in_a_range_are_of_any_output(self):
        self.assertEqual(self.keys(SegmentsAsked(low=4)), ["2"])
        self.assertEqual(self.keys(SegmentsAsked(low=3, high=3)), ["1"])
        self.assertEqual(self.keys(SegmentsAsked(high=1)), ["1"])
        self.assertEqual(self.keys(SegmentsAsked(high=1), query="system=System-B"), [])

    def test_the_selection_filters(self):
        self.assertEqual(self.keys(query="document=doc1"), ["3"])
        self.assertEqual(self.keys(query="annotator=annotator-2"), ["1", "2"])
        by = self.owner
        decide(self.campaign, self.annotator_1, excluded=True, reason="r", by=by)
        self.assertEqual(self.keys(), ["1", "2"])
        self.assertEqual(self.keys(query="annotators=all"), ["1", "2", "3"])

    def test_flagged(self):
        third = self.test_set.segments.get(key="3").pk
        self.assertEqual(self.keys(SegmentsAsked(flagged=True), flagged={third}), ["3"])
        self.assertEqual(self.keys(SegmentsAsked(flagged=True)), [])

    def test_no_more_are_said_to_be_flagged_than_are_listed(self):
        for key in ("3", "4"):  # of which the last is judged by nobody
            self.campaign.segment_marks.create(
                segment=self.test_set.segments.get(key=key), is_flagged=True, marked_by=self.owner
            )
        self.client.force_login(self.owner)
        page = self.client.get(reverse("segments", args=[self.campaign.pk]))
        self.assertContains(page, "1 flagged")
        page = self.client.get(reverse("segments", args=[self.campaign.pk]), {"show": "flagged"})
        self.assertEqual(page.context["page"].paginator.count, 1)

    def column(self, values, **fields):
        ids = list(self.test_set.systems.order_by("name").values_list("pk", flat=True))
        known = {"slug": "m", "signature": "m", "title": "M", "places": 2} | fields
        known = {"higher_is_better": True} | known
        return OutsideScores(system_ids=np.array(ids), values=np.array(values, float), **known)

    def test_by_a_metric(self):
        values = [[9, 2, 3, 1], [9, 2, 3, 1], [9, 2, 3, np.nan]]
        self.assertEqual(
            self.keys(SegmentsAsked(sort="metric-m"), [self.column(values)]), ["2", "3", "1"]
        )
        lower = self.column(values, higher_is_better=False)
        self.assertEqual(self.keys(SegmentsAsked(sort="metric-m"), [lower]), ["1", "3", "2"])

    def test_by_the_distance_of_a_metric_from_people(self):
        """Standard scores by the statistics module; the output that is farthest apart is named."""
        column = self.column([[1, 5, 2, 0], [3, 5, 9, 0], [3, 5, 2, 0]])
        selection = Selection.of(self.campaign)
        judged = judged_segments(selection)
        human = [judged.values[s, g] for s in range(3) for g in range(3)]
        metric = [column.values[s, g] for s in range(3) for g in range(3)]

        def standard(values):
            mean, sd = statistics.mean(values), statistics.stdev(values)
            return [(value - mean) / sd for value in values]

        slow = [m - h for m, h in zip(standard(metric), standard(human), strict=True)]
        found = clashes_with(judged, column)
        np.testing.assert_allclose(found.ravel(), slow)
        listing = listed(selection, SegmentsAsked(sort="clash-m"), [column])
        self.assertEqual(judged.segment_ids[listing.at[0]], self.test_set.segments.get(key="3").pk)
        self.assertEqual(listing.worst[0], self.test_set.systems.get(name="System-B").pk)
        assert listing.keys is not None
        self.assertAlmostEqual(listing.keys[0], max(map(abs, slow)))


class ComparedSegmentTests(SegmentListCase):
    def test_disagreement_is_the_share_of_pairs_that_differ(self):
        mine, theirs = self.items(self.pairwise)
        for place, (a, b) in enumerate([(1, -1), (1, 1), (0, 1)]):
            factory.judge(mine[place], a)
            factory.judge(theirs[place], b)
        factory.judge(mine[3], 1)
        found = judged_segments(Selection.of(self.pairwise))
        np.testing.assert_array_equal(found.disagreement, [1, 0, 1, np.nan])
        self.assertEqual(
            self.keys(SegmentsAsked(sort="disagreement"), campaign=self.pairwise),
            ["1", "3", "2", "4"],
        )

    def test_a_ranking_has_a_comparison_for_each_two(self):
        """Of three ranks each, 1 2 3 against 2 1 3: one of three pairs is turned round."""
        people = [self.annotator_1, self.annotator_2]
        campaign = factory.make_campaign(
            self.test_set, preset="relative-ranking", owner=self.owner, annotators=people
        )
        for seat, (who, row) in enumerate(zip(people, ([1, 2, 3], [2, 1, 3]), strict=True), 1):
            task = factory.make_task(campaign, who, seat=seat)
            factory.judge(task.items.first(), {"rank": row})
        found = judged_segments(Selection.of(campaign))
        np.testing.assert_allclose(found.disagreement, [1 / 3])
        pairs = list(itertools.combinations(range(3), 2))
        self.assertEqual(len(pairs), 3)


class MarkedSegmentTests(SegmentListCase):
    def setUp(self):
        people = [self.annotator_1, self.annotator_2]
        self.mqm = factory.make_campaign(
            self.test_set, preset="mqm", owner=self.owner, annotators=people
        )
        for seat, who in enumerate(people, 1):
            factory.make_task(self.mqm, who, seat=seat)
        mine, theirs = self.items(self.mqm)
        self.mark(mine[0], "major", "accuracy/omission", -5)
        self.mark(mine[1], "minor", "fluency/grammar", -1)
        self.mark(theirs[1], "major", "fluency/grammar", -5)
        self.mark(theirs[2], "", "", 0)

    def mark(self, item, severity, category, score):
        judgment = factory.judge(item, {"mqm": [score, 0, 0]})
        if severity:
            output = item.shown.order_by("position")[0].output
            ErrorSpan.objects.create(
                judgment=judgment, output=output, start=0, end=6, severity=severity,
                category=category,
            )  # fmt: skip

    def test_by_severity_category_and_annotator(self):
        for asked, keys in (
            (SegmentsAsked(severity="major"), ["1", "2"]),
            (SegmentsAsked(severity="minor"), ["2"]),
            (SegmentsAsked(category="Fluency/Grammar"), ["2"]),
            (SegmentsAsked(category="accuracy"), ["1"]),
            (SegmentsAsked(severity="major", by="annotator-1"), ["1"]),
            (SegmentsAsked(severity="major", category="fluency", by="annotator-1"), []),
            (SegmentsAsked(), ["1", "2", "3"]),
        ):
            self.assertEqual(self.keys(asked, campaign=self.mqm), keys, asked)

    def test_of_the_systems_that_are_selected(self):
        asked = SegmentsAsked(severity="major")
        self.assertEqual(self.keys(asked, query="system=System-B", campaign=self.mqm), [])

    def test_what_has_no_errors_has_none(self):
        self.assertIsNone(marked_errors(Selection.of(self.campaign)))
        self.assertEqual(self.keys(SegmentsAsked(severity="major")), [])


@pytest.mark.django_db
def test_nothing_is_judged():
    owner = factory.make_user("owner", is_staff=True)
    campaign = factory.make_campaign(factory.make_test_set(owner), owner=owner)
    found = judged_segments(Selection.of(campaign))
    assert found.values.shape == (0, 0)
    assert listed(Selection.of(campaign), SegmentsAsked(sort="lowest"), []).segment_ids == []


def test_branches_of_categories():
    found = with_parents(("accuracy/omission", "accuracy/addition", "other", ""))
    assert found == ["accuracy", "accuracy/addition", "accuracy/omission", "other"]


def test_means_of_what_is_known():
    values = np.array([[1.0, np.nan, np.nan], [3.0, 2.0, np.nan]])
    np.testing.assert_array_equal(means(values), [2, 2, np.nan])
