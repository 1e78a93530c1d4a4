"""Errors that metrics mark against people's, as sections of the page of metrics."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import Output
from judgments.results.segments.links import to_segment
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table, figure, interval

from .board import Board
from .metric_section import MetricSection, section
from .span_figures import ErrorsFound, SpanExample, SpanReport, marks_errors, span_report
from .tables import names_of, with_ends

LONGEST_SHOWN = 100  # characters of an example
TITLE = gettext_lazy("Errors that metrics mark, against people's")
KINDS_TITLE = gettext_lazy("What metrics find, by severity and category of people's errors")
EXAMPLES_TITLE = gettext_lazy("Grave errors that one side marked, and the other side nothing")
HOW = gettext_lazy(
    "No metric here marks errors. Add the scores of one that does, such as xCOMET, from a file."
)
OF_CHARACTERS = gettext_lazy(
    "A character that both marked counts 1 with the same severity and ½ with another; precision is "
    "over the metric's characters, recall over people's, all outputs together (micro). The mean of "
    "the outputs' own F1 (macro) counts an output on which both marked nothing as 1, so it rewards "
    "marking little. Exact: the same start, end and severity. Partial: errors assigned one to one "
    "so that the overlap |p ∩ j| / |p ∪ j| is largest in sum."
)
OF_FREE = gettext_lazy(
    "Free of errors: nothing is marked, and the score is at least the threshold where scores go to "
    "1 or to 100 (WMT26 took 85); on another scale, or where lower is better, the marks alone "
    "decide. Matthews' coefficient compares that with what people said; AUC "
    "is the chance that an output free of errors for people has the higher score of the metric."
)


OF_OUTPUTS = gettext_lazy(
    "Every judged output in which the metric looked for errors counts, human references and "
    "control systems too, whatever the settings of this page."
)


@dataclass(frozen=True)
class SpanSections:
    """The sections of a campaign whose people mark errors, made when asked."""

    selection: Selection
    board: Board

    @cached_property
    def report(self) -> SpanReport:
        return span_report(self.selection, self.board)

    def sections(self) -> list[MetricSection]:
        """Return none where people mark no errors."""
        if not marks_errors(self.selection):
            return []
        return [
            section(
                slug="metric-spans",
                title=str(TITLE),
                sentence=lambda: span_lead(self.report),
                table=lambda: span_table(self.report),
                notes=lambda: span_notes(self.report),
                missing=lambda: "" if any(all_rows(self.report)) else str(HOW),
                folded=True,
            ),
            section(
                slug="metric-span-kinds",
                title=str(KINDS_TITLE),
                sentence=lambda: _("Recall by what people called an error."),
                table=lambda: kinds_table(self.report) if self.report.rows else None,
                folded=True,
            ),
            section(
                slug="metric-span-examples",
                title=str(EXAMPLES_TITLE),
                sentence=lambda: _("Each leads to its segment, with what people said of it."),
                table=lambda: examples_table(self.report, self.selection, self.board),
                folded=True,
            ),
        ]


def names(report: SpanReport) -> dict[str, str]:
    return names_of([row.metric for row in report.rows if row.metric])


def all_rows(report: SpanReport) -> Iterator[tuple[str, str, ErrorsFound]]:
    """Yield (slug, name, figures) of each metric, then of people."""
    of = names(report)
    for row in report.rows:
        if row.metric:
            yield row.metric.slug, of[row.metric.slug], row
    if report.people:
        yield "people", _("Another person"), report.people


def span_lead(report: SpanReport) -> str:
    """Return the best metric beside people, or how a metric's errors come in."""
    best = next((row for row in report.rows if row.figures.n and row.metric), None)
    if best is None or best.metric is None:
        return str(HOW)
    known = {"metric": names(report)[best.metric.slug], "f1": said(best)}
    if report.people:
        known["people"] = said(report.people)
        return (
            _("%(metric)s: F1 of characters %(f1)s; one person against another: %(people)s.")
            % known
        )
    return _("%(metric)s: F1 of characters %(f1)s. No output was judged by two people.") % known


def said(found: ErrorsFound) -> str:
    return f"{figure(found.figures.f1)} {interval(found.low, found.high)}".strip()


