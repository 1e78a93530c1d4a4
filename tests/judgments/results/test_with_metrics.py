"""One estimate from people and metrics: on the page, in files, the API and the report."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from django.core.cache import caches

from judgments.models import Output
from judgments.models.chains import record
from judgments.models.chains.sealing import seal_all
from judgments.plans import stopping
from judgments.plans.metric_controls import known_controls
from judgments.publishing.bundles.release import release
from judgments.publishing.bundles.verification import verify
from judgments.publishing.report.contents import report_of
from judgments.results.observations.observations import load
from judgments.results.observations.outside_scores import scores_from_outside
from judgments.results.scores import with_metrics_page
from judgments.results.scores.figures import system_scores
from judgments.results.scores.page import data
from judgments.results.scores.with_metrics import (
    ChosenMetrics,
    chosen_metrics,
    with_metrics,
    with_metrics_of,
)
from judgments.results.selection.selection import Selection
from judgments.stats.joint_estimate import joint_estimate
from judgments.stats.metric_controls import controls_of_metrics
from metrics.models import MetricScore
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase

N_SEGMENTS, N_JUDGED = 60, 30


class WithMetricsTest(CastTestCase):
    """A campaign in which half of sixty segments is judged, and chrF scores all of them."""

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.texts = factory.make_test_set(
            cls.owner, n_segments=N_SEGMENTS, n_documents=30, name="Half set"
        )
        cls.campaign = factory.make_campaign(
            cls.texts,
            name="Half campaign",
            owner=cls.owner,
            researchers=[cls.researcher],
            annotators=[cls.annotator_1],
        )
        cls.task = factory.make_task(cls.campaign, cls.annotator_1)
        jobs.work_on(jobs.create_job(cls.texts, [MetricChoice("chrf")], ["ref"]).pk)

    def setUp(self):
        caches["results"].clear()

    def judge(self, n=N_JUDGED):
        rng = np.random.default_rng(8)
        for item in list(self.task.items.order_by("position"))[:n]:
            values = [float(each) for each in rng.integers(1, 6, 3)]
            factory.judge(item, {"adequacy": values, "fluency": [3, 2, 3]})

    @property
    def chrf(self):
        return scores_from_outside(self.texts)[0]

    def selection(self, *slugs):
        return Selection.of(self.campaign, with_metrics=slugs or [self.chrf.slug])

    def page(self, query=""):
        response = self.get_as(
            self.researcher, "scores", self.campaign.pk, QUERY_STRING=query.lstrip("?")
        )
        self.assertEqual(response.status_code, 200)
        return response

    def test_nothing_is_added_unasked(self):
        self.judge()
        page = self.page()
        self.assertNotContains(page, "People and metrics")
        self.assertContains(page, "One estimate from people and metrics")
        self.assertNotIn("with_metrics", data(Selection.of(self.campaign)))

    def test_the_link_leads_to_a_choice_and_the_choice_to_the_estimate(self):
        self.judge()
        page = self.page("?with_metric=")
        self.assertContains(page, "Metrics beside people")
        self.assertContains(page, self.chrf.title)
        self.assertNotContains(page, "People and metrics: ")
        page = self.page(f"?with_metric={self.chrf.slug}")
        self.assertContains(page, "People and metrics: adequacy")
        self.assertContains(page, "People and metrics: fluency")
        self.assertContains(page, "Worth nothing here: chrF did not help")
        self.assertContains(page, "No plan named these metrics")
        self.assertContains(page, f'value="{self.chrf.slug}" id="id_with_metric_0" checked')

    def test_it_is_the_estimate_of_the_scores(self):
        self.judge()
        selection = self.selection()
        found = with_metrics(selection, chosen_metrics(selection), "adequacy")
        table = np.full((3, N_SEGMENTS), np.nan)
        for item in self.task.items.order_by("position")[:N_JUDGED]:
            for each in item.judgments.get().ratings.filter(dimension="adequacy"):
                table[self.place(each.output.system_id), item.position] = each.value
        words = np.array([len(s.outputs.first().text.split()) for s in self.segments()])
        documents = [s.document_id for s in self.segments()]
        metric = controls_of_metrics(self.chrf.of(self.systems()), words)
        expected = joint_estimate(table, documents, metric)
        self.assertEqual(found.unit, "segments")  # 15 documents are too few to go by them
        expected = joint_estimate(table, np.arange(N_SEGMENTS), metric)
        np.testing.assert_allclose(found.estimate.joint.estimate, expected.joint.estimate)
        np.testing.assert_allclose(found.estimate.joint.se, expected.joint.se)
        self.assertEqual(found.estimate.n.tolist(), [N_JUDGED] * 3)
        self.assertEqual(found.estimate.n_scored.tolist(), [N_SEGMENTS] * 3)

    def systems(self):
        return np.array(self.texts.systems.order_by("name").values_list("pk", flat=True))

    def place(self, system):
        return self.systems().tolist().index(system)

    def segments(self):
        return self.texts.segments.order_by("position").prefetch_related("outputs")

    def test_people_alone_are_those_of_the_pairs_above(self):
        self.judge()
        selection = self.selection()
        scores = system_scores(selection, "adequacy")
        rows = with_metrics_page.pair_rows(
            with_metrics(selection, chosen_metrics(selection), "adequacy")
        )
        names = scores.names.tolist()
        self.assertEqual(rows[0][0], names[scores.order[0]])
        for first, second, people, low, high, *_ in rows:
            i, j = names.index(first), names.index(second)
            self.assertGreaterEqual(people, 0)
            self.assertAlmostEqual(people, scores.pairs.difference[i, j])
            self.assertAlmostEqual(low, scores.pairs.low[i, j])
            self.assertAlmostEqual(high, scores.pairs.high[i, j])

    def test_files_the_report_and_the_json_have_it(self):
        self.judge()
        query = f"?with_metric={self.chrf.slug}"
        args = (self.campaign.pk, "with-metrics-adequacy-raw")
        lines = self.get_as(
            self.owner, "export-table", *args, QUERY_STRING=query[1:]
        ).content.decode()
        self.assertIn("people,people_low,people_high,difference,low,high,r_squared", lines)
        self.assertEqual(len(lines.splitlines()), 4)
        self.assertEqual(self.get_as(self.owner, "export-table", *args).status_code, 404)
        parts = {part.slug: part for part in report_of(self.selection(), ["scores"]).parts}
        titles = [block.table.title for block in report_of(self.selection(), ["scores"]).grids]
        self.assertIn("People and metrics: adequacy", titles)
        self.assertTrue(parts["scores"].blocks)
        [adequacy, fluency] = data(self.selection())["with_metrics"]
        self.assertEqual((adequacy["dimension"], fluency["dimension"]), ("adequacy", "fluency"))
        self.assertEqual(len(adequacy["pairs"]), 3)

    def test_a_registered_plan_names_them(self):
        stopping.register_controls(self.campaign, known_controls(self.texts), by=self.owner)
        self.judge()
        page = self.page()
        self.assertContains(page, "The plan named these metrics before the first judgment.")
        self.assertContains(page, "People and metrics: adequacy")
        args = (self.campaign.pk, "with-metrics-adequacy-raw")
        self.assertEqual(self.get_as(self.owner, "export-table", *args).status_code, 200)

    def test_a_release_computes_what_the_plan_named_again(self):
        stopping.register_controls(self.campaign, known_controls(self.texts), by=self.owner)
        record.begin(self.campaign.pk, "opened")
        self.judge()
        seal_all()
        with TemporaryDirectory() as folder:
            for hashes_only in (False, True):
                path = Path(folder) / f"release-{hashes_only}.zip"
                manifest = release(self.campaign, path, hashes_only=hashes_only)
                self.assertIn("results/scores/with-metrics-adequacy-raw.csv", manifest["files"])
                verdict = verify(path)
                self.assertEqual(verdict.wrong, [])
                self.assertTrue(all(each.n_close == 0 for each in verdict.figures))

    def test_scores_that_are_stale_or_lack_segments_are_left_out_and_said(self):
        self.judge()
        score = MetricScore.objects.filter(test_set=self.texts).first()
        values = score.segment_scores.copy()
        values[0] = np.nan
        score.segment_data = values.astype("<f8").tobytes()
        score.save()
        caches["results"].clear()
        page = self.page(f"?with_metric={self.chrf.slug}")
        self.assertContains(page, "scores of judged segments are missing")
        self.assertContains(page, "None of the chosen metrics can be used")
        Output.objects.filter(system__test_set=self.texts, segment__position=3).update(text="new")
        caches["results"].clear()
        self.assertContains(
            self.page(f"?with_metric={self.chrf.slug}"), "the texts have changed since"
        )

    def test_with_everything_judged_there_is_nothing_to_add(self):
        self.judge(N_SEGMENTS)
        page = self.page(f"?with_metric={self.chrf.slug}")
        self.assertContains(page, "metrics help where people judge a part")

    def test_with_few_units_people_stand_alone(self):
        self.judge(8)
        page = self.page(f"?with_metric={self.chrf.slug}")
        self.assertContains(page, "8 segments are judged")
        self.assertContains(page, "learned from 10 segments or more")

    def test_before_the_first_judgment(self):
        self.page(f"?with_metric={self.chrf.slug}")

    def test_unknown_and_too_many_names_are_refused(self):
        for query in (
            "?with_metric=bleu-0000",
            "?" + "&".join(f"with_metric=m{n}" for n in range(11)),
        ):
            response = self.get_as(
                self.researcher, "scores", self.campaign.pk, QUERY_STRING=query[1:]
            )
            self.assertEqual(response.status_code, 400)

    def test_a_metric_that_knows_people_makes_intervals_narrower(self):
        self.judge()
        selection = self.selection()
        observed = load(selection)
        rng = np.random.default_rng(4)
        people = np.full((3, N_SEGMENTS), np.nan)
        found = with_metrics(selection, chosen_metrics(selection), "adequacy")
        self.assertLess(found.estimate.share_explained, 0.2)
        rows = observed.of_dimension("adequacy").ratings
        people[rows["system"], rows["segment"]] = rows["value"]
        knows = np.where(np.isnan(people), rng.integers(1, 6, people.shape), people)
        knows = knows + rng.normal(0, 0.5, knows.shape)
        chosen = ChosenMetrics(("s", "t"), ("Knows", "Knows"))
        both = [("Knows", knows), ("Knows", None)]
        words = np.ones(N_SEGMENTS)
        found = with_metrics_of(
            observed, chosen, both, observed.system_ids, words, "adequacy", "raw"
        )
        self.assertGreater(found.estimate.share_explained, 0.7)
        self.assertLess(found.variance_ratio, 0.8)
        said = with_metrics_page.lead(found)
        self.assertIn("With Knows on 60 segments, of which people judged 30", said)
        self.assertEqual(found.gone, ("Knows",))
