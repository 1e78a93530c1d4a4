"""A file as a tree of values, each of which knows where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Union

Scalar = str | int | float | bool | None
Value = Union[Scalar, "list[Node]", "dict[str, Node]"]

LARGEST = 4_000_000  # characters
MOST_DEPTH = 20  # lists and mappings within each other
MOST_NODES = 200_000  # values, those of an alias as often as it is written
MOST_FAULTS = 100  # that are told; there may be more


class FilePlace(NamedTuple):
    """Line and column of a file as an editor numbers them, from 1."""

    line: int
    column: int


@dataclass(frozen=True)
class Fault:
    """What is wrong, and where. line and column: 0 where no place in the file is meant; path: where
    in the document, such as `plan.seats`; file: "" for the campaign's file itself."""

    line: int
    column: int
    path: str
    reason: str
    file: str = ""

    def __str__(self) -> str:
        places = [f"line {self.line}"] if self.line else []
        places += [self.path] if self.path else []
        return ": ".join(filter(None, (", ".join(places), self.file, self.reason)))


class BadCampaignFile(ValueError):
    """A file that makes no campaign; `faults` are all that was found, in the file's order."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = sorted(faults, key=lambda f: (f.file, f.line, f.column))
        super().__init__("\n".join(map(str, self.faults)))


@dataclass(slots=True)
class Node:
    """A value. keys: where the keys of a mapping stand. n: how many values there are in it, itself
    among them; height: how many lists and mappings lie within each other."""

    value: Value
    place: FilePlace
    keys: dict[str, FilePlace] = field(default_factory=dict)
    n: int = 1
    height: int = 0

    @property
    def children(self) -> Iterator[tuple[str, Node]]:
        """(name or number from 1, value) of what is in a mapping or a list."""
        if isinstance(self.value, dict):
            yield from self.value.items()
        elif isinstance(self.value, list):
            yield from ((str(n), each) for n, each in enumerate(self.value, 1))

    def get(self, key: str) -> Node | None:
        return self.value.get(key) if isinstance(self.value, dict) else None

    def plain(self) -> Any:
        """The value without its places."""
        if isinstance(self.value, dict):
            return {key: each.plain() for key, each in self.value.items()}
        if isinstance(self.value, list):
            return [each.plain() for each in self.value]
        return self.value

    def at(self, *path: str) -> FilePlace:
        """Where something in it stands; the nearest to it that there is, where there is nothing."""
        node = self
        for step in path:
            found = dict(node.children).get(step)
            if found is None:
                break
            node = found
        return node.place


class FoundFaults:
    """Collects what is wrong."""

    def __init__(self) -> None:
        self.all: list[Fault] = []

    def __bool__(self) -> bool:
        return bool(self.all)

    def add(self, place: FilePlace | None, path: str, reason: str, file: str = "") -> None:
        if len(self.all) < MOST_FAULTS:
            line, column = place or (0, 0)
            fault = Fault(line, column, path, reason, file)
            if fault not in self.all:
                self.all.append(fault)


def within(path: str, key: str) -> str:
    """`plan` and `seats` → `plan.seats`."""
    return f"{path}.{key}" if path else key
