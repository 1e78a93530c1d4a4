"""Options of the protocol `alignment`."""

from dataclasses import dataclass

from ..options import Options
from ..tokens import WORDS, words_of


@dataclass(frozen=True)
class AlignmentOptions(Options):
    tokenization: str = WORDS
    possible_links: bool = True

    def words(self, text: str) -> list[str]:
        """The words of a source or an output, as links count them."""
        return words_of(text, self.tokenization)
