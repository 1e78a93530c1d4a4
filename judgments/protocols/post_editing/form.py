"""The form of post-editing: for each place a text, what became of it, and how much work it was."""

import re
from dataclasses import dataclass

from django import forms
from django.utils.translation import gettext_lazy as _

from judgments.models import Outcome
from judgments.protocols.screen_form import ScreenForm

from .words import unit

MOST_COUNTED = 2**31 - 1
ROOM_TO_EDIT = 1000  # characters beyond four times the text
NEW_LINES = re.compile(r"\r\n?")
# No editor types these; a NUL and half of a surrogate pair could not be stored at all.
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
# What a choice is called, and what it means.
WORDS = {
    Outcome.EDITED: _("Edited"),
    Outcome.NO_CORRECTION: _("No correction needed"),
    Outcome.UNABLE: _("Unable to correct"),
}
ASKS = {
    "correct": _("Correct the translation with as few changes as possible."),
    "make fluent": _("Make the text fluent."),
}


def same_lines(text: str) -> str:
    """Return line ends as they are stored: browsers send others than they were given."""
    return NEW_LINES.sub("\n", text)


class TextField(forms.Field):
    """A text as it was typed, every space kept."""

    widget = forms.Textarea

    def clean(self, value) -> str:
        return same_lines(value or "")


class CountField(forms.Field):
    """A count from a script. What is none is not known, and no reason to refuse an edit."""

    widget = forms.HiddenInput

    def clean(self, value) -> int | None:
        text = str(value or "")
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            return None
        return min(int(text), MOST_COUNTED)


@dataclass(frozen=True)
class Editor:
    """One text for the template. choices: (value, words, key, "checked" or nothing)."""

    place: int
    name: str
    original: str
    value: str
    choices: list[tuple[str, object, str, str]]
    keystrokes: object
    active_ms: object
    errors: list[str]
    longest: int
    rows: int


class EditForm(ScreenForm):
    """Fields `output<place>-text`, `-outcome`, `-keystrokes` and `-active_ms`.

    texts: the outputs in their order on the screen. outcomes: which of `Outcome` are offered.
    """

    # For the list of keys: each with what it does.
    KEYS = (
        (("1",), _("into the text")),
        (("2", "3"), _("the other answers, in their order")),
        (("Esc",), _("out of the text")),
        (("Ctrl+Z", "Ctrl+Y"), _("in the text: undo, redo")),
        (("Ctrl+Enter",), _("in the text: submit and go on")),
        (("j", "k"), _("next question, question before")),
    )

    def __init__(self, texts, *, outcomes, asks, language, **kwargs):
        super().__init__(**kwargs)
        self.originals = [same_lines(text) for text in texts]
        self.outcomes = outcomes
        self.asks = ASKS[asks]
        self.unit = unit(language)
        self.choices = [(outcome, WORDS[Outcome(outcome)]) for outcome in outcomes]
        for place in range(1, len(self.originals) + 1):
            self.fields[f"output{place}-text"] = TextField(
                required=False, label=_("The corrected text")
            )
            self.fields[f"output{place}-outcome"] = forms.ChoiceField(
                choices=self.choices,
                required=False,
                label=_("What became of the text"),
                error_messages={"invalid_choice": _("That is not one of the answers.")},
            )
            self.fields[f"output{place}-keystrokes"] = CountField(required=False)
            self.fields[f"output{place}-active_ms"] = CountField(required=False)

    class Media:
        js = [forms.Script("js/protocols/post-editing.js", type="module")]

    def clean(self):
        cleaned = super().clean() or {}
        for place, original in enumerate(self.originals, 1):
            text, outcome = f"output{place}-text", f"output{place}-outcome"
            if outcome in cleaned:
                found = self.settle(original, cleaned[text], cleaned[outcome])
                if isinstance(found, tuple):
                    cleaned[outcome], cleaned[text] = found
                else:
                    self.add_error(text, found)
        return cleaned

    def settle(self, original: str, text: str, outcome: str):
        """Return (outcome, text) to be stored, or what is wrong. An unchanged text is stored as it
        was, and one that was given up is not."""
        same = text.strip() == original.strip()
        if not same and (problem := self.problem_with(original, text)):
            return problem
        if not outcome and same:
            return _("Correct the text, or say that it needs no correction.")
        if not outcome:
            return str(Outcome.EDITED), text
        if outcome == Outcome.EDITED and same:
            return _("You chose “Edited”, but the text is as it was.")
        if outcome == Outcome.NO_CORRECTION and not same:
            return _("You chose “No correction needed”, but the text was changed.")
        if outcome == Outcome.UNABLE and not same:
            return _("You chose “Unable to correct”, but the text was changed.")
        if outcome == Outcome.EDITED:
            return outcome, text
        return outcome, original if outcome == Outcome.NO_CORRECTION else ""

    def problem_with(self, original: str, text: str):
        if not text.strip():
            return _("The text is empty. Write what the translation should say.")
        if len(text) > self.longest(original):
            return _("The text is too long: at most %(n)s characters fit here.") % {
                "n": self.longest(original)
            }
        if set(CONTROL.findall(text)) - set(original):
            return _("The text contains a character that cannot be shown. Type it again.")
        return ""

    @staticmethod
    def longest(original: str) -> int:
        return 4 * len(original) + ROOM_TO_EDIT

    def editors(self) -> list[Editor]:
        """Return for the template, one for each place."""
        return [self.editor(place, original) for place, original in enumerate(self.originals, 1)]

    def editor(self, place: int, original: str) -> Editor:
        text, outcome, keystrokes, active_ms = (
            self[f"output{place}-{name}"] for name in ("text", "outcome", "keystrokes", "active_ms")
        )
        value = text.value()
        chosen = str(outcome.value() or "")
        return Editor(
            place=place,
            name=f"output{place}",
            original=original,
            value=original if value is None else value,
            choices=[
                (choice, words, str(key), "checked" if choice == chosen else "")
                for key, (choice, words) in enumerate(self.choices, 1)
            ],
            keystrokes=keystrokes.value() or 0,
            active_ms=active_ms.value() or 0,
            errors=[*text.errors, *outcome.errors],
            longest=self.longest(original),
            rows=max(3, min(16, len(original) // 60 + original.count("\n") + 2)),
        )
