"""Errors that a program proposes: a table with a row for each."""

from collections.abc import Iterator
from dataclasses import dataclass

from .lines import Source
from .problem import FileRow
from .span_places import offsets
from .table import Columns, Row, read_table
from .texts import LONGEST_NAME, LONGEST_SYSTEM_NAME

COLUMNS = Columns(
    required=("segment", "system", "severity"),
    optional=("start", "end", "text", "side", "category"),
)


@dataclass(slots=True)
class ProposedError(FileRow):
    """One row. `start` and `end`: code points, or None where `text` alone says which words."""

    segment: str
    system: str
    side: str
    start: int | None
    end: int | None
    text: str
    severity: str
    category: str


def from_table(table: Source) -> Iterator[ProposedError]:
    """Raise ImportProblem for a row that names no place at all, or half of one."""
    for row in read_table(table, COLUMNS):
        yield checked(row)


def checked(row: Row) -> ProposedError:
    side = row.get("side").strip().lower() or "target"
    start, end = offsets(row, side)
    return ProposedError(
        row.file,
        row.number,
        row.name("segment", LONGEST_NAME),
        row.name("system", LONGEST_SYSTEM_NAME),
        side,
        start,
        end,
        row.get("text"),
        row.text("severity").strip().lower(),
        row.get("category"),
    )
