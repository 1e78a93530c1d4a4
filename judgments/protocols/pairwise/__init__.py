"""Pairwise comparison: of two outputs one is better, or both are equal.

Sentence ranking by pairs as in Callison-Burch et al. (2007), "(Meta-) evaluation of machine
translation"; a judgment is one preference. Where the campaign asks how much better, the answer has
five steps instead of three, the comparison category rating of ITU-T P.800 (1996) with two of its
three degrees; the preference is its sign.
"""

from dataclasses import dataclass

from django import forms
from django.utils.translation import gettext_lazy as _

from judgments.models.new_observations import Observations

from ..contract import Protocol
from ..differences import HIGHLIGHT, WithDifferences
from ..options import (
    CONTEXT,
    SENTENCE_STEPS,
    SHOW_REFERENCE,
    SHOW_SOURCE,
    Options,
    yes_no,
)
from ..tables import PREFERENCES
from .presets import PRESETS

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
    "Results use which one is better; the strength is exported too.",
)


@dataclass(frozen=True)
class PairwiseOptions(Options):
    highlight: bool = False
    ask_strength: bool = False


class PairwiseForm(WithDifferences):
    SCREEN_QUESTIONS = ("preference",)

    preference = forms.TypedChoiceField(
        choices=CHOICES,
        coerce=int,
        widget=forms.RadioSelect,
        label=_("Which translation is better?"),
        error_messages={"required": _("Choose: the first, the second, or both equal.")},
    )

    def __init__(self, options: PairwiseOptions, shown, **kwargs):
        super().__init__(**kwargs)
        self.show_differences(options.highlight, shown)
        if options.ask_strength:
            field = self.fields["preference"]
            assert isinstance(field, forms.ChoiceField)
            field.choices = WITH_STRENGTH


class Pairwise(Protocol):
    slug = "pairwise"
    name = "Pairwise comparison"
    template = "judgments/protocols/pairwise.html"
    kinds = ("preferences",)
    presets = PRESETS
    reads = PairwiseOptions
    table = PREFERENCES
    rates = False
    compares = in_pairs = shows_twins = True

    options: PairwiseOptions

    @classmethod
    def option_fields(cls, preset):
        return SHOW_SOURCE, SHOW_REFERENCE, CONTEXT, SENTENCE_STEPS, HIGHLIGHT, ASK_STRENGTH

    @property
    def asks_strength(self) -> bool:
        return self.options.ask_strength

    def outputs_per_item(self) -> tuple[int, int]:
        return 2, 2

    def answers_on(self, n_outputs: int) -> int:
        return 1

    def form(self, item, shown, data=None, initial=None) -> PairwiseForm:
        return PairwiseForm(self.options, shown, data=data, initial=initial)

    def observations(self, item, shown, cleaned) -> Observations:
        first, second = (item_output.output_id for item_output in shown)
        answer = cleaned["preference"]
        sign = (answer > 0) - (answer < 0)
        # Of two equal ones none is better by anything.
        strength = abs(answer) if sign and self.options.ask_strength else None
        return Observations(preferences=((first, second, sign, strength),))

    def initial(self, item, shown, judgment) -> dict:
        """Return the stored preference, turned to the order of the screen."""
        first = shown[0].output_id
        for preference in judgment.preferences.all():
            sign = preference.value if preference.output_a_id == first else -preference.value
            # Stored without a strength (from a file, or before it was asked): slightly.
            strength = (preference.strength or 1) if self.options.ask_strength else 1
            return {"preference": str(sign * strength)}
        return {}
