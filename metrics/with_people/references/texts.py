"""The texts of a test set as read by this page, and results cached from them."""

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
HUMANS = "humans"  # cached independently of the list of systems


@dataclass
class ReferenceTexts:
    """References, and the outputs of systems that are not human translations. Read on demand."""

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
        """The document of every segment, by its index among documents, (N,)."""
        return groups_of(self.test_set)[1]

    @cached_property
    def systems(self) -> list[System]:
        """The systems that translate: a reference among the systems would be equal to itself."""
        by_texts = self.kept(HUMANS, lambda: human_systems(self.test_set))
        humans = set(human_by_texts(by_texts, reference_facts_of(self.test_set)))
        return [each for each in self.test_set.systems.without_copies() if each.pk not in humans]

    @cached_property
    def outputs(self) -> list[list[str | None]]:
        """Outputs of each system, in the order of the test set."""
        found = load_outputs(self.sources, [system.pk for system in self.systems])
        return [found[system.pk] for system in self.systems]

    @cached_property
    def mark(self) -> str:
        return texts_mark(self.test_set)

    def kept(self, name: str, compute: Callable[[], T], *key: object) -> T:
        """Return `compute()`, cached until a text, the list of systems, or the code changes."""
        return get_or_compute(
            self._key(name, key),
            compute,
            group=-self.test_set.pk,
            is_current=lambda: texts_mark(self.test_set) == self.mark,
        )

    def has(self, name: str, *key: object) -> bool:
        """Return whether `kept` has this cached."""
        return has(self._key(name, key))

    def _key(self, name: str, key: tuple[object, ...]) -> str:
        parts = (f"references {name}", code_mark(), self.test_set.pk, self.mark, *key)
        if name != HUMANS:  # the list of systems is stated in addition
            parts += tuple(system.pk for system in self.systems)
        return digest(*map(str, parts))
