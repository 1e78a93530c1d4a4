"""What a reader of results may choose."""

from django import forms

from judgments.results.scores import OVER

RULE_CHOICES = [
    ("wmt25", "WMT25: signed-rank test on shared segments"),
    ("wmt17-23", "WMT17–23: Mann–Whitney test on segment means"),
]
OVER_CHOICES = [
    ("regular", "regular and repeated items"),
    ("all", "all kinds of items, as in the WMT releases"),
]
assert {value for value, _ in OVER_CHOICES} == set(OVER)


class ScoreOptionsForm(forms.Form):
    """How scores of ratings are computed. What is not chosen has the first choice's value."""

    method = forms.ChoiceField(
        choices=[("raw", "Raw means"), ("z", "z per annotator")],
        required=False,
        label="Scores",
    )
    over = forms.ChoiceField(
        choices=OVER_CHOICES, required=False, label="An annotator's mean and deviation from"
    )
    rule = forms.ChoiceField(choices=RULE_CHOICES, required=False, label="Ranks and clusters by")

    def options(self) -> dict[str, str]:
        """The choices, valid ones; anything else falls back to the first."""
        chosen = self.cleaned_data if self.is_valid() else {}
        return {
            name: chosen.get(name) or field.choices[0][0] for name, field in self.fields.items()
        }
