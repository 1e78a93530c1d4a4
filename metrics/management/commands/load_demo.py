from django.core.management.base import BaseCommand

from judgments import demo
from judgments.models import TestSet
from metrics import choices, jobs, tasks
from metrics.models import ScoringJob


class Command(BaseCommand):
    help = "Load the demo: texts, two campaigns with simulated judgments, and scores by the worker."

    def handle(self, *args, **options):
        outcome = demo.load()
        test_set = TestSet.objects.get(name=demo.TEST_SET)
        if not ScoringJob.objects.filter(test_set=test_set).exists():
            metrics = [choices.parse_metric(name) for name in choices.DEFAULTS]
            job = jobs.create_job(test_set, metrics, test_set.reference_names, test_set.owner)
            tasks.enqueue(job)
        return outcome
