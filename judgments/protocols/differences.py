"""Word differences between translations, for screens that show two or more of them."""

from functools import cached_property
from itertools import combinations, groupby
from typing import NamedTuple

from django.forms import Script
from rapidfuzz.distance import LCSseq

from .options import yes_no
from .screen_form import ScreenForm
from .tokens import Place, tokens

HIGHLIGHT = yes_no(
    "highlight",
    "Highlight where the two translations differ",
    "Differing words are underlined; annotators turn this off and on with a key. It saves "
    "searching, but draws the eye to wording.",
)


class Piece(NamedTuple):
    text: str
    differs: bool


def differences(*texts: str) -> list[list[Piece]]:
    """Return each text in pieces that together are the text. A word differs if more than half of
    the other texts lack it: with two texts, if it is not in their longest common subsequence of
    words (Hunt and McIlroy 1976); case and punctuation count."""
    places = [tokens(text) for text in texts]
    words = [
        [text[start:end] for start, end in each] for text, each in zip(texts, places, strict=True)
    ]
    missing = [[0] * len(each) for each in words]  # number of other texts that lack each word
    for first, second in combinations(range(len(texts)), 2):
        for op in LCSseq.opcodes(words[first], words[second]):
            if op.tag == "equal":
                continue
            for place in range(op.src_start, op.src_end):
                missing[first][place] += 1
            for place in range(op.dest_start, op.dest_end):
                missing[second][place] += 1
    n_others = len(texts) - 1
    return [
        pieces(text, words_at, runs_of([2 * n > n_others for n in counts]))
        for text, words_at, counts in zip(texts, places, missing, strict=True)
    ]


def runs_of(differs: list[bool]) -> list[Place]:
    """Return (first, after the last) of each run of True."""
    runs, place = [], 0
    for value, run in groupby(differs):
        n = len(list(run))
        if value:
            runs.append((place, place + n))
        place += n
    return runs


def pieces(text: str, places: list[Place], runs: list[Place]) -> list[Piece]:
    """Return a text cut at the edges of runs of words, (first word, word after the last) each.
    places: the words' positions."""
    found: list[Piece] = []
    done = 0
    for first, after in runs:
        if first == after:
            continue
        start, end = places[first][0], places[after - 1][1]
        if found and not text[done:start].strip():
            # Only white space between two runs: show them as one.
            found[-1] = Piece(found[-1].text + text[done:end], True)
        else:
            found += [Piece(text[done:start], False)] if start > done else []
            found.append(Piece(text[start:end], True))
        done = end
    return found + ([Piece(text[done:], False)] if done < len(text) else [])


class WithDifferences(ScreenForm):
    """Mixin of forms over two or more outputs: data for their template to underline differences."""

    compared: tuple[str, ...] = ()
    hidden_at_first = False
    """Whether the annotator shows the lines on request, rather than hides them."""

    class Media:
        js = [Script("js/protocols/differences.js", type="module")]

    def show_differences(self, highlight: bool, shown) -> None:
        """Underline differences if the campaign says so and two texts are on the screen."""
        if highlight and len(shown) == 2:
            self.compared = tuple(row.text for row in shown)

    @cached_property
    def pieces(self) -> dict[int, list[Piece]]:
        """For each place from 1, the pieces of its text; empty if nothing is underlined."""
        return dict(enumerate(differences(*self.compared), 1)) if self.compared else {}
