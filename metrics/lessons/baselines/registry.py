"""Kinds of translation systems that can be trained here. Adding one is a line of KINDS."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .hierarchical import train_hierarchical
from .phrase_system import train_phrase_based
from .training_text import Pair, Told, Translation


@contextmanager
def set_aside() -> Iterator[None]:
    """Spare the garbage collector what is there now. A trained system is millions of small objects
    that stay, and looking through them again and again takes longer than translating."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


class TrainedSystem(Protocol):
    def translate(self, source: str) -> Translation: ...

    def described(self) -> dict[str, object]:
        """Return what it was made of: numbers and texts by their names."""


class TrainSystem(Protocol):
    """Learns from (source, target) pairs; ``told`` hears what is being done. Raise ValueError
    where there is nothing to learn from."""

    def __call__(
        self, pairs: Sequence[Pair], *, rng: np.random.Generator, told: Told
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
