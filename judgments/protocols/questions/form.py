"""The form of questions about a text: one of several choices, or a free-text answer."""

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
NONE = "none"  # what the form calls "The text does not say"


def field_name(question: int, text: str, choices: Sequence[str]) -> str:
    """Return the field name, a hash of the question and its choices: a page opened before a manager
    changed or deleted a question cannot answer another one."""
    asked = "\n".join([str(question), text, *sorted(choices)])
    return "question" + hashlib.sha256(asked.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Asked:
    """One question for the template. name: of its field; choices: (value, label, key, "checked"),
    empty for an open question, which has `value` instead."""

    name: str
    number: int
    text: str
    choices: list[tuple[str, str, str, str]]
    value: str
    untold: str  # "checked", or ""
    errors: list[str]
    longest: int = LONGEST


class AnswerForm(ScreenForm):
    """For each question a field named by `field_name`: the number of a choice, or with "-text" an
    answer in words; either may be "none". `cleaned_data["answers"]`: the answers' texts by
    question.

    questions: (id, text, choices in the order of the screen). initial: {"answers": …} in the same
    form.
    """

    # Keys with what they do, for the list of keys.
    KEYS = (
        (("1", "…", "9"), _("that answer; into the box of an open question: 1")),
        (("0",), _("the text does not say")),
        (("Enter",), _("in a box: to the next question")),
        (("Esc",), _("out of the box")),
        (("j", "k"), _("next question, previous question")),
    )

    def __init__(self, questions, **kwargs):
        super().__init__(**kwargs)
        self.questions = questions
        for question, text, choices in questions:
            name = field_name(question, text, choices)
            if choices:
                values = [
                    *((str(n), c) for n, c in enumerate(choices, 1)),
                    (NONE, _("The text does not say")),
                ]
                self.fields[name] = forms.ChoiceField(
                    choices=values,
                    label=text,
                    error_messages={
                        "required": _("Choose an answer, or “The text does not say”."),
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
            return _("Either answer, or choose “The text does not say”.")
        if not untold and not text:
            return _("Answer in a few words, or choose “The text does not say”.")
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
        """Return the questions for the template."""
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
    """Return a question with its choices, or one to answer in a few words."""
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
