"""What a translation system learns from: pairs of texts, tokenized, aligned, and a language model
of the target side. Every kind of system here begins with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from .aligner import align
from .casing import Casing, with_capital
from .joiners import text_of, tokens_of
from .machines.language_model import LanguageModelStates, train

# Longer texts are seldom one sentence; nothing is learned from them.
LONGEST_PAIR = 100
# So many pairs at most are learned from, evenly from all, for time and memory.
MOST_PAIRS = 15_000
ORDER = 3

# Longer texts are translated in parts of at most so many tokens, each by itself.
LONGEST_PART = 60

Pair = tuple[str, str]
Tokens = tuple[str, ...]
Told = Callable[[str], None]


class Translation(NamedTuple):
    """``n_parts``: more than 1 where the text was too long for one piece. ``n_unknown``: words that
    went over as they were."""

    text: str
    n_parts: int
    n_unknown: int


@dataclass(frozen=True)
class TrainingText:
    """Tokenized pairs in which the first word of a text is written as inside of one.

    ``n_given``: so many pairs were there; ``n_long``: so many were longer than LONGEST_PAIR tokens,
    or empty, on one side, and left out.
    """

    sources: tuple[Tokens, ...]
    targets: tuple[Tokens, ...]
    source_casing: Casing
    n_given: int
    n_long: int

    @cached_property
    def links(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The word links of each pair, made symmetric (grow-diag-final-and)."""
        return align(self.sources, self.targets).links

    @cached_property
    def model(self) -> LanguageModelStates:
        """A Kneser–Ney model of three words of the target side."""
        return LanguageModelStates(*train(self.targets, order=ORDER))

    @cached_property
    def source_words(self) -> frozenset[str]:
        return frozenset(word for source in self.sources for word in source)

    def tokens(self, source: str) -> Tokens:
        """Return a text to translate, as this text is tokenized."""
        return tuple(self.source_casing.without_first(tokens_of(source)))

    def part(self, places: Sequence[int]) -> "TrainingText":
        """Return some of the pairs."""
        sources = tuple(self.sources[i] for i in places)
        targets = tuple(self.targets[i] for i in places)
        return TrainingText(sources, targets, self.source_casing, self.n_given, self.n_long)


def training_text(pairs: Sequence[Pair], *, most: int = MOST_PAIRS) -> TrainingText:
    """Return the text of (source, target) pairs, of ``most`` of them evenly if there are more.

    Raises ValueError where there is nothing to learn from.
    """
    step = -(-len(pairs) // most) or 1
    cut = [(tokens_of(source), tokens_of(target)) for source, target in pairs[::step]]
    kept = [pair for pair in cut if all(0 < len(tokens) <= LONGEST_PAIR for tokens in pair)]
    if not kept:
        raise ValueError("There is no text to learn from.")
    source_casing = Casing(source for source, _ in kept)
    target_casing = Casing(target for _, target in kept)
    return TrainingText(
        tuple(tuple(source_casing.without_first(source)) for source, _ in kept),
        tuple(tuple(target_casing.without_first(target)) for _, target in kept),
        source_casing,
        len(pairs),
        len(cut) - len(kept),
    )


def finished(tokens: Sequence[str]) -> str:
    """Return the text of a translation, with a capital at its beginning."""
    return with_capital(text_of(tokens))


def parts_of(tokens: Sequence[str], longest: int = LONGEST_PART) -> list[Sequence[str]]:
    """Return a text in parts of equal length, none longer than it may be; one part if it is
    short."""
    n = max(ceil(len(tokens) / longest), 1)
    edges = [round(i * len(tokens) / n) for i in range(n + 1)]
    return [tokens[start:end] for start, end in pairwise(edges)]
