"""Clashes: against a slow search over all pairs, and on rows that are known."""

import itertools

import numpy as np
import pytest

from judgments.models import AlteredOutput
from judgments.quality.clashes import page as pages
from judgments.quality.clashes.figures import clashes, far_pairs
from judgments.quality.decisions.decisions import decide
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase


@pytest.mark.parametrize("seed", range(4))
def test_far_pairs_are_those_of_a_slow_search(seed):
    rng = np.random.default_rng(seed)
    group, who = rng.integers(0, 30, 300), rng.integers(0, 6, 300)
    value = rng.normal(size=300).round(1)
    value[rng.integers(0, 300, 10)] = np.nan
    found = far_pairs(group, who, value, least=1.2, most=10_000)
    slow = {
        frozenset((i, j))
        for i, j in itertools.combinations(range(300), 2)
        if group[i] == group[j] and who[i] != who[j] and abs(value[i] - value[j]) >= 1.2
    }
    assert slow
    assert {frozenset(p) for p in zip(found.low, found.high, strict=True)} == slow
    assert found.n_found == len(slow) == len(found.gap)
    assert (np.diff(found.gap) <= 0).all()
    few = far_pairs(group, who, value, least=1.2, most=5)
    np.testing.assert_allclose(few.gap, found.gap[:5])
    assert few.n_found == len(slow)


class ClashTests(CastTestCase):
    def items(self, campaign):
        return [list(task.items.order_by("position")) for task in campaign.tasks.order_by("seat")]

    def test_ratings_by_size_in_standard_deviations(self):
        mine, theirs = self.items(self.campaign)
        factory.judge(mine[0], {"adequacy": [1, 3, 3], "fluency": [3, 3, 3]})
        factory.judge(theirs[0], {"adequacy": [5, 3, 3], "fluency": [3, 3, 3]})
        factory.judge(mine[1], {"adequacy": [2, 3, 3], "fluency": [3, 3, 3]})
        factory.judge(theirs[1], {"adequacy": [4, 3, 3], "fluency": [3, 3, 3]})
        report = clashes(Selection.of(self.campaign))
        first, second = report.clashes
        # Eight threes, 1, 5, 2 and 4: squares of deviations 8 + 2 over 11.
        sd = (10 / 11) ** 0.5
        self.assertAlmostEqual(first.size, 4 / sd)
        self.assertAlmostEqual(second.size, 2 / sd)
        self.assertEqual(first.values, (1, 5))
        self.assertEqual(first.share, 1)  # of a scale from 1 to 5
        self.assertEqual(second.share, 0.5)
        self.assertEqual(first.annotators, ("annotator-1", "annotator-2"))
        self.assertEqual(first.dimension, "adequacy")
        self.assertEqual(first.system, "System-A")
        detail = pages.detail(self.campaign, first.key)
        self.assertEqual([side.alias for side in detail.sides], ["annotator-1", "annotator-2"])
        self.assertIn(("System-A, Adequacy", "5", True), detail.sides[1].rows)

    def test_nobody_clashes_with_themselves_or_where_all_agree(self):
        mine, theirs = self.items(self.campaign)
        for items in (mine, theirs):
            factory.judge(items[0], {"adequacy": [3, 3, 3], "fluency": [3, 3, 3]})
        report = clashes(Selection.of(self.campaign))
        self.assertEqual((report.clashes, report.n_found), ((), 0))

    def test_a_clash_on_two_dimensions_is_one(self):
        mine, theirs = self.items(self.campaign)
        factory.judge(mine[0], {"adequacy": [1, 1, 3], "fluency": [1, 3, 3]})
        factory.judge(theirs[0], {"adequacy": [5, 5, 3], "fluency": [5, 3, 3]})
        report = clashes(Selection.of(self.campaign))
        self.assertEqual((len(report.clashes), report.n_found), (2, 2))
        self.assertNotIn("listed", pages.lead(report))

    def test_who_is_left_out_clashes_with_nobody(self):
        mine, theirs = self.items(self.campaign)
        factory.judge(mine[0], {"adequacy": [1, 1, 1], "fluency": [1, 1, 1]})
        factory.judge(theirs[0], {"adequacy": [5, 5, 5], "fluency": [5, 5, 5]})
        self.assertEqual(len(clashes(Selection.of(self.campaign)).clashes), 3)
        decide(self.campaign, self.annotator_2, excluded=True, reason="Hurried.", by=self.owner)
        self.assertEqual(clashes(Selection.of(self.campaign)).clashes, ())

    def test_a_revision_keeps_the_address(self):
        mine, theirs = self.items(self.campaign)
        old = factory.judge(mine[0], {"adequacy": [1, 3, 3], "fluency": [3, 3, 3]})
        factory.judge(theirs[0], {"adequacy": [5, 3, 3], "fluency": [3, 3, 3]})
        (before,) = clashes(Selection.of(self.campaign)).clashes
        factory.judge(mine[0], {"adequacy": [2, 3, 3], "fluency": [3, 3, 3]}, supersedes=old)
        (after,) = clashes(Selection.of(self.campaign)).clashes
        self.assertEqual(before.key, after.key)
        self.assertEqual(after.values, (2, 5))

    def test_opposite_preferences(self):
        mine, theirs = self.items(self.pairwise)
        for place, (a, b) in enumerate([(1, -1), (1, 1), (0, 1), (-1, 1)]):
            factory.judge(mine[place], a)
            factory.judge(theirs[place], b)
        report = clashes(Selection.of(self.pairwise))
        self.assertEqual(report.measure, "opposed")
        self.assertEqual(
            [clash.items for clash in report.clashes],
            [(mine[0].pk, theirs[0].pk), (mine[3].pk, theirs[3].pk)],
        )

    def test_an_altered_text_is_shown_as_it_was_and_clashes_with_nothing(self):
        mine, theirs = self.items(self.campaign)
        row = mine[0].shown.get(output__system__name="System-A")
        row.altered = AlteredOutput.objects.create(
            campaign=self.campaign, output=row.output, text="planted", rule="wmt16"
        )
        row.save()
        mine[0].kind, mine[0].control_output, mine[0].control_kind = (
            "repeat",
            row.output,
            "degraded",
        )
        mine[0].save()
        factory.judge(mine[0], {"adequacy": [1, 1, 3], "fluency": [3, 3, 3]})
        factory.judge(theirs[0], {"adequacy": [5, 5, 3], "fluency": [3, 3, 3]})
        (clash,) = clashes(Selection.of(self.campaign)).clashes
        self.assertEqual(clash.system, "System-B")
        detail = pages.detail(self.campaign, clash.key)
        texts = {name: row.text for name, row, _ in detail.outputs}
        self.assertEqual(texts["System-A, text altered"], "planted")
        self.assertEqual(texts["System-A"], row.output.text)
        self.assertEqual([name for name, _, is_it in detail.outputs if is_it], ["System-B"])
        said = dict(side[:2] for side in detail.sides[0].rows)
        self.assertEqual(said["System-A, text altered, Adequacy"], "1")

    def test_no_key_of_another_campaign_or_of_nothing(self):
        mine, theirs = self.items(self.campaign)
        key = f"{mine[0].pk}-{theirs[0].pk}"
        self.assertIsNotNone(pages.detail(self.campaign, key))
        for campaign, wrong in (
            (self.pairwise, key),
            (self.campaign, "1"),
            (self.campaign, f"{mine[0].pk}-{mine[0].pk}"),
            (self.campaign, "9" * 18 + "-1"),
            (self.campaign, f"{key}-999999-1"),
        ):
            self.assertIsNone(pages.detail(campaign, wrong), wrong)
