"""Texts with errors between `<v>` and `</v>`, as Google's tables and Marot have them, and cells of
those tables, which some files quote as CSV does and some do not."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

OPEN, CLOSE = "<v>", "</v>"
MARK = re.compile("(</?v>)")
QUOTES = " \t\"'“”„‟«»「」‘’"
LEAST_SHARED = 0.8  # of the characters of two readings of one text


class Marked(NamedTuple):
    """A text without its marks; from where to where it was marked, in code points, the end
    exclusive; None where it was not. n: how many pairs of marks there were."""

    text: str
    place: tuple[int, int] | None
    n: int = 0


def unmarked(cell: str) -> Marked:
    """Return the text and the place of its error, which reaches from its first mark to its last: a
    row is one error. Raise ValueError, in words, for marks that do not come in pairs."""
    pieces = MARK.split(cell)
    text, opened, ends = "", None, []
    for piece in pieces:
        if piece == OPEN:
            if opened is not None:
                raise ValueError(f"“{OPEN}” is inside another “{OPEN}”.")
            opened = len(text)
        elif piece == CLOSE:
            if opened is None:
                raise ValueError(f"“{CLOSE}” has no “{OPEN}” before it.")
            ends.append((opened, len(text)))
            opened = None
        else:
            text += piece
    if opened is not None:
        raise ValueError(f"“{OPEN}” has no “{CLOSE}” after it.")
    return Marked(text, (ends[0][0], ends[-1][1]) if ends else None, len(ends))


def marked(text: str, start: int, end: int) -> str:
    return f"{text[:start]}{OPEN}{text[start:end]}{CLOSE}{text[end:]}"


def unquoted(cell: str) -> str:
    """Return a cell without the quotes of CSV, if it has them: quotes around, and each quote within
    doubled. A text that only begins and ends with a quotation mark stays as it is."""
    if len(cell) < 4 or cell[0] != '"' or cell[-1] != '"':
        return cell
    inner = cell[1:-1]
    if '""' not in inner or '"' in inner.replace('""', ""):
        return cell
    return inner.replace('""', '"')


def quoted(text: str) -> str:
    """Return a text as a cell: on one line, without tabs, and so that `unquoted` gives it again."""
    text = text.replace("\t", " ").replace("\n", " ").replace("\r", " ")
    if unquoted(text) == text:
        return text
    return '"' + text.replace('"', '""') + '"'


def reads_alike(text: str, other: str) -> bool:
    """Return whether two texts share nearly all of their characters, wherever these stand."""
    shared = sum((Counter(text) & Counter(other)).values())
    return shared >= LEAST_SHARED * max(len(text), len(other))


def moved(text: str, place: tuple[int, int], other: str) -> tuple[int, int] | None:
    """Where the marked words of a text stand in another reading of it: the nearest such place, if
    need be without the quotation marks around the words; None where there is none."""
    start, end = place
    if not reads_alike(text, other):
        return None
    for words in (text[start:end], text[start:end].strip(QUOTES)):
        found = [
            at
            for at in (other.find(words, start), other.rfind(words, 0, start + len(words)))
            if words and at >= 0
        ]
        if found:
            at = min(found, key=lambda at: abs(at - start))
            return at, at + len(words)
    return None
