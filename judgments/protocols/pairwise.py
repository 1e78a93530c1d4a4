"""Pairwise comparison: of two outputs one is better, or both are equal.

Sentence ranking by pairs as in Callison-Burch et al. (2007), "(Meta-) evaluation of machine
translation"; a judgment is one preference. Where the campaign asks how much better, the answer has
five steps instead of three, the comparison category rating of ITU-T P.800 (1996) with two of its
three degrees; the preference is its sign.
"""

from django import forms
from django.utils.translation import gettext_lazy as _

from .base import Dimension, Observations, Preset
from .differences import HIGHLIGHT, WithDifferences
from .options import CONTEXT, SHOW_REFERENCE, SHOW_SOURCE, Option, yes_no

SLUG = "pairwise"
NAME = "Pairwise comparison"
TEMPLATE = "judgments/protocols/pairwise.html"
ANALYSIS = "preferences"
OBSERVATIONS = ("preferences",)

CHOICES = [
    ("1", _("The first is better")),
    ("0", _("Both are equal")),
    ("-1", _("The second is better")),
]
WITH_STRENGTH = [
    ("2", _("The first is clearly better")),
    ("1", _("The first is slightly better")),
    ("0", _("Both are equal")),
    ("-1", _("The second is slightly better")),
    ("-2", _("The second is clearly better")),
]

ASK_STRENGTH = yes_no(
    "ask_strength",
    "Ask how much better: slightly or clearly",
    "Results read which one is better; the strength is exported beside it.",
)


def options(preset: Preset) -> tuple[Option, ...]:
    return SHOW_SOURCE, SHOW_REFERENCE, CONTEXT, HIGHLIGHT, ASK_STRENGTH


def outputs_per_item(campaign) -> tuple[int, int]:
    return 2, 2


def dimensions(campaign) -> tuple[Dimension, ...]:
    return ()


def parts(campaign) -> tuple[str, ...]:
    return ("",)


class PairwiseForm(WithDifferences, forms.Form):
    SCREEN_QUESTIONS = ("preference",)

    preference = forms.TypedChoiceField(
        choices=CHOICES,
        coerce=int,
        widget=forms.RadioSelect,
        label=_("Which translation is better?"),
        error_messages={"required": _("Choose: the first, the second, or both equal.")},
    )

    def __init__(self, campaign, shown, **kwargs):
        super().__init__(**kwargs)
        self.show_differences(campaign, shown)
        if asks_strength(campaign):
            field = self.fields["preference"]
            assert isinstance(field, forms.ChoiceField)
            field.choices = WITH_STRENGTH


def asks_strength(campaign) -> bool:
    return bool(campaign.options.get("ask_strength"))


def form(campaign, item, shown, data=None, initial=None) -> PairwiseForm:
    return PairwiseForm(campaign, shown, data=data, initial=initial)


def observations(campaign, item, shown, cleaned) -> Observations:
    first, second = (item_output.output_id for item_output in shown)
    answer = cleaned["preference"]
    sign = (answer > 0) - (answer < 0)
    # Of two equal ones none is better by anything.
    strength = abs(answer) if sign and asks_strength(campaign) else None
    return Observations(preferences=((first, second, sign, strength),))


def initial(campaign, item, shown, judgment) -> dict:
    """The stored preference, turned to the order of the screen."""
    first = shown[0].output_id
    for preference in judgment.preferences.all():
        sign = preference.value if preference.output_a_id == first else -preference.value
        # Stored without a strength (from a file, or before it was asked): slightly.
        strength = (preference.strength or 1) if asks_strength(campaign) else 1
        return {"preference": str(sign * strength)}
    return {}
