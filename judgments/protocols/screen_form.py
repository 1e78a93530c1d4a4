"""The form of a screen, and what its templates ask every such form."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django import forms

from .model_questions import ModelQuestion, of_fields


class ScreenForm(forms.Form):
    """Each protocol's form overrides what it has."""

    dimensions: tuple = ()
    anchors_once = False
    digits_alone = False
    """Whether the digit of a choice says which one it is, or the screen explains it once."""
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
        """Per place from 1 the pieces of its text, of which those that differ are underlined."""
        return {}

    def model_texts(self, texts: Sequence[str]) -> Sequence[str]:
        """Return what is judged at each place, given the outputs there."""
        return texts

    def model_context(self) -> Sequence[tuple[str, str]]:
        """Return (heading, text) of what else the screen shows to be read."""
        return ()

    def model_questions(self) -> list[ModelQuestion]:
        """Return what a language model is asked instead of a person."""
        return of_fields(self)
