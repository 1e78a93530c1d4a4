"""Saying of a clash that it was looked at."""

from django import forms


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
