"""What the template and the script of the protocol `spans` are told about one translation."""

import json
import unicodedata
from dataclasses import dataclass
from string import ascii_lowercase as LETTERS
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .marking import HIGH_SCORE, NON_TRANSLATION, Marking, slug_of

SEVERITIES = {
    "neutral": _("neutral"),
    "minor": _("minor"),
    "major": _("major"),
    "critical": _("critical"),
}
# What the script says, to the eye or to a screen reader.
WORDS = {
    "source": _("Source"),
    "word": _("“{text}”, word {from} of {total}"),
    "character": _("“{text}”, character {from} of {total}"),
    "words": _("“{text}”, words {from} to {to}"),
    "characters": _("“{text}”, characters {from} to {to}"),
    "marked": _("{severity} error, {place}"),
    "categorized": _("{marked}, {category}"),
    "suggested": _("suggested"),
    "changed": _("suggested, changed"),
    "deleted": _("Deleted: {text}"),
    "restored": _("Restored: {text}"),
    "missing": _("something is missing"),
    "token": _("[MISSING]"),
    "whole": _("not a translation"),
    "category": _("Category"),
    "chooseOne": _("Choose a category"),
    "noCategory": _("No category has this letter."),
    "noKind": _("No category has been chosen yet."),
    "chooseFirst": _("Choose words first."),
    "chooseError": _("Choose an error in the text first."),
    "noSeverity": _("No severity has this key."),
    "tooMany": _("At most {most} errors can be marked."),
    "twice": _("This is marked already."),
    "deleteFirst": _("Delete the marked errors first."),
    "none": _("No errors."),
    "notNone": _("Errors are open again."),
    "byWords": _("Moving by words."),
    "byCharacters": _("Moving by characters."),
    "hits": _("Found: {n}"),
    "notFound": _("Not found: {text}"),
    "noneMarked": _("No error is marked."),
    "noneGiveScore": _("No errors marked · give the score"),
    "giveScore": _("Errors marked: {n} · give the score"),
    "delete": _("Delete"),
    "restore": _("Restore"),
    "suggestion": _("Deleted suggestion"),
    "text": _("text to mark"),
    "low": _("The score is low, but no error is marked. If that is right, submit again."),
    "refused": _(
        "A score below {below} needs a marked error. Mark what is wrong, or give another score."
    ),
    "high": _(
        "The score is almost perfect, but a severe error is marked. If that is right, submit again."
    ),
}


@dataclass(frozen=True)
class SpanPlace:
    """One translation on the screen. `config`: JSON for the script."""

    place: int
    name: str
    value: str
    error: str
    confirmed: str
    config: str


def places(form) -> list[SpanPlace]:
    found = []
    for place, (texts, prefills) in enumerate(zip(form.texts, form.prefills, strict=True), 1):
        spans = form[f"output{place}-spans"]
        config = {
            "texts": texts,
            "prefills": [
                {
                    "side": row.side,
                    "start": row.start,
                    "end": row.end,
                    "severity": row.severity,
                    "category": row.category,
                    "prefill": key,
                }
                for key, row in prefills.items()
            ],
        }
        found.append(
            SpanPlace(
                place,
                spans.html_name,
                spans.value() or "",
                " ".join(str(error) for error in spans.errors),
                form[f"output{place}-confirmed"].value() or "",
                json.dumps(config, ensure_ascii=False),
            )
        )
    return found


def doubt_words(marking: Marking) -> dict[str, str]:
    """Return what is said where score and errors do not fit, by `Marking.is_doubtful`."""
    below = str(marking.unmarked_below)
    return {why: str(WORDS[why]).replace("{below}", below) for why in ("refused", "low", "high")}


def common(marking: Marking, language: str) -> str:
    """Return JSON for the script that is the same for every translation. language: theirs."""
    return json.dumps(
        {
            "most": marking.most,
            "sides": marking.sides,
            "score": marking.score,
            "severities": [
                {"slug": slug, "name": severity_name(slug), "look": look(marking, slug)}
                for slug in marking.severities
            ],
            "categories": category_names(marking),
            "tree": category_tree(marking),
            "nonTranslation": NON_TRANSLATION if marking.non_translation else "",
            "marks": marking.marks_by_slug,
            "unit": marking.unit_for(language),
            "unmarked": marking.unmarked,
            "low": marking.unmarked_below,
            "high": HIGH_SCORE,
            "words": {name: str(words) for name, words in WORDS.items()} | doubt_words(marking),
        },
        ensure_ascii=False,
    )


def severity_name(slug: str) -> str:
    return str(SEVERITIES.get(slug, slug))


def look(marking: Marking, slug: str) -> str:
    """Return how a severity is drawn: the lightest of several dotted, the worst one solid."""
    place = marking.severities.index(slug)
    if slug == "neutral" or marking.scheme.weights[slug] == 0:
        return "neutral"
    if slug == "minor" or (place == 0 and len(marking.severities) > 1):
        return "minor"
    return "critical" if slug == "critical" else "major"


def translated(level: str) -> str:
    """Return a name of the presets in the reader's language; a manager's own stays as it is."""
    return gettext(level) if level else ""


