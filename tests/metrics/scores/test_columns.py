"""One metric of a test set in detail, and by document."""

from django.urls import reverse
from django_tasks_db.models import DBTaskResult

from metrics.models import Comparison, MetricScore
from metrics.scores import tasks as scores_tasks
from metrics.scores.comparisons import compute_comparisons
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase


class ColumnsTestCase(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        choices = [MetricChoice("bleu"), MetricChoice("ter")]
        jobs.work_on(jobs.create_job(cls.test_set, choices, ["ref"]).pk)
        cls.slugs = {c.metric: c.slug for c in score_table(cls.test_set).columns}


class ColumnTest(ColumnsTestCase):
    name = "metric-column"

    def page(self, metric="bleu", **query):
        address = (self.name, self.test_set.pk, self.slugs[metric])
        return self.get_as(self.researcher, *address, data=query)

    def test_strangers(self):
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404}
        self.assert_refused(self.name, self.test_set.pk, self.slugs["bleu"], users=expected)

    def test_an_unknown_column_or_one_of_another_test_set(self):
        other = factory.make_test_set(self.owner, name="Other")
        for pk, slug in ((self.test_set.pk, "bleu-00000000"), (other.pk, self.slugs["bleu"])):
            response = self.get_as(self.owner, self.name, pk, slug)
            self.assertEqual(response.status_code, 404)

    def test_what_is_behind_the_scores(self):
        response = self.page()
        labels = response.context["details"]["labels"]
        self.assertTrue(any("revity" in label for label in labels), labels)
        system, values = response.context["details"]["rows"][0]
        stored = MetricScore.objects.get(system=system, metric="bleu")
        scorer = MetricChoice("bleu").scorer()
        found = dict(scorer.details(stored.statistics.sum(axis=0)))
        for label, text in zip(labels, values, strict=True):
            value = float(text.replace("−", "-").replace("∞", "inf"))
            self.assertAlmostEqual(value, found[label], delta=0.005)

    def test_few_units_are_said_to_be_few(self):
        words = "The tests have only 4 segments to draw"
        self.assertNotContains(self.page(), words)
        compute_comparisons(self.test_set)
        self.assertContains(self.page(), words)
        page = self.get_as(self.researcher, "test-set-metrics", self.test_set.pk)
        self.assertContains(page, words, count=1)

    def test_without_tests(self):
        response = self.page()
        self.assertContains(
            response, "The differences between these scores have not been tested yet"
        )
        self.assertNotContains(response, "Test the differences")
        response = self.get_as(self.owner, self.name, self.test_set.pk, self.slugs["bleu"])
        self.assertContains(response, "Test the differences")
        scores_tasks.enqueue_comparisons(self.test_set.pk)
        self.assertContains(self.page(), "The differences are being tested.")

    def test_every_pair_with_its_p(self):
        self.assertEqual(compute_comparisons(self.test_set), 2)
        response = self.page("ter", adjust="raw")
        tested = response.context["tested"]
        order = [system.name for system in self.test_set.systems.all()]
        names = [name for name, _ in response.context["matrix"]]
        self.assertEqual(sorted(names), order)
        for row, (_, meetings) in enumerate(response.context["matrix"]):
            for place, meeting in enumerate(meetings):
                if row == place:
                    self.assertIsNone(meeting)
                    continue
                pair = tested.pair(tested.system_ids[row], tested.system_ids[place])
                sign = 1 if row < place else -1
                self.assertEqual(meeting.difference, sign * pair.difference)
                self.assertEqual(meeting.p, pair.randomization.raw)
                self.assertLessEqual(meeting.low, meeting.high)
        self.assertContains(response, "of 3 pairs of systems differ significantly")
        self.assertContains(response, "with no adjustment")

    def test_the_switches_pass_over_nonsense(self):
        compute_comparisons(self.test_set)
        for query in ({"unit": "x"}, {"test": "pairs"}, {"adjust": "first"}):
            response = self.page(**query)
            self.assertContains(response, "after Holm")

    def test_by_document(self):
        compute_comparisons(self.test_set, "document")
        response = self.page(unit="document")
        self.assertEqual(response.context["tested"].unit, "document")
        self.assertContains(response, "Tests over 2 documents")


class DocumentsTest(ColumnsTestCase):
    name = "metric-documents"

    def test_strangers(self):
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404}
        self.assert_refused(self.name, self.test_set.pk, self.slugs["bleu"], users=expected)

    def test_statistics_are_summed(self):
        response = self.get_as(self.researcher, self.name, self.test_set.pk, self.slugs["bleu"])
        scorer = MetricChoice("bleu").scorer()
        systems = response.context["systems"]
        rows = list(response.context["page"])
        self.assertEqual([(name, size) for name, size, _ in rows], [("doc0", 2), ("doc1", 2)])
        for i, system in enumerate(systems):
            stats = MetricScore.objects.get(system=system, metric="bleu").statistics
            self.assertAlmostEqual(rows[0][2][i], scorer.score(stats[:2].sum(axis=0)))
            self.assertAlmostEqual(rows[1][2][i], scorer.score(stats[2:].sum(axis=0)))

    def test_the_worst_first(self):
        system = self.test_set.systems.first()
        for metric, sign in (("bleu", 1), ("ter", -1)):
            address = reverse(self.name, args=[self.test_set.pk, self.slugs[metric]])
            response = self.as_user(self.owner).get(address, {"sort": system.pk})
            scores = [sign * row[2][0] for row in response.context["page"]]
            self.assertEqual(scores, sorted(scores))
            self.assertContains(response, "aria-sort=")

    def test_a_document_without_an_output(self):
        test_set = factory.make_test_set(self.owner, name="With a hole")
        system = test_set.systems.first()
        system.outputs.filter(segment__document__name="doc1").delete()
        jobs.work_on(jobs.create_job(test_set, [MetricChoice("bleu")], ["ref"]).pk)
        slug = score_table(test_set).columns[0].slug
        response = self.get_as(self.owner, self.name, test_set.pk, slug)
        self.assertContains(response, '<td class="num">–</td>', count=1, html=True)


