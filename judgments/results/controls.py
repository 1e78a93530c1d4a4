"""Control variates for judgments, which an app above this one brings: scores of metrics.

This app knows no metrics. What it takes from them is a name to register before the first judgment,
and numbers for the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from judgments.brought import brought
from judgments.models import TestSet


@dataclass(frozen=True)
class Control:
    """``signature`` names the numbers for good; ``label`` is for readers."""

    signature: str
    label: str


@dataclass(frozen=True)
class ControlSource:
    """``known(test_set)`` lists what may be registered; ``scores(test_set, signature,
    system_ids)`` gives (n_systems, n_segments), the segments in the order of the test set, NaN
    where there is no score; None when they are not there or out of date."""

    known: Callable[[TestSet], list[Control]]
    scores: Callable[[TestSet, str, Sequence[int]], np.ndarray | None]


def _sources() -> list[ControlSource]:
    return brought("control_sources")


def known_controls(test_set: TestSet) -> list[Control]:
    return [control for source in _sources() for control in source.known(test_set)]


def control_scores(
    test_set: TestSet, signature: str, system_ids: Sequence[int]
) -> np.ndarray | None:
    """The numbers that the first source has of that name; None if nobody has them."""
    for source in _sources():
        found = source.scores(test_set, signature, system_ids)
        if found is not None:
            return found
    return None
