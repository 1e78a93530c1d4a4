"""The form of a screen, and what templates expect of every form."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django import forms

from .model_questions import ModelQuestion, of_fields


class ScreenForm(forms.Form):
    """Defaults, which each protocol's form overrides."""

    dimensions: tuple = ()
    anchors_once = False
    digits_alone = False
    """Whether the digit of a choice is its value, or the screen explains the digits once."""
    side_by_side = False
    document = False

    @property
    def KEYS(self) -> Sequence[Any]:
        """(keys, what they do) for the list of keys."""
        return ()

    @cached_property
    def compact(self) -> bool:
        """Whether outputs are rows."""
        return False

    @cached_property
    def pieces(self) -> dict[int, list[Any]]:
        """For each place from 1, the pieces of its text with the different ones underlined."""
        return {}

    def model_texts(self, texts: Sequence[str]) -> Sequence[str]:
        """Return the judged text of each place, given the outputs there."""
        return texts

    def model_context(self) -> Sequence[tuple[str, str]]:
        """Return (heading, text) of the other texts on the screen."""
        return ()

    def model_questions(self) -> list[ModelQuestion]:
        """Return the questions for a language model that judges instead of a person."""
        return of_fields(self)
