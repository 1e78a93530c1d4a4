"""Rows that stand in the document as they would in a table: cells are texts, a row's number is its
line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judgments.files.lines import LONGEST_TEXT, problem_with_text
from judgments.files.table import Columns, Row

from .nodes import Node


def rows_of(node: Node, columns: Columns) -> Iterator[Row]:
    """Raises ImportProblem, whose file is "", for what no table could hold."""
    for _, each in node.children:
        cells = {key: cell_of(value) for key, value in each.plain().items()}
        columns.check("", each.place.line, tuple(cells))
        row = Row("", each.place.line, cells)
        for name, cell in cells.items():
            if problem := problem_with_text(cell):
                raise row.problem(name, problem)
        yield row


def cell_of(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else f"{value}"


def schema_of(columns: Columns, most: int) -> dict[str, Any]:
    """Of a list of such rows."""
    cell = {"type": ["string", "number", "boolean", "null"], "maxLength": LONGEST_TEXT}
    names = dict.fromkeys((*columns.required, *columns.optional), cell)
    others: Any = False
    shape: dict[str, Any] = {"type": "object", "required": list(columns.required)}
    if columns.prefixes:
        others = cell
    return {
        "type": "array",
        "minItems": 1,
        "maxItems": most,
        "items": {**shape, "properties": names, "additionalProperties": others},
    }
