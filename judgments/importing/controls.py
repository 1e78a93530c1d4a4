"""Screens with a control among other outputs, told by the kinds of their rows."""

from collections.abc import Mapping
from typing import TypeVar

from judgments.models import Kind

T = TypeVar("T")
REGULAR = Kind.REGULAR.value
MIXED = (
    "the outputs of an item are of one kind, or all are regular but one, which is a control; those "
    "of the item that starts here are not."
)


def control_among(kinds: Mapping[T, str]) -> tuple[str, T | None, str]:
    """Return the kind of an item, which of its outputs is a control among regular ones (None: none
    is), and of what kind that one is. kinds: of each output on the screen, of which there is one.

    Raises ValueError for outputs of other mixtures.
    """
    first, *others = dict.fromkeys(kinds.values())
    if not others:
        return first, None, ""
    controls = [output for output, kind in kinds.items() if kind != REGULAR]
    if len(controls) > 1:
        raise ValueError(MIXED)
    return REGULAR, controls[0], kinds[controls[0]]
