"""Ratings: each output gets a value on each dimension. Adequacy–fluency, direct assessment, ….

Source of the screen: Koehn and Monz (2006), "Manual and automatic evaluation of machine
translation between European languages", with up to five outputs of a segment judged together.
"""

from judgments.languages import language_name

from ..base import Dimension, Observations, custom_dimensions, with_language
from ..contract import Protocol
from ..tables import RATINGS
from . import form as rating_form
from .document import WHOLE_DOCUMENT, DocumentForm
from .options import RatingOptions, option_fields
from .presets import PRESETS
from .side_by_side import SideBySideForm

FLUENCY = "fluency"


class RatingProtocol(Protocol):
    slug = "rating"
    name = "Rating"
    template = "judgments/protocols/rating.html"
    kinds = ("ratings",)
    presets = PRESETS
    reads = RatingOptions
    table = RATINGS

    options: RatingOptions

    @classmethod
    def option_fields(cls, preset):
        return option_fields(preset)

    def dimensions(self) -> tuple[Dimension, ...]:
        """The preset's dimensions in the target language's words, or the campaign's own."""
        found = custom_dimensions(self.options.dimensions) or self.preset.dimensions
        language = language_name(self.campaign.test_set.target_language)
        return tuple(with_language(dimension, language) for dimension in found)

    def parts(self) -> tuple[str, ...]:
        """Fluency before adequacy when they are judged apart: once the source has been read, a
        text seems more fluent than it is."""
        if not self.options.separate_passes:
            return ("",)
        slugs = [dimension.slug for dimension in self.dimensions()]
        return tuple(sorted(slugs, key=lambda slug: slug != FLUENCY))

    def asks_nothing(self) -> bool:
        return not self.dimensions()

    def hides_for_now(self, item) -> bool:
        """In a pass of its own fluency is judged without source and reference (LDC 2005), unless
        the option `texts_in_fluency_pass` says otherwise."""
        return item.part == FLUENCY and not self.options.texts_in_fluency_pass

    def asked(self, item) -> tuple[Dimension, ...]:
        """The dimensions of one item: all, or the one of its pass."""
        return tuple(d for d in self.dimensions() if item.part in ("", d.slug))

    def rated(self, shown):
        """A whole document has one rating, that of its first segment's output, so that results
        read documents as they read segments."""
        return shown[:1] if self.unit == WHOLE_DOCUMENT else shown

    def form(self, item, shown, data=None, initial=None) -> rating_form.RatingForm:
        asked = self.asked(item)
        if self.unit == WHOLE_DOCUMENT:
            return DocumentForm(self.options, asked, shown, data=data, initial=initial)
        if not self.options.side_by_side:
            return rating_form.RatingForm(asked, len(shown), data=data, initial=initial)
        found = SideBySideForm(asked, len(shown), data=data, initial=initial)
        found.show_differences(self.options.highlight, shown)
        return found

    def observations(self, item, shown, cleaned) -> Observations:
        return rating_form.observations(self.asked(item), self.rated(shown), cleaned)

    def initial(self, item, shown, judgment) -> dict:
        return rating_form.initial(self.asked(item), self.rated(shown), judgment)
