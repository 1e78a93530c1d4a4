"""Forms about members of a campaign."""

from django import forms
from django.contrib.auth import get_user_model

from judgments.models import Role


class MemberForm(forms.Form):
    """Adds an existing account as a member, or changes a member's role."""

    username = forms.CharField(max_length=150, label="User name")
    role = forms.ChoiceField(choices=Role.choices, initial=Role.RESEARCHER, label="Role")

    def clean_username(self):
        name = self.cleaned_data["username"]
        self.user = get_user_model().objects.filter(username=name, is_active=True).first()
        if self.user is None:
            raise forms.ValidationError(
                f"There is no account “{name}”. Send an invitation link instead."
            )
        return name
