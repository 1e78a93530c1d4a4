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
RULE_CHOICES = [
    ("wmt25", gettext_lazy("WMT25: up to the first system that differs")),
    ("wmt26", gettext_lazy("WMT26: up to the first system that differs, clusters by wins")),
    ("wmt17-23", gettext_lazy("WMT17–23: wins and losses")),
    ("wmt13-16", gettext_lazy("WMT13–16: ranks in resampled data")),
]
TEST_CHOICES = [
    ("", gettext_lazy("the rule's own")),
    ("signed-rank", gettext_lazy("signed-rank, paired")),
    ("permutation", gettext_lazy("permutation of segments, paired")),
    ("permutation-documents", gettext_lazy("permutation of documents, paired")),
    ("mann-whitney", gettext_lazy("Mann–Whitney, unpaired")),
    ("bootstrap", gettext_lazy("bootstrap of segments, paired or unpaired")),
]
ADJUST_CHOICES = [
    ("none", gettext_lazy("none, as in WMT")),
    ("holm", gettext_lazy("Holm, for all pairs")),
    ("bh", gettext_lazy("Benjamini–Hochberg: at most 5 % of the separations false")),
]
CHECK_CHOICES = [
    ("rule", gettext_lazy("the rule's own (WMT26: .75 or more)")),
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
        """The choices, valid ones; anything else falls back to the first."""
        self.is_valid()  # what was not valid is not in cleaned_data
        return {name: self.cleaned_data.get(name) or value for name, value in self.first.items()}


class ScoreOptionsForm(OptionsForm):
    """How scores of ratings are computed."""

    first: ClassVar = {
        "method": "raw",
        "over": "regular",
        "rule": "wmt25",
        "test": "",
        "adjust": "none",
        "check": "rule",
    }

    method = forms.ChoiceField(choices=METHOD_CHOICES, required=False, label=gettext_lazy("Scores"))
    over = forms.ChoiceField(
        choices=OVER_CHOICES,
        required=False,
        label=gettext_lazy("An annotator's mean and deviation from"),
    )
    rule = forms.ChoiceField(
        choices=RULE_CHOICES, required=False, label=gettext_lazy("Ranks and clusters by")
    )
    test = forms.ChoiceField(
        choices=TEST_CHOICES, required=False, label=gettext_lazy("Test between systems")
    )
    adjust = forms.ChoiceField(
        choices=ADJUST_CHOICES, required=False, label=gettext_lazy("Adjustment for many tests")
    )
    check = forms.ChoiceField(
        choices=CHECK_CHOICES, required=False, label=gettext_lazy("Check of annotators")
    )

    def options(self) -> dict[str, str]:
        found = super().options()
        # A mixed model has a test of its own.
        if not found["test"] or found["method"] == "mixed":
            del found["test"]
        return found


class ComparisonOptionsForm(OptionsForm):
    """How scores of comparisons are computed."""

    first: ClassVar = {"model": "expected-wins"}

    model = forms.ChoiceField(choices=MODEL_CHOICES, required=False, label=gettext_lazy("Scores"))
