"""Agreement in words, tables and charts."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.protocols import protocol_of
from judgments.protocols.pages import with_page
from judgments.results.agreement.coefficients import Coefficient
from judgments.results.agreement.figures import AgreementReport, Workload
from judgments.results.observations import observations
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import AGREEMENT
from judgments.web.plurals import capitalized, of_unit, titled, units
from judgments.web.sections import (
    ASIDE,
    FILE,
    OPEN,
    EmptyState,
    Lazy,
    ResultsPage,
    Section,
    plain,
)
from judgments.web.tables import Column, Table, in_a_sentence

from ..segments.links import from_annotators, linked_to_judged, to_judged, to_shared
from . import figures
from . import marks as agreement_marks
from . import marks_page as marks
from .words import items, lead, meanings, trust

__all__ = ["PAGE", "items", "lead", "meanings", "trust"]

MEASURES = {
    "uniform": gettext_lazy("kappa with uniform chance"),
    "pearson": gettext_lazy("Pearson's correlation"),
}
MAX_BARS = 40

BETWEEN = gettext_lazy("different annotators")


def reports_of(selection: Selection) -> list[AgreementReport]:
    """Return one report per dimension, or one on comparisons."""
    dimensions = observations.dimensions_of(selection.campaign)
    if not dimensions:
        return [figures.agreement(selection)]
    return [figures.agreement(selection, dimension.slug) for dimension in dimensions]


def row(coefficient: Coefficient, among: str) -> tuple:
    found = coefficient.result
    note = _(found.reason or found.interval_reason or coefficient.reading)
    return (
        _(coefficient.name),
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


def coefficient_rows(report: AgreementReport, further: bool | None = None) -> list[tuple]:
    """Return all coefficients, or only those that are further ones or are not."""
    kinds = ((report.between, str(BETWEEN)), (report.within, _("an annotator's repeats")))
    return [
        row(coefficient, among)
        for coefficients, among in kinds
        for coefficient in coefficients
        if further in (None, coefficient.further)
    ]


def further_table(report: AgreementReport) -> Table:
    """Return the coefficients that most readers do not need."""
    rows = coefficient_rows(report, further=True)
    title = titled(_("Further coefficients"), in_a_sentence(report.name))
    return Table(slug_of("agreement-further", report), title, AGREEMENT, rows)


def coefficient_table(report: AgreementReport) -> Table:
    """Return the coefficients of one dimension, without the further ones."""
    found = report.headline.result
    if found.interval_reason:
        note = _("No intervals: %(reason)s.") % {"reason": _(found.interval_reason)}
    else:
        note = _(
            "95 %% intervals: percentile bootstrap over %(units)s, %(resamples)s, seed %(seed)s."
        ) % {
            "units": of_unit(report.resampled),
            "resamples": counted.resamples(report.resamples),
            "seed": report.seed,
        }
    note += " " + _("The words are those of Landis and Koch (1977), a gloss, not a pass mark.")
    title = titled(_("Coefficients"), in_a_sentence(report.name))
    rows = coefficient_rows(report, further=False)
    return Table(slug_of("agreement", report), title, AGREEMENT, rows, note)


def slug_of(kind: str, report: AgreementReport) -> str:
    return f"{kind}-{report.dimension or 'comparisons'}"


def coefficient_chart(report: AgreementReport) -> Chart | None:
    """Return the coefficients with their intervals; None when all are undefined."""
    rows = [r for r in coefficient_rows(report, further=False) if not math.isnan(r[2])]
    if not rows:
        return None
    names = [r[0] if r[1] == BETWEEN else _("%(name)s, repeats") % {"name": r[0]} for r in rows]
    columns = [np.array([r[i] for r in rows], float) for i in (2, 3, 4)]
    title = titled(_("Agreement"), in_a_sentence(report.name))
    found = report.headline.result
    caption = _("1 is full agreement, 0 agreement by chance.") + " "
    if not found.interval_reason:
        caption += (
            _("Lines: 95 %% bootstrap intervals over %(units)s.")
            % {"units": of_unit(report.resampled)}
            + " "
        )
    caption += _("n = %(n)s judged by two or more, %(annotators)s.") % {
        "n": units(found.n_items, items(report)),
        "annotators": counted.annotators(report.n_annotators),
    }
    lowest = float(np.nanmin([*columns[0], *columns[1], 0.0]))
    spec = charts.intervals(
        names, *columns, axis=_("coefficient"), domain=(lowest, 1.0), description=title
    )
    name = slug_of("agreement-coefficients", report)
    return Chart(name, title, caption, spec, AGREEMENT, coefficient_rows(report, further=False))


def confusion_chart(report: AgreementReport) -> Chart | None:
    """Return what two annotators said about the same output; None without pairs."""
    return _values_chart(
        report,
        "agreement-values",
        titled(said_once(report.unit), in_a_sentence(report.name)),
        report.confusion,
        (_("one annotator"), _("the other")),
    )


def repeats_chart(report: AgreementReport) -> Chart | None:
    """Return what annotators said of an output twice; None without repeats."""
    return _values_chart(
        report,
        "agreement-repeats",
        titled(said_twice(report.unit), in_a_sentence(report.name)),
        report.repeated,
        (_("one time"), _("another time")),
    )


def _values_chart(
    report: AgreementReport, kind: str, title: str, counts: np.ndarray, sides: tuple[str, str]
) -> Chart | None:
    """Return pairs of values, each in both orders, as a heat map and a table."""
    total = counts.sum()
    if not total:
        return None
    texts = [[f"{value:,.0f}" for value in line] for line in counts]
    spec = charts.heat_map(
        report.labels[::-1],
        report.labels,
        counts[::-1] / total,
        row_title=sides[0],
        column_title=sides[1],
        legend=_("share of pairs"),
        domain=(0.0, float(counts.max() / total)),
        texts=texts[::-1],
        description=title,
    )
    caption = _(
        "Pairs of judgments, each counted in both orders; n = %(pairs)s. Agreement is"
        " the rising diagonal."
    ) % {"pairs": counted.pairs(int(total / 2))}
    heads = (Column(label, label, "count") for label in report.labels)
    columns = (Column("value", capitalized(sides[0]), "text"), *heads)
    rows = [(label, *map(int, line)) for label, line in zip(report.labels, counts, strict=True)]
    return Chart(slug_of(kind, report), title, caption, spec, columns, rows)


def annotator_chart(selection: Selection, report: AgreementReport) -> Chart | None:
    """Return each annotator with each other, leading to what both judged; None when no two share
    enough."""
    matrix = report.matrix
    if not len(matrix.pairs()):
        return None
    measure = str(MEASURES[matrix.measure])
    title = titled(_("Annotator by annotator"), in_a_sentence(report.name))
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
    hidden = (
        _(" Not shown: %(n_hidden)s with fewer (shared) judgments.") % {"n_hidden": report.n_hidden}
        if report.n_hidden
        else ""
    )
    caption = _(
        "%(measure)s of every pair of annotators who share %(min_shared)s "
        "%(units)s or more; n = %(pairs)s.%(hidden)s"
    ) % {
        "measure": capitalized(measure),
        "min_shared": matrix.min_shared,
        "units": of_unit(report.unit),
        "pairs": counted.pairs_of_annotators(len(matrix.pairs())),
        "hidden": hidden,
    }
    shared = {
        (i, j): to_shared(selection, report.aliases[i], report.aliases[j], report.dimension or None)
        for i, j in np.argwhere(matrix.n_shared).tolist()
        if i != j
    }
    spec = charts.linked(spec, {f"{i}-{j}": to for (i, j), to in shared.items()}, key="cell")
    slug, hint = slug_of("agreement-annotators", report), _("A cell leads to what both judged.")
    table = pair_table(selection, report, slug, title, shared)
    return Chart(slug, title, caption, spec, table.columns, table.rows, table.links, hint)


def pair_table(
    selection: Selection,
    report: AgreementReport,
    slug: str,
    title: str,
    shared: dict[tuple[int, int], str],
) -> Table:
    """Return every two annotators once. shared: by their places the address of what both judged."""
    matrix, aliases = report.matrix, report.aliases
    columns = (
        Column("annotator_a", _("Annotator")),
        Column("annotator_b", _("and")),
        Column("estimate", capitalized(str(MEASURES[matrix.measure])), "number"),
        Column("n_shared", _("Shared %(units)s") % {"units": of_unit(report.unit)}, "count"),
    )
    once = [(i, j) for i, j in shared if i < j]
    rows = [
        (aliases[i], aliases[j], float(matrix.estimate[i, j]), int(matrix.n_shared[i, j]))
        for i, j in once
    ]
    links = {}
    for place, (i, j) in enumerate(once):
        links[place, "annotator_a"] = to_judged(selection, aliases[i])
        links[place, "annotator_b"] = to_judged(selection, aliases[j])
        links[place, "n_shared"] = shared[i, j]
    return Table(slug, title, columns, rows, links=links)


def workload_chart(selection: Selection, work: Workload) -> Chart | None:
    """Return judgments per annotator: a bar each, or a histogram when they are many."""
    if not len(work.aliases):
        return None
    order = np.lexsort((work.aliases.astype(str), -work.n_judgments))
    n, counts = len(order), work.n_judgments
    title = _("Judgments per annotator")
    if n <= MAX_BARS:
        names = work.aliases[order].tolist()
        spec = charts.bars(names, counts[order], axis=_("judgments"), description=title)
        spec = linked_to_judged(selection, spec, names)
    else:
        spec = charts.histogram(
            counts, axis=_("judgments"), count=_("annotators"), description=title
        )
    caption = _(
        "One judgment is one screen; repeats and controls count. n = %(judgments)s by"
        " %(annotators)s, median %(median)s."
    ) % {
        "judgments": counted.judgments(int(counts.sum())),
        "annotators": counted.annotators(n),
        "median": f"{np.median(counts):,.0f}",
    }
    columns = (
        Column("annotator"),
        Column("judgments", kind="count"),
        Column("median_seconds", _("Median active seconds"), "number"),
    )
    rows = [(str(work.aliases[i]), int(counts[i]), float(work.median_seconds[i])) for i in order]
    links = from_annotators(selection, rows)
    hint = _("A bar leads to what was judged.") if n <= MAX_BARS else ""
    return Chart("annotators", title, caption, spec, columns, rows, links, hint)


def said_once(unit: str) -> str:
    return _("What two annotators said about the same %(unit)s") % {"unit": of_unit(unit)}


def said_twice(unit: str) -> str:
    return _("What annotators said about the same %(unit)s twice") % {"unit": of_unit(unit)}


def sections(selection: Selection) -> list[Section]:
    """Return marked errors, each dimension or the comparisons, the workload, and all of it for
    files."""
    dimensions = observations.dimensions_of(selection.campaign)
    named: list[tuple[str | None, str]] = [(d.slug, d.name) for d in dimensions]
    found = [section(selection, slug, name) for slug, name in named or [(None, _("Comparisons"))]]
    # Of further dimensions a page first says only what is found, so that it stays short.
    found[1:] = [replace(each, folded=True) for each in found[1:]]
    if marks.is_asked(selection.campaign):
        found.insert(0, marks.section(selection))
    every = Lazy("agreement", _("Agreement"), lambda: agreement_table(selection), FILE)
    return [
        *found,
        *([] if selection.are_means else [workload_section(selection)]),
        Section("agreement", _("Agreement"), tables=[every]),
    ]


def section(selection: Selection, slug: str | None, name: str) -> Section:
    """Return agreement in one dimension, or on comparisons."""
    report = cache(lambda: figures.agreement(selection, slug))
    of, what = slug or "comparisons", in_a_sentence(name)
    unit = "outputs" if slug else "pairs of outputs"

    def chart(kind: str, title: str, make: Any, place: str = ASIDE) -> Lazy[Chart | None]:
        return Lazy(f"{kind}-{of}", titled(title, what), lambda: make(report()), place)

    def table(kind: str, title: str, make: Any, place: str = OPEN) -> Lazy[Table]:
        return Lazy(f"{kind}-{of}", titled(title, what), lambda: make(report()), place)

    return Section(
        slug=of,
        title=name,
        sentence=lambda: lead(report()),
        notes=lambda: [trust(report())],
        charts=[
            chart("agreement-coefficients", _("Agreement"), coefficient_chart, OPEN),
            chart("agreement-values", said_once(unit), confusion_chart),
            chart("agreement-repeats", said_twice(unit), repeats_chart),
            chart(
                "agreement-annotators",
                _("Annotator by annotator"),
                partial(annotator_chart, selection),
            ),
        ],
        tables=[
            table("agreement", _("Coefficients"), coefficient_table, ASIDE),
            table("agreement-further", _("Further coefficients"), further_table, ASIDE),
        ],
        meanings=lambda: meanings(report()),
    )


def workload_section(selection: Selection) -> Section:
    def make() -> Chart | None:
        return workload_chart(selection, figures.workload(selection))

    chart = Lazy("annotators", _("Judgments per annotator"), make, ASIDE)
    return Section("workload", _("Who judged how much"), charts=[chart])


def agreement_table(selection: Selection) -> Table:
    """Return the coefficients of all dimensions, for files."""
    reports = reports_of(selection)
    rows = [(r.dimension or "comparisons", *line) for r in reports for line in coefficient_rows(r)]
    return Table("agreement", _("Agreement"), (Column("dimension"), *AGREEMENT), rows)


def data(selection: Selection) -> dict[str, Any]:
    reports = [plain(report) for report in reports_of(selection)]
    found = {"reports": reports, "workload": plain(figures.workload(selection))}
    return found | {"marks": plain(agreement_marks.marks(selection))}


def empty(selection: Selection) -> EmptyState | None:
    return None if any(report.n_rows for report in reports_of(selection)) else NOTHING


def links(selection: Selection) -> list[tuple[str, str]]:
    if not protocol_of(selection.campaign).has_values:
        return []
    return [("evaluators", _("Evaluators: the values that each annotator gave"))]


NOTHING = EmptyState(
    gettext_lazy("No judgments yet"),
    gettext_lazy(
        "Agreement will appear here as soon as two annotators have judged the same output."
    ),
    "campaign",
    gettext_lazy("See the progress"),
)
PAGE = ResultsPage(
    "agreement",
    gettext_lazy("Agreement"),
    sections,
    data,
    asked=with_page("agreement"),
    empty=empty,
    links=links,
)
