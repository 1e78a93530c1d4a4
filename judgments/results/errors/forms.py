"""Whose errors are suggested; weights of errors that a reader of results writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from judgments.protocols.spans.marking import Marking
from judgments.results.selection.schemes import (
    LARGEST,
    checked_weights,
    read_weights,
    written_weights,
)
from judgments.results.selection.selection import Selection
from judgments.stats.mqm import Scheme
from judgments.test_sets.error_sources import ProgramMarks

LONGEST_LINES = 10_000


class WeightsForm(forms.Form):
    """A number for each severity, and lines of text for categories. ``cleaned_data["weights"]`` are
    all of them as an address has them."""

    def __init__(self, selection: Selection, data=None):
        super().__init__(data, auto_id="weights_%s")
        self.campaign = selection.campaign
        self.severities = Marking.of(self.campaign).severities
        scheme = selection.scheme
        for place, name in enumerate(self.severities):
            self.fields[f"severity_{place}"] = forms.FloatField(
                min_value=0,
                max_value=LARGEST,
                label=capfirst(name),
                initial=f"{scheme.penalty(name):g}" if scheme.covers([name]) else None,
                widget=forms.NumberInput(attrs={"step": "any"}),
            )
        self.fields["others"] = forms.CharField(
            required=False,
            max_length=LONGEST_LINES,
            label=_("Categories, one per line"),
            help_text=_(
                "Such as minor/fluency/punctuation = 0.1, or */source issue = 0 for any severity. "
                "The most specific weight counts."
            ),
            initial=_lines(scheme, self.severities),
            widget=forms.Textarea(attrs={"rows": 4}),
        )

    def clean(self):
        data: dict[str, Any] = super().clean() or {}
        if self.errors:
            return data
        try:
            others = read_weights(data["others"]).weights
            numbers = {name: data[f"severity_{i}"] for i, name in enumerate(self.severities)}
            twice = [name for name in numbers if others.get(name, numbers[name]) != numbers[name]]
            if twice:
                raise ValueError(_("%(name)s has two weights.") % {"name": repr(twice[0])})
            scheme = Scheme("", "", {**others, **numbers})
            data["weights"] = checked_weights(self.campaign, written_weights(scheme))
        except ValueError as problem:
            raise ValidationError({"others": str(problem)}) from None
        return data


def _lines(scheme: Scheme, severities: tuple[str, ...]) -> str:
    """Return the weights beside those of severities, as the form takes them."""
    others = [(name, weight) for name, weight in scheme.weights.items() if name not in severities]
    return "\n".join(f"{name} = {weight:g}" for name, weight in others)


class ProgramForm(forms.Form):
    """Whose errors are suggested; ``cleaned_data["program"]`` is one of `ProgramMarks`."""

    program = forms.ChoiceField(label="Errors marked by")

    def __init__(self, programs: Sequence[ProgramMarks], data=None):
        super().__init__(data, auto_id="program_%s")
        self.programs = {each.key: each for each in programs}
        field = cast(forms.ChoiceField, self.fields["program"])
        field.choices = [
            (key, f"{each.label} ({each.n_errors:,} in {len(each.systems):,} systems)")
            for key, each in self.programs.items()
        ]

    def clean_program(self) -> ProgramMarks:
        return self.programs[self.cleaned_data["program"]]
