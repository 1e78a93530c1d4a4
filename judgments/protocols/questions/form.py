"""The form of questions about a text: one of several choices, or an answer in one's own words."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django import forms
from django.utils.translation import gettext_lazy as _

from judgments.protocols.model_questions import FormData, Misfit, ModelQuestion, of_choice
from judgments.protocols.screen_form import ScreenForm

from ..post_editing.form import CONTROL
from .grading import UNTOLD

LONGEST = 1000  # characters of an open answer
NONE = "none"  # what the form calls "The text does not tell"


def field_name(question: int, text: str, choices: Sequence[str]) -> str:
    """Made of all that is asked: a page that was opened before a manager changed a question or took
    one away brings no answer to another one."""
    asked = "\n".join([str(question), text, *sorted(choices)])
    return "question" + hashlib.sha256(asked.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Asked:
    """One question for the template. name: of its field; choices: (value, words, key, "checked"),
    none for an open question, which has `value` instead."""

    name: str
    number: int
    text: str
    choices: list[tuple[str, str, str, str]]
    value: str
    untold: str  # "checked", or nothing
    errors: list[str]
    longest: int = LONGEST


class AnswerForm(ScreenForm):
    """For each question a field of the name that `field_name` gives: the number of a choice, or
    with "-text" words; either may say "none". `cleaned_data["answers"]`: the answers' texts by
    question.

    questions: (id, text, choices in the order of the screen). initial: {"answers": …} alike.
    """

    # For the list of keys: each with what it does.
    KEYS = (
        (("1", "…", "9"), _("that answer; into the box of an open question: 1")),
        (("0",), _("the text does not tell")),
        (("Enter",), _("in a box: to the next question")),
        (("Esc",), _("out of the box")),
        (("j", "k"), _("next question, question before")),
    )

    def __init__(self, questions, **kwargs):
        super().__init__(**kwargs)
        self.questions = questions
        for question, text, choices in questions:
            name = field_name(question, text, choices)
            if choices:
                values = [
                    *((str(n), c) for n, c in enumerate(choices, 1)),
                    (NONE, _("The text does not tell")),
                ]
                self.fields[name] = forms.ChoiceField(
                    choices=values,
                    label=text,
                    error_messages={
                        "required": _("Choose an answer, or say that the text does not tell."),
                        "invalid_choice": _("That is not one of the answers."),
                    },
                )
            else:
                self.fields[f"{name}-text"] = forms.Field(required=False, label=text)
                self.fields[name] = forms.Field(required=False, label=text)

    class Media:
        js = [forms.Script("js/protocols/questions.js", type="module")]

    def clean(self):
        cleaned = super().clean() or {}
        answers = {}
        for question, asked, choices in self.questions:
            name = field_name(question, asked, choices)
            if name not in cleaned:
                continue
            untold = cleaned[name] == NONE
            if choices:
                answers[question] = UNTOLD if untold else choices[int(cleaned[name]) - 1]
                continue
            text = " ".join(str(cleaned[f"{name}-text"] or "").split())
            if problem := self.problem_with(text, untold):
                self.add_error(name, problem)
            answers[question] = text
        return cleaned | {"answers": answers}

    @staticmethod
    def problem_with(text: str, untold: bool):
        if untold and text:
            return _("Either answer, or say that the text does not tell.")
        if not untold and not text:
            return _("Answer in a few words, or say that the text does not tell.")
        if CONTROL.search(text):
            return _("The answer contains a character that cannot be shown. Type it again.")
        if len(text) > LONGEST:
            return _("The answer is too long: at most %(n)s characters fit here.") % {"n": LONGEST}
        return ""

    def model_questions(self) -> list[ModelQuestion]:
        return [
            as_model_question(number, self.fields[field_name(*row)], *row)
            for number, row in enumerate(self.questions, 1)
        ]

    def asked(self) -> list[Asked]:
        """Return for the template."""
        return [self.one(number, *row) for number, row in enumerate(self.questions, 1)]

    def one(self, number: int, question: int, text: str, choices: list[str]) -> Asked:
        name = field_name(question, text, choices)
        given = (self.initial or {}).get("answers", {}).get(question)
        if self.is_bound:
            chosen, value = self.data.get(name, ""), self.data.get(f"{name}-text", "")
        else:
            chosen = NONE if given == UNTOLD else ""
            value = given or ""
            if given in choices:
                chosen = str(choices.index(given) + 1)
        return Asked(
            name=name,
            number=number,
            text=text,
            choices=[
                (str(n), choice, str(n) if n < 10 else "", "checked" * (chosen == str(n)))
                for n, choice in enumerate(choices, 1)
            ],
            value=value,
            untold="checked" if chosen == NONE else "",
            errors=[str(error) for error in self[name].errors],
        )


def as_model_question(number, field, question, text, choices) -> ModelQuestion:
    """Return a question with its choices, or one that is answered in a few words."""
    name = field_name(question, text, choices)
    if choices:
        return replace(of_choice(name, field, text), name=f"question_{number}")

    def post(answer) -> FormData:
        said = " ".join(answer.split()) if isinstance(answer, str) else ""
        if not said:
            raise Misfit(f"question_{number} has no answer in words")
        is_none = said.lower() == NONE
        return FormData({name: NONE} if is_none else {name: "", f"{name}-text": said})

    words = f"{text} In a few words; {NONE} if the text does not tell."
    return ModelQuestion(f"question_{number}", "text", words, {"type": "string"}, post)
