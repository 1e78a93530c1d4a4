"""Ratings: each output gets a value on each dimension. Adequacy–fluency, direct assessment, ….

Source of the screen: Koehn and Monz (2006), "Manual and automatic evaluation of machine
translation between European languages", with up to five outputs of a segment judged together.
"""

from judgments.files.languages import language_name
from judgments.models.new_observations import Observations
from judgments.protocols.base import Dimension, as_shown, custom_dimensions, with_language
from judgments.stats.planning.spreads import DA_SQM, DifferenceSpread

from ..compact import has_room
from ..contract import CHECKS, REFERENCE_IS_SHOWN, Protocol
from ..tables import RATINGS
from . import form as rating_form
from .document import WHOLE_DOCUMENT, DocumentForm
from .options import RatingOptions, option_fields
from .presets import PRESETS
from .rows import RowsForm
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

    @classmethod
    def problems(cls, preset, options, test_set):
        """Return a question that compares needs what it compares with."""
        named = cls.reads.read(options)
        whole = named.unit == WHOLE_DOCUMENT
        source = named.source_document if whole else named.show_source
        reference = named.reference_document if whole else named.show_reference
        compares = [d.name for d in preset.dimensions if d.of_source or d.of_reference]
        if source or reference or not compares:
            return {}
        words = f"{compares[0]} compares: show the source or a reference, or choose another preset."
        return {"source_document" if whole else "show_source": words}

    def usual_spread(self) -> DifferenceSpread:
        return DA_SQM if self.options.context == "document" else DifferenceSpread()

    def dimensions(self) -> tuple[Dimension, ...]:
        """Return the preset's dimensions in the target language's words and worded for the texts
        that are shown, or the campaign's own."""
        found = custom_dimensions(self.options.dimensions) or self.preset.dimensions
        language = language_name(self.campaign.test_set.target_language)
        source, reference = self.texts_shown()
        return tuple(with_language(as_shown(d, source, reference), language) for d in found)

    def texts_shown(self) -> tuple[bool, bool]:
        """Return whether source and reference are seen: beside the segment, or paragraph by
        paragraph with the translation of a whole document."""
        source, reference = self.texts_beside()
        sources, references = self.texts_by_output()
        return source or sources, reference or references

    def texts_by_output(self) -> tuple[bool, bool]:
        if self.unit != WHOLE_DOCUMENT:
            return False, False
        return self.options.source_document, self.options.reference_document

    def gives_source(self, item) -> bool:
        return self.texts_by_output()[0] or super().gives_source(item)

    def no_controls(self) -> dict[str, str]:
        found = super().no_controls()
        if self.unit != WHOLE_DOCUMENT:
            return found
        reason = "One altered segment hardly changes the score of a whole document."
        found |= dict.fromkeys(("degraded", *CHECKS), reason)
        return found | ({"references": REFERENCE_IS_SHOWN} if self.texts_shown()[1] else {})

    def parts(self) -> tuple[str, ...]:
        """Return fluency before adequacy when they are judged apart: once the source has been read,
        a text seems more fluent than it is."""
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

    @property
    def last_part(self) -> str:
        return self.options.of_document

    def rates_documents(self, dimension: str) -> bool:
        return bool(dimension) and dimension == self.last_part

    def answers_on(self, n_outputs: int) -> int:
        return n_outputs * (len(self.dimensions()) - bool(self.last_part))

    def asked(self, item) -> tuple[Dimension, ...]:
        """Return the dimensions of one item: all, or the one of its pass; that of the document with
        the last segment only."""
        if last := self.last_part:
            return tuple(d for d in self.dimensions() if d.slug != last or item.part == last)
        return tuple(d for d in self.dimensions() if item.part in ("", d.slug))

    def rated(self, shown):
        """Return a whole document has one rating, that of its first segment's output, so that
        results read documents as they read segments."""
        return shown[:1] if self.unit == WHOLE_DOCUMENT else shown

    def form(self, item, shown, data=None, initial=None) -> rating_form.RatingForm:
        asked = self.asked(item)
        if self.unit == WHOLE_DOCUMENT:
            found = DocumentForm(self.options, asked, shown, data=data, initial=initial)
            found.given = self.given
            return found
        if not self.options.side_by_side and has_room(asked, self.options.outputs_per_item):
            rows = RowsForm(asked, len(shown), data=data, initial=initial)
            rows.show_rows(shown)
            return rows
        if not self.options.side_by_side:
            return rating_form.RatingForm(asked, len(shown), data=data, initial=initial)
        beside = SideBySideForm(asked, len(shown), data=data, initial=initial)
        beside.show_differences(self.options.highlight, shown)
        beside.relative_color = self.options.relative_color
        return beside

    def observations(self, item, shown, cleaned) -> Observations:
        return rating_form.observations(self.asked(item), self.rated(shown), cleaned)

    def initial(self, item, shown, judgment) -> dict:
        return rating_form.initial(self.asked(item), self.rated(shown), judgment)
