"""What a reader of results may choose."""

from typing import ClassVar

from django import forms

METHOD_CHOICES = [
    ("raw", "Raw means"),
    ("z", "z per annotator"),
    ("center", "Minus the annotator's mean"),
    ("mixed", "Mixed model"),
]
OVER_CHOICES = [
    ("regular", "regular and repeated items"),
    ("all", "all kinds of items, as in the WMT releases"),
]
RULE_CHOICES = [
    ("wmt25", "WMT25: up to the first system that differs"),
    ("wmt17-23", "WMT17–23: wins and losses"),
    ("wmt13-16", "WMT13–16: ranks in resampled data"),
]
TEST_CHOICES = [
    ("", "the rule's own"),
    ("signed-rank", "signed-rank, paired"),
    ("permutation", "permutation of segments, paired"),
    ("permutation-documents", "permutation of documents, paired"),
    ("mann-whitney", "Mann–Whitney, unpaired"),
]
ADJUST_CHOICES = [("none", "none, as in WMT"), ("holm", "Holm, for all pairs")]
MODEL_CHOICES = [
    ("expected-wins", "Expected wins"),
    ("bradley-terry", "Bradley–Terry, a tie is half a win"),
    ("davidson", "Davidson, with ties"),
    ("trueskill", "TrueSkill, settings of WMT"),
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
    }

    method = forms.ChoiceField(choices=METHOD_CHOICES, required=False, label="Scores")
    over = forms.ChoiceField(
        choices=OVER_CHOICES, required=False, label="An annotator's mean and deviation from"
    )
    rule = forms.ChoiceField(choices=RULE_CHOICES, required=False, label="Ranks and clusters by")
    test = forms.ChoiceField(choices=TEST_CHOICES, required=False, label="Test between systems")
    adjust = forms.ChoiceField(
        choices=ADJUST_CHOICES, required=False, label="Adjustment for many tests"
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

    model = forms.ChoiceField(choices=MODEL_CHOICES, required=False, label="Scores")
