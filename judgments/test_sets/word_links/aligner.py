"""The aligner provided by an app above this one (`word_aligners` of its configuration)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.functional import Promise

from judgments.web.extension_points import registered

Texts = Sequence[Sequence[str]]
Link = tuple[int, int]


class FoundLinks(Protocol):
    """Links of pairs of texts. `links`: sorted (source place, target place) from 0. `support`: for
    each pair one number per source word, the probability of its most probable counterpart; NaN
    where the text was cut. `cut`: the pairs that were too long."""

    @property
    def links(self) -> Sequence[Sequence[Link]]: ...
    @property
    def support(self) -> Sequence[Any]: ...
    @property
    def cut(self) -> Sequence[int]: ...


class TrainedAligner(Protocol):
    """An aligner trained on `n_pairs` of `n_given` pairs."""

    @property
    def n_pairs(self) -> int: ...
    @property
    def n_given(self) -> int: ...
    def align(self, sources: Texts, targets: Texts, *, method: str) -> FoundLinks: ...


@dataclass(frozen=True)
class WordAligner:
    """`models`, `methods`: {slug: name}, the best first. A method combines the links of two
    directions; "intersection" and "union" are among them. `train(sources, targets, model)` learns
    from pairs of texts, which are lists of words."""

    models: Mapping[str, str | Promise]
    methods: Mapping[str, str | Promise]
    train: Callable[[Texts, Texts, str], TrainedAligner]


def word_aligner() -> WordAligner | None:
    """Return the first registered aligner, or None."""
    return next(iter(registered("word_aligners")), None)
