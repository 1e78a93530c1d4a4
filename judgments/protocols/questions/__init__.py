"""Questions about a text, answered from its translation alone.

Reading comprehension as a measure of translation: Scarton and Specia (2016), "A reading
comprehension corpus for machine translation evaluation". The unit is a document; nobody gets a
document twice, because its questions would give away what to look for.
"""

import hashlib
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from judgments.models import Item, Question, Task
from judgments.models.new_observations import Answered, Observations

from ..contract import CONTROLS, Protocol, ProtocolPage
from ..options import Options
from .form import AnswerForm
from .grading import verdict
from .presets import PRESETS
from .table import ANSWERS


@dataclass(frozen=True)
class QuestionsOptions(Options):
    unit: str = "document"


class Questions(Protocol):
    slug = "questions"
    name = "Comprehension questions"
    template = "judgments/protocols/questions.html"
    kinds = ("answers",)
    presets = PRESETS
    reads = QuestionsOptions
    table = ANSWERS
    counted_by = "judgments.results.answers.rows.counts"
    pages = (ProtocolPage("answers", "Answers"), ProtocolPage("correlation", "Metrics"))
    measures = ("share_right", "reading_seconds_per_word")
    design_note = "judgments/protocols/questions_design.html"
    rates = False
    shows_twins = True

    @classmethod
    def option_fields(cls, preset):
        return ()

    def materials(self) -> tuple[ProtocolPage, ...]:
        return (ProtocolPage("questions", "Questions"),)

    def asked(self, item):
        """Return the questions about an item's document, in order."""
        if self.given is not None:
            return self.given.get(Question, ())
        found = Question.objects.filter(campaign=self.campaign, document=item.segment.document_id)
        return found.order_by("position")

    def form(self, item, shown, data=None, initial=None) -> AnswerForm:
        rows = [(q.pk, q.text, shuffled(item, q.pk, q.choices)) for q in self.asked(item)]
        return AnswerForm(rows, data=data, initial=initial)

    def observations(self, item, shown, cleaned) -> Observations:
        first = shown[0].output_id
        answers = cleaned["answers"]
        return Observations(
            answers=tuple(
                Answered(
                    first,
                    question.pk,
                    answers[question.pk],
                    verdict(question, answers[question.pk]),
                )
                for question in self.asked(item)
                if question.pk in answers
            )
        )

    def initial(self, item, shown, judgment) -> dict:
        return {"answers": {answer.question_id: answer.text for answer in judgment.answers.all()}}

    def no_controls(self) -> dict[str, str]:
        reason = "Nobody gets a document twice: its questions would tell what to look for."
        return dict.fromkeys(CONTROLS, reason)

    def fit_for(self, annotator_id, tasks):
        """Return the tasks without a document that the annotator has had in another batch, in any
        such campaign on these texts."""
        of_texts = Task.objects.filter(
            campaign__protocol=self.slug, campaign__test_set=self.campaign.test_set_id
        )
        had = Item.objects.filter(
            task__in=of_texts.had_by(annotator_id).order_by().values("pk"),
            segment__document=OuterRef("segment__document"),
        ).exclude(task__campaign=self.campaign.pk, task__batch=OuterRef("task__batch"))
        seen = Item.objects.filter(
            Exists(had), task__campaign=self.campaign.pk, task__is_unfinished=True
        )
        return tasks.exclude(pk__in=seen.values("task"))


def shuffled(item, question: int, choices: list[str]) -> list[str]:
    """Return the choices in a fixed order specific to this item."""
    return sorted(
        choices,
        key=lambda choice: hashlib.sha256(f"{item.pk} {question} {choice}".encode()).digest(),
    )
