"""A table of a file, whatever kind of file it is, and what the site takes of it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import MOST_COLUMNS, Row, checked_row
from judgments.files.uploads import PIECE, ReleaseFile

from ..records import Problems

ENDINGS = ("tsv", "csv", "txt", "jsonl", "xlsx", "docx", "parquet")
SAMPLE = 200  # rows by which columns are understood
COUNT = " row"  # no header has such a name: they begin with no space


class SeenRow(Row):
    """A row that remembers which of its columns were looked up, and counts the rows of a table."""

    __slots__ = ("seen",)

    def __init__(self, file: str, number: int, cells: dict[str, str], seen: set[str]) -> None:
        super().__init__(file, number, cells)
        self.seen = seen

    def get(self, column: str) -> str:
        self.seen.add(column)
        return self.cells.get(column, "")


@dataclass(frozen=True)
class SourceTable:
    """A table of a file. file: as messages name it; name: of the sheet or of the file without its
    ending; rows: each with the columns of the header; problems go to where it is told."""

    file: str
    name: str
    columns: tuple[str, ...]
    rows: Callable[[Problems], Iterator[Row]]

    def read(self, problems: Problems) -> Iterator[Row]:
        """Yield the rows, with their count from 1 as the column COUNT. `problems` learns which
        columns are looked up: what it was not told of was left out."""
        seen = problems.seen(self.file, self.columns)
        for count, row in enumerate(self.rows(problems), 1):
            row.cells[COUNT] = str(count)
            yield SeenRow(row.file, row.number, row.cells, seen)

    def again(self, number: int, cells: dict[str, str], problems: Problems) -> Row:
        """Return a row that was put aside."""
        return SeenRow(self.file, number, cells, problems.seen(self.file, self.columns))

    def sample(self, most: int = SAMPLE) -> list[Row]:
        return list(islice(self.read(Problems()), most))


def stem_of(file: ReleaseFile) -> str:
    stem, _, ending = file.name.rpartition(".")
    return stem if stem and ending.lower() in ENDINGS else file.name


@contextmanager
def unpacked(file: ReleaseFile) -> Iterator[Path]:
    """Where a file lies without gzip. Raise ImportProblem for more than the site takes."""
    if not file.is_packed:
        yield file.place
        return
    with tempfile.NamedTemporaryFile(prefix="mteval-table-") as copy:
        with file.open() as source:
            shutil.copyfileobj(source, copy, PIECE)
        copy.flush()
        yield Path(copy.name)


def checked_header(file: str, names: list[str]) -> tuple[str, ...]:
    """Return the columns of a header; one without a name gets its number. Raise ImportProblem."""
    if len(names) > MOST_COLUMNS:
        reason = f"there are {len(names):,} columns; at most {MOST_COLUMNS:,} are possible."
        raise ImportProblem(file, 1, "", reason)
    found: dict[str, None] = {}
    for place, name in enumerate(names, 1):
        name = name.strip() or f"column {place}"
        if name in found:
            raise ImportProblem(file, 1, shortened(name), "two columns have this name.")
        found[name] = None
    return tuple(found)


def checked_table(
    file: str,
    name: str,
    columns: tuple[str, ...],
    cells: Callable[[Problems], Iterable[tuple[int, Sequence[str]]]],
    words: tuple[str, str] = ("line", "header"),
) -> SourceTable:
    """Return a table of (number, cells) of the rows below the header. A row is left out that has
    another number of cells, or too long a text; words: what its messages call it and the header."""

    def rows(problems: Problems) -> Iterator[Row]:
        for number, found in cells(problems):
            if len(found) != len(columns):
                line, header = words
                reason = f"the {line} has {len(found)} cells, but the {header} has {len(columns)}."
                problems.add(ImportProblem(file, number, "", reason))
                continue
            try:
                yield checked_row(Row(file, number, dict(zip(columns, found, strict=True))))
            except ImportProblem as problem:
                problems.add(problem)

    return SourceTable(file, name, columns, rows)
