"""Where the sentences of a text begin, for reading a paragraph sentence by sentence.

Texts are split by sentencex (Wikimedia), which knows the abbreviations and the punctuation of some
300 languages: .05 ms for a paragraph of 400 words, so nothing is kept.
"""

import re
from collections.abc import Iterator
from functools import cache
from types import ModuleType

LONGEST = (
    20_000  # characters; unpaired quotation marks take sentencex time that grows with the square
)
# What may end a sentence. Most short segments have it at their end alone, which costs nothing.
END = re.compile(r"[.!?…\n\u2029。！？．｡؟۔।॥։።၊။៕]")
BEHIND = " \t\n\u2029.!?…。！？．｡؟۔।॥։።၊။៕\"'”’»›)]」』）"


def sentence_starts(text: str, language: str) -> list[int]:
    """Where the sentences of a text begin, in Unicode code points; the first one at 0.

    Empty where the text is one sentence, where it is longer than `LONGEST`, or where it cannot be
    split. language: a language tag such as zh-Hant; an unknown one is read as English.
    """
    if len(text) > LONGEST or not END.search(text.rstrip(BEHIND)):
        return []
    starts = [0, *_breaks(split(text, language.lower().partition("-")[0]))]
    return starts if len(starts) > 1 else []


def _breaks(pieces: list[str]) -> Iterator[int]:
    """Where the second piece and those after it begin, behind the space before them. What begins
    with a small letter goes on with a sentence: "Am 3. října", "etc. und so"."""
    end = 0
    has_words = False
    for piece in pieces:
        words = piece.lstrip()
        if has_words and words and not words[0].islower():
            yield end + len(piece) - len(words)
        has_words = has_words or bool(words)
        end += len(piece)


def split(text: str, language: str) -> list[str]:
    """Return the text in pieces that add up to it; in one piece where sentencex fails."""
    try:
        pieces: list[str] = sentencex().segment(language, text)
    except BaseException as error:
        # A panic of Rust, on texts such as "\u2029." with many other marks: it has no class to
        # import, and is no Exception.
        if type(error).__name__ != "PanicException":
            raise
        return [text]
    return pieces if "".join(pieces) == text else [text]


@cache
def sentencex() -> ModuleType:
    import sentencex  # with the first paragraph: most segments need none

    return sentencex
