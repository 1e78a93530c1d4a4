"""`manage.py import_scores 3 COMET-22-refA.seg.score --higher-is-better`."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from judgments.files import ImportProblem
from judgments.management.lookup import numbered
from judgments.models import TestSet
from metrics.formats.entries import parse_given
from metrics.scores.importing import Instructions, import_scores


class Command(BaseCommand):
    help = (
        "Add scores that other programs computed to a test set: files of mt-metrics-eval "
        "(METRIC-REF.seg.score, .doc.score, .domain.score, .sys.score) or tables (.tsv or "
        ".jsonl), .gz too. "
        "docs/guide/formats.md describes them."
    )

    def add_arguments(self, parser):
        parser.add_argument("test_set", type=int, help="number of the test set, as in its address")
        parser.add_argument("file", type=Path, nargs="+")
        direction = parser.add_mutually_exclusive_group(required=True)
        direction.add_argument("--higher-is-better", action="store_true")
        direction.add_argument("--lower-is-better", action="store_true")
        parser.add_argument(
            "--except",
            action="append",
            default=[],
            metavar="METRIC",
            dest="exceptions",
            help="a metric of the other direction; may be repeated",
        )
        parser.add_argument("--name", default="", help="of the one metric in the files")
        parser.add_argument(
            "--reference",
            action="append",
            default=[],
            help="a reference set that the metrics read, where the files do not say; "
            "may be repeated. src: they read none",
        )
        parser.add_argument(
            "--skip-unknown",
            action="store_true",
            help="leave out systems that the set does not have",
        )
        parser.add_argument(
            "--replace", action="store_true", help="replace earlier scores of these metrics"
        )

    def handle(self, *args, test_set, file, **options):
        found = numbered(TestSet, test_set)
        instructions = Instructions(
            higher_is_better=options["higher_is_better"],
            exceptions=frozenset(options["exceptions"]),
            name=options["name"],
            references=parse_given(options["reference"]),
            skip_unknown=options["skip_unknown"],
            replace=options["replace"],
        )
        try:
            imported = import_scores(found, file, instructions)
        except ImportProblem as problem:
            raise CommandError(f"Nothing was imported. {problem}") from None
        if imported.skipped:
            self.stdout.write(f"Left out: {', '.join(imported.skipped)}.")
        for label in imported.labels:
            self.stdout.write(label)
        self.stdout.write(
            f"Test set {found.pk}: {len(imported.labels)} metric(s), {imported.n_scores:,} "
            f"scores of systems, {imported.n_spans:,} marked errors."
        )
