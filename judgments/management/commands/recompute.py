"""manage.py recompute: the figures that a release publishes, beside the site's own."""

from collections import Counter
from pathlib import Path

from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from judgments.exchange.releases import registry
from judgments.exchange.releases.records import Problems
from judgments.exchange.releases.writing import NothingImported, write
from judgments.files import ImportProblem
from judgments.files.copying import analyze
from judgments.files.table import Columns, read_table
from judgments.files.uploads import opened
from judgments.models.scratch import scratch_tables
from judgments.results.recomputation.figures import (
    FAULT,
    FLOATS,
    KNOWN,
    NEAR,
    OTHER,
    SAME,
    Recomputed,
    of_metrics,
    recomputed,
)
from judgments.results.selection.selection import Selection

FAULTS = Columns(("figure", "of", "published", "own", "reason"), ("dimension", "now", "recorded"))
SHOWN = 20  # of each kind of figure, unless all are asked for


class Command(BaseCommand):
    help = (
        "Read a release, compute its figures anew, and show each beside the published one, digit "
        "by digit, with the convention used. Nothing is stored. Ends with 1 if a figure differs "
        "for a reason that is not known."
    )

    def add_arguments(self, parser):
        parser.add_argument("path", type=Path, nargs="+", metavar="FOLDER")
        parser.add_argument("--answer", action="append", default=[], metavar="NAME=VALUE")
        parser.add_argument(
            "--known-faults",
            type=Path,
            metavar="FILE",
            help=f"a .tsv of faults of the publication: {', '.join(FAULTS.required)}, dimension",
        )
        parser.add_argument("--all", action="store_true", help="show every figure")

    def handle(self, *args, path, **options):
        answers = dict(answer.partition("=")[::2] for answer in options["answer"])
        self.most = None if options["all"] else SHOWN
        try:
            self.faults = read_faults(options["known_faults"])
            with scratch_tables():
                n_other = self.compare(path, answers)
        except (ImportProblem, NothingImported) as problem:
            raise CommandError(f"Nothing was computed. {problem}") from None
        if n_other:
            raise CommandError(f"{n_other:,} figures differ.")

    def compare(self, paths: list[Path], answers: dict[str, str]) -> int:
        """Print all figures; how many differ without a reason."""
        owner = get_user_model().objects.create(username="recompute", is_active=False)
        problems = Problems()
        with opened(paths) as files:
            release = registry.read(files, answers, problems)
            written = write(release, owner, problems)
        for app in ("judgments", "metrics"):
            analyze(*apps.get_app_config(app).get_models())
        n = n_other = 0
        for campaign, _ in written.campaigns:
            rows = recomputed(Selection.of(campaign))
            n += len(rows)
            n_other += self.show(campaign.name, rows)
        for test_set in written.test_sets.values():
            rows = of_metrics(test_set)
            n += len(rows)
            n_other += self.show(f"{test_set.name}, metrics", rows)
        if not n:
            raise CommandError("The release holds no published figures that the site knows.")
        return n_other

    def show(self, name: str, rows: list) -> int:
        rows = [
            row if (reason := self.faults.get(key_of(row))) is None else row.with_fault(reason)
            for row in rows
        ]
        shown: Counter[tuple[str, str]] = Counter()
        verdicts: Counter[str] = Counter(row.verdict for row in rows)
        if rows:
            self.stdout.write(f"\n{name}")
        for row in rows:
            key = (row.figure, row.verdict)
            shown[key] += 1
            if self.most is None or shown[key] <= self.most:
                what = " ".join(filter(None, (row.figure, row.dimension, row.of)))
                reason = f"  ({row.reason})" if row.reason else ""
                line = f"  {row.verdict:6} {what}: {row.published} published, {row.own or '–'} here"
                self.stdout.write(line + reason)
        for convention in sorted({f"{r.figure}: {r.convention}" for r in rows if r.convention}):
            self.stdout.write(f"  {convention}")
        n, n_close = verdicts[SAME] + verdicts[FLOATS], verdicts[NEAR] + verdicts[KNOWN]
        if rows:
            close = f", {n_close:,} differ for a reason that is known" if n_close else ""
            if n_faults := verdicts[FAULT]:
                close += f", {n_faults:,} are known faults of the publication"
            self.stdout.write(f"  {n:,} of {len(rows):,} with every digit{close}.")
        return sum(row.verdict == OTHER for row in rows)


def key_of(row: Recomputed) -> tuple[str, ...]:
    return row.figure, row.dimension, row.of, row.published, row.own


def read_faults(path: Path | None) -> dict[tuple[str, ...], str]:
    """The reasons of known faults by figure, dimension, of what, published and own text. Raises
    ImportProblem."""
    found: dict[tuple[str, ...], str] = {}
    for row in read_table(path, FAULTS, exported=True) if path else ():
        key = (row.text("figure"), row.get("dimension"), row.get("of"), row.text("published"))
        found[*key, row.text("own")] = row.text("reason")
    return found
