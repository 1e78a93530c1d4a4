"""Ranking: the outputs of a screen are put in order, ties allowed; 1 is the best.

Relative ranking as in the shared tasks of 2007–2016: Callison-Burch et al. (2007), "(Meta-)
evaluation of machine translation". A ranking is a rating of the dimension `rank`, which analysis
expands to pairs. If the campaign allows leaving outputs out, these have no rating, and so no pair.
"""

from dataclasses import dataclass

from django import forms
from django.forms import Script
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models.new_observations import Observations
from judgments.protocols.base import Dimension, Scale

from ..compact import Compact
from ..contract import Protocol
from ..options import (
    CONTEXT,
    SENTENCE_STEPS,
    SHOW_REFERENCE,
    SHOW_SOURCE,
    Options,
    outputs_on_screen,
    yes_no,
)
from ..rating import form as rating_form
from ..tables import RANKS
from .presets import PRESETS

MOST = 10  # outputs on a screen: as many as there are digits to rank them
UNRANKED, NO_RANK = "0", 0.0  # the form's value for an output that is left out

MAY_LEAVE_OUT = yes_no(
    "may_leave_out",
    "Annotators may leave translations unranked",
    "At least two must be ranked on each screen. Those left out are not compared.",
)


@dataclass(frozen=True)
class RankingOptions(Options):
    outputs_per_item: int = 5
    may_leave_out: bool = False


def _ranks_up_to(most: int) -> tuple[Dimension, ...]:
    words = {
        1: _("%(rank)d (best)") % {"rank": 1},
        most: _("%(rank)d (worst)") % {"rank": most},
    }
    anchors = tuple((value, words.get(value, str(value))) for value in range(1, most + 1))
    return (
        Dimension(
            "rank",
            _("Rank"),
            _("Rank the translations from the best to the worst; equal ones get the same rank."),
            Scale(1, most, anchors=anchors),
        ),
    )


class RankingForm(Compact, rating_form.RatingForm):
    """A rank for each place; with `may_leave_out`, 0 for an unranked place."""

    digits_alone = True

    class Media:
        js = [
            Script("js/protocols/ranking.js", type="module"),
            Script("js/protocols/differences.js", type="module"),
        ]

    def __init__(self, n_places: int, *, may_leave_out: bool, **kwargs):
        # Three outputs have three ranks, even if other screens of the campaign have more.
        super().__init__(_ranks_up_to(n_places), n_places, **kwargs)
        self.may_leave_out = may_leave_out
        ranks = [(f"{value:g}", words) for value, words in self.dimensions[0].scale.anchors]
        for field in self.fields.values() if may_leave_out else ():
            assert isinstance(field, forms.TypedChoiceField)
            field.choices = [*ranks, (UNRANKED, gettext_lazy("Not ranked"))]

    def clean(self):
        cleaned = super().clean() or {}
        n_ranked = sum(rank != NO_RANK for rank in cleaned.values())
        if not self.errors and n_ranked < min(2, self.n_places):
            self.add_error(next(iter(self.fields)), _("Rank at least two translations."))
        return cleaned


class RankingProtocol(Protocol):
    slug = "ranking"
    name = "Ranking"
    template = "judgments/protocols/ranking.html"
    kinds = ("ratings",)
    presets = PRESETS
    reads = RankingOptions
    table = RANKS
    rates = False
    ranks = True
    compares = True

    options: RankingOptions

    @classmethod
    def option_fields(cls, preset):
        shown = SHOW_SOURCE, SHOW_REFERENCE, CONTEXT, SENTENCE_STEPS
        return *shown, MAY_LEAVE_OUT, outputs_on_screen(2, MOST)

    def outputs_per_item(self) -> tuple[int, int]:
        return 2, self.options.outputs_per_item

    def dimensions(self) -> tuple[Dimension, ...]:
        return _ranks_up_to(self.options.outputs_per_item)

    def form(self, item, shown, data=None, initial=None) -> RankingForm:
        may_leave_out = self.options.may_leave_out
        form = RankingForm(len(shown), may_leave_out=may_leave_out, data=data, initial=initial)
        form.show_rows(shown)
        return form

    def observations(self, item, shown, cleaned) -> Observations:
        found = rating_form.observations(self.dimensions(), shown, cleaned)
        return Observations(ratings=tuple(row for row in found.ratings if row[2] != NO_RANK))

    def initial(self, item, shown, judgment) -> dict:
        asked = self.dimensions()
        names = [rating_form.field_name(place, asked[0]) for place in range(1, len(shown) + 1)]
        return dict.fromkeys(names, UNRANKED) | rating_form.initial(asked, shown, judgment)
