"""What a screen asks, as a language model is asked: in words, with a JSON Schema of the answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from django import forms


class Misfit(ValueError):
    """An answer that does not fit its question; the message says why."""


class FormData(NamedTuple):
    """What is posted for an answer. n_unplaced: errors that stand nowhere in the texts."""

    data: dict[str, str]
    n_unplaced: int = 0


@dataclass(frozen=True)
class ModelQuestion:
    """name: of the answer, in JSON. kind: "errors", "number", "choice" or "text". words: what is
    asked. schema: of the answer. post: turns an answer into what the form gets; raises Misfit.
    place: which translation it is about, 0 for the screen as a whole."""

    name: str
    kind: str
    words: str
    schema: Mapping[str, Any]
    post: Callable[[Any], FormData] = field(compare=False)
    place: int = 0


def place_of(name: str) -> int:
    """Return the place in the name of a field such as output2-adequacy; 0 without one."""
    first = name.partition("-")[0].removeprefix("output")
    return int(first) if name.startswith("output") and first.isdecimal() else 0


def plain_name(name: str) -> str:
    """Return a field's name as models read it: translation_2_adequacy."""
    return name.replace("output", "translation_", 1).replace("-", "_")


def of_choice(name: str, field: forms.ChoiceField, words: str = "") -> ModelQuestion:
    """Return one of the choices of a field, by its value."""
    choices = cast(Iterable[tuple[Any, Any]], field.choices)
    values = [(str(value), str(label)) for value, label in choices]
    meanings = "; ".join(
        value if value == label else f"{value} = {label}" for value, label in values
    )

    def post(answer: Any) -> FormData:
        said = in_words(answer)
        if said not in dict(values):
            raise Misfit(
                f"{plain_name(name)} is {said[:40]!r}, not one of {', '.join(dict(values))}"
            )
        return FormData({name: said})

    return ModelQuestion(
        plain_name(name), "choice", f"{words or field.label} One of: {meanings}.",
        {"type": "string", "enum": [value for value, _ in values]}, post, place_of(name),
    )  # fmt: skip


def of_number(name: str, field: forms.FloatField, words: str = "") -> ModelQuestion:
    """Return a number on the scale of a field; moved to the nearest step of it."""
    ends = (field.min_value, field.max_value, field.step_size or 0)
    low, high, step = (float(cast(float, end)) for end in ends)

    def post(answer: Any) -> FormData:
        try:
            number = float(answer)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if isinstance(answer, bool) or not low <= number <= high:
            said = in_words(answer)
            raise Misfit(
                f"{plain_name(name)} is {said[:40]!r}, not a number from {low:g} to {high:g}"
            )
        if step:
            number = min(high, low + round((number - low) / step) * step)
        return FormData({name: f"{number:g}"})

    return ModelQuestion(
        plain_name(name), "number", f"{words or field.label} From {low:g} to {high:g}.",
        {"type": "number", "minimum": low, "maximum": high}, post, place_of(name),
    )  # fmt: skip


def in_words(answer: Any) -> str:
    """Return an answer as text: 3 and 3.0 are "3"."""
    if isinstance(answer, float) or (type(answer) is int and abs(answer) < 1e9):
        return f"{answer:g}"
    return answer.strip() if isinstance(answer, str) else type(answer).__name__


def of_fields(form: forms.Form, words: Mapping[str, str] | None = None) -> list[ModelQuestion]:
    """Return the questions of the fields that are choices or numbers. words: what to ask, by
    field."""
    found, words = [], words or {}
    for name, each in form.fields.items():
        if isinstance(each, forms.ChoiceField):
            found.append(of_choice(name, each, words.get(name, "")))
        elif isinstance(each, forms.FloatField):
            found.append(of_number(name, each, words.get(name, "")))
    return found


def schema_of(questions: Sequence[ModelQuestion]) -> dict[str, Any]:
    """Return the JSON Schema of all answers together, as strict endpoints want it."""
    return {
        "type": "object",
        "properties": {each.name: dict(each.schema) for each in questions},
        "required": [each.name for each in questions],
        "additionalProperties": False,
    }


def posted(questions: Sequence[ModelQuestion], answers: Any) -> FormData:
    """Return what the form gets for all answers. Raise Misfit."""
    if not isinstance(answers, dict):
        raise Misfit("The answer is no JSON object.")
    data: dict[str, str] = {}
    n_unplaced = 0
    for each in questions:
        if each.name not in answers:
            raise Misfit(f"{each.name} is missing")
        said = each.post(answers[each.name])
        data |= said.data
        n_unplaced += said.n_unplaced
    return FormData(data, n_unplaced)
