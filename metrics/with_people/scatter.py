"""A metric's scores against people's as a chart, with the figure that the tables show."""

import json
from collections.abc import Sequence
from math import isnan
from typing import Any

import numpy as np
from django.urls import reverse
from django.utils.translation import gettext as _

from judgments.results.segments.links import to_segment, to_segments
from judgments.results.selection.selection import Selection
from judgments.web.charts import Chart, color, vega_lite
from judgments.web.point_labels import label_layers
from judgments.web.scatter_plots import domain_of, measured_axis
from judgments.web.tables import Column, Table, cell, figure, interval
from metrics.stats.correlation import RegressionBand, regression_band

from .agreement import Figure
from .study import Metric, Study, spoken
from .system_kinds import SystemLook

# Shapes tell the kinds apart without the colors, which are those of Okabe and Ito (2008), "Color
# universal design", that have a contrast of 3 on white and on the dark page.
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#808080")
SIZE = 80


def kind_encoding(kinds: Sequence[str], title: str) -> dict[str, Any]:
    """Return shape and color by the field `kind`, with one legend for both."""
    known = sorted(set(kinds))
    n = len(known)
    field = {"field": "kind", "type": "nominal", "title": title}
    shapes = [SHAPES[i % len(SHAPES)] for i in range(n)]
    colors = [COLORS[i % len(COLORS)] for i in range(n)]
    legend = {"orient": "top", "symbolFillColor": color("quiet"), "columns": 3}
    return {
        "shape": field | {"scale": {"domain": known, "range": shapes}, "legend": legend},
        "color": field | {"scale": {"domain": known, "range": colors}, "legend": legend},
    }


def point_layers(points: Sequence[dict[str, Any]], encoding: dict[str, Any]) -> list[dict]:
    """Return filled points, and hollow ones for those that are `human`."""
    led = any("href" in point for point in points)
    common: dict[str, Any] = {"type": "point", "size": SIZE}
    if led:
        common["cursor"] = "pointer"
        encoding = encoding | {"href": {"field": "href", "type": "nominal"}}
    marks = {False: common, True: common | {"filled": False, "strokeWidth": 2}}
    found = []
    for is_human, mark in marks.items():
        values = [point for point in points if bool(point.get("human_made")) == is_human]
        if values:
            found.append({"data": {"values": values}, "mark": mark, "encoding": encoding})
    return found


GRID_POINTS = 41
# More points than this make a page of megabytes.
MOST_POINTS = 20_000


def sample(n: int, most: int, rng: np.random.Generator) -> np.ndarray:
    """Return places of at most `most` of n points, in order; all of them when they fit."""
    if n <= most:
        return np.arange(n)
    return np.sort(rng.choice(n, size=most, replace=False))


def band_of(metric: np.ndarray, human: np.ndarray) -> RegressionBand:
    """Return the regression of people's scores on the metric's, over the metric's range."""
    there = ~(np.isnan(metric) | np.isnan(human))
    values = metric[there]
    low, high = (values.min(), values.max()) if len(values) else (0.0, 1.0)
    return regression_band(metric, human, np.linspace(low, high, GRID_POINTS))


