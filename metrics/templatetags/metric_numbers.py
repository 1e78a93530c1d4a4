"""Numbers of statistics as pages write them: the words of judgments.tables, as filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from judgments import tables

if TYPE_CHECKING:  # Django imports all tags with the first template, a judging screen's too
    from metrics.stats.correlation import Correlation

register = template.Library()


@register.filter
def coefficient(value: float) -> str:
    """A number between −1 and 1 with three decimals; a dash for what is undefined."""
    return tables.cell(value, "number", 3)


@register.filter
def p_value(value: float) -> str:
    """A probability: three decimals, or that it is smaller than they can say."""
    return tables.cell(value, "p")


@register.filter
def interval(value: Correlation) -> str:
    """`[.12, .34]`, or a dash."""
    return tables.interval(value.low, value.high) or tables.DASH


@register.simple_tag
def score_text(column, value: float) -> str:
    """A score or difference in the decimals of its column (metrics.tables.Column)."""
    return column.text(value)
