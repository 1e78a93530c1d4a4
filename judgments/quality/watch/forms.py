"""Forms for a running campaign: more seats, batches for a person, an early end."""

from typing import Any

from django import forms
from django.db.models import TextChoices

from judgments.models import Campaign, Membership
from judgments.people.messages.messages import annotators_of
from judgments.people.states import HELD, LEFT_OUT, REPLACED, WORKING, states_of
from judgments.quality.decisions.exclusions import LONGEST_REASON

MOST_SEATS = 20
MOST_BATCHES = 100_000
MOST_GIVEN = 50


class ExtendForm(forms.Form):
    seats = forms.IntegerField(
        min_value=1,
        max_value=MOST_SEATS,
        initial=1,
        label="More people for each item",
        help_text="Each sees the same screens, with the translations in a new random order.",
    )
    n_batches = forms.IntegerField(
        min_value=1,
        max_value=MOST_BATCHES,
        required=False,
        label="For this many batches",
        help_text="If empty, all of them. Those with the fewest people come first, drawn at "
        "random among equals.",
    )


class GiveForm(forms.Form):
    """Assign batches to a person who has not claimed them."""

    member = forms.ModelChoiceField(Membership.objects.none(), empty_label=None, label="Annotator")
    n = forms.IntegerField(
        min_value=1,
        max_value=MOST_GIVEN,
        initial=1,
        label="Batches",
        help_text="The next free batches that this person may have. They are reserved for this "
        "person, and do not go back after a time.",
    )

    def __init__(self, campaign: Campaign, *args, **kwargs):
        super().__init__(*args, **kwargs)
        idle = [user for user, state in states_of(campaign).items() if state.name != WORKING]
        member: Any = self.fields["member"]
        member.queryset = annotators_of(campaign).exclude(user__in=idle)
        member.label_from_instance = lambda member: member.alias


class StateAct(TextChoices):
    HOLD = "hold", "Hold: no more work until you decide; what they judged counts"
    GO_ON = "go-on", "Let them continue"
    LEAVE_OUT = "leave-out", "Leave out, stop, and give their open work to others"
    REPLACE = "replace", "The same, and plan again for others what they have judged"
    TAKE_IN = "take-in", "Include again, and let them continue"


# Possible actions by the state of an annotator.
CHOICES = {
    WORKING: (StateAct.HOLD, StateAct.LEAVE_OUT, StateAct.REPLACE),
    HELD: (StateAct.GO_ON, StateAct.LEAVE_OUT, StateAct.REPLACE),
    LEFT_OUT: (StateAct.REPLACE, StateAct.TAKE_IN),
    REPLACED: (StateAct.TAKE_IN,),
}


class StateForm(forms.Form):
    """The new state of an annotator, with a reason. state: the current one."""

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
    """Confirmation of actions that are hard to undo."""

    sure = forms.BooleanField(label="Yes", error_messages={"required": "Tick the box to confirm."})
