"""The page Course: ratings over the time of a recording, and every press."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.sections import (
    ASIDE,
    FILE,
    EmptyState,
    Lazy,
    ResultsPage,
    Section,
    table_objects,
)
from judgments.web.tables import Column, Table

from ..segments.links import from_annotators, to_segments
from .figures import Courses, courses_of, press_rows

PRESS_COLUMNS = (
    "annotator",
    "document",
    "segment",
    "system",
    "second",
    "value",
    "pressed_ms",
    "kind",
)
HABIT_COLUMNS = (
    Column("annotator"),
    Column("recordings", gettext_lazy("Recordings"), "count"),
    Column("presses", gettext_lazy("Presses"), "count"),
    Column(
        "seconds",
        gettext_lazy("Seconds for each"),
        "number",
        gettext_lazy("From the first press to the end, for each press"),
    ),
    Column(
        "longest",
        gettext_lazy("Longest without"),
        "number",
        gettext_lazy("Seconds without a press"),
    ),
)
TRUST = gettext_lazy(
    "Between two presses the first one holds. People press some seconds after what they judge, and "
    "before the first press nothing is rated."
)


def presses_are_made(campaign: Campaign) -> bool:
    return "presses" in protocol_of(campaign).kinds


def lead(found: Courses) -> str:
    """Return how the systems did at their worst."""
    dips = [
        (mean, name, start)
        for name, means in zip(found.names, found.means.tolist(), strict=True)
        for start, mean in zip(found.starts.tolist(), means, strict=True)
        if not math.isnan(mean)
    ]
    if not dips:
        return ""
    mean, name, start = min(dips)
    return _(
        "The lowest mean is that of %(name)s, %(mean).2f from %(time)s on: %(courses)s of "
        "%(recordings)s."
    ) % {
        "name": name,
        "mean": mean,
        "time": clock(start),
        "courses": counted.judgments(found.courses),
        "recordings": ngettext("%(n)d recording", "%(n)d recordings", found.recordings)
        % {"n": found.recordings},
    }


def clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02d}"


def notes(found: Courses) -> list[str]:
    several = _(
        "The lines are means over several recordings: filter by document for the course of one."
    )
    return [str(TRUST), *([several] if found.recordings > 1 else [])]


def course_columns(found: Courses) -> tuple[Column, ...]:
    return (Column("second", _("Second"), "count"), *(Column(n, n, "number") for n in found.names))


def course_rows(found: Courses) -> list[tuple]:
    return [
        (int(start), *means)
        for start, means in zip(found.starts, found.means.T.tolist(), strict=True)
    ]


def chart(selection: Selection, found: Courses) -> Chart | None:
    """Return a line for each system; a point leads to its segments."""
    if not found.courses:
        return None
    names = charts.short(found.names)
    points = [
        {"name": name, "minute": int(start) / 60, "rating": charts.number(mean), "n": int(n)}
        for name, means, counts in zip(names, found.means, found.n, strict=True)
        for start, mean, n in zip(found.starts, means, counts, strict=True)
    ]
    scale = protocol_of(selection.campaign).dimensions()[0].scale
    x = {"field": "minute", "type": "quantitative", "title": _("minutes of the recording")}
    y: dict[str, Any] = {"field": "rating", "type": "quantitative", "title": _("rating")}
    y["scale"] = {"domain": [scale.low, scale.high]}
    encoding: dict[str, Any] = {"x": x, "y": y}
    encoding["color"] = {"field": "name", "type": "nominal", "title": None}
    encoding["strokeDash"] = {"field": "name", "type": "nominal", "title": None}
    tooltip = [{"field": key} for key in ("name", "minute", "rating", "n")]
    line = {"mark": {"type": "line", "interpolate": "step-after"}, "encoding": encoding}
    dots = {key: part for key, part in encoding.items() if key != "strokeDash"}
    point = {
        "mark": {"type": "point", "size": 20, "opacity": 0.4},
        "encoding": dots | {"tooltip": tooltip},
    }
    body = {"height": 240, "data": {"values": points}, "layer": [line, point]}
    title = _("Ratings over the time of the recording")
    addresses = {
        short: to_segments(selection, systems=[name])
        for short, name in zip(names, found.names, strict=True)
    }
    spec = charts.linked(charts.vega_lite(body, title), addresses)
    caption = _("The mean of what people held, each point %(n)d s. n = %(courses)s.") % {
        "n": found.step,
        "courses": counted.judgments(found.courses),
    }
    return Chart("course", title, caption, spec, course_columns(found), course_rows(found))


def habit_table(selection: Selection, found: Courses) -> Table:
    rows = [
        (
            selection.alias(each.annotator),
            each.recordings,
            each.presses,
            each.seconds / each.presses,
            each.longest,
        )
        for each in found.habits
    ]
    links = from_annotators(selection, rows)
    return Table("press-habits", _("Presses by annotator"), HABIT_COLUMNS, rows, "", links)


def press_table(selection: Selection) -> Table:
    rows = [
        (
            selection.alias(row.annotator),
            row.document,
            row.segment,
            row.system,
            row.at_ms / 1000,
            row.value,
            row.clock_ms,
            row.kind,
        )
        for row in press_rows(selection)
    ]
    return Table("presses", _("All presses"), PRESS_COLUMNS, rows)


def sections(selection: Selection) -> list[Section]:
    found = cache(lambda: courses_of(selection))
    title = _("Ratings over the time of the recording")
    return [
        Section(
            "course",
            title,
            sentence=lambda: lead(found()),
            notes=lambda: notes(found()),
            charts=[Lazy("course", title, lambda: chart(selection, found()), ASIDE)],
            tables=[
                Lazy(
                    "press-habits",
                    _("Presses by annotator"),
                    lambda: habit_table(selection, found()),
                ),
                Lazy("presses", _("All presses"), lambda: press_table(selection), FILE),
            ],
        )
    ]


def data(selection: Selection) -> dict[str, Any]:
    found = courses_of(selection)
    course = Table("course", _("Ratings"), course_columns(found), course_rows(found))
    return {
        "course": table_objects(course),
        "habits": table_objects(habit_table(selection, found)),
    }


def empty(selection: Selection) -> EmptyState | None:
    return None if courses_of(selection).courses else NOTHING


NOTHING = EmptyState(
    gettext_lazy("No presses yet"),
    gettext_lazy("The course of the ratings will appear here with the first recording."),
    "campaign",
    gettext_lazy("See the progress"),
)
PAGE = ResultsPage(
    "courses",
    gettext_lazy("Course"),
    sections,
    data,
    asked=presses_are_made,
    empty=empty,
    tab="scores",
    linked_from="scores",
)
