"""Scatter plots as Vega-Lite specs: points, their names, and measured axes."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from .charts import short, vega_lite
from .point_labels import label_layers


def domain_of(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a measured axis, with some room around the values."""
    low, high = (min(values), max(values)) if len(values) else (0.0, 1.0)
    room = 0.12 * ((high - low) or abs(high) or 1.0)
    return low - room, high + room


def measured_axis(field: str, title: str, values: Sequence[float]) -> dict[str, Any]:
    """Return an axis around the values. With few points a band is so wide that it would leave them
    no room, so it is cut off instead."""
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {"domain": list(domain_of(values)), "zero": False, "nice": False},
        "axis": {"tickCount": 6, "grid": True},
    }


def scatter(
    names: Sequence[str],
    x: np.ndarray,
    y: np.ndarray,
    *,
    x_title: str,
    y_title: str,
    labeled: bool = True,
    description: str = "",
) -> dict:
    """Return points (n,), with the names beside them if ``labeled``."""
    points: list[dict[str, Any]] = [
        {"name": str(name), "x": float(a), "y": float(b)}
        for name, a, b in zip(short(names), x, y, strict=True)
        if not (math.isnan(a) or math.isnan(b))
    ]
    at = {
        "x": measured_axis("x", x_title, [point["x"] for point in points]),
        "y": measured_axis("y", y_title, [point["y"] for point in points]),
    }
    tooltip = [
        {"field": "name", "title": _("Name")},
        {"field": "x", "title": x_title, "format": ".4~g"},
        {"field": "y", "title": y_title, "format": ".4~g"},
    ]
    mark = {"type": "point"} if labeled else {"type": "point", "size": 12, "opacity": 0.35}
    dots = {"data": {"values": points}, "mark": mark, "encoding": at | {"tooltip": tooltip}}
    labels = label_layers(points, "name", at) if labeled else []
    return vega_lite({"height": 320, "layer": [dots, *labels]}, description)
