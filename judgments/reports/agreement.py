"""Agreement in words, tables and charts."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from judgments import charts, results
from judgments.charts import Chart
from judgments.models import Campaign
from judgments.results import AgreementReport, Coefficient, Workload
from judgments.tables import Column, Table, figure, interval

from .base import Part, TableLink, plain

ADVERBS = {
    "poor": "less than by chance",
    "slight": "slightly",
    "fair": "fairly",
    "moderate": "moderately",
    "substantial": "substantially",
    "almost perfect": "almost perfectly",
}
MEASURES = {"uniform": "kappa with uniform chance", "pearson": "Pearson's correlation"}
MAX_BARS = 40
FEW_ITEMS = 30

COLUMNS = (
    Column("coefficient"),
    Column("among", "Among"),
    Column("estimate", "Value", "number"),
    Column("low", "95 % from", "number"),
    Column("high", "to", "number"),
    Column("p_observed", "p(A)", "number", "Share of pairs that agree"),
    Column("p_expected", "p(E)", "number", "Share that would agree by chance"),
    Column("n_items", "Items", "count", "Judged by two: outputs, pairs of outputs, or segments"),
    Column("n_annotators", "Annotators", "count"),
    Column("n_pairs", "Pairs", "count", "Pairs of judgments that were compared"),
    Column("note", "Note", "text"),
)


def reports_of(campaign: Campaign) -> list[AgreementReport]:
    """One report per dimension, or one on comparisons."""
    dimensions = results.dimensions_of(campaign)
    if not dimensions:
        return [results.agreement(campaign)]
    return [results.agreement(campaign, dimension.slug) for dimension in dimensions]


def lead(report: AgreementReport) -> str:
    """The finding in one sentence."""
    found = report.headline.result
    if math.isnan(found.estimate):
        return f"How far annotators agree cannot be said: {found.reason}."
    name = "alpha" if report.headline.slug == "alpha" else "kappa"
    how = ADVERBS[found.gloss]
    bounds = interval(found.low, found.high, 2)
    value = f"{name} {figure(found.estimate, 2)}" + (f" {bounds}" if bounds else "")
    judged = f"{found.n_items:,} {items(report)} judged by at least two"
    return f"Annotators agree {how}: {value}, {judged} of {report.n_annotators:,} annotators."


def items(report: AgreementReport) -> str:
    """What n_items counts."""
    return "outputs" if report.dimension else "segments"


def trust(report: AgreementReport) -> str:
    """When to rely on the figure, and when not."""
    found = report.headline.result
    if math.isnan(found.estimate):
        return "Agreement needs outputs that two people judge: plan some overlap."
    if found.n_items < FEW_ITEMS:
        few = f"Only {found.n_items} {items(report)} were judged by two: "
        return few + "take this as a first impression, the interval says how rough."
    if found.high - found.low > 0.2:
        return "The interval is wide: more outputs judged by two people would narrow it."
    given = report.confusion.sum(axis=1)
    common = given.max() / given.sum() if given.sum() else 0
    if common > 0.75:
        return (
            f"One value makes up {common:.0%} of the judgments, and chance-corrected figures fall "
            "when one value is frequent: read p(A) beside them."
        )
    if found.estimate < 0.2:
        return (
            "A single judgment says little here: rely on averages over many, and see whether "
            "annotators agree with themselves."
        )
    return (
        "Enough outputs were judged twice to rely on this figure; it says how alike people judge, "
        "not who is right."
    )


def row(coefficient: Coefficient, among: str) -> tuple:
    found = coefficient.result
    note = found.reason or found.interval_reason or coefficient.reading
    return (
        coefficient.name,
        among,
        found.estimate,
        found.low,
        found.high,
        found.p_observed,
        found.p_expected,
        found.n_items or None,
        found.n_annotators or None,
        found.n_pairs or None,
        note,
    )


BETWEEN = "different annotators"


def coefficient_rows(report: AgreementReport) -> list[tuple]:
    rows = [row(c, BETWEEN) for c in report.between]
    return rows + [row(c, "an annotator's repeats") for c in report.within]


def coefficient_table(report: AgreementReport) -> Table:
    """All coefficients of one dimension."""
    note = (
        f"95 % intervals: percentile bootstrap over {report.resampled}, {report.resamples:,} "
        f"resamples, seed {report.seed}. The words are those of Landis and Koch (1977), a gloss "
        "and no pass mark."
    )
    title = f"Coefficients: {report.name.lower()}"
    return Table(slug_of("agreement", report), title, COLUMNS, coefficient_rows(report), note)


def slug_of(kind: str, report: AgreementReport) -> str:
    return f"{kind}-{report.dimension or 'comparisons'}"


def coefficient_chart(report: AgreementReport) -> Chart | None:
    """The coefficients with their intervals; None when all are undefined."""
    rows = [r for r in coefficient_rows(report) if not math.isnan(r[2])]
    if not rows:
        return None
    names = [r[0] if r[1] == BETWEEN else f"{r[0]}, repeats" for r in rows]
    columns = [np.array([r[i] for r in rows], float) for i in (2, 3, 4)]
    title = f"Agreement: {report.name.lower()}"
    caption = (
        f"1 is full agreement, 0 agreement by chance. Lines: 95 % bootstrap intervals over "
        f"{report.resampled}. n = {report.headline.result.n_items:,} {items(report)} judged by two "
        f"or more, {report.n_annotators:,} annotators."
    )
    lowest = float(np.nanmin([*columns[0], *columns[1], 0.0]))
    spec = charts.intervals(
        names, *columns, axis="coefficient", domain=(lowest, 1.0), description=title
    )
    name = slug_of("agreement-coefficients", report)
    return Chart(name, title, caption, spec, COLUMNS, coefficient_rows(report))


def confusion_chart(report: AgreementReport) -> Chart | None:
    """What two annotators said of the same output; None without pairs."""
    total = report.confusion.sum()
    if not total:
        return None
    counts = report.confusion
    texts = [[f"{value:,.0f}" for value in line] for line in counts]
    title = f"What two annotators said of the same {report.unit}: {report.name.lower()}"
    spec = charts.heat_map(
        report.labels[::-1],
        report.labels,
        counts[::-1] / total,
        row_title="one annotator",
        column_title="the other",
        legend="share of pairs",
        domain=(0.0, float(counts.max() / total)),
        texts=texts[::-1],
        description=title,
    )
    caption = (
        f"Pairs of judgments, each counted in both orders; n = {total / 2:,.0f} pairs. Agreement "
        "is the rising diagonal."
    )
    heads = (Column(label, label, "count") for label in report.labels)
    columns = (Column("value", "One annotator", "text"), *heads)
    rows = [(label, *map(int, line)) for label, line in zip(report.labels, counts, strict=True)]
    return Chart(slug_of("agreement-values", report), title, caption, spec, columns, rows)


def annotator_chart(report: AgreementReport) -> Chart | None:
    """Each annotator with each other; None when no two share enough."""
    matrix = report.matrix
    if not len(matrix.pairs()):
        return None
    measure = MEASURES[matrix.measure]
    title = f"Annotator by annotator: {report.name.lower()}"
    top = max(float(np.nanmax(matrix.estimate)), 0.5)
    spec = charts.heat_map(
        report.aliases,
        report.aliases,
        matrix.estimate,
        row_title="",
        column_title="",
        legend=measure,
        domain=(min(0.0, float(np.nanmin(matrix.estimate))), top),
        description=title,
    )
    hidden = f" Not shown: {report.n_hidden} who judged or share less." if report.n_hidden else ""
    caption = (
        f"{measure[0].upper() + measure[1:]} of each two annotators who share "
        f"{matrix.min_shared} {report.unit} or more; n = {len(matrix.pairs()):,} pairs of "
        f"annotators.{hidden}"
    )
    columns = (
        Column("annotator_a", "Annotator"),
        Column("annotator_b", "and"),
        Column("estimate", matrix.measure.capitalize(), "number"),
        Column("n_shared", f"Shared {report.unit}", "count"),
    )
    rows = [
        (a, b, float(matrix.estimate[i, j]), int(matrix.n_shared[i, j]))
        for i, a in enumerate(report.aliases)
        for j, b in enumerate(report.aliases)
        if i < j and matrix.n_shared[i, j]
    ]
    return Chart(slug_of("agreement-annotators", report), title, caption, spec, columns, rows)


def workload_chart(work: Workload) -> Chart | None:
    """Judgments per annotator: a bar each, or a histogram when they are many."""
    if not len(work.aliases):
        return None
    order = np.lexsort((work.aliases.astype(str), -work.n_judgments))
    n, counts = len(order), work.n_judgments
    title = "Judgments per annotator"
    if n <= MAX_BARS:
        spec = charts.bars(
            work.aliases[order].tolist(), counts[order], axis="judgments", description=title
        )
    else:
        spec = charts.histogram(counts, axis="judgments", count="annotators", description=title)
    caption = (
        f"One judgment is one screen; repeats and controls count. n = {counts.sum():,} judgments "
        f"by {n:,} annotators, median {np.median(counts):,.0f}."
    )
    columns = (
        Column("annotator"),
        Column("judgments", kind="count"),
        Column("median_seconds", "Median active seconds", "number"),
    )
    rows = [(str(work.aliases[i]), int(counts[i]), float(work.median_seconds[i])) for i in order]
    return Chart("annotators", title, caption, spec, columns, rows)


def charts_of(report: AgreementReport) -> list[Chart]:
    made = (coefficient_chart(report), confusion_chart(report), annotator_chart(report))
    return [chart for chart in made if chart is not None]


def all_charts(campaign: Campaign) -> list[Chart]:
    found = [chart for report in reports_of(campaign) for chart in charts_of(report)]
    work = workload_chart(results.workload(campaign))
    return found + ([work] if work else [])


def agreement_table(campaign: Campaign) -> Table:
    """The coefficients of all dimensions, for files."""
    reports = reports_of(campaign)
    rows = [(r.dimension or "comparisons", *line) for r in reports for line in coefficient_rows(r)]
    return Table("agreement", "Agreement", (Column("dimension"), *COLUMNS), rows)


def all_tables(campaign: Campaign) -> list[TableLink]:
    links = [TableLink("agreement", "Agreement", lambda: agreement_table(campaign))]
    for chart in all_charts(campaign):
        if not chart.name.startswith("agreement-coefficients"):
            links.append(TableLink(chart.name, chart.title, partial(getattr, chart, "table")))
    return links


def data(campaign: Campaign) -> dict[str, Any]:
    reports = [plain(report) for report in reports_of(campaign)]
    return {"reports": reports, "workload": plain(results.workload(campaign))}


PART = Part("agreement", "Agreement", all_tables, all_charts, data)
