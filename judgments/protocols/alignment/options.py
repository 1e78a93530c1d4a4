"""Options of the protocol `alignment`."""

from bisect import bisect_left
from dataclasses import dataclass

from judgments.files.sentences import sentence_starts

from ..options import Options, choice, yes_no
from ..tokens import SPACES, WORDS, tokens, words_of


@dataclass(frozen=True)
class AlignmentOptions(Options):
    tokenization: str = WORDS
    possible_links: bool = True

    def words(self, text: str) -> list[str]:
        """Return the words of a source or an output, as links count them."""
        return words_of(text, self.tokenization)

    def sentences(self, text: str, language: str) -> list[int]:
        """Return the words with which the sentences of a text begin; empty where it is one
        sentence."""
        starts = sentence_starts(text, language)
        if not starts:
            return []
        words = [start for start, _end in tokens(text, self.tokenization)]
        return sorted({bisect_left(words, start) for start in starts} - {len(words)})


TOKENIZATION = choice(
    "tokenization",
    "What counts as a word",
    (
        (
            WORDS,
            "Words and punctuation marks; single characters of Chinese, Japanese, Thai and Khmer",
        ),
        (SPACES, "Text between spaces, because the texts are already tokenized"),
    ),
    "An automatic alignment that you upload must have been made with the same words.",
)
POSSIBLE = yes_no(
    "possible_links",
    "Links may be sure or only possible",
    "Without this, all links are sure.",
)
