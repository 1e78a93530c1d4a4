"""A message to annotators."""

from __future__ import annotations

from typing import Any

from django import forms

from judgments.models import Campaign, Membership
from judgments.people.messages.messages import annotators_of

LONGEST_MESSAGE = 2000


class MessageForm(forms.Form):
    text = forms.CharField(
        max_length=LONGEST_MESSAGE, widget=forms.Textarea(attrs={"rows": 4}), label="Message"
    )
    everybody = forms.BooleanField(required=False, label="To all annotators")
    people = forms.ModelMultipleChoiceField(
        Membership.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Or to these",
    )
    by_mail = forms.BooleanField(
        required=False,
        label="Also by email",
        help_text="To annotators whose address is known here.",
    )

    def __init__(self, campaign: Campaign, *args: Any, can_mail: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.annotators = annotators_of(campaign).select_related("user", "invitation")
        people: Any = self.fields["people"]
        people.queryset = self.annotators
        people.label_from_instance = lambda member: member.alias
        if not can_mail:
            del self.fields["by_mail"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if bool(cleaned.get("everybody")) == bool(cleaned.get("people")):
            self.add_error("people", "Choose all annotators, or some of them.")
        return cleaned

    def recipients(self) -> list[Membership]:
        everybody = self.cleaned_data["everybody"]
        return list(self.annotators if everybody else self.cleaned_data["people"])
