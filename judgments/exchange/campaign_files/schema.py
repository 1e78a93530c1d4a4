"""The JSON Schema of a campaign's file, put together from the sections."""

from __future__ import annotations

from django.utils import translation

from .registry import SECTIONS
from .shapes import Shape, mapping, shape

POINTER = shape("string", "Where this schema is, for editors.")  # of no meaning here


@translation.override("en")
def schema() -> Shape:
    """Return what is published, and what files are checked against."""
    keys = {"$schema": POINTER, **{section.key: section.schema() for section in SECTIONS}}
    required = [section.key for section in SECTIONS if section.is_required]
    words = "A campaign as a file: manage.py create_campaign FILE creates it."
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A campaign of mteval",
        **mapping(keys, words, required=required),
        "allOf": [each for section in SECTIONS for each in section.conditions()],
    }
