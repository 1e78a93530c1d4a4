"""Marked errors in words, tables and charts. Empty for campaigns of other protocols."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from functools import cache
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.results.errors.examples import ErrorExample
from judgments.results.errors.figures import ErrorReport
from judgments.results.selection.schemes import schemes_of
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import HIGH, LOW
from judgments.web.sections import ASIDE, FILE, OPEN, EmptyState, Lazy, ResultsPage, Section, plain
from judgments.web.tables import Column, Table, figure

from ..segments.links import to_segment
from . import confirmation_page, figures
from . import examples as errors_examples
from . import kinds_page as error_kinds
from .confirmation import confirmation, measures_confirmation

EXAMPLES = 20  # in a file
FEW, STEP = 6, 22  # systems that have room for values above the points; pixels of a line of more
TRUST = gettext_lazy(
    "Annotators differ in how much they mark, and longer segments have more room for errors: "
    "compare systems on the same segments, and see under Agreement how well annotators' marks "
    "coincide."
)
# xgettext:no-python-format
INTERVAL = gettext_lazy("95 % t intervals over segments.")


def has_errors(campaign: Campaign) -> bool:
    return protocol_of(campaign).has_page("errors")


def lead(report: ErrorReport) -> str:
    """Return what the page says first."""
    if not report.names:
        return _("No translation has been judged yet.")
    n = int(report.n_judgments.sum())
    marked = ngettext(
        "%(n)s error was marked in %(judgments)s of translations",
        "%(n)s errors were marked in %(judgments)s of translations",
        report.n_errors,
    ) % {"n": f"{report.n_errors:,}", "judgments": counted.judgments(n)}
    known = {
        "marked": marked,
        "first": report.names[0],
        "fewest": figure(report.mean[0], 2),
        "last": report.names[-1],
        "most": figure(report.mean[-1], 2),
    }
    if len(report.names) == 1:
        return _("%(marked)s: %(fewest)s per translation of %(first)s.") % known
    return (
        _(
            "%(marked)s. %(first)s has the fewest, %(fewest)s per translation, and %(last)s the "
            "most, %(most)s."
        )
        % known
    )


def notes(report: ErrorReport) -> list[str]:
    weights = _("Scores: minus the sum of the weights, %(weights)s.") % {"weights": report.weights}
    found = [str(TRUST), weights]
    if report.n_unmarked:
        found.append(
            ngettext(
                "%(n)s judgment was imported with a score but without errors; it is left out here.",
                "%(n)s judgments were imported with a score but without errors; they are left out "
                "here.",
                report.n_unmarked,
            )
            % {"n": f"{report.n_unmarked:,}"}
        )
    return found


def system_table(selection: Selection, report: ErrorReport) -> Table:
    columns = [
        Column("system", kind="text"),
        Column(
            "mean",
            _("Errors per translation"),
            "number",
            _("Marked errors in a judged translation"),
        ),
        LOW,
        HIGH,
        Column("score", _("Score"), "number", _("Negative error weight, averaged over segments")),
        *(Column(f"n_{slug}", slug.capitalize(), "count") for slug in report.severities),
        Column(
            "per_1000_words",
            _("Per 1,000 words"),
            "number",
            _("Errors per 1,000 words of the judged sources"),
        ),
        Column("n_missing", _("Missing"), "count", _("Marked as left out")),
        Column("n_source", _("In the source"), "count"),
        Column("n_judgments", _("Judgments"), "count"),
        Column("n_segments", _("Segments"), "count"),
    ]
    systems = segments_of_systems(selection, report)
    n_errors, words = report.counts.sum(axis=1), report.n_words
    rows = [
        (
            name,
            float(report.mean[i]),
            float(report.low[i]),
            float(report.high[i]),
            float(report.score[i]),
            *report.counts[i].tolist(),
            float(1000 * n_errors[i] / words[i]) if words[i] else None,
            int(report.n_missing[i]),
            int(report.n_source[i]),
            int(report.n_judgments[i]),
            int(report.n_segments[i]),
        )
        for i, name in enumerate(report.names)
    ]
    links = {
        (i, f"n_{severity}"): error_kinds.segments(selection, severity, system=name)
        for i, name in enumerate(report.names)
        for severity, n in zip(report.severities, report.counts[i], strict=True)
        if n
    }
    links |= {(i, "system"): systems[name] for i, name in enumerate(report.names)}
    title = _("Errors by system")
    return Table("errors-by-system", title, tuple(columns), rows, str(INTERVAL), links)


def segments_of_systems(selection: Selection, report: ErrorReport) -> dict[str, str]:
    """By name the address of the segments where the system has such errors."""
    return {name: error_kinds.segments(selection, system=name) for name in report.names}


def suggestion_table(report: ErrorReport) -> Table:
    columns = (
        Column("annotator", kind="text"),
        Column("suggested", _("Suggested"), "count"),
        Column("kept", _("Kept"), "count"),
        Column("changed", _("Changed"), "count"),
        Column("deleted", _("Deleted"), "count"),
        Column("own", _("Own"), "count", _("Marked in addition")),
        Column("share_kept", _("Share kept"), "number"),
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
    note = _(
        "Annotators who keep nearly all suggestions and add hardly anything may not be reading."
    )
    return Table("suggestions", _("What became of suggestions"), columns, rows, note)


def chart(selection: Selection, report: ErrorReport) -> Chart | None:
    if not report.names:
        return None
    spec = charts.intervals(
        report.names,
        report.mean,
        report.low,
        report.high,
        axis=_("Errors per translation"),
        step=STEP if len(report.names) > FEW else None,
        description=_("Marked errors of each system with intervals"),
    )
    addresses = segments_of_systems(selection, report)
    shown = zip(charts.short(report.names), report.names, strict=True)
    spec = charts.linked(spec, {short: addresses[name] for short, name in shown})
    table = system_table(selection, report)
    caption = _(
        "Errors in a judged translation, fewest first. %(interval)s n = judgments in the table."
    ) % {"interval": INTERVAL}
    title, hint = _("Errors per translation"), _("A point leads to its segments.")
    return Chart("errors", title, caption, spec, table.columns, table.rows, hint=hint)


def example_table(selection: Selection) -> Table:
    columns = (
        Column("segment"),
        Column("document"),
        Column("system"),
        Column("annotator"),
        Column("severity", _("Severity"), "text"),
        Column("category", _("Category"), "text"),
        Column("side", _("Side"), "text"),
        Column("before", _("Before"), "text"),
        Column("marked", _("Marked"), "text"),
        Column("after", _("After"), "text"),
    )
    rows = [
        tuple(getattr(example, column.key) for column in columns)
        for example in errors_examples.error_examples(selection, example_ids(selection)[:EXAMPLES])
    ]
    note = _("Drawn at random among the errors that count here, always the same ones.")
    return Table("error-examples", _("Examples"), columns, rows, note)


def example_ids(selection: Selection) -> list[int]:
    """Return the ids of errors that may be shown in their texts."""
    return errors_examples.example_ids(selection).tolist()


def examples(selection: Selection, ids: Iterable[int]) -> list[tuple[ErrorExample, str]]:
    """Return errors in their texts, each with the address of its segment."""
    found = errors_examples.error_examples(selection, list(ids))
    return [(each, to_segment(selection, each.segment_id, system=each.system_id)) for each in found]


def presets(selection: Selection) -> list[tuple[str, str, bool]]:
    """Return published weights and the campaign's own: the name, the page by them, and whether
    these are in force."""
    schemes = {"": _("the campaign's own")}
    schemes |= {slug: _(scheme.name) for slug, scheme in schemes_of(selection.campaign).items()}
    page = reverse("errors", args=[selection.campaign.pk])
    return [
        (
            name,
            page + dataclasses.replace(selection, weights=slug).query,
            slug == selection.weights,
        )
        for slug, name in schemes.items()
    ]


def sections(selection: Selection, unit: str = "words", *, folded: bool = False) -> list[Section]:
    """``unit``: a key of `error_kinds.UNITS`, that of the page's tables of kinds. ``folded``:
    whether the table of systems stands behind its title."""
    report = cache(lambda: figures.errors(selection))
    units = error_kinds.units_of(selection)
    chosen = units.get(unit, units["translation"])
    by_system = _("Errors by system")
    of_systems = Lazy(
        "errors-by-system",
        by_system,
        lambda: system_table(selection, report()),
        ASIDE if folded else OPEN,
    )
    found = [
        Section(
            slug="errors",
            title=_("Marked errors"),
            sentence=lambda: lead(report()),
            notes=lambda: notes(report()),
            charts=[
                Lazy("errors", _("Errors per translation"), lambda: chart(selection, report()))
            ],
            tables=[of_systems],
        ),
        Section(
            slug="error-kinds",
            title=_("Kinds of errors"),
            charts=error_kinds.heat_maps(selection, report, chosen),
            tables=error_kinds.tables(selection, report, chosen),
            exists=lambda: bool(report().n_errors),
        ),
        Section(
            slug="error-examples",
            title=_("Examples"),
            tables=[Lazy("error-examples", _("Examples"), lambda: example_table(selection), FILE)],
        ),
    ]
    if selection.campaign.options.get("prefilled"):
        title = _("What became of suggestions")
        table = Lazy("suggestions", title, lambda: suggestion_table(report()))
        found.append(Section(slug="suggestions", title=title, tables=[table]))
    if measures_confirmation(selection.campaign):
        found.append(confirmation_page.section(selection))
    return found


def data(selection: Selection) -> dict[str, Any]:
    report = figures.errors(selection)
    found: dict[str, Any] = plain(report)
    for row, each in zip(found["suggestions"], report.suggestions, strict=True):
        row["deleted"] = each.deleted
    if measures_confirmation(selection.campaign):
        found["confirmation"] = plain(confirmation(selection))
    return found


def empty(selection: Selection) -> EmptyState | None:
    return None if figures.errors(selection).names else NOTHING


NOTHING = EmptyState(
    gettext_lazy("No errors yet"),
    gettext_lazy("Marked errors will appear here with the first judgments."),
    "campaign",
    gettext_lazy("See the progress"),
)
PAGE = ResultsPage(
    "errors",
    gettext_lazy("Errors"),
    sections,
    data,
    asked=has_errors,
    empty=empty,
    template="judgments/results/errors.html",
)
