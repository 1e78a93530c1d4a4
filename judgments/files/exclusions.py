"""Tables of what figures leave out: annotators, dimensions, segments, systems."""

from collections.abc import Iterator

from .formulas import tsv_line
from .lines import Source
from .table import Columns, read_table

COLUMNS = ("annotator", "dimension", "segment", "system", "reason")
TABLE = Columns(required=("reason",), optional=COLUMNS[:-1])


def from_table(source: Source) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a .tsv, .csv or .jsonl file in the order of `COLUMNS`. Raises
    ImportProblem."""
    for row in read_table(source, TABLE, exported=True):
        yield tuple(row.get(column) for column in COLUMNS)


def tsv_lines(rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    """Yield the same as a file."""
    yield tsv_line(COLUMNS)
    for row in rows:
        yield tsv_line(row)
