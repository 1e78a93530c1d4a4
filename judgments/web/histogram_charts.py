"""Histograms of many one below the other, on one axis: small multiples as one Vega-Lite view, which
is as wide as the page."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from .charts import color, vega_lite

FILLED = 0.82  # of a line by its highest bar
STEP, NARROW_STEP = 44, 26  # pixels of a line with two lines of words, with one
MOST_WIDE = 30  # lines


def histogram_rows(
    names: Sequence[str],
    notes: Sequence[str],
    edges: np.ndarray,
    counts: np.ndarray,
    marks: np.ndarray,
    *,
    axis: str,
    ticks: Sequence[float] = (),
    labels: Sequence[str] = (),
    description: str = "",
) -> dict:
    """``counts`` (n, k) in the bins between ``edges`` (k + 1,), a line for each name with its note.

    Every line is filled by its own highest bar. ``marks`` (n,): where a vertical line stands, NaN
    for none. ``ticks``: what the axis names, if not round numbers; ``labels``: by what words, where
    they follow each other by 1. The data say under "cell" which bar is which: the line and the bin,
    with a hyphen between them.
    """
    x, y = _axes(edges, len(names), axis, ticks, labels)
    lines = zip(names, notes, strict=True)
    words = [[name, note] if len(names) <= MOST_WIDE else name for name, note in lines]
    body = {
        "params": [{"name": "lines", "value": words}, {"name": "labels", "value": list(labels)}],
        "height": (STEP if len(names) <= MOST_WIDE else NARROW_STEP) * max(len(names), 1),
        "layer": [
            _ground(edges, len(names), x, y),
            _bars(bar_data(names, edges, counts, ticks, labels), x, y, axis),
            _marks(marks, x, y),
        ],
    }
    return vega_lite(body, description)


def _axes(
    edges: np.ndarray, n: int, axis: str, ticks: Sequence[float], labels: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return line i lies between i and i + 1, from above."""
    x: dict[str, Any] = {"field": "low", "type": "quantitative", "title": axis}
    x["scale"] = {"domain": [float(edges[0]), float(edges[-1])], "nice": False, "zero": False}
    x["axis"] = {"grid": True, "tickCount": 8} | _named_ticks(ticks, labels)
    y: dict[str, Any] = {"field": "top", "type": "quantitative", "title": None}
    y["scale"] = {"domain": [0, n], "reverse": True, "nice": False}
    y["axis"] = {
        "values": [i + 0.5 for i in range(n)],
        "labelExpr": "lines[floor(datum.value)]",
        "ticks": False,
        "domain": False,
        "grid": False,
        "labelPadding": 8,
    }
    return x, y


def _ground(edges: np.ndarray, n: int, x: dict, y: dict) -> dict:
    """Return what the bars of each line stand on."""
    feet = [{"foot": i + 1, "low": float(edges[0]), "high": float(edges[-1])} for i in range(n)]
    return {
        "data": {"values": feet},
        "mark": {"type": "rule", "color": color("line"), "strokeWidth": 1},
        "encoding": {"x": x, "x2": {"field": "high"}, "y": y | {"field": "foot"}},
    }


def _bars(data: list[dict], x: dict, y: dict, axis: str) -> dict:
    tooltip = [
        {"field": "name", "title": _("Name")},
        {"field": "range", "title": axis},
        {"field": "n", "title": _("Number")},
        {"field": "share", "title": _("Share"), "format": ".1%"},
    ]
    encoding = {"x": x, "x2": {"field": "high"}, "y": y, "y2": {"field": "foot"}}
    return {
        "data": {"values": data},
        "mark": {"type": "rect", "color": color("accent"), "stroke": color("paper")},
        "encoding": encoding | {"tooltip": tooltip},
    }


def _marks(marks: np.ndarray, x: dict, y: dict) -> dict:
    data = [
        {"low": float(mark), "top": i + 1 - FILLED, "foot": i + 1}
        for i, mark in enumerate(marks)
        if not math.isnan(mark)
    ]
    return {
        "data": {"values": data},
        "mark": {"type": "rule", "color": color("bad"), "strokeWidth": 2},
        "encoding": {"x": x, "y": y, "y2": {"field": "foot"}},
    }


def _named_ticks(ticks: Sequence[float], labels: Sequence[str]) -> dict[str, Any]:
    if not len(ticks):
        return {}
    found: dict[str, Any] = {"values": [float(tick) for tick in ticks], "format": "~g"}
    if len(labels):
        found["labelExpr"] = "labels[datum.value-" + f"({ticks[0]:g})" + "]"
    return found


def bar_data(
    names: Sequence[str],
    edges: np.ndarray,
    counts: np.ndarray,
    ticks: Sequence[float],
    labels: Sequence[str],
) -> list[dict]:
    """Return the bars that are not empty."""
    spans = bin_names(edges, ticks, labels)
    found = []
    for i, (name, line) in enumerate(zip(names, counts, strict=True)):
        highest, total = int(line.max(initial=0)), int(line.sum())
        for j in np.flatnonzero(line):
            found.append(
                {
                    "cell": f"{i}-{j}",
                    "name": name,
                    "low": float(edges[j]),
                    "high": float(edges[j + 1]),
                    "top": i + 1 - FILLED * int(line[j]) / highest,
                    "foot": i + 1,
                    "range": spans[j],
                    "n": int(line[j]),
                    "share": int(line[j]) / total,
                }
            )
    return found


def bin_names(
    edges: np.ndarray, ticks: Sequence[float] = (), labels: Sequence[str] = ()
) -> list[str]:
    """Return what bins are called: their label, their value, or from where to where they go."""
    if len(labels):
        return list(labels)
    if len(ticks):
        return [f"{tick:g}" for tick in ticks]
    return [f"{low:g} – {high:g}" for low, high in itertools.pairwise(edges)]
