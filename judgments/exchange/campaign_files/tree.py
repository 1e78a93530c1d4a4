"""Puts a tree together from what a reader meets, no larger and no deeper than it may be.

The readers of YAML and JSON tell it of every value in turn. It holds no recursion: how deep a file
is does not matter to it before it is too deep.
"""

from __future__ import annotations

import math

from judgments.judging.practice.practice import is_text

from .nodes import MOST_DEPTH, MOST_NODES, BadCampaignFile, Fault, FilePlace, Node, Scalar

LARGEST_NUMBER = 10**15


def refuse(place: FilePlace | None, reason: str) -> BadCampaignFile:
    """What to raise for a file that cannot be read on."""
    line, column = place or (0, 0)
    return BadCampaignFile([Fault(line, column, "", reason)])


class Tree:
    def __init__(self) -> None:
        self.root: Node | None = None
        self.open: list[Node] = []
        self.pending: list[tuple[str, FilePlace] | None] = []  # the key that waits for its value

    def scalar(self, value: Scalar, place: FilePlace) -> Node:
        if isinstance(value, str) and not is_text(value):
            raise refuse(place, "a text holds a character that cannot be stored.")
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and not (math.isfinite(value) and abs(value) <= LARGEST_NUMBER):  # type: ignore[arg-type]
            raise refuse(place, "a number is too large.")
        return self.put(Node(value, place))

    def begin(self, value: list | dict, place: FilePlace) -> Node:
        if len(self.open) >= MOST_DEPTH:
            raise refuse(place, f"more than {MOST_DEPTH} levels within each other.")
        node = Node(value, place)
        self.open.append(node)
        self.pending.append(None)
        return node

    def end(self) -> Node:
        node = self.open.pop()
        self.pending.pop()
        inner = [each for _, each in node.children]
        node.n = 1 + sum(each.n for each in inner)
        node.height = 1 + max((each.height for each in inner), default=0)
        return self.put(node)

    @property
    def wants_key(self) -> bool:
        inside_mapping = bool(self.open) and isinstance(self.open[-1].value, dict)
        return inside_mapping and self.pending[-1] is None

    def key(self, name: str, place: FilePlace) -> None:
        node = self.open[-1]
        if not is_text(name):
            raise refuse(place, "a key holds a character that cannot be stored.")
        if name in node.keys:
            first = node.keys[name].line
            raise refuse(place, f"“{name[:60]}” is here twice; the first is in line {first}.")
        node.keys[name] = place
        self.pending[-1] = (name, place)

    def put(self, node: Node) -> Node:
        """A whole value, into what is open."""
        if len(self.open) + node.height > MOST_DEPTH:
            raise refuse(node.place, f"more than {MOST_DEPTH} levels within each other.")
        if not self.open:
            if self.root is not None:
                raise refuse(node.place, "a file describes one campaign; here a second begins.")
            self.root = node
            return node
        above = self.open[-1]
        above.n += node.n
        if sum(each.n for each in self.open) > MOST_NODES:
            raise refuse(node.place, f"the file holds more than {MOST_NODES:,} values.")
        if isinstance(above.value, list):
            above.value.append(node)
        elif isinstance(above.value, dict):
            waiting = self.pending[-1]
            assert waiting is not None
            above.value[waiting[0]] = node
            self.pending[-1] = None
        return node
