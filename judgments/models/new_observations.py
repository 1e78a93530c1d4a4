"""The observations of one judgment, between the form and their storage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    pass


class Span(NamedTuple):
    """Like `judgments.models.ErrorSpan`: offsets are code points, the end exclusive."""

    output_id: int
    side: str
    start: int
    end: int
    severity: str
    category: str = ""
    prefill_id: int | None = None


class Edit(NamedTuple):
    """Like `judgments.models.PostEdit`."""

    output_id: int
    outcome: str
    text: str
    keystrokes: int | None = None
    active_ms: int | None = None


class Answered(NamedTuple):
    """Like `judgments.models.Answer`."""

    output_id: int
    question_id: int
    text: str
    is_right: bool | None


class Link(NamedTuple):
    """Like `judgments.models.AlignmentLink`."""

    output_id: int
    source_token: int
    target_token: int
    is_sure: bool


class Pressed(NamedTuple):
    """Like `judgments.models.Press`."""

    output_id: int
    at_ms: int
    value: int | None
    clock_ms: int | None = None


@dataclass(frozen=True)
class Observations:
    """The content of one judgment, as rows to store.

    ratings: (output id, dimension, value); preferences: (output id a, output id b, sign of a − b,
    strength: how much better, None if not asked); copies: ids of the outputs that were not shown
    because their text is the same as another one's.
    """

    ratings: tuple[tuple[int, str, float], ...] = ()
    preferences: tuple[tuple[int, int, int, int | None], ...] = ()
    spans: tuple[Span, ...] = ()
    edits: tuple[Edit, ...] = ()
    answers: tuple[Answered, ...] = ()
    links: tuple[Link, ...] = ()
    presses: tuple[Pressed, ...] = ()
    copies: frozenset[int] = frozenset()
