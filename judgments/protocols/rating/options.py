"""Options of the protocol `rating`, among them questions of a campaign's own, as a manager writes
them: one a line, `adequacy: 1-5`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..base import Preset
from ..differences import HIGHLIGHT
from ..options import (
    CONTEXT,
    RELATIVE_COLOR,
    SENTENCE_STEPS,
    SHOW_REFERENCE,
    SHOW_SOURCE,
    WORD_LINKS,
    Option,
    Options,
    lines,
    outputs_on_screen,
    yes_no,
)
from .document import REFERENCE_DOCUMENT, SOURCE_DOCUMENT, WHOLE_DOCUMENT


@dataclass(frozen=True)
class RatingOptions(Options):
    outputs_per_item: int = 5
    dimensions: tuple[dict[str, Any], ...] = ()
    """The campaign's own: {"slug", "low", "high"} each."""
    separate_passes: bool = False
    texts_in_fluency_pass: bool = False
    side_by_side: bool = False
    highlight: bool = False
    of_document: str = ""
    """The dimension that is asked once for all of a document, with its last segment."""
    source_document: bool = True
    reference_document: bool = False


# Names as long as a rating can store; bounds of six digits, as in files.
DIMENSION_LINE = re.compile(
    r"(?P<slug>[a-z][a-z0-9_]{0,39})\s*:\s*(?P<low>[0-9]{1,6})\s*-\s*(?P<high>[0-9]{1,6})"
)
MOST_DIMENSIONS = 20  # on a screen of five translations these are a hundred questions


def parse_dimensions(text: str) -> list[dict[str, Any]]:
    """Return lines of `slug: low-high` → the campaign's own dimensions. ValueError names the
    line."""
    found: list[dict[str, Any]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        match = DIMENSION_LINE.fullmatch(line.strip().lower())
        if not match or int(match["low"]) >= int(match["high"]):
            raise ValueError(
                f"Line {number}: write a name, a colon and a range, such as “adequacy: 1-5”."
            )
        if match["slug"] in {row["slug"] for row in found}:
            raise ValueError(f"Line {number}: “{match['slug']}” occurs twice.")
        if len(found) == MOST_DIMENSIONS:
            raise ValueError(f"Ask at most {MOST_DIMENSIONS} questions.")
        found.append({"slug": match["slug"], "low": int(match["low"]), "high": int(match["high"])})
    if not found:
        raise ValueError("Name at least one question, such as “adequacy: 1-5”.")
    return found


def written_dimensions(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the other way around. An end that no line can say stands there as it is."""
    return "\n".join(f"{row['slug']}: {row['low']}-{row['high']}" for row in rows)


def with_wording(
    clean: Sequence[dict[str, Any]], rows: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return dimensions with the name and the question that a file gives them."""
    return [
        found | {name: row[name] for name in ("name", "question") if row.get(name)}
        for found, row in zip(clean, rows, strict=True)
    ]


LONGEST_QUESTION = 500
SHAPE = {
    "type": "array",
    "minItems": 1,
    "maxItems": MOST_DIMENSIONS,
    "items": {
        "type": "object",
        "required": ["slug", "low", "high"],
        "additionalProperties": False,
        "properties": {
            "slug": {
                "type": "string",
                "pattern": "^[a-z][a-z0-9_]{0,39}$",
                "description": "Lowercase letters, digits and _; used in exports.",
            },
            "low": {"type": "integer", "minimum": 0, "maximum": 999_999},
            "high": {"type": "integer", "minimum": 0, "maximum": 999_999},
            "name": {
                "type": "string",
                "maxLength": 100,
                "description": "As shown on pages; if missing, the slug.",
            },
            "question": {
                "type": "string",
                "maxLength": LONGEST_QUESTION,
                "description": "What annotators are asked.",
            },
        },
    },
}
OWN_QUESTIONS = lines(
    "dimensions",
    "Questions of your own",
    parse_dimensions,
    "One per line, such as “adequacy: 1-5” or “believability: 0-100”. A range wider than ten "
    "becomes a slider.",
    shown=written_dimensions,
    required=True,
    rows=3,
    shape=SHAPE,
    kept=with_wording,
)
SEPARATE_PASSES = yes_no(
    "separate_passes",
    "Ask each question in a pass of its own",
    "Fluency first, without the source; then adequacy. Takes longer, but keeps the answers apart.",
)


def option_fields(preset: Preset) -> tuple[Option, ...]:
    own = () if preset.dimensions else (OWN_QUESTIONS,)
    passes = (SEPARATE_PASSES,) if own or len(preset.dimensions) > 1 else ()
    named = RatingOptions.read(preset.options)
    if named.unit == WHOLE_DOCUMENT:
        return SOURCE_DOCUMENT, REFERENCE_DOCUMENT, WORD_LINKS
    if named.of_document:
        return SHOW_SOURCE, SHOW_REFERENCE, WORD_LINKS
    how_many = (HIGHLIGHT, RELATIVE_COLOR) if named.side_by_side else (outputs_on_screen(1, 5),)
    shown = SHOW_SOURCE, SHOW_REFERENCE, CONTEXT, SENTENCE_STEPS, WORD_LINKS
    return (*own, *shown, *passes, *how_many)
