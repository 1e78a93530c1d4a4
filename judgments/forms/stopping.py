"""The stopping plan that an owner registers before the first judgment."""

from __future__ import annotations

from typing import Any, cast

from django import forms

from judgments import results
from judgments.models import Aim, Campaign, Spending
from judgments.stats.sequential import FIRST_LOOK_ITEMS, MOST_LOOKS
from judgments.stopping import evenly, unit_of


class PlanForm(forms.Form):
    """`fields_of_plan()` of a valid form is what `judgments.stopping.register` writes down."""

    aim = forms.ChoiceField(
        choices=Aim.choices,
        initial=Aim.ALL,
        widget=forms.RadioSelect,
        label="Aim",
        help_text="To rank all systems, every pair is compared. To find the best one, a system "
        "is dropped as soon as another is better, and the others stay unranked.",
    )
    dimension = forms.ChoiceField(label="Ratings that decide")
    most = forms.IntegerField(min_value=1, label="Planned in total")
    looks = forms.IntegerField(
        min_value=1,
        max_value=MOST_LOOKS,
        initial=5,
        label="Looks",
        help_text=f"At even steps, the end included, at most {MOST_LOOKS}. More looks can end the "
        "campaign earlier but make every bound a little stricter.",
    )
    spending = forms.ChoiceField(
        choices=Spending.choices,
        initial=Spending.ONE_SIDED_FORM,
        label="How the error is spent",
        help_text="Both leave most of it to the last look. O'Brien–Fleming leaves more, so that "
        "its first bounds are stricter and its last one is milder.",
    )
    control = forms.ChoiceField(
        required=False,
        label="Control variate",
        help_text="A metric whose scores of all planned items correct for which items happened to "
        "be judged first. It narrows intervals if it agrees with people, and costs a little if "
        "it does not.",
    )

    def __init__(self, campaign: Campaign, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.unit, self.n_units, self.items_of_one = unit_of(campaign)
        dimensions = [(d.slug, d.name) for d in results.dimensions_of(campaign)]
        self._choice("dimension").choices = dimensions
        self.fields["dimension"].initial = dimensions[0][0] if dimensions else ""
        if len(dimensions) == 1:
            self.fields["dimension"].widget = forms.HiddenInput()
        self.controls = {c.signature: c for c in results.known_controls(campaign.test_set)}
        named = [(c.signature, c.label) for c in self.controls.values()]
        self._choice("control").choices = [("", "none"), *named]
        if not named:
            self.fields["control"].help_text = (
                "None available: the test set has no metric scores for all systems. If you want "
                "one, compute them before you register the plan."
            )
        most = self.fields["most"]
        most.initial = self.n_units
        most.label = f"{self.unit.capitalize()} planned"
        most.help_text = f"The test set has {self.n_units:,}. A first look needs at least "
        most.help_text += f"{FIRST_LOOK_ITEMS} segments."

    def _choice(self, name: str) -> forms.ChoiceField:
        return cast(forms.ChoiceField, self.fields[name])

    def clean_most(self) -> int:
        most = self.cleaned_data["most"]
        if most > self.n_units:
            raise forms.ValidationError(f"The test set has only {self.n_units:,} {self.unit}.")
        return most

    def clean(self):
        cleaned = super().clean() or {}
        if "most" in cleaned and "looks" in cleaned:
            try:
                cleaned["ends"] = evenly(cleaned["most"], cleaned["looks"], self.items_of_one)
            except ValueError as problem:
                self.add_error("most", f"Too few: {problem}.")
        return cleaned

    def fields_of_plan(self) -> dict[str, Any]:
        asked = self.cleaned_data
        chosen = self.controls.get(asked["control"])
        return {
            "aim": asked["aim"],
            "dimension": asked["dimension"],
            "unit": self.unit,
            "looks": asked["ends"],
            "most": asked["most"],
            "spending": asked["spending"],
            "control": chosen.signature if chosen else "",
            "control_label": chosen.label[:200] if chosen else "",
        }
