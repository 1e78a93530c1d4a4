"""Scores and ranks of systems under each reference, and of each reference against the others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.scorers import Scorer
from metrics.scorers.base import Floats, Stream
from metrics.stats.columns import kendall_columns

Choice = tuple[int, ...]
"""Indices of references that are used together."""


@dataclass(frozen=True, eq=False)
class Standings:
    """U choices of references (each alone, then all, if there are several), S systems, N segments.

    ``scores`` and ``ranks`` (U, S): 1 is the best, equals share the better rank, NaN without a
    score; ``segments`` (R, S, N): scores of segments against each reference alone. ``tau`` (U,):
    Kendall's τ-b of the ranks with those under the last choice.
    """

    under: tuple[Choice, ...]
    scores: Floats
    ranks: Floats
    segments: Floats
    tau: Floats


@dataclass(frozen=True)
class HeldOut:
    """A reference scored as if it were a system, against ``others``, over ``n`` segments that it
    and one of them have: ``n_above`` of ``n_systems`` systems score higher there, ``best`` (an
    index) the highest."""

    reference: int
    others: Choice
    score: float
    n: int
    best: int
    best_score: float
    n_above: int
    n_systems: int


def standings_of(
    scorer: Scorer, systems: Sequence[Stream], references: Sequence[Stream]
) -> Standings:
    """Return every system under every choice of references, over the segments that have both."""
    each = [(r,) for r in range(len(references))]
    under = (*each, tuple(range(len(references)))) if len(each) > 1 else tuple(each)
    n_segments = len(references[0]) if references else 0
    scores = np.full((len(under), len(systems)), np.nan)
    segments = np.full((len(each), len(systems), n_segments), np.nan)
    for s, outputs in enumerate(systems):  # in turn, so that a scorer cuts its outputs once
        for u, choice in enumerate(under):
            streams = [references[r] for r in choice]
            there = places_with(outputs, streams)
            if not there:
                continue
            stats = statistics(scorer, outputs, streams, there)
            scores[u, s] = scorer.score(stats.sum(axis=0))
            if u < len(each):
                segments[u, s, there] = scorer.segment_scores(stats)
    ranks = np.array([ranks_of(row) for row in scores]).reshape(scores.shape)
    tau = kendall_columns(scores[-1:].T, scores[:, :, None])[:, 0] if under else np.empty(0)
    return Standings(under, scores, ranks, segments, tau)


def held_out(
    scorer: Scorer,
    systems: Sequence[Stream],
    references: Sequence[Stream],
    known: Standings,
    among: Choice,
) -> list[HeldOut]:
    """Return each of several references left out in turn and scored against the others. ``known``:
    the standings of the same texts, for what is the same there; ``among``: the indices of those
    that are translations of their own, since a copy would be nearest to its original."""
    found = []
    for r in among:
        reference, others = references[r], tuple(other for other in among if other != r)
        streams = [references[other] for other in others]
        there = places_with(reference, streams) if others else []
        if not there:
            continue
        score = float(scorer.score(statistics(scorer, reference, streams, there).sum(axis=0)))
        rivals = np.full(len(systems), np.nan)
        for s, outputs in enumerate(systems):
            if others in known.under and places_with(outputs, streams) == there:
                rivals[s] = known.scores[known.under.index(others), s]
            elif all(outputs[place] is not None for place in there):
                rivals[s] = scorer.score(statistics(scorer, outputs, streams, there).sum(axis=0))
        is_rival = ~np.isnan(rivals)
        best = int(np.nanargmax(rivals)) if is_rival.any() else -1
        best_score = float(rivals[best]) if is_rival.any() else np.nan
        above = int((rivals[is_rival] > score).sum())
        found.append(
            HeldOut(r, others, score, len(there), best, best_score, above, int(is_rival.sum()))
        )
    return found


def places_with(outputs: Stream, streams: Sequence[Stream]) -> list[int]:
    """Return places of the segments with an output and a reference."""
    return [
        place
        for place, output in enumerate(outputs)
        if output is not None and any(stream[place] is not None for stream in streams)
    ]


def statistics(
    scorer: Scorer, outputs: Stream, streams: Sequence[Stream], there: Sequence[int]
) -> Floats:
    """Return for the segments at some places."""
    texts = [outputs[place] or "" for place in there]
    return scorer.statistics(texts, [[stream[place] for place in there] for stream in streams])


def ranks_of(scores: Floats) -> Floats:
    """Return 1 for the highest; (S,)."""
    better = scores[None, :] > scores[:, None]
    return np.where(np.isnan(scores), np.nan, 1.0 + better.sum(axis=1))


@dataclass(frozen=True)
class HardSegment:
    """A segment whose outputs score low: ``mean`` against reference ``reference``, ``other`` what
    it is compared with (the mean against the other reference that is kindest, or people's), and
    ``gap`` by how much they differ; ``system``: the index of one whose output scores highest."""

    place: int
    reference: int
    mean: float
    other: float
    gap: float
    system: int


def unkind_references(found: Standings, most: int) -> list[HardSegment]:
    """Where the mean over systems is lowest against one reference compared with another one, by
    the difference; the largest first."""
    if len(found.segments) < 2:
        return []
    means = mean_over_systems(found.segments)
    hard = []
    for r, mine in enumerate(means):
        others = np.delete(means, r, axis=0)
        kindest = np.where(np.isnan(others), -np.inf, others).max(axis=0)
        gap = kindest - mine
        for place in np.argsort(-np.nan_to_num(gap, nan=-np.inf, posinf=-np.inf))[:most].tolist():
            if np.isfinite(gap[place]) and gap[place] > 0:
                values = float(mine[place]), float(kindest[place]), float(gap[place])
                hard.append(HardSegment(place, r, *values, best_system(found, r, place)))
    return sorted(hard, key=lambda each: -each.gap)[:most]


def against_people(found: Standings, people: Floats, most: int) -> list[HardSegment]:
    """Where people put the outputs of a segment high and the metric puts them low: the z-score over
    segments of people's mean (N,) minus that of the metric's, against the reference that is
    kindest there; the largest first."""
    if not len(found.segments):
        return []
    means = mean_over_systems(found.segments)
    known = ~np.isnan(means).all(axis=0) & ~np.isnan(people)
    if known.sum() < 2:
        return []
    kindest = np.full(means.shape[1], np.nan)
    kindest[known] = np.nanmax(means[:, known], axis=0)
    theirs, ours = standard(np.where(known, people, np.nan)), standard(kindest)
    gap = theirs - ours
    hard = []
    for place in np.argsort(-np.nan_to_num(gap, nan=-np.inf))[:most].tolist():
        if gap[place] > 0 and theirs[place] > 0 > ours[place]:
            r = int(np.nanargmax(means[:, place]))
            values = float(kindest[place]), float(people[place]), float(gap[place])
            hard.append(HardSegment(place, r, *values, best_system(found, r, place)))
    return hard


def mean_over_systems(segments: Floats) -> Floats:
    """Return (R, S, N) → (R, N), NaN where no system has a score."""
    there = ~np.isnan(segments)
    n = there.sum(axis=1)
    total = np.where(there, segments, 0).sum(axis=1)
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)


def standard(values: Floats) -> Floats:
    """Return z-scores; 0 where all are alike."""
    spread = np.nanstd(values)
    return (values - np.nanmean(values)) / (spread if spread > 0 else 1.0)


def best_system(found: Standings, reference: int, place: int) -> int:
    scores = found.segments[reference, :, place]
    return int(np.nanargmax(scores)) if not np.isnan(scores).all() else 0
