"""Answers to questions as files have them."""

from judgments.files.table import Columns

from ..tables import EXCLUDED, TIMES, ObservationTable, out, times

WORDS = {True: "yes", False: "no", None: ""}


class Answers(ObservationTable):
    def rows(self, selection):
        from judgments.results.answers.figures import given_answers  # results know the protocols

        for row in given_answers(selection):
            graded_by = "person" if row.is_graded else "" if row.is_right is None else "site"
            yield (
                selection.alias(row.annotator),
                row.document,
                row.system,
                row.level,
                row.asked,
                row.text,
                WORDS[row.is_right],
                graded_by,
                row.item,
                row.kind,
                out(selection, row.annotator, row.output),
                *times(row.started_at, row.submitted_at, row.active_ms),
            )


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