def shows_band(band: RegressionBand, human: Sequence[float]) -> bool:
    """Return whether an edge of the band lies within the chart. With three points neither may: all
    of the chart would be band, which says nothing."""
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
    """Return the spec of a scatter plot with its regression line and 95 % band.

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
    """Return the spec of the outputs at places (system, segment). A click on a point leads to its
    segment: `lead` is what `around_id` says.

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
    system = f"{systems}[datum.s][1]"
    parts = (before, "datum.g", after, system, "'#system-'", system)
    dots: dict[str, Any] = {
        "data": {"values": points},
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
    return vega_lite({"height": 360, "layer": layers}, description)


def lines(
    band: RegressionBand, x: dict[str, Any], y: dict[str, Any], human: Sequence[float]
) -> list[dict[str, Any]]:
    """Return the layer of the line and its band, if there is a line."""
    if np.isnan(band.fit).any():
        return []
    return [line_layer(band, x, y, shows_band(band, human))]


def tooltip(
    metric: tuple[str, str], human: tuple[str, str], *more: tuple[str, str]
) -> list[dict[str, str]]:
    """Return what hovering over a point shows: the system, `more`, both scores; fields with
    titles."""
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
    """Return the line and its band (if it is to be drawn), on the axes of the points."""
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


# With more systems their names would cover each other.
MOST_LABELS = 16
# Outputs in the table beside the chart of segments.
N_FARTHEST = 20
SEED = 1


def describe(found: Figure) -> str:
    """Return Pearson's r with its interval, p and n, or why it is not defined."""
    if isnan(found.estimate):
        return _("Pearson r is not defined: %(why)s.") % {"why": _(found.reason)}
    ends = interval(found.low, found.high)
    known = [_("95 %% interval %(ends)s") % {"ends": ends}] if ends else []
    if not isnan(found.p_value):
        p = cell(found.p_value, "p")
        known.append(f"p {p}" if p.startswith("<") else f"p = {p}")
    known.append(f"n = {found.n:,}")
    words = f"Pearson r = {figure(found.estimate)} ({', '.join(known)})."
    return f"{words} {_(found.no_interval).capitalize()}." if found.no_interval else words


def line_words(band: RegressionBand, human: Sequence[float]) -> str:
    """Return what the line of a chart is."""
    if isnan(band.slope):
        return _("There is no line")
    if shows_band(band, human):
        return _("Line: least squares, with the 95 % band of the mean")
    if np.isnan(band.low).any():
        return _("Line: least squares")
    return _("Line: least squares; the 95 % band of its mean is wider than the chart")


# Metrics whose scores span no more than this are said by hundredths.
SMALL_RANGE = 3.0


def slope_words(study: Study, band: RegressionBand) -> str:
    """Return what one more point of the metric goes with, in the signs in which both were counted,
    and how much of the differences between systems the line explains."""
    if isnan(band.slope):
        return ""
    (metric,) = study.metrics
    scores = study.metric_systems[0]
    step = 1.0 if np.nanmax(scores) - np.nanmin(scores) > SMALL_RANGE else 0.01
    is_turned = study.measure is not None and study.measure.lower_is_better
    sign = step * (1 if metric.higher_is_better else -1) * (-1 if is_turned else 1)
    slope, *ends = (sign * value for value in (band.slope, band.slope_low, band.slope_high))
    places = digits(slope)
    unit = _(study.measure.unit) if study.measure else _("in people's score")
    known = {
        "step": figure(step, 0 if step == 1 else 2),
        "metric": metric.label,
        "slope": f"{'+' if slope > 0 else ''}{figure(slope, places)}",
        "unit": unit,
        "bounds": interval(min(ends), max(ends), places),
        "r": figure(band.r_squared, 2),
    }
    if not known["bounds"]:
        return _("+%(step)s %(metric)s = %(slope)s %(unit)s.") % known
    return _("+%(step)s %(metric)s = %(slope)s %(unit)s %(bounds)s; R² = %(r)s.") % known


def digits(value: float) -> int:
    """Return decimals that show two significant digits of a small number."""
    size = abs(value)
    return 2 if size >= 0.1 or not size else min(8, 1 - int(np.floor(np.log10(size))))


def axis_title(metric: Metric) -> str:
    """Return the metric's name; of a turned one, that its sign is reversed."""
    return (
        metric.title
        if metric.higher_is_better
        else _("%(title)s, sign reversed (× −1)") % {"title": metric.title}
    )


def system_points(study: Study, selection: Selection, look: SystemLook) -> list[dict[str, Any]]:
    """Return one point a system with both scores, which leads to its segments."""
    (metric,) = study.metrics
    sort = "lowest" if metric.is_sentinel else f"clash-{metric.slug}"
    points: list[dict[str, Any]] = []
    for i, (ours, theirs) in enumerate(
        zip(study.metric_systems[0].tolist(), study.people_of(0).tolist(), strict=True)
    ):
        system, pk = study.systems[i], int(study.system_ids[i])
        if not (isnan(ours) or isnan(theirs)):
            href = to_segments(selection, systems=[system], sort=sort)
            point = {"system": system, "metric": ours, "human": theirs, "href": href}
            points.append(point | look.of(pk))
    return points


def system_scatter(
    study: Study,
    found: Figure,
    name: str,
    selection: Selection,
    look: SystemLook,
    without: str = "",
) -> Chart:
    """Return one point a system. `study` is of one metric, whose figure over systems is `found`.
    `without`: a kind of systems; a second line is of the others alone."""
    (metric,) = study.metrics
    scores, human = study.metric_systems[0], study.people_of(0)
    title = axis_title(metric)
    points = system_points(study, selection, look)
    band = band_of(scores, human)
    others = None
    if without:
        of_kind = np.array([kind == without for kind in look.kinds_of(study)], bool)
        others = band_of(scores[~of_kind], human[~of_kind])
    spec = scatter(
        points,
        band,
        metric_title=title,
        human_title=spoken(study.human_name),
        labels=len(points) <= MOST_LABELS,
        without=others,
        description=describe(found),
    )
    best_first = sorted(points, key=lambda point: -point["human"])
    keys = ("system", "metric", "human", *(["kind"] if look.has_kinds else []))
    kinds = [Column("kind", _("Kind"), "text")] if look.has_kinds else []
    caption = _("Each point is a system. %(figure)s %(line)s.") % {
        "figure": describe(found),
        "line": line_words(band, [point["human"] for point in points]),
    }
    if said := slope_words(study, band):
        caption += f" {said}"
    if any(point["human_made"] for point in points):
        caption += " " + _("Hollow: human translations.")
    if without:
        caption += " " + _("Dashed: the line without %(kind)s systems.") % {"kind": without}
    return Chart(
        name=name,
        title=_("%(title)s against people, over systems") % {"title": metric.title},
        caption=caption,
        spec=spec,
        columns=(Column("system"), *score_columns(title, study), *kinds),
        rows=[[point[key] for key in keys] for point in best_first],
        hint=_("A point leads to the segments of its system."),
    )


def outputs_scatter(study: Study, found: Figure, name: str, selection: Selection) -> Chart:
    """Return one point an output, which leads to its segment. Of more than MOST_POINTS a random
    sample is drawn and the outputs farthest from the line; line and figure are over all."""
    (metric,) = study.metrics
    scores, human = study.segments[0], study.human
    title = axis_title(metric)
    band = band_of(scores, human)
    at = np.argwhere(~(np.isnan(scores) | np.isnan(human)))
    far = farthest(scores, human, band, at)
    drawn = at[np.union1d(sample(len(at), MOST_POINTS, np.random.default_rng(SEED)), far)]
    spec = segment_scatter(
        study,
        drawn,
        band,
        lead=around_id(selection),
        metric_title=title,
        description=describe(found),
    )
    of_all = (
        ""
        if len(drawn) == len(at)
        else " "
        + _("Shown: %(drawn)s of %(at)s, chosen at random and those farthest away.")
        % {"drawn": f"{len(drawn):,}", "at": f"{len(at):,}"}
    )
    return Chart(
        name=name,
        title=_("%(title)s against people, over segments") % {"title": metric.title},
        caption=_(
            "Each point is an output of a system for a segment. All outputs together: "
            "%(figure)s%(of_all)s %(line)s."
        )
        % {
            "figure": describe(found),
            "of_all": of_all,
            "line": line_words(band, human[tuple(at.T)].tolist()),
        },
        spec=spec,
        columns=output_columns(study),
        rows=output_rows(study, at[far]),
        hint=_("A point leads to its segment."),
    )


def around_id(selection: Selection) -> tuple[str, str]:
    """Return what stands before and after the id of a segment in the address of its page, up to the
    id of the system whose output stands first."""
    own = reverse("segment", args=[selection.campaign.pk, 0])
    before, after = own.rsplit("0", 1)
    asked = to_segment(selection, 0, system=0).removeprefix(own)
    return before, after + asked.removesuffix("0#system-0")


def farthest_table(study: Study, selection: Selection) -> Table | None:
    """Return the outputs farthest from the line, the farthest first; each leads to its segment."""
    scores, human = study.segments[0], study.human
    at = np.argwhere(~(np.isnan(scores) | np.isnan(human)))
    far = at[farthest(scores, human, band_of(scores, human), at)]
    if not len(far):
        return None
    links: dict[tuple[int, str], str] = {}
    for row, (i, j) in enumerate(far.tolist()):
        system, segment = int(study.system_ids[i]), int(study.segment_ids[j])
        address = to_segment(selection, segment, system=system)
        links |= {(row, "system"): address, (row, "segment"): address}
    title = _("%(metric)s against people: the outputs farthest from the line") % {
        "metric": study.metrics[0].title
    }
    rows = output_rows(study, far)
    return Table("metric-farthest", title, output_columns(study), rows, links=links)


def output_columns(study: Study) -> tuple[Any, ...]:
    return Column("system"), Column("segment"), *score_columns(axis_title(study.metrics[0]), study)


def output_rows(study: Study, at: np.ndarray) -> list[list[Any]]:
    """Return system, segment and both scores of the outputs at places (system, segment)."""
    scores, human = study.segments[0], study.human
    return [
        [study.systems[i], str(study.segment_keys[j]), float(scores[i, j]), float(human[i, j])]
        for i, j in at
    ]


def farthest(
    scores: np.ndarray, human: np.ndarray, band: RegressionBand, at: np.ndarray
) -> np.ndarray:
    """Return which of the places (system, segment) `at` are farthest from the line, the farthest
    first."""
    if isnan(band.slope) or not len(at):
        return np.empty(0, dtype=np.intp)
    places = tuple(at.T)
    distance = np.abs(human[places] - band.intercept - band.slope * scores[places])
    return np.argsort(-distance, kind="stable")[:N_FARTHEST]


def score_columns(title: str, study: Study) -> tuple[Any, Any]:
    """Return the two numbers of a point."""
    return Column("metric", title, "number"), Column("human", spoken(study.human_name), "number")
