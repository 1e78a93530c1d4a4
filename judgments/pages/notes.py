"""What annotators skipped and flagged, as a table for pages and files."""

from __future__ import annotations

from typing import Any

from judgments.assignment.notes import notes_of
from judgments.results.selection import Selection
from judgments.tables import Column, Table

from .base import FILE, Lazy, ResultsPage, Section, table_objects

COLUMNS = (
    Column("annotator", kind="text"),
    Column("document", kind="text"),
    Column("segment", kind="text"),
    Column("kind", kind="text"),
    Column("reason", kind="text"),
    Column("comment", kind="text"),
    Column("written", kind="text"),
    Column("settled", kind="text"),
)


def rows(selection: Selection) -> list[tuple[str, ...]]:
    return [
        (
            note.alias,  # type: ignore[attr-defined]
            note.item.segment.document.name,
            note.item.segment.key,
            note.kind,
            note.reason,
            note.comment,
            note.created_at.isoformat(),
            note.resolved_at.isoformat() if note.resolved_at else "",
        )
        for note in notes_of(selection.campaign)
    ]


def table(selection: Selection) -> Table:
    return Table("notes", "Skipped and flagged items", COLUMNS, rows(selection))


def sections(selection: Selection) -> list[Section]:
    title = "Skipped and flagged items"
    return [Section("notes", title, tables=[Lazy("notes", title, lambda: table(selection), FILE)])]


def data(selection: Selection) -> dict[str, Any]:
    return {"notes": table_objects(table(selection))}


def everything(selection: Selection) -> Selection:
    """Notes are no judgments: all of them are listed, whichever judgments are asked for."""
    return selection.unfiltered.everyone


PAGE = ResultsPage("notes", "Notes", sections, data, of=everything)
