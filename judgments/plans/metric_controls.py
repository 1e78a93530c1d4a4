"""Control variates for judgments, which an app above this one brings: scores of metrics.

This app knows no metrics. What it takes from them is a name to register before the first judgment,
and numbers for the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from judgments.files.words import n_words
from judgments.models import Output, TestSet
from judgments.web.extension_points import registered


@dataclass(frozen=True)
class Control:
    """``signature`` names the numbers for good; ``label`` is for readers. ``trained``: on what
    people said of translations, so that it explains some of what they will say."""

    signature: str
    label: str
    trained: bool = False


@dataclass(frozen=True)
class ControlSource:
    """``known(test_set)`` lists what may be registered; ``scores(test_set, signatures,
    system_ids)`` gives (n_systems, n_segments) for each signature, the segments in the order of the
    test set, NaN where there is no score; None when they are not there or out of date.
    ``mark(test_set_ids)`` is another one whenever scores of these have come or gone."""

    known: Callable[[TestSet], list[Control]]
    scores: Callable[[TestSet, Sequence[str], Sequence[int]], list[np.ndarray | None]]
    mark: Callable[[Sequence[int]], str]


def _sources() -> list[ControlSource]:
    return registered("control_sources")


def known_controls(test_set: TestSet) -> list[Control]:
    return [control for source in _sources() for control in source.known(test_set)]


def mark_of_scores(test_set_ids: Sequence[int]) -> list[str]:
    return [source.mark(test_set_ids) for source in _sources()]


def control_scores(
    test_set: TestSet, signatures: Sequence[str], system_ids: Sequence[int]
) -> list[np.ndarray | None]:
    """Return the numbers that the first source has of each name; None where nobody has them."""
    found: list[np.ndarray | None] = [None] * len(signatures)
    for source in _sources():
        missing = [i for i, scores in enumerate(found) if scores is None]
        if missing:
            named = [signatures[i] for i in missing]
            brought_in = source.scores(test_set, named, system_ids)
            for i, scores in zip(missing, brought_in, strict=True):
                found[i] = scores
    return found


def mean_words(test_set: TestSet) -> np.ndarray:
    """Return mean words of the outputs of each segment of the test set (N,)."""
    language = test_set.target_language
    segments = list(test_set.segments.order_by("position").values_list("pk", flat=True))
    sums, counts = dict.fromkeys(segments, 0.0), dict.fromkeys(segments, 0)
    outputs = Output.objects.filter(system__test_set=test_set, system__copies_reference="")
    for segment, text in outputs.order_by().values_list("segment_id", "text").iterator():
        sums[segment] += n_words(text, language)
        counts[segment] += 1
    return np.array([sums[pk] / max(counts[pk], 1) for pk in segments])
