"""Rows in the document as in a table: cells are texts, a row's number is its line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judgments.files.lines import LONGEST_TEXT
from judgments.files.table import Columns, Row

from .nodes import FileList
from .shapes import Shape, list_of, mapping, shape


def rows_of(rows: FileList, columns: Columns) -> Iterator[Row]:
    """Yield the rows. Raise ImportProblem, with the file "", for rows that no table could
    contain."""
    for each in rows:
        cells = {key: each.written.get(key, cell_of(value)) for key, value in each.items()}
        columns.check("", each.place.line, tuple(cells))
        yield Row("", each.place.line, cells)


def cell_of(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else f"{value}"


def schema_of(columns: Columns, most: int) -> Shape:
    """Return the schema of a list of such rows."""
    cell = shape(["string", "number", "boolean", "null"], maxLength=LONGEST_TEXT)
    names = dict.fromkeys((*columns.required, *columns.optional), cell)
    row = mapping(names, required=columns.required)
    if columns.prefixes:
        row["additionalProperties"] = cell
    return list_of(row, most, minItems=1)
