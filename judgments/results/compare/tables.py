"""Two systems segment by segment: the histogram of differences, and the segments behind it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from django.utils.translation import gettext as _

from judgments.models import Output, Segment
from judgments.results.observations import observations
from judgments.results.scores import comparisons
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import COMPARED, PAIRS
from judgments.web.tables import Column, Table, figure

from ..scores.head_to_head import head_to_head_rows
from ..segments.links import to_segment, to_segments
from .words import of_scores

if TYPE_CHECKING:
    from .pair import PairPage

SHOWN = 5
MOST_IN_RANGE = 20
SHORT = 48
BINS = 21


def facts(page: PairPage) -> Table:
    """Return the row of the page of scores, for every dimension; wins, losses and ties of
    comparisons."""
    title = _("Both systems by every dimension")
    dimensions = observations.dimensions_of(page.selection.campaign)
    if not dimensions:
        found = comparisons.head_to_head(page.selection)
        names = found.names.tolist()
        order = [names.index(name) for name in page.pair or () if name in names]
        rows = [row for row in head_to_head_rows(found, order) if row[0] == (page.pair or " ")[0]]
        return Table("compared", title, COMPARED, rows)
    rows = []
    for dimension in dimensions:
        row = of_scores(page, dimension.slug)
        if row is not None:
            row["separated"] = _("yes") if row["separated"] else _("no")
            rows.append((dimension.name, *row.values()))
    columns = (Column("dimension", _("Dimension"), "text"), *PAIRS)
    note = _("As on the page of scores.")
    systems = dict(zip(page.pair or (), page.two.system_ids, strict=True)) if rows else {}
    links = {
        (i, key): to_segments(page.selection, systems=[row[place]], dimension=dimensions[i].slug)
        for i, row in enumerate(rows)
        for place, key in ((1, "system"), (2, "against"))
        if row[place] in systems
    }
    return Table("compared", title, columns, rows, note, links)


def bins_of(difference: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the width of bins, and the bin of each difference (n,): bin k is centered on k widths,
    so that no difference is in the middle of one."""
    largest = float(np.abs(difference).max(initial=0)) or 1.0
    sizes = (w * 10.0**e for e in range(-6, 9) for w in (1, 2, 5))
    width = next(size for size in sizes if 2 * largest / size <= BINS)
    return width, np.floor(difference / width + 0.5).astype(np.int64)


def histogram(page: PairPage) -> Chart | None:
    """Return how many segments have which difference; each bar leads to its segments."""
    two = page.two
    if not len(two.difference):
        return None
    width, code = bins_of(two.difference)
    met, n = np.unique(code, return_counts=True)
    sides = [page.called[0], _("about equal"), page.called[1]]
    data = [
        {"name": str(k), "from": (k - 0.5) * width, "to": (k + 0.5) * width, "n": count}
        | {"better": sides[0 if k > 0 else 1 if k == 0 else 2]}
        for k, count in zip(met.tolist(), n.tolist(), strict=True)
    ]
    spec = charts.vega_lite(_bars(page, data, sides), _("Differences by segment"))
    links = {each["name"]: _to_range(page, each["from"], each["to"]) for each in data}
    caption = _("%(first)s minus %(second)s, %(what)s; n = %(n)s, mean %(mean)s.") % {
        "first": page.called[0],
        "second": page.called[1],
        "what": page.what,
        "n": counted.segments(len(two.difference)),
        "mean": figure(two.mean, 2),
    }
    columns = (Column("low", _("From")), Column("high", _("To")), Column("n", _("Segments")))
    rows = [(each["from"], each["to"], each["n"]) for each in data]
    title = _("Differences by segment")
    drawn, hint = charts.linked(spec, links), _("A bar leads to its segments.")
    return Chart("compared-differences", title, caption, drawn, columns, rows, hint=hint)


def _bars(page: PairPage, data: list[dict[str, Any]], sides: list[str]) -> dict[str, Any]:
    axis = _("%(first)s minus %(second)s") % {"first": sides[0], "second": sides[2]}
    x: dict[str, Any] = {
        "field": "from",
        "type": "quantitative",
        "title": axis,
        "bin": {"binned": True},
    }
    x |= {"axis": {"tickCount": 8}}
    y: dict[str, Any] = {"field": "n", "type": "quantitative", "title": _("segments")}
    y |= {"axis": {"tickCount": 5, "tickMinStep": 1, "grid": True}}
    colors = [charts.color(name) for name in ("accent", "line", "quiet")]
    fill: dict[str, Any] = {"field": "better", "type": "nominal", "title": _("better")}
    fill |= {"scale": {"domain": sides, "range": colors}, "legend": {"orient": "bottom"}}
    tooltip = [
        {"field": "from", "title": _("From"), "format": ".4~g"},
        {"field": "to", "title": _("To"), "format": ".4~g"},
        {"field": "n", "title": _("Segments")},
    ]
    encoding = {"x": x, "x2": {"field": "to"}, "y": y, "color": fill, "tooltip": tooltip}
    return {"height": 220, "data": {"values": data}, "mark": {"type": "bar"}, "encoding": encoding}


