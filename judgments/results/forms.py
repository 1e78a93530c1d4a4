"""What a reader of results may choose."""

from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy

METHOD_CHOICES = [
    ("raw", gettext_lazy("Raw means")),
    ("z", gettext_lazy("z per annotator")),
    ("center", gettext_lazy("Minus the annotator's mean")),
    ("mixed", gettext_lazy("Mixed model")),
]
OVER_CHOICES = [
    ("regular", gettext_lazy("regular and repeated items")),
    ("all", gettext_lazy("all kinds of items, as in the WMT releases")),
]
CHECK_CHOICES = [
    ("rule", gettext_lazy("as published, .75 or more")),
    ("none", gettext_lazy("none, everybody counts")),
]
MODEL_CHOICES = [
    ("expected-wins", gettext_lazy("Expected wins")),
    ("bradley-terry", gettext_lazy("Bradley–Terry, a tie is half a win")),
    ("davidson", gettext_lazy("Davidson, with ties")),
    ("trueskill", gettext_lazy("TrueSkill, settings of WMT")),
]


class OptionsForm(forms.Form):
    """Choices of which each has a ``first``: what is not chosen, or not known, has its value."""

    first: ClassVar[dict[str, str]] = {}

    def options(self) -> dict[str, str]:
        """Return the choices, valid ones; anything else falls back to the first."""
        self.is_valid()  # what was not valid is not in cleaned_data
        return {name: self.cleaned_data.get(name) or value for name, value in self.first.items()}


class ScoreOptionsForm(OptionsForm):
    """How scores of ratings are computed."""

    first: ClassVar = {
        "method": "",  # the campaign's own
        "over": "regular",
        "check": "rule",
    }

    method = forms.ChoiceField(choices=METHOD_CHOICES, required=False, label=gettext_lazy("Scores"))
    over = forms.ChoiceField(
        choices=OVER_CHOICES,
        required=False,
        label=gettext_lazy("An annotator's mean and deviation from"),
    )
    check = forms.ChoiceField(
        choices=CHECK_CHOICES, required=False, label=gettext_lazy("WMT26's check of annotators")
    )


class ComparisonOptionsForm(OptionsForm):
    """How scores of comparisons are computed."""

    first: ClassVar = {"model": "expected-wins"}

    model = forms.ChoiceField(choices=MODEL_CHOICES, required=False, label=gettext_lazy("Scores"))
