"""The figures of the correlation page: a chart, its caption, and the table beside it."""

from collections.abc import Sequence
from math import isnan
from typing import Any

import numpy as np
from django.urls import reverse

from judgments.charts import Chart
from judgments.results.selection import Selection
from judgments.tables import Column
from metrics.charts import MOST_POINTS, band_of, sample, scatter, shows_band
from metrics.evaluation import Evaluation, Row
from metrics.forms.correlation import title
from metrics.stats.correlation import Correlation, RegressionBand
from metrics.templatetags.metric_numbers import coefficient, interval, p_value

# With more systems their names would cover each other.
MOST_LABELS = 16
# Outputs in the table beside the chart of segments.
N_FARTHEST = 20
SEED = 1


def chosen_row(evaluation: Evaluation, slug: str | None) -> Row:
    """The row of a column's slug, or the first."""
    by_slug = {row.column.slug: row for row in evaluation.rows}
    return by_slug.get(slug or "", evaluation.rows[0])


def chart_name(evaluation: Evaluation, row: Row) -> str:
    """The chart's name in addresses and files."""
    return f"correlation-{evaluation.slug}-{row.column.slug}"


def describe(r: Correlation) -> str:
    """A coefficient with its interval, p and n, or why it is not defined."""
    if isnan(r.estimate):
        return f"{r.coefficient} is not defined: {r.reason}."
    known = [] if isnan(r.low) else [f"95 % interval {interval(r)}"]
    p = p_value(r.p_value)
    known += [f"p {p}" if p.startswith("<") else f"p = {p}", f"n = {r.n:,}"]
    return f"{r.coefficient} = {coefficient(r.estimate)} ({', '.join(known)})."


def line_words(band: RegressionBand, human: Sequence[float]) -> str:
    """What the line of a chart is."""
    if isnan(band.slope):
        return "There is no line"
    if shows_band(band, human):
        return "Line: least squares, with the 95 % band of the mean"
    if np.isnan(band.low).any():
        return "Line: least squares"
    return "Line: least squares; the 95 % band of its mean is wider than the chart"


def system_figure(selection: Selection, evaluation: Evaluation, slug: str | None) -> Chart:
    """A metric's corpus scores against people's scores, one point a system."""
    row = chosen_row(evaluation, slug)
    name = title(row.column)
    points = [
        {"system": system, "metric": metric, "human": human}
        for system, metric, human in zip(
            evaluation.names, row.metric.tolist(), row.human.tolist(), strict=True
        )
        if not (isnan(metric) or isnan(human))
    ]
    band = band_of(row.metric, row.human)
    spec = scatter(
        points,
        band,
        metric_title=name,
        human_title=evaluation.human_name,
        labels=len(points) <= MOST_LABELS,
        description=describe(row.pearson),
    )
    rows = sorted(
        ([point["system"], point["metric"], point["human"]] for point in points),
        key=lambda cells: -cells[2],
    )
    return Chart(
        name=chart_name(evaluation, row),
        title=f"{name} against people, over systems",
        caption=f"Each point is a system. {describe(row.pearson)} "
        f"{line_words(band, [point['human'] for point in points])}; {row.wanted}.",
        spec=spec,
        columns=(Column("system"), *score_columns(name, evaluation)),
        rows=rows,
    )


def segment_figure(selection: Selection, evaluation: Evaluation, slug: str | None) -> Chart:
    """A metric's segment scores against people's, one point an output. A point leads to its texts;
    of very many a random sample is drawn, while line and coefficients are over all."""
    row = chosen_row(evaluation, slug)
    name = title(row.column)
    band = band_of(row.metric, row.human)
    at = np.argwhere(~(np.isnan(row.metric) | np.isnan(row.human)))
    drawn = at[sample(len(at), MOST_POINTS, np.random.default_rng(SEED))]
    page = reverse("metric-segments", args=[selection.campaign.test_set_id])
    spec = scatter(
        [point(page, evaluation, row, i, j) for i, j in drawn],
        band,
        metric_title=name,
        human_title=evaluation.human_name,
        labels=False,
        description=describe(row.pearson),
    )
    of_all = "" if len(drawn) == len(at) else f" Drawn: a random {len(drawn):,} of {len(at):,}."
    return Chart(
        name=chart_name(evaluation, row),
        title=f"{name} against people, over segments",
        caption="Each point is an output of a system for a segment. "
        f"{describe(row.pearson)}{of_all} "
        f"{line_words(band, row.human[tuple(at.T)].tolist())}; {row.wanted}. The table lists the "
        "outputs farthest from the line.",
        spec=spec,
        columns=(Column("system"), Column("segment"), *score_columns(name, evaluation)),
        rows=[farthest_cells(evaluation, row, i, j) for i, j in farthest(row, band, at)],
    )


def point(page: str, evaluation: Evaluation, row: Row, i: int, j: int) -> dict[str, Any]:
    """A point of the chart of segments: system i, segment j, and where a click leads."""
    segment_id = evaluation.segment_ids[j]
    query = f"system={evaluation.system_ids[i]}&segment={segment_id}"
    return {
        "system": evaluation.names[i],
        "segment": evaluation.segment_keys[j],
        "metric": round(float(row.metric[i, j]), 3),
        "human": round(float(row.human[i, j]), 3),
        "href": f"{page}?{query}#segment-{segment_id}",
    }


def farthest(row: Row, band, at: np.ndarray) -> np.ndarray:
    """Places (system, segment) of the outputs farthest from the line, the farthest first."""
    if isnan(band.slope) or not len(at):
        return at[:0]
    metric, human = row.metric[at[:, 0], at[:, 1]], row.human[at[:, 0], at[:, 1]]
    distance = np.abs(human - band.intercept - band.slope * metric)
    return at[np.argsort(-distance, kind="stable")[:N_FARTHEST]]


def farthest_cells(evaluation: Evaluation, row: Row, i: int, j: int) -> list[Any]:
    scores = [float(row.metric[i, j]), float(row.human[i, j])]
    return [evaluation.names[i], evaluation.segment_keys[j], *scores]


def score_columns(name: str, evaluation: Evaluation) -> tuple[Column, Column]:
    """The two numbers of a point."""
    return Column("metric", name, "number"), Column("human", evaluation.human_name, "number")
