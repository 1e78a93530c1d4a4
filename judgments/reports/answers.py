"""How much readers of each system understood, in words, tables and charts."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from judgments import charts
from judgments.charts import Chart
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.protocols.questions.table import ANSWERS
from judgments.protocols.tables import TIMES
from judgments.results.answers import (
    ALL_LEVELS,
    Accuracy,
    AnswersReport,
    answers_report,
    level_name,
    readers,
)
from judgments.results.selection import Selection
from judgments.tables import Column, Table

from .base import Part, TableLink, plain

COLUMNS = (
    Column("system"),
    Column("level", "Level", "text"),
    Column("n", "Answers", "count"),
    Column("right", "Right", "count"),
    Column("wrong", "Wrong", "count"),
    Column("ungraded", "To be graded", "count", "Count neither as right nor as wrong"),
    Column("untold", "“Does not tell”", "count", "Answers that the text does not tell"),
    Column("accuracy", "Share right", "number", "Of the answers that are right or wrong"),
    Column("low", "95 % from", "number", "Wilson's interval"),
    Column("high", "to", "number"),
)
READER_COLUMNS = (
    Column("annotator"),
    Column("documents", "Documents", "count"),
    Column("right", "Right", "count"),
    Column("wrong", "Wrong", "count"),
    Column("ungraded", "To be graded", "count"),
    Column("untold", "“Does not tell”", "count"),
    Column("accuracy", "Share right", "number", "Of the answers that are right or wrong"),
    Column("low", "95 % from", "number", "Wilson's interval"),
    Column("high", "to", "number"),
    Column("median_seconds", "Seconds", "number", "Median active time for a document"),
    Column("excluded", "Left out", "text"),
)
MEANING = (
    "A share says how many of the graded answers were right, each answer weighing the same. The "
    "interval is Wilson's (1927); answers that wait for a grade are left out of both."
)
TRUST = (
    "Do not trust small differences: the interval takes answers as independent, but those about "
    "one document, and those of one person, resemble each other, so that with few documents or "
    "people the true uncertainty is larger. Answers by guessing are right now and then: compare "
    "with the chance of a lucky choice, and with the reference among the systems."
)


def is_asked(campaign: Campaign) -> bool:
    return protocol_of(campaign).has_page("answers")


def lead(report: AnswersReport) -> str:
    """The finding in one sentence."""
    if not report.n_answers:
        return "All annotators are left out, so there are no answers to count."
    n = f"{report.n_answers:,} answer{'s' * (report.n_answers != 1)}"
    by = f"{report.n_annotators:,} annotator{'s' * (report.n_annotators != 1)}"
    graded = [cell for cell in report.overall() if not cell.accuracy.reason]
    if not graded:
        return f"{n} by {by} wait for a grade."
    best, worst = graded[0], graded[-1]
    found = f"Readers of {best.system} got {percent(best)} of the answers right"
    if worst is not best:
        found += f", readers of {worst.system} {percent(worst)}"
    waits = f"{report.n_ungraded:,} wait{'s' * (report.n_ungraded == 1)} for a grade"
    return f"{found}: {n} by {by}" + (f"; {waits}." if report.n_ungraded else ".")


def percent(cell: Accuracy) -> str:
    return f"{100 * cell.accuracy.estimate:.0f} %"


def accuracy_table(report: AnswersReport) -> Table:
    rows = [
        (
            cell.system,
            level_name(cell.level),
            cell.n,
            cell.n_right,
            cell.n_wrong,
            cell.n_ungraded,
            cell.n_untold,
            cell.accuracy.estimate,
            cell.accuracy.low,
            cell.accuracy.high,
        )
        for cell in report.cells
    ]
    counts = (
        (report.n_answers, "answer"),
        (report.n_questions, "question"),
        (report.n_documents, "document"),
        (report.n_annotators, "annotator"),
    )
    answers, questions, documents, people = (f"{n:,} {word}{'s' * (n != 1)}" for n, word in counts)
    note = (
        f"{answers} to {questions} about {documents} by {people}; current answers of regular and "
        "repeated items, the last grade counting."
    )
    return Table("answers-accuracy", "Right answers by system and level", COLUMNS, rows, note)


def reader_table(selection: Selection) -> Table:
    """Everybody, whoever is left out of the results."""
    rows = [
        (
            one.alias,
            one.n_documents,
            one.n_right,
            one.n_wrong,
            one.n_ungraded,
            one.n_untold,
            one.accuracy.estimate,
            one.accuracy.low,
            one.accuracy.high,
            one.median_seconds,
            "yes" if one.user in selection.excluded else "",
        )
        for one in readers(selection).annotators
    ]
    note = (
        "Who read worse translations had less to answer rightly: compare annotators only where "
        "they read the same systems equally often."
    )
    return Table("answers-annotators", "Answers by annotator", READER_COLUMNS, rows, note)


def accuracy_chart(report: AnswersReport, level: int = ALL_LEVELS) -> Chart | None:
    """One level of all systems, best first; None where nothing is graded."""
    cells = [cell for cell in report.cells if cell.level == level and not cell.accuracy.reason]
    if not cells:
        return None
    title = "Share of right answers"
    name = "answers-right"
    if level != ALL_LEVELS:
        title, name = f"{title}: {level_name(level)}", f"{name}-{level}"
    ends = [
        np.array([getattr(cell.accuracy, end) for cell in cells])
        for end in ("estimate", "low", "high")
    ]
    spec = charts.intervals(
        [cell.system for cell in cells],
        *ends,
        axis="share of right answers",
        domain=(0, 1),
        description=title,
    )
    n = sum(cell.n_right + cell.n_wrong for cell in cells)
    waiting = sum(cell.n_ungraded for cell in cells)
    caption = f"With Wilson's 95 % intervals; n = {n:,} graded answers" + (
        f", {waiting:,} more wait for a grade." if waiting else "."
    )
    columns = ("system", "share", "low", "high", "n")
    rows = [
        (
            cell.system,
            cell.accuracy.estimate,
            cell.accuracy.low,
            cell.accuracy.high,
            cell.accuracy.n,
        )
        for cell in cells
    ]
    return Chart(name, title, caption, spec, columns, rows)


def charts_of(report: AnswersReport) -> list[Chart]:
    """All levels together, then each where there are several."""
    levels = (ALL_LEVELS, *(report.levels if len(report.levels) > 1 else ()))
    found = (accuracy_chart(report, level) for level in levels)
    return [chart for chart in found if chart is not None]


def answer_table(selection: Selection) -> Table:
    columns = ANSWERS.names[: -len(TIMES)]
    rows = [row[: len(columns)] for row in ANSWERS.rows(selection)]
    note = "An empty answer says that the text does not tell; an empty “right” waits for a grade."
    return Table("answers", "All answers", columns, rows, note)


def all_charts(selection: Selection) -> list[Chart]:
    return charts_of(answers_report(selection)) if is_asked(selection.campaign) else []


def all_tables(selection: Selection) -> list[TableLink]:
    if not is_asked(selection.campaign):
        return []
    return [
        TableLink(
            "answers-accuracy",
            "Right answers by system and level",
            lambda: accuracy_table(answers_report(selection)),
        ),
        TableLink("answers-annotators", "Answers by annotator", partial(reader_table, selection)),
        TableLink("answers", "All answers", partial(answer_table, selection)),
    ]


def data(selection: Selection) -> dict[str, Any]:
    if not is_asked(selection.campaign):
        return {}
    return {
        "report": plain(answers_report(selection)),
        "annotators": plain(readers(selection).annotators),
    }


PART = Part("answers", "Answers", all_tables, all_charts, data)
