"""A file as a tree of plain values, whose mappings and lists know their places in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Scalar = str | int | float | bool | None

LARGEST = 4_000_000  # characters
MOST_DEPTH = 20  # nested lists and mappings
MOST_NODES = 200_000  # values, including those of an alias each time it is used
MOST_FAULTS = 100  # reported faults; there may be more


class FilePlace(NamedTuple):
    """Line and column of a file as an editor numbers them, from 1; 0 for no place."""

    line: int
    column: int


NOWHERE = FilePlace(0, 0)


class Placed:
    """Data of a mapping or list. places: of the values in it, by their keys or numbers from 1. n:
    how many values it contains, including itself; height: depth of nested lists and mappings."""

    def __init__(self, place: FilePlace) -> None:
        super().__init__()
        self.place = place
        self.places: dict[str, FilePlace] = {}
        self.n = 1
        self.height = 1

    def __repr__(self) -> str:
        """Return a text without the content: an alias may repeat a long text a hundred thousand
        times."""
        return f"{type(self).__name__} at {self.place}"


class FileMapping(Placed, dict[str, Any]):
    """keys_at: places of the keys. waiting: a key that was read before its value. written: numbers
    as the file has them, by their keys, where Python writes them otherwise: 007, 1.50."""

    def __init__(self, place: FilePlace) -> None:
        super().__init__(place)
        self.keys_at: dict[str, FilePlace] = {}
        self.waiting: str | None = None
        self.written: dict[str, str] = {}


class FileList(Placed, list[Any]):
    """A list of a file."""


def place_in(root: Any, path: Sequence[str]) -> FilePlace:
    """Return the place of a value; if it does not exist, of the nearest one above it."""
    place = getattr(root, "place", NOWHERE)
    for step in path:
        if not isinstance(root, Placed) or step not in root.places:
            break
        place = root.places[step]
        root = root[step] if isinstance(root, FileMapping) else root[int(step) - 1]  # type: ignore[index]
    return place


@dataclass(frozen=True)
class Fault:
    """An error and its place. line and column: 0 for no place in the file; path: place in the
    document, such as `plan.seats`."""

    line: int
    column: int
    path: str
    reason: str

    def __str__(self) -> str:
        place = ", ".join(filter(None, (f"line {self.line}" if self.line else "", self.path)))
        return f"{place}: {self.reason}" if place else self.reason


class BadCampaignFile(ValueError):
    """A file from which no campaign can be created; `faults` are all errors found, in the file's
    order."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = sorted(faults, key=lambda fault: (fault.line, fault.column))
        super().__init__("\n".join(map(str, self.faults)))


def within(path: str, key: str) -> str:
    """Return `plan.seats` for `plan` and `seats`; the key may be empty."""
    return ".".join(filter(None, (path, key)))
