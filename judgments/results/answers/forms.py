"""The form in which a second person grades the answers to one question."""

from django import forms

RIGHT, WRONG = "right", "wrong"
CHOICES = [(RIGHT, "Right"), (WRONG, "Wrong")]


class GradingForm(forms.Form):
    """One field for each group of answers that say the same; an empty one is left for later."""

    def __init__(self, groups, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.groups = groups
        for group in groups:
            initial = {True: RIGHT, False: WRONG, None: ""}[group.verdict]
            self.fields[group.key] = forms.ChoiceField(
                choices=CHOICES, widget=forms.RadioSelect, required=False, initial=initial,
                label=group.text,
            )  # fmt: skip

    def verdicts(self) -> dict[str, bool]:
        """Return what was chosen, by group."""
        return {key: value == RIGHT for key, value in self.cleaned_data.items() if value}

    def rows(self):
        """Return for the template: each group with its field."""
        return [(group, self[group.key]) for group in self.groups]
