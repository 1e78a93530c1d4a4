"""A campaign's results in words, tables and charts, for pages and for files."""

from . import (
    agreement,
    answers,
    edits,
    errors,
    links,
    marks,
    notes,
    power,
    quality,
    scores,
    stopping,
    strengths,
)
from .base import Part, TableLink, all_charts, all_tables, parts, plain, register

register(agreement.PART)
register(errors.PART)
register(links.PART)
register(scores.PART)
register(strengths.PART)
register(power.PART)
register(quality.PART)
register(answers.PART)
register(edits.PART)
register(stopping.PART)
register(notes.PART)

__all__ = [
    "Part",
    "TableLink",
    "agreement",
    "all_charts",
    "all_tables",
    "answers",
    "edits",
    "errors",
    "links",
    "marks",
    "notes",
    "parts",
    "plain",
    "power",
    "quality",
    "register",
    "scores",
    "stopping",
    "strengths",
]
