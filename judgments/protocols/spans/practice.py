"""Expected errors of a tutorial item, as in files:

    {"output1-spans": [{"text": "coffee", "severity": "major"}, {"side": "missing"}]}

An answer is right if every expected error is marked, at least in part, and nothing else is. Fields
missing from a row, such as the category, do not matter.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext as _

from judgments.models import WITHOUT_PLACE, Side

from .marking import NON_TRANSLATION, Marking, slug_of
from .screen import category_names, severity_name

KEYS = {"text", "start", "end", "side", "severity", "category"}


class Expected(NamedTuple):
    """An empty severity or category matches any."""

    side: str
    start: int
    end: int
    severity: str = ""
    category: str = ""


def expected_errors(marking: Marking, texts: Mapping[str, str], rows: Any) -> list[Expected]:
    """Return the expected errors. Raise ValueError with a message if no answer could have them."""
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
    if severity and severity not in marking.severities:
        raise ValueError(f"the severities are {', '.join(marking.severities)}.")
    if side == Side.OUTPUT and slug_of(category) in marking.marks_by_slug:
        return Expected(side, 0, 0, severity, slug_of(category))
    if marking.non_translation and slug_of(category) == NON_TRANSLATION:
        if severity not in ("", marking.worst):
            raise ValueError(f"a text that is no translation has the severity {marking.worst}.")
        whole = len(texts["target"])
        return Expected("target" if whole else "missing", 0, whole, severity, NON_TRANSLATION)
    if side not in marking.sides:
        raise ValueError(f"the sides of errors are {', '.join(marking.sides)}.")
    if category and slug_of(category) not in marking.slugs:
        raise ValueError(f"there is no category “{category}”.")
    start, end = (0, 0) if side == "missing" else place_of(texts[side], row)
    return Expected(side, start, end, severity, slug_of(category))


def place_of(text: str, row: dict) -> tuple[int, int]:
    start, end, marked = row.get("start"), row.get("end"), row.get("text")
    if isinstance(marked, str) and marked and start is None and end is None:
        if text.count(marked) != 1:
            raise ValueError(
                f"“{marked}” must occur once in the text; or say which, in a file by start and end."
            )
        return text.index(marked), text.index(marked) + len(marked)
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        raise ValueError("an expected error needs a text, or a start and an end within the text.")
    return start, end


SIDE_NAMES = {
    "target": "The translation",
    "source": "The source",
    "missing": "Missing from the translation",
    Side.OUTPUT: "The translation as a whole",
}


def columns(marking: Marking) -> dict[str, forms.Field]:
    """Return the fields of an expected error in a manager's form."""
    sides = [*marking.sides, *([Side.OUTPUT] if marking.marks else [])]
    severities = [(each, severity_name(each)) for each in marking.severities]
    categories = category_names(marking) | marking.marks_by_slug
    found: dict[str, forms.Field] = {
        "text": forms.CharField(
            required=False, max_length=5_000, strip=False, label="Words with the error"
        ),
        "which": forms.IntegerField(
            required=False,
            min_value=1,
            max_value=1_000,
            label="If they occur several times: which one",
        ),
        "severity": choice("Severity", severities),
        "category": choice("Category", list(categories.items())),
        "side": forms.ChoiceField(
            required=False, choices=[(side, SIDE_NAMES[side]) for side in sides], label="Where"
        ),
    }
    if not categories:
        del found["category"]
    if len(sides) == 1:
        del found["side"]
    return found


def choice(label: str, choices: list[tuple[str, str]]) -> forms.Field:
    return forms.ChoiceField(required=False, choices=[("", "Any"), *choices], label=label)


def as_columns(texts: Mapping[str, str], row: dict) -> dict[str, Any]:
    """Return the field values of a stored row."""
    side = row.get("side", "target")
    found = {"side": side, "severity": row.get("severity", ""), "text": row.get("text", "")}
    found["category"] = slug_of(row.get("category", ""))
    if row.get("start") is not None and side not in WITHOUT_PLACE:
        text, start = texts.get(side, ""), row["start"]
        found["text"] = text[start : row["end"]]
        found["which"] = places_of(found["text"], text).index(start) + 1 if found["text"] else None
    return found


def from_columns(texts: Mapping[str, str], cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as `expected_error` reads it. Raise ValueError with a message."""
    side, marked, which = cleaned.get("side") or "target", cleaned["text"], cleaned.get("which")
    row: dict[str, Any] = {"side": side} if side != "target" else {}
    if side in WITHOUT_PLACE:
        if marked:
            raise ValueError("what is missing, or is the whole translation, has no words in it.")
    elif which:
        places = places_of(marked, texts.get(side, ""))
        if which > len(places):
            raise ValueError(f"“{marked}” does not occur {which} times in the text.")
        row |= {"start": places[which - 1], "end": places[which - 1] + len(marked)}
    else:
        row["text"] = marked
    return row | {key: cleaned[key] for key in ("severity", "category") if cleaned.get(key)}


def places_of(marked: str, text: str) -> list[int]:
    """Return the positions of the words in a text, including overlapping ones."""
    return [at for at in range(len(text)) if marked and text.startswith(marked, at)]


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
    """Return errors as shown on the feedback page."""
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
