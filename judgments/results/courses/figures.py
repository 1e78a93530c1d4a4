"""How recordings were rated second by second: the mean of what was held, by system."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from judgments.models import Press, kind_of_output
from judgments.results.observations.observations import cached, scored_kinds
from judgments.results.selection.selection import Selection

MOST_POINTS = 240  # of a line; of a longer recording each stands for several seconds


class PressRow(NamedTuple):
    """A press of a judgment that counts; value None: nothing is rated from here on."""

    judgment: int
    annotator: int
    document: str
    segment: str
    system: str
    kind: str
    at_ms: int
    value: int | None
    clock_ms: int | None


@dataclass(frozen=True)
class PressHabits:
    """How often an annotator pressed: ``seconds`` of recordings from the first press to the end,
    and the longest time between two presses, or from the last one to the end."""

    annotator: int
    recordings: int
    presses: int
    seconds: float
    longest: float


@dataclass(frozen=True)
class Courses:
    """Systems (S,) ``names``; ``means`` (S, K) of the ratings held from ``starts`` (K,) on, each
    for ``step`` seconds, over ``n`` (S, K) seconds of recordings and people; NaN where nothing was
    rated. ``recordings``: how many the courses are of; ``courses``: how many there are. ``habits``:
    of annotators, who pressed least often first."""

    names: tuple[str, ...]
    starts: np.ndarray
    step: int
    means: np.ndarray
    n: np.ndarray
    recordings: int
    courses: int
    habits: tuple[PressHabits, ...]


def press_rows(selection: Selection) -> Iterator[PressRow]:
    """In the order of judgments and of their recordings."""
    found = selection.rows_of(Press.objects.order_by("judgment_id", "at_ms")).annotate(
        kind=kind_of_output("judgment__item", "output")
    )
    rows = found.values_list(
        "judgment_id",
        "judgment__annotator_id",
        "output__segment__document__name",
        "output__segment__key",
        "output__system__name",
        "kind",
        "at_ms",
        "value",
        "clock_ms",
    )
    return map(PressRow._make, rows.iterator())


def held(at_ms: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return what was held in the middle of every second of a recording, until its end; NaN for
    nothing.

    at_ms (P,), ascending; values (P,), NaN for nothing; the last is the end."""
    middles = np.arange(math.ceil(at_ms[-1] / 1000)) * 1000 + 500
    last = np.searchsorted(at_ms, middles, side="right") - 1
    return np.where(last < 0, math.nan, values[last])


def courses_of(selection: Selection) -> Courses:
    """Return for items whose ratings are scores."""
    return cached(selection, "courses", lambda _observed: _courses(selection))


def _courses(selection: Selection) -> Courses:
    kinds = scored_kinds(selection)
    rows = (row for row in press_rows(selection) if row.kind in kinds)
    by_system: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    by_annotator: dict[int, list[np.ndarray]] = {}
    recordings = set()
    for _judgment, group in groupby(rows, key=lambda row: (row.judgment, row.segment)):
        course = list(group)
        values = np.array([math.nan if row.value is None else row.value for row in course])
        at_ms = np.array([row.at_ms for row in course])
        by_annotator.setdefault(course[0].annotator, []).append(at_ms / 1000)
        by_system.setdefault(course[0].system, []).append((at_ms, values))
        recordings.add(course[0].segment)
    found = [each for courses in by_system.values() for each in courses]
    # A recording may begin far inside its file, whose times these are.
    begin = min((at_ms[0] for at_ms, _values in found), default=0) // 1000
    longest = max((math.ceil(at_ms[-1] / 1000) for at_ms, _values in found), default=0) - begin
    step = max(1, math.ceil(longest / MOST_POINTS))
    n_points = math.ceil(longest / step)
    totals = np.zeros((len(by_system), n_points))
    n = np.zeros((len(by_system), n_points), dtype=np.int64)
    names = sorted(by_system)
    for place, name in enumerate(names):
        for at_ms, values in by_system[name]:
            seconds = held(at_ms, values)[begin:]
            rated = np.flatnonzero(~np.isnan(seconds))
            np.add.at(totals[place], rated // step, seconds[rated])
            np.add.at(n[place], rated // step, 1)
    means = np.where(n > 0, totals / np.maximum(n, 1), math.nan)
    starts = begin + np.arange(n_points) * step
    habits = sorted(map(_habits, by_annotator, by_annotator.values()), key=_often)
    return Courses(tuple(names), starts, step, means, n, len(recordings), len(found), tuple(habits))


def _habits(annotator: int, courses: list[np.ndarray]) -> PressHabits:
    """courses: the seconds of presses, the last of them the end."""
    return PressHabits(
        annotator,
        recordings=len(courses),
        presses=sum(len(course) - 1 for course in courses),
        seconds=float(sum(course[-1] - course[0] for course in courses)),
        longest=float(max(np.diff(course).max() for course in courses)),
    )


def _often(habits: PressHabits) -> float:
    return habits.presses / max(habits.seconds, 1)
