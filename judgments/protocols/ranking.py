"""Ranking: the outputs of a screen are put in order, ties allowed; 1 is the best.

Relative ranking as in the shared tasks of 2007–2016: Callison-Burch et al. (2007), "(Meta-)
evaluation of machine translation". A ranking is a rating of the dimension `rank`, which analysis
expands to pairs. Where the campaign allows that outputs are left out, these have no rating, and so
no pair.
"""

from django import forms
from django.forms import Script
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from . import rating_form
from .base import Dimension, Observations, Preset, Scale
from .options import CONTEXT, SHOW_REFERENCE, SHOW_SOURCE, Option, outputs_on_screen, yes_no

SLUG = "ranking"
NAME = "Ranking"
TEMPLATE = "judgments/protocols/ranking.html"
ANALYSIS = "ranks"
OBSERVATIONS = ("ratings",)

MOST = 10  # outputs on a screen: as many as there are digits to rank them by
UNRANKED, NO_RANK = "0", 0.0  # what the form says of an output that is left out

MAY_LEAVE_OUT = yes_no(
    "may_leave_out",
    "Annotators may leave translations unranked",
    "At least two are ranked on each screen. What is left out is compared with nothing.",
)


def options(preset: Preset) -> tuple[Option, ...]:
    return SHOW_SOURCE, SHOW_REFERENCE, CONTEXT, MAY_LEAVE_OUT, outputs_on_screen(2, MOST)


def outputs_per_item(campaign) -> tuple[int, int]:
    return 2, int(campaign.options.get("outputs_per_item", 5))


def dimensions(campaign) -> tuple[Dimension, ...]:
    return _ranks_up_to(outputs_per_item(campaign)[1])


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


def parts(campaign) -> tuple[str, ...]:
    return ("",)


class RankingForm(rating_form.RatingForm):
    """A rank for each place; with `may_leave_out`, 0 for a place that is not ranked."""

    class Media:
        js = (Script("js/ranking.js", defer=True),)
        css = {"all": ("css/ranking.css",)}

    def __init__(self, n_places: int, *, may_leave_out: bool, **kwargs):
        # Three outputs have three ranks, whatever others of the campaign have.
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


def form(campaign, item, shown, data=None, initial=None) -> RankingForm:
    may_leave_out = bool(campaign.options.get("may_leave_out"))
    return RankingForm(len(shown), may_leave_out=may_leave_out, data=data, initial=initial)


def observations(campaign, item, shown, cleaned) -> Observations:
    found = rating_form.observations(dimensions(campaign), shown, cleaned)
    return Observations(ratings=tuple(row for row in found.ratings if row[2] != NO_RANK))


def initial(campaign, item, shown, judgment) -> dict:
    asked = dimensions(campaign)
    names = [rating_form.field_name(place, asked[0]) for place in range(1, len(shown) + 1)]
    return dict.fromkeys(names, UNRANKED) | rating_form.initial(asked, shown, judgment)
