"""The observations of one judgment, as a form gives them and before they are stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    pass


class Span(NamedTuple):
    """As `judgments.models.ErrorSpan`: offsets are code points, the end exclusive."""

    output_id: int
    side: str
    start: int
    end: int
    severity: str
    category: str = ""
    prefill_id: int | None = None


class Edit(NamedTuple):
    """As `judgments.models.PostEdit`."""

    output_id: int
    outcome: str
    text: str
    keystrokes: int | None = None
    active_ms: int | None = None


class Answered(NamedTuple):
    """As `judgments.models.Answer`."""

    output_id: int
    question_id: int
    text: str
    is_right: bool | None


class Link(NamedTuple):
    """As `judgments.models.AlignmentLink`."""

    output_id: int
    source_token: int
    target_token: int
    is_sure: bool


class Pressed(NamedTuple):
    """As `judgments.models.Press`."""

    output_id: int
    at_ms: int
    value: int | None
    clock_ms: int | None = None


@dataclass(frozen=True)
class Observations:
    """What one judgment says, as rows to store.

    ratings: (output id, dimension, value); preferences: (output id a, output id b, sign of a − b,
    strength: how much better, None where it was not asked);
    copies: ids of the outputs that were not shown themselves, because another one read the same.
    """

    ratings: tuple[tuple[int, str, float], ...] = ()
    preferences: tuple[tuple[int, int, int, int | None], ...] = ()
    spans: tuple[Span, ...] = ()
    edits: tuple[Edit, ...] = ()
    answers: tuple[Answered, ...] = ()
    links: tuple[Link, ...] = ()
    presses: tuple[Pressed, ...] = ()
    copies: frozenset[int] = frozenset()
