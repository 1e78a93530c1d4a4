"""Kinds of translation systems that can be trained here. To add one, add a line to KINDS."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .hierarchical import train_hierarchical
from .phrase_system import train_phrase_based
from .training_text import Pair, Report, Translation


@contextmanager
def without_full_collections() -> Iterator[None]:
    """Collect only young garbage. A trained system is millions of permanent small objects, and
    scanning them again and again takes longer than translating."""
    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, 1_000_000)
    try:
        yield
    finally:
        gc.set_threshold(young, middle, old)


class TrainedSystem(Protocol):
    def translate(self, source: str) -> Translation: ...

    def described(self) -> dict[str, object]:
        """Return its description: numbers and texts by name."""


class TrainSystem(Protocol):
    """Trains on (source, target) pairs; ``report`` is called with each step. Raise ValueError if
    there is nothing to learn from."""

    def __call__(
        self, pairs: Sequence[Pair], *, rng: np.random.Generator, report: Report
    ) -> TrainedSystem: ...


@dataclass(frozen=True)
class SystemKind:
    slug: str
    name: str
    train: TrainSystem


KINDS = {
    kind.slug: kind
    for kind in (
        SystemKind("phrase-based", "Phrase-based", train_phrase_based),
        SystemKind("hierarchical", "Hierarchical", train_hierarchical),
    )
}
