"""Power from stored judgments: expected values by SciPy and by hand from the numbers in each
test."""

import itertools
import math
from collections import defaultdict

import numpy as np
import pytest
from django.core.cache import cache
from scipy import stats

from judgments.results.observations import observations
from judgments.results.power import figures as power
from judgments.results.power import page as power_page
from judgments.results.power.figures import PairPower, power_of
from judgments.results.scores import figures as scores
from judgments.results.scores.pair_test import change_pair_test
from judgments.results.selection.selection import Selection
from judgments.stats.power import required_judgments
from tests import factory
from tests.base import CastTestCase


class PowerTest(CastTestCase):
    def setUp(self):
        cache.clear()

    def rate_all(self, columns):
        """Each annotator's items in turn: adequacy of the three systems."""
        items = [i for t in self.campaign.tasks.order_by("seat") for i in t.items.all()]
        for item, values in zip(items, columns, strict=False):
            factory.judge(item, {"adequacy": list(values), "fluency": [3, 3, 3]})

    def test_pairs_of_ratings(self):
        values = [(5, 4, 1), (4, 4, 2), (5, 3, 1), (4, 5, 1), (3, 2, 2), (5, 4, 1)]
        self.rate_all(values)
        report = power.power(Selection.of(self.campaign), "adequacy")
        assert report.n_systems == 3
        assert report.clusters == "segments"
        pairs = {(p.first, p.second): p for p in report.pairs}
        table = scores.segment_scores(Selection.of(self.campaign), "adequacy").values
        d = table[0] - table[1]
        pair = pairs["System-A", "System-B"]
        oracle = stats.ttest_1samp(d, 0).confidence_interval()
        assert pair.difference.estimate == pytest.approx(d.mean())
        assert (pair.difference.low, pair.difference.high) == pytest.approx(tuple(oracle))
        decided = scores.system_scores(Selection.of(self.campaign), "adequacy")
        assert (pair.p_value, pair.adjusted) == (decided.p_values[0, 1], decided.adjusted[0, 1])
        n_open = len(report.open)
        assert report.alpha_open == pytest.approx(0.05 / n_open)
        if not pair.separated:
            sd = d.std(ddof=1)
            assert pair.needed == required_judgments(d.mean(), sd, alpha=0.05 / n_open).n

    def test_the_level_of_the_next_pair_is_that_of_the_adjustment(self):
        """Holm (1979): of n p-values in order, the k-th is compared with α / (n − k + 1);
        Benjamini and Hochberg (1995): with k α / n."""
        assert power.alpha_of_next(4, 10, "holm") == pytest.approx(0.05 / 4)
        assert power.alpha_of_next(4, 10, "bh") == pytest.approx(0.05 * 7 / 10)
        self.rate_all([(5, 4, 1), (4, 4, 2), (5, 3, 1), (4, 5, 1), (3, 2, 2), (5, 4, 1)])
        change_pair_test(self.campaign, {"promise": "bh"})
        self.campaign.refresh_from_db()
        report = power.power(Selection.of(self.campaign), "adequacy")
        n, n_open = len(report.pairs), len(report.open)
        assert n_open and report.alpha_open == pytest.approx(0.05 * (n - n_open + 1) / n)
        assert f".05·{n - n_open + 1}/{n}, the level of Benjamini" in power_page.note(report)

    def test_the_better_one_comes_first(self):
        self.rate_all([(1, 2, 5), (2, 2, 4), (1, 3, 5)])
        report = power.power(Selection.of(self.campaign))
        assert all(p.difference.estimate >= 0 for p in report.pairs)
        assert {(p.first, p.second) for p in report.pairs} == {
            ("System-C", "System-A"),
            ("System-C", "System-B"),
            ("System-B", "System-A"),
        }

    def test_comparisons(self):
        """A preference of +1 is a win of the first on the screen, System-A."""
        items = [i for t in self.pairwise.tasks.order_by("seat") for i in t.items.all()]
        preferences = [-1, -1, 0, -1, 1, -1][: len(items)]
        for item, value in zip(items, preferences, strict=False):
            factory.judge(item, value)
        (pair,) = power.power(Selection.of(self.pairwise)).pairs
        assert (pair.first, pair.second) == ("System-B", "System-A")
        assert pair.difference.estimate == pytest.approx(-np.mean(preferences))
        assert pair.n == len(preferences)
        # What two people say of one segment goes together; of equal sizes ranks are equal, too.
        sums = defaultdict(int)
        for item, value in zip(items, preferences, strict=False):
            sums[item.segment_id] += value
        kept = [value for value in sums.values() if value]
        flips = itertools.product((1, -1), repeat=len(kept))
        far = [abs(np.dot(each, kept)) >= abs(sum(kept)) for each in flips]
        assert pair.p_value == pytest.approx(min(1, np.mean(far)))

    def test_without_judgments(self):
        for campaign in (self.campaign, self.pairwise):
            report = power.power(Selection.of(campaign))
            assert report.pairs == ()
            assert report.reason
            assert "Power cannot be computed yet" in power_page.lead(report)
            assert math.isnan(report.typical_sd)

    def test_equal_systems_have_no_answer(self):
        self.rate_all([(3, 3, 3)] * 3)
        report = power.power(Selection.of(self.campaign))
        assert not any(p.separated for p in report.pairs)
        assert all(math.isnan(p.needed) and p.reason for p in report.pairs)
        assert "Nothing more can be said" in power_page.lead(report)
        assert power_page.open_chart(self.campaign, report) is None

    def test_the_same_judgments_give_the_same_figures(self):
        self.rate_all([(5, 4, 1), (4, 5, 2), (5, 3, 1), (4, 5, 1), (3, 2, 2), (5, 4, 1)])
        observed = observations.load(Selection.of(self.campaign))
        once, again = power_of(observed), power_of(observed)
        for one, other in zip(once.pairs, again.pairs, strict=True):
            assert isinstance(one, PairPower)
            assert repr(one) == repr(other)
