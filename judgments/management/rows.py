"""Base of commands that import rows of one kind (judgments/files/rows.py)."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar

from django.core.management.base import BaseCommand, CommandError

from judgments.files import ImportProblem
from judgments.files.output_texts import OutputTexts
from judgments.files.problem import FileRow
from judgments.files.rows import RowKind, import_rows
from judgments.models import Campaign, TestSet
from judgments.protocols import protocol_of

from .lookup import named_files, numbered


class RowsCommand(BaseCommand):
    """Rows of a campaign or a test set, from one table.

    page: the address of a page that only campaigns with such rows have; lacking: the error for
    other campaigns. summary: the report of imported rows.
    """

    kind: ClassVar[type[RowKind]]
    owner: ClassVar[type[Campaign] | type[TestSet]] = Campaign
    page: ClassVar[str] = ""
    lacking: ClassVar[str] = ""
    summary: ClassVar[str]
    read: ClassVar[Callable[[Path], Iterable[FileRow]]]

    def add_arguments(self, parser):
        noun = self.owner._meta.verbose_name
        parser.add_argument("number", type=int, help=f"of the {noun}, as in its address")
        self.add_files(parser)
        if self.kind.adds:
            what = f"replace the existing {self.kind.nouns}"
            parser.add_argument("--replace", action="store_true", help=what)

    def add_files(self, parser):
        parser.add_argument("table", type=Path)

    def handle(self, *args, number, **options):
        noun = str(self.owner._meta.verbose_name)
        found = numbered(self.owner, number)
        if self.page and not protocol_of(found).has_page(self.page):
            raise CommandError(f"Campaign {number} {self.lacking}.")
        rows = self.rows(found, options)
        try:
            added = import_rows(self.kind, found, rows, replace=options.get("replace", False))
        except ImportProblem as problem:
            raise CommandError(f"Nothing was imported. {problem}") from None
        summary = self.summary.format(rows=added.rows, groups=added.groups)
        self.stdout.write(f"{noun.capitalize()} {number}: {summary}.")

    def rows(self, owner, options) -> Iterable[FileRow]:
        return type(self).read(options["table"])


class OutputTextsCommand(RowsCommand):
    """Rows from a plain-text file for each system, or from one table."""

    texts: ClassVar[OutputTexts]

    def add_files(self, parser):
        parser.add_argument("--system", action="append", default=[], metavar="[NAME=]FILE")
        parser.add_argument("--table", type=Path, help="one .tsv, .csv or .jsonl instead")

    def rows(self, owner, options) -> Iterable[FileRow]:
        table, systems, name = options["table"], options["system"], options.get("name", "")
        if bool(table) == bool(systems):
            raise CommandError("Give either --table or --system, once for each file.")
        if table:
            return self.texts.from_table(table, name)
        test_set = owner if isinstance(owner, TestSet) else owner.test_set
        files = named_files(systems, "systems")
        return self.texts.from_lines(files, test_set.segments.count(), name)
