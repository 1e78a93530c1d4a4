"""A list of sections as data: what the API gives of a page, and a file of the whole page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judgments.web.sections import Section, plain
from judgments.web.tables import Table


def words_of(section: Section) -> dict[str, Any]:
    """Return what a section says, without its charts and tables."""
    return {
        "slug": section.slug,
        "title": section.title,
        "level": section.level,
        "sentence": section.sentence(),
        "notes": [str(note) for note in section.notes() if note],
        "remark": section.remark(),
    }


def sections_data(sections: Sequence[Section]) -> list[dict[str, Any]]:
    """Return every section that there is with all rows of its tables, and the numbers that its
    charts draw; of a chart that has nothing to draw there is none. Undefined values are None."""
    return [
        words_of(section)
        | {
            "charts": [
                {"slug": lazy.slug, "title": lazy.title, "caption": made.caption}
                | _rows(made.table)
                for lazy in section.charts
                if (made := lazy.make())
            ],
            "tables": [
                {"slug": lazy.slug, "title": lazy.title, "note": str(made.note)} | _rows(made)
                for lazy in section.tables
                for made in (lazy.make(),)
            ],
        }
        for section in sections
        if section.exists()
    ]


def _rows(table: Table) -> dict[str, Any]:
    return {"columns": table.keys, "rows": plain([list(row) for row in table.rows])}
