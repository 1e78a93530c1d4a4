"""Texts with the errors that one annotator marked in them, cut into pieces for a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judgments.models import AlignmentLink, Campaign, ErrorSpan
from judgments.protocols.alignment.options import AlignmentOptions
from judgments.protocols.spans.marking import Marking
from judgments.protocols.spans.screen import look
from judgments.stats.mqm import normalized

from .said import span_kind


@dataclass(frozen=True)
class MarkedPiece:
    """A run of a text. ``look``: of the worst error on it, "" for none. ``ends``: the kinds of the
    errors that end with it; an error between two characters is a piece without text."""

    text: str
    look: str = ""
    ends: tuple[str, ...] = ()


LOOKS = ("neutral", "minor", "major", "critical")  # as `protocols.spans.screen` names them


def look_of(marking: Marking, severity: str) -> str:
    """Return how a severity is drawn, also one that the campaign does not know."""
    known = {normalized(slug): slug for slug in marking.severities}
    slug = known.get(normalized(severity))
    return look(marking, slug) if slug else "minor"


def marked_pieces(campaign: Campaign, text: str, spans: Sequence[ErrorSpan]) -> list[MarkedPiece]:
    """Return the text in pieces that together are the text, cut where an error begins or ends."""
    marking = Marking.of(campaign)
    n = len(text)
    places = [(min(span.start, n), min(span.end, n), span) for span in spans]
    cuts = sorted({0, n, *(start for start, _, _ in places), *(end for _, end, _ in places)})
    pieces = []
    for start, end in zip([0, *cuts], cuts, strict=False):
        over = [span for a, b, span in places if a <= start and end <= b and start < end]
        ends = [span for a, b, span in places if b == end and a < b]
        if start < end:
            pieces.append(MarkedPiece(text[start:end], _worst(marking, over), _kinds(ends)))
        empty = [span for a, b, span in places if a == b == end]
        if empty:
            pieces.append(MarkedPiece("", _worst(marking, empty), _kinds(empty)))
    return pieces


def _worst(marking: Marking, spans: Sequence[ErrorSpan]) -> str:
    looks = [LOOKS.index(look_of(marking, span.severity)) for span in spans]
    return LOOKS[max(looks)] if looks else ""


def _kinds(spans: Sequence[ErrorSpan]) -> tuple[str, ...]:
    return tuple(span_kind(span) for span in spans)


def linked_words(
    campaign: Campaign, source: str, shown: str, links: Sequence[AlignmentLink]
) -> list[tuple[str, str, bool]]:
    """Return word of the source, word of the output, whether the link is sure; in the order of
    both."""
    options = AlignmentOptions.of(campaign)
    words = options.words(source), options.words(shown)
    found = sorted((link.source_token, link.target_token, link.is_sure) for link in links)
    return [(_word(words[0], a), _word(words[1], b), sure) for a, b, sure in found]


def _word(words: Sequence[str], place: int) -> str:
    return words[place] if place < len(words) else ""
