"""What an annotator asks of the list of their items."""

from django import forms
from django.utils.translation import gettext_lazy as _

from .rows import FLAGGED, JUDGED, SKIPPED, STARRED, TO_DO

SHOWN = [
    ("", _("All items")),
    (TO_DO, _("To do")),
    (JUDGED, _("Judged")),
    (SKIPPED, _("Skipped")),
    (FLAGGED, _("Flagged")),
    (STARRED, _("With a star")),
]


class OwnItemsForm(forms.Form):
    """searches: whether texts are searched; hides_progress: what is to do is not listed."""

    show = forms.ChoiceField(choices=SHOWN, required=False, label=_("Show"))
    words = forms.CharField(
        required=False,
        max_length=200,
        label=_("Words in the text"),
        widget=forms.TextInput(attrs={"type": "search"}),
    )

    def __init__(self, *args, searches: bool, hides_progress: bool, **kwargs):
        super().__init__(*args, **kwargs)
        if hides_progress:
            choices = [each for each in SHOWN if each[0] != TO_DO]
            self.fields["show"] = forms.ChoiceField(
                choices=choices, required=False, label=_("Show")
            )
        if not searches:
            del self.fields["words"]

    def asked(self) -> dict[str, str]:
        """Return what is asked for, without what is not understood."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


class StarForm(forms.Form):
    """Whether an item is to have the star."""

    star = forms.ChoiceField(choices=[("yes", "set"), ("no", "taken back")])
