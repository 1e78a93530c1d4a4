"""JSON → a tree, token by token, so that every value knows its line."""

from __future__ import annotations

import re
from bisect import bisect_right
from json import JSONDecodeError
from json.decoder import scanstring  # type: ignore[attr-defined]

from .nodes import FileList, FileMapping, FilePlace, Scalar
from .tree import Tree, refuse

SPACE = re.compile(r"[ \t\n\r]*")
NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?", re.ASCII)
WORD = re.compile(r"true|false|null")
WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}
OPENS: dict[str, type[FileMapping] | type[FileList]] = {"{": FileMapping, "[": FileList}
CLOSES = {"}": FileMapping, "]": FileList}


def read_json(text: str) -> FileMapping:
    """Raises BadCampaignFile for what is no JSON."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self.tree = Tree()

    def place(self) -> FilePlace:
        line = bisect_right(self.lines, self.at)
        return FilePlace(line, self.at - self.lines[line - 1] + 1)

    def wrong(self, reason: str):
        return refuse(f"this is not JSON: {reason}.", self.place())

    def peek(self) -> str:
        """The next character that is no space; "" at the end."""
        self.at = SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
        return self.text[self.at : self.at + 1]

    def read(self) -> FileMapping:
        if not self.peek():
            raise refuse("the file is empty.")
        self.value()
        while self.tree.open:
            self.member()
        if self.peek():
            raise self.wrong("something follows after the end")
        assert self.tree.root is not None
        return self.tree.root

    def member(self) -> None:
        """The next value of what is open, with its key, or its end."""
        above = self.tree.open[-1]
        mark = self.peek()
        if CLOSES.get(mark) is type(above):
            self.at += 1
            self.tree.end()
            return
        if above:
            if mark != ",":
                raise self.wrong("a comma or the end is missing")
            self.at += 1
            if self.peek() in CLOSES:
                raise self.wrong("nothing follows the comma")
        if isinstance(above, FileMapping):
            if self.peek() != '"':
                raise self.wrong("a key in quotes is missing")
            place = self.place()
            self.tree.key(self.string(), place)
            if self.peek() != ":":
                raise self.wrong("a colon is missing")
            self.at += 1
        self.value()

    def value(self) -> None:
        mark, place = self.peek(), self.place()
        if mark in OPENS:
            self.tree.begin(OPENS[mark](place))
            self.at += 1
        elif mark == '"':
            self.tree.scalar(self.string(), place)
        elif match := NUMBER.match(self.text, self.at):
            self.at = match.end()
            whole = match[2] is None and match[3] is None
            self.tree.scalar(int(match[0]) if whole else float(match[0]), place)
        elif match := WORD.match(self.text, self.at):
            self.at = match.end()
            self.tree.scalar(WORDS[match[0]], place)
        else:
            raise self.wrong("a value is missing" if not mark else f"{mark!r} begins no value")

    def string(self) -> str:
        try:
            text, self.at = scanstring(self.text, self.at + 1, True)
        except JSONDecodeError as error:
            self.at = error.pos
            raise self.wrong(f"{error.msg[0].lower()}{error.msg[1:]}") from None
        return text
