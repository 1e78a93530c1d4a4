"""Answers to questions: how many were right, for each system and level.

Nothing is kept here: a grade changes results without a judgment, and a campaign has thousands of
answers rather than millions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np
from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from judgments.models import Answer, Grade, Level, kind_of_output
from judgments.results.observations.observations import scored_kinds
from judgments.stats.significance import MeanInterval, wilson_interval

from ..selection.selection import Selection

ALL_LEVELS = 0


class Given(NamedTuple):
    """One current answer. is_right: by the last grade, or else as it was stored; None: nobody has
    said. is_graded: whether a person has."""

    annotator: int
    item: int
    kind: str
    document: str
    system: str
    output: int
    question: int
    position: int
    level: int
    asked: str
    text: str
    is_right: bool | None
    is_graded: bool
    started_at: datetime
    submitted_at: datetime
    active_ms: int | None


@dataclass(frozen=True)
class Accuracy:
    """The answers of one system's readers to questions at one level (0: at all levels).

    n_untold: answers that the text does not tell, right or wrong. accuracy: the share of right ones
    among those that are right or wrong, with Wilson's interval; NaN with a reason where none is.
    """

    system: str
    level: int
    n_right: int
    n_wrong: int
    n_ungraded: int
    n_untold: int
    accuracy: MeanInterval

    @property
    def n(self) -> int:
        return self.n_right + self.n_wrong + self.n_ungraded


@dataclass(frozen=True)
class AnswersReport:
    """systems: best first. cells: for each of them all levels together, then each level asked."""

    systems: tuple[str, ...]
    levels: tuple[int, ...]
    cells: tuple[Accuracy, ...]
    n_answers: int
    n_ungraded: int
    n_annotators: int
    n_judgments: int
    n_documents: int
    n_questions: int

    def overall(self) -> list[Accuracy]:
        return [cell for cell in self.cells if cell.level == ALL_LEVELS]


@dataclass(frozen=True)
class Reader:
    """One annotator's answers, over all systems. median_seconds: active time for a document."""

    user: int
    alias: str
    n_documents: int
    n_right: int
    n_wrong: int
    n_ungraded: int
    n_untold: int
    accuracy: MeanInterval
    median_seconds: float


@dataclass(frozen=True)
class Readers:
    """Everybody who answered, whoever is left out of the results, by their aliases."""

    annotators: tuple[Reader, ...]


def with_grades(answers):
    """Return answers with `grade`, the last one that a person gave, and None where nobody did."""
    last = Grade.objects.filter(answer=OuterRef("pk")).order_by("-pk")
    return answers.annotate(grade=Subquery(last.values("is_right")[:1]))


def current_answers(selection: Selection, *, everyone: bool = True):
    """Return the answers of judgments that no revision supersedes; everyone: of those left out,
    too."""
    return selection.rows_of(Answer.objects.all(), everyone=everyone)


def given_answers(selection: Selection, *, everyone: bool = True) -> Iterator[Given]:
    """Yield every current answer, whoever is left out, in the order in which they were stored."""
    found = with_grades(current_answers(selection, everyone=everyone)).order_by("pk")
    rows = found.annotate(kind=kind_of_output("judgment__item", "output"))
    for row in rows.values_list(
        "judgment__annotator_id",
        "judgment__item_id",
        "kind",
        "question__document__name",
        "output__system__name",
        "output_id",
        "question_id",
        "question__position",
        "question__level",
        "question__text",
        "text",
        "is_right",
        "grade",
        "judgment__started_at",
        "judgment__submitted_at",
        "judgment__active_ms",
    ).iterator():
        *known, is_right, grade, started, submitted, ms = row
        verdict = is_right if grade is None else grade
        yield Given._make([*known, verdict, grade is not None, started, submitted, ms])


def answers_report(selection: Selection) -> AnswersReport:
    """Without the answers of annotators who are left out of the results."""
    rows = [
        row
        for row in given_answers(selection, everyone=False)
        if row.kind in scored_kinds(selection)
    ]
    counts: Counter[tuple[str, int, str]] = Counter()
    for row in rows:
        verdict = {True: "right", False: "wrong", None: "ungraded"}[row.is_right]
        for level in (ALL_LEVELS, row.level):
            counts[row.system, level, verdict] += 1
            counts[row.system, level, "untold"] += row.text == ""
    levels = sorted({row.level for row in rows})
    cells = {
        system: [accuracy(counts, system, level) for level in (ALL_LEVELS, *levels)]
        for system in sorted({row.system for row in rows})
    }
    best_first = sorted(cells, key=lambda system: standing(cells[system][0]), reverse=True)
    return AnswersReport(
        systems=tuple(best_first),
        levels=tuple(levels),
        cells=tuple(cell for system in best_first for cell in cells[system]),
        n_answers=len(rows),
        n_ungraded=sum(row.is_right is None for row in rows),
        n_annotators=len({row.annotator for row in rows}),
        n_judgments=len({row.item for row in rows}),
        n_documents=len({row.document for row in rows}),
        n_questions=len({row.question for row in rows}),
    )


def readers(selection: Selection) -> Readers:
    rows: dict[int, list[Given]] = {}
    for row in given_answers(selection):
        if row.kind in scored_kinds(selection):
            rows.setdefault(row.annotator, []).append(row)
    found = [reader(user, selection.alias(user), rows[user]) for user in rows]
    return Readers(tuple(sorted(found, key=lambda one: one.alias)))


def reader(user: int, alias: str, rows: list[Given]) -> Reader:
    n_right, n_wrong, n_ungraded = (
        sum(row.is_right is verdict for row in rows) for verdict in (True, False, None)
    )
    times = {row.item: row.active_ms for row in rows if row.active_ms is not None}
    return Reader(
        user=user,
        alias=alias,
        n_documents=len({row.item for row in rows}),
        n_right=n_right,
        n_wrong=n_wrong,
        n_ungraded=n_ungraded,
        n_untold=sum(row.text == "" for row in rows),
        accuracy=wilson_interval(n_right, n_right + n_wrong),
        median_seconds=float(np.median(list(times.values()))) / 1000 if times else float("nan"),
    )


def standing(cell: Accuracy) -> float:
    """Return what systems are sorted by; where nothing is graded they come last."""
    return -1.0 if cell.accuracy.reason else cell.accuracy.estimate


def accuracy(counts: Counter[tuple[str, int, str]], system: str, level: int) -> Accuracy:
    right, wrong, ungraded, untold = (
        counts[system, level, name] for name in ("right", "wrong", "ungraded", "untold")
    )
    share = wilson_interval(right, right + wrong)
    return Accuracy(system, level, right, wrong, ungraded, untold, share)


def level_name(level: int) -> str:
    return _("All levels") if level == ALL_LEVELS else f"{level} {Level(level).label}"
