"""Sentence starts of a text, for reading a paragraph sentence by sentence.

Texts are split by sentencex (Wikimedia), which knows the abbreviations and the punctuation of some
300 languages: .05 ms for a paragraph of 400 words, so nothing is cached.
"""

import re
from collections.abc import Iterator
from functools import cache
from types import ModuleType

LONGEST = (
    20_000  # characters; unpaired quotation marks take sentencex time that grows with the square
)
# Characters that may end a sentence. Most short segments have them only at their end, a quick case.
END = re.compile(r"[.!?…\n\u2029。！？．｡؟۔।॥։።၊။៕]")
BEHIND = " \t\n\u2029.!?…。！？．｡؟۔।॥։።၊။៕\"'”’»›)]」』）"


def sentence_starts(text: str, language: str) -> list[int]:
    """Return the sentence starts of a text, in Unicode code points; the first one is 0.

    Empty if the text is one sentence, is longer than `LONGEST`, or cannot be split. language: a
    language tag such as zh-Hant; an unknown one is read as English.
    """
    if len(text) > LONGEST or not END.search(text.rstrip(BEHIND)):
        return []
    starts = [0, *_breaks(split(text, language.lower().partition("-")[0]))]
    return starts if len(starts) > 1 else []


def _breaks(pieces: list[str]) -> Iterator[int]:
    """Yield the starts of the second and later pieces, after the white space before them. A piece
    that begins with a small letter continues the sentence: "Am 3. října", "etc. und so"."""
    end = 0
    has_words = False
    for piece in pieces:
        words = piece.lstrip()
        if has_words and words and not words[0].islower():
            yield end + len(piece) - len(words)
        has_words = has_words or bool(words)
        end += len(piece)


def split(text: str, language: str) -> list[str]:
    """Return pieces whose concatenation is the text; only one if sentencex fails."""
    try:
        pieces: list[str] = sentencex().segment(language, text)
    except BaseException as error:
        # A panic of Rust, on texts such as "\u2029." with many other marks: its class cannot be
        # imported, and it is no Exception.
        if type(error).__name__ != "PanicException":
            raise
        return [text]
    return pieces if "".join(pieces) == text else [text]


@cache
def sentencex() -> ModuleType:
    import sentencex  # with the first paragraph: most segments need none

    return sentencex
