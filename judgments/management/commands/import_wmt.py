"""manage.py import_wmt: a folder of mt-metrics-eval with texts, human scores and metric scores."""

from pathlib import Path

from django.core.management.base import BaseCommand

from judgments.exchange.releases.mt_metrics_eval import MtMetricsEval
from judgments.exchange.releases.wmt_documents import WmtDocuments
from judgments.management.commands.import_release import add_common_arguments, import_paths


class Command(BaseCommand):
    help = (
        "Import a year of WMT from a folder (or .tar.gz) in the layout of mt-metrics-eval: a test "
        "set of each language pair, a campaign of each kind of human score, scores of all metrics. "
        "Or whole documents, as WMT26 published its sources and outputs."
    )

    def add_arguments(self, parser):
        parser.add_argument("path", type=Path)
        parser.add_argument(
            "--pair", nargs="+", default=[], metavar="en-de", help="only these language pairs"
        )
        add_common_arguments(parser)

    def handle(self, *args, **options):
        answers = {"pairs": " ".join(options["pair"])} if options["pair"] else {}
        only = f"{MtMetricsEval.slug} {WmtDocuments.slug}"
        import_paths(self, [options["path"]], options, only=only, answers=answers)
