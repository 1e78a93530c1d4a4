"""Forms for actions at Prolific."""

from django import forms

from judgments.people.staffing.forms import PaymentForm

APPROVE, BONUS, REPLACE, FREE = "approve", "bonus", "replace", "free"


class PlacesForm(PaymentForm):
    act = forms.ChoiceField(choices=[(each, each) for each in (APPROVE, BONUS, REPLACE, FREE)])
