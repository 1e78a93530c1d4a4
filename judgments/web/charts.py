"""Charts as Vega-Lite specs: pure functions of arrays, the same for pages, SVG and PNG.

A spec holds its data and the names of its colors. The colors are parameters with the values of the
light theme; static/js/web/charts.js sets them to those of the page.
"""

from __future__ import annotations

import copy
import itertools
import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from judgments.web.long_names import cut_in_the_middle
from judgments.web.tables import Column, Table, figure

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
COLORS = {
    "ink": "#1c2529",
    "paper": "#ffffff",
    "quiet": "#55606a",
    "line": "#d8dde0",
    "soft": "#e3f1ee",
    "accent": "#0b6157",
    "bad": "#a4161a",
}
FONT = "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, Helvetica Neue, Arial, sans-serif"
WIDTH_OF_FILES = 640
LONGEST_NAME = 30  # characters at an axis
LINE_OF_FILES = 90  # characters
CELL_OF_TEXT = 24
LINKED_MARKS = ("point", "bar", "rect", "text")


def color(name: str) -> dict:
    """Return a reference to a color of the theme."""
    return {"expr": name}


CONFIG = {
    "aria": False,  # the table beside a chart is what a screen reader gets
    "font": FONT,
    "background": None,
    "padding": 4,
    "view": {"stroke": None},
    "axis": {
        "labelColor": color("ink"),
        "titleColor": color("quiet"),
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelSeparation": 6,
        "gridColor": color("line"),
        "domainColor": color("line"),
        "tickColor": color("line"),
    },
    "axisY": {"labelLimit": 240, "grid": False},
    "axisBand": {"grid": False, "ticks": False},
    "legend": {
        "labelColor": color("ink"),
        "titleColor": color("quiet"),
        "titleFontWeight": "normal",
        "gradientLength": 120,
    },
    "text": {"color": color("ink"), "fontSize": 12},
    "point": {"color": color("accent"), "filled": True, "size": 70, "opacity": 1},
    "rule": {"color": color("accent"), "strokeWidth": 2},
    "bar": {"color": color("accent")},
    "line": {"color": color("accent")},
    "area": {"color": color("accent"), "opacity": 0.15},
}


@dataclass(frozen=True)
class Chart:
    """A chart with what stands around it. ``name`` is its address: letters, digits and hyphens.

    The caption says units and n. ``columns``, ``rows`` and ``links`` are the data as a table, as
    `Table` takes them. ``hint`` says where marks lead, on pages.
    """

    name: str
    title: str
    caption: str
    spec: dict
    columns: tuple[Column | str, ...]
    rows: Sequence[Sequence[object]]
    links: Mapping[tuple[int, str], str] = field(default_factory=dict, repr=False)
    hint: str = ""

    @property
    def table(self) -> Table:
        return Table(self.name, self.title, self.columns, self.rows, links=self.links)

    @property
    def element(self) -> str:
        """The id of the element that holds the spec."""
        return f"chart-{self.name}"


def blank(name: str, title: str) -> Chart:
    """Return for the file of a chart that has nothing to draw yet."""
    words = _("There is nothing to draw yet.")
    body = {"height": 60, "data": {"values": [{"text": words}]}, "mark": "text"}
    body["encoding"] = {"text": {"field": "text"}}
    return Chart(name, title, words, vega_lite(body, title), ("value",), [])


def vega_lite(body: dict, description: str = "") -> dict:
    """Return a whole spec: the body with the site's schema, size, colors and configuration. It
    shares the parts of the body, which a large chart has thousands of."""
    params: list[dict] = [{"name": name, "value": value} for name, value in COLORS.items()]
    spec: dict[str, Any] = {"$schema": SCHEMA, "description": description, "width": "container"}
    spec |= body
    spec["params"] = params + spec.get("params", [])
    spec["config"] = copy.deepcopy(CONFIG)
    return spec


def for_file(spec: dict, title: str, sentence: str, address: str = "") -> dict:
    """Return the spec for a file that stands alone: on white, with a width and a title of its own.

    ``sentence`` says which judgments it is of; a picture has no room for a long line. ``address``
    is the link that opens the figure again.
    """
    spec = without_links(spec) | {"background": COLORS["paper"]}
    spec["title"] = {
        "text": textwrap.wrap(title, LINE_OF_FILES),
        "subtitle": [*textwrap.wrap(sentence, LINE_OF_FILES), *filter(None, [address])],
        "anchor": "start",
        "fontSize": 14,
        "color": COLORS["ink"],
        "subtitleColor": COLORS["quiet"],
        "subtitlePadding": 6,
        "offset": 12,
    }
    if spec.get("width") == "container":
        spec["width"] = WIDTH_OF_FILES
    return spec


