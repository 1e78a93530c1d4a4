"""Scatter plots of a metric against people, as Vega-Lite: arrays in, a spec out."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from judgments.web.charts import color, vega_lite
from judgments.web.point_labels import label_layers
from judgments.web.scatter_plots import domain_of, measured_axis
from metrics.stats.correlation import RegressionBand, regression_band

from .scatter_marks import kind_encoding, point_layers
from .study import Study, spoken

GRID_POINTS = 41
# More points than this make a page of megabytes.
MOST_POINTS = 20_000


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
    without: RegressionBand | None = None,
    description: str = "",
) -> dict[str, Any]:
    """The spec of a scatter plot with its regression line and 95 % band.

    `points`: dicts with metric, human, system, and where known `kind` (of the system), `human_made`
    and `href`. `labels`: write the system's name beside each point. `without`: a second line, of
    fewer systems, which is dashed.
    """
    x = measured_axis("metric", metric_title, [point["metric"] for point in points])
    y = measured_axis("human", human_title, [point["human"] for point in points])
    kinds = [point["kind"] for point in points if point.get("kind")]
    more = [("kind", _("Kind"))] if kinds else []
    encoding = {
        "x": x,
        "y": y,
        "tooltip": tooltip(("metric", metric_title), ("human", human_title), *more),
        **(kind_encoding(kinds, _("Kind of system")) if kinds else {}),
    }
    layers = lines(band, x, y, [point["human"] for point in points])
    if without is not None and not np.isnan(without.fit).any():
        layers.append(line_layer(without, x, y, False, dashed=True))
    layers += point_layers(points, encoding)
    if labels:
        layers += label_layers(points, "system", {"x": x, "y": y})
    return vega_lite({"height": 360, "layer": layers}, description)


def segment_scatter(
    study: Study,
    at: np.ndarray,
    band: RegressionBand,
    *,
    lead: tuple[str, str],
    metric_title: str,
    description: str = "",
) -> dict[str, Any]:
    """The spec of the outputs at places (system, segment). A click on a point leads to its
    segment: `lead` is what stands before and after the segment's id in the address.

    Points have short names and the places of systems, since there may be twenty thousand.
    """
    scores, human = study.segments[0][tuple(at.T)], study.human[tuple(at.T)]
    x = measured_axis("x", metric_title, scores.tolist())
    y = measured_axis("y", spoken(study.human_name), human.tolist())
    keys, ids = [str(key) for key in study.segment_keys], study.segment_ids.tolist()
    points = [
        {"s": i, "k": keys[j], "g": ids[j], "x": round(ours, 4), "y": round(theirs, 4)}
        for (i, j), ours, theirs in zip(at.tolist(), scores.tolist(), human.tolist(), strict=True)
    ]
    named = zip(study.systems, study.system_ids.tolist(), strict=True)
    systems = json.dumps([[name, pk] for name, pk in named])
    before, after = map(json.dumps, lead)
    parts = (before, "datum.g", after, "'#system-'", f"{systems}[datum.s][1]")
    dots: dict[str, Any] = {
        "transform": [
            {"calculate": f"{systems}[datum.s][0]", "as": "system"},
            {"calculate": " + ".join(parts), "as": "href"},
        ],
        "mark": {"type": "point", "size": 25, "opacity": 0.35, "cursor": "pointer"},
        "encoding": {
            "x": x,
            "y": y,
            "tooltip": tooltip(
                ("x", metric_title), ("y", spoken(study.human_name)), ("k", _("Segment"))
            ),
            "href": {"field": "href", "type": "nominal"},
        },
    }
    layers = [*lines(band, x, y, human.tolist()), dots]
    spec = vega_lite({"height": 360, "layer": layers}, description)
    spec["layer"][-1]["data"] = {"values": points}  # put in last: a spec is copied, they are many
    return spec


def lines(
    band: RegressionBand, x: dict[str, Any], y: dict[str, Any], human: Sequence[float]
) -> list[dict[str, Any]]:
    """The layer of the line and its band, if there is a line."""
    if np.isnan(band.fit).any():
        return []
    return [line_layer(band, x, y, shows_band(band, human))]


def tooltip(
    metric: tuple[str, str], human: tuple[str, str], *more: tuple[str, str]
) -> list[dict[str, str]]:
    """What hovering over a point shows: the system, `more`, both scores; fields with titles."""
    names = [("system", _("System")), *more]
    return [{"field": f, "type": "nominal", "title": t} for f, t in names] + [
        {"field": f, "type": "quantitative", "title": t, "format": ".3f"}
        for f, t in (metric, human)
    ]


def line_layer(
    band: RegressionBand,
    x: dict[str, Any],
    y: dict[str, Any],
    has_band: bool,
    dashed: bool = False,
) -> dict[str, Any]:
    """The line and its band (if it is to be drawn), on the axes of the points."""
    columns = np.column_stack([band.grid, band.fit, band.low, band.high]).tolist()
    names = ("x", "fit", "low", "high") if has_band else ("x", "fit")
    x = x | {"field": "x"}
    mark: dict[str, Any] = {"type": "line", "strokeWidth": 2, "clip": True}
    line = {
        "mark": mark | ({"strokeDash": [6, 4], "color": color("quiet")} if dashed else {}),
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
