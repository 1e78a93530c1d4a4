"""Confirmation to type before something is deleted."""

from django import forms

from judgments.test_sets.deletion.rows import LONGEST_REASON


class DeletionForm(forms.Form):
    """The name of the object to delete, so that nobody deletes another one by accident."""

    name = forms.CharField(
        max_length=200,
        strip=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, what: str, name: str, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.expected = name
        self.fields["name"].label = f"Name of the {what}"
        self.fields["name"].help_text = f"To confirm, type its name: {name}"

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if name.strip() != self.expected.strip():
            raise forms.ValidationError("The name does not match.")
        return name


class CampaignDeletionForm(DeletionForm):
    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Reason",
        help_text="It stays in the log, with your name.",
    )
