"""Steering a running campaign: more seats, an early end, a batch that is taken back."""

import re

from django import forms

MOST_SEATS = 20
LARGEST_BATCH = 100_000
RANGE = re.compile(r"(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?", re.ASCII)


class ExtendForm(forms.Form):
    seats = forms.IntegerField(
        min_value=1,
        max_value=MOST_SEATS,
        initial=1,
        label="More people for each item",
        help_text="Each sees the same screens, with the translations in a new random order.",
    )
    batches = forms.CharField(
        required=False,
        max_length=2000,
        label="Batches",
        help_text="Empty: all of them. Or numbers and ranges, such as 1, 4-6.",
    )

    def clean_batches(self) -> set[int] | None:
        """The numbers; None for all."""
        text = self.cleaned_data["batches"].strip()
        if not text:
            return None
        found: set[int] = set()
        for part in text.split(","):
            match = RANGE.fullmatch(part.strip())
            if match is None:
                raise forms.ValidationError(
                    f"“{part.strip()[:40]}” is no number and no range such as 4-6."
                )
            first = int(match[1])
            last = int(match[2] or first)
            if not 1 <= first <= last <= LARGEST_BATCH:
                raise forms.ValidationError(f"“{part.strip()}” is no range of batches.")
            found |= set(range(first, last + 1))
        return found


class SureForm(forms.Form):
    """For what cannot simply be undone."""

    sure = forms.BooleanField(
        label="Yes", error_messages={"required": "Tick the box to say that you mean it."}
    )
