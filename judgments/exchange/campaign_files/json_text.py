"""JSON → a tree. Python's own reader checks the JSON; then it is read token by token, so that every
value knows its line."""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from .nodes import MOST_DEPTH, FileList, FileMapping, FilePlace
from .tree import Tree, refuse, too_deep

# A text, to the end of the file if nothing closes it; a bracket; a number or a word.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[][{}]|[^][{}:,"\s]+', re.DOTALL)
STEPS = {"{": 1, "[": 1, "}": -1, "]": -1}
NO_JSON = ("NaN", "Infinity", "-Infinity")  # accepted by Python
LONGEST_NUMBER = 18  # digits; of more, the beginning is enough to see that it is too large
WORDS = {
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting ',' delimiter": "a comma or the end is missing",
    "Expecting property name enclosed in double quotes": "a key in quotes is missing",
    "Extra data": "something follows after the end",
}


def whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= LONGEST_NUMBER else float(digits)


SCALARS = json.JSONDecoder(parse_int=whole)


def read_json(text: str) -> FileMapping:
    """Return the tree of a text. Raise BadCampaignFile for invalid JSON."""
    lines = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(at: int) -> FilePlace:
        line = bisect_right(lines, at)
        return FilePlace(line, at - lines[line - 1] + 1)

    if not text.strip():
        raise refuse("the file is empty.")
    depth = 0
    for token in TOKEN.finditer(text):
        depth += STEPS.get(token[0], 0)
        if depth > MOST_DEPTH:
            raise too_deep(place(token.start()))
        if token[0] in NO_JSON:
            reason = f"this is not JSON: {token[0][0]!r} cannot begin a value."
            raise refuse(reason, place(token.start()))
    try:
        json.loads(text, parse_int=float)
    except json.JSONDecodeError as error:
        raise refuse(f"this is not JSON: {reason_of(error)}.", place(error.pos)) from None
    tree = Tree()
    for token in TOKEN.finditer(text):
        put(token[0], tree, place(token.start()))
    assert tree.root is not None
    return tree.root


def reason_of(error: json.JSONDecodeError) -> str:
    mark = error.doc[error.pos : error.pos + 1]
    if error.msg.startswith("Illegal trailing comma") or (
        mark in ("}", "]") and error.doc[: error.pos].rstrip().endswith(",")
    ):
        return "nothing follows the comma"
    if error.msg == "Expecting value":
        return f"{mark!r} cannot begin a value" if mark else "a value is missing"
    return WORDS.get(error.msg, f"{error.msg[0].lower()}{error.msg[1:]}")


def put(mark: str, tree: Tree, place: FilePlace) -> None:
    """Add the next token to the tree."""
    if mark in ("{", "["):
        tree.begin((FileMapping if mark == "{" else FileList)(place))
    elif mark in ("}", "]"):
        tree.end()
    elif tree.wants_key:
        tree.key(SCALARS.decode(mark), place)
    else:
        tree.scalar(SCALARS.decode(mark), place, mark)
