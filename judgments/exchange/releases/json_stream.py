"""The JSON objects of a file one after the other, on separate lines, in a list, or in lists under
names, without reading the whole file at once."""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Collection, Iterator
from typing import Any

from judgments.files.jsonl import SURROGATE, unique_keys
from judgments.files.problem import ImportProblem
from judgments.files.uploads import PIECE, ReleaseFile

from .records import Problems

MOST_DIGITS = 18  # of a whole number
LARGEST_OBJECT = 16 * 2**20  # characters
LONGEST_ELEMENT = 32 * 2**20
IN_STRING, OUTSIDE = re.compile(r'["\\]'), re.compile(r'["{}\[\]]')
BETWEEN = " \t\r\n,["
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
LISTED = re.compile(r"\s*\[\s*[{\]]")
NAMED = re.compile(r'\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*\[\s*\{')


class CutShort(ValueError):
    """The reason why the objects of a file cannot be read further."""


def decoded(text: str) -> Any:
    """Return JSON of texts and numbers that can be stored. Raise ValueError with a message."""
    try:
        found = DECODER.decode(text)
        if "\\" in text:
            _check_texts(found)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return found


def _whole_number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("a number is too large")
    return int(digits)


def _decimal(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not a JSON value")


DECODER = json.JSONDecoder(
    object_pairs_hook=unique_keys,
    parse_int=_whole_number,
    parse_float=_decimal,
    parse_constant=_no_constant,
)


def _check_texts(value: Any) -> None:
    """Raise ValueError for texts that cannot be stored: escapes can encode half a surrogate pair,
    which UTF-8 cannot contain, and NUL."""
    if isinstance(value, dict):
        for name, inner in value.items():
            _check_texts(name)
            _check_texts(inner)
    elif isinstance(value, list):
        for inner in value:
            _check_texts(inner)
    elif isinstance(value, str) and ("\0" in value or SURROGATE.search(value)):
        raise ValueError("a text has a character that cannot be stored")


def objects(
    file: ReleaseFile, problems: Problems, keys: Collection[str]
) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield (number from 1, the name of its list, object). The number of an object is that of its
    line if each is on its own line. keys: of the objects, which are no names of lists. Invalid JSON
    is added to the problems. Raise ImportProblem for a file that cannot be read further."""
    head = file.head().decode("utf-8-sig", errors="ignore")
    named = NAMED.match(head)
    depth = 2 if named and named[1] not in keys else 1 if LISTED.match(head) else 0
    name = ""
    try:
        for number, (before, text) in enumerate(_cut(file, depth, LARGEST_OBJECT), 1):
            names = STRING.findall(before)
            try:
                if depth == 2 and names:
                    name = decoded(names[-1])
                found = decoded(text)
            except ValueError as error:
                reason = f"not a JSON object: {error}."
                problems.add(ImportProblem(file.path, number, "", reason))
                continue
            yield number, name, found
    except CutShort as error:
        raise ImportProblem(file.path, None, "", str(error)) from None


def elements(file: ReleaseFile) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file that is one list, with any numbers and texts. Raise ImportProblem
    for invalid JSON, and for an object that is too long."""
    n = 0
    try:
        for before, text in _cut(file, 1, LONGEST_ELEMENT):
            if before.strip(BETWEEN):
                raise ValueError("something else is between them")
            found = json.loads(text)
            n += 1
            yield found
    except (ValueError, RecursionError):
        reason = f"element {n + 1:,} of the file is not JSON, or longer than can be read."
        raise ImportProblem(file.name, None, "", reason) from None


def _cut(file: ReleaseFile, depth: int, longest: int) -> Iterator[tuple[str, str]]:
    """Yield (the text since the previous object, object) of everything in braces at a depth. Raise
    CutShort."""
    level, in_string, at = 0, False, 0
    before, kept = "", ""  # text not yet cut
    start = -1  # of the object within `kept`
    for piece in texts_of(file):
        kept += piece
        while found := (IN_STRING if in_string else OUTSIDE).search(kept, at):
            sign, at = found[0], found.end()
            if sign == "\\":
                if at == len(kept):  # the escaped character is in the next piece
                    at -= 1
                    break
                at += 1
            elif sign == '"':
                in_string = not in_string
            elif sign in "{[":
                if level == depth and sign == "{":
                    before, start = kept[: at - 1], at - 1
                level += 1
            else:
                level -= 1
                if level == depth and start >= 0 and sign == "}":
                    yield before, kept[start:at]
                    kept, at, start = kept[at:], 0, -1
        else:
            at = len(kept)
        if len(kept) > longest:
            raise CutShort("it contains an object of over 16 MB.")
    if level or in_string:
        raise CutShort("the file ends within an object.")


def texts_of(file: ReleaseFile) -> Iterator[str]:
    """Yield the text of a file, piece by piece. Raise ImportProblem for anything but UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    with file.open() as stream:
        while piece := stream.read(PIECE):
            try:
                yield decoder.decode(piece)
            except UnicodeDecodeError:
                reason = "it is not UTF-8. Save it as UTF-8."
                raise ImportProblem(file.path, None, "", reason) from None


def whole(file: ReleaseFile, most: int) -> Any:
    """Return the content of a small JSON file. Raise ImportProblem for a larger one, and for
    invalid JSON."""
    with file.open() as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise ImportProblem(file.path, None, "", f"it is larger than {most // 2**20:,} MB.")
    try:
        return decoded(data.decode("utf-8-sig"))
    except ValueError as error:
        reason = f"it is not JSON: {error}."
        raise ImportProblem(file.path, None, "", reason) from None
