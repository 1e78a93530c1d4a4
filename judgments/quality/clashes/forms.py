"""Forms to mark a clash as reviewed, and to ask a third person."""

from typing import Any

from django import forms

from judgments.models import Campaign, Membership, Role
from judgments.people.states import WORKING, states_of


class ClashMarkForm(forms.Form):
    is_flagged = forms.BooleanField(required=False, label="Flag it for the others")
    comment = forms.CharField(
        required=False,
        max_length=2000,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 2}),
        label="Comment",
        help_text="Owners and researchers of the campaign read it.",
    )


class ThirdForm(forms.Form):
    """The person who judges the selected clashes."""

    third = forms.ModelChoiceField(
        Membership.objects.none(), label="Third person", empty_label="Choose an annotator"
    )

    def __init__(self, campaign: Campaign, data: Any = None) -> None:
        super().__init__(data)
        out = [user for user, state in states_of(campaign).items() if state.name != WORKING]
        people = campaign.memberships.current().filter(role=Role.ANNOTATOR)
        third: Any = self.fields["third"]
        third.queryset = people.exclude(user__in=out).order_by("alias")
        third.label_from_instance = lambda member: member.alias
