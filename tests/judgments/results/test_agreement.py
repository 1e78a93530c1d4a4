"""Agreement from stored judgments, against the krippendorff and scikit-learn packages."""

from unittest import mock

import krippendorff
import numpy as np
import scipy.stats
from django.core.cache import cache
from django.test import TestCase
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from judgments.models import Kind
from judgments.results.agreement import figures as agreement
from judgments.results.observations import observations
from judgments.results.selection.selection import Selection
from judgments.stats.agreement import icc
from judgments.stats.icc import FORMS
from tests import factory

ADEQUACY = np.array([[5, 4, 2, 4, 3, 1, 2, 2], [5, 3, 2, 4, 1, 1, 2, 4]])


class RatingAgreementTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        cls.people = [factory.make_user(f"annotator-{i}") for i in range(2)]
        cls.test_set = factory.make_test_set(cls.owner, n_segments=8, n_systems=1)

    def setUp(self):
        cache.clear()

    def make(self, n_segments=8, **fields):
        test_set = self.test_set
        if n_segments != 8:
            test_set = factory.make_test_set(self.owner, n_segments=n_segments, n_systems=1)
        campaign = factory.make_campaign(test_set, annotators=self.people, **fields)
        tasks = [
            factory.make_task(campaign, person, seat=seat)
            for seat, person in enumerate(self.people, 1)
        ]
        return campaign, tasks

    def judge_all(self, tasks, values, dimension="adequacy", **others):
        for task, row in zip(tasks, values, strict=True):
            for item, value in zip(task.items.order_by("position"), row, strict=True):
                columns = {dimension: [value]} | {name: [v] for name, v in others.items()}
                factory.judge(item, columns)

    def test_two_annotators_on_a_five_point_scale(self):
        campaign, tasks = self.make()
        self.judge_all(tasks, ADEQUACY, fluency=3)
        report = agreement.agreement(Selection.of(campaign), "adequacy")
        by_slug = {c.slug: c.result for c in report.between}
        expected = krippendorff.alpha(ADEQUACY, level_of_measurement="ordinal")
        assert report.headline.slug == "alpha"
        np.testing.assert_allclose(by_slug["alpha"].estimate, expected)
        assert by_slug["alpha"].low < expected < by_slug["alpha"].high
        np.testing.assert_allclose(by_slug["cohen"].estimate, cohen_kappa_score(*ADEQUACY))
        # 5 of 8 agree; chance 1/5
        np.testing.assert_allclose(by_slug["uniform"].estimate, (5 / 8 - 0.2) / 0.8)
        for slug, result in by_slug.items():
            assert (result.n_items, result.n_annotators, result.n_pairs) == (8, 2, 8), slug
            assert result.low <= result.estimate <= result.high, slug
        assert report.within == ()
        assert report.repeated.sum() == 0

    def test_the_further_coefficients(self):
        """scikit-learn, statsmodels and krippendorff on the same two rows of values."""
        campaign, tasks = self.make()
        self.judge_all(tasks, ADEQUACY, fluency=3)
        report = agreement.agreement(Selection.of(campaign), "adequacy")
        shown = [c.slug for c in report.between if not c.further]
        assert shown == ["alpha", "uniform", "cohen", "cohen-quadratic"]
        found = {c.slug: c.result.estimate for c in report.between}
        for weights in ("linear", "quadratic"):
            expected = cohen_kappa_score(*ADEQUACY, weights=weights, labels=[1, 2, 3, 4, 5])
            np.testing.assert_allclose(found[f"cohen-{weights}"], expected)
        counts = np.array([np.bincount(pair - 1, minlength=5) for pair in ADEQUACY.T])
        expected = inter_rater.fleiss_kappa(counts, method="fleiss")
        np.testing.assert_allclose([found["fleiss"], found["scott"]], expected)
        for level in ("nominal", "interval", "ratio"):
            expected = krippendorff.alpha(ADEQUACY, level_of_measurement=level)
            np.testing.assert_allclose(found[f"alpha-{level}"], expected)
        for form in FORMS:
            slug = f"icc-{form.replace(',', '-')}"
            np.testing.assert_allclose(found[slug], icc(ADEQUACY, form).estimate)

    def test_more_pairs_of_annotators_than_can_be_resampled(self):
        campaign, tasks = self.make()
        self.judge_all(tasks, ADEQUACY, fluency=3)
        before = {
            c.slug: c.result
            for c in agreement.agreement(Selection.of(campaign), "adequacy").between
        }
        with mock.patch("judgments.results.agreement.coefficients.MAX_RESAMPLED_CELLS", 1):
            report = agreement.agreement_of(observations.load(Selection.of(campaign)), "adequacy")
        after = {c.slug: c.result for c in report.between}
        for slug in ("cohen", "cohen-quadratic", "cohen-linear", "scott"):
            np.testing.assert_allclose(after[slug].estimate, before[slug].estimate)
            assert np.isnan(after[slug].low)
            assert "too many pairs" in after[slug].interval_reason

    def test_confusion_counts_each_pair_in_both_orders(self):
        campaign, tasks = self.make()
        self.judge_all(tasks, ADEQUACY, fluency=3)
        report = agreement.agreement(Selection.of(campaign), "adequacy")
        expected = np.zeros((5, 5))
        for first, second in ADEQUACY.T - 1:
            expected[first, second] += 1
            expected[second, first] += 1
        assert report.labels == ("1", "2", "3", "4", "5")
        assert report.confusion.tolist() == expected.tolist()

    def test_equal_ratings_leave_chance_correction_undefined(self):
        campaign, tasks = self.make()
        self.judge_all(tasks, ADEQUACY, fluency=3)
        report = agreement.agreement(Selection.of(campaign), "fluency")
        alpha = report.headline.result
        assert np.isnan(alpha.estimate)
        assert "same value" in alpha.reason

    def test_nobody_judged_the_same(self):
        campaign, tasks = self.make()
        for task, half in zip(tasks, (slice(0, 4), slice(4, 8)), strict=True):
            for item in list(task.items.order_by("position"))[half]:
                factory.judge(item, {"adequacy": [3], "fluency": [4]})
        report = agreement.agreement(Selection.of(campaign))
        assert "two annotators" in report.headline.result.reason
        assert report.aliases == ()
        assert report.n_hidden == 2

    def test_no_judgments_at_all(self):
        campaign, _ = self.make()
        report = agreement.agreement(Selection.of(campaign))
        assert report.headline.result.reason == "there are no ratings"
        assert report.n_annotators == 0
        assert agreement.workload(Selection.of(campaign)).n_judgments.tolist() == []

    def test_repeats_are_intra_and_never_inter(self):
        campaign, tasks = self.make()
        self.judge_all(tasks, ADEQUACY, fluency=3)
        before = agreement.agreement(Selection.of(campaign)).headline.result
        again = factory.make_task(campaign, self.people[0], batch=2)
        again.items.update(kind=Kind.REPEAT)
        for item, value in zip(again.items.order_by("position"), ADEQUACY[1], strict=True):
            factory.judge(item, {"adequacy": [value], "fluency": [3]})
        report = agreement.agreement(Selection.of(campaign))
        assert report.headline.result.estimate == before.estimate
        own = {c.slug: c.result for c in report.within}
        np.testing.assert_allclose(own["uniform"].p_observed, 5 / 8)
        # The first time and the second, as if they were two annotators.
        expected = krippendorff.alpha(ADEQUACY, level_of_measurement="ordinal")
        np.testing.assert_allclose(own["alpha"].estimate, expected)
        np.testing.assert_allclose(own["cohen"].estimate, cohen_kappa_score(*ADEQUACY))
        for result in own.values():
            assert (result.n_items, result.n_annotators, result.n_pairs) == (8, 1, 8)
        assert report.repeated.tolist() == report.confusion.tolist()

    def test_a_repeat_that_comes_first_is_still_the_repeat(self):
        """Which of the two is judged first is drawn; between people the regular judgment counts."""
        campaign, tasks = self.make()
        again = factory.make_task(campaign, self.people[0], batch=2)
        again.items.update(kind=Kind.REPEAT)
        self.judge_all([again], [ADEQUACY[1]], fluency=3)
        self.judge_all(tasks, ADEQUACY, fluency=3)
        report = agreement.agreement(Selection.of(campaign), "adequacy")
        expected = krippendorff.alpha(ADEQUACY, level_of_measurement="ordinal")
        np.testing.assert_allclose(report.headline.result.estimate, expected)
        own = {c.slug: c.result for c in report.within}
        np.testing.assert_allclose(own["uniform"].p_observed, 5 / 8)

    def test_a_slider_is_a_measure(self):
        campaign, tasks = self.make(preset="direct-assessment")
        values = np.array([[80, 71, 14, 100, 0, 33, 50, 64], [75, 60, 30, 99, 10, 35, 66, 20]])
        self.judge_all(tasks, values, dimension="da")
        report = agreement.agreement(Selection.of(campaign))
        expected = krippendorff.alpha(values, level_of_measurement="interval")
        np.testing.assert_allclose(report.headline.result.estimate, expected)
        kappa = next(c for c in report.between if c.slug == "uniform")
        assert np.isnan(kappa.result.estimate)
        assert "no categories" in kappa.result.reason
        assert report.labels[0] == "0–10"
        assert report.labels[-1] == "90–100"
        assert report.confusion.sum() == 16
        assert report.confusion[9, 9] == 2  # 100 and 99
        assert report.confusion[0, 1] == 1  # 0 and 10: a value opens its bin

    def test_correlations_on_a_slider(self):
        campaign, tasks = self.make(preset="direct-assessment", n_segments=24)
        rng = np.random.default_rng(2)
        values = rng.integers(0, 101, (2, 24))
        values[1, 6:] = np.clip(values[0, 6:] + 10, 0, 100)
        self.judge_all(tasks, values, dimension="da")
        again = factory.make_task(campaign, self.people[0], batch=2)
        again.items.update(kind=Kind.REPEAT)
        for item, value in zip(again.items.order_by("position"), values[0] // 2, strict=True):
            factory.judge(item, {"da": [value]})
        report = agreement.agreement(Selection.of(campaign))
        assert [c.slug for c in report.between if not c.further] == [
            "alpha", "pearson", "icc-1-1", "icc-2-1",
        ]  # fmt: skip
        found = {c.slug: c.result for c in report.between}
        first = (values[0] + values[0] // 2) / 2  # both judgments of the annotator, averaged
        expected = scipy.stats.pearsonr(first, values[1]).statistic
        np.testing.assert_allclose(found["pearson"].estimate, expected)
        tau = scipy.stats.kendalltau(first, values[1], variant="c").statistic
        np.testing.assert_allclose(found["kendall-c"].estimate, tau)
        matrix = np.array([first, values[1]])
        np.testing.assert_allclose(found["icc-2-1"].estimate, icc(matrix, "2,1").estimate)
        own = {c.slug: c.result for c in report.within}
        expected = scipy.stats.pearsonr(values[0], values[0] // 2).statistic
        np.testing.assert_allclose(own["pearson"].estimate, expected)
        assert own["alpha"].n_annotators == 1
        with mock.patch("judgments.results.agreement.coefficients.MAX_CORRELATED_PAIRS", 1):
            report = agreement.agreement_of(observations.load(Selection.of(campaign)))
            many = {c.slug: c.result for c in report.between}
        np.testing.assert_allclose(many["pearson"].estimate, found["pearson"].estimate)
        assert many["pearson"].n_pairs == found["pearson"].n_pairs == 24
        assert "too many" in many["pearson"].interval_reason
        assert "too many" in many["kendall-c"].reason

    def test_workload(self):
        campaign, tasks = self.make()
        for item, ms in zip(
            tasks[0].items.order_by("position")[:3], (1000, 4000, 9000), strict=True
        ):
            factory.judge(item, {"adequacy": [1], "fluency": [1]}, active_ms=ms)
        work = agreement.workload(Selection.of(campaign))
        assert work.aliases.tolist() == ["annotator-0"]
        assert work.n_judgments.tolist() == [3]
        assert work.median_seconds.tolist() == [4]


class ComparisonAgreementTest(TestCase):
    def test_comparisons_shown_in_either_order(self):
        cache.clear()
        owner = factory.make_user("owner")
        people = [factory.make_user(f"annotator-{i}") for i in range(2)]
        test_set = factory.make_test_set(owner, n_segments=4)
        campaign = factory.make_campaign(test_set, preset="pairwise", annotators=people)
        labels = ([1, 1, 0, -1], [1, -1, 0, 1])
        for seat, (person, row) in enumerate(zip(people, labels, strict=True), 1):
            task = factory.make_task(campaign, person, seat=seat)
            items = list(task.items.order_by("position"))
            if seat == 2:  # the last pair is shown the other way round
                outputs = list(items[-1].shown.order_by("position"))
                for place, shown in zip((7, 6), outputs, strict=True):
                    shown.position = place
                    shown.save()
            for item, label in zip(items, row, strict=True):
                factory.judge(item, label)
        report = agreement.agreement(Selection.of(campaign))
        strict = report.headline.result
        # 3 of 4 agree; ties 2 of 8: chance .25² + 2(.375²)
        np.testing.assert_allclose(strict.p_observed, 3 / 4)
        np.testing.assert_allclose(strict.p_expected, 0.34375)
        presented = next(c.result for c in report.between if c.slug == "pairwise-presented")
        assert (presented.n_agreeing, presented.n_pairs) == (2, 3)
        uniform = next(c.result for c in report.between if c.slug == "uniform")
        np.testing.assert_allclose(uniform.estimate, (3 / 4 - 1 / 3) / (2 / 3))
        # Nominal alpha of the comparisons, counted from both sides, whatever the systems' names
        # are.
        sides = np.array([[1, 1, 0, -1, -1, -1, 0, 1], [1, -1, 0, -1, -1, 1, 0, 1]])
        alpha = next(c.result for c in report.between if c.slug == "alpha")
        expected = krippendorff.alpha(sides, level_of_measurement="nominal")
        np.testing.assert_allclose(alpha.estimate, expected)
        assert (alpha.n_items, alpha.n_pairs) == (4, 4)
        # From both sides: two agree on a winner, one on equality, one contradiction.
        assert report.confusion.tolist() == [[2, 0, 1], [0, 2, 0], [1, 0, 2]]

    def test_own_repeats_in_two_readings(self):
        """Any order of the screen, and only the same one, as in the tables of WMT16: the counts are
        by hand, and the kappas of counts reproduce its published ones (stats/test_pairwise.py)."""
        cache.clear()
        owner, person = factory.make_user("owner"), factory.make_user("annotator")
        test_set = factory.make_test_set(owner, n_segments=3)
        campaign = factory.make_campaign(test_set, preset="pairwise", annotators=[person])
        first = factory.make_task(campaign, person)
        again = factory.make_task(campaign, person, batch=2)
        again.items.update(kind=Kind.REPEAT)
        turned = list(again.items.get(position=2).shown.order_by("position"))
        for place, shown in zip((7, 6), turned, strict=True):
            shown.position = place
            shown.save()
        for task, labels in ((first, (1, 1, 1)), (again, (1, -1, 1))):
            for item, label in zip(task.items.order_by("position"), labels, strict=True):
                factory.judge(item, label)
        report = agreement.agreement(Selection.of(campaign))
        found = {c.slug: (c.result.n_agreeing, c.result.n_pairs) for c in report.within}
        # The third pair was turned on the screen, so that the same key means the opposite.
        assert found["pairwise-own"] == (1, 3)
        assert found["pairwise-own-presented"] == (1, 2)


class BusiestTest(TestCase):
    def test_the_matrix_shows_those_who_share_enough(self):
        cache.clear()
        owner = factory.make_user("owner")
        test_set = factory.make_test_set(owner, n_segments=12, n_systems=1)
        people = [factory.make_user(f"annotator-{i:02}") for i in range(44)]
        campaign = factory.make_campaign(test_set, annotators=people)
        for seat, person in enumerate(people, 1):
            n = 3 if seat == 1 else 12 if seat > 40 else 10
            task = factory.make_task(campaign, person, seat=seat)
            for item in task.items.order_by("position")[:n]:
                value = 1 + (item.position + seat) % 5
                factory.judge(item, {"adequacy": [value], "fluency": [3]})
        report = agreement.agreement(Selection.of(campaign), "adequacy")
        assert report.n_annotators == 44
        assert len(report.aliases) == 40
        assert report.n_hidden == 4
        assert "annotator-00" not in report.aliases  # three shared outputs are too few
        assert set(report.aliases) >= {f"annotator-{i}" for i in range(40, 44)}
        by_name = dict(zip(report.aliases, report.matrix.estimate, strict=True))
        # Seats 2 and 7 give the same values, seats 2 and 3 never do: chance is 1/5.
        assert by_name["annotator-01"][report.aliases.index("annotator-06")] == 1
        np.testing.assert_allclose(
            by_name["annotator-01"][report.aliases.index("annotator-02")], -0.25
        )
        assert report.matrix.n_shared[0, 1] == 10
