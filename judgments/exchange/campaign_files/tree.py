"""Puts a tree together from what a reader meets, no larger and no deeper than it may be.

The readers of YAML and JSON tell it of every value in turn. It holds no recursion: how deep a file
is does not matter to it before it is too deep.
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
    """Return what to raise for a file that cannot be read on."""
    return BadCampaignFile([Fault(*place, "", reason)])


def too_deep(place: FilePlace) -> BadCampaignFile:
    return refuse(f"more than {MOST_DEPTH} nested levels.", place)


class Tree:
    def __init__(self) -> None:
        self.root: FileMapping | None = None
        self.open: list[FileMapping | FileList] = []

    def scalar(self, value: Scalar, place: FilePlace) -> None:
        if isinstance(value, str) and not is_text(value):
            raise refuse("a text contains a character that cannot be stored.", place)
        if isinstance(value, int | float) and not abs(value) <= LARGEST_NUMBER:  # nor NaN
            raise refuse("a number is too large.", place)
        self.put(value, place)

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
        """A whole value, into what is open."""
        n, height = (value.n, value.height) if isinstance(value, Placed) else (1, 0)
        if len(self.open) + height > MOST_DEPTH:  # as that of an alias may be
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
