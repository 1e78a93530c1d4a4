"""Options of the protocol `alignment`."""

from dataclasses import dataclass

from ..options import Options, choice, yes_no
from ..tokens import SPACES, WORDS, words_of


@dataclass(frozen=True)
class AlignmentOptions(Options):
    tokenization: str = WORDS
    possible_links: bool = True

    def words(self, text: str) -> list[str]:
        """The words of a source or an output, as links count them."""
        return words_of(text, self.tokenization)


TOKENIZATION = choice(
    "tokenization",
    "What counts as a word",
    (
        (
            WORDS,
            "Words and punctuation marks; single characters of Chinese, Japanese, Thai and Khmer",
        ),
        (SPACES, "What stands between spaces, because the texts are tokenized already"),
    ),
    "An automatic alignment that you upload must have been made with the same words.",
)
POSSIBLE = yes_no(
    "possible_links",
    "Links may be sure or only possible",
    "Without this, all links are sure.",
)
