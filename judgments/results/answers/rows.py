"""Answers to questions as in files."""

from collections.abc import Iterator

from judgments.protocols.questions.table import WORDS
from judgments.protocols.tables import out, times

from ..selection.selection import Selection
from .figures import answers_report, given_answers


def counts(selection: Selection) -> dict[str, int]:
    """Return the counts that results of answers are based on."""
    report = answers_report(selection)
    return {
        "annotators": report.n_annotators,
        "judgments": report.n_judgments,
        "observations": report.n_answers,
        "left_out": 0,
    }


def answer_rows(selection: Selection) -> Iterator[tuple]:
    """Return the answers of a selection, in the order of the table."""
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
