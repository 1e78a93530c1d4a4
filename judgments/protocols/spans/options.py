"""Options of the protocol `spans`: a tree of categories and weights, as a manager writes them."""

from collections.abc import Mapping
from typing import Any

from ..base import Preset
from ..options import (
    CONTEXT,
    OMISSION_HINTS,
    RELATIVE_COLOR,
    SENTENCE_STEPS,
    SHOW_REFERENCE,
    SHOW_SOURCE,
    WORD_LINKS,
    Option,
    choice,
    lines,
    outputs_on_screen,
    whole_number,
    yes_no,
)
from .marking import MOST_ERRORS, NON_TRANSLATION, Marking, slug_of

LONGEST_CATEGORY = 120  # as the column of `ErrorSpan`
LONGEST_SEVERITY = 20
MOST_LINES = 200
MOST_LEVELS = 3
MOST_SEVERITIES = 9  # a digit chooses one
LARGEST_WEIGHT = 1000
MOST_MARKS = 20
LONGEST_MARK = 60
SMALLEST_WEIGHT = 0.01  # but for 0; the step of a score


def parse_categories(text: str) -> list[str]:
    """Return lines such as `Accuracy/Omission` → the tree as its leaves. ValueError names the
    line."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        levels = [" ".join(level.split()) for level in line.split("/")]
        category = "/".join(levels)
        if not all(levels) or len(levels) > MOST_LEVELS or not category.isprintable():
            raise ValueError(
                f"Line {number}: write a category, or one below another, such as "
                "“Accuracy/Omission”."
            )
        # In lower case, as it is stored, a word may be longer.
        if len(slug_of(category)) > LONGEST_CATEGORY:
            raise ValueError(f"Line {number}: longer than {LONGEST_CATEGORY} characters.")
        if slug_of(category) in found:
            raise ValueError(f"Line {number}: “{category}” occurs twice.")
        if slug_of(category) == NON_TRANSLATION:
            raise ValueError(
                f"Line {number}: “{category}” is not a category of a span; it has a question of "
                "its own."
            )
        found[slug_of(category)] = category
        if len(found) > MOST_LINES:
            raise ValueError(f"At most {MOST_LINES} categories.")
    return list(found.values())


def parse_marks(text: str) -> list[str]:
    """Return lines such as `[instructions fault]` → the names. ValueError names the line."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        name = " ".join(line.strip().removeprefix("[").removesuffix("]").split())
        if not name:
            continue
        slug = slug_of(name)
        if "/" in name or not name.isprintable() or len(slug) > LONGEST_MARK:
            raise ValueError(
                f"Line {number}: write a name without “/”, of at most {LONGEST_MARK} characters."
            )
        if slug in (*found, "missing", NON_TRANSLATION):
            raise ValueError(f"Line {number}: “{name}” is already listed.")
        found[slug] = name
        if len(found) > MOST_MARKS:
            raise ValueError(f"At most {MOST_MARKS} marks.")
    return list(found.values())


def parse_weights(text: str) -> dict[str, float]:
    """Return lines such as `major = 5` → {"major": 5.0}. ValueError names the line."""
    found: dict[str, float] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        pattern, equals, value = line.partition("=")
        pattern, weight = slug_of(pattern), _weight(value)
        if not equals or not all(pattern.split("/")) or weight is None:
            raise ValueError(
                f"Line {number}: write a severity, “=” and 0 or a number from {SMALLEST_WEIGHT} to "
                f"{LARGEST_WEIGHT:,}, such as “major = 5” or “minor/fluency/punctuation = 0.1”."
            )
        severity = pattern.split("/")[0]
        if len(severity) > LONGEST_SEVERITY or not pattern.isprintable():
            raise ValueError(f"Line {number}: a severity has at most {LONGEST_SEVERITY} letters.")
        if pattern in found:
            raise ValueError(f"Line {number}: “{pattern}” occurs twice.")
        found[pattern] = weight
        if len(found) > MOST_LINES:
            raise ValueError(f"At most {MOST_LINES} weights.")
    severities = [pattern for pattern in found if "/" not in pattern]
    if not severities or "*" in severities:
        raise ValueError("Name at least one severity and its weight, such as “major = 5”.")
    if len(severities) > MOST_SEVERITIES:
        raise ValueError(f"At most {MOST_SEVERITIES} severities.")
    if not any(found[severity] for severity in severities):
        raise ValueError("Give at least one severity a weight above 0, or all scores are the same.")
    return found


def _weight(text: str) -> float | None:
    try:
        weight = float(text)
    except ValueError:
        return None
    return weight if weight == 0 or SMALLEST_WEIGHT <= weight <= LARGEST_WEIGHT else None


def written_weights(weights: Mapping[str, float]) -> str:
    return "\n".join(f"{pattern} = {weight:.12g}" for pattern, weight in weights.items())


