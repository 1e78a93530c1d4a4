"""Keys of one's own: which letter a command of the judging screen has for one person."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _text
from django.utils.translation import gettext_lazy as _

# By their usual letters, which scripts know; a person's own are put there by judging/own-keys.js.
COMMANDS = {
    "j": _("go to the next question"),
    "k": _("go to the question before"),
    "p": _("previous item, to revise it"),
    "n": _("next item, without submitting"),
    "x": _("skip or flag this item"),
    "s": _("hide or show the source"),
    "r": _("hide or show the reference"),
    "y": _("several translations as a table, or one after the other"),
    "v": _("the other half of the screen (a low window shows one at a time)"),
    "i": _("instructions"),
    "f": _("find a word by its first letters; then a digit or capital shown there, or Enter"),
    "w": _("by words or by characters"),
    "a": _("to the source, and back"),
    "m": _("something is missing"),
    "t": _("not a translation"),
    "c": _("choose the category: by the letters that are shown, Escape goes back"),
    "e": _("the kind of error used last, again"),
    "l": _("play or pause the source"),
    "b": _("back 3 seconds"),
}
FIXED = "d"  # deletes an error also while letters choose a category


def pairs_of(own_keys: str) -> dict[str, str]:
    """Return the own letters by the usual ones, from what is stored: "ju xq"."""
    return {pair[0]: pair[1] for pair in own_keys.split()}


class OwnKeysForm(forms.Form):
    """A letter for each command. `stored`: the settings' `own_keys`."""

    def __init__(self, data: Any = None, *, stored: str = ""):
        own = pairs_of(stored)
        super().__init__(
            data, initial={f"key_{usual}": own.get(usual, usual) for usual in COMMANDS}
        )
        for usual, words in COMMANDS.items():
            self.fields[f"key_{usual}"] = forms.CharField(
                label=words,
                max_length=1,
                widget=forms.TextInput(
                    attrs={"autocapitalize": "off", "autocomplete": "off", "spellcheck": "false"}
                ),
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        taken: dict[str, str] = {}
        for usual, words in COMMANDS.items():
            name = f"key_{usual}"
            key = cleaned[name] = cleaned.get(name, "").lower()
            values = {"key": key, "command": words}
            if not key:
                continue
            if len(key) != 1 or not key.isalpha():
                self.add_error(name, _text("“%(key)s” is not a letter.") % values)
            elif key == FIXED:
                self.add_error(
                    name, _text("“%(key)s” deletes errors and underlines differences.") % values
                )
            elif key in taken:
                values["command"] = taken[key]
                self.add_error(
                    name, _text("“%(key)s” is already the key for “%(command)s”.") % values
                )
            taken.setdefault(key, str(words))
        return cleaned

    @property
    def own_keys(self) -> str:
        """What is stored: only the letters that differ."""
        keys = {usual: self.cleaned_data[f"key_{usual}"] for usual in COMMANDS}
        return " ".join(usual + key for usual, key in keys.items() if key != usual)
