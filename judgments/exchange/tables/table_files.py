"""A table as a file of CSV, JSON or Parquet, piece by piece, with what it says of itself.

CSV and Parquet say in their last columns which judgments the rows are of. JSON says it beside the
rows, which are as the Table Schema of Frictionless has them: `pandas.read_json(…, orient="table")`.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.core.exceptions import BadRequest

from judgments.exchange.releases.tables.parquet import ParquetTable
from judgments.files.csv_files import csv_text, undefined
from judgments.protocols.tables import SELECTION
from judgments.results.exports import ADDRESS
from judgments.results.figure_addresses import described
from judgments.results.selection.selection import Selection
from judgments.web.tables import Table, kind_of
from mteval_site import extras

from .row_tables import DECIMAL, TEXT, WHOLE, RowTable, TypedColumn

ROWS_AT_ONCE = 1000
PIECE = 2**20
KINDS = {"text": TEXT, "count": WHOLE, "number": DECIMAL}
# Whole numbers may be missing, which pandas is told by a name of its own.
FIELDS: dict[str, dict[str, str]] = {
    TEXT: {"type": "string"},
    WHOLE: {"type": "integer", "extDtype": "Int64"},
    DECIMAL: {"type": "number"},
}


@dataclass(frozen=True)
class FileOfRows:
    """What a file holds. ``said``: which judgments the rows are of, as `described` has it."""

    slug: str
    columns: Sequence[TypedColumn]
    rows: Iterator[Sequence[object]]
    said: dict[str, Any]

    @property
    def last(self) -> dict[str, str]:
        """The columns that every row ends with."""
        return {ADDRESS: self.said[ADDRESS], SELECTION: self.said["sentence"]}

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.columns]


def of_row_table(table: RowTable, selection: Selection) -> FileOfRows:
    columns, rows = table.columns(selection), table.rows(selection)
    return FileOfRows(table.slug, columns, rows, described(selection))


def of_page_table(slug: str, table: Table, selection: Selection) -> FileOfRows:
    """Return a table of a page of results."""
    return rows_of_table(slug, table, described(selection, slug=slug))


def rows_of_table(slug: str, table: Table, said: dict[str, Any]) -> FileOfRows:
    """Return any table; the kind of a column is that of its values."""
    columns = [
        (key, KINDS[kind_of([row[i] for row in table.rows])]) for i, key in enumerate(table.keys)
    ]
    return FileOfRows(slug, columns, iter(table.rows), said)


def csv_parts(file: FileOfRows) -> Iterator[bytes]:
    """Yield the header first; every digit, and no cell that a spreadsheet takes for a formula."""
    last = tuple(file.last.values())
    yield csv_text([[*file.names, *file.last]]).encode()
    while some := list(islice(file.rows, ROWS_AT_ONCE)):
        yield csv_text((*row, *last) for row in some).encode()


def json_parts(file: FileOfRows) -> Iterator[bytes]:
    """Yield an object: `schema` (its `fields`), `selection`, and `data`, a list of objects."""
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    fields = [{"name": name, **FIELDS[kind]} for name, kind in file.columns]
    head = {"schema": {"fields": fields}, SELECTION: file.said}
    yield f'{encode(head)[:-1]}, "data": ['.encode()
    names, separator = file.names, "\n"
    for rows in _cells(file):
        yield (
            separator.encode()
            + ",\n".join(encode(dict(zip(names, row, strict=True))) for row in rows).encode()
        )
        separator = ",\n"
    yield b"\n]}\n"


def parquet_parts(file: FileOfRows) -> Iterator[bytes]:
    """Return the pieces of a Parquet file. Raise BadRequest before the first one."""
    try:
        extras.need("pyarrow")
    except extras.MissingPackage as problem:
        raise BadRequest(str(problem)) from None
    return _parquet_parts(file)


def _parquet_parts(file: FileOfRows) -> Iterator[bytes]:
    """Written to a temporary file, because the end of a Parquet file says what is in it."""
    last = tuple(file.last.values())
    with tempfile.TemporaryFile(prefix="mteval-") as stream:
        table = ParquetTable(stream, [*file.columns, *((name, TEXT) for name in file.last)])
        for rows in _cells(file):
            for row in rows:
                table.write((*row, *last))
        table.close()
        stream.seek(0)
        while piece := stream.read(PIECE):
            yield piece


def _cells(file: FileOfRows) -> Iterator[list[tuple]]:
    """Yield the rows as the kinds of their columns have them, some at a time."""
    cells = [CELLS[kind] for _, kind in file.columns]
    while some := list(islice(file.rows, ROWS_AT_ONCE)):
        yield [tuple(cell(value) for cell, value in zip(cells, row, strict=True)) for row in some]


def _text(value: Any) -> str | None:
    return None if undefined(value) else str(value)


def _whole(value: Any) -> int | None:
    return None if value == "" or undefined(value) else int(value)


def _decimal(value: Any) -> float | None:
    """Nothing for what is undefined or infinite, as in all JSON of ours."""
    if value is None or value == "":
        return None
    number = float(value)
    return number if math.isfinite(number) else None


CELLS: dict[str, Callable[[Any], Any]] = {TEXT: _text, WHOLE: _whole, DECIMAL: _decimal}
WRITERS: dict[str, tuple[str, Callable[[FileOfRows], Iterator[bytes]]]] = {
    "csv": ("text/csv; charset=utf-8", csv_parts),
    "json": ("application/json", json_parts),
    "parquet": ("application/vnd.apache.parquet", parquet_parts),
}
