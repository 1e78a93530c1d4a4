"""A reference that people judge as a hidden system does not count as a system for metrics."""

from django.test import TestCase

from judgments.models import Output, Reference, System
from metrics.models import MetricScore
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import parse_metric
from tests import factory


class ReferenceCopyTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        cls.test_set = factory.make_test_set(cls.owner, n_systems=2)
        cls.copy = System.objects.create(test_set=cls.test_set, name="ref", copies_reference="ref")
        Output.objects.bulk_create(
            Output(system=cls.copy, segment_id=segment, text=text)
            for segment, text in Reference.objects.values_list("segment_id", "text")
        )

    def test_no_metric_scores_it_and_no_table_shows_it(self):
        job = jobs.create_job(self.test_set, [parse_metric("bleu")], ["ref"], self.owner)
        self.assertEqual(job.total, 2)
        jobs.work_on(job.pk)
        scored = MetricScore.objects.values_list("system__name", flat=True)
        self.assertEqual(sorted(scored), ["System-A", "System-B"])
        table = score_table(self.test_set)
        self.assertEqual([system.name for system in table.systems], ["System-A", "System-B"])

    def test_there_is_nothing_to_score_without_another_system(self):
        System.objects.exclude(pk=self.copy.pk).delete()
        with self.assertRaisesMessage(ValueError, "no systems to score"):
            jobs.create_job(self.test_set, [parse_metric("bleu")], ["ref"], self.owner)
