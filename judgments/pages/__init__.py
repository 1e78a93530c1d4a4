"""The pages of a campaign's results: each a list of sections, for the web and for files."""

from . import (
    agreement,
    answers,
    decisions,
    edits,
    errors,
    head_to_head,
    links,
    notes,
    power,
    quality,
    score_words,
    scores,
    stopping,
    strengths,
)
from .base import (
    Lazy,
    ResultsPage,
    Section,
    charts_of,
    data_of,
    pages_of,
    plain,
    register,
    tables_of,
)

# The order in which exports list them.
for _module in (
    agreement,
    errors,
    links,
    scores,
    strengths,
    power,
    quality,
    answers,
    edits,
    stopping,
    notes,
):
    register(_module.PAGE)

__all__ = [
    "Lazy",
    "ResultsPage",
    "Section",
    "agreement",
    "answers",
    "charts_of",
    "data_of",
    "decisions",
    "edits",
    "errors",
    "head_to_head",
    "links",
    "notes",
    "pages_of",
    "plain",
    "power",
    "quality",
    "register",
    "score_words",
    "scores",
    "stopping",
    "strengths",
    "tables_of",
]