def span_table(report: SpanReport) -> Table:
    """Return a row for each metric, and one for people against each other."""
    rows: list[tuple[object, ...]] = [
        (
            name,
            found.figures.f1,
            found.low,
            found.high,
            found.figures.precision,
            found.figures.recall,
            found.figures.macro_f1,
            found.figures.exact_f1,
            found.figures.partial_f1,
            found.matthews,
            found.threshold,
            found.auc,
            found.n_own,
            found.n_people,
            found.figures.n,
        )
        for _slug, name, found in all_rows(report)
    ]
    columns = (
        Column("metric", _("Marked by")),
        *with_ends("f1", _("F1 of characters")),
        Column("precision", _("Precision"), "number"),
        Column("recall", _("Recall"), "number"),
        Column("macro_f1", _("F1, mean of outputs"), "number"),
        Column("exact_f1", _("F1, exact"), "number"),
        Column("partial_f1", _("F1, partial"), "number"),
        Column("matthews", _("Free of errors: Matthews"), "number"),
        Column("threshold", _("Threshold"), "number"),
        Column("auc", _("AUC"), "number"),
        Column("errors", _("Errors"), "count"),
        Column("errors_of_people", _("People's errors"), "count"),
        Column("n", _("Pairs of judgments"), "count"),
    )
    note = _("95 %% intervals of F1: bootstrap over %(units)s, %(n)s resamples, seed %(seed)s.") % {
        "units": _(report.resampled),
        "n": f"{report.resamples:,}",
        "seed": report.seed,
    }
    return Table("metric-spans", str(TITLE), columns, rows, note)


def span_notes(report: SpanReport) -> list[str]:
    """Return how the figures are counted, and what is left out."""
    notes = [str(OF_CHARACTERS), str(OF_FREE), str(OF_OUTPUTS)]
    if report.people:
        notes.append(_("People against each other: each two judgments of an output, both ways."))
    if report.n_elsewhere:
        notes.append(
            _("Left out because they concern the source or missing text: %(errors)s of people.")
            % {"errors": counted.errors(report.n_elsewhere)}
        )
    if report.n_stale:
        notes.append(
            _("Errors of %(systems)s are out of date, since the texts have changed: left out.")
            % {"systems": counted.systems(report.n_stale)}
        )
    return notes


def kinds_table(report: SpanReport) -> Table:
    """Return a row for each severity and category; for each metric, and for people, the credit of
    the characters and the share of errors that something overlaps."""
    every = list(all_rows(report))
    rows = []
    for part, title in (("severities", _("Severity")), ("categories", _("Category"))):
        kinds = dict.fromkeys(
            kind for _slug, _name, found in every for kind in getattr(found, part)
        )
        if part == "categories" and len(kinds) < 2:
            continue
        for kind in kinds:
            cells: list[object] = []
            n = 0
            for _slug, _name, found in every:
                of = getattr(found, part).get(kind)
                n = max(n, of.n if of else 0)
                cells += [of.characters if of else nan, of.met if of else nan]
            rows.append((title, kind or _("none"), n, *cells))
    columns = [
        Column("part", _("By")),
        Column("kind", _("People's errors")),
        Column("n", _("N"), "count"),
    ]
    for slug, name, _found in every:
        columns += [
            Column(f"characters_{slug}", name, "number", _("Credit of their characters")),
            Column(f"met_{slug}", _("overlapped"), "number", _("Share that any error overlaps")),
        ]
    note = _(
        "The recall of characters, with half credit for another severity, and the share of errors "
        "that any error of the metric overlaps."
    )
    return Table("metric-span-kinds", str(KINDS_TITLE), tuple(columns), rows, note)


def examples_table(report: SpanReport, selection: Selection, board: Board) -> Table | None:
    """Return outputs, each with the longest such error; None without any."""
    of = names(report)
    found = [
        (of[row.metric.slug], each) for row in report.rows if row.metric for each in row.examples
    ]
    if not found:
        return None
    texts = texts_of([each for _name, each in found])
    systems = {system.pk: system.name for system in board.table.systems}
    rows, links = [], {}
    for place, (name, each) in enumerate(found):
        key, text = texts.get((each.segment_id, each.system_id), ("", ""))
        rows.append(
            (
                name,
                _("people marked it") if each.by_people else _("the metric marked it"),
                systems.get(each.system_id, ""),
                key,
                each.severity,
                Truncator(text[each.start : each.end]).chars(LONGEST_SHOWN),
            )
        )
        address = to_segment(selection, each.segment_id, system=each.system_id)
        links[place, "segment"] = address
    columns = (
        Column("metric"),
        Column("side", _("Who")),
        Column("system"),
        Column("segment", kind="text"),
        Column("severity", _("Severity")),
        Column("marked", _("Marked words")),
    )
    return Table("metric-span-examples", str(EXAMPLES_TITLE), columns, rows, links=links)


def texts_of(examples: Sequence[SpanExample]) -> dict[tuple[int, int], tuple[str, str]]:
    """By segment and system: the key of the segment, and the output."""
    rows = Output.objects.filter(
        segment__in={each.segment_id for each in examples},
        system__in={each.system_id for each in examples},
    )
    known = rows.values_list("segment_id", "system_id", "segment__key", "text")
    return {(segment, system): (key, text) for segment, system, key, text in known}