def category_names(marking: Marking) -> dict[str, str]:
    """Return {stored category: its name}."""
    found = {
        slug_of(category): ": ".join(translated(level) for level in category.split("/"))
        for category in marking.categories
    }
    if marking.non_translation:
        found[NON_TRANSLATION] = gettext("Not a translation")
    return found


def category_groups(marking: Marking) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return (name of a branch or "", [(stored category, name)]) for a list of choices."""
    branches = {category.split("/")[0] for category in marking.categories if "/" in category}
    groups: dict[str, list[tuple[str, str]]] = {}
    for category in marking.categories:
        first, *rest = category.split("/")
        name = ": ".join(translated(level) for level in rest or [first])
        groups.setdefault(first if first in branches else "", []).append((slug_of(category), name))
    alone = groups.pop("", [])
    found = [(translated(branch), choices) for branch, choices in groups.items()]
    return [*found, ("", alone)] if alone else found


# While a category is chosen every letter is one of the tree, but this: it deletes then, too.
DELETES = "d"  # as in static/js/protocols/spans/categories.js


def category_tree(marking: Marking) -> list[dict[str, Any]]:
    """Return the categories as the script offers them: {key, name} with `below`, or with the stored
    category as `slug`. Keys are letters, each one once among those beside it and none of them
    `DELETES`; "" after all 25."""
    top: list[dict[str, Any]] = []
    for category in marking.categories:
        beside, levels = top, category.split("/")
        for depth, level in enumerate(levels, 1):
            name = translated(level)
            node = next((n for n in beside if n["name"] == name and "below" in n), None)
            if node is None or depth == len(levels):
                is_leaf = depth == len(levels)
                node = {"key": _letter(name, beside), "name": name}
                node["slug" if is_leaf else "below"] = slug_of(category) if is_leaf else []
                beside.append(node)
            beside = node.get("below", [])
    return top


def _letter(name: str, beside: list[dict[str, Any]]) -> str:
    """Return the first letter of a name that none of its neighbors has, or any other from a to
    z."""
    taken = {DELETES} | {node["key"] for node in beside}
    plain = unicodedata.normalize("NFKD", name).lower()
    initials = [word[0] for word in plain.split() if word]
    return next((c for c in (*initials, *plain, *LETTERS) if c in LETTERS and c not in taken), "")


def buttons(marking: Marking) -> list[dict[str, Any]]:
    """Return the severities with their keys, from the lightest."""
    return [
        {"key": key, "slug": slug, "name": severity_name(slug), "look": look(marking, slug)}
        for key, slug in enumerate(marking.severities, 1)
    ]


# Letters of the marks of a whole translation: what no other key of the screen has.
MARK_KEYS = "ghoquz"


def marks(marking: Marking) -> list[dict[str, str]]:
    """Return the marks of a whole translation with their keys; "" after all of these."""
    names = marking.marks_by_slug.items()
    return [
        {"key": MARK_KEYS[n : n + 1], "slug": slug, "name": name}
        for n, (slug, name) in enumerate(names)
    ]


def first_last_used(marking: Marking) -> int:
    """Return the digit of the first of the categories used last, after those of the severities."""
    return max(5, len(marking.severities) + 1)


def keys(marking: Marking) -> list[tuple[tuple[str, ...], Any]]:
    """Return for the list of keys: each with what it does."""
    severities = buttons(marking)
    names = ", ".join(str(button["name"]) for button in severities)
    listed = (
        (True, ("←", "→", "↑", "↓"), _("word by word, line by line; with Shift, select more")),
        (
            True,
            ("f", "/"),
            _("find a word by its first letters; then a digit or capital shown there, or Enter"),
        ),
        (True, ("Ctrl ←", "Ctrl →"), _("sentence by sentence (on a Mac with Option)")),
        (True, ("w",), _("by words or by characters")),
        (True, tuple(str(button["key"]) for button in severities), names),
        ("missing" in marking.sides, ("m",), _("something is missing")),
        *((mark["key"], (mark["key"],), f"[{mark['name']}]") for mark in marks(marking)),
        (
            marking.categories,
            ("c",),
            _("choose the category: by the letters that are shown, Escape goes back"),
        ),
        (marking.categories, ("e",), _("the kind of error used last, again")),
        (
            marking.categories and first_last_used(marking) <= 9,
            (str(first_last_used(marking)), "…", "9"),
            _("the categories used last"),
        ),
        ("source" in marking.sides, ("a",), _("to the source, and back")),
        (
            "source" in marking.sides,
            ("Tab",),
            _("from a word to the other side, and from there on; Shift+Tab or Escape goes back"),
        ),
        (True, (",", "."), _("the previous error, the next error")),
        (True, ("d",), _("delete the error")),
        (not marking.score, ("0",), _("no errors")),
        (marking.non_translation, ("t",), _("not a translation")),
        (True, ("j",), _("go to the next question")),
        (
            marking.score,
            ("0", "…", "9"),
            _("answer the marked question and go to the next one"),
        ),
        (
            marking.score,
            ("6", "7"),
            _(
                "on a scale from 0 to 100: digits one after another are a number (6 7 is 67); "
                "one alone is tenths (6 is 60)"
            ),
        ),
        (marking.score, ("-", "End"), _("its high end: the key after 0, or End")),
        (marking.score, ("←", "→"), _("move a slider")),
    )
    return [(pressed, words) for is_there, pressed, words in listed if is_there]
