"""How much readers of each system understood, in words, tables and charts."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.protocols.questions.table import ANSWERS
from judgments.protocols.tables import TIMES
from judgments.results.answers.figures import (
    ALL_LEVELS,
    Accuracy,
    AnswersReport,
    answers_report,
    level_name,
    readers,
)
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import ANSWERS_RIGHT, READERS
from judgments.web.plurals import titled
from judgments.web.sections import ASIDE, FILE, EmptyState, Lazy, ResultsPage, Section, plain
from judgments.web.tables import Table

from ..selection.decisions import decision_table

MEANING = gettext_lazy(
    "“Share right” is the share of the graded answers that were right, with the same weight for "
    "each answer. The interval is Wilson's (1927); answers without a grade are left out of both."
)
TRUST = gettext_lazy(
    "Do not trust small differences: the interval treats answers as independent, but answers about "
    "one document or by one person resemble each other, so with few documents or people the true "
    "uncertainty is larger. Guesses are sometimes right: compare with chance, and with the "
    "reference among the systems."
)


def is_asked(campaign: Campaign) -> bool:
    return protocol_of(campaign).has_page("answers")


def lead(report: AnswersReport) -> str:
    """Return the finding in one sentence."""
    if not report.n_answers:
        return _("All annotators are left out, so there are no answers to count.")
    known = {
        "n": counted.answers(report.n_answers),
        "people": counted.annotators(report.n_annotators),
    }
    graded = [cell for cell in report.overall() if not cell.accuracy.reason]
    if not graded:
        return _("%(n)s by %(people)s are waiting for a grade.") % known
    best, worst = graded[0], graded[-1]
    known |= {"best": best.system, "right": percent(best)}
    known |= {"worst": worst.system, "fewest": percent(worst)}
    if worst is best:
        found = _("Readers of %(best)s got %(right)s of the answers right: %(n)s by %(people)s")
    else:
        found = _(
            "Readers of %(best)s got %(right)s of the answers right, readers of %(worst)s "
            "%(fewest)s: %(n)s by %(people)s"
        )
    waiting = ngettext(
        "%(n)s is waiting for a grade", "%(n)s are waiting for a grade", report.n_ungraded
    )
    waits = waiting % {"n": f"{report.n_ungraded:,}"}
    return f"{found % known}; {waits}." if report.n_ungraded else f"{found % known}."


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
    note = _(
        "%(answers)s to %(questions)s about %(documents)s by %(people)s; current answers of "
        "regular and repeated items, the last grade counting."
    ) % {
        "answers": counted.answers(report.n_answers),
        "questions": counted.questions(report.n_questions),
        "documents": counted.documents(report.n_documents),
        "people": counted.annotators(report.n_annotators),
    }
    return Table(
        "answers-accuracy", _("Right answers by system and level"), ANSWERS_RIGHT, rows, note
    )


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
            _("yes") if one.user in selection.excluded else "",
        )
        for one in readers(selection).annotators
    ]
    note = _(
        "Annotators who read worse translations had less chance of answering "
        "correctly: compare annotators only if they read the same systems equally "
        "often."
    )
    return Table("answers-annotators", _("Answers by annotator"), READERS, rows, note)


def accuracy_chart(report: AnswersReport, level: int = ALL_LEVELS) -> Chart | None:
    """Return one level of all systems, best first; None where nothing is graded."""
    cells = [cell for cell in report.cells if cell.level == level and not cell.accuracy.reason]
    if not cells:
        return None
    title = _("Share of right answers")
    name = "answers-right"
    if level != ALL_LEVELS:
        title, name = titled(title, level_name(level)), f"{name}-{level}"
    ends = [
        np.array([getattr(cell.accuracy, end) for cell in cells])
        for end in ("estimate", "low", "high")
    ]
    spec = charts.intervals(
        [cell.system for cell in cells],
        *ends,
        axis=_("share of right answers"),
        domain=(0, 1),
        description=title,
    )
    n = sum(cell.n_right + cell.n_wrong for cell in cells)
    waiting = sum(cell.n_ungraded for cell in cells)
    caption = _("With Wilson's 95 %% intervals; n = %(graded_answers)s") % {
        "graded_answers": counted.graded_answers(n)
    }
    more = ngettext(
        "%(n)s more is waiting for a grade", "%(n)s more are waiting for a grade", waiting
    ) % {"n": f"{waiting:,}"}
    caption += f"; {more}." if waiting else "."
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


def answer_table(selection: Selection) -> Table:
    columns = ANSWERS.names[: -len(TIMES)]
    rows = [row[: len(columns)] for row in ANSWERS.rows(selection)]
    note = _(
        "An empty answer means that the text does not say; an empty “right” means "
        "that there is no grade yet."
    )
    return Table("answers", _("All answers"), columns, rows, note)


def sections(selection: Selection) -> list[Section]:
    report = cache(lambda: answers_report(selection))

    def level_chart(level: int) -> Lazy[Chart | None]:
        title = titled(_("Share of right answers"), level_name(level))
        make = partial(accuracy_chart, level=level)
        return Lazy(f"answers-right-{level}", title, lambda: make(report()), ASIDE)

    levels = levels_of(selection.campaign)
    right, by_level = _("Share of right answers"), _("Right answers by system and level")
    found = [
        Section(
            slug="answers",
            title=_("Right answers"),
            sentence=lambda: lead(report()),
            notes=lambda: [str(TRUST)],
            charts=[Lazy("answers-right", right, lambda: accuracy_chart(report()))],
            tables=[
                Lazy("answers-accuracy", by_level, lambda: accuracy_table(report())),
                Lazy("answers", _("All answers"), lambda: answer_table(selection), FILE),
            ],
            remark=lambda: str(MEANING),
        )
    ]
    if len(levels) > 1:
        drawn = [level_chart(level) for level in levels]
        found.append(Section("levels", _("Level by level"), charts=drawn))
    people = [
        Lazy("answers-annotators", _("Answers by annotator"), lambda: reader_table(selection)),
        Lazy("quality-decisions", _("Decisions on annotators"), lambda: decision_table(selection)),
    ]
    return [*found, Section("people", _("Annotators"), tables=people)]


def levels_of(campaign: Campaign) -> list[int]:
    """Return the levels of a campaign's questions, in rising order."""
    return sorted(set(campaign.questions.order_by().values_list("level", flat=True)))


def data(selection: Selection) -> dict[str, Any]:
    return {
        "report": plain(answers_report(selection)),
        "annotators": plain(readers(selection).annotators),
    }


def empty(selection: Selection) -> EmptyState | None:
    return None if readers(selection).annotators else NOTHING


NOTHING = EmptyState(
    gettext_lazy("No answers yet"),
    gettext_lazy(
        "The share of right answers will appear here with the first ones. Until then, add the "
        "questions and plan the work."
    ),
    "questions",
    gettext_lazy("See the questions"),
)
PAGE = ResultsPage(
    "answers",
    gettext_lazy("Answers"),
    sections,
    data,
    asked=is_asked,
    empty=empty,
    template="judgments/quality/answers.html",
)
