"""Tables: TSV, CSV or JSON lines by the file's name, with their columns checked."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from . import csv_files, jsonl
from .formulas import unguarded
from .lines import LONGEST_TEXT, Source, name_of, problem_with_text
from .problem import ImportProblem, shortened

MOST_COLUMNS = 1_000
LONGEST_FIGURE = 60  # longest cell that `PublishedFigure` stores
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
FORMATS = {suffix: module for module in (csv_files, jsonl) for suffix in module.SUFFIXES}


@dataclass(frozen=True)
class Columns:
    """The columns of a table: `required` and `optional` names, and prefixes of names such as
    "system:", of which there may be any number."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()

    def check(self, file: str, row: int, names: tuple[str, ...]) -> None:
        """Raise ImportProblem for missing, unknown or too many columns."""
        if len(names) > MOST_COLUMNS:
            reason = f"there are {len(names):,} columns; at most {MOST_COLUMNS:,} are possible."
            raise ImportProblem(file, row, "", reason)
        for name in self.required:
            if name not in names:
                reason = f"this column is missing. The columns are {', '.join(self.required)}"
                reason += f"; also possible: {', '.join(self.optional)}." if self.optional else "."
                raise ImportProblem(file, row, name, reason)
        known = {*self.required, *self.optional}
        for name in names:
            if name in known or any(
                name.startswith(prefix) and name != prefix for prefix in self.prefixes
            ):
                continue
            possible = [*self.required, *self.optional, *(p + "NAME" for p in self.prefixes)]
            reason = f"this column is not known here. The known columns are {', '.join(possible)}."
            raise ImportProblem(file, row, name, reason)


class Row:
    """One row of a table: its cells, and typed readers whose errors name the place."""

    __slots__ = ("cells", "file", "number")

    def __init__(self, file: str, number: int, cells: dict[str, str]) -> None:
        self.file = file
        self.number = number
        self.cells = cells

    def problem(self, column: str, reason: str) -> ImportProblem:
        return ImportProblem(self.file, self.number, column, reason)

    def get(self, column: str) -> str:
        """Return the cell, empty if the table lacks the column."""
        return self.cells.get(column, "")

    def text(self, column: str) -> str:
        """Return the cell. Raise ImportProblem if it is empty or blank."""
        cell = self.get(column)
        if not cell or cell.isspace():
            raise self.problem(column, "the cell is empty.")
        return cell

    def name(self, column: str, longest: int) -> str:
        """Return the cell as a name of at most `longest` printable characters."""
        cell = self.text(column)
        if problem := problem_with_name(cell, longest):
            raise self.problem(column, problem)
        return cell

    def decimal(self, column: str) -> float:
        """Return the cell, a finite number written with digits and a point, as a float."""
        cell = self.text(column)
        value = float(cell) if NUMBER.fullmatch(cell) else math.nan
        if not math.isfinite(value):
            raise self.problem(column, f"{shortened(cell)} is not a number.")
        return value


def is_figure(cell: str) -> bool:
    """Return whether a cell contains a number that can be stored as published."""
    return bool(NUMBER.fullmatch(cell)) and len(cell) <= LONGEST_FIGURE


def checked_row(row: Row) -> Row:
    """Return the row. Raise ImportProblem for a cell that is too long."""
    if sum(map(len, row.cells.values())) <= LONGEST_TEXT:  # most rows need nothing more
        return row
    for column, cell in row.cells.items():
        if len(cell) > LONGEST_TEXT:
            raise row.problem(column, problem_with_text(cell))
    return row


def problem_with_name(name: str, longest: int) -> str:
    """Return an error about a name from a file; "" if it is valid."""
    if not name.strip():
        return "the name is empty."
    if name != name.strip():
        return f"{shortened(name)} starts or ends with a space."
    if not name.isprintable():
        return f"{shortened(name)} contains a character that cannot be shown."
    if len(name) > longest:
        return f"{shortened(name)} is longer than {longest} characters."
    return ""


def in_one_shape(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows. Raise ImportProblem for a row with other columns than the first."""
    columns: tuple[str, ...] = ()
    for row in rows:
        names = tuple(row.cells)
        columns = columns or names
        if names != columns and (odd := set(names) ^ set(columns)):
            raise row.problem(min(odd), "this column is not in every row.")
        yield row


def read_table(source: Source, columns: Columns, *, exported: bool = False) -> Iterator[Row]:
    """Yield the rows of a .tsv, .csv or .jsonl file (.gz too) with the given columns.

    exported: the site writes such tables itself, with guarded formulas; the guard is removed in a
    .tsv and a .csv (see `formulas`). Raise ImportProblem for another file name, for missing,
    unknown or too many columns, for a cell that is too long, for a table without rows, and for
    errors of its format.
    """
    file = name_of(source)
    module = next((m for suffix, m in FORMATS.items() if file.endswith(suffix)), None)
    if module is None:
        reason = f"the name should end in {', '.join(FORMATS)}."
        raise ImportProblem(file, None, "", reason)
    checked = None
    for number, cells in module.read(source):
        names = tuple(cells)
        if names != checked:
            columns.check(file, 1 if module is csv_files else number, names)
            checked = names
        if exported and module is csv_files and "'" in "".join(cells.values()):
            cells = {name: unguarded(cell) for name, cell in cells.items()}
        yield checked_row(Row(file, number, cells))
    if checked is None:
        raise ImportProblem(file, None, "", "the table has a header but no rows.")