CATEGORIES = lines(
    "categories",
    "Categories of errors",
    parse_categories,
    "One per line, such as “Accuracy/Omission” for a category below another. If empty, errors "
    "have only a severity.",
    shown="\n".join,
    rows=10,
    shape={
        "type": "array",
        "items": {"type": "string", "pattern": r"^[^\r\n]+$"},
        "maxItems": MOST_LINES,
    },
)
WEIGHTS = lines(
    "weights",
    "Severities and weights",
    parse_weights,
    "One per line, such as “major = 5”. A category may have a weight of its own: "
    "“minor/fluency/punctuation = 0.1”, or “*/source issue = 0” whatever the severity.",
    shown=written_weights,
    required=True,
    rows=6,
    shape={
        "type": "object",
        "additionalProperties": {"type": "number", "minimum": 0, "maximum": LARGEST_WEIGHT},
        "maxProperties": MOST_LINES,
    },
)
MOST = whole_number(
    "most_errors",
    "Errors in one translation, at most",
    1,
    MOST_ERRORS,
    "With five, as in the shared tasks, only the worst five are marked.",
    shown=lambda most: most or MOST_ERRORS,
)
SCORE = yes_no("score", "Also ask for a score from 0 to 100")
PREFILLED = yes_no(
    "prefilled",
    "Start from errors that a program proposes",
    "You upload them before judging starts. Annotators keep, change or delete them.",
)
UNAIDED = whole_number(
    "unaided",
    "Screens without suggestions, in percent",
    0,
    50,
    "A control arm, drawn at random, that shows how suggestions affect the marks and the time. "
    "10 is a good share.",
)
UNAIDED_BY = choice(
    "unaided_by",
    "Screens without suggestions are",
    (("segment", "segments, each with all its translations"), ("document", "whole documents")),
    "There are more segments than documents, so intervals are narrower.",
)
PLANTED = whole_number(
    "planted",
    "Translations with a false suggestion, in percent",
    0,
    20,
    "On words, drawn at random, for which the program proposes nothing. Annotators who keep them "
    "confirm without reading. 5 is a good share.",
)
WITHHELD = whole_number(
    "withheld",
    "Suggestions that are withheld, in percent",
    0,
    20,
    "They are drawn at random and not shown. Annotators who mark none of them add nothing of "
    "their own. 5 is a good share.",
)
MARKS = lines(
    "marks",
    "Marks of a whole translation",
    parse_marks,
    "One per line, such as “Instructions fault”: each is a button below every translation, next "
    "to [MISSING], and is stored as an error without a position.",
    shown="\n".join,
    shape={
        "type": "array",
        "items": {"type": "string", "pattern": r"^[^\r\n/]+$", "maxLength": LONGEST_MARK + 2},
        "maxItems": MOST_MARKS,
    },
)
UNMARKED = choice(
    "unmarked",
    "A low score without a marked error",
    (
        ("ask", "is asked about once"),
        ("refuse", "is refused, until something is marked"),
        ("off", "is taken as it is"),
    ),
)
UNMARKED_BELOW = whole_number("unmarked_below", "A score is low below", 1, 100)
MARK_BY = choice(
    "mark_by",
    "Errors are marked",
    (
        ("reader", "by word or by character, as each annotator has set it"),
        ("language", "by character in Chinese, Japanese and Thai, by word in other languages"),
        ("word", "by word"),
        ("character", "by character"),
    ),
    "While marking, annotators can change it with the key w.",
)
COLUMNS = yes_no(
    "columns",
    "Show the translations side by side",
    "In columns if the window is wide enough, otherwise one below the other.",
)


def option_fields(preset: Preset) -> tuple[Option, ...]:
    """Only a tree of one's own has all of them; the published ones keep what they are named for."""
    named = Marking.read(preset.options)
    own = (CATEGORIES,) if named.own_tree else ()
    marked = () if named.score and not own else (WEIGHTS, MOST)
    scored = (UNMARKED, UNMARKED_BELOW) if named.score or own else ()
    several = (COLUMNS, RELATIVE_COLOR) if named.score or own else (COLUMNS,)
    return (
        *own,
        *marked,
        *((SCORE, PREFILLED) if own else ()),
        MARKS,
        *scored,
        MARK_BY,
        *((UNAIDED, UNAIDED_BY, PLANTED, WITHHELD) if own or named.prefilled else ()),
        SHOW_SOURCE,
        SHOW_REFERENCE,
        CONTEXT,
        SENTENCE_STEPS,
        WORD_LINKS,
        OMISSION_HINTS,
        outputs_on_screen(named.fewest_per_item, named.most_per_item),
        *several,
    )


def problems(options: Mapping[str, Any]) -> dict[str | None, str]:
    found: dict[str | None, str] = {}
    marking = Marking.read(options)
    known = marking.slugs | marking.marks_by_slug.keys()
    if both := marking.slugs & marking.marks_by_slug.keys():
        found["marks"] = f"“{min(both)}” is also a category of errors with a position."
    severities = {pattern for pattern in marking.weights if "/" not in pattern} | {"*"}
    for pattern in marking.weights:
        severity, _, category = pattern.partition("/")
        if severity not in severities:
            found["weights"] = f"“{pattern}”: there is no severity “{severity}” without a category."
        elif (
            category
            and category != NON_TRANSLATION
            and not any(f"{slug}/".startswith(f"{category}/") for slug in known)
        ):
            found["weights"] = f"“{pattern}”: there is no category “{category}”."
    for slug in ("unaided", "planted", "withheld"):
        if getattr(marking, slug) and not marking.prefilled:
            found[slug] = "Nothing is suggested in this campaign: give 0."
    if marking.prefilled and not marking.score:
        found["score"] = (
            "Errors that a program proposes need a score too: it shows that somebody looked."
        )
    return found
