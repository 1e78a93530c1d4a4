"""Scores from stored judgments; expected values by hand from the numbers in each test."""

import numpy as np
from django.core.cache import cache
from django.test import TestCase
from scipy import stats

from judgments.models import Kind
from judgments.results.observations import observations
from judgments.results.observations import pairs as observations_pairs
from judgments.results.scores import comparisons
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase


def first_items(task, n=2):
    return list(task.items.order_by("position")[:n])


class RatingScoresTest(CastTestCase):
    def setUp(self):
        cache.clear()
        self.task_1, self.task_2 = self.campaign.tasks.order_by("seat")

    def rate(self, item, adequacy, fluency=(3, 3, 3), **extra):
        return factory.judge(item, {"adequacy": adequacy, "fluency": fluency}, **extra)

    def test_repeated_ratings_are_averaged_before_segments(self):
        one, two = first_items(self.task_1)
        self.rate(one, [5, 3, 1])
        self.rate(two, [4, 4, 2])
        self.rate(first_items(self.task_2)[0], [3, 3, 2])
        scores = scores_figures.system_scores(Selection.of(self.campaign), "adequacy")
        assert scores.names.tolist() == ["System-A", "System-B", "System-C"]
        assert scores.mean.tolist() == [(4 + 4) / 2, (3 + 4) / 2, (1.5 + 2) / 2]
        assert scores.n_segments.tolist() == [2, 2, 2]
        assert scores.n_judgments.tolist() == [3, 3, 3]
        half = stats.t.ppf(0.975, 1) * np.std([3, 4], ddof=1) / np.sqrt(2)
        np.testing.assert_allclose(scores.low[1], 3.5 - half)
        segments = scores_figures.segment_scores(Selection.of(self.campaign), "adequacy")
        assert segments.segment_keys.tolist() == ["1", "2"]
        assert segments.values.tolist() == [[4, 4], [3, 4], [1.5, 2]]
        assert segments.n.tolist() == [[2, 1]] * 3

    def test_a_revision_replaces_what_it_supersedes(self):
        (item,) = first_items(self.task_1, 1)
        old = self.rate(item, [1, 1, 1])
        assert scores_figures.system_scores(Selection.of(self.campaign)).mean.tolist() == [1, 1, 1]
        middle = self.rate(item, [2, 2, 2], supersedes=old)
        self.rate(item, [5, 4, 3], supersedes=middle)
        scores = scores_figures.system_scores(Selection.of(self.campaign))
        assert scores.mean.tolist() == [5, 4, 3]
        assert scores.n_judgments.tolist() == [1, 1, 1]

    def test_degraded_items_and_references_have_no_part_in_scores(self):
        one, two = first_items(self.task_1)
        self.rate(one, [5, 4, 3])
        for kind in (Kind.DEGRADED, Kind.REFERENCE, Kind.CONTROL, Kind.TUTORIAL):
            two.kind = kind
            two.save()
            old = two.judgments.current().first()
            self.rate(two, [1, 1, 1], supersedes=old)
            assert scores_figures.system_scores(Selection.of(self.campaign)).mean.tolist() == [
                5,
                4,
                3,
            ]

    def test_z_over_regular_items_or_over_all(self):
        one, two = first_items(self.task_1)
        two.kind = Kind.DEGRADED
        two.save()
        self.rate(one, [5, 4, 3])
        self.rate(two, [1, 1, 1])
        z = scores_figures.system_scores(Selection.of(self.campaign), method="z").mean
        np.testing.assert_allclose(z, [1, 0, -1])
        all_values = [5, 4, 3, 1, 1, 1]
        mean, sd = np.mean(all_values), np.std(all_values, ddof=1)
        z = scores_figures.system_scores(Selection.of(self.campaign), method="z", over="all").mean
        np.testing.assert_allclose(z, [(5 - mean) / sd, (4 - mean) / sd, (3 - mean) / sd])

    def test_an_annotator_without_variance_has_no_z(self):
        self.rate(first_items(self.task_1)[0], [5, 4, 3])
        self.rate(first_items(self.task_2)[0], [4, 4, 4])
        scores = scores_figures.system_scores(Selection.of(self.campaign), method="z")
        np.testing.assert_allclose(scores.mean, [1, 0, -1])
        assert scores.n_judgments.tolist() == [1, 1, 1]
        ((alias, reason),) = scores.without_z
        assert alias == "annotator-2"
        assert "no standard deviation" in reason

    def test_without_judgments_there_is_a_reason(self):
        scores = scores_figures.system_scores(Selection.of(self.campaign))
        assert len(scores.names) == 0
        assert scores.reason == "there are no ratings"

    def test_unknown_names_are_refused(self):
        for options in ({"dimension": "beauty"}, {"method": "log"}, {"rule": "wmt99"}):
            with self.assertRaises((ValueError, KeyError)):
                scores_figures.system_scores(Selection.of(self.campaign), **options)

    def test_ranks_of_clearly_different_systems(self):
        test_set = factory.make_test_set(self.owner, n_segments=30, name="Larger")
        campaign = factory.make_campaign(test_set, annotators=[self.annotator_1])
        task = factory.make_task(campaign, self.annotator_1)
        for place, item in enumerate(task.items.order_by("position")):
            self.rate(item, [2, 4 + place % 2, 2 + (place % 3 == 0)])
        scores = scores_figures.system_scores(Selection.of(campaign))
        assert scores.names[scores.order].tolist() == ["System-B", "System-C", "System-A"]
        assert (scores.rule, scores.test) == ("all-pairs", "signed-rank")
        assert scores.cluster.tolist() == [3, 1, 2]
        assert scores.rank_low.tolist() == [3, 1, 2]
        assert scores.rank_high.tolist() == [3, 1, 2]

    def test_an_unchanged_campaign_is_answered_from_the_cache(self):
        self.rate(first_items(self.task_1)[0], [5, 4, 3])
        scores_figures.system_scores(Selection.of(self.campaign))
        with self.assertNumQueries(5):  # the fingerprint, what is left out, what was erased
            scores_figures.system_scores(Selection.of(self.campaign))
        self.campaign.memberships.filter(user=self.annotator_1).update(alias="somebody")
        assert observations.load(Selection.of(self.campaign)).annotators.tolist() == ["somebody"]


class ComparisonScoresTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        cls.people = [factory.make_user(f"annotator-{i}") for i in range(3)]
        cls.test_set = factory.make_test_set(cls.owner, n_segments=6)

    def setUp(self):
        cache.clear()

    def make(self, preset, **task):
        campaign = factory.make_campaign(self.test_set, preset=preset, annotators=self.people)
        return campaign, factory.make_task(campaign, self.people[0], **task)

    def test_expected_wins_of_preferences(self):
        campaign, task = self.make("pairwise")
        for item, label in zip(task.items.order_by("position"), [1, 1, 1, -1, 0, 0], strict=True):
            factory.judge(item, label)
        scores = scores_figures.system_scores(Selection.of(campaign))
        assert scores.names.tolist() == ["System-A", "System-B"]
        assert scores.mean.tolist() == [0.75, 0.25]  # ties dropped
        assert scores.low[0] < 0.75 < scores.high[0]
        assert scores.n_judgments.tolist() == [6, 6]
        segments = scores_figures.segment_scores(Selection.of(campaign))
        assert segments.values.tolist() == [[1, 1, 1, 0, 0.5, 0.5], [0, 0, 0, 1, 0.5, 0.5]]
        counted = comparisons.head_to_head(Selection.of(campaign))
        assert counted.wins.tolist() == [[0, 3], [1, 0]]
        assert counted.ties.tolist() == [[0, 2], [2, 0]]

    def test_ranks_expand_to_pairs_in_the_order_of_the_screen(self):
        campaign, task = self.make("relative-ranking")
        item = task.items.first()
        shown = list(item.shown.order_by("position"))
        for row, place in zip(shown, (12, 11, 10), strict=True):  # C, B, A on the screen
            row.position = place
            row.save()
        factory.judge(item, {"rank": [2, 1, 1]})
        pairs = observations_pairs.pairs_of(observations.load(Selection.of(campaign)))
        names = np.array(["A", "B", "C"])
        assert list(zip(names[pairs.first], names[pairs.second], pairs.label, strict=True)) == [
            ("C", "B", -1),
            ("C", "A", -1),
            ("B", "A", 0),
        ]
        scores = scores_figures.system_scores(Selection.of(campaign))
        # A and B tied: no judgment tells those two apart, so each met C alone.
        assert scores.mean.tolist() == [1, 1, 0]

    def test_systems_that_never_met_have_no_expected_wins(self):
        test_set = factory.make_test_set(self.owner, n_systems=4, n_segments=2, name="Apart")
        campaign = factory.make_campaign(test_set, preset="pairwise", annotators=self.people)
        task = factory.make_task(campaign, self.people[0])
        one, two = task.items.order_by("position")
        outputs = list(two.segment.outputs.order_by("system__name"))
        for row, output in zip(two.shown.order_by("position"), outputs[2:], strict=True):
            row.output = output
            row.save()
        factory.judge(one, 1)
        factory.judge(two, 1)
        scores = scores_figures.system_scores(Selection.of(campaign))
        assert np.isnan(scores.mean).all()
        assert "never compared" in scores.reason
