"""The texts of a test set as this page reads them, and what is kept of them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from judgments.models import System, TestSet, reference_facts_of
from judgments.web.cache import code_mark, get_or_compute, has
from metrics.scores.levels import groups_of
from metrics.scoring.texts import SourceTexts, load_outputs, load_sources, texts_mark
from metrics.with_people.board import digest, human_by_texts, human_systems

T = TypeVar("T")
HUMANS = "humans"  # what is kept whoever is a system


@dataclass
class ReferenceTexts:
    """References, and the outputs of systems that are no human translations. Read when asked."""

    test_set: TestSet

    @cached_property
    def names(self) -> list[str]:
        return self.test_set.reference_names

    @cached_property
    def sources(self) -> SourceTexts:
        return load_sources(self.test_set, self.names)

    @cached_property
    def keys(self) -> list[str]:
        segments = self.test_set.segments.order_by("position")
        return list(segments.values_list("key", flat=True))

    @cached_property
    def documents(self) -> NDArray[np.intp]:
        """The document of every segment, by its place among documents, (N,)."""
        return groups_of(self.test_set)[1]

    @cached_property
    def systems(self) -> list[System]:
        """Those that translate: a reference that stands among the systems would be equal to
        itself."""
        by_texts = self.kept(HUMANS, lambda: human_systems(self.test_set))
        humans = set(human_by_texts(by_texts, reference_facts_of(self.test_set)))
        return [each for each in self.test_set.systems.without_copies() if each.pk not in humans]

    @cached_property
    def outputs(self) -> list[list[str | None]]:
        """Of each system, in the order of the test set."""
        found = load_outputs(self.sources, [system.pk for system in self.systems])
        return [found[system.pk] for system in self.systems]

    @cached_property
    def mark(self) -> str:
        return texts_mark(self.test_set)

    def kept(self, name: str, compute: Callable[[], T], *key: object) -> T:
        """`compute()`, kept until a text, what is a system here, or the code changes."""
        return get_or_compute(
            self._key(name, key),
            compute,
            group=-self.test_set.pk,
            is_current=lambda: texts_mark(self.test_set) == self.mark,
        )

    def has(self, name: str, *key: object) -> bool:
        """Return whether `kept` would give this without computing it."""
        return has(self._key(name, key))

    def _key(self, name: str, key: tuple[object, ...]) -> str:
        parts = (f"references {name}", code_mark(), self.test_set.pk, self.mark, *key)
        if name != HUMANS:  # who is a system is stated besides
            parts += tuple(system.pk for system in self.systems)
        return digest(*map(str, parts))
