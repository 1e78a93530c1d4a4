"""Pairwise comparison: of two outputs one is better, or both are equal.

Sentence ranking by pairs as in Callison-Burch et al. (2007), "(Meta-) evaluation of machine
translation"; a judgment is one preference.
"""

from django import forms

from .base import Dimension, Observations, Preset
from .options import CONTEXT, SHOW_REFERENCE, SHOW_SOURCE, Option

SLUG = "pairwise"
NAME = "Pairwise comparison"
TEMPLATE = "judgments/protocols/pairwise.html"
ANALYSIS = "preferences"
OBSERVATIONS = ("preferences",)

CHOICES = [
    ("1", "The first is better"),
    ("0", "Both are equal"),
    ("-1", "The second is better"),
]


def options(preset: Preset) -> tuple[Option, ...]:
    return SHOW_SOURCE, SHOW_REFERENCE, CONTEXT


def outputs_per_item(campaign) -> tuple[int, int]:
    return 2, 2


def dimensions(campaign) -> tuple[Dimension, ...]:
    return ()


def parts(campaign) -> tuple[str, ...]:
    return ("",)


class PairwiseForm(forms.Form):
    SCREEN_QUESTIONS = ("preference",)

    preference = forms.TypedChoiceField(
        choices=CHOICES,
        coerce=int,
        widget=forms.RadioSelect,
        label="Which translation is better?",
        error_messages={"required": "Choose: the first, the second, or both equal."},
    )


def form(campaign, item, shown, data=None, initial=None) -> PairwiseForm:
    return PairwiseForm(data=data, initial=initial)


def observations(campaign, item, shown, cleaned) -> Observations:
    first, second = (item_output.output_id for item_output in shown)
    return Observations(preferences=((first, second, cleaned["preference"]),))


def initial(campaign, item, shown, judgment) -> dict:
    """The stored preference, turned to the order of the screen."""
    first = shown[0].output_id
    for preference in judgment.preferences.all():
        sign = preference.value if preference.output_a_id == first else -preference.value
        return {"preference": str(sign)}
    return {}
