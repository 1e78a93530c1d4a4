"""Steering a running campaign: more seats, an early end, a batch that is taken back."""

import re

from django import forms
from django.db.models import TextChoices

from judgments.people.states import HELD, LEFT_OUT, REPLACED, WORKING
from judgments.quality.decisions.exclusions import LONGEST_REASON

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


class StateAct(TextChoices):
    HOLD = "hold", "Hold: no more work until you decide; what they judged counts"
    GO_ON = "go-on", "Let them go on"
    LEAVE_OUT = "leave-out", "Leave out, stop, and give their open work to others"
    REPLACE = "replace", "The same, and plan again for others what they have judged"
    TAKE_IN = "take-in", "Include again, and let them go on"


# What can be done with somebody in a state.
CHOICES = {
    WORKING: (StateAct.HOLD, StateAct.LEAVE_OUT, StateAct.REPLACE),
    HELD: (StateAct.GO_ON, StateAct.LEAVE_OUT, StateAct.REPLACE),
    LEFT_OUT: (StateAct.REPLACE, StateAct.TAKE_IN),
    REPLACED: (StateAct.TAKE_IN,),
}


class StateForm(forms.Form):
    """What an annotator may do from now on, and why. state: the one that they have."""

    action = forms.ChoiceField(widget=forms.RadioSelect, label="What to do")
    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        label="Reason",
        help_text="It stays in the history. The annotator does not read it.",
    )

    def __init__(self, state: str, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["action"].choices = [(each.value, each.label) for each in CHOICES[state]]  # type: ignore[attr-defined]


class SureForm(forms.Form):
    """For what cannot simply be undone."""

    sure = forms.BooleanField(
        label="Yes", error_messages={"required": "Tick the box to say that you mean it."}
    )
