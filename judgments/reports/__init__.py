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
from .base import (
    ChartLink,
    Part,
    Section,
    TableLink,
    all_charts,
    all_tables,
    chart_named,
    parts,
    plain,
    register,
)

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
    "ChartLink",
    "Part",
    "Section",
    "TableLink",
    "agreement",
    "all_charts",
    "all_tables",
    "answers",
    "chart_named",
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
