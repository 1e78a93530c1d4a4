"""A metric's scores against people's as a chart, with the figure that the tables show."""

from collections.abc import Sequence
from math import isnan
from typing import Any

import numpy as np
from django.urls import reverse
from django.utils.translation import gettext as _

from judgments.results.segments.links import to_segment, to_segments
from judgments.results.selection.selection import Selection
from judgments.web.charts import Chart
from judgments.web.tables import Column, Table, cell, figure, interval
from metrics.stats.correlation import RegressionBand

from .agreement import Figure
from .scatter_spec import MOST_POINTS, band_of, sample, scatter, segment_scatter, shows_band
from .study import Metric, Study, spoken
from .system_kinds import SystemLook

# With more systems their names would cover each other.
MOST_LABELS = 16
# Outputs in the table beside the chart of segments.
N_FARTHEST = 20
SEED = 1


def describe(found: Figure) -> str:
    """Pearson's r with its interval, p and n, or why it is not defined."""
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
    """What the line of a chart is."""
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
    """What one more point of the metric goes with, in the signs in which both were counted, and
    how much of the differences between systems the line explains."""
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
    """Decimals that show two significant digits of a small number."""
    size = abs(value)
    return 2 if size >= 0.1 or not size else min(8, 1 - int(np.floor(np.log10(size))))


def axis_title(metric: Metric) -> str:
    """The metric's name; of a turned one, that its sign is reversed."""
    return (
        metric.title
        if metric.higher_is_better
        else _("%(title)s, sign reversed (× −1)") % {"title": metric.title}
    )


def system_points(study: Study, selection: Selection, look: SystemLook) -> list[dict[str, Any]]:
    """One point a system with both scores, which leads to its segments."""
    (metric,) = study.metrics
    sort = "lowest" if metric.is_sentinel else f"clash-{metric.slug}"
    points: list[dict[str, Any]] = []
    for i, (ours, theirs) in enumerate(
        zip(study.metric_systems[0].tolist(), study.human_systems.tolist(), strict=True)
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
    """One point a system. `study` is of one metric, whose figure over systems is `found`.
    `without`: a kind of systems; a second line is of the others alone."""
    (metric,) = study.metrics
    scores, human = study.metric_systems[0], study.human_systems
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
    )


def outputs_scatter(study: Study, found: Figure, name: str, selection: Selection) -> Chart:
    """One point an output, which leads to its segment. Of more than MOST_POINTS a random sample is
    drawn and the outputs farthest from the line; line and figure are over all."""
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
    )


def around_id(selection: Selection) -> tuple[str, str]:
    """What stands before and after the id of a segment in the address of its page."""
    own = reverse("segment", args=[selection.campaign.pk, 0])
    before, after = own.rsplit("0", 1)
    return before, after + to_segment(selection, 0).removeprefix(own)


def farthest_table(study: Study, selection: Selection) -> Table | None:
    """The outputs farthest from the line, the farthest first; each leads to its segment."""
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
    """System, segment and both scores of the outputs at places (system, segment)."""
    scores, human = study.segments[0], study.human
    return [
        [study.systems[i], str(study.segment_keys[j]), float(scores[i, j]), float(human[i, j])]
        for i, j in at
    ]


def farthest(
    scores: np.ndarray, human: np.ndarray, band: RegressionBand, at: np.ndarray
) -> np.ndarray:
    """Which of the places (system, segment) `at` are farthest from the line, the farthest first."""
    if isnan(band.slope) or not len(at):
        return np.empty(0, dtype=np.intp)
    places = tuple(at.T)
    distance = np.abs(human[places] - band.intercept - band.slope * scores[places])
    return np.argsort(-distance, kind="stable")[:N_FARTHEST]


def score_columns(title: str, study: Study) -> tuple[Any, Any]:
    """The two numbers of a point."""
    return Column("metric", title, "number"), Column("human", spoken(study.human_name), "number")
