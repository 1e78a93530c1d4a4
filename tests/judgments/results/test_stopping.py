"""Registering a stopping plan, and its looks on the page, in the API and in files."""

import csv
import io

import numpy as np
import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judgments.models import Campaign, Decision, RegisteredPlan
from judgments.plans import stopping
from judgments.plans.metric_controls import known_controls
from judgments.results.selection.selection import Selection
from judgments.results.stopping import figures as stopping_figures
from judgments.stats.controlled_ranks import controlled_signed_ranks
from judgments.stats.elimination import pairs_to_share
from judgments.stats.metric_controls import controls_of_metrics
from judgments.stats.paired_difference import paired_difference
from judgments.stats.sequential import stopping_plan
from metrics.scores import controls
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase
from tests.judgments.stats.replay import run_looks

N_SEGMENTS = 60


class LongCampaign(CastTestCase):
    """A campaign of sixty segments, three systems, judged one segment after the other."""

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.long = factory.make_test_set(
            cls.owner, n_segments=N_SEGMENTS, n_documents=3, name="Long set"
        )
        cls.campaign = factory.make_campaign(
            cls.long,
            name="Long campaign",
            owner=cls.owner,
            researchers=[cls.researcher],
            annotators=[cls.annotator_1],
        )
        cls.task = factory.make_task(cls.campaign, cls.annotator_1)
        rng = np.random.default_rng(5)
        quality = np.array([4.2, 2.0, 2.1])  # the first is best, the others are alike
        cls.values = np.clip(np.round(quality + rng.normal(0, 0.9, (N_SEGMENTS, 3))), 1, 5)

    def setUp(self):
        caches["results"].clear()

    def asked(self, **changed):
        asked = {"aim": "all", "dimension": "adequacy", "most": N_SEGMENTS, "looks": 2}
        return asked | {"test": "difference", "spending": "one-sided-form"} | changed

    def register(self, **changed):
        response = self.post_as(
            self.owner, "stopping-register", self.campaign.pk, data=self.asked(**changed)
        )
        self.assertEqual(response.status_code, 302, getattr(response, "context", None))
        return self.campaign.stopping_plans.last()

    def judge(self, n, start=0):
        for item in list(self.task.items.order_by("position"))[start:n]:
            values = [float(v) for v in self.values[item.position]]
            factory.judge(item, {"adequacy": values, "fluency": [3, 3, 3]})

    def page(self, user=None):
        response = self.get_as(user or self.researcher, "stopping", self.campaign.pk)
        self.assertEqual(response.status_code, 200)
        return response

    def fresh(self):
        return Campaign.objects.get(pk=self.campaign.pk)


