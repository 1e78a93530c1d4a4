"""People's links beside an aligner's, in words, a table and a chart."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from django.utils.translation import gettext as _

from judgments.results.links.aligner_links import (
    NOTHING,
    AlignerMethod,
    AlignerReport,
    aligner_report,
    comparison_run,
    method_of,
)
from judgments.results.selection.selection import Selection
from judgments.stats.alignment import GoldError
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import HIGH, LOW
from judgments.web.plurals import units
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table, figure


def section(selection: Selection) -> Section:
    """Return for all annotators whose judgments count; nothing until the aligner was asked."""
    report = cache(lambda: aligner_report(selection) or NOTHING)
    title = _("People and an aligner")
    return Section(
        slug="aligner-links",
        title=title,
        sentence=lambda: lead(report()),
        notes=lambda: notes(report()),
        charts=[Lazy("aligner-links", title, lambda: chart(report()))],
        tables=[
            Lazy("aligner-links", _("Every method"), lambda: method_table(report())),
            Lazy("aligner-annotators", _("Every annotator"), lambda: annotator_table(report())),
        ],
        exists=lambda: comparison_run(selection) is not None,
    )


def lead(report: AlignerReport) -> str:
    """Return which method is nearest to what people linked."""
    known = [k for k, each in enumerate(report.every) if not math.isnan(each.aer)]
    if not known:
        return _("Nothing that people linked can be compared with the aligner yet.")
    best = min(known, key=lambda k: report.every[k].aer)
    error, method = report.every[best], method_of(report.methods[best])
    facts = {
        "model": method.model,
        "method": method.method,
        "aer": figure(error.aer, 3),
        "judgments": counted.judgments(error.n_texts),
    }
    if math.isnan(error.low):
        return (
            _(
                "Nearest to what people linked is %(model)s with %(method)s: an alignment error "
                "rate of %(aer)s over %(judgments)s."
            )
            % facts
        )
    facts |= {"low": figure(error.low, 3), "high": figure(error.high, 3)}
    return (
        _(
            "Nearest to what people linked is %(model)s with %(method)s: an alignment error rate "
            "of %(aer)s (95 %% interval %(low)s to %(high)s) over %(judgments)s."
        )
        % facts
    )


def notes(report: AlignerReport) -> list[str]:
    found = [
        _(
            "Each annotator in turn is the gold standard: AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) "
            "for the links A of the aligner (Och and Ney 2003). Precision is |A∩P| / |A|, recall "
            "|A∩S| / |S|."
        ),
        _(
            "Where annotators started from proposed links of an aligner, they agree with it more "
            "than they would without."
        ),
    ]
    if report.n_without:
        without = {"judgments": counted.judgments(report.n_without)}
        found.append(
            _("Without %(judgments)s of texts that came after the aligner was asked.") % without
        )
    if report.n_cut:
        found.append(_("Of very long sentences only the beginning is linked."))
    return found


def rule(report: AlignerReport) -> str:
    """Return what the aligner learned from, and how the intervals were made."""
    n_units = max((each.n_units for each in report.every), default=0)
    return _(
        "Learned from the sources with all outputs and references of the test set, without the "
        "people's links. Percentile bootstrap over %(n)s, %(resamples)s, seed %(seed)s."
    ) % {
        "n": units(n_units, report.resampled),
        "resamples": counted.resamples(report.resamples),
        "seed": report.seed,
    }


def named(report: AlignerReport) -> list[AlignerMethod]:
    return [method_of(slug) for slug in report.methods]


def _columns() -> tuple[Column, ...]:
    return (
        Column("model", _("Model"), "text"),
        Column("method", _("Directions combined by"), "text"),
        Column("aer", _("AER"), "number", _("Alignment error rate: 0 is identical")),
        LOW,
        HIGH,
        Column("precision", _("Precision"), "number", _("Of its links, those that people drew")),
        Column("recall", _("Recall"), "number", _("Of people’s sure links, those that it has")),
        Column("n_texts", _("Judgments"), "count"),
        Column("n_links", _("Links"), "count", _("Of the aligner")),
        Column("n_sure", _("Sure"), "count", _("Sure links of people")),
    )


def _cells(error: GoldError) -> tuple:
    return (
        *(error.aer, error.low, error.high, error.precision, error.recall),
        *(error.n_texts, error.n_links, error.n_sure),
    )


def method_table(report: AlignerReport) -> Table:
    rows = [
        (method.model, method.method, *_cells(error))
        for method, error in zip(named(report), report.every, strict=True)
    ]
    return Table("aligner-links", _("Every method"), _columns(), rows, rule(report))


def annotator_table(report: AlignerReport) -> Table:
    columns = (Column("annotator", kind="text"), *_columns())
    rows = [
        (annotator, method.model, method.method, *_cells(errors[place]))
        for place, annotator in enumerate(report.annotators)
        for method, errors in zip(named(report), report.each, strict=True)
    ]
    return Table("aligner-annotators", _("Every annotator"), columns, rows, rule(report))


def chart(report: AlignerReport) -> Chart | None:
    known = [k for k, each in enumerate(report.every) if not math.isnan(each.aer)]
    if not known:
        return None
    methods = named(report)
    spec = charts.intervals(
        [f"{methods[k].model}, {methods[k].method}" for k in known],
        *(
            np.array([getattr(report.every[k], name) for k in known])
            for name in ("aer", "low", "high")
        ),
        axis=_("Alignment error rate (0: identical)"),
        description=_("Alignment error rate of the aligner’s methods against people"),
    )
    table = method_table(report)
    title = _("People and an aligner")
    caption = _("Alignment error rate of every method with its 95 % interval.")
    return Chart("aligner-links", title, caption, spec, table.columns, table.rows)
