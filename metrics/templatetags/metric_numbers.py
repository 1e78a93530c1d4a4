"""Numbers of statistics as pages write them: the words of judgments.web.tables, as filters."""

import math
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from judgments.web import tables
from judgments.web.tables import Column, Table

register = template.Library()


@register.filter
def coefficient(value: float) -> str:
    """Return a number between −1 and 1 with three decimals; a dash for what is undefined."""
    return tables.cell(value, "number", 3)


@register.filter
def points(value: float) -> str:
    """Return a number up to 100 with one decimal."""
    return tables.cell(value, "number", 1)


@register.filter
def p_value(value: float) -> str:
    """Return a probability: three decimals, or that it is smaller than they can say."""
    return tables.cell(value, "p")


@register.simple_tag
def score_text(column, value: float) -> str:
    """Return a score or difference in the decimals of its column (metrics.scores.tables.Column)."""
    return column.text(value)


@register.filter
def figure_heads(table: Table) -> list[Column]:
    """Return the columns of a table of figures; the ends of an interval have none of their own."""
    return [table.heads[place] for place in places_of(table)]


@register.filter
def figure_rows(table: Table) -> SafeString:
    """Return the rows of a table of figures: each figure with its interval beside it, and the value
    that the table is sorted by."""
    heads = table.heads
    shown = places_of(table)
    keys = {column.key for column in heads}
    has_ends = {place for place in shown if f"{heads[place].key}_low" in keys}

    return format_html_join(
        "\n",
        "{}",
        ((row_of(table, n, shown, has_ends),) for n in range(len(table.rows))),
    )


def row_of(table: Table, n: int, shown: list[int], has_ends: set[int]) -> SafeString:
    """Return row n with the columns at the places `shown`: one pattern, as cells are many."""
    first = table.rows[n][0]
    patterns = ['<tr><th scope="row" data-value="{}">{}</th>']
    values = [first, linked(table, n, table.heads[0], str(first))]
    for place in shown[1:]:
        pattern, of_cell = cell_of(table, n, place, place in has_ends)
        patterns.append(pattern)
        values += of_cell
    return format_html("".join([*patterns, "</tr>"]), *values)


def places_of(table: Table) -> list[int]:
    """Return which columns stand alone."""
    keys = [column.key for column in table.heads]
    ends = {f"{key}{end}" for key in keys for end in ("_low", "_high")}
    return [place for place, key in enumerate(keys) if key not in ends]


def linked(table: Table, n: int, column: Column, text: str) -> str:
    """Return the text of a cell of row n, with the link of the table if there is one."""
    address = table.links.get((n, column.key))
    return format_html('<a href="{}">{}</a>', address, text) if address else text


def cell_of(table: Table, n: int, place: int, has_ends: bool) -> tuple[str, list[object]]:
    """Return the cell of row n in the column at a place: a pattern, and what stands in it."""
    column, row = table.heads[place], list[Any](table.rows[n])
    value = row[place]
    if column.kind == "text":
        text = linked(table, n, column, str(value or ""))
        return '<td data-value="{}">{}</td>', [value or "", text]
    order = "" if tables.undefined(value) else value
    values: list[object] = [order, linked(table, n, column, tables.cell(value, column.kind, 3))]
    ends = tables.interval(row[place + 1], row[place + 2]) if has_ends else ""
    if not ends or math.isnan(row[place]):
        return '<td class="num" data-value="{}">{}</td>', values
    pattern = '<td class="num" data-value="{}">{} <span class="muted small">{}</span></td>'
    return pattern, [*values, ends]