class TestTest(ColumnsTestCase):
    name = "score-test"

    def test_strangers(self):
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        self.assert_refused(self.name, self.test_set.pk, users=expected, method="post")

    def test_post_only(self):
        self.assert_post_only(self.name, self.test_set.pk)

    def test_it_is_queued_once(self):
        for _ in range(2):
            self.post_as(self.owner, self.name, self.test_set.pk, data={"unit": "document"})
        queued = DBTaskResult.objects.filter(task_path="metrics.scores.tasks.run_comparisons")
        self.assertEqual(
            [row.args_kwargs["args"] for row in queued], [[self.test_set.pk, "document"]]
        )

    def test_an_unknown_unit_is_the_segment(self):
        response = self.post_as(self.owner, self.name, self.test_set.pk, data={"unit": "x"})
        self.assertTrue(response["Location"].endswith("?unit=segment"))


class FragmentTest(ColumnsTestCase):
    name = "score-fragment"

    def test_strangers(self):
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404}
        self.assert_refused(self.name, self.test_set.pk, users=expected)

    def test_it_asks_again_only_while_tests_are_coming(self):
        self.test_set.scoring_jobs.update(finished_at=None)
        response = self.get_as(self.researcher, self.name, self.test_set.pk)
        self.assertNotContains(response, "hx-get")
        scores_tasks.enqueue_comparisons(self.test_set.pk)
        response = self.get_as(self.researcher, self.name, self.test_set.pk, data={"by": "x"})
        self.assertContains(
            response, f'hx-get="{reverse(self.name, args=[self.test_set.pk])}?by=x"'
        )

    def test_intervals_and_groups_once_they_are_there(self):
        compute_comparisons(self.test_set)
        response = self.get_as(self.researcher, self.name, self.test_set.pk)
        self.assertNotContains(response, "hx-get")
        view = response.context["view"]
        self.assertFalse(view.is_untested)
        for _, cells in view.rows():
            for cell in cells:
                self.assertLessEqual(cell.low, cell.cell.score.score)
                self.assertGreaterEqual(cell.high, cell.cell.score.score)
                self.assertContains(response, cell.interval)
        self.assertContains(response, "group 1")

    def test_sorted_by_another_metric_and_only_some_shown(self):
        data = {"by": self.slugs["ter"], "show": [self.slugs["ter"]]}
        view = self.get_as(self.owner, self.name, self.test_set.pk, data=data).context["view"]
        scores = [cells[0].cell.score.score for _, cells in view.rows()]
        self.assertEqual(scores, sorted(scores))
        self.assertIn("best by TER", view.sentence)


class DeleteTest(ColumnsTestCase):
    name = "metric-delete"

    def address(self, metric="bleu"):
        return (self.name, self.test_set.pk, self.slugs[metric])

    def test_who_may(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused(*self.address(), users=users, method=method)
        self.assertEqual(MetricScore.objects.filter(metric="bleu").count(), 3)

    def test_the_metric_leads_there_for_the_owner(self):
        link = reverse(self.name, args=self.address()[1:])
        for user, times in ((self.owner, 1), (self.researcher, 0)):
            page = self.get_as(user, "metric-column", *self.address()[1:])
            self.assertContains(page, link, count=times)

    def test_it_asks_first(self):
        page = self.get_as(self.owner, *self.address())
        self.assertContains(page, "The scores of 3 systems by BLEU, against ref,")
        self.assertContains(page, "They can be computed again.")
        self.assertEqual(MetricScore.objects.count(), 6)

    def test_scores_go_with_their_tests_and_others_stay(self):
        compute_comparisons(self.test_set)
        response = self.post_as(self.owner, *self.address())
        page = self.client.get(response["Location"])
        self.assertContains(page, "The scores of BLEU were deleted.")
        self.assertEqual({s.metric for s in MetricScore.objects.all()}, {"ter"})
        self.assertEqual({c.signature[:3] for c in Comparison.objects.all()}, {"TER"})
        self.assertEqual(self.post_as(self.owner, *self.address()).status_code, 404)

    def test_only_those_of_this_test_set(self):
        other = factory.make_test_set(self.owner, name="Other")
        jobs.work_on(jobs.create_job(other, [MetricChoice("bleu")], ["ref"]).pk)
        self.post_as(self.owner, *self.address())
        self.assertEqual(MetricScore.objects.filter(metric="bleu", test_set=other).count(), 3)
