"""Screens with a control among other outputs, recognized by the kinds of their rows."""

from collections.abc import Mapping
from typing import TypeVar

from judgments.models import Kind

T = TypeVar("T")
REGULAR = Kind.REGULAR.value
# Kinds of screens: one that is judged again may have a control of another kind on it.
OF_SCREENS = (REGULAR, Kind.REPEAT.value)
MIXED = (
    "the outputs of an item are of one kind, or all are regular (or all repeats) but one, which is "
    "a control; those of the item that starts here are not."
)


def control_among(kinds: Mapping[T, str]) -> tuple[str, T | None, str]:
    """Return the kind of an item, which of its outputs is a control among others (or None), and the
    kind of that one. kinds: of each output on the screen, of which there is one or more.

    Raise ValueError for other mixtures of kinds.
    """
    found = set(kinds.values())
    if len(found) == 1:
        return found.pop(), None, ""
    for kind in OF_SCREENS:
        others = [output for output in kinds if kinds[output] != kind]
        if len(others) == 1 and kinds[others[0]] != REGULAR:
            return kind, others[0], kinds[others[0]]
    raise ValueError(MIXED)
