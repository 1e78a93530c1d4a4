"""One part of a test set, and what the system that translates it learns from."""

from collections.abc import Iterable
from dataclasses import dataclass

from metrics.lessons.baselines.training_text import Pair


@dataclass(frozen=True)
class Fold:
    """``pairs`` (source, reference) to learn from; ``segments``: ids and sources to translate.
    ``n_left_out``: pairs that were not taken because their source is among these."""

    pairs: list[Pair]
    segments: list[tuple[int, str]]
    n_left_out: int


def fold(pairs: Iterable[Pair], segments: list[tuple[int, str]]) -> Fold:
    """Return the pairs without those whose source is to be translated, whatever its white space."""
    translated = {bare(source) for _, source in segments}
    given = list(pairs)
    kept = [pair for pair in given if bare(pair[0]) not in translated]
    return Fold(kept, segments, len(given) - len(kept))


def bare(text: str) -> str:
    return " ".join(text.split())
