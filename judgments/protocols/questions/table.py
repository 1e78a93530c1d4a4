"""Answers to questions as files have them."""

from judgments.files.table import Columns

from ..tables import EXCLUDED, TIMES, ObservationTable

WORDS = {True: "yes", False: "no", None: ""}


class Answers(ObservationTable):
    written_by = "judgments.results.answers.rows.answer_rows"


ANSWERS = Answers(
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
