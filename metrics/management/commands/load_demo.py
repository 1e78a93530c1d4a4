"""`manage.py load_demo`: the demo campaigns with simulated judgments and metric scores, once."""

from django.core.management.base import BaseCommand
from django.db import transaction

from judgments.exchange import demo
from judgments.models import Judge, TestSet
from metrics.models import MetricScore
from metrics.scores import comparisons as comparing
from metrics.scores import model_judges
from metrics.scoring import choices, jobs
from mteval_site.demo_accounts import TEST_SET


class Command(BaseCommand):
    help = "Load the demo campaigns, unless they exist already."

    def handle(self, *args, **options) -> str:
        with transaction.atomic():
            found = demo.load()
            test_set = TestSet.objects.get(name=TEST_SET)
            if not MetricScore.objects.filter(test_set=test_set).exists():
                metrics = [choices.parse_metric(text) for text in choices.DEFAULTS]
                job = jobs.create_job(test_set, metrics, test_set.reference_names, test_set.owner)
                jobs.work_on(job.pk)
                for judge in Judge.objects.filter(campaign__test_set=test_set):
                    model_judges.store(judge)
                comparing.compute_comparisons(test_set)
        return found
