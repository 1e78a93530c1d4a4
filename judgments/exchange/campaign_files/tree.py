"""Builds a tree from the values that a reader finds, with limits on size and depth.

The readers of YAML and JSON pass every value in turn. It uses no recursion, so the depth of a file
is no problem before it exceeds the limit.
"""

from __future__ import annotations

from typing import Any

from judgments.judging.practice.practice import is_text

from .nodes import (
    MOST_DEPTH,
    MOST_NODES,
    NOWHERE,
    BadCampaignFile,
    Fault,
    FileList,
    FileMapping,
    FilePlace,
    Placed,
    Scalar,
)

LARGEST_NUMBER = 10**15


def refuse(reason: str, place: FilePlace = NOWHERE) -> BadCampaignFile:
    """Return the exception for a file that cannot be read further."""
    return BadCampaignFile([Fault(*place, "", reason)])


def too_deep(place: FilePlace) -> BadCampaignFile:
    return refuse(f"more than {MOST_DEPTH} nested levels.", place)


class Tree:
    def __init__(self) -> None:
        self.root: FileMapping | None = None
        self.open: list[FileMapping | FileList] = []

    def scalar(self, value: Scalar, place: FilePlace, written: str = "") -> None:
        """Add a text, a number or a word; `written` is a number as the file has it."""
        if isinstance(value, str) and not is_text(value):
            raise refuse("a text contains a character that cannot be stored.", place)
        if isinstance(value, int | float) and not abs(value) <= LARGEST_NUMBER:  # nor NaN
            raise refuse("a number is too large.", place)
        above = self.open[-1] if self.open else None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and isinstance(above, FileMapping) and f"{value}" != written:
            above.written[f"{above.waiting}"] = written
        self.put(value, place)

    def alias(self, value: Any, place: FilePlace, written: str) -> None:
        """Add a value that has been read before."""
        if isinstance(value, Placed):
            self.put(value, place)
        else:
            self.scalar(value, place, written)

    def begin(self, inner: FileMapping | FileList) -> None:
        if len(self.open) == MOST_DEPTH:
            raise too_deep(inner.place)
        self.open.append(inner)

    def end(self) -> FileMapping | FileList:
        inner = self.open.pop()
        self.put(inner, inner.place)
        return inner

    @property
    def wants_key(self) -> bool:
        above = self.open[-1] if self.open else None
        return isinstance(above, FileMapping) and above.waiting is None

    def key(self, name: str, place: FilePlace) -> None:
        above = self.open[-1]
        assert isinstance(above, FileMapping)
        if not is_text(name):
            raise refuse("a key contains a character that cannot be stored.", place)
        if name in above.keys_at:
            first = above.keys_at[name].line
            raise refuse(f"“{name[:60]}” occurs twice; the first is in line {first}.", place)
        above.keys_at[name] = place
        above.waiting = name

    def put(self, value: Any, place: FilePlace) -> None:
        """Add a whole value to the innermost open list or mapping."""
        n, height = (value.n, value.height) if isinstance(value, Placed) else (1, 0)
        if len(self.open) + height > MOST_DEPTH:  # possible for the value of an alias
            raise too_deep(place)
        if not self.open:
            self.put_root(value, place)
            return
        above = self.open[-1]
        above.n += n
        above.height = max(above.height, height + 1)
        if sum(each.n for each in self.open) > MOST_NODES:
            raise refuse(f"the file contains more than {MOST_NODES:,} values.", place)
        if isinstance(above, FileList):
            above.append(value)
            name = f"{len(above)}"
        else:
            assert above.waiting is not None
            name, above.waiting = above.waiting, None
            above[name] = value
        above.places[name] = place

    def put_root(self, value: Any, place: FilePlace) -> None:
        if self.root is not None:
            raise refuse("a file describes one campaign; a second one begins here.", place)
        if not isinstance(value, FileMapping):
            raise refuse("a campaign is a mapping, such as “name: …”.", place)
        self.root = value