def linked(spec: dict, addresses: Mapping[str, str], key: str = "name") -> dict:
    """Return the spec with a link on every mark whose data have an address: ``addresses`` by what
    the data say under ``key``. Pages follow it; files have none (`without_links`)."""
    spec = copy.deepcopy(spec)
    for part in [spec, *spec.get("layer", ())]:
        for row in part.get("data", {}).get("values", ()):
            if str(row.get(key)) in addresses:
                row["href"] = addresses[str(row[key])]
    href = {"href": {"field": "href", "type": "nominal"}}
    for part in spec.get("layer") or [spec]:
        mark = part["mark"] if isinstance(part["mark"], dict) else {"type": part["mark"]}
        if mark["type"] in LINKED_MARKS:
            part["mark"] = mark | {"cursor": "pointer"}
            part["encoding"] = part.get("encoding", {}) | href
    return spec


def without_links(value: Any) -> Any:
    """Return the spec without the links of its marks, for files: an address of a page leads
    nowhere."""
    if isinstance(value, dict):
        return {name: without_links(each) for name, each in value.items() if name != "href"}
    return [without_links(each) for each in value] if isinstance(value, list) else value


def short(names: Sequence[str]) -> list[str]:
    """Return names without what all of them start with, up to a separator, and cut in the middle
    where they are still long: axes have little room."""
    return cut_in_the_middle(_without_beginning(names), LONGEST_NAME)


def _without_beginning(names: Sequence[str]) -> list[str]:
    names = [str(name) for name in names]
    if len(set(names)) < 2:
        return names
    ends = zip(min(names), max(names), strict=False)  # what these two share, all share
    common = "".join(a for a, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], ends))
    start = max(common.rfind(mark) for mark in "._/: ") + 1
    return [name[start:] for name in names] if all(len(n) > start for n in names) else names


def number(value: float) -> float | None:
    """Return a number as JSON knows it: NaN is null."""
    return None if value is None or math.isnan(value) else float(value)


def intervals(
    names: Sequence[str],
    means: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    *,
    axis: str,
    places: int = 2,
    domain: tuple[float, float] | None = None,
    step: int | None = None,
    description: str = "",
) -> dict:
    """Return points with their intervals, one line per name in the order given; the value above.

    ``domain``: the ends of the axis; those of the intervals if None. ``step``: pixels of a line,
    too few for values above the points.
    """
    data = [
        {"name": str(n), "mean": number(m), "low": number(a), "high": number(b)}
        | {"label": figure(float(m), places)}
        for n, m, a, b in zip(short(names), means, low, high, strict=True)
        if not math.isnan(m)
    ]
    y = {
        "field": "name",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"domain": False, "labelPadding": 8},
    }
    scale = {"domain": list(domain)} if domain else {"zero": False, "nice": True}
    x = {"type": "quantitative", "title": axis, "scale": scale, "axis": {"tickCount": 6}}
    tooltip = [
        {"field": "name", "title": _("Name")},
        {"field": "mean", "title": _("Value"), "format": ".3f"},
        {"field": "low", "title": _("Low"), "format": ".3f"},
        {"field": "high", "title": _("High"), "format": ".3f"},
    ]
    body: dict[str, Any] = {
        "height": (step or 34) * max(len(data), 1),
        "data": {"values": data},
        "encoding": {"y": y, "tooltip": tooltip},
        "layer": [
            {"mark": "rule", "encoding": {"x": x | {"field": "low"}, "x2": {"field": "high"}}},
            {"mark": "point", "encoding": {"x": x | {"field": "mean"}}},
        ],
    }
    if step is None:
        text = {"x": x | {"field": "mean"}, "text": {"field": "label"}}
        body["layer"].append({"mark": {"type": "text", "dy": -11}, "encoding": text})
    else:
        body["layer"][1]["mark"] = {"type": "point", "size": 3 * step}
    return vega_lite(body, description)


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: np.ndarray,
    *,
    row_title: str,
    column_title: str,
    legend: str,
    domain: tuple[float, float] | None = None,
    texts: Sequence[Sequence[str]] | None = None,
    description: str = "",
) -> dict:
    """Return cells (n_rows, n_columns) by color, NaN left out; ``texts`` are written into them. The
    data say under "cell" which is which: the places of row and column, 0-1.

    ``domain``: the values of the lightest and of the darkest color; those of the data if None.
    """
    low, high = domain or (float(np.nanmin(values)), float(np.nanmax(values)))
    rows, columns = short(rows), short(columns)
    data = [
        {"row": str(row), "column": str(column), "value": float(values[i, j]), "cell": f"{i}-{j}"}
        | ({"text": texts[i][j]} if texts is not None else {})
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
        if not math.isnan(values[i, j])
    ]
    angle = 0 if max((len(str(c)) for c in columns), default=0) * len(columns) < 40 else -90
    place = {"type": "nominal", "sort": None}
    x = place | {"field": "column", "title": column_title, "scale": {"domain": list(columns)}}
    x["axis"] = {"labelAngle": angle, "labelLimit": 140, "domain": False}
    y = place | {"field": "row", "title": row_title, "scale": {"domain": list(rows)}}
    y["axis"] = {"domain": False}
    scale = {"domain": [low, high], "range": [color("soft"), color("accent")], "clamp": True}
    fill = {"field": "value", "type": "quantitative", "scale": scale, "title": legend}
    fill["legend"] = {"orient": "bottom"}
    tooltip = [
        {"field": "row", "title": row_title or _("Row")},
        {"field": "column", "title": column_title or _("Column")},
        {"field": "value", "title": legend, "format": ".3~f"},
    ]
    layers: list[dict] = [{"mark": {"type": "rect"}, "encoding": {"color": fill}}]
    if texts is not None:
        # Black and white reach a contrast of 4.5 on either side of this luminance.
        light = "luminance(scale('color', datum.value)) > 0.179"
        ink = {"condition": {"test": light, "value": "#000"}, "value": "#fff"}
        # Where cells are too narrow for a number the color has to do.
        shown = {"expr": f"width / {max(len(columns), 1)} < {CELL_OF_TEXT} ? 0 : 1"}
        text = {"type": "text", "opacity": shown}
        layers.append({"mark": text, "encoding": {"text": {"field": "text"}, "color": ink}})
    body = {
        "height": (28 if len(rows) <= 20 else 14) * max(len(rows), 1),
        "data": {"values": data},
        "encoding": {"x": x, "y": y, "tooltip": tooltip},
        "layer": layers,
    }
    return vega_lite(body, description)


