"""Differences of systems drawn for each block.

Expected values are sums over every set of systems that may be drawn, and the clustered errors of
statsmodels.
"""

import itertools
import math
import unittest

import numpy as np
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from judgments.stats.chosen_systems import (
    WeightedDifferences,
    contenders,
    segment_differences,
    weighted_differences,
)
from judgments.stats.paired_difference import paired_difference
from judgments.stats.planning.choice import (
    SystemChoice,
    all_systems,
    price_of_random,
    racing_systems,
    random_systems,
)
from judgments.stats.significance import holm

chances = st.lists(st.floats(0.05, 1), min_size=3, max_size=5)
UPPER = np.triu_indices(4, 1)


def every_draw(choice):
    """Return (probability, systems shown (S,)) of each set."""
    n = len(choice.chances)
    for shown in itertools.product((False, True), repeat=n):
        if choice.size is None:
            each = np.where(shown, choice.chances, 1 - choice.chances)
            yield float(each.prod()), np.array(shown)
        elif sum(shown) == choice.size:
            yield 1 / math.comb(n, choice.size), np.array(shown)


def by_the_formula(y, shown, choice, a, b):
    """Return ψ_ab of one segment, term by term, as in the formula."""
    n = len(y)

    def p(i, j):
        return sum(w for w, s in every_draw(choice) if s[i] and s[j])

    others = [c for c in range(n) if c not in (a, b)]
    q = [1 / (1 / p(a, c) + 1 / p(b, c)) for c in others]
    total = p(a, b) + sum(q)
    found = p(a, b) / total * (shown[a] and shown[b]) * (y[a] - y[b]) / p(a, b)
    for c, each in zip(others, q, strict=True):
        found += each / total * (shown[a] and shown[c]) * (y[a] - y[c]) / p(a, c)
        found -= each / total * (shown[b] and shown[c]) * (y[b] - y[c]) / p(b, c)
    return found


class ChoiceTest(unittest.TestCase):
    def test_pairs_meet_as_often_as_is_said(self):
        for choice in (random_systems(5, 3), racing_systems([1, 1, 0, 0, 1])):
            seen = sum(w * np.outer(shown, shown) for w, shown in every_draw(choice))
            np.testing.assert_allclose(choice.meeting, seen)
            rng = np.random.default_rng(1)
            drawn = np.array([choice.draw(rng) for _ in range(4000)], float)
            np.testing.assert_allclose(drawn.T @ drawn / 4000, seen, atol=0.03)

    def test_sizes_that_compare_nothing_are_refused(self):
        for size in (0, 1, 6):
            with self.assertRaisesRegex(ValueError, "2 to 5 systems"):
                random_systems(5, size)


class SegmentDifferencesTest(unittest.TestCase):
    def test_as_the_formula_is_written(self):
        rng = np.random.default_rng(3)
        for choice in (random_systems(4, 2), random_systems(4, 3), racing_systems([1, 1, 0, 0])):
            y = rng.normal(size=4)
            for _, shown in every_draw(choice):
                found = segment_differences(np.where(shown, y, np.nan)[:, None], choice)[0]
                for a, b in itertools.permutations(range(4), 2):
                    self.assertAlmostEqual(found[a, b], by_the_formula(y, shown, choice, a, b))

    @given(chances, st.integers(0, 1000))
    def test_no_bias_whatever_the_chances(self, each, seed):
        y = np.random.default_rng(seed).normal(0, 10, len(each))
        for choice in (SystemChoice(np.array(each)), random_systems(len(each), 2)):
            expected = sum(
                w * segment_differences(np.where(shown, y, np.nan)[:, None], choice)[0]
                for w, shown in every_draw(choice)
            )
            np.testing.assert_allclose(expected, y[:, None] - y, atol=1e-8)

    def test_who_never_meets_is_compared_by_way_of_others_or_not_at_all(self):
        apart = SystemChoice(np.array([1.0, 0.0, 1.0]))
        found = segment_differences(np.array([[3.0], [np.nan], [1.0]]), apart)[0]
        self.assertEqual(found[0, 2], 2.0)
        self.assertTrue(np.isnan(found[0, 1]))


