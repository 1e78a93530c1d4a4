"""Normalizations, rules, tests and models of scores from stored judgments.

The figures come from the functions in `judgments.stats`, which have tests of their own; here it is
at stake that the right rows reach them, and that what comes out is labelled as what it is.
"""

import numpy as np
import pytest
from django.core.cache import cache
from django.test import TestCase
from statsmodels.stats.multitest import multipletests

from judgments.models import Kind
from judgments.results.observations import observations
from judgments.results.observations.observations import SEED
from judgments.results.power.figures import power
from judgments.results.scores import comparisons
from judgments.results.scores import figures as scores_figures
from judgments.results.scores.figures import RULES
from judgments.results.scores.pair_test import change_pair_test
from judgments.results.selection.selection import Selection
from judgments.stats.mixed_model import mixed_model
from judgments.stats.pair_tests import compare_systems, two_sided
from tests import factory


class RatedTest(TestCase):
    """30 segments, three systems, two annotators, one of them 1 point stricter."""

    @classmethod
    def setUpTestData(cls):
        owner = factory.make_user("owner")
        cls.people = [factory.make_user(f"annotator-{i}") for i in range(2)]
        test_set = factory.make_test_set(owner, n_segments=30)
        cls.campaign = factory.make_campaign(test_set, annotators=cls.people)
        for seat, person in enumerate(cls.people, 1):
            task = factory.make_task(cls.campaign, person, seat=seat)
            for place, item in enumerate(task.items.order_by("position")):
                row = [4 - (seat == 1) + (place % 3 == 0), 3 - (seat == 1), 1 + (place % 4 == 0)]
                factory.judge(item, {"adequacy": row, "fluency": [3, 3, 3]})

    def setUp(self):
        cache.clear()

    def scores(self, **options):
        return scores_figures.system_scores(Selection.of(self.campaign), "adequacy", **options)

    def test_every_choice_gives_labelled_ranks(self):
        for method in ("raw", "z", "center", "mixed"):
            for rule in RULES:
                found = self.scores(method=method, rule=rule)
                self.assertEqual((found.method, found.rule), (method, rule))
                self.assertEqual(found.cluster.tolist(), [1, 2, 3])
                drawn = {"wmt13-16": 1000, "wmt26": 0 if method == "mixed" else 100}.get(rule, 0)
                self.assertEqual(found.resamples, drawn)
                self.assertEqual(found.n_judgments.tolist(), [60, 60, 60])
                self.assertEqual(found.n_segments.tolist(), [30, 30, 30])
                is_own = rule == "all-pairs"
                self.assertEqual((found.p_values is None, found.pairs is None), (not is_own,) * 2)
                self.assertEqual(found.adjust, "holm" if is_own else "none")

    def test_the_campaign_chooses_scores_test_and_adjustment(self):
        table = scores_figures.segment_scores(Selection.of(self.campaign), "adequacy", "z").values
        change_pair_test(
            self.campaign, {"compared_by": "z", "test": "permutation", "promise": "bh"}
        )
        self.campaign.refresh_from_db()
        found = self.scores()
        self.assertEqual((found.method, found.test, found.adjust), ("z", "permutation", "bh"))
        self.assertEqual(found.resamples, 10_000)
        rng = np.random.default_rng(SEED)
        expected = two_sided(compare_systems(table, test="permutation", rng=rng))
        np.testing.assert_array_equal(found.p_values, expected)
        (pair, *_) = power(Selection.of(self.campaign), "adequacy").pairs
        at = [found.names.tolist().index(name) for name in (pair.first, pair.second)]
        self.assertEqual(pair.adjusted, found.adjusted[tuple(at)])
        self.assertEqual(self.scores(rule="wmt17-23", method="raw").test, "mann-whitney")

    def test_two_sided_p_of_all_pairs_are_adjusted_as_statsmodels_does(self):
        found = self.scores()
        np.testing.assert_array_equal(found.p_values, found.p_values.T)
        # A is better on all 30 segments: 2 of the 2**30 assignments of signs are as far from 0.
        self.assertEqual(found.p_values[0, 1], 2 / 2**30)
        upper = np.triu_indices(3, 1)
        for adjust, name in (("holm", "holm"), ("bh", "fdr_bh")):
            change_pair_test(self.campaign, {"promise": adjust})
            self.campaign.refresh_from_db()
            expected = multipletests(found.p_values[upper], method=name)[1]
            np.testing.assert_allclose(self.scores().adjusted[upper], expected)

    def test_centered_means_are_differences_from_the_annotator(self):
        rows = observations.load(Selection.of(self.campaign)).of_dimension("adequacy").ratings
        values, who = rows["value"], rows["annotator"]
        own = np.array([values[who == a].mean() for a in (0, 1)])
        expected = [(values - own[who])[rows["system"] == s].mean() for s in range(3)]
        np.testing.assert_allclose(self.scores(method="center").mean, expected, atol=1e-12)

    def test_the_mixed_model_gets_the_scored_rows(self):
        item = self.campaign.tasks.first().items.first()
        item.kind = Kind.DEGRADED
        item.save()
        rows = (
            observations.load(Selection.of(self.campaign))
            .of_dimension("adequacy")
            .of_kinds(("regular",))
            .ratings
        )
        columns = (rows[name] for name in ("system", "annotator", "segment", "value"))
        expected = mixed_model(*columns)
        found = self.scores(method="mixed")
        np.testing.assert_array_equal(found.mean, expected.mean)
        self.assertEqual((found.test, found.interval), ("Wald", "Wald, of the mixed model"))
        self.assertEqual([name for name, _ in found.spread], ["annotators", "segments", "error"])
        self.assertGreater(dict(found.spread)["annotators"], 0.3)
        np.testing.assert_allclose(found.pairs.difference[0, 1], found.mean[0] - found.mean[1])

    def test_a_model_that_cannot_be_fitted_says_so(self):
        found = scores_figures.system_scores(Selection.of(self.campaign), "fluency", "mixed")
        self.assertEqual(found.reason, "all ratings are the same")
        self.assertTrue(np.isnan(found.mean).all())
        self.assertEqual(found.cluster.tolist(), [0, 0, 0])

    def test_effect_sizes_of_pairs(self):
        found = self.scores().pairs
        # On 30 segments A is 1 point better than B, on each third 2.
        self.assertAlmostEqual(found.difference[0, 1], 1 + 10 / 30)
        self.assertEqual(found.superiority[0, 1], 1)
        self.assertEqual(found.n[0, 1], 30)
        self.assertEqual(found.difference[1, 0], -found.difference[0, 1])

    def test_unknown_choices_are_refused(self):
        for options in (
            {"model": "elo"},
            {"rule": "wmt99"},
            {"method": "log"},
        ):
            with pytest.raises(ValueError, match=r"is none of|one of"):
                self.scores(**options)
        with pytest.raises(ValueError, match="method is one of"):
            scores_figures.segment_scores(Selection.of(self.campaign), "adequacy", "mixed")


class ComparedTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        owner = factory.make_user("owner")
        person = factory.make_user("annotator")
        test_set = factory.make_test_set(owner, n_segments=24)
        cls.campaign = factory.make_campaign(
            test_set, preset="relative-ranking", annotators=[person]
        )
        task = factory.make_task(cls.campaign, person)
        for place, item in enumerate(task.items.order_by("position")):
            orders = [[1, 2, 3], [1, 1, 2], [2, 1, 3], [1, 3, 2]]
            factory.judge(item, {"rank": orders[place % 4]})

    def setUp(self):
        cache.clear()

    def test_models(self):
        for model in ("expected-wins", "bradley-terry", "davidson", "trueskill"):
            found = scores_figures.system_scores(Selection.of(self.campaign), model=model)
            self.assertEqual((found.method, found.rule), (model, "all-pairs"))
            resampled = scores_figures.system_scores(
                Selection.of(self.campaign), model=model, rule="wmt13-16"
            )
            self.assertEqual((resampled.rule, resampled.p_values), ("wmt13-16", None))
            np.testing.assert_array_equal(resampled.mean, found.mean)
            self.assertEqual(found.names[found.order[0]], "System-A")
            self.assertTrue((found.low <= found.mean).all())
            self.assertEqual(found.resamples, 1000)
            self.assertEqual(found.n_judgments.tolist(), [48, 48, 48])
        found = scores_figures.system_scores(Selection.of(self.campaign), model="davidson")
        self.assertTrue(any(note.startswith("ν = ") for note in found.notes))

    def test_head_to_head_with_tests(self):
        found = comparisons.head_to_head(Selection.of(self.campaign))
        self.assertEqual(found.wins[0, 1], 12)
        self.assertEqual(found.ties[0, 1], 6)
        self.assertAlmostEqual(found.share[0, 1], 12 / 18)
        self.assertTrue(found.low[0, 1] < 12 / 18 < found.high[0, 1])
        # Binomial(18, ½): P(X ≥ 12) = .1189, as in any table.
        self.assertAlmostEqual(found.p_values[0, 1], 2 * 0.1189, places=3)
        self.assertGreaterEqual(found.adjusted[0, 1], found.p_values[0, 1])
        scores = scores_figures.system_scores(Selection.of(self.campaign))
        np.testing.assert_array_equal(scores.p_values, found.p_values)
