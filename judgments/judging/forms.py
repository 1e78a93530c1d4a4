"""Questions of a judging screen, prepared for its templates.

Rendered by our own templates rather than by Django's widgets: keys and anchors are next to each
answer, and a screen of fifty radio buttons takes a few milliseconds less.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import get_language, gettext

from judgments.protocols.base import Dimension


class AnswerOption(NamedTuple):
    """A tuple, because templates unpack tuples faster than they look up attributes."""

    value: str
    words: str
    key: str  # the key that selects it; empty if there is none
    hint: str  # the key again, unless the label already shows it
    checked: str  # the word "checked", or empty


@dataclass(frozen=True)
class ShownQuestion:
    """One field. A slider has no options but `low` and `high`, each with labels, or `ticks`: its
    labelled places as (value, label)."""

    name: str
    title: str
    label: str
    error: str
    value: str
    options: tuple[AnswerOption, ...] = ()
    low: float = 0
    high: float = 0
    step: float = 1
    low_words: str = ""
    high_words: str = ""
    ticks: tuple[tuple[str, str], ...] = ()
    is_typed: bool = False


def keys_of(values: list[str]) -> list[str]:
    """Return the digit of each value if all are whole numbers, with 0 for a 10 without a 0;
    otherwise 1, 2, 3, … and 0 for the tenth, as for ten ranks, which may be followed by a 0 for
    none."""
    if all(value.isdecimal() for value in values) and values[9:10] != ["10"]:
        tenth = "" if "0" in values else "0"
        return [value if len(value) == 1 else tenth if value == "10" else "" for value in values]
    return [*"1234567890"[: len(values)], *[""] * (len(values) - 10)]


def question(bound, dimension: Dimension | None = None) -> ShownQuestion:
    """Return a question from a bound field; dimension: of a field that rates a translation."""
    value = bound.value()
    value = "" if value is None else str(value)
    common = {
        "name": bound.html_name,
        "title": gettext(dimension.name) if dimension else "",
        "label": bound.label,
        "error": " ".join(bound.errors),
        "value": value,
    }
    if dimension and dimension.scale.widget == "slider":
        scale = dimension.scale
        low, high, step = scale.bounds
        words = dict(scale.anchors)
        return ShownQuestion(
            **common,
            low=low,
            high=high,
            step=step,
            low_words=gettext(words.get(low, "")),
            high_words=gettext(words.get(high, "")),
            is_typed=scale.is_typed,
            ticks=tuple((f"{value:g}", gettext(label)) for value, label in scale.ticks),
        )
    choices = tuple((str(choice), str(words)) for choice, words in bound.field.choices)
    chosen = value if any(value == choice for choice, _ in choices) else ""
    return ShownQuestion(**common, options=options_of(choices, chosen, get_language()))


@lru_cache(maxsize=1024)
def options_of(
    choices: tuple[tuple[str, str], ...], chosen: str, language: str | None
) -> tuple[AnswerOption, ...]:
    """Return the answers to a question, in the active language."""
    keys = keys_of([value for value, _ in choices])
    return tuple(
        AnswerOption(
            value=value,
            words=gettext(words),
            key=key,
            hint="" if words.split(" ")[0] == key else key,
            checked="checked" if value == chosen else "",
        )
        for (value, words), key in zip(choices, keys, strict=True)
    )


def by_place(form) -> dict[int, list[ShownQuestion]]:
    """Return the questions under each translation, from place 1; empty if there are none."""
    if not hasattr(form, "blocks"):
        return {}
    return {
        place: [question(bound, dimension) for dimension, bound in fields]
        for place, fields in form.blocks()
    }


def of_screen(form) -> list[ShownQuestion]:
    """Return the questions about the screen as a whole, such as which of two translations is
    better: fields with choices that the form names in `SCREEN_QUESTIONS`."""
    return [question(form[name]) for name in getattr(form, "SCREEN_QUESTIONS", ())]