class WeightedDifferencesTest(unittest.TestCase):
    def campaign(self, seed=5, n_documents=30):
        rng = np.random.default_rng(seed)
        documents = np.repeat(np.arange(n_documents), 3)
        scores = rng.normal(0, 1, (4, len(documents))) + np.array([[2.0], [1.0], [0.0], [0.0]])
        return scores, documents, rng

    def test_with_all_systems_it_is_the_paired_difference(self):
        scores, documents, _ = self.campaign()
        found = weighted_differences(scores, documents, np.zeros(90), [all_systems(4)])
        for a, b in itertools.combinations(range(4), 2):
            one = paired_difference(scores[a] - scores[b], documents, level=1 - 0.05 / 6)
            self.assertAlmostEqual(found.estimate[a, b], one.estimate)
            self.assertAlmostEqual(found.se[a, b], one.se)
            self.assertAlmostEqual(found.low[a, b], one.low)
            self.assertAlmostEqual(found.high[b, a], -one.low)
            sums = np.bincount(documents, weights=scores[a] - scores[b])
            self.assertAlmostEqual(found.z[a, b], sums.sum() / math.sqrt(sums @ sums))
        np.testing.assert_allclose(found.adjusted[UPPER], holm(found.p_values[UPPER]))

    def test_waves_are_pooled_as_statsmodels_does(self):
        scores, documents, rng = self.campaign()
        waves = (documents >= 12).astype(int)
        choices = [random_systems(4, 3), racing_systems([1, 1, 0, 0])]
        shown = np.array([choices[w].draw(rng) for w in waves]).T
        scores = np.where(shown, scores, np.nan)
        found = weighted_differences(scores, documents, waves, choices)
        values = np.concatenate(
            [segment_differences(scores[:, waves == k], choice) for k, choice in enumerate(choices)]
        )
        for a, b in ((0, 1), (0, 2), (2, 3)):
            weight = np.array([choices[w].weight[a, b] for w in waves])
            # A regression through the origin of √w ψ on √w.
            fit = sm.WLS(values[:, a, b], np.ones(90), weights=weight).fit(
                cov_type="cluster", cov_kwds={"groups": documents}
            )
            self.assertAlmostEqual(found.estimate[a, b], float(fit.params[0]))
            self.assertAlmostEqual(found.se[a, b], float(fit.bse[0]))

    def test_the_most_likely_way_weighs(self):
        weight = racing_systems([1, 1, 0, 0]).weight
        self.assertEqual(weight[0, 1], 1.0)
        self.assertAlmostEqual(weight[0, 2], 0.1)
        self.assertAlmostEqual(weight[2, 3], 1 / (1 / 0.1 + 1 / 0.1))
        np.testing.assert_array_equal(all_systems(4).weight, 1.0)

    def test_one_document_decides_nothing(self):
        scores, documents, _ = self.campaign(n_documents=1)
        found = weighted_differences(scores, documents, np.zeros(3), [all_systems(4)])
        self.assertEqual(found.reason, "there are too few documents")
        self.assertTrue(np.isnan(found.p_values).all())
        self.assertFalse(found.sign.any())

    def test_nothing_judged(self):
        found = weighted_differences(np.zeros((3, 0)), [], [], [all_systems(3)])
        self.assertEqual((found.n, found.n_documents), (0, 0))
        self.assertFalse(found.sign.any())

    def test_arrays_that_do_not_fit(self):
        with self.assertRaisesRegex(ValueError, "a column for each segment"):
            weighted_differences(np.zeros((3, 4)), [1, 2], [0, 0], [all_systems(3)])


class ContendersTest(unittest.TestCase):
    def found(self, better, order):
        """Return a result with decided pairs, (better, worse) of systems by number; order: from the
        best mean."""
        n = len(order)
        z, adjusted, estimate = np.zeros((n, n)), np.ones((n, n)), np.zeros((n, n))
        for a, b in better:
            z[a, b], z[b, a] = 9, -9
            adjusted[a, b] = adjusted[b, a] = 0.001
        place = np.argsort(order)
        estimate = (place[None, :] - place[:, None]).astype(float)
        nan = np.full((n, n), np.nan)
        return WeightedDifferences(estimate, nan, nan, nan, z, adjusted, adjusted, 9, 9, 0.95)

    def names(self, better, order, aim):
        return set(np.flatnonzero(contenders(self.found(better, order), aim)).tolist())

    def test_whom_each_aim_keeps(self):
        chain = [(0, 2), (1, 2), (0, 3), (1, 3)]  # 0 and 1 above 2 and 3
        self.assertEqual(self.names(chain, [0, 1, 2, 3], "top"), {0, 1})
        self.assertEqual(self.names(chain, [0, 1, 2, 3], "best"), {0, 1})
        self.assertEqual(self.names(chain, [0, 1, 2, 3], "all"), {0, 1, 2, 3})
        step = [(0, 2), (0, 3), (1, 3)]  # 1 and 2 are not separated
        self.assertEqual(self.names(step, [0, 1, 2, 3], "best"), {0, 1})
        self.assertEqual(self.names(step, [0, 1, 2, 3], "top"), {0, 1, 2})  # 3 is worse than both
        one_pair = [*chain, (2, 3)]
        self.assertEqual(self.names(one_pair, [0, 1, 2, 3], "all"), {0, 1})

    def test_two_stay_when_all_is_decided(self):
        every = list(itertools.combinations(range(4), 2))
        for aim in ("top", "best", "all"):
            self.assertEqual(self.names(every, [0, 1, 2, 3], aim), {0, 1})

    def test_before_anything_is_decided_all_stay(self):
        for aim in ("top", "best", "all"):
            self.assertEqual(self.names([], [2, 1, 0], aim), {0, 1, 2})
        with self.assertRaisesRegex(ValueError, "top, best, all"):
            self.names([], [0, 1], "some")


class PriceTest(unittest.TestCase):
    def test_by_every_draw(self):
        """Variance of ψ as the sum over draws of squared coefficients of outputs with variance 1 +
        gaps, minus the squared difference of their means, 2 gaps."""
        for n, size, gaps in ((5, 2, 0.0), (5, 3, 0.4), (6, 5, 1.0), (4, 4, 2.0)):
            choice = random_systems(n, size)
            second = 0.0
            for w, shown in every_draw(choice):
                unit = np.where(shown[:, None], np.eye(n), np.nan)
                second += w * np.square(segment_differences(unit, choice)[:, 0, 1]).sum()
            expected = size / n * ((1 + gaps) * second - 2 * gaps) / 2
            self.assertAlmostEqual(price_of_random(n, size, gaps=gaps), expected)

    def test_all_of_them_cost_one(self):
        self.assertAlmostEqual(price_of_random(12, 12, gaps=0.7), 1.0)
