"""Control items in words, tables and charts: checks, planted errors, deviation from the others and
its drift, and references that score below systems."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.models import ExpectedScore, Segment
from judgments.quality.control_items.bad_references import MOST, BadReference, bad_references
from judgments.quality.control_items.figures import expected_answers, shown_controls
from judgments.quality.rules.figures import QualityReport
from judgments.results.segments.links import (
    TO_JUDGED,
    from_annotators,
    linked_to_judged,
    to_segment,
)
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web.charts import Chart
from judgments.web.columns import (
    BAD_REFERENCES,
    CHECKS,
    CONTROL_ITEMS,
    DEVIATION,
    EXPECTED_SCORES,
)
from judgments.web.plurals import titled
from judgments.web.sections import FILE, Lazy, Section
from judgments.web.tables import Table, in_a_sentence

MAX_SHOWN = 40
Report = Callable[[], QualityReport]


def of_report(selection: Selection, report: QualityReport) -> list[Section]:
    """Return the page's sections for one dimension: those that have content."""
    found = sections(selection, lambda: report, report.dimension or None, report.name)
    return [section for section in found if section.exists()]


def sections(selection: Selection, report: Report, slug: str | None, name: str) -> list[Section]:
    """Return the sections for one dimension, or for comparisons."""
    of, what = slug or "comparisons", in_a_sentence(name)
    return [
        _checks_section(selection.everyone, report, of, what),
        _deviation_section(selection.everyone, report, of, what),
        _references_section(selection, slug, of, what),
    ]


def _checks_section(selection: Selection, report: Report, of: str, what: str) -> Section:
    title = titled(_("Checks and planted errors"), what)

    def sentence() -> str:
        counts = [a.checks for a in report().annotators]
        n = sum(each.n for each in counts)
        passed = sum(each.n_passed for each in counts)
        words = ngettext(
            "Of %(n)s attention check %(passed)s was passed.",
            "Of %(n)s attention checks %(passed)s were passed.",
            n,
        ) % {"n": n, "passed": passed}
        return words if n else _("Nobody has been shown an attention check yet.")

    return Section(
        slug=f"quality-checks-{of}",
        title=title,
        sentence=sentence,
        tables=[
            Lazy(f"quality-checks-{of}", title, lambda: check_table(selection, report(), of, title))
        ],
        exists=lambda: report().has_checks or report().has_found,
        folded=True,
    )


def check_table(selection: Selection, report: QualityReport, of: str, title: str) -> Table:
    rows = [
        (
            a.alias,
            a.checks.n_loud,
            a.checks.n_loud_passed,
            a.checks.n_silent,
            a.checks.n_silent_passed,
            a.checks.n_expected,
            a.checks.n_expected_passed,
            a.checks.share,
            a.found.n_planted,
            a.found.n_found,
            a.found.share,
            a.found.mean_more,
            a.found.p_value,
        )
        for a in report.annotators
        if a.checks.n or a.found.n_planted
    ]
    note = _(
        "A check that says so is passed in the lowest tenth of the scale. One that shows another "
        "text's translation is passed where at least two thirds of one's own scores of regular "
        "items are higher; so is a check that says so on a scale without ends. In ranks and "
        "comparisons it is passed when nothing on its screen is worse. One that names "
        "scores is passed when each lies in its range and above the other translation's. A planted "
        "phrase is found where a marked error overlaps it."
    )
    links = from_annotators(selection, rows)
    return Table(f"quality-checks-{of}", title, CHECKS, rows, note, links)


def _deviation_section(selection: Selection, report: Report, of: str, what: str) -> Section:
    title = titled(_("Deviation from the others, and drift"), what)

    def sentence() -> str:
        known = [a for a in report().annotators if a.deviation.n]
        n = sum(a.deviation.drifts for a in known)
        return ngettext(
            "The scores of %(n)s of %(all)s annotators drift away from those of the others over "
            "their work.",
            "The scores of %(n)s of %(all)s annotators drift away from those of the others over "
            "their work.",
            n,
        ) % {"n": n, "all": len(known)}

    notes = [
        _(
            "Somebody who judges differently from the others may still be right: this is no reason "
            "to leave them out."
        )
    ]
    return Section(
        slug=f"quality-deviation-{of}",
        title=title,
        sentence=sentence,
        notes=lambda: notes,
        charts=[
            Lazy(f"quality-drift-{of}", title, lambda: drift_chart(selection, report(), of, title))
        ],
        tables=[
            Lazy(
                f"quality-deviation-{of}",
                title,
                lambda: deviation_table(selection, report(), of, title),
            )
        ],
        exists=lambda: report().has_deviation,
        folded=True,
    )


def deviation_table(selection: Selection, report: QualityReport, of: str, title: str) -> Table:
    rows = [
        (
            a.alias,
            a.deviation.n,
            a.deviation.mean_difference,
            a.deviation.mean_absolute,
            a.deviation.correlation,
            a.deviation.slope,
            a.deviation.low,
            a.deviation.high,
        )
        for a in report.annotators
        if a.deviation.n
    ]
    note = (
        _(
            "Each score beside the mean of all others of the same output: of the items that "
            "everybody judges, or, where there are none, of all regular items that two or more "
            "judged. Drift: the change of the difference in a hundred judgments of one's own "
            "work, by least squares, with a 95 %% t interval; of annotators with five such "
            "scores."
        )
        % {}
    )
    links = from_annotators(selection, rows)
    return Table(f"quality-deviation-{of}", title, DEVIATION, rows, note, links)


