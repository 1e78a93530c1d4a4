"""Two systems segment by segment: by how much one is better, and which segments make it so."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from judgments.files.words import n_words
from judgments.models import Segment
from judgments.stats.significance import MeanInterval, mean_interval
from judgments.web.tables import MINUS

from ..observations.observations import SCORED_KINDS, Observed, cached
from ..observations.pairs import pairs_of
from ..scores.figures import segment_scores, system_scores
from ..selection.selection import Selection

# Words of the source: fewest and most of each bucket.
LENGTHS = ((0, 9), (10, 19), (20, 29), (30, 39), (40, 59), (60, None))
FEW_VALUES = 7
"""Different scores up to which each is a level of its own; of more, quarters are."""


@dataclass(frozen=True)
class TwoSystems:
    """The segments (n,) on which both systems were judged, in the order of the test set.

    ``difference``: what the first has more than the second; of comparisons the mean of 1 (the first
    was better), 0 (neither) and -1. ``values`` (2, n) are the scores, NaN for comparisons.
    """

    dimension: str
    names: tuple[str, str]
    system_ids: tuple[int, int]
    segment_ids: np.ndarray
    segment_keys: np.ndarray
    values: np.ndarray
    difference: np.ndarray

    @property
    def mean(self) -> float:
        return float(self.difference.mean()) if len(self.difference) else math.nan

    @property
    def n_better(self) -> tuple[int, int]:
        """On how many segments the first is better, and the second."""
        return int((self.difference > 0).sum()), int((self.difference < 0).sum())


@dataclass(frozen=True)
class PartOfDifference:
    """Segments that have something in common: a domain, a document, a length, a level.

    ``mean`` difference in them with its t interval; ``adds``: what they add to the mean difference
    of all segments (these sum up to it), and ``share`` of it, NaN where that is 0. ``ends``: the
    lowest and highest number that the part stands for, None where it has none.
    """

    name: str
    mean: MeanInterval
    adds: float
    share: float
    ends: tuple[float | None, float | None] = (None, None)


def nearest_at_top(selection: Selection, dimension: str | None = None) -> tuple[str, str] | None:
    """Return the names of the two best systems, the better one first; None without two."""
    scores = system_scores(selection, dimension)
    names = [str(scores.names[i]) for i in scores.order if not math.isnan(scores.mean[i])]
    return (names[0], names[1]) if len(names) > 1 else None


def judged_systems(selection: Selection, dimension: str | None = None) -> list[str]:
    """Return the names of all systems with a score, best first."""
    scores = system_scores(selection, dimension)
    return [str(scores.names[i]) for i in scores.order if not math.isnan(scores.mean[i])]


def two_systems(
    selection: Selection, first: str, second: str, dimension: str | None = None
) -> TwoSystems:
    """Return two systems by name. Raise ValueError for a name that no judged system has."""
    scores = segment_scores(selection, dimension)
    places = {str(name): i for i, name in enumerate(scores.names)}
    for name in (first, second):
        if name not in places:
            raise ValueError(f"no judged system is called {name!r}")
    i, j = places[first], places[second]
    if scores.dimension:
        values = scores.values[[i, j]]
        difference = values[0] - values[1]
    else:
        ids = scores.segment_ids
        values = np.full((2, len(ids)), np.nan)
        difference = cached(
            selection,
            "two_systems",
            lambda observed: _direct(observed, first, second, ids),
            first=first,
            second=second,
        )
    shared = ~np.isnan(difference)
    return TwoSystems(
        dimension=scores.dimension,
        names=(first, second),
        system_ids=(int(scores.system_ids[i]), int(scores.system_ids[j])),
        segment_ids=scores.segment_ids[shared],
        segment_keys=scores.segment_keys[shared],
        values=values[:, shared],
        difference=difference[shared],
    )


def nothing_of(dimension: str | None) -> TwoSystems:
    """Return what there is before two systems are judged: no segment."""
    none = np.zeros(0)
    return TwoSystems(
        dimension=dimension or "",
        names=("", ""),
        system_ids=(0, 0),
        segment_ids=none.astype(np.int64),
        segment_keys=none.astype(object),
        values=np.zeros((2, 0)),
        difference=none,
    )


def _direct(observed: Observed, first: str, second: str, segment_ids: np.ndarray) -> np.ndarray:
    """Return mean signs (n_segments,) of the comparisons of two systems, NaN where they did not
    meet."""
    pairs = pairs_of(observed.of_kinds(SCORED_KINDS))
    names = observed.system_names.tolist()
    i, j = names.index(first), names.index(second)
    sign = ((pairs.first == i) & (pairs.second == j)).astype(np.int64)
    sign -= (pairs.first == j) & (pairs.second == i)
    met = sign != 0
    n_segments = len(observed.segment_ids)
    n = np.bincount(pairs.segment[met], minlength=n_segments)
    total = np.bincount(pairs.segment[met], (sign * pairs.label)[met], minlength=n_segments)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(n > 0, total / n, np.nan)
    return mean[np.isin(observed.segment_ids, segment_ids)]


def parts_of(
    two: TwoSystems, names: Sequence[str], ends: dict[str, tuple] | None = None
) -> list[PartOfDifference]:
    """Return the difference by what segments (n,) are called, those that make most of it first."""
    labels, code = np.unique(np.asarray(names, object).astype(str), return_inverse=True)
    whole, found = two.mean, []
    for k, label in enumerate(labels.tolist()):
        part = two.difference[code == k]
        adds = float(part.sum()) / len(two.difference)
        share = adds / whole if abs(whole) > 1e-12 else math.nan
        known = (ends or {}).get(label, (None, None))
        found.append(PartOfDifference(label, mean_interval(part), adds, share, known))
    direction = -1 if whole < 0 else 1
    return sorted(found, key=lambda part: (-direction * part.adds, part.name))


@dataclass(frozen=True)
class SegmentFacts:
    """Of segments (n,): the names of their documents, domains and original languages ("": not
    known), and the words of their sources, NaN without texts."""

    documents: list[str]
    domains: list[str]
    languages: list[str]
    words: np.ndarray


def facts_of(selection: Selection, two: TwoSystems) -> SegmentFacts:
    """Return what is known of the segments of two systems."""
    test_set = selection.campaign.test_set
    fields = ("pk", "document__name", "document__domain", "document__original_language", "source")
    rows = Segment.objects.filter(test_set=test_set).order_by().values_list(*fields)
    known = {row[0]: row[1:] for row in rows.iterator()}
    of = [known[pk] for pk in two.segment_ids.tolist()]
    words = [n_words(row[3], test_set.source_language) for row in of] if test_set.has_texts else []
    return SegmentFacts(
        documents=[row[0] for row in of],
        domains=[row[1] for row in of],
        languages=[row[2] for row in of],
        words=np.array(words or [math.nan] * len(of), np.float64),
    )


def by_length(two: TwoSystems, words: np.ndarray) -> list[PartOfDifference]:
    """By words of the source, shortest first; nothing without texts."""
    if np.isnan(words).any():
        return []
    named = {f"{low}–{most}" if most else f"{low}+": (low, most) for low, most in LENGTHS}
    lows = np.array([low for low, _ in LENGTHS])
    names = np.array(list(named), object)[np.searchsorted(lows, words, side="right") - 1]
    found = parts_of(two, names.tolist(), named)
    return sorted(found, key=lambda part: part.ends[0] or 0)


def by_level(two: TwoSystems) -> list[PartOfDifference]:
    """By the second system's own score, lowest first: each value, or quarters of its segments.
    Nothing for comparisons, or where all scores are the same."""
    scores = two.values[1]
    if not len(scores) or np.isnan(scores).any():
        return []
    met = np.unique(scores)
    if len(met) == 1:
        return []
    if len(met) <= FEW_VALUES:
        ends = [(float(value), float(value)) for value in met]
        code = np.searchsorted(met, scores)
    else:
        edges = np.unique(np.quantile(scores, (0.25, 0.5, 0.75)))
        code = np.searchsorted(edges, scores)
        ends = [(float(v.min()), float(v.max())) for v in _groups(scores, code)]
        code = np.unique(code, return_inverse=True)[1]
    names = [_spanned(*each) for each in ends]
    found = parts_of(two, [names[k] for k in code], dict(zip(names, ends, strict=True)))
    return sorted(found, key=lambda part: part.ends[0] or 0)


def _spanned(low: float, high: float) -> str:
    ends = [f"{end:.4g}".replace("-", MINUS) for end in (low, high)]
    return ends[0] if low == high else f"{ends[0]} … {ends[1]}"


def _groups(values: np.ndarray, code: np.ndarray) -> Iterator[np.ndarray]:
    return (values[code == k] for k in np.unique(code))
