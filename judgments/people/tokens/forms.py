"""Form that makes an API token."""

from django import forms

from judgments.models import Scope
from judgments.people.tokens.tokens import MOST_TOKENS

DAYS = [(30, "30 days"), (90, "90 days"), (365, "One year")]


class TokenForm(forms.Form):
    name = forms.CharField(
        max_length=60, help_text="What it is for, for instance “nightly export”."
    )
    scope = forms.ChoiceField(
        choices=Scope.choices,
        initial=Scope.READ,
        label="It may",
        help_text="A token can never do more than you can.",
    )
    days = forms.TypedChoiceField(choices=DAYS, coerce=int, initial=90, label="Expires after")

    def __init__(self, user, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_name(self):
        name = self.cleaned_data["name"]
        if self.user.api_tokens.filter(name=name).exists():
            raise forms.ValidationError("You already have a token with this name.")
        return name

    def clean(self):
        if self.user.api_tokens.count() >= MOST_TOKENS:
            raise forms.ValidationError(
                f"You have {MOST_TOKENS} tokens. Revoke one that you no longer use."
            )
        return super().clean()
