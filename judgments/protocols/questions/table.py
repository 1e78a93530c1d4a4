"""Answers to questions in files."""

from judgments.files.table import Columns

from ..tables import EXCLUDED, TIMES, ObservationTable

WORDS = {True: "yes", False: "no", None: ""}


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
    ),
    "judgments.results.answers.rows.answer_rows",
)
