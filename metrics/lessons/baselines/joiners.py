"""Texts → tokens that can be put together again, for any language, without rules of one.

White space parts words; inside of what it leaves, punctuation and the characters of scripts that
write no spaces between words are tokens of their own, marked where they touch a neighbor:

    “We laughed,” she said.  →  “￭ We laughed ￭, ￭” she said ￭.

(The mark is OpenNMT's joiner, U+FFED.) A hyphen or an apostrophe between two letters or digits
stays inside of its word, and a period or comma between two digits: o'clock, 3.5. Runs of white
space become one space, and a mark that a text brings itself is dropped; all else comes back as it
was.
"""

import re
from collections.abc import Iterable, Sequence
from unicodedata import category

JOINER = "￭"
_IN_WORDS = frozenset("-'’·")
_IN_NUMBERS = frozenset(".,")
# Scripts without spaces between words: Thai, Lao, Burmese, Khmer, kana, Han.
_NO_SPACES = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a text; none for a text of white space."""
    return [token for chunk in text.replace(JOINER, "").split() for token in _joined(_cut(chunk))]


def text_of(tokens: Iterable[str]) -> str:
    """Return the text that tokens came from, or that tokens of several texts make."""
    together = " ".join(tokens).replace(f" {JOINER}", "").replace(f"{JOINER} ", "")
    return together.replace(JOINER, "")


def _cut(chunk: str) -> list[str]:
    """Return a chunk without white space, cut into words, single characters and marks."""
    pieces: list[str] = []
    in_word = False
    for place, character in enumerate(chunk):
        kind = category(character)
        if kind.startswith("M") and pieces:  # a vowel sign or an accent belongs to its letter
            pieces[-1] += character
            continue
        alone = _NO_SPACES.match(character) is not None
        is_mark = kind[0] in "PSCZ" and not (in_word and _is_inside(chunk, place))
        if in_word and not alone and not is_mark:
            pieces[-1] += character
        else:
            pieces.append(character)
        in_word = not alone and not is_mark
    return pieces


def _is_inside(chunk: str, place: int) -> bool:
    """Return whether a mark that follows on a word goes on with it."""
    before, mark, after = chunk[place - 1], chunk[place], chunk[place + 1 : place + 2]
    if mark in _IN_NUMBERS:
        return before.isdigit() and after.isdigit()
    return mark in _IN_WORDS and after.isalnum() and not _NO_SPACES.match(after)


def _joined(pieces: Sequence[str]) -> list[str]:
    """Return the pieces of one chunk with joiners: at punctuation, else at the later of two
    pieces."""
    marks = [category(piece[0])[0] in "PSCZ" for piece in pieces]
    found = list(pieces)
    for i in range(1, len(pieces)):
        if marks[i] or not marks[i - 1]:
            found[i] = JOINER + found[i]
        else:
            found[i - 1] += JOINER
    return found
