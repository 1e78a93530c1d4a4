"""Kinds of translation systems that can be trained here. Adding one is a line of KINDS."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .hierarchical import train_hierarchical
from .phrase_system import train_phrase_based
from .training_text import Pair, Told, Translation


class TrainedSystem(Protocol):
    def translate(self, source: str) -> Translation: ...

    def described(self) -> dict[str, object]:
        """What it was made of: numbers and texts by their names."""


class TrainSystem(Protocol):
    """Learns from (source, target) pairs; ``told`` hears what is being done. Raises ValueError
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
