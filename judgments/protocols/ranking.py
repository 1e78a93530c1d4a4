"""Ranking: the outputs of a screen are put in order, ties allowed; 1 is the best.

Relative ranking as in the shared tasks of 2007–2016: Callison-Burch et al. (2007), "(Meta-)
evaluation of machine translation". A ranking is a rating of the dimension `rank`, which analysis
expands to pairs.
"""

from . import rating_form
from .base import Dimension, Observations, Preset, Scale
from .options import CONTEXT, SHOW_REFERENCE, SHOW_SOURCE, Option, outputs_on_screen

SLUG = "ranking"
NAME = "Ranking"
TEMPLATE = "judgments/protocols/rating.html"
ANALYSIS = "ranks"
OBSERVATIONS = ("ratings",)


MOST = 10  # outputs on a screen: as many as there are digits to rank them by


def options(preset: Preset) -> tuple[Option, ...]:
    return SHOW_SOURCE, SHOW_REFERENCE, CONTEXT, outputs_on_screen(2, MOST)


def outputs_per_item(campaign) -> tuple[int, int]:
    return 2, int(campaign.options.get("outputs_per_item", 5))


def dimensions(campaign) -> tuple[Dimension, ...]:
    return _ranks_up_to(outputs_per_item(campaign)[1])


def _ranks_up_to(most: int) -> tuple[Dimension, ...]:
    words = {1: "1 (best)", most: f"{most} (worst)"}
    anchors = tuple((value, words.get(value, str(value))) for value in range(1, most + 1))
    return (
        Dimension(
            "rank",
            "Rank",
            "Rank the translations from the best to the worst; equal ones get the same rank.",
            Scale(1, most, anchors=anchors),
        ),
    )


def parts(campaign) -> tuple[str, ...]:
    return ("",)


def form(campaign, item, shown, data=None, initial=None) -> rating_form.RatingForm:
    # Three outputs have three ranks, whatever others of the campaign have.
    ranks = _ranks_up_to(len(shown))
    return rating_form.RatingForm(ranks, len(shown), data=data, initial=initial)


def observations(campaign, item, shown, cleaned) -> Observations:
    return rating_form.observations(dimensions(campaign), shown, cleaned)


def initial(campaign, item, shown, judgment) -> dict:
    return rating_form.initial(dimensions(campaign), shown, judgment)
