"""Published figures beside our own, in words and as a table."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.models import Campaign, KnownFault, PublishedFigure
from judgments.people import access
from judgments.results.recomputation.figures import (
    FAULT,
    FLOATS,
    KNOWN,
    NEAR,
    NONE,
    OTHER,
    SAME,
    Recomputed,
    faults_in_force,
    recomputed,
)
from judgments.results.selection.selection import Selection
from judgments.web.sections import EmptyState, Lazy, ResultsPage, Section, table_objects
from judgments.web.tables import Column, Table

from .forms import FaultForm

VERDICTS = {
    SAME: gettext_lazy("the same"),
    FLOATS: gettext_lazy("the same but for the last bits"),
    NEAR: gettext_lazy("close"),
    KNOWN: gettext_lazy("differs for a known reason"),
    OTHER: gettext_lazy("differs"),
    NONE: gettext_lazy("not compared"),
    FAULT: gettext_lazy("a known fault of the publication"),
}


def sentence(rows: list[Recomputed]) -> str:
    """Return how many figures come out, and how many do not."""
    counts = Counter(row.verdict for row in rows)
    n = counts[SAME] + counts[FLOATS]
    compared = len(rows) - counts[NONE] - counts[FAULT]
    faults = ngettext(
        "%(n)s figure is a known fault of the publication.",
        "%(n)s figures are known faults of the publication.",
        counts[FAULT],
    ) % {"n": f"{counts[FAULT]:,}"}
    if not compared:
        none = _("None of the published figures can be compared with figures of this campaign.")
        return faults if counts[FAULT] else none
    found = ngettext(
        "%(n)s of %(all)s published figure is reproduced with every digit",
        "%(n)s of %(all)s published figures are reproduced with every digit",
        compared,
    ) % {"n": f"{n:,}", "all": f"{compared:,}"}
    if close := counts[NEAR] + counts[KNOWN]:
        found += _(", %(n)s nearly or with a stated reason") % {"n": f"{close:,}"}
    if counts[OTHER]:
        found += ngettext(", %(n)s differs", ", %(n)s differ", counts[OTHER]) % {
            "n": f"{counts[OTHER]:,}"
        }
    return f"{found}. {faults}" if counts[FAULT] else f"{found}."


def notes(rows: list[Recomputed]) -> list[str]:
    """Return what is not compared, and how each kind of figure is computed here."""
    conventions = dict.fromkeys((row.figure, row.convention) for row in rows if row.convention)
    found = [
        _("%(figure)s: %(convention)s.") % {"figure": capfirst(_(figure)), "convention": _(how)}
        for figure, how in conventions
    ]
    n = sum(row.verdict == NONE for row in rows)
    if not n:
        return found
    return [
        *found,
        ngettext(
            "%(n)s published figure is not compared; the table says why.",
            "%(n)s published figures are not compared; the table says why.",
            n,
        )
        % {"n": f"{n:,}"},
    ]


def table(rows: list[Recomputed]) -> Table:
    """Return those that differ first, then by kind."""
    order = (OTHER, FAULT, KNOWN, NEAR, NONE, FLOATS, SAME)
    return Table(
        "recomputation",
        _("Published figures and our own"),
        (
            Column("figure", _("Figure"), "text"),
            Column("dimension", _("Dimension"), "text"),
            Column("of", _("Of"), "text"),
            Column("published", _("Published"), "text"),
            Column("own", _("Here"), "text"),
            Column("verdict", _("Comparison"), "text"),
            Column("reason", _("Reason of a difference"), "text"),
            Column("file", _("File"), "text"),
        ),
        [
            (
                *(row.figure, row.dimension, row.of, row.published, row.own),
                str(VERDICTS[row.verdict]),
                _(row.reason) if row.reason else "",
                row.file,
            )
            for row in sorted(rows, key=lambda row: order.index(row.verdict))
        ],
    )


def fault_table(selection: Selection, rows: list[Recomputed]) -> Table:
    """Return what was recorded, with the figure as it is now: another one is no known fault."""
    now = {row.row: row.own for row in rows}
    return Table(
        "known-faults",
        _("Known faults of the publication"),
        (
            Column("figure", _("Figure"), "text"),
            Column("dimension", _("Dimension"), "text"),
            Column("of", _("Of"), "text"),
            Column("published", _("Published"), "text"),
            Column("own", _("Here, when it was recorded"), "text"),
            Column("now", _("Here now"), "text"),
            Column("reason", _("Reason"), "text"),
            Column("recorded", _("Recorded"), "text"),
        ),
        [
            (
                *(each.figure.figure, each.figure.dimension, each.figure.of, each.figure.text),
                *(each.own, now.get(each.figure_id, ""), each.reason),
                each.decided_at.isoformat(timespec="seconds"),
            )
            for each in faults_in_force(selection)
        ],
    )


def sections(selection: Selection) -> list[Section]:
    title = _("Published figures and our own")
    rows = cache(lambda: recomputed(selection))
    tables = [Lazy("recomputation", title, lambda: table(rows()))]
    if faults_in_force(selection):
        name = _("Known faults of the publication")
        tables.append(Lazy("known-faults", name, lambda: fault_table(selection, rows())))
    return [
        Section(
            "recomputation",
            _("Published figures, recomputed"),
            sentence=lambda: sentence(rows()),
            notes=lambda: notes(rows()),
            tables=tables,
        )
    ]


def data(selection: Selection) -> dict[str, Any]:
    rows = recomputed(selection)
    return {
        "figures": table_objects(table(rows)),
        "known_faults": table_objects(fault_table(selection, rows)),
    }


def asked(campaign: Campaign) -> bool:
    return PublishedFigure.objects.filter(campaign=campaign).exists()


def empty(selection: Selection) -> EmptyState | None:
    return None if asked(selection.campaign) else NOTHING


def context(request: HttpRequest, selection: Selection) -> dict[str, Any]:
    """Return what the page shows besides: who recorded which fault, and the form that does."""
    campaign = selection.campaign
    if not (asked(campaign) and access.may_manage(request.user, campaign)):
        return {"fault_form": None}
    return {"fault_form": FaultForm(campaign), "faults": history(campaign)}


def history(campaign: Campaign) -> QuerySet[KnownFault]:
    """Return all that was decided about faults of the publication, the last first."""
    found = KnownFault.objects.filter(figure__campaign=campaign).order_by("-pk")
    return found.select_related("figure", "decided_by")


NOTHING = EmptyState(
    gettext_lazy("No figures were published with these judgments"),
    gettext_lazy(
        "Figures that are imported with a release, such as its scores of systems, are compared "
        "here with the site's own, digit by digit."
    ),
    "exports",
    gettext_lazy("To the exports"),
    is_of_filter=False,
)
PAGE = ResultsPage(
    "recomputation",
    gettext_lazy("Recomputed"),
    sections,
    data,
    asked,
    empty=empty,
    always_answers=True,
    tab="exports",
    template="judgments/results/recomputation.html",
    context=context,
)
