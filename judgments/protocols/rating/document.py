"""The form that rates a whole document, and the data of its screen."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from judgments.models.corpus import Reference, Segment

from ..model_questions import plain_name
from ..options import yes_no
from .form import RatingForm, asked_in_words

WHOLE_DOCUMENT = "whole document"

SOURCE_DOCUMENT = yes_no("source_document", "Show the source text")
REFERENCE_DOCUMENT = yes_no(
    "reference_document",
    "Show a reference translation",
    "A reference steers people towards its own wording, and cannot be rated itself.",
)


class Paragraph(NamedTuple):
    """One segment; source and reference are empty, and `segment` None, if they are not shown."""

    source: str
    reference: str
    output: str
    segment: Segment | None


class DocumentForm(RatingForm):
    """One field for each dimension, about all outputs together."""

    document = True
    given: Mapping | None = None
    """See `Protocol.given`."""

    def __init__(self, options, dimensions, shown, **kwargs):
        super().__init__(dimensions, 1, **kwargs)
        self.shown = shown
        self.show_source = options.source_document
        self.show_reference = options.reference_document

    def model_questions(self):
        """Return the questions, asked once about all paragraphs together."""
        return [
            replace(each, name=plain_name(f"document-{dimension.slug}"), place=0)
            for each, (_, dimension) in zip(super().model_questions(), self.places(), strict=True)
        ]

    def asked_in_words(self, place, dimension):
        return asked_in_words(str(dimension.name), dimension)

    @cached_property
    def paragraphs(self) -> list[Paragraph]:
        """Paragraphs in document order. An answer does not need them, so they are read only when
        shown."""
        segments = {row.output.segment_id for row in self.shown}
        sources: dict[int, Segment] = {}
        references: dict[int, str] = {}
        if self.given is not None:
            if self.show_source:
                sources = {row.pk: row for row in self.given.get(Segment, ())}
            if self.show_reference:
                references = {row.segment_id: row.text for row in self.given.get(Reference, ())}
        elif self.show_source:
            rows = Segment.objects.select_related("media__file", "media__captions")
            sources = rows.in_bulk(segments)
        if self.show_reference and self.given is None:
            named = Reference.objects.filter(segment__in=segments).order_by("-name")
            references = dict(named.values_list("segment_id", "text"))  # the first by name wins
        found = []
        for row in self.shown:
            key = row.output.segment_id
            segment = sources.get(key)
            source = segment.source if segment else ""
            found.append(Paragraph(source, references.get(key, ""), row.text, segment))
        return found
