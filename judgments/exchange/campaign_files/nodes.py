"""A file as a tree of plain values, whose mappings and lists know where each stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Scalar = str | int | float | bool | None

LARGEST = 4_000_000  # characters
MOST_DEPTH = 20  # lists and mappings within each other
MOST_NODES = 200_000  # values, those of an alias as often as it is written
MOST_FAULTS = 100  # that are told; there may be more


class FilePlace(NamedTuple):
    """Line and column of a file as an editor numbers them, from 1; 0 where no place is meant."""

    line: int
    column: int


NOWHERE = FilePlace(0, 0)


class Placed:
    """What a mapping and a list know. places: of the values in it, by their keys or numbers from 1.
    n: how many values there are in it, itself among them; height: how many lists and mappings lie
    within each other."""

    def __init__(self, place: FilePlace) -> None:
        super().__init__()
        self.place = place
        self.places: dict[str, FilePlace] = {}
        self.n = 1
        self.height = 1

    def __repr__(self) -> str:
        """Without what is in it: an alias may repeat a long text a hundred thousand times."""
        return f"{type(self).__name__} at {self.place}"


class FileMapping(Placed, dict[str, Any]):
    """keys_at: where the keys stand. waiting: a key that was read before its value."""

    def __init__(self, place: FilePlace) -> None:
        super().__init__(place)
        self.keys_at: dict[str, FilePlace] = {}
        self.waiting: str | None = None


class FileList(Placed, list[Any]):
    """A list of a file."""


def place_in(root: Any, path: Sequence[str]) -> FilePlace:
    """Return where something stands; the nearest to it that there is, where there is nothing."""
    place = getattr(root, "place", NOWHERE)
    for step in path:
        if not isinstance(root, Placed) or step not in root.places:
            break
        place = root.places[step]
        root = root[step] if isinstance(root, FileMapping) else root[int(step) - 1]  # type: ignore[index]
    return place


@dataclass(frozen=True)
class Fault:
    """What is wrong, and where. line and column: 0 where no place in the file is meant; path: where
    in the document, such as `plan.seats`."""

    line: int
    column: int
    path: str
    reason: str

    def __str__(self) -> str:
        place = ", ".join(filter(None, (f"line {self.line}" if self.line else "", self.path)))
        return f"{place}: {self.reason}" if place else self.reason


class BadCampaignFile(ValueError):
    """A file that makes no campaign; `faults` are all that was found, in the file's order."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = sorted(faults, key=lambda fault: (fault.line, fault.column))
        super().__init__("\n".join(map(str, self.faults)))


def within(path: str, key: str) -> str:
    """`plan` and `seats` → `plan.seats`; the key may be empty."""
    return ".".join(filter(None, (path, key)))
