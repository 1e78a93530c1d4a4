"""Coverage: how many outputs of each system each annotator judged, how many people judged the same
one, and the time it took."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from django.db.models import QuerySet

from judgments.models import ItemOutput, Judgment
from judgments.models.bulk import ids_of
from judgments.results.observations.observations import SCORED_KINDS, Observed, cached
from judgments.results.observations.storage import KINDS
from judgments.results.observations.tables import places
from judgments.results.observations.times import times_of
from judgments.results.selection.selection import Selection


@dataclass(frozen=True)
class Coverage:
    """``outputs`` (A, S): how many outputs each annotator judged of each system, an output of every
    judgment once, whatever the number of dimensions; for regular items and repeats. ``segments``
    and ``judgments`` (A,) count different ones; ``of_system`` (S,) the different segments of a
    system. ``overlap``: (number of annotators, outputs judged by that many), ascending.
    """

    aliases: tuple[str, ...]
    systems: tuple[str, ...]
    outputs: np.ndarray
    segments: np.ndarray
    judgments: np.ndarray
    of_system: np.ndarray
    n_segments: int
    n_judgments: int
    overlap: tuple[tuple[int, int], ...]

    @property
    def n_outputs(self) -> int:
        """The number of different outputs."""
        return sum(outputs for _, outputs in self.overlap)

    @property
    def n_twice(self) -> int:
        """The number of outputs that two or more annotators judged."""
        return sum(outputs for n, outputs in self.overlap if n > 1)


def coverage(selection: Selection) -> Coverage:
    return cached(selection, "coverage", coverage_of)


def coverage_of(observed: Observed) -> Coverage:
    """Return the coverage in rows that were loaded."""
    annotator, system, segment, judgment = _outputs(observed)
    aliases, a = np.unique(annotator, return_inverse=True)
    systems, s = np.unique(system, return_inverse=True)
    counts = np.bincount(a * len(systems) + s, minlength=len(aliases) * len(systems))
    n_segments = len(observed.segment_ids)
    once = np.unique((a * len(systems) + s) * n_segments + segment)
    outputs, people = np.unique(once % (len(systems) * n_segments or 1), return_counts=True)
    shared, n = np.unique(people, return_counts=True)
    return Coverage(
        aliases=tuple(map(str, observed.annotators[aliases])),
        systems=tuple(map(str, observed.system_names[systems])),
        outputs=counts.reshape(len(aliases), len(systems)),
        segments=_different(a, segment, len(aliases)),
        judgments=_different(a, judgment, len(aliases)),
        of_system=np.bincount(outputs // n_segments, minlength=len(systems))
        if n_segments
        else np.zeros(0, int),
        n_segments=len(np.unique(segment)),
        n_judgments=len(np.unique(judgment)),
        overlap=tuple(zip(shared.tolist(), n.tolist(), strict=True)),
    )


def _outputs(observed: Observed) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return annotator, system and segment (codes), and the judgment, of every output of a
    judgment."""
    rows = observed.of_kinds(SCORED_KINDS).rows
    sides = ("system",) if "system" in rows else ("first", "second")
    names = ("annotator", "segment", "judgment")
    annotator, segment, judgment = (np.tile(rows[name], len(sides)) for name in names)
    system = np.concatenate([rows[side] for side in sides])
    _ids, code = np.unique(judgment, return_inverse=True)
    size = len(observed.segment_ids)
    key = (code * max(len(observed.system_ids), 1) + system) * size + segment
    at = np.unique(key, return_index=True)[1]
    return annotator[at], system[at], segment[at], code[at]


def _different(annotator: np.ndarray, values: np.ndarray, n: int) -> np.ndarray:
    """Return (n,) how many different values each annotator has."""
    size = int(values.max(initial=0)) + 1
    return np.bincount(np.unique(annotator * size + values) // size, minlength=n)


@dataclass(frozen=True)
class TimeOfKind:
    """The time for one kind of item; NaN if unknown. ``kind`` "": all."""

    kind: str
    n_judgments: int
    median_seconds: float
    hours: float


def time_by_kind(selection: Selection) -> tuple[TimeOfKind, ...]:
    """Return the time for every judged kind, and finally for all together."""
    return cached(selection, "coverage-times", lambda _observed: _time_by_kind(selection))


def _time_by_kind(selection: Selection) -> tuple[TimeOfKind, ...]:
    times = times_of(selection)
    if selection.system_ids is not None:
        known = ids_of(judgments_with_systems(selection))
        times = times[times.where("judgment", lambda ids: places(ids, known) >= 0)]
    kinds, seconds = times["kind"], times["seconds"]
    found = [
        _time(kind, seconds[kinds == code])
        for code, kind in enumerate(KINDS)
        if (kinds == code).any()
    ]
    return (*found, _time("", seconds))


def judgments_with_systems(selection: Selection) -> QuerySet[Judgment]:
    """Return the counted judgments of screens that show a system that passes the filters."""
    found = selection.judgments()
    if selection.system_ids is None:
        return found
    shown = ItemOutput.objects.filter(
        item__task__campaign=selection.campaign, output__system__in=selection.system_ids
    )
    return found.filter(item__in=shown.values("item"))


def _time(kind: str, seconds: np.ndarray) -> TimeOfKind:
    known = seconds[~np.isnan(seconds)]
    if not len(known):
        return TimeOfKind(kind, len(seconds), math.nan, math.nan)
    return TimeOfKind(kind, len(seconds), float(np.median(known)), float(known.sum()) / 3600)
