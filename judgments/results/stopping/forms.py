"""The stopping plan that an owner registers before the first judgment."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import Aim, Campaign, PlanTest, Spending
from judgments.plans.metric_controls import known_controls
from judgments.plans.stopping import (
    USUAL_LOOKS,
    block_length_of,
    evenly,
    planned_units,
    unit_of,
)
from judgments.results.observations import observations
from judgments.stats.sequential import FIRST_LOOK_ITEMS, MOST_LOOKS
from judgments.web.plurals import capitalized, of_unit, units


class PlanForm(forms.Form):
    """A form whose `fields_of_plan()`, if valid, is registered by
    `judgments.plans.stopping.register`."""

    aim = forms.ChoiceField(
        choices=Aim.choices,
        initial=Aim.ALL,
        widget=forms.RadioSelect,
        label=gettext_lazy("Aim"),
        help_text=gettext_lazy(
            "To rank all systems, every pair is compared. To find the best one, a system "
            "is dropped as soon as another is better, and the others stay unranked."
        ),
    )
    dimension = forms.ChoiceField(label=gettext_lazy("Ratings that decide"))
    most = forms.IntegerField(min_value=1, label=gettext_lazy("Planned in total"))
    looks = forms.IntegerField(
        min_value=1,
        max_value=MOST_LOOKS,
        initial=USUAL_LOOKS,
        label=gettext_lazy("Looks"),
        help_text=format_lazy(
            gettext_lazy(
                "At even steps, the end included, at most {most}. More looks can end the campaign "
                "earlier but make every bound a little stricter."
            ),
            most=MOST_LOOKS,
        ),
    )
    spending = forms.ChoiceField(
        choices=Spending.choices,
        initial=Spending.ONE_SIDED_FORM,
        label=gettext_lazy("How the error is spent"),
        help_text=gettext_lazy(
            "Both leave most of it to the last look. O'Brien–Fleming leaves more, so that"
            " its first bounds are stricter and its last one is milder."
        ),
    )
    test = forms.ChoiceField(
        choices=PlanTest.choices,
        initial=PlanTest.SIGNED_RANK,
        widget=forms.RadioSelect,
        label=gettext_lazy("What is compared"),
        help_text=gettext_lazy(
            "Signed ranks separate systems with less work where a few segments have very large "
            "differences, as error counts do. Intervals are of the mean difference in either case."
        ),
    )
    controls = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Control variates"),
        help_text=gettext_lazy(
            "Metrics whose scores of all texts, judged or not, correct for which items happened "
            "to be judged. Trained metrics help if they agree with people; BLEU and chrF hardly "
            "do. None of them costs much."
        ),
    )

    def __init__(self, campaign: Campaign, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.unit, self.n_units, self.items_of_one = unit_of(campaign)
        self.block_length = block_length_of(campaign) if self.unit == "blocks" else 0
        dimensions = [(d.slug, d.name) for d in observations.dimensions_of(campaign)]
        self._choice("dimension").choices = dimensions
        self.fields["dimension"].initial = dimensions[0][0] if dimensions else ""
        if len(dimensions) == 1:
            self.fields["dimension"].widget = forms.HiddenInput()
        self.known = {c.signature: c for c in known_controls(campaign.test_set)}
        named = [(c.signature, c.label) for c in self.known.values()]
        self._choice("controls").choices = named
        if not named:
            self.fields["controls"].help_text = _(
                "None available: the test set has no metric scores for all systems. "
                "If you want one, compute them before you register the plan."
            )
        most = self.fields["most"]
        most.initial = planned = planned_units(campaign)
        most.label = _("%(units)s planned") % {"units": capitalized(of_unit(self.unit))}
        most.help_text = _(
            "The test set has %(n_units)s. A first look needs at least %(least)s segments."
        ) % {"n_units": f"{self.n_units:,}", "least": FIRST_LOOK_ITEMS}
        if planned < self.n_units:
            few = _("This many are planned to be judged: %(n)s.") % {"n": f"{planned:,}"}
            most.help_text = f"{few} {most.help_text}"

    def _choice(self, name: str) -> forms.ChoiceField:
        return cast(forms.ChoiceField, self.fields[name])

    def clean_most(self) -> int:
        most = self.cleaned_data["most"]
        if most > self.n_units:
            raise forms.ValidationError(
                _("The test set has only %(n)s.") % {"n": units(self.n_units, self.unit)}
            )
        return most

    def clean(self):
        cleaned = super().clean() or {}
        if "most" in cleaned and "looks" in cleaned:
            try:
                cleaned["ends"] = evenly(cleaned["most"], cleaned["looks"], self.items_of_one)
            except ValueError as problem:
                self.add_error("most", _("Too few: %(problem)s.") % {"problem": problem})
        return cleaned

    def fields_of_plan(self) -> dict[str, Any]:
        asked = self.cleaned_data
        chosen = [self.known[signature] for signature in asked["controls"]]
        return {
            "aim": asked["aim"],
            "dimension": asked["dimension"],
            "unit": self.unit,
            "looks": asked["ends"],
            "most": asked["most"],
            "spending": asked["spending"],
            "block_length": self.block_length,
            "test": asked["test"],
            "controls": [{"signature": c.signature, "name": c.label} for c in chosen],
        }
