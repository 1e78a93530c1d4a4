"""What a reader of results may choose."""

from django import forms

METHOD_CHOICES = [("raw", "Raw means"), ("z", "z per annotator")]
RULE_CHOICES = [
    ("wmt25", "WMT25: signed-rank test on shared segments"),
    ("wmt17-23", "WMT17–23: Mann–Whitney test on segment means"),
]
OVER_CHOICES = [
    ("regular", "regular and repeated items"),
    ("all", "all kinds of items, as in the WMT releases"),
]
FIRST = {
    "method": METHOD_CHOICES[0][0],
    "over": OVER_CHOICES[0][0],
    "rule": RULE_CHOICES[0][0],
}


class ScoreOptionsForm(forms.Form):
    """How scores of ratings are computed. What is not chosen has the first choice's value."""

    method = forms.ChoiceField(choices=METHOD_CHOICES, required=False, label="Scores")
    over = forms.ChoiceField(
        choices=OVER_CHOICES, required=False, label="An annotator's mean and deviation from"
    )
    rule = forms.ChoiceField(choices=RULE_CHOICES, required=False, label="Ranks and clusters by")

    def options(self) -> dict[str, str]:
        """The choices, valid ones; anything else falls back to the first."""
        self.is_valid()  # what was not valid is not in cleaned_data
        return {name: self.cleaned_data.get(name) or first for name, first in FIRST.items()}
