"""JSON files that are one long list, read an element at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from judgments.files.problem import ImportProblem
from judgments.files.uploads import ReleaseFile

from .json_stream import texts_of

LONGEST_ELEMENT = 32 * 2**20  # characters
BETWEEN = " \t\r\n,"


def elements(file: ReleaseFile) -> Iterator[Any]:
    """The elements of a list; of a file that holds another value, this one.
    Raises ImportProblem for what is not JSON, and for an element that is too long."""
    pieces = texts_of(file)
    decoder = json.JSONDecoder()
    text = next(pieces, "").lstrip(" \t\r\n")
    is_list = text.startswith("[")
    text = text[is_list:]
    n = 0
    while True:
        text = text.lstrip(BETWEEN)
        if is_list and text.startswith("]"):
            return
        try:
            value, end = decoder.raw_decode(text)
            # A number at the end of a piece may go on in the next one.
            if end == len(text) and is_list:
                raise ValueError
        except (ValueError, RecursionError) as error:
            more = "" if isinstance(error, RecursionError) else _more(pieces, len(text))
            if not more:
                reason = f"element {n + 1:,} of the file is not JSON, or longer than can be read."
                raise ImportProblem(file.name, None, "", reason) from None
            text += more
            continue
        n += 1
        yield value
        if not is_list:
            return
        text = text[end:]


def _more(pieces: Iterator[str], n: int) -> str:
    """As much again as there is: an element that is read anew is not read too often."""
    found = ""
    while n + len(found) < LONGEST_ELEMENT and len(found) <= n:
        piece = next(pieces, "")
        found += piece
        if not piece:
            break
    return found
