"""Answers to questions as files have them."""

from judgments.formats.table import Columns

from ..tables import EXCLUDED, TIMES, ObservationTable

ANSWERS = ObservationTable(
    Columns(
        (
            "annotator",
            "document",
            "system",
            "level",
            "question",
            "answer",
            "right",
            "graded_by",
            "item",
            "kind",
            EXCLUDED,
            *TIMES,
        )
    )
)
