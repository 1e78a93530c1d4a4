"""Marked errors in words, tables and a chart. Empty for campaigns of other protocols."""

from __future__ import annotations

from functools import partial
from typing import Any

from judgments import charts, results
from judgments.charts import Chart
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.results.errors import ErrorReport
from judgments.results.selection import Selection
from judgments.tables import Column, Table, figure

from .base import Part, TableLink, plain

TRUST = (
    "Annotators differ in how much they mark, and a translation of a longer segment has more "
    "room for errors: compare systems on the same segments, and see under Agreement how far "
    "annotators mark the same places."
)
INTERVAL = "95 % t intervals over segments."


def has_errors(campaign: Campaign) -> bool:
    return protocol_of(campaign).has_page("errors")


def lead(report: ErrorReport) -> str:
    """What the page says first."""
    if not report.names:
        return "No translation was judged yet."
    n = int(report.n_judgments.sum())
    errors = "error was" if report.n_errors == 1 else "errors were"
    text = f"{report.n_errors:,} {errors} marked in {n:,} judgment{'s' * (n != 1)} of translations"
    if len(report.names) == 1:
        return f"{text}: {figure(report.mean[0], 2)} in one of {report.names[0]}."
    first, last = report.names[0], report.names[-1]
    return (
        f"{text}. The fewest are in those of {first}, {figure(report.mean[0], 2)} in one, and the "
        f"most in those of {last}, {figure(report.mean[-1], 2)}."
    )


def notes(report: ErrorReport) -> list[str]:
    found = [TRUST]
    if report.n_unmarked:
        found.append(
            f"{report.n_unmarked:,} judgments were imported with a score but without errors; they "
            "are left out here."
        )
    return found


def system_table(report: ErrorReport) -> Table:
    columns = [
        Column("system", kind="text"),
        Column("mean", "Errors in one", "number", "Marked errors in a judged translation"),
        Column("low", "95 % from", "number"),
        Column("high", "to", "number"),
        *(Column(f"n_{slug}", slug.capitalize(), "count") for slug in report.severities),
        Column("n_missing", "Missing", "count", "Marked as left out"),
        Column("n_source", "In the source", "count"),
        Column("n_judgments", "Judgments", "count"),
        Column("n_segments", "Segments", "count"),
    ]
    rows = [
        (
            name,
            float(report.mean[i]),
            float(report.low[i]),
            float(report.high[i]),
            *report.counts[i].tolist(),
            int(report.n_missing[i]),
            int(report.n_source[i]),
            int(report.n_judgments[i]),
            int(report.n_segments[i]),
        )
        for i, name in enumerate(report.names)
    ]
    return Table("errors-by-system", "Errors by system", tuple(columns), rows, INTERVAL)


def category_table(report: ErrorReport) -> Table:
    """The categories that were marked at all, the most frequent first."""
    columns = [
        Column("category", kind="text"),
        *(Column(f"n_{slug}", slug.capitalize(), "count") for slug in report.severities),
        *(Column(f"n_of_{i}", name, "count") for i, name in enumerate(report.names, 1)),
    ]
    rows = [
        (category, *report.kinds[i].tolist(), *report.kinds_of[:, i].tolist())
        for i, category in enumerate(report.categories)
        if report.kinds[i].any()
    ]
    rows.sort(key=lambda row: -sum(row[1 : 1 + len(report.severities)]))
    note = "Numbers of errors, by severity and then by system."
    return Table("errors-by-category", "Errors by category", tuple(columns), rows, note)


def suggestion_table(report: ErrorReport) -> Table:
    columns = (
        Column("annotator", kind="text"),
        Column("suggested", kind="count"),
        Column("kept", kind="count"),
        Column("changed", kind="count"),
        Column("deleted", kind="count"),
        Column("own", "Own", "count", "Marked besides"),
        Column("share_kept", "Share kept", "number"),
    )
    rows = [
        (
            each.annotator,
            each.suggested,
            each.kept,
            each.changed,
            each.deleted,
            each.own,
            each.kept / each.suggested if each.suggested else None,
        )
        for each in report.suggestions
    ]
    note = "Who keeps nearly all suggestions and marks hardly anything besides may not be reading."
    return Table("suggestions", "What became of suggestions", columns, rows, note)


def tables(report: ErrorReport) -> list[Table]:
    found = [system_table(report)]
    if report.categories:
        found.append(category_table(report))
    if report.suggestions:
        found.append(suggestion_table(report))
    return found


def chart(report: ErrorReport) -> Chart | None:
    if not report.names:
        return None
    spec = charts.intervals(
        report.names,
        report.mean,
        report.low,
        report.high,
        axis="Errors in one translation",
        description="Marked errors of each system with intervals",
    )
    table = system_table(report)
    caption = (
        f"Errors in a judged translation, fewest first. {INTERVAL} n = judgments in the table."
    )
    return Chart("errors", "Errors in one translation", caption, spec, table.columns, table.rows)


def all_tables(selection: Selection) -> list[TableLink]:
    if not has_errors(selection.campaign):
        return []
    report = results.errors(selection)
    return [TableLink(table.slug, table.title, partial(_same, table)) for table in tables(report)]


def _same(table: Table) -> Table:
    return table


def all_charts(selection: Selection) -> list[Chart]:
    found = chart(results.errors(selection)) if has_errors(selection.campaign) else None
    return [found] if found else []


def data(selection: Selection) -> dict[str, Any]:
    if not has_errors(selection.campaign):
        return {}
    report = results.errors(selection)
    found: dict[str, Any] = plain(report)
    for row, each in zip(found["suggestions"], report.suggestions, strict=True):
        row["deleted"] = each.deleted
    return found


PART = Part("errors", "Errors", all_tables, all_charts, data)
