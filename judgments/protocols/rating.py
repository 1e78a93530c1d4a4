"""Ratings: each output gets a value on each dimension. Adequacy–fluency, direct assessment, ….

Source of the screen: Koehn and Monz (2006), "Manual and automatic evaluation of machine
translation between European languages", with up to five outputs of a segment judged together.
"""

from judgments.languages import language_name

from . import rating_form
from .base import Dimension, Observations, custom_dimensions, with_language
from .differences import WithDifferences
from .document_form import WHOLE_DOCUMENT, DocumentForm
from .presets import PRESETS
from .rating_options import options as options
from .shown import as_shown, texts_shown

SLUG = "rating"
NAME = "Rating"
TEMPLATE = "judgments/protocols/rating.html"
ANALYSIS = "ratings"
OBSERVATIONS = ("ratings",)


def outputs_per_item(campaign) -> tuple[int, int]:
    options = campaign.options
    return int(options.get("fewest_per_item", 1)), int(options.get("outputs_per_item", 5))


def dimensions(campaign) -> tuple[Dimension, ...]:
    """The preset's dimensions in the target language's words and worded for the texts that are
    shown, or the campaign's own."""
    found = custom_dimensions(campaign) or PRESETS[campaign.preset].dimensions
    language = language_name(campaign.test_set.target_language)
    source, reference = texts_shown(campaign)
    return tuple(with_language(as_shown(d, source, reference), language) for d in found)


def parts(campaign) -> tuple[str, ...]:
    """Fluency before adequacy when they are judged apart: once the source has been read, a
    text seems more fluent than it is."""
    if not campaign.options.get("separate_passes"):
        return ("",)
    slugs = [dimension.slug for dimension in dimensions(campaign)]
    return tuple(sorted(slugs, key=lambda slug: slug != "fluency"))


def asked(campaign, item) -> tuple[Dimension, ...]:
    """The dimensions of one item: all, or the one of its pass."""
    return tuple(d for d in dimensions(campaign) if item.part in ("", d.slug))


class SideBySideForm(WithDifferences, rating_form.RatingForm):
    """Two outputs beside each other, with the words underlined in which they differ."""

    side_by_side = True


def is_document(campaign) -> bool:
    """Whether a whole document is judged at once: its rating is that of its first segment's output,
    so that results read documents as they read segments."""
    return campaign.options.get("unit") == WHOLE_DOCUMENT


def form(campaign, item, shown, data=None, initial=None) -> rating_form.RatingForm:
    if is_document(campaign):
        return DocumentForm(campaign, asked(campaign, item), shown, data=data, initial=initial)
    if not campaign.options.get("side_by_side"):
        return rating_form.RatingForm(asked(campaign, item), len(shown), data=data, initial=initial)
    found = SideBySideForm(asked(campaign, item), len(shown), data=data, initial=initial)
    found.show_differences(campaign, shown)
    return found


def observations(campaign, item, shown, cleaned) -> Observations:
    rated = shown[:1] if is_document(campaign) else shown
    return rating_form.observations(asked(campaign, item), rated, cleaned)


def initial(campaign, item, shown, judgment) -> dict:
    rated = shown[:1] if is_document(campaign) else shown
    return rating_form.initial(asked(campaign, item), rated, judgment)
