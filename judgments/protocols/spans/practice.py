"""Expected errors of a tutorial item, as a manager writes them:

    {"output1-spans": [{"text": "coffee", "severity": "major"}, {"side": "missing"}]}

An answer is right when every expected error is marked, at least in part, and nothing else is. What
a row does not say, such as the category, does not matter.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from judgments.models import WITHOUT_PLACE, Side

from .marking import Marking, slug_of
from .screen import category_names, severity_name

KEYS = {"text", "start", "end", "side", "severity", "category"}


class Expected(NamedTuple):
    """An empty severity or category is any."""

    side: str
    start: int
    end: int
    severity: str = ""
    category: str = ""


def expected_errors(marking: Marking, texts: Mapping[str, str], rows: Any) -> list[Expected]:
    """Raises ValueError in words for what no answer could be."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("expected errors are a list of objects; [] where there is none.")
    return [expected_error(marking, texts, row) for row in rows]


def expected_error(marking: Marking, texts: Mapping[str, str], row: dict) -> Expected:
    if set(row) - KEYS:
        raise ValueError(f"an expected error has {', '.join(sorted(KEYS))}.")
    side = row.get("side", "target")
    severity, category = row.get("severity", ""), row.get("category", "")
    if not all(isinstance(word, str) for word in (side, severity, category)):
        raise ValueError("side, severity and category of an expected error are texts.")
    if side == Side.OUTPUT and slug_of(category) in marking.marks_by_slug:
        return Expected(side, 0, 0, severity, slug_of(category))
    if side not in marking.sides:
        raise ValueError(f"the sides of errors are {', '.join(marking.sides)}.")
    if severity and severity not in marking.severities:
        raise ValueError(f"the severities are {', '.join(marking.severities)}.")
    if category and slug_of(category) not in marking.slugs:
        raise ValueError(f"there is no category “{category}”.")
    start, end = (0, 0) if side == "missing" else place_of(texts[side], row)
    return Expected(side, start, end, severity, slug_of(category))


def place_of(text: str, row: dict) -> tuple[int, int]:
    start, end, marked = row.get("start"), row.get("end"), row.get("text")
    if isinstance(marked, str) and marked and start is None and end is None:
        if text.count(marked) != 1:
            raise ValueError(f"“{marked}” must occur once in the text; or give start and end.")
        return text.index(marked), text.index(marked) + len(marked)
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        raise ValueError("an expected error needs a text, or a start and an end within the text.")
    return start, end


def is_right(marks: Sequence[Any], expected: Sequence[Expected]) -> bool:
    return all(any(fits(mark, each) for mark in marks) for each in expected) and all(
        any(fits(mark, each) for each in expected) for mark in marks
    )


def fits(mark: Any, expected: Expected) -> bool:
    return (
        mark.side == expected.side
        and (mark.side in WITHOUT_PLACE or overlap(mark, expected))
        and expected.severity in ("", mark.severity)
        and expected.category in ("", mark.category)
    )


def overlap(mark: Any, expected: Expected) -> bool:
    return mark.start < expected.end and mark.end > expected.start


def in_words(marking: Marking, texts: Mapping[str, str], errors: Sequence[Any]) -> str:
    """Errors as the page of feedback says them."""
    names = category_names(marking)
    found = []
    for error in errors:
        if error.side == Side.OUTPUT:
            words, category = f"[{marking.marks_by_slug[error.category]}]", ""
        elif error.side == Side.MISSING:
            words, category = _("[MISSING]"), error.category
        else:
            words, category = texts[error.side][error.start : error.end], error.category
        said = [f"“{words}”"]
        if error.severity:
            said.append(severity_name(error.severity))
        if category:
            said.append(names.get(category, category))
        found.append(", ".join(said))
    return "; ".join(found) or _("No errors.")
