"""manage.py recompute: the figures that a release publishes, beside the site's own."""

from collections import Counter, defaultdict
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
    NONE,
    OTHER,
    SAME,
    Recomputed,
    of_metrics,
    recomputed,
)
from judgments.results.selection.selection import Selection

FAULTS = Columns(("figure", "of", "published", "own", "reason"), ("dimension", "now", "recorded"))
SHOWN = 20  # of each kind of figure with the same reason, unless all are asked for
# In which order they are printed: what differs for no known reason first.
ORDER = (OTHER, FAULT, KNOWN, NEAR, NONE, FLOATS, SAME)


class Command(BaseCommand):
    help = (
        "Read a release, recompute its figures, and show those that differ next to the published "
        "ones, digit by digit, with the convention used; a last line gives the number of each "
        "kind. Nothing is stored. The exit status is 1 if a figure differs for an unknown reason."
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
        parser.add_argument(
            "--all", action="store_true", help="show every figure, including equal ones"
        )

    def handle(self, *args, path, **options):
        answers = dict(answer.partition("=")[::2] for answer in options["answer"])
        self.shows_all = options["all"]
        try:
            self.faults = read_faults(options["known_faults"])
            with scratch_tables():
                n_other = self.compare(path, answers)
        except (ImportProblem, NothingImported) as problem:
            raise CommandError(f"Nothing was computed. {problem}") from None
        if n_other:
            raise CommandError(
                "1 figure differs." if n_other == 1 else f"{n_other:,} figures differ."
            )

    def compare(self, paths: list[Path], answers: dict[str, str]) -> int:
        """Print what differs, then the sums; how many differ without a reason."""
        owner = get_user_model().objects.create(username="recompute", is_active=False)
        problems = Problems()
        with opened(paths) as files:
            release = registry.read(files, answers, problems)
            written = write(release, owner, problems)
        for app in ("judgments", "metrics"):
            analyze(*apps.get_app_config(app).get_models())
        found = [(each.name, recomputed(Selection.of(each))) for each, _ in written.campaigns]
        for test_set in written.test_sets.values():
            found.append((f"{test_set.name}, metrics", of_metrics(test_set)))
        verdicts: Counter[str] = Counter()
        for name, rows in found:
            rows = [self.with_fault(row) for row in rows]
            self.show(name, rows)
            verdicts.update(row.verdict for row in rows)
        if not verdicts:
            raise CommandError("The release contains no published figures that the site knows.")
        self.stdout.write(sums(verdicts))
        return verdicts[OTHER]

    def with_fault(self, row: Recomputed) -> Recomputed:
        reason = self.faults.get(key_of(row))
        return row if reason is None else row.with_fault(reason)

    def show(self, name: str, rows: list[Recomputed]) -> None:
        """Print figures by verdict, those that differ first; of figures that differ for the same
        reason the reason once."""
        groups: dict[tuple[str, str], list[Recomputed]] = defaultdict(list)
        for row in rows:
            if self.shows_all or row.verdict not in (SAME, FLOATS):
                groups[row.verdict, row.reason].append(row)
        if groups:
            self.stdout.write(name)
        for verdict, reason in sorted(groups, key=lambda group: (ORDER.index(group[0]), group[1])):
            self.show_group(verdict, reason, groups[verdict, reason])
        shown = {row.figure: row.convention for group in groups.values() for row in group}
        for figure in sorted(figure for figure, convention in shown.items() if convention):
            self.stdout.write(f"  {figure}: {shown[figure]}")
        if groups:
            self.stdout.write("")

    def show_group(self, verdict: str, reason: str, rows: list[Recomputed]) -> None:
        """The figures of one verdict and reason: the first of each kind, and how many more."""
        indent = "  "
        if reason:
            self.stdout.write(f"  {len(rows):,} {verdict}: {reason}")
            indent = "    "
        shown: Counter[str] = Counter()
        for row in rows:
            shown[row.figure] += 1
            if self.shows_all or shown[row.figure] <= SHOWN:
                what = " ".join(filter(None, (row.figure, row.dimension, row.of)))
                self.stdout.write(
                    f"{indent}{verdict:7} {what}: {row.published} published, {row.own or '–'} here"
                )
        for figure, n in shown.items():
            if not self.shows_all and n > SHOWN:
                self.stdout.write(f"{indent}{n - SHOWN:,} more of {figure}; --all shows them")


def sums(verdicts: Counter[str]) -> str:
    """Return one line: how many figures there are, and how many of each verdict that there is."""
    said = {
        "with every digit": verdicts[SAME] + verdicts[FLOATS],
        "for no known reason different": verdicts[OTHER],
        "known faults of the publication": verdicts[FAULT],
        "different for a reason that is known": verdicts[NEAR] + verdicts[KNOWN],
        "not compared": verdicts[NONE],
    }
    parts = [f"{n:,} {words}" for words, n in said.items() if n]
    return f"{sum(verdicts.values()):,} published figures: {', '.join(parts)}."


def key_of(row: Recomputed) -> tuple[str, ...]:
    return row.figure, row.dimension, row.of, row.published, row.own


def read_faults(path: Path | None) -> dict[tuple[str, ...], str]:
    """Return the reasons of known faults by figure, dimension, of what, published and own text.
    Raises ImportProblem."""
    found: dict[tuple[str, ...], str] = {}
    for row in read_table(path, FAULTS, exported=True) if path else ():
        key = (row.text("figure"), row.get("dimension"), row.get("of"), row.text("published"))
        found[*key, row.text("own")] = row.text("reason")
    return found
