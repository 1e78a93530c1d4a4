"""YAML → a tree. Plain words have the same meaning as in JSON: `no` is a text, and so is a date.

Only the events of the parser are used, one by one: no object is ever created from a tag, and `tree`
limits the size, counting aliases each time they are used.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from .nodes import NOWHERE, FileList, FileMapping, FilePlace, Scalar
from .tree import Tree, refuse

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Anchors = dict[str, tuple[Any, FilePlace, str]]  # values, places, and numbers as written
WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
WHOLE = re.compile(r"[-+]?[0-9]{1,18}", re.ASCII)
DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?", re.ASCII)


def read_yaml(text: str) -> FileMapping:
    """Return the tree of a text. Raise BadCampaignFile for invalid YAML, tags and cyclic
    aliases."""
    tree = Tree()
    anchors: Anchors = {}
    names: list[str | None] = []  # the anchor of each open list and mapping
    try:
        for event in yaml.parse(text, Loader=LOADER):
            _take(event, tree, anchors, names)
    except yaml.MarkedYAMLError as error:
        mark, why = problem_of(error, text)
        place = place_of(mark) if mark else NOWHERE
        raise refuse(f"this is not YAML: {why}.", place) from None
    except yaml.reader.ReaderError as error:
        position = error.position if isinstance(error.position, int) else 0
        line = text.count("\n", 0, position) + 1
        raise refuse("a character that no text file may contain.", FilePlace(line, 1)) from None
    if tree.root is None:
        raise refuse("the file is empty.")
    return tree.root


def problem_of(error: yaml.MarkedYAMLError, text: str) -> tuple[Any, str]:
    """Return the place and a plain message for the most frequent errors: tabs, and unclosed quotes
    and brackets."""
    mark = error.problem_mark or error.context_mark
    line = text.split("\n")[mark.line] if mark and mark.line < text.count("\n") + 1 else ""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return mark, "the line begins with a tab; write spaces"
    if error.context_mark and "end of stream" in f"{error.problem}":
        return error.context_mark, "a quotation mark is opened here and never closed"
    if error.context_mark and "a flow" in f"{error.context}":
        return error.context_mark, "after this bracket a comma or the closing bracket is missing"
    return mark, f"{error.problem or error.context}"


def place_of(mark: Any) -> FilePlace:
    return FilePlace(mark.line + 1, mark.column + 1)


def _take(event: Any, tree: Tree, anchors: Anchors, names: list[str | None]) -> None:
    place = place_of(event.start_mark)
    if getattr(event, "tag", None) not in (None, "!"):
        raise refuse(f"the tag {event.tag[:60]} is not accepted; leave it out.", place)
    if isinstance(event, yaml.ScalarEvent):
        if tree.wants_key:
            if event.anchor:
                raise refuse("a key cannot have an anchor.", place)
            tree.key(event.value, place)
            return
        is_plain = event.style in (None, "")
        value = plain_value(event.value) if is_plain else event.value
        tree.scalar(value, place, event.value)
        if event.anchor:
            anchors[event.anchor] = value, place, event.value
    elif isinstance(event, yaml.AliasEvent):
        if tree.wants_key:
            raise refuse("an alias cannot be a key; merge keys (<<) are not accepted.", place)
        if event.anchor in names or event.anchor not in anchors:
            raise refuse(f"*{str(event.anchor)[:60]} refers to nothing that ends before it.", place)
        tree.alias(*anchors[event.anchor])
    elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
        if tree.wants_key:
            raise refuse("a key is a text, not a list or a mapping.", place)
        kind = FileMapping if isinstance(event, yaml.MappingStartEvent) else FileList
        tree.begin(kind(place))
        names.append(event.anchor)
    elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
        inner, anchor = tree.end(), names.pop()
        if anchor:
            anchors[anchor] = inner, inner.place, ""


def plain_value(text: str) -> Scalar:
    """Return the value of a word without quotes, by the rules of JSON."""
    if text in WORDS:
        return WORDS[text]
    if WHOLE.fullmatch(text):
        return int(text)
    if DECIMAL.fullmatch(text):
        return float(text)
    return text
