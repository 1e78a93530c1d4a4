"""Presets by what judgments under them consist of, for formats that know some of it."""

from __future__ import annotations

from judgments.models import ErrorSpan, Rating
from judgments.protocols import preset_named
from judgments.protocols.kinds import KINDS
from judgments.protocols.registry import PROTOCOLS


def asks_errors(slug: str) -> bool:
    """Return whether errors are marked."""
    return ErrorSpan in _models(slug)


def asks_scores(slug: str) -> bool:
    """Return whether translations are scored one by one, and nothing else is asked but errors."""
    if not PROTOCOLS[preset_named(slug).protocol].rates:  # ranks are no scores
        return False
    return Rating in _models(slug) and _models(slug) <= {Rating, ErrorSpan}


def _models(slug: str) -> set[type]:
    return {KINDS[kind].model for kind in PROTOCOLS[preset_named(slug).protocol].kinds}
