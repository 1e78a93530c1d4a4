"""What annotators skipped and flagged, as a table for pages and files."""

from __future__ import annotations

from typing import Any

from judgments.models import Note
from judgments.results.selection import Selection
from judgments.tables import Column, Table

from .base import Part, TableLink

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


def notes_of(selection: Selection) -> list[Note]:
    """The newest first, each with its segment and with its annotator's name as `alias`; in two
    statements."""
    found = list(
        Note.objects.filter(item__task__campaign=selection.campaign)
        .select_related("item__segment__document")
        .order_by("-pk")
    )
    for note in found:
        note.alias = selection.aliases.get(note.annotator_id, "")  # type: ignore[attr-defined]
    return found


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
        for note in notes_of(selection)
    ]


def table(selection: Selection) -> Table:
    return Table("notes", "Skipped and flagged items", COLUMNS, rows(selection))


def data(selection: Selection) -> dict[str, Any]:
    keys = [column.key for column in COLUMNS]
    return {"notes": [dict(zip(keys, row, strict=True)) for row in rows(selection)]}


PART = Part(
    "notes",
    "Notes",
    lambda selection: [
        TableLink("notes", "Skipped and flagged items", lambda: table(selection)),
    ],
    lambda selection: [],
    data,
)
