"""`manage.py score 3 --metric bleu --metric chrf:word_order=2`: scores without a browser."""

from django.core.management.base import BaseCommand, CommandError

from judgments.models import TestSet
from metrics import choices, jobs
from metrics.models import JobStatus, MetricScore
from metrics.scorers import SCORERS


class Command(BaseCommand):
    help = "Compute automatic metrics for all systems of a test set, in this process."

    def add_arguments(self, parser):
        parser.add_argument("test_set", type=int, help="number of the test set, as in its address")
        parser.add_argument(
            "--metric",
            action="append",
            metavar="NAME[:OPTION=VALUE,…]",
            help=f"may be repeated; known: {', '.join(SCORERS)}. "
            f"Without it: {', '.join(choices.DEFAULTS)}",
        )
        parser.add_argument(
            "--reference",
            action="append",
            help="a reference set; repeat it to use several together. Without it: all of them",
        )

    def handle(self, *args, test_set, metric, reference, **options):
        found = TestSet.objects.filter(pk=test_set).first()
        if found is None:
            raise CommandError(f"There is no test set {test_set}.")
        try:
            metrics = [choices.parse_metric(text) for text in metric or choices.DEFAULTS]
            job = jobs.create_job(found, metrics, reference or found.reference_names)
        except ValueError as error:
            raise CommandError(str(error)) from None
        jobs.work_on(job.pk)
        job.refresh_from_db()
        self.report(job)
        if job.status != JobStatus.DONE:
            raise CommandError(job.message or f"The job was {job.status}.")

    def report(self, job):
        scores = MetricScore.objects.light().filter(
            test_set=job.test_set, references=job.references
        )
        for score in scores.select_related("system").order_by("signature", "system__name"):
            self.stdout.write(f"{score.score:.2f}\t{score.system.name}\t{score.signature}")
