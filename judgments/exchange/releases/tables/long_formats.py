"""The three kinds of files that hold our long tables, each a format of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from judgments.files.formulas import tsv_line
from judgments.files.uploads import Folder, ReleaseFile
from mteval_site import extras

from ..format import Answers, Format
from ..records import Problems, Release
from .long import COLUMNS, TABLES, put_release, table_of
from .long_reading import LongTables
from .parquet import ParquetTable
from .sources import kind_of, tables_if_any, tables_of
from .workbooks import BookWriter, sheet_names


class LongTsv(Format):
    slug = "tsv"
    name = "Long tables (TSV)"
    holds = "test sets, campaigns, texts, ratings, preferences and errors, a folder of tables"
    writes = True
    kind = "\t"
    guards = True

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        named = {file: self.names_in(file) for file in files if kind_of(file) == self.kind}
        is_whole = any("test_sets" in names for names in named.values())
        return [file for file, names in named.items() if names and is_whole]

    def names_in(self, file: ReleaseFile) -> list[str]:
        """Return which of the tables a file holds."""
        columns = file.first_lines(1)[0].split("\t")
        return [name] if (name := table_of(columns)) else []

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        sources = [source for file in files for source in tables_of(file)]
        return LongTables(sources, problems, self.guards).release()

    def write(self, release: Release, folder: Folder) -> None:
        with ExitStack() as stack:
            files = {name: stack.enter_context(folder.text(f"{name}.tsv")) for name in TABLES}
            for name, write in files.items():
                write(tsv_line(COLUMNS[name]))

            def put(name: str, row: Sequence) -> None:
                files[name](tsv_line("" if cell is None else cell for cell in row))

            put_release(release, put)


class XlsxWorkbook(LongTsv):
    slug = "xlsx"
    name = "Workbook (XLSX)"
    holds = "the same tables as sheets of one workbook"
    file = "campaign.xlsx"
    kind = "xlsx"

    def names_in(self, file: ReleaseFile) -> list[str]:
        return [name for title in sheet_names(file) if (name := title.split(" ")[0]) in TABLES]

    def write(self, release: Release, folder: Folder) -> None:
        book = BookWriter()
        for name in TABLES:
            book.add(name, COLUMNS[name])
        put_release(release, book.write)
        with folder.open(self.file) as stream:
            book.save(stream)


class ParquetTables(LongTsv):
    slug = "parquet"
    name = "Long tables (Parquet)"
    holds = "the same tables as files of Parquet"
    kind = "parquet"
    guards = False

    def may_write(self, release: Release) -> str:
        package = "pyarrow"
        return super().may_write(release) or (
            "" if extras.is_there(package) else extras.how_to_install(package)
        )

    def names_in(self, file: ReleaseFile) -> list[str]:
        return [name for each in tables_if_any(file) if (name := table_of(each.columns))]

    def write(self, release: Release, folder: Folder) -> None:
        with ExitStack() as stack:
            tables = {}
            for name in TABLES:
                stream = stack.enter_context(folder.open(f"{name}.parquet"))
                tables[name] = ParquetTable(stream, TABLES[name])
                stack.callback(tables[name].close)

            def put(name: str, row: Sequence) -> None:
                tables[name].write(row)

            put_release(release, put)
