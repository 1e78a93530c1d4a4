from django.core.management.base import BaseCommand

from judgments import demo


class Command(BaseCommand):
    help = "Load the demo: a small test set and two campaigns with simulated judgments."

    def handle(self, *args, **options):
        return demo.load()
