"""Filters that templates of both apps use."""

from html import escape

from django import template
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from judgments.markdown import as_html
from judgments.tables import Table, in_a_sentence

register = template.Library()
register.filter(in_a_sentence)

ONE_LINE = 24  # characters of a text in a table that are not broken


@register.filter
def markdown(text: str) -> str:
    """Markdown as HTML; see `judgments.markdown`."""
    return mark_safe(as_html(text or ""))  # safe for whatever text


@register.filter
def table_rows(table: Table) -> str:
    """The rows of a table's body. Thousands of cells take a template most of the page's time."""
    lines = []
    for (_head, name), *cells in table.display():
        parts = [f'<tr><th scope="row"{of_words(name)}>{escape(name)}</th>']
        for column, text in cells:
            of_kind = of_words(text) if column.kind == "text" else ' class="num"'
            parts.append(f"<td{of_kind}>{escape(text)}</td>")
        lines.append("".join(parts) + "</tr>")
    return mark_safe("\n".join(lines))  # every text was escaped


def of_words(text: str) -> str:
    """The class of a cell with a long text, which gets room to break; a short one stays in line."""
    return ' class="words"' if len(text) > ONE_LINE else ""


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds in words that fit a line: 86 s, 14 min, 2 h 5 min; a dash for nothing."""
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
    """The same for milliseconds."""
    return duration(None if milliseconds is None else milliseconds / 1000)


@register.filter
def percent_of(part: float, whole: float) -> int:
    """`part` in whole percents of `whole`; 0 of nothing."""
    return int(100 * part / whole) if whole else 0
