"""Planting a phrase in a translation, or deleting one, by the published rules of length.

    wmt16         a phrase of another text, of equal length (WMT 2016 and later)
    appraise      the same with the lengths of Appraise: six words of long texts, and twice as many
                  characters in Chinese, Japanese and Korean
    crowd-alone   a run of words is deleted and the first word stays (Graham et al. 2015)

Lengths are in words where words stand between spaces, and in characters where they don't. What is
damaged never equals what was there, and of more than three units neither the first nor the last is
touched. Nothing here knows the database; offsets are code points, the end exclusive.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from judgments.files.words import UNSPACED
from judgments.protocols.tokens import JOINERS, Place, is_mark

WMT16, APPRAISE, CROWD_ALONE = "wmt16", "appraise", "crowd-alone"
DOUBLED = {"zh", "ja", "ko"}
ONLY_WORD = "The"  # what an output of one word becomes, in Graham et al. (2015)


class Planted(NamedTuple):
    """A damaged text; start, end: the planted phrase in it, or the gap (start = end)."""

    text: str
    start: int
    end: int


def phrase_length(n: int, rule: str, language: str) -> int:
    """Return how many of ``n`` units a rule damages; ``n`` is at least 1."""
    if rule == CROWD_ALONE:
        return _of_table(n, ((1, 1), (3, 1), (5, 2), (8, 3), (15, 4), (20, 5))) or -(-n // 5)
    length = _of_table(n, ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5)))
    if rule == WMT16:
        return length or n // 4
    return (length or 6) * (2 if _base(language) in DOUBLED else 1)


def _of_table(n: int, table: tuple[tuple[int, int], ...]) -> int:
    return next((length for most, length in table if n <= most), 0)


def units(text: str, rule: str, language: str) -> list[Place]:
    """Start and end of the words of a text, or of its characters with their marks, no spaces."""
    base = _base(language)
    if base not in UNSPACED and not (rule == APPRAISE and base in DOUBLED):
        return [match.span() for match in re.finditer(r"\S+", text)]
    found: list[Place] = []
    for at, character in enumerate(text):
        touches = bool(found) and found[-1][1] == at
        if touches and (is_mark(character) or text[at - 1] in JOINERS):
            found[-1] = found[-1][0], at + 1
        elif not character.isspace():
            found.append((at, at + 1))
    return found


def _base(language: str) -> str:
    return language.split("-")[0].lower()


def with_gap(text: str, language: str, rng: np.random.Generator) -> Planted | None:
    """Return the text without a run of words, the first word kept. None where nothing can be
    deleted."""
    places = units(text, CROWD_ALONE, language)
    n = len(places)
    if n < 2:
        is_same = not n or text.strip() == ONLY_WORD
        return None if is_same else Planted(ONLY_WORD, 0, len(ONLY_WORD))
    length = phrase_length(n, CROWD_ALONE, language)
    first = int(rng.integers(1, n - length - (n > 3) + 1))
    if first + length < n:
        start, end = places[first][0], places[first + length][0]
        if is_mark(text[end]):  # a mark after a space stays apart from what stands before the gap
            end = places[first + length - 1][1]
    else:
        start, end = places[first - 1][1], places[-1][1]
    return Planted(text[:start] + text[end:], start, start)


def with_phrase(
    text: str, donor: str, rule: str, language: str, rng: np.random.Generator
) -> Planted | None:
    """Return the text with a phrase of ``donor`` in place of one as long. None where the donor is
    too short, or its phrase says what is there already."""
    places, others = units(text, rule, language), units(donor, rule, language)
    n = len(places)
    if not n:
        return None
    edge = int(n > 3)
    length = min(phrase_length(n, rule, language), n - 2 * edge)
    if len(others) < length:
        return None
    first = int(rng.integers(edge, n - length - edge + 1))
    other = int(rng.integers(0, len(others) - length + 1))
    start, end = places[first][0], places[first + length - 1][1]
    phrase = donor[others[other][0] : others[other + length - 1][1]]
    is_torn = is_mark(phrase[0]) or phrase[-1] in JOINERS
    if is_torn or "".join(phrase.split()) == "".join(text[start:end].split()):
        return None
    return Planted(text[:start] + phrase + text[end:], start, start + len(phrase))
