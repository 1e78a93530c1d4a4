"""How far annotators mark the same errors, in words, a table and a chart."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from judgments import charts, results
from judgments.charts import Chart
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.results import MarksReport
from judgments.results.selection import Selection
from judgments.tables import Column, Table, figure, interval

from .base import Lazy, Section

COLUMNS = (
    Column("coefficient"),
    Column("reading", "Reading", "text"),
    Column("estimate", "Value", "number"),
    Column("low", "95 % low", "number"),
    Column("high", "95 % high", "number"),
    Column("n_items", "Translations", "count", "Judged by two or more"),
    Column("n_annotators", "Annotators", "count"),
    Column(
        "n_pairs",
        "Pairs",
        "count",
        "Of judgments; of errors and other judgments for errors matched",
    ),
    Column("note", "Note", "text"),
)
DIRECTED = (
    Column("annotator"),
    Column("errors", kind="count"),
    Column("met", "Matched by the other", "number"),
    Column("severity", "with the same severity", "number"),
    Column("category", "and category", "number"),
)
FEW_ITEMS = 30
TITLE = "Agreement: marked errors"


def lead(report: MarksReport) -> str:
    """The finding in one sentence."""
    found = report.coefficients[0].result
    if found.reason:
        return f"Agreement on errors cannot be computed: {found.reason}."
    bounds = interval(found.low, found.high, 2)
    return (
        f"{figure(100 * found.estimate, 0)} % of the characters that two annotators mark are "
        "marked by both: character F1 "
        f"{figure(found.estimate, 2)}{f' {bounds}' if bounds else ''}, {found.n_items:,} "
        f"translations, {report.n_spans:,} errors."
    )


def trust(report: MarksReport) -> str:
    """When not to trust the figures."""
    lines = [
        "Nothing here is corrected for chance: long marks overlap more often by chance. Two who "
        "mark nothing agree fully, so many translations without errors raise the mean of F1, and "
        "not the F1 of all characters."
    ]
    found = report.coefficients[0].result
    if not found.reason and found.n_items < FEW_ITEMS:
        lines.append(f"{found.n_items} translations are few.")
    if report.n_unmarked:
        lines.append(
            f"{report.n_unmarked:,} judgments that were imported with a score and without errors "
            "are left out."
        )
    return " ".join(lines)


def rows(report: MarksReport) -> list[tuple]:
    return [
        (
            each.name,
            each.reading,
            each.result.estimate,
            each.result.low,
            each.result.high,
            each.result.n_items or None,
            each.result.n_annotators or None,
            each.result.n_pairs or None,
            each.result.reason or each.result.interval_reason,
        )
        for each in report.coefficients
    ]


def table(report: MarksReport) -> Table:
    note = (
        f"95 % intervals: percentile bootstrap over {report.resampled}, {report.resamples:,} "
        f"resamples, seed {report.seed}. An annotator's first judgment of a translation counts; an "
        "error marked as missing matches only others like it."
    )
    return Table("agreement-marks", "Agreement on marked errors", COLUMNS, rows(report), note)


def directed_table(report: MarksReport) -> Table:
    """The errors of each of two annotators; without rows for more of them."""
    lines = [(name, n, *shares) for name, n, shares in report.directed]
    note = "Whoever marks more is matched less: read both directions."
    return Table("agreement-marks-directed", "Errors matched, by annotator", DIRECTED, lines, note)


def chart(report: MarksReport) -> Chart | None:
    """The figures with their intervals; None when all are undefined."""
    known = [each for each in report.coefficients if not math.isnan(each.result.estimate)]
    if not known:
        return None
    columns = [
        np.array([getattr(each.result, end) for each in known])
        for end in ("estimate", "low", "high")
    ]
    spec = charts.intervals(
        [each.name for each in known], *columns, axis="share", domain=(0.0, 1.0), description=TITLE
    )
    caption = (
        f"1: the same errors, 0: none in common; not corrected for chance. Lines: 95 % bootstrap "
        f"intervals over {report.resampled}. n = {known[0].result.n_items:,} translations judged "
        f"by two or more, {report.n_spans:,} errors."
    )
    return Chart("agreement-marks", TITLE, caption, spec, COLUMNS, rows(report))


def is_asked(campaign: Campaign) -> bool:
    return protocol_of(campaign).has_page("errors")


def section(selection: Selection) -> Section:
    """Of a campaign in which errors are marked."""
    report: Any = cache(lambda: results.marks(selection))
    return Section(
        slug="marks",
        title="Marked errors",
        sentence=lambda: lead(report()),
        notes=lambda: [trust(report())],
        charts=[Lazy("agreement-marks", TITLE, lambda: chart(report()))],
        tables=[
            Lazy("agreement-marks", "Agreement on marked errors", lambda: table(report())),
            Lazy(
                "agreement-marks-directed",
                "Errors matched, by annotator",
                lambda: directed_table(report()),
            ),
        ],
    )