def bars(names: Sequence[str], values: np.ndarray, *, axis: str, description: str = "") -> dict:
    """Return one horizontal bar per name, the value at its end."""
    data = [
        {"name": str(name), "value": float(value), "label": f"{value:,.0f}"}
        for name, value in zip(short(names), values, strict=True)
    ]
    x: dict[str, Any] = {"field": "value", "type": "quantitative", "title": axis}
    x |= {"axis": {"tickCount": 6, "tickMinStep": 1, "format": ",d"}}
    y: dict[str, Any] = {"field": "name", "type": "nominal", "sort": None, "title": None}
    y |= {"axis": {"domain": False}}
    tooltip = [{"field": "name", "title": _("Name")}, {"field": "value", "title": axis}]
    body = {
        "height": 24 * max(len(data), 1),
        "data": {"values": data},
        "encoding": {"x": x, "y": y, "tooltip": tooltip},
        "layer": [
            {"mark": {"type": "bar", "height": 14}},
            {
                "mark": {"type": "text", "align": "left", "dx": 4},
                "encoding": {"text": {"field": "label"}},
            },
        ],
    }
    return vega_lite(body, description)


def histogram(values: np.ndarray, *, axis: str, count: str, description: str = "") -> dict:
    """Return how many of ``values`` (whole numbers, n > 0) fall into each of about twenty bins."""
    largest = int(np.max(values))
    width = next(w * 10**e for e in range(9) for w in (1, 2, 5) if largest / (w * 10**e) <= 20)
    bins = np.bincount(np.asarray(values, np.int64) // width)
    data = [
        {"from": i * width, "to": (i + 1) * width, "n": int(n)} for i, n in enumerate(bins) if n
    ]
    x = {"field": "from", "type": "quantitative", "title": axis, "bin": {"binned": True}}
    y: dict[str, Any] = {
        "field": "n",
        "type": "quantitative",
        "title": count,
        "axis": {"grid": True},
    }
    y["axis"] |= {"tickCount": 5, "tickMinStep": 1}
    body = {
        "height": 200,
        "data": {"values": data},
        "mark": {"type": "bar", "tooltip": {"content": "data"}},
        "encoding": {"x": x, "x2": {"field": "to"}, "y": y},
    }
    return vega_lite(body, description)
