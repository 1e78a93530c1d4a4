"""The form that rates a whole document, and what its screen shows."""

from functools import cached_property
from typing import NamedTuple

from judgments.models.corpus import Reference, Segment

from ..options import yes_no
from .form import RatingForm

WHOLE_DOCUMENT = "whole document"

SOURCE_DOCUMENT = yes_no("source_document", "Show the source text")
REFERENCE_DOCUMENT = yes_no(
    "reference_document",
    "Show a reference translation",
    "A reference steers people towards its own wording, and cannot be rated itself.",
)


class Paragraph(NamedTuple):
    """One segment; source and reference are empty where they are not shown."""

    source: str
    reference: str
    output: str


class DocumentForm(RatingForm):
    """One field for each dimension, about all outputs together."""

    document = True

    class Media:
        css = {"all": ("css/document-rating.css",)}

    def __init__(self, options, dimensions, shown, **kwargs):
        super().__init__(dimensions, 1, **kwargs)
        self.shown = shown
        self.show_source = options.source_document
        self.show_reference = options.reference_document

    @cached_property
    def paragraphs(self) -> list[Paragraph]:
        """In the order of the document. An answer needs none of this, so it is read when shown."""
        segments = {row.output.segment_id for row in self.shown}
        sources: dict[int, str] = {}
        references: dict[int, str] = {}
        if self.show_source:
            rows = Segment.objects.filter(pk__in=segments).values_list("pk", "source")
            sources = dict(rows)
        if self.show_reference:
            named = Reference.objects.filter(segment__in=segments).order_by("-name")
            references = dict(named.values_list("segment_id", "text"))  # the first by name stays
        return [
            Paragraph(
                sources.get(row.output.segment_id, ""),
                references.get(row.output.segment_id, ""),
                row.text,
            )
            for row in self.shown
        ]
