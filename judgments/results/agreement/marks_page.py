"""How far annotators mark the same errors, in words, a table and a chart."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.results.agreement.marks import MarksReport
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import MARKS, MARKS_DIRECTED
from judgments.web.plurals import of_unit
from judgments.web.sections import ASIDE, Lazy, Section
from judgments.web.tables import Table, figure, interval

from . import marks

FEW_ITEMS = 30
TITLE = gettext_lazy("Agreement: marked errors")


def lead(report: MarksReport) -> str:
    """Return the finding in one sentence."""
    found = report.coefficients[0].result
    if found.reason:
        return _("Agreement on errors cannot be computed: %(reason)s.") % {
            "reason": _(found.reason)
        }
    value = f"{figure(found.estimate, 2)} {interval(found.low, found.high, 2)}".strip()
    share = figure(100 * found.estimate, 0)
    return _(
        "%(share)s %% of the characters that two annotators mark are marked by both: "
        "character F1 %(value)s, %(translations)s, %(errors)s."
    ) % {
        "share": share,
        "value": value,
        "translations": counted.translations(found.n_items),
        "errors": counted.errors(report.n_spans),
    }


def trust(report: MarksReport) -> str:
    """When not to trust the figures."""
    lines = [
        _(
            "Nothing here is corrected for chance: long marks overlap more often by chance. Two "
            "annotators who mark nothing agree fully, so many translations without errors raise "
            "the mean of F1, and not the F1 of all characters."
        )
    ]
    found = report.coefficients[0].result
    if not found.reason and found.n_items < FEW_ITEMS:
        few = ngettext(
            "%(n)s translation is not enough.", "%(n)s translations are few.", found.n_items
        )
        lines.append(few % {"n": f"{found.n_items:,}"})
    if report.n_unmarked:
        left_out = ngettext(
            "%(n)s judgment that was imported with a score and without errors is left out.",
            "%(n)s judgments that were imported with a score and without errors are left out.",
            report.n_unmarked,
        )
        lines.append(left_out % {"n": f"{report.n_unmarked:,}"})
    return " ".join(lines)


def rows(report: MarksReport) -> list[tuple]:
    return [
        (
            _(each.name),
            _(each.reading),
            each.result.estimate,
            each.result.low,
            each.result.high,
            each.result.n_items or None,
            each.result.n_annotators or None,
            each.result.n_pairs or None,
            _(each.result.reason or each.result.interval_reason),
        )
        for each in report.coefficients
    ]


def table(report: MarksReport) -> Table:
    note = _(
        "95 %% intervals: percentile bootstrap over %(units)s, %(resamples)s, seed "
        "%(seed)s. An annotator's first judgment of a translation counts; an error "
        "marked as missing matches only others like it."
    ) % {
        "units": of_unit(report.resampled),
        "resamples": counted.resamples(report.resamples),
        "seed": report.seed,
    }
    return Table("agreement-marks", _("Agreement on marked errors"), MARKS, rows(report), note)


def directed_table(report: MarksReport) -> Table:
    """Return the errors of each of two annotators; without rows for more of them."""
    lines = [(name, n, *shares) for name, n, shares in report.directed]
    note = _("Annotators who mark more are matched less: read both directions.")
    return Table(
        "agreement-marks-directed", _("Errors matched, by annotator"), MARKS_DIRECTED, lines, note
    )


def chart(report: MarksReport) -> Chart | None:
    """Return the figures with their intervals; None when all are undefined."""
    known = [each for each in report.coefficients if not math.isnan(each.result.estimate)]
    if not known:
        return None
    columns = [
        np.array([getattr(each.result, end) for each in known])
        for end in ("estimate", "low", "high")
    ]
    spec = charts.intervals(
        [_(each.name) for each in known],
        *columns,
        axis=_("share"),
        domain=(0.0, 1.0),
        description=str(TITLE),
    )
    caption = _(
        "1: the same errors, 0: none in common; not corrected for chance. Lines: 95 "
        "%% bootstrap intervals over %(units)s. n = %(translations)s judged by two "
        "or more, %(errors)s."
    ) % {
        "units": of_unit(report.resampled),
        "translations": counted.translations(known[0].result.n_items),
        "errors": counted.errors(report.n_spans),
    }
    return Chart("agreement-marks", str(TITLE), caption, spec, MARKS, rows(report))


def is_asked(campaign: Campaign) -> bool:
    return protocol_of(campaign).has_page("errors")


def section(selection: Selection) -> Section:
    """Return for a campaign in which errors are marked."""
    report: Any = cache(lambda: marks.marks(selection))
    return Section(
        slug="marks",
        title=_("Marked errors"),
        sentence=lambda: lead(report()),
        notes=lambda: [trust(report())],
        charts=[Lazy("agreement-marks", str(TITLE), lambda: chart(report()))],
        tables=[
            Lazy(
                "agreement-marks", _("Agreement on marked errors"), lambda: table(report()), ASIDE
            ),
            Lazy(
                "agreement-marks-directed",
                _("Errors matched, by annotator"),
                lambda: directed_table(report()),
                ASIDE,
            ),
        ],
    )