class StoppingTest(LongCampaign):
    def test_for_owners_and_researchers_and_written_by_owners(self):
        self.assert_refused("stopping", self.campaign.pk)
        self.assert_refused(
            "api-stopping", self.campaign.pk, users={self.outsider: 404, self.annotator_1: 403}
        )
        self.assert_refused("stopping-register", self.campaign.pk, method="post")
        self.assertEqual(
            self.post_as(self.researcher, "stopping-register", self.campaign.pk).status_code, 403
        )
        self.assertEqual(
            self.get_as(self.owner, "stopping-register", self.campaign.pk).status_code, 405
        )
        self.assertFalse(RegisteredPlan.objects.exists())
        self.assertContains(self.page(), "An owner of the campaign can register one")
        self.assertContains(self.page(self.owner), "Register the plan")

    def test_a_plan_has_who_and_when_and_is_replaced_until_the_first_judgment(self):
        first = self.register()
        self.assertEqual((first.looks, first.most, first.unit), ([40, 60], 60, "segments"))
        self.assertEqual((first.registered_by, first.n_systems), (self.owner, 3))
        second = self.register(aim="best", looks=1)
        self.assertEqual(stopping.plan_of(self.campaign), second)
        self.assertContains(self.page(), "Find the best system, by adequacy, 60 segments, 1 look")
        self.judge(1)
        response = self.post_as(
            self.owner, "stopping-register", self.campaign.pk, data=self.asked()
        )
        self.assertEqual(response.status_code, 422)
        self.assertContains(response, "There are judgments already", status_code=422)
        self.assertEqual(self.campaign.stopping_plans.count(), 2)
        self.assertNotContains(self.page(self.owner), "Register the plan")
        with pytest.raises(stopping.PlanTooLate):
            stopping.register(self.campaign, by=self.owner, aim="all")

    def test_bad_plans_are_refused_with_a_reason(self):
        for changed, message in (
            ({"most": N_SEGMENTS + 1}, "has only 60 segments"),
            ({"most": 39}, "a plan has at least 40 items"),
            ({"most": "many"}, "Enter a whole number"),
            ({"looks": 11}, "less than or equal to 10"),
            ({"looks": 0}, "greater than or equal to 1"),
            ({"aim": "some"}, "not one of the available choices"),
            ({"dimension": "beauty"}, "not one of the available choices"),
            ({"controls": ["bleu"]}, "not one of the available choices"),
        ):
            response = self.post_as(
                self.owner,
                "stopping-register",
                self.campaign.pk,
                data=self.asked(**changed),
            )
            self.assertContains(response, message, status_code=422)
        self.assertFalse(RegisteredPlan.objects.exists())

    def test_without_a_plan_and_too_late(self):
        self.judge(1)
        self.assertContains(self.page(self.owner), "No stopping plan was registered")
        answer = self.get_as(self.researcher, "api-stopping", self.campaign.pk).json()
        self.assertEqual((answer["plan"], answer["looks"], answer["pairs"]), (None, [], []))

    def test_a_campaign_of_comparisons_has_none(self):
        response = self.get_as(self.owner, "stopping", self.pairwise.pk)
        self.assertContains(response, "Stopping plans are for campaigns whose outputs are rated")

    def test_looks_happen_when_their_segments_are_finished(self):
        self.register()
        self.assertContains(self.page(), "Nothing can be compared yet")
        self.judge(39)
        self.assertContains(self.page(), "The first of 2 looks comes after 40 segments; 39 are")
        self.judge(40, start=39)
        page = self.page()
        self.assertContains(page, "At look 1 of 2, after 40 of 60 segments, 2 of 3 pairs")
        self.assertContains(page, "System-A better")
        self.assertContains(page, "does not prove equality")
        self.judge(N_SEGMENTS, start=40)
        report = stopping_figures.stopping(
            Selection.of(self.fresh()), self.campaign.stopping_plans.last()
        )
        self.assertEqual([look.n_items for look in report.review.looks], [40, 60])
        plan = stopping_plan([40, 60], n_pairs=pairs_to_share(3))
        replay = run_looks(self.values.T, np.arange(N_SEGMENTS), plan)
        self.assertTrue((report.review.sign == replay.sign).all())
        self.assertContains(self.page(), "The plan is complete")

    def test_a_revision_changes_figures_but_not_the_look(self):
        plan = self.register()
        self.judge(45)
        before = stopping_figures.stopping(Selection.of(self.fresh()), plan).review.looks[0]
        item = self.task.items.order_by("position").first()
        old = item.judgments.get()
        values = {"adequacy": [1.0, 5.0, 5.0], "fluency": [3, 3, 3]}
        factory.judge(item, values, supersedes=old)
        after = stopping_figures.stopping(Selection.of(self.fresh()), plan).review.looks[0]
        changed = (self.values[0, 0] - self.values[0, 1]) + 4
        self.assertAlmostEqual(
            before.pairs[0].difference.estimate - after.pairs[0].difference.estimate, changed / 40
        )

    def test_all_systems_of_the_plan_are_awaited_and_the_dimension_must_be_asked(self):
        plan = self.register()
        self.judge(45)
        plan.n_systems = 4
        report = stopping_figures.stopping(Selection.of(self.fresh()), plan)
        self.assertEqual(report.reason, "3 of the 4 systems of the plan were judged")
        self.assertEqual(report.review.looks, ())
        with factory.rewriting():
            RegisteredPlan.objects.update(dimension="beauty")
        caches["results"].clear()
        self.assertContains(self.page(), "beauty is no longer asked for")

    def test_a_plan_keeps_the_spending_function_that_it_registered(self):
        """Bounds at 40 and 60 of 60 segments, α = .05/3, from `stopping_plan`, whose figures are
        tested against publications."""
        self.register()
        plan = self.register(spending="obrien-fleming")
        self.judge(45)
        self.assertEqual(plan.spending, "obrien-fleming")
        expected = stopping_plan([40, 60], n_pairs=3, spending="obrien-fleming").bounds
        bounds = stopping_figures.stopping(Selection.of(self.fresh()), plan).plan.bounds
        self.assertEqual(bounds.tolist(), expected.tolist())
        self.assertContains(self.page(), "error spent by O&#x27;Brien–Fleming")
        answer = self.get_as(self.researcher, "api-stopping", self.campaign.pk).json()
        self.assertEqual(answer["plan"]["spending"], "obrien-fleming")
        before_the_choice = self.campaign.stopping_plans.first()
        self.assertEqual(before_the_choice.spending, "one-sided-form")
        bounds = stopping_figures.stopping(
            Selection.of(self.fresh()), before_the_choice
        ).plan.bounds
        self.assertEqual(bounds.tolist(), stopping_plan([40, 60], n_pairs=3).bounds.tolist())

    def test_find_the_best(self):
        self.register(aim="best")
        self.judge(40)
        page = self.page()
        self.assertContains(page, "System-A is the best system, found at look 1 of 2")
        table = page.context["sections"][0].tables[0].make()
        self.assertEqual([row[1] for row in table.rows], ["may be the best", "left", "left"])

    def test_excluded_annotators_do_not_count(self):
        self.register()
        self.judge(45)
        Decision.objects.create(
            campaign=self.campaign,
            annotator=self.annotator_1,
            excluded=True,
            reason="a test",
            decided_by=self.owner,
        )
        self.assertContains(self.page(), "Nothing can be compared yet")

    def test_the_api_and_the_files_say_the_same(self):
        self.register()
        self.judge(40)
        answer = self.get_as(self.researcher, "api-stopping", self.campaign.pk).json()
        self.assertEqual(answer["plan"]["registered_by"], "owner")
        self.assertEqual([look["items"] for look in answer["looks"]], [40, None])
        self.assertEqual(len(answer["pairs"]), 3)
        response = self.get_as(self.researcher, "export-table", self.campaign.pk, "stopping-looks")
        rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
        for row, pair in zip(rows, answer["pairs"], strict=True):
            self.assertEqual(float(row["z"]), pair["z"])
            self.assertEqual(row["state"], pair["state"])
        export = self.get_as(self.researcher, "export-json", self.campaign.pk)
        self.assertIn(b'"stopping"', b"".join(export.streaming_content))


