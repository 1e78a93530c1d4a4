"""Scatter plots of a metric against people, as Vega-Lite: arrays in, a spec out."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from judgments.charts import vega_lite
from metrics.stats.correlation import RegressionBand, regression_band

GRID_POINTS = 41
# More points than this hide each other and make a page of megabytes.
MOST_POINTS = 2000


def sample(n: int, most: int, rng: np.random.Generator) -> np.ndarray:
    """Places of at most `most` of n points, in order; all of them when they fit."""
    if n <= most:
        return np.arange(n)
    return np.sort(rng.choice(n, size=most, replace=False))


def band_of(metric: np.ndarray, human: np.ndarray) -> RegressionBand:
    """The regression of people's scores on the metric's, over the metric's range."""
    there = ~(np.isnan(metric) | np.isnan(human))
    values = metric[there]
    low, high = (values.min(), values.max()) if len(values) else (0.0, 1.0)
    return regression_band(metric, human, np.linspace(low, high, GRID_POINTS))


def domain_of(values: Sequence[float]) -> tuple[float, float]:
    """The ends of a measured axis, with some room around the values."""
    low, high = (min(values), max(values)) if len(values) else (0.0, 1.0)
    room = 0.12 * ((high - low) or abs(high) or 1.0)
    return low - room, high + room


def shows_band(band: RegressionBand, human: Sequence[float]) -> bool:
    """Whether an edge of the band lies within the chart. With three points neither may: all of the
    chart would be band, which says nothing."""
    if np.isnan(band.low).any():
        return False
    low, high = domain_of(human)
    return bool((band.low > low).any() or (band.high < high).any())


def scatter(
    points: Sequence[dict[str, Any]],
    band: RegressionBand,
    *,
    metric_title: str,
    human_title: str,
    labels: bool,
    description: str = "",
) -> dict[str, Any]:
    """The spec of a scatter plot with its regression line and 95 % band.

    `points`: dicts with metric, human, system, and optionally segment and href (where a click on
    the point leads). `labels`: write the system's name beside each point.
    """
    x = axis("metric", metric_title, [point["metric"] for point in points])
    y = axis("human", human_title, [point["human"] for point in points])
    encoding = {"x": x, "y": y}
    data = {"values": list(points)}
    dots: dict[str, Any] = {
        "data": data,
        "mark": {"type": "point"} if labels else {"type": "point", "size": 25, "opacity": 0.35},
        "encoding": encoding | {"tooltip": tooltip(points, metric_title, human_title)},
    }
    if any("href" in point for point in points):
        dots["encoding"]["href"] = {"field": "href", "type": "nominal"}
        dots["mark"]["cursor"] = "pointer"
    layers = [dots]
    if not np.isnan(band.fit).any():
        has_band = shows_band(band, [point["human"] for point in points])
        layers = [line_layer(band, x, y, has_band), dots]
    if labels:
        mark = {"type": "text", "align": "left", "dx": 8, "fontSize": 11}
        text = encoding | {"text": {"field": "system", "type": "nominal"}}
        layers.append({"data": data, "mark": mark, "encoding": text})
    return vega_lite({"height": 360, "layer": layers}, description)


def tooltip(
    points: Sequence[dict[str, Any]], metric_title: str, human_title: str
) -> list[dict[str, str]]:
    """What hovering over a point shows."""
    fields = [("system", "System"), ("segment", "Segment")]
    if not any("segment" in point for point in points):
        fields = fields[:1]
    numbers = [("metric", metric_title), ("human", human_title)]
    return [{"field": f, "type": "nominal", "title": t} for f, t in fields] + [
        {"field": f, "type": "quantitative", "title": t, "format": ".3f"} for f, t in numbers
    ]


def axis(field: str, title: str, values: Sequence[float]) -> dict[str, Any]:
    """A measured axis around the values: with few points the band is so wide that it would leave
    them no room, so it is cut off instead."""
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {"domain": list(domain_of(values)), "zero": False, "nice": False},
        "axis": {"tickCount": 6, "grid": True},
    }


def line_layer(
    band: RegressionBand, x: dict[str, Any], y: dict[str, Any], has_band: bool
) -> dict[str, Any]:
    """The line and its band (if it is to be drawn), on the axes of the points."""
    columns = np.column_stack([band.grid, band.fit, band.low, band.high]).tolist()
    names = ("x", "fit", "low", "high") if has_band else ("x", "fit")
    x = x | {"field": "x"}
    line = {
        "mark": {"type": "line", "strokeWidth": 2, "clip": True},
        "encoding": {"x": x, "y": y | {"field": "fit"}},
    }
    area = {
        "mark": {"type": "area", "clip": True},
        "encoding": {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}},
    }
    return {
        "data": {"values": [dict(zip(names, row, strict=False)) for row in columns]},
        "layer": [area, line] if has_band else [line],
    }
