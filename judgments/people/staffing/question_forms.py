"""Form fields for the questions about a person, one form for each question."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from django import forms
from django.conf import settings

from judgments.files.languages import language_name
from judgments.files.names import free_name
from judgments.models.corpus import direction
from judgments.people.staffing.settings import (
    KINDS,
    LONGEST_LABEL,
    MOST_CHOICES,
    MOST_QUESTIONS,
    NAME,
    PersonQuestion,
)

KIND_WORDS = {
    "text": "A text",
    "choice": ("One from a list"),
    "number": "A number",
    "yes-no": "Yes/No",
}
LONGEST_NAME = 40


class PersonQuestionForm(forms.Form):
    label = forms.CharField(max_length=LONGEST_LABEL, label="Question")
    kind = forms.ChoiceField(choices=[(each, KIND_WORDS[each]) for each in KINDS], label="Answer")
    choices = forms.CharField(
        required=False,
        max_length=MOST_CHOICES * (LONGEST_LABEL + 2),
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Choices",
        help_text="Only for “One from a list”; one per line.",
    )
    required = forms.BooleanField(required=False, label="An answer is required")
    name = forms.CharField(
        required=False,
        max_length=LONGEST_NAME,
        label="Name in the file",
        help_text=(
            "Use a-z, 0-9, - and _, starting with a letter. If empty, it is made from the question."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for code, name in settings.LANGUAGES[1:]:
            self.fields[f"label_{code}"] = forms.CharField(
                required=False,
                max_length=LONGEST_LABEL,
                widget=forms.TextInput(attrs={"lang": code, "dir": direction(code)}),
                label=f"In {language_name(code)} ({name})",
            )

    @property
    def translations(self) -> list[forms.BoundField]:
        """The fields of the question in other languages."""
        return [self[name] for name in self.fields if name.startswith("label_")]

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if name and not NAME.fullmatch(name):
            raise forms.ValidationError("Use a-z, 0-9, - and _, starting with a letter.")
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        lines = (line.strip() for line in cleaned.get("choices", "").splitlines())
        cleaned["choices"] = [line for line in lines if line]
        is_list = cleaned.get("kind") == "choice"
        if is_list != bool(cleaned["choices"]) and "choices" not in self.errors:
            words = "Enter the choices." if is_list else ("Only “One from a list” has choices.")
            self.add_error("choices", words)
        return cleaned

    def row(self, names: set[str]) -> dict[str, Any]:
        """Return the row that `questions_of` reads. names: those of other questions; a campaign
        file may hold the question in languages without a field here, which are kept under its
        name."""
        said = self.cleaned_data
        name = said["name"] or name_of(said["label"], names)
        labels = {
            code: text
            for code, text in self.initial.get("labels", {}).items()
            if f"label_{code}" not in self.fields
        }
        labels |= {"en": said["label"]}
        labels |= {
            field.name.removeprefix("label_"): said[field.name]
            for field in self.translations
            if said.get(field.name)
        }
        return {
            "name": name,
            "label": labels,
            "kind": said["kind"],
            "choices": said["choices"],
            "required": said["required"],
        }


class PersonQuestionSet(forms.BaseFormSet):
    """All questions of a campaign, and an empty form for another one."""

    def rows(self) -> list[dict[str, Any]]:
        kept = [
            form
            for form in self.forms
            if form.has_changed() or form.initial
            if form not in self.deleted_forms
        ]
        names = {form.cleaned_data["name"] for form in kept} - {""}
        found = []
        for form in kept:
            found.append(form.row(names))
            names.add(found[-1]["name"])
        return found

    def add_fields(self, form: forms.Form, index: int | None) -> None:
        super().add_fields(form, index)
        if "DELETE" in form.fields:
            form.fields["DELETE"].label = "Remove this question"


PersonQuestions = forms.formset_factory(
    PersonQuestionForm,
    formset=PersonQuestionSet,
    extra=1,
    can_delete=True,
    can_delete_extra=False,
    max_num=MOST_QUESTIONS,
    absolute_max=MOST_QUESTIONS,
)


def initial_of(question: PersonQuestion) -> dict[str, Any]:
    """Return the initial values of a question's form."""
    return {
        "label": question.labels.get("en", ""),
        "labels": dict(question.labels),
        "kind": question.kind,
        "choices": "\n".join(question.choices),
        "required": question.required,
        "name": question.name,
    } | {f"label_{code}": text for code, text in question.labels.items() if code != "en"}


def name_of(label: str, names: set[str]) -> str:
    """Return a name for a question, made from its words and different from these names."""
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    base = words[: LONGEST_NAME - 3].strip("-") if words[:1].isalpha() else "question"
    return free_name(base, names)
