"""Degraded copies where errors are marked: did the annotator see the damage?

A copy was damaged between a prefix and a suffix that it shares with the original. In addition to
scoring it lower, careful people mark more errors in it, and mark one at the damage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.quality_control import ControlTest, control_test

Span = tuple[int, int]
"""Start and end (exclusive) in code points of the text that was shown."""


@dataclass(frozen=True)
class SpanControls:
    """An annotator's results on degraded copies: the tests that scores drop and that marks grow
    (each as `control_test`), and how many of ``n`` damages a mark overlaps."""

    score: ControlTest
    marks: ControlTest
    n: int
    n_found: int
    share_found: float


def damaged_interval(original: str, degraded: str) -> Span:
    """Return where ``degraded`` differs from ``original``: the rest between the longest common
    prefix and the longest common suffix of the remainder. Empty (start = end) if text was only
    deleted, or if nothing differs."""
    limit = min(len(original), len(degraded))
    start = 0
    while start < limit and original[start] == degraded[start]:
        start += 1
    tail = 0
    while tail < limit - start and original[-1 - tail] == degraded[-1 - tail]:
        tail += 1
    return start, len(degraded) - tail


def overlaps(span: Span, interval: Span) -> bool:
    """Return whether a span has a character of the interval; for an empty interval, whether it
    touches the position (text was deleted there)."""
    if interval[0] == interval[1]:
        return span[0] <= interval[0] <= span[1]
    return span[0] < interval[1] and interval[0] < span[1]


def finds_damage(original: str, degraded: str, spans: Sequence[Span]) -> bool:
    """Return whether one of the spans marked in ``degraded`` overlaps the damage. False if the
    texts are equal."""
    if original == degraded:
        return False
    interval = damaged_interval(original, degraded)
    return any(overlaps(span, interval) for span in spans)


def span_controls(
    original_scores: ArrayLike,
    degraded_scores: ArrayLike,
    original_marks: ArrayLike,
    degraded_marks: ArrayLike,
    found: ArrayLike,
) -> SpanControls:
    """Return one annotator's controls, (n,) each: scores and numbers of marked errors of originals
    and of their copies, and whether a mark overlaps the damage (`finds_damage`)."""
    found = np.asarray(found, bool)
    n = len(found)
    return SpanControls(
        score=control_test(original_scores, degraded_scores),
        marks=control_test(degraded_marks, original_marks),
        n=n,
        n_found=int(found.sum()),
        share_found=float(found.mean()) if n else float("nan"),
    )
