"""Errors as a language model names them: quoted, with the words around, and put into the texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..model_questions import FormData, Misfit, ModelQuestion, place_of, plain_name
from .marking import NON_TRANSLATION, Marking, slug_of

MOST_NAMED = 200  # errors that are looked at; whoever names more does not judge
QUOTES = "\"'“”„‘’«»「」 \t\n"
MISSING = "missing"


def question_of(name: str, marking: Marking, texts: Mapping[str, str]) -> ModelQuestion:
    """Return the errors of one translation. texts: of each side that has one."""
    sides = [side for side in marking.sides if side == MISSING or side in texts]
    categories = [*marking.categories, *marking.marks]
    if marking.non_translation:
        categories.append(NON_TRANSLATION)
    if categories and not marking.categories:
        categories.insert(0, "")  # of an error in the text
    properties: dict[str, Any] = {
        "quote": {"type": "string"},
        "before": {"type": "string"},
        "after": {"type": "string"},
        "side": {"type": "string", "enum": sides},
        "severity": {"type": "string", "enum": list(marking.severities)},
    }
    if categories:
        properties["category"] = {"type": "string", "enum": categories}
    schema = {
        "type": "array",
        "items": {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        },
    }
    return ModelQuestion(
        plain_name(name), "errors", words_of(marking, sides, place_of(name)), schema,
        lambda answer: posted(name, marking, texts, answer), place_of(name),
    )  # fmt: skip


def words_of(marking: Marking, sides: list[str], place: int) -> str:
    parts = [
        f"The errors of translation {place}, an empty list if there are none.",
        "quote: the wrong words exactly as they stand in the text; before and after: a few words "
        "that stand around them.",
    ]
    if "source" in sides:
        parts.append("side: target for words of the translation, source for words of the source.")
    if MISSING in sides:
        parts.append("What is missing from the translation has the side missing and no quote.")
    parts.append(f"severity: {' or '.join(marking.severities)}.")
    if marking.most_errors:
        parts.append(f"At most {marking.most_errors} errors, the gravest.")
    if marking.marks:
        names = ", ".join(marking.marks)
        parts.append(f"Of the translation as a whole, in no place of it: the category {names}.")
    if marking.non_translation:
        parts.append(f"A text that is no translation at all has one error, {NON_TRANSLATION}.")
    return " ".join(parts)


def posted(name: str, marking: Marking, texts: Mapping[str, str], answer: Any) -> FormData:
    """Raise Misfit for what is no list of errors, and for kinds that the campaign does not have; an
    error whose quote is nowhere in the text is left out and counted."""
    if not isinstance(answer, list) or not all(isinstance(row, dict) for row in answer):
        raise Misfit(f"{plain_name(name)} is no list of errors")
    marks: dict[tuple, dict[str, Any]] = {}
    n_unplaced = 0
    for row in answer[:MOST_NAMED]:
        mark = mark_of(plain_name(name), marking, texts, row)
        if mark is None:
            n_unplaced += 1
            continue
        marks.setdefault((mark["side"], mark["start"], mark["end"], mark["category"]), mark)
    kept = alone_or_all(marking, list(marks.values()))
    if len(kept) > marking.most:
        heaviest = sorted(kept, key=lambda m: -marking.severities.index(m["severity"]))
        kept = heaviest[: marking.most]
    confirmed = name.replace("-spans", "-confirmed")
    return FormData({name: json.dumps(kept), confirmed: "1"}, n_unplaced)


def alone_or_all(marking: Marking, marks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a text that is no translation has that error alone, of the worst severity."""
    whole = [mark for mark in marks if mark["category"] == NON_TRANSLATION]
    return [whole[0] | {"severity": marking.worst}] if whole else marks


def mark_of(
    name: str, marking: Marking, texts: Mapping[str, str], row: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return one error as the form has it; None where its words cannot be found. Raise Misfit."""
    side, severity = str(row.get("side") or "target"), str(row.get("severity", "")).strip().lower()
    category = slug_of(str(row.get("category") or ""))
    by_name = {each.lower(): each for each in marking.severities}
    if severity not in by_name:
        raise Misfit(f"{name}: the severity is {severity[:40]!r}, not one of {', '.join(by_name)}")
    if category == NON_TRANSLATION and marking.non_translation:
        whole = len(texts["target"])
        place = ("target", 0, whole) if whole else (MISSING, 0, 0)
    elif category in marking.marks_by_slug:
        place = ("output", 0, 0)
    else:
        if marking.slugs and category not in marking.slugs:
            raise Misfit(f"{name}: there is no category {category[:60]!r}")
        if side not in marking.sides:
            raise Misfit(f"{name}: there is no side {side[:20]!r}")
        category = category if marking.slugs else ""
        if side == MISSING:
            place = (MISSING, 0, 0)
        else:
            quoted = [str(row.get(key) or "") for key in ("quote", "before", "after")]
            found = placed(texts.get(side, ""), *quoted)
            if found is None:
                return None
            place = (side, *found)
    side, start, end = place
    return {
        "side": side, "start": start, "end": end, "severity": by_name[severity],
        "category": category,
    }  # fmt: skip


def placed(text: str, quote: str, before: str = "", after: str = "") -> tuple[int, int] | None:
    """Return where a quote stands in a text, in code points; None where it does not.

    Of several places the one whose surroundings are most like `before` and `after`; then the
    first. Letter case counts only where the quote stands somewhere with its own.
    """
    for wanted in dict.fromkeys((quote, quote.strip(), quote.strip(QUOTES))):
        if not wanted:
            continue
        for where, what in ((text, wanted), (text.lower(), wanted.lower())):
            if len(where) != len(text):  # some letters are longer in lower case
                continue
            starts = occurrences(where, what)
            if starts:
                best = max(starts, key=lambda at: likeness(text, at, len(what), before, after))
                return best, best + len(what)
    return None


def occurrences(text: str, quote: str) -> list[int]:
    found, at = [], text.find(quote)
    while at >= 0:
        found.append(at)
        at = text.find(quote, at + 1)
    return found


def likeness(text: str, start: int, length: int, before: str, after: str) -> int:
    """Return how many characters around a place are those that were quoted, from the place
    outwards. Nothing around it speaks for an end of the text."""
    left, right = text[:start].rstrip()[::-1], text[start + length :].lstrip()
    said_left, said_right = before.rstrip()[::-1], after.lstrip()
    at_ends = (not left and not said_left) + (not right and not said_right)
    return shared(left, said_left) + shared(right, said_right) + at_ends


def shared(one: str, other: str) -> int:
    """Return the length of what two texts begin with alike."""
    n = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        n += 1
    return n
