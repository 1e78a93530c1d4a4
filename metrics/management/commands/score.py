"""`manage.py score 3 --metric bleu --metric chrf:word_order=2`: scores without a browser."""

import subprocess
import sys
from math import isnan

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from judgments.management.lookup import numbered
from judgments.models import JobStatus, TestSet
from metrics.models import ScoringJob
from metrics.scorers import SCORERS
from metrics.scores.comparisons import UNITS, compare_columns, compute_comparisons
from metrics.scores.tables import MetricColumn, score_table
from metrics.scoring import catalog, choices, jobs
from metrics.scoring.parts import names_for

SOME_FAILED = 3
MOST_WORKERS = 64


class Command(BaseCommand):
    help = (
        "Compute automatic metrics for all systems of a test set, in this process. Prints score, "
        "system and signature of each. Exits with 0; with 1 when the request is refused, 2 when "
        "the arguments are wrong, 3 when some scores could not be computed."
    )

    def add_arguments(self, parser):
        parser.add_argument(
            "test_set", type=int, nargs="?", help="number of the test set, as in its address"
        )
        parser.add_argument(
            "--list", action="store_true", help="list the metrics with their options, and exit"
        )
        parser.add_argument(
            "--metric",
            action="append",
            metavar="NAME[:OPTION=VALUE,…]",
            help=f"may be repeated; --list names them. Default: {', '.join(choices.DEFAULTS)}",
        )
        parser.add_argument(
            "--reference",
            action="append",
            metavar="NAME",
            help="a reference set; repeat it to use several together. Default: all of them",
        )
        parser.add_argument(
            "--workers", type=int, default=1, help="processes that share the work (1)"
        )
        parser.add_argument(
            "--intervals",
            action="store_true",
            help="test the differences too, and print the ends of the 95 %% interval and the "
            "significance group after the signature",
        )
        parser.add_argument(
            "--unit", choices=UNITS, default=UNITS[0], help="what those tests draw (segment)"
        )
        parser.add_argument(
            "--join", type=int, metavar="JOB", help="help to compute a job that exists, and exit"
        )

    def handle(self, *args, test_set, **options):
        if options["list"]:
            return self.list_metrics()
        if options["join"] is not None:
            return self.join(options["join"])
        if test_set is None:
            raise CommandError("Say which test set, or --list.")
        if not 1 <= options["workers"] <= MOST_WORKERS:
            raise CommandError(f"--workers is a number from 1 to {MOST_WORKERS}.")
        job = self.start(test_set, options["metric"], options["reference"])
        self.work(job, options["workers"])
        columns = columns_of(job)
        tested = {}
        if options["intervals"]:
            compute_comparisons(job.test_set, options["unit"])
            table = score_table(job.test_set, check_stale=False)
            tested = compare_columns(columns, table, unit=options["unit"])
        self.report(columns, tested)
        if job.status != JobStatus.DONE:
            self.report_failures(job)

    def list_metrics(self) -> None:
        for slug, scorer in catalog.computed_metrics().items():
            self.stdout.write(f"{slug}  {scorer.name}: {scorer.description}")
            if why_not := scorer.unavailable():
                self.stdout.write(f"    not here: {why_not}")
            for option in catalog.options_of(slug):
                values = f"; {', '.join(option.values)}" if option.values else ""
                self.stdout.write(
                    f"    {option.name} ({option.default_words}): {option.kind}{values}"
                )

    def join(self, job_id: int) -> None:
        if not ScoringJob.objects.filter(pk=job_id).exists():
            raise CommandError(f"There is no job {job_id}.")
        n_computed = jobs.work_on(job_id)
        self.stdout.write(f"{n_computed} part{'s'[: n_computed != 1]} computed")

    def start(self, test_set: int, metric: list[str] | None, reference: list[str] | None):
        found = numbered(TestSet, test_set)
        try:
            metrics = [choices.parse_metric(text) for text in metric or choices.DEFAULTS]
            return jobs.create_job(found, metrics, reference or found.reference_names)
        except ValueError as error:
            raise CommandError(str(error)) from None

    def work(self, job: ScoringJob, workers: int) -> None:
        """Compute the job, together with other processes."""
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "score"]
        others = [
            subprocess.Popen([*command, "--join", str(job.pk)], stdout=subprocess.DEVNULL)
            for _ in range(min(workers, job.total) - 1)
        ]
        try:
            jobs.work_on(job.pk)
        except BaseException:
            jobs.cancel(job.pk)
            raise
        finally:
            for other in others:
                other.wait()
        jobs.work_on(job.pk)  # parts one of them was computing when it died
        job.refresh_from_db()

    def report(self, columns: list[MetricColumn], tested: dict) -> None:
        for column in columns:
            found = tested.get(column.slug)
            for score in sorted(column.scores.values(), key=lambda score: score.system.name):
                line = [column.text(score.score).replace("−", "-").replace(",", "")]
                line += [score.system.name, score.signature]
                if found is not None:
                    ends = found.intervals.get(score.system_id, (float("nan"),) * 2)
                    line += ["" if isnan(end) else f"{end:.{column.places}f}" for end in ends]
                    line.append(str(found.group_numbers.get(score.system_id, "")))
                self.stdout.write("\t".join(line))

    def report_failures(self, job: ScoringJob) -> None:
        """Write all reasons to the error stream, and raise the exit code of partial failure."""
        for metric in jobs.progress_of(job):
            for reason, systems in metric.failures.items():
                self.stderr.write(f"{metric.label} of {', '.join(systems)}: {reason}")
        message = job.message or f"The job was {job.status}."
        raise CommandError(message, returncode=SOME_FAILED)


def columns_of(job: ScoringJob) -> list[MetricColumn]:
    """Return the columns computed by a job, in the order of its metrics."""
    table = score_table(job.test_set, check_stale=False)
    names = {system.pk: system for system in table.systems}
    found = []
    for row in job.metrics:
        choice = choices.choose(row["metric"], row["options"])
        references = sorted(names_for(SCORERS[choice.slug], job.test_set, job.references))
        for column in table.columns:
            is_it = sorted(column.references) == references and is_of(column, choice)
            if is_it and column not in found:
                for score in column.scores.values():
                    score.system = names[score.system_id]
                found.append(column)
    return found


def is_of(column: MetricColumn, choice: choices.MetricChoice) -> bool:
    """Return whether a column has the scores of a choice, under its own name or another one with
    the same signature, as chrF with word order 2 and chrF++."""
    scorer = choice.scorer()
    score = next(iter(column.scores.values()))
    if column.metric == choice.slug and score.options == scorer.options():
        return True
    if scorer.needs_corpus:  # its signature is known only after training
        return False
    n_references = column.signature.partition("|nrefs:")[2].partition("|")[0]
    return column.signature == f"{scorer.label}|{scorer.signature(n_references)}"
