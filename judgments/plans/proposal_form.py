"""The manager's request for a proposal on the plan's page."""

from __future__ import annotations

from django import forms

from .price.proposal import WantedOfPlan
from .settings import QUESTIONS


class ProposalForm(forms.Form):
    """A form with the request in `asked` if valid; every field may be omitted."""

    question = forms.ChoiceField(
        choices=list(QUESTIONS.items()), required=False, label="What to find out"
    )
    difference = forms.FloatField(
        min_value=0.0001,
        max_value=1_000_000,
        required=False,
        label="Smallest difference",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    hours = forms.FloatField(
        min_value=0.1,
        max_value=1_000_000,
        required=False,
        label="Or hours of work",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["question"].has_default = True  # type: ignore[attr-defined]

    def clean(self):
        cleaned = super().clean() or {}
        if cleaned.get("difference") and cleaned.get("hours"):
            self.add_error("hours", "Enter either the difference or the hours.")
        return cleaned

    @property
    def asked(self) -> WantedOfPlan:
        said = self.cleaned_data
        question = said.get("question") or "all"
        return WantedOfPlan(question, said.get("difference"), said.get("hours"))
