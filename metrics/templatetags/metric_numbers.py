"""Numbers of statistics as pages write them."""

from math import isnan

from django import template

from metrics.stats.correlation import Correlation

register = template.Library()


@register.filter
def coefficient(value: float) -> str:
    """A number between −1 and 1 with three decimals and without the zero before the point; a dash
    for what is undefined."""
    if value is None or isnan(value):
        return "–"
    text = f"{abs(value):.3f}".lstrip("0") if abs(value) < 0.9995 else "1.000"
    return f"−{text}" if value < 0 and text != ".000" else text


@register.filter
def p_value(value: float) -> str:
    """A probability: three decimals, or that it is smaller than they can say."""
    if value is None or isnan(value):
        return "–"
    return "< .001" if value < 0.001 else coefficient(value)


@register.filter
def interval(value: Correlation) -> str:
    """`.12 to .34`, or a dash."""
    if isnan(value.low):
        return "–"
    return f"{coefficient(value.low)} to {coefficient(value.high)}"
