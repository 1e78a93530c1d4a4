"""The chart of a ranking as judgments came in: a line for each system, its name at the end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from judgments.results.learning_curve.figures import LearningCurve
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.tables import Column


def curve_chart(
    curve: LearningCurve, title: str, axis: str, addresses: Sequence[str]
) -> Chart | None:
    """Return a line for each system, with the interval of its last score. addresses: where the
    points of each lead."""
    if len(curve.names) < 2 or not len(curve.n):
        return None
    names = charts.short(curve.names)
    points = [
        {"name": name, "share": float(share), "n": int(n), "score": charts.number(score)}
        for name, scores in zip(names, curve.scores.T, strict=True)
        for share, n, score in zip(curve.shares, curve.n, scores, strict=True)
        if not math.isnan(score)
    ]
    ends = [
        {"name": name, "share": 1.0, "low": charts.number(low), "high": charts.number(high)}
        | {"score": charts.number(score), "rank": rank}
        for rank, (name, low, high, score) in enumerate(
            zip(names, curve.low, curve.high, curve.scores[-1], strict=True), 1
        )
    ]
    spec = charts.vega_lite(_lines(points, ends, axis), title)
    spec = charts.linked(spec, dict(zip(names, addresses, strict=True)))
    caption = _(
        "Each line is a system; bars at the end are 95 %% intervals of all judgments. n = %(n)s."
    ) % {"n": n_of(curve)}
    columns, rows = columns_of(curve), rows_of(curve, curve.scores)
    slug, hint = slug_of("learning-curve", curve), _("A point leads to the system's segments.")
    return Chart(slug, title, caption, spec, columns, rows, hint=hint)


def _lines(points: list[dict], ends: list[dict], axis: str) -> dict[str, Any]:
    at: dict[str, Any] = {"field": "share", "type": "quantitative", "title": _("judgments")}
    at |= {"axis": {"format": ".0%", "tickCount": 6}, "scale": {"domain": [0, 1.15]}}
    at["axis"] |= {"values": [0.2, 0.4, 0.6, 0.8, 1]}
    y: dict[str, Any] = {"type": "quantitative", "title": axis, "scale": {"zero": False}}
    tooltip = [
        {"field": "name", "title": _("Name")},
        {"field": "n", "title": _("N")},
        {"field": "score", "title": axis, "format": ".4~g"},
    ]
    line = {"x": at, "y": y | {"field": "score"}, "detail": {"field": "name"}}
    first = {"field": "rank", "type": "nominal"}
    rule = {"x": at, "y": y | {"field": "low"}, "y2": {"field": "high"}}
    text = {"x": at, "y": y | {"field": "label"}, "text": {"field": "name"}}
    label: dict[str, Any] = {"type": "text", "align": "left", "dx": 6, "fontSize": 10}
    label["limit"] = {"expr": "width < 400 ? 70 : 110"}  # on a phone there is less room for names
    height = max(260, 18 * len(ends))
    bounds = [each[end] for each in ends for end in ("low", "high") if each[end] is not None]
    _set_apart(ends, bounds + [each["score"] for each in points], 13 / height)
    return {
        "height": height,
        "layer": [
            {"data": {"values": points}, "mark": {"type": "line", "strokeWidth": 1.2}}
            | {"encoding": line},
            {"data": {"values": points}, "mark": {"type": "point", "size": 18}}
            | {"encoding": line | {"tooltip": tooltip}},
            {"data": {"values": ends}, "mark": {"type": "rule", "opacity": 0.5}}
            | {"encoding": rule | {"detail": first}},
            {"data": {"values": ends}, "mark": label, "encoding": text},
        ],
    }


def _set_apart(ends: list[dict], values: list[float], share: float) -> None:
    """Give names places at the end of their lines, at least a share of the height apart.

    ``values``: all that is drawn, so that their range is about that of the axis.
    """
    gap = (max(values) - min(values)) * share
    place = math.inf
    for each in sorted(ends, key=lambda each: -each["score"]):  # from the top
        place = min(each["score"], place - gap)
        each["label"] = place


def n_of(curve: LearningCurve) -> str:
    n = int(curve.n[-1]) if len(curve.n) else 0
    return counted.ratings(n) if curve.dimension else counted.judgments(n)


def columns_of(curve: LearningCurve) -> tuple[Column, ...]:
    percent = (f"{share:.0%}" for share in curve.shares)
    return (Column("system", kind="text"), *(Column(p, p, "auto") for p in percent))


def rows_of(curve: LearningCurve, values: np.ndarray) -> list[tuple]:
    return [(name, *column.tolist()) for name, column in zip(curve.names, values.T, strict=True)]


def slug_of(kind: str, curve: LearningCurve) -> str:
    return f"{kind}-{curve.dimension or 'comparisons'}"
