"""How far people only confirm: in a sentence and two tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.results.selection.selection import Selection
from judgments.stats.suggestion_arms import ArmEstimate, ArmsCompared
from judgments.web.columns import HIGH, LOW
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table

from .confirmation import MEASURES, ConfirmationReport, confirmation

ARMS = {
    "aided": gettext_lazy("With"),
    "unaided": gettext_lazy("Without"),
    "difference": gettext_lazy("Difference"),
}
# Apart, as seconds and shares do not go to the same digit.
TABLES = {
    "confirmation": (
        gettext_lazy("Marks with and without suggestions, as shares and means"),
        ("false", "withheld", "suggested", "errors"),
    ),
    "suggestion-times": (
        gettext_lazy("Time with and without suggestions"),
        ("seconds", "seconds_per_error"),
    ),
}
MEANINGS = {
    "false": gettext_lazy(
        "A false suggestion is on words where the program proposed nothing. Without: how often "
        "the same kind of place is marked in the control arm, where nobody saw it; that much of "
        "it may be an error after all."
    ),
    "withheld": gettext_lazy(
        "With: suggestions that were withheld on screens that showed the others. Without: all "
        "suggestions in the control arm."
    ),
    "suggested": gettext_lazy(
        "With: suggestions that were shown. Without: those of the control arm, which were not. "
        "The difference is what was marked because it was suggested."
    ),
}


def section(selection: Selection) -> Section:
    report = cache(lambda: confirmation(selection))
    by_annotator = _("False and withheld suggestions by annotator")
    title = _("How far people only confirm")
    return Section(
        slug="confirmation",
        title=title,
        sentence=lambda: lead(report()),
        notes=lambda: notes(report()),
        tables=[
            *(arms_listed(slug, report) for slug in TABLES),
            Lazy("confirmed", by_annotator, lambda: annotator_table(report(), by_annotator)),
        ],
        meanings=lambda: [(_(MEASURES[slug]), str(words)) for slug, words in MEANINGS.items()],
    )


def arms_listed(slug: str, report: Callable[[], ConfirmationReport]) -> Lazy[Table]:
    return Lazy(slug, str(TABLES[slug][0]), lambda: arm_table(report(), slug))


def lead(report: ConfirmationReport) -> str:
    """Return the two shares that say most, each beside that of the control arm."""
    false, withheld = report.measures["false"], report.measures["withheld"]
    said = []
    if false.aided.n:
        words = _("%(share)s of false suggestions were accepted%(control)s.")
        said.append(words % {"share": percent(false.aided), "control": beside(false)})
    if withheld.aided.n:
        words = _("%(share)s of withheld suggestions were overlooked%(control)s.")
        said.append(words % {"share": percent(withheld.aided), "control": beside(withheld)})
    return " ".join(said)


def percent(estimate: ArmEstimate) -> str:
    return f"{100 * estimate.value:.0f} %"


def beside(arms: ArmsCompared) -> str:
    if not arms.unaided.n:
        return ""
    return _("; in the control arm %(share)s") % {"share": percent(arms.unaided)}


def notes(report: ConfirmationReport) -> list[str]:
    found = [
        _(
            "A suggestion counts as marked if an error was made from it or overlaps it. Intervals: "
            "95 %%, percentile bootstrap over %(unit)s, seed %(seed)s, %(resamples)s resamples; an "
            "arm with something of it in fewer than eight has none."
        )
        % {"unit": _(report.resampled), "seed": report.seed, "resamples": f"{report.resamples:,}"}
    ]
    if not report.n_unaided:
        found.append(_("No screen without suggestions was judged: there is nothing to compare."))
    return found


def arm_table(report: ConfirmationReport, slug: str) -> Table:
    title, slugs = TABLES[slug]
    columns = [Column("measure", _("What"), "text")]
    for arm, name in ARMS.items():
        columns += [
            Column(arm, name, "number"),
            Column(f"{arm}_low", LOW.label, "number"),
            Column(f"{arm}_high", HIGH.label, "number"),
        ]
    columns += [
        Column("n_aided", _("N with"), "count", _("Suggestions, translations or errors")),
        Column("n_unaided", _("N without"), "count"),
    ]
    rows = []
    for measure in slugs:
        arms = report.measures[measure]
        estimates = [getattr(arms, arm) for arm in ARMS]
        numbers = [value for each in estimates for value in (each.value, each.low, each.high)]
        rows.append((_(MEASURES[measure]), *numbers, int(arms.aided.n), int(arms.unaided.n)))
    return Table(slug, str(title), tuple(columns), rows)


def annotator_table(report: ConfirmationReport, title: str) -> Table:
    columns = (
        Column("annotator", kind="text"),
        Column("false", _("False suggestions"), "count"),
        Column("accepted", _("Accepted"), "count"),
        Column("withheld", _("Withheld"), "count"),
        Column("overlooked", _("Overlooked"), "count"),
    )
    rows = [
        (each.annotator, each.false, each.accepted, each.withheld, each.overlooked)
        for each in report.annotators
    ]
    return Table("confirmed", title, columns, rows)