class ControlVariateTest(LongCampaign):
    def test_a_registered_metric_is_used_until_texts_change(self):
        jobs.work_on(jobs.create_job(self.long, [MetricChoice("chrf")], ["ref"]).pk)
        [control] = known_controls(self.long)
        plan = self.register(controls=[control.signature])
        self.assertIn("chrF", plan.controls[0]["signature"])
        self.judge(40)
        self.assertContains(self.page(), "with the registered control variate")
        report = stopping_figures.stopping(Selection.of(self.fresh()), plan)
        pairs = report.review.looks[0].pairs
        self.assertTrue(report.controlled and all(pair.controlled for pair in pairs))
        [scores] = controls.scores(self.long, [control.signature], self.systems())
        d, x = self.values[:, 0] - self.values[:, 1], scores[0] - scores[1]
        d = np.where(np.arange(N_SEGMENTS) < 40, d, np.nan)
        expected = paired_difference(d, controls=x)
        self.assertAlmostEqual(pairs[0].difference.estimate, expected.estimate)
        self.assertEqual(pairs[0].difference.n_scored, N_SEGMENTS)
        output = self.long.segments.first().outputs.first()
        output.text += " changed"
        output.save()
        self.assertContains(self.page(), "The registered control variate is not used")

    def test_many_registered_metrics_are_read_with_the_statements_of_one(self):
        metrics = [MetricChoice(name) for name in ("chrf", "bleu", "ter")]
        jobs.work_on(jobs.create_job(self.long, metrics, ["ref"]).pk)
        known = [each.signature for each in known_controls(self.long)]
        self.assertEqual(len(known), 3)
        counts = []
        for chosen in (known[:1], known):
            self.register(controls=chosen)
            caches["results"].clear()
            with CaptureQueriesContext(connection) as queries:
                self.get_as(self.owner, "stopping", self.campaign.pk)
            counts.append(len(queries))
        # Scores of segments are a statement for each metric.
        self.assertLessEqual(counts[1], counts[0] + 2)

    def test_signed_ranks_use_the_mean_of_the_registered_metrics_over_the_whole_pool(self):
        metrics = [MetricChoice("chrf"), MetricChoice("ter")]
        jobs.work_on(jobs.create_job(self.long, metrics, ["ref"]).pk)
        names = [control.signature for control in known_controls(self.long)]
        self.assertEqual(len(names), 2)
        plan = self.register(controls=names, test="signed-rank")
        self.judge(40)
        self.assertContains(self.page(), "Signed ranks of paired differences")
        report = stopping_figures.stopping(Selection.of(self.fresh()), plan)
        scores = np.stack(controls.scores(self.long, names, self.systems()))
        outputs = self.long.segments.prefetch_related("outputs").order_by("position")
        lengths = [
            np.mean([len(output.text.split()) for output in segment.outputs.all()])
            for segment in outputs
        ]
        table = np.where(np.arange(N_SEGMENTS) < 40, self.values.T, np.nan)
        expected = controlled_signed_ranks(
            table, np.arange(N_SEGMENTS), controls=controls_of_metrics(scores, lengths)
        )
        found = report.review.looks[0].pairs
        np.testing.assert_allclose([pair.z for pair in found], expected.z)
        self.assertEqual({pair.difference.n_scored for pair in found}, {N_SEGMENTS})

    def systems(self):
        return list(self.long.systems.order_by("name").values_list("pk", flat=True))


def test_looks_are_even_and_start_with_forty_items():
    assert stopping.evenly(100, 5, 1.0) == [40, 55, 70, 85, 100]
    assert stopping.evenly(500, 5, 1.0) == [100, 200, 300, 400, 500]
    assert stopping.evenly(100, 5, 10.0) == [20, 40, 60, 80, 100]
    assert stopping.evenly(40, 1, 1.0) == [40]
    assert stopping.evenly(41, 10, 1.0) == [40, 41]
    for wrong in ((39, 1, 1.0), (100, 11, 1.0), (3, 2, 10.0)):
        with pytest.raises(ValueError):
            stopping.evenly(*wrong)
