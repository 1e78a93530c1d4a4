"""Forms with which people join campaigns."""

from django import forms
from django.utils.translation import gettext_lazy as _

from judgments.models import Campaign, Membership
from judgments.people import pseudonyms

NAME_TAKEN = _("This name is already taken. Choose another one.")


class JoinForm(forms.Form):
    """The name that will represent an invited person in results.

    proposed: initial value of the field. Without `may_type`, only it or another name that the site
    could have made up is accepted.
    """

    alias = forms.RegexField(
        regex=r"^[\w .@+-]+$",
        max_length=60,
        required=False,
        strip=True,
        label=_("Your name in this campaign"),
        help_text=_(
            "A pseudonym is fine. The people who run the campaign see it next to your judgments."
        ),
        error_messages={
            "invalid": _("Use letters, digits, spaces and the characters . @ + - _ only.")
        },
    )

    def __init__(
        self, campaign: Campaign, *args, proposed: str = "", may_type=True, user=None, **kwargs
    ) -> None:
        """user: who may have the name already."""
        super().__init__(*args, **kwargs)
        self.others = Membership.objects.filter(campaign=campaign).exclude(user=user)
        self.given = proposed
        self.may_type = may_type
        self.fields["alias"].initial = proposed
        if not may_type:
            self.fields["alias"].widget = forms.HiddenInput()

    def clean_alias(self):
        alias = self.cleaned_data["alias"]
        if not self.may_type and alias != self.given and not pseudonyms.is_made(alias):
            return ""  # which makes one up
        if not self.may_type and self.others.filter(alias=alias).exists():
            return ""
        if alias and self.others.filter(alias=alias).exists():
            raise forms.ValidationError(NAME_TAKEN)
        return alias
