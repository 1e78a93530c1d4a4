"""Test sets of judgments that come without texts: the segments and systems that they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from judgments.files.texts import THE_DOCUMENT, SegmentTexts

from .records import JudgedScreen, Problems

NUMBERS = re.compile("([0-9]{1,18})")


def keys_of(screens: Callable[[Problems], Iterable[JudgedScreen]]) -> Iterator[SegmentTexts]:
    """A segment for each key, in natural order, with an empty text for each system judged there.

    screens: tells its problems when the judgments themselves are read.
    """
    found: dict[str, dict[str, None]] = {}
    for screen in screens(Problems()):
        found.setdefault(screen.segment, {}).update(dict.fromkeys(screen.outputs))
    for row, key in enumerate(sorted(found, key=natural), 1):
        outputs = dict.fromkeys(found[key], "")
        yield SegmentTexts("", row, key, THE_DOCUMENT, "", {}, outputs)


def natural(key: str) -> list[tuple[bool, int, str]]:
    """Sorts 2 before 10, and doc2 before doc10."""
    parts = NUMBERS.split(key)
    return [(i % 2 == 0, int(part) if i % 2 else 0, part) for i, part in enumerate(parts)]
