"""The JSON Schema of a campaign's file, put together from the sections."""

from __future__ import annotations

from typing import Any

from .registry import SECTIONS

POINTER = "$schema"  # by which an editor finds it; of no meaning here


def schema() -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A campaign of mteval",
        "description": "A campaign as a file: manage.py create_campaign FILE makes it.",
        **shape(),
        "allOf": [each for section in SECTIONS for each in section.conditions()],
    }


def shape() -> dict[str, Any]:
    """What `shapes.check` reads of it."""
    return {
        "type": "object",
        "required": [section.key for section in SECTIONS if section.is_required],
        "additionalProperties": False,
        "properties": {
            POINTER: {"type": "string", "description": "Where this schema is, for editors."},
            **{section.key: section.schema() for section in SECTIONS},
        },
    }