def _to_range(page: PairPage, low: float, high: float) -> str:
    return page.address(low=f"{low:.6g}", high=f"{high:.6g}") + "#section-compared-differences"


def first_ahead(page: PairPage) -> Table:
    """Return the segments on which the first system is better by most."""
    order = np.argsort(-page.two.difference, kind="stable")
    order = order[page.two.difference[order] > 0][:SHOWN]
    return segment_table(page, "compared-first", _("Where the first is furthest ahead"), order)


def second_ahead(page: PairPage) -> Table:
    """Return the segments on which the second system is better by most."""
    order = np.argsort(page.two.difference, kind="stable")
    order = order[page.two.difference[order] < 0][:SHOWN]
    return segment_table(page, "compared-second", _("Where the second is furthest ahead"), order)


def in_range(page: PairPage) -> Table:
    """Return the segments with a difference from what the reader asked for to below what they
    did."""
    low = -math.inf if page.asked.low is None else page.asked.low
    high = math.inf if page.asked.high is None else page.asked.high
    d = page.two.difference
    there = np.flatnonzero((d >= low) & (d < high))
    order = there[np.argsort(-np.abs(d[there]), kind="stable")]
    more = len(order) - MOST_IN_RANGE
    table = segment_table(
        page, "compared-range", _("Segments with such a difference"), order[:MOST_IN_RANGE]
    )
    if more <= 0:
        return table
    note = _("%(n)s more are in the file of all segments.") % {"n": f"{more:,}"}
    return Table(table.slug, table.title, table.columns, table.rows, note, table.links)


def every(page: PairPage) -> Table:
    """Return all segments, without texts, for files."""
    two = page.two
    rows = [
        (str(key), *two.names, float(d), *two.values[:, i].tolist())
        for i, (key, d) in enumerate(zip(two.segment_keys, two.difference, strict=True))
    ]
    columns = ("segment", "first", "second", "difference", "first_score", "second_score")
    return Table("compared-segments", _("Differences of all segments"), columns, rows)


def segment_table(page: PairPage, slug: str, title: str, order: np.ndarray) -> Table:
    """Return segments (places in those of the pair) with scores and the start of their texts."""
    two, selection = page.two, page.selection
    ids = two.segment_ids[order].tolist()
    has_texts = selection.campaign.test_set.has_texts
    sources, outputs = _texts(two.system_ids, ids) if has_texts else ({}, {})
    columns = [Column("segment", kind="text"), Column("difference", _("Difference"), "number")]
    if two.dimension:
        columns += [
            Column("first_score", page.called[0], "number", _("Its score")),
            Column("second_score", page.called[1], "number", _("Its score")),
        ]
    if has_texts:
        columns += [Column("source", _("Source"), "text")]
        columns += [
            Column(key, _("Output of %(system)s") % {"system": name}, "text")
            for key, name in zip(("first_text", "second_text"), page.called, strict=True)
        ]
    rows, links = [], {}
    for place, (i, pk) in enumerate(zip(order.tolist(), ids, strict=True)):
        row: list[object] = [str(two.segment_keys[i]), float(two.difference[i])]
        row += two.values[:, i].tolist() if two.dimension else []
        if has_texts:
            row += [_short(sources.get(pk, ""))]
            row += [_short(outputs.get((pk, system), "")) for system in two.system_ids]
        rows.append(row)
        links[place, "segment"] = to_segment(selection, pk)
        for key, system in zip(("first", "second"), two.system_ids, strict=True):
            address = to_segment(selection, pk, system=system)
            links[place, f"{key}_score"] = links[place, f"{key}_text"] = address
    return Table(slug, title, tuple(columns), rows, "", links)


def _texts(
    systems: tuple[int, int], segments: list[int]
) -> tuple[dict[int, str], dict[tuple[int, int], str]]:
    """Return sources by segment, and outputs by segment and system."""
    sources = Segment.objects.filter(pk__in=segments).order_by().values_list("pk", "source")
    outputs = Output.objects.filter(segment__in=segments, system__in=systems).order_by()
    found = outputs.values_list("segment_id", "system_id", "text")
    return dict(sources), {(segment, system): text for segment, system, text in found}


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SHORT else text[: SHORT - 1].rstrip() + "…"