def drift_chart(selection: Selection, report: QualityReport, of: str, title: str) -> Chart | None:
    """Return the drift of each annotator, the largest first; None if none is known."""
    known = [a for a in report.annotators if not np.isnan(a.deviation.slope)]
    if not known:
        return None
    shown = sorted(known, key=lambda a: -abs(a.deviation.slope))[:MAX_SHOWN]
    ends = [np.array([getattr(a.deviation, f) for a in shown]) for f in ("slope", "low", "high")]
    spec = charts.intervals(
        [a.alias for a in shown], *ends, axis=_("change in a hundred judgments"), description=title
    )
    caption = (
        _(
            "Change of the difference to the others in a hundred judgments, with a 95 %% t "
            "interval: to the right of 0 scores became higher over the work, to the left lower."
        )
        % {}
    )
    spec = linked_to_judged(selection, spec, [a.alias for a in shown])
    table, slug = deviation_table(selection, report, of, title), f"quality-drift-{of}"
    return Chart(slug, title, caption, spec, table.columns, table.rows, table.links, str(TO_JUDGED))


def _references_section(selection: Selection, slug: str | None, of: str, what: str) -> Section:
    title = titled(_("References below systems"), what)

    def found() -> tuple[BadReference, ...]:
        return bad_references(selection, slug) if slug else ()

    def sentence() -> str:
        n = len(found())
        return ngettext(
            "%(n)s hidden reference scores below the best system of its segment.",
            "%(n)s hidden references score below the best system of their segment.",
            n,
        ) % {"n": n}

    return Section(
        slug=f"quality-bad-references-{of}",
        title=title,
        sentence=sentence,
        tables=[
            Lazy(
                f"quality-bad-references-{of}",
                title,
                lambda: reference_table(selection, found(), of, title),
            )
        ],
        exists=lambda: bool(found()),
        folded=True,
    )


def reference_table(
    selection: Selection, found: tuple[BadReference, ...], of: str, title: str
) -> Table:
    rows = [
        (r.segment, r.text, r.score, r.n, r.best, r.best_score, r.n_above, r.n_systems)
        for r in found
    ]
    note = _(
        "Means of the judgments that count, those furthest below first, at most %(most)s. With few "
        "judgments the best of several systems is above a good reference by chance: look at the "
        "texts."
    ) % {"most": MOST}
    keys = {r.segment for r in found}
    known = Segment.objects.filter(test_set=selection.campaign.test_set_id, key__in=keys)
    ids = dict(known.values_list("key", "pk"))
    links = {(i, "segment"): to_segment(selection, ids[r.segment]) for i, r in enumerate(found)}
    return Table(f"quality-bad-references-{of}", title, BAD_REFERENCES, rows, note, links)


def items_section(selection: Selection) -> Section:
    """Return a section with only a file: every control item with the text that was shown, so that
    figures on them can be recomputed."""
    title = _("Control items")
    table = Lazy("quality-control-items", title, lambda: item_table(selection, title), FILE)
    exists = shown_controls(selection.campaign).exists
    expected = Lazy(
        "quality-expected-scores",
        _("Expected scores"),
        lambda: expected_table(selection, _("Expected scores")),
        FILE,
    )
    return Section("control-items", title, tables=[table, expected], exists=exists)


def expected_table(selection: Selection, title: str) -> Table:
    """Return expected and given scores of attention checks, a row for each expectation."""
    campaign = selection.campaign
    facts = ExpectedScore.objects.filter(item__task__campaign=campaign).values_list(
        *("pk", "item", "output__segment__key", "output__system__name", "dimension"),
        "above__system__name",
    )
    known = {pk: rest for pk, *rest in facts}
    rows = []
    for answer in expected_answers(campaign, among=selection.everyone):
        *what, above = known[answer.expected]
        ends = (answer.low, answer.high, above or "", answer.score, answer.other)
        rows.append(
            (selection.alias(answer.annotator), *what, *ends, "yes" if answer.is_met else "no")
        )
    note = _("A check is passed when all that it expects is met.")
    return Table("quality-expected-scores", title, EXPECTED_SCORES, rows, note)


def item_table(selection: Selection, title: str) -> Table:
    rows = (
        shown_controls(selection.campaign)
        .order_by("item", "position")
        .values_list(
            *(
                "item__task__annotator",
                "item",
                "output__segment__key",
                "output__system__name",
                "kind",
            ),
            *("altered__rule", "altered__text", "altered__start", "altered__end"),
            "altered__donor__key",
        )
    )
    found = [
        ("" if user is None else selection.alias(user), *("" if v is None else v for v in known))
        for user, *known in rows
    ]
    note = _(
        "An output that was shown as it is has no rule and no text here. Offsets are in code "
        "points."
    )
    return Table("quality-control-items", title, CONTROL_ITEMS, found, note)
