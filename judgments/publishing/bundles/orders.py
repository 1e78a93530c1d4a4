"""In which order the observations of a judgment were stored.

What is hashed has them sorted, and resampling draws them in the order of their numbers. So a bundle
says where the two orders differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judgments.models import Campaign, Judgment
from judgments.models.chains.canonical import canonical
from judgments.models.chains.content import COLUMNS
from judgments.models.chains.judgment_rows import MODELS

ORDERS = "orders"
AT_ONCE = 2000


def order_objects(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Yield for each judgment and kind whose order is another: the places that its sorted rows
    had."""
    stored = Judgment.objects.filter(campaign=campaign).order_by("pk")
    ids = list(stored.values_list("pk", flat=True))
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        found: dict[int, dict[str, list[int]]] = {}
        for kind, columns in COLUMNS.items():
            for pk, places in _places(kind, columns, some):
                found.setdefault(pk, {})[kind] = places
        for pk in sorted(found):
            yield {"judgment": pk, **found[pk]}


def _places(kind: str, columns: tuple, ids: list[int]) -> Iterator[tuple[int, list[int]]]:
    rows = MODELS[kind]._default_manager.filter(judgment__in=ids).order_by("pk")
    said: dict[int, list[str]] = {}
    for pk, *row in rows.values_list("judgment_id", *columns):
        said.setdefault(pk, []).append(canonical(row))
    for pk, texts in said.items():
        places = sorted(range(len(texts)), key=texts.__getitem__)
        if places != list(range(len(texts))):
            yield pk, places


def as_stored(rows: list, places: list[int]) -> list:
    """Sorted rows in the order in which they were stored. Raise ValueError for places of others."""
    if sorted(places) != list(range(len(rows))):
        raise ValueError("the order of observations does not fit them")
    found = [None] * len(rows)
    for row, place in zip(rows, places, strict=True):
        found[place] = row
    return found
