"""What annotators skipped and flagged, as a table for pages and files."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.judging.notes.notes import notes_of
from judgments.results.selection.selection import Selection
from judgments.web.columns import NOTES
from judgments.web.sections import FILE, Lazy, ResultsPage, Section, table_objects
from judgments.web.tables import Table


def rows(selection: Selection) -> list[tuple[str | int | None, ...]]:
    return [
        (
            note.alias,  # type: ignore[attr-defined]
            note.item.segment.document.name,
            note.item.segment.key,
            note.kind,
            note.reason,
            note.comment,
            note.side,
            note.output.system.name if note.output else "",
            note.start,
            note.end,
            note.quote,
            note.created_at.isoformat(),
            note.resolved_at.isoformat() if note.resolved_at else "",
        )
        for note in notes_of(selection.campaign)
    ]


def table(selection: Selection) -> Table:
    return Table("notes", _("Skipped and flagged items"), NOTES, rows(selection))


def sections(selection: Selection) -> list[Section]:
    title = _("Skipped and flagged items")
    return [Section("notes", title, tables=[Lazy("notes", title, lambda: table(selection), FILE)])]


def data(selection: Selection) -> dict[str, Any]:
    return {"notes": table_objects(table(selection))}


def everything(selection: Selection) -> Selection:
    """Return notes are no judgments: all of them are listed, whichever judgments are asked for."""
    return selection.unfiltered.everyone


PAGE = ResultsPage(
    "notes", gettext_lazy("Notes"), sections, data, of=everything, shown_at="campaign-notes"
)
