"""Tokenization: the words of a text, for word links and for differences.

Two ways, by the campaign's option `tokenization`:

    words     a run of letters, marks and digits is a word, with an apostrophe inside it (don't) and
              a point or comma between digits (3.5); any other character that is no white space is a
              word by itself; so is each character of a script that is written without spaces
              (Han, Kana, Thai, Lao, Khmer, Burmese), together with its marks
    spaces    what stands between white space, for texts whose words were set apart before
"""

import re
import unicodedata

Place = tuple[int, int]

WORDS, SPACES = "words", "spaces"

# Thai and Lao, Burmese, Khmer, 々〆〇, Kana, Han, Han compatibility, halfwidth Kana, Han beyond the
# first plane.
UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    r"\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
LETTERS = rf"[^\W{UNSPACED}]+"
PIECE = re.compile(rf"[{UNSPACED}]|(?P<word>{LETTERS}(?:['’]{LETTERS}|(?<=\d)[.,]\d+)*)|[^\w\s]")
JOINERS = "\u200c\u200d"
SKIN_TONES = range(0x1F3FB, 0x1F400)


def tokens(text: str, how: str = WORDS) -> list[Place]:
    """Return start and end of each word, in code points, the end exclusive. Raise ValueError for
    another ``how``."""
    if how == SPACES:
        return [match.span() for match in re.finditer(r"\S+", text)]
    if how != WORDS:
        raise ValueError(f"texts are divided by {WORDS} or {SPACES}, not by {how!r}")
    found: list[Place] = []
    in_word = False  # whether the last token may continue with letters
    last = -1  # the end of the last token
    for match in PIECE.finditer(text):
        start, end = match.span()
        is_word = match["word"] is not None
        mark = start == last and is_mark(text[start])
        if start == last and (mark or text[start - 1] in JOINERS or (in_word and is_word)):
            found[-1] = found[-1][0], end
            in_word = in_word and (mark or is_word)
        else:
            found.append((start, end))
            in_word = is_word
        last = end
    return found


def is_mark(character: str) -> bool:
    """Return whether it attaches to the previous character: vowel signs, accents, parts of
    emoji."""
    return (
        unicodedata.category(character)[0] == "M"
        or character in JOINERS
        or ord(character) in SKIN_TONES
    )


def words_of(text: str, how: str = WORDS) -> list[str]:
    return [text[start:end] for start, end in tokens(text, how)]
