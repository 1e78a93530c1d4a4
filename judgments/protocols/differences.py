"""Where two translations differ, word by word, for screens that show them side by side."""

from functools import cached_property
from typing import NamedTuple

from django.forms import Script
from rapidfuzz.distance import LCSseq

from .options import yes_no
from .tokens import Place, tokens, words_of

HIGHLIGHT = yes_no(
    "highlight",
    "Highlight where the two translations differ",
    "Differing words are underlined; annotators turn this off and on with a key. It saves "
    "searching, but draws the eye to wording.",
)


class Piece(NamedTuple):
    text: str
    differs: bool


def differences(first: str, second: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces that together are the text. What is in a longest common subsequence of
    words is the same in both (Hunt and McIlroy 1976); case and punctuation count."""
    pairs = LCSseq.opcodes(words_of(first), words_of(second))
    changed = [op for op in pairs if op.tag != "equal"]
    return (
        pieces(first, [(op.src_start, op.src_end) for op in changed]),
        pieces(second, [(op.dest_start, op.dest_end) for op in changed]),
    )


def pieces(text: str, runs: list[Place]) -> list[Piece]:
    """A text cut at the edges of runs of words, (first word, word after the last) each."""
    places = tokens(text)
    found: list[Piece] = []
    done = 0
    for first, after in runs:
        if first == after:
            continue
        start, end = places[first][0], places[after - 1][1]
        if found and not text[done:start].strip():
            # Only white space between two runs: one run for the eye.
            found[-1] = Piece(found[-1].text + text[done:end], True)
        else:
            found += [Piece(text[done:start], False)] if start > done else []
            found.append(Piece(text[start:end], True))
        done = end
    return found + ([Piece(text[done:], False)] if done < len(text) else [])


class WithDifferences:
    """For forms over two outputs: what their template needs to underline where they differ."""

    compared: tuple[str, ...] = ()

    class Media:
        js = [Script("js/differences.js", defer=True)]
        css = {"all": ["css/differences.css"]}

    def show_differences(self, highlight: bool, shown) -> None:
        """Nothing is underlined unless the campaign says so and two texts are on the screen."""
        if highlight and len(shown) == 2:
            self.compared = tuple(row.text for row in shown)

    @cached_property
    def pieces(self) -> dict[int, list[Piece]]:
        """Per place from 1 the pieces of its text; empty where nothing is to be underlined."""
        return dict(enumerate(differences(*self.compared), 1)) if self.compared else {}
