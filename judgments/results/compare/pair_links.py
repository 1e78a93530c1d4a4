"""Addresses of two systems side by side, for whatever stands for a pair: rows, cells, words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext_lazy

from ..segments.links import with_parts

if TYPE_CHECKING:
    from judgments.results.selection.selection import Selection


TO_PAIR = gettext_lazy("A cell leads to the two systems.")


def to_pair(selection: Selection, first: str, second: str, **asked: object) -> str:
    """Return the page of two systems, by name. ``asked``: dimension, and low and high, between
    which the differences of the listed segments lie."""
    parts = {"a": first, "b": second} | asked
    said = [(key, str(value)) for key, value in parts.items() if value not in (None, "")]
    address = reverse("compare", args=[selection.campaign.pk])
    return with_parts(address, [*said, *selection.address])
