"""One part of a test set, and the training text of the system that translates it."""

from collections.abc import Iterable
from dataclasses import dataclass

from metrics.lessons.baselines.training_text import Pair


@dataclass(frozen=True)
class Fold:
    """``pairs`` (source, reference) for training; ``segments``: ids and sources to translate.
    ``n_left_out``: number of pairs left out because their source is among these."""

    pairs: list[Pair]
    segments: list[tuple[int, str]]
    n_left_out: int


def fold(pairs: Iterable[Pair], segments: list[tuple[int, str]]) -> Fold:
    """Return the pairs without those whose source is to be translated, ignoring white space."""
    translated = {bare(source) for _, source in segments}
    given = list(pairs)
    kept = [pair for pair in given if bare(pair[0]) not in translated]
    return Fold(kept, segments, len(given) - len(kept))


def bare(text: str) -> str:
    return " ".join(text.split())
