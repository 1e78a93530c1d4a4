"""`manage.py load_demo`: the demo campaigns with simulated judgments and metric scores, once."""

from django.core.management.base import BaseCommand
from django.db import transaction

from judgments.exchange import demo
from judgments.models import TestSet
from metrics.models import MetricScore
from metrics.scores.demo import score_demo
from mteval_site.demo_accounts import TEST_SET


class Command(BaseCommand):
    help = "Load the demo campaigns, unless they exist already."

    def handle(self, *args, **options) -> str:
        with transaction.atomic():
            found = demo.load()
            test_set = TestSet.objects.get(name=TEST_SET)
            if not MetricScore.objects.filter(test_set=test_set).exists():
                score_demo(test_set)
        return found
