"""The fields of a worked example as a form, read from the address."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from metrics.lessons.examples.base import LONGEST_LINE, ExampleCase, ExampleField, WorkedExample

MOST_DIGITS = 1_000
PLAIN = {"dir": "auto", "autocomplete": "off", "spellcheck": "false"}


class ExampleForm(forms.Form):
    """What the address leaves out has the value of the case. ``changed_values``: whether anything
    is other than published."""

    def __init__(self, example: WorkedExample, case: ExampleCase, data: Mapping[str, str]):
        values = {each.name: data.get(each.name, case.values[each.name]) for each in example.fields}
        super().__init__(values, auto_id="id_%s")
        self.fields |= {each.name: MAKERS[each.kind](each) for each in example.fields}
        self.case = case

    @property
    def changed_values(self) -> bool:
        return any(tidy(self.data[name]) != tidy(value) for name, value in self.case.values.items())


def tidy(text: str) -> list[str]:
    """Return the lines of a text, for telling whether it was changed."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


class ExampleLineField(forms.CharField):
    """One line of text, of so many words at most; ``""`` where it may be left empty."""

    def __init__(self, most_words: int, **options: Any):
        # A box in which a long line is broken, so that a phone shows all of it.
        widget = forms.Textarea(attrs={"rows": 2, **PLAIN})
        super().__init__(max_length=LONGEST_LINE, widget=widget, **options)
        self.most_words = most_words

    def clean(self, value: Any) -> str:
        text = " ".join(super().clean(value).split())
        check_words(text, self.most_words)
        return text


class ExampleLinesField(forms.CharField):
    """One or more lines; cleaned to a list."""

    def __init__(self, most_lines: int, most_words: int, **options: Any):
        widget = forms.Textarea(attrs={"rows": min(most_lines, 5), **PLAIN})
        super().__init__(max_length=most_lines * (LONGEST_LINE + 2), widget=widget, **options)
        self.most_lines, self.most_words = most_lines, most_words

    def clean(self, value: Any) -> list[str]:
        lines = [line.strip() for line in super().clean(value).splitlines() if line.strip()]
        if len(lines) > self.most_lines:
            words = ngettext(
                "These are %(n)s lines; there is room for one.",
                "These are %(n)s lines; there is room for %(most)s.",
                self.most_lines,
            )
            raise forms.ValidationError(words % {"n": len(lines), "most": self.most_lines})
        for number, line in enumerate(lines, start=1):
            if len(line) > LONGEST_LINE:
                raise forms.ValidationError(
                    _("Line %(n)s has %(length)s characters; %(most)s are allowed.")
                    % {"n": number, "length": len(line), "most": LONGEST_LINE}
                )
            check_words(line, self.most_words)
        return lines


class NumbersField(forms.CharField):
    """Numbers separated by spaces; cleaned to a list."""

    def __init__(self, asked: ExampleField, whole: bool, **options: Any):
        super().__init__(max_length=MOST_DIGITS, **options)
        self.asked, self.whole = asked, whole
        self.widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}

    def clean(self, value: Any) -> list[float]:
        words = super().clean(value).split()
        if len(words) > self.asked.most_lines:
            raise forms.ValidationError(
                _("These are %(n)s numbers; there is room for %(most)s.")
                % {"n": len(words), "most": self.asked.most_lines}
            )
        return [self.number(word) for word in words]

    def number(self, word: str) -> float:
        try:
            found = int(word) if self.whole else float(word)
        except ValueError:
            found = math.nan
        if not self.asked.low <= found <= self.asked.high:
            kind = _("a whole number") if self.whole else _("a number")
            raise forms.ValidationError(
                _("“%(word)s” is not %(kind)s from %(low)s to %(high)s.")
                % {
                    "word": word[:20],
                    "kind": kind,
                    "low": f"{self.asked.low:.12g}",
                    "high": f"{self.asked.high:.12g}",
                }
            )
        return found


def check_words(text: str, most: int) -> None:
    """Raise ValidationError for a line of too many words."""
    if (n := len(text.split())) > most:
        raise forms.ValidationError(
            _("A line has %(n)s words; at most %(most)s are compared here.")
            % {"n": n, "most": most}
        )


def common(asked: ExampleField) -> dict[str, Any]:
    return {"label": asked.label, "help_text": asked.hint, "required": not asked.optional}


def bounds(asked: ExampleField) -> dict[str, Any]:
    return {"min_value": asked.low, "max_value": asked.high}


MAKERS: dict[str, Callable[[ExampleField], forms.Field]] = {
    "text": lambda asked: ExampleLineField(asked.most_words, **common(asked)),
    "lines": lambda asked: ExampleLinesField(asked.most_lines, asked.most_words, **common(asked)),
    "whole": lambda asked: forms.IntegerField(**common(asked), **bounds(asked)),
    "number": lambda asked: forms.FloatField(
        widget=forms.NumberInput(attrs={"step": "any"}), **common(asked), **bounds(asked)
    ),
    "numbers": lambda asked: NumbersField(asked, False, **common(asked)),
    "wholes": lambda asked: NumbersField(asked, True, **common(asked)),
    "choice": lambda asked: forms.ChoiceField(choices=asked.choices, **common(asked)),
}
