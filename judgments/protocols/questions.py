"""Questions about a text, answered from its translation alone.

Reading comprehension as a measure of translation: Scarton and Specia (2016), "A reading
comprehension corpus for machine translation evaluation". The unit is a document; nobody gets a
document twice, because its questions would tell what to look for.
"""

import hashlib

from judgments.models import Item, Question

from .answer_form import AnswerForm
from .base import Answered, Dimension, Observations, Preset
from .grading import verdict
from .options import Option

SLUG = "questions"
NAME = "Comprehension questions"
TEMPLATE = "judgments/protocols/questions.html"
ANALYSIS = "answers"
OBSERVATIONS = ("answers",)
UNIT = "document"


def options(preset: Preset) -> tuple[Option, ...]:
    return ()


def outputs_per_item(campaign) -> tuple[int, int]:
    return 1, 1


def dimensions(campaign) -> tuple[Dimension, ...]:
    return ()


def parts(campaign) -> tuple[str, ...]:
    return ("",)


def asked(campaign, item):
    """The questions about an item's document, without their right answers."""
    return Question.objects.filter(campaign=campaign, document=item.segment.document_id).order_by(
        "position"
    )


def form(campaign, item, shown, data=None, initial=None) -> AnswerForm:
    found = asked(campaign, item).values_list("pk", "text", "choices")
    rows = [(pk, text, shuffled(item, pk, choices)) for pk, text, choices in found]
    return AnswerForm(rows, data=data, initial=initial)


def shuffled(item, question: int, choices: list[str]) -> list[str]:
    """The choices in an order of this item's own, the same whenever it is opened."""
    return sorted(
        choices,
        key=lambda choice: hashlib.sha256(f"{item.pk} {question} {choice}".encode()).digest(),
    )


def observations(campaign, item, shown, cleaned) -> Observations:
    first = shown[0].output_id
    answers = cleaned["answers"]
    return Observations(
        answers=tuple(
            Answered(
                first, question.pk, answers[question.pk], verdict(question, answers[question.pk])
            )
            for question in asked(campaign, item)
            if question.pk in answers
        )
    )


def initial(campaign, item, shown, judgment) -> dict:
    return {"answers": {answer.question_id: answer.text for answer in judgment.answers.all()}}


def fit_for(campaign, annotator_id: int, tasks):
    """Batches in which there is no document that the annotator has had, in any such campaign on
    these texts."""
    had = Item.objects.filter(
        task__annotator=annotator_id,
        task__campaign__protocol=SLUG,
        task__campaign__test_set=campaign.test_set_id,
    ).values("segment__document")
    return tasks.exclude(
        pk__in=Item.objects.filter(task__campaign=campaign.pk, segment__document__in=had).values(
            "task"
        )
    )
