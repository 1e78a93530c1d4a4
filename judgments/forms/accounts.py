"""Forms with which people join campaigns."""

from django import forms
from django.utils.translation import gettext_lazy as _

from judgments.models import Membership


class JoinForm(forms.Form):
    """The name under which someone who follows an invitation will appear in results."""

    alias = forms.RegexField(
        regex=r"^[\w .@+-]+$",
        max_length=60,
        required=False,
        strip=True,
        label=_("Your name in this campaign"),
        help_text=_(
            "A pseudonym is fine; those who run the campaign see it beside your judgments."
        ),
        error_messages={"invalid": _("Use letters, digits, spaces and the marks . @ + - _ only.")},
    )

    def __init__(self, campaign, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.campaign = campaign

    def clean_alias(self):
        alias = self.cleaned_data["alias"]
        if alias and Membership.objects.filter(campaign=self.campaign, alias=alias).exists():
            raise forms.ValidationError(
                _("Somebody here has that name already. Choose another one.")
            )
        return alias
