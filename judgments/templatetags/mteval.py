"""Filters that templates of both apps use."""

import math
from html import escape

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from judgments.files.csv_files import undefined
from judgments.files.markdown import as_html
from judgments.web.browser_keys import owner_key
from judgments.web.tables import Column, Table, figure, in_a_sentence, is_number

register = template.Library()
register.filter(in_a_sentence)
register.filter(owner_key)

ONE_LINE = 24  # characters of a text in a table that are not broken


@register.simple_tag
def worker_address() -> str:
    """Return for the script that keeps judging pages in a browser; empty where the site wants
    none."""
    return reverse("worker") if settings.HOLDS_WORK else ""


@register.simple_tag
def version() -> str:
    return settings.VERSION


@register.simple_tag
def held_media_bytes() -> int:
    """Return for sound, pictures and videos that a browser holds at most; 0: none."""
    return settings.HELD_MEDIA_BYTES if settings.HOLDS_WORK else 0


@register.filter
def markdown(text: str) -> str:
    """Return Markdown as HTML; see `judgments.files.markdown`."""
    return mark_safe(as_html(text or ""))  # noqa: S308 safe for whatever text


@register.filter
def table_rows(table: Table) -> str:
    """Return the rows of a table's body. Thousands of cells take a template most of the page's
    time."""
    lines = []
    for place, ((head, name), *cells) in enumerate(table.display()):
        row = table.rows[place]
        value = sorted_by(row[0])
        shown = linked(table, place, head, name)
        parts = [f'<tr><th scope="row"{of_words(name)}{value}>{shown}</th>']
        for i, (column, text) in enumerate(cells, 1):
            of_kind = of_words(text) if column.kind == "text" else ' class="num"'
            shown = linked(table, place, column, text)
            parts.append(f"<td{of_kind}{sorted_by(row[i])}>{shown}</td>")
        lines.append("".join(parts) + "</tr>")
    return mark_safe("\n".join(lines))  # noqa: S308 every text was escaped


def linked(table: Table, place: int, column: Column, text: str) -> str:
    """Return a cell's text as HTML, with the link of the table if there is one."""
    address = table.links.get((place, column.key))
    return f'<a href="{escape(address)}">{escape(text)}</a>' if address else escape(text)


def sorted_by(value: object) -> str:
    """Return the attribute of a number by which `sortable.js` sorts, to nine digits; a text is
    sorted by what is shown, and what is undefined stays last."""
    if type(value) is not float:
        if type(value) is int:
            return f' data-value="{value}"'
        if undefined(value) or not is_number(value):
            return ""
        value = float(value)  # type: ignore[arg-type]
    if math.isfinite(value):
        return f' data-value="{value:.9g}"'
    return "" if math.isnan(value) else f' data-value="{"-" if value < 0 else ""}Infinity"'


def of_words(text: str) -> str:
    """Return the class of a cell with a long text, which gets room to break; a short one stays in
    line."""
    return ' class="words"' if len(text) > ONE_LINE else ""


@register.filter
def number(value: float) -> str:
    """Return a single number of no column: two decimals at most, none that say nothing; −.2, 71,
    3.25."""
    text = figure(value, 2)
    return text.rstrip("0").rstrip(".") or "0" if "." in text else text


@register.filter
def duration(seconds: float | None) -> str:
    """Return seconds in words that fit a line: 86 s, 14 min, 2 h 5 min; a dash for nothing."""
    if seconds is None:
        return "–"
    seconds = round(seconds)
    if seconds < 100:
        return _("%(seconds)d s") % {"seconds": seconds}
    minutes = round(seconds / 60)
    if minutes < 60:
        return _("%(minutes)d min") % {"minutes": minutes}
    hours, minutes = divmod(minutes, 60)
    if hours >= 10 or minutes == 0:
        return _("%(hours)d h") % {"hours": round(hours + minutes / 60)}
    return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}


@register.filter
def duration_ms(milliseconds: float | None) -> str:
    """Return the same for milliseconds."""
    return duration(None if milliseconds is None else milliseconds / 1000)


@register.filter
def percent_of(part: float, whole: float) -> int:
    """Return `part` in whole percents of `whole`; 0 if `whole` is 0."""
    return int(100 * part / whole) if whole else 0


@register.filter
def money(amount) -> str:
    """Return a sum with two decimals; one below a tenth with two digits that count."""
    return f"{amount:,.2f}" if amount >= 0.1 or not amount else f"{float(amount):.2g}"
