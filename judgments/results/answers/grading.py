"""Second persons grade open answers, without knowing whose they are or which system was read."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from judgments.models import Answer, Campaign, Grade, Question
from judgments.models.chains import record
from judgments.models.locks import lock_campaign
from judgments.protocols.questions.grading import UNTOLD, normalized
from judgments.results.answers.figures import current_answers, with_grades
from judgments.results.selection.selection import Selection


@dataclass(frozen=True)
class Alike:
    """Answers to one question that say the same. key: what a form calls them. verdict: what holds
    now; None where somebody has to say it, or where earlier graders were not of one mind."""

    key: str
    text: str
    answers: tuple[Answer, ...]
    verdict: bool | None
    is_graded: bool

    @property
    def n(self) -> int:
        return len(self.answers)


@dataclass(frozen=True)
class ToGrade:
    """An open question with the number of its answers, and of those that wait."""

    question: Question
    n: int
    n_waiting: int


def gradable(campaign: Campaign, grader):
    """Return current answers to open questions that say something, but for the grader's own."""
    found = (
        current_answers(Selection.of(campaign)).filter(question__choices=[]).exclude(text=UNTOLD)
    )
    return with_grades(found.exclude(judgment__annotator=grader))


def verdict_of(answer: Any) -> bool | None:
    """Return for an answer that `with_grades` has brought."""
    return answer.is_right if answer.grade is None else answer.grade


def open_questions(campaign: Campaign, grader) -> list[ToGrade]:
    """Return the open questions in the order of the test set."""
    counts: dict[int, list[bool]] = {}
    for answer in gradable(campaign, grader):
        counts.setdefault(answer.question_id, []).append(verdict_of(answer) is None)
    questions = campaign.questions.filter(choices=[]).select_related("document")
    return [
        ToGrade(question, len(waits := counts.get(question.pk, [])), sum(waits))
        for question in questions.order_by("document__position", "position")
    ]


def answers_alike(question: Question, grader) -> list[Alike]:
    """Return the answers to a question, those that wait first, and else by their words: neither the
    order nor anything else tells who read which system."""
    groups: dict[str, list[Answer]] = {}
    for answer in gradable(question.campaign, grader).filter(question=question).order_by("text"):
        groups.setdefault(normalized(answer.text), []).append(answer)
    found = []
    for words, answers in sorted(groups.items()):
        verdicts = {verdict_of(answer) for answer in answers}
        found.append(
            Alike(
                key=hashlib.sha256(words.encode()).hexdigest()[:16],
                text=answers[0].text,
                answers=tuple(answers),
                verdict=verdicts.pop() if len(verdicts) == 1 else None,
                is_graded=any(vars(answer)["grade"] is not None for answer in answers),
            )
        )
    return sorted(found, key=lambda alike: alike.verdict is not None)


@transaction.atomic
def grade(question: Question, verdicts: Mapping[str, bool], grader) -> int:
    """Store the verdicts by key of `Alike` that say something new; how many answers they grade.

    Grades are only ever added. What came in since the form was made waits for another time.
    """
    lock_campaign(question.campaign_id)
    new = [
        Grade(answer=answer, grader=grader, is_right=verdicts[alike.key])
        for alike in answers_alike(question, grader)
        if alike.key in verdicts
        for answer in alike.answers
        if verdict_of(answer) is not verdicts[alike.key]
    ]
    Grade.objects.bulk_create(new)
    record.note(question.campaign_id, "answers graded", "grade", ids=[each.pk for each in new])
    return len(new)
