"""Scores of systems from comparisons, and each two systems against each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judgments.results.observations.observations import (
    RESAMPLES,
    SCORED_KINDS,
    SEED,
    Observed,
    cached,
)
from judgments.stats import normalization
from judgments.stats.coefficients import codes_of
from judgments.stats.comparison_models import MODELS, ComparisonScores, scores_of_comparisons
from judgments.stats.head_to_head import decided_comparisons
from judgments.stats.normalization import aggregate_cells
from judgments.stats.ranking import count_wins

from ..observations.pairs import Pairs, pairs_of
from ..observations.units import clusters_of
from ..selection.selection import Selection
from .pair_test import PairTest, pair_test_of

__all__ = ["MODELS", "HeadToHead", "comparison_scores", "head_to_head", "head_to_head_of"]


@dataclass(frozen=True)
class HeadToHead:
    """Systems (S,) that met. ``wins[i, j]``: how often system i was judged better than j; ``ties``
    is symmetric.

    ``share`` of decided comparisons that i won, with its Wilson interval ``low`` and ``high``;
    ``ahead``: whether i won more often. ``p_values`` of ``test``, two-sided and symmetric, with
    what is of one document or of one segment going together, ``adjusted`` for all pairs. NaN where
    nothing was decided.
    """

    system_ids: np.ndarray
    names: np.ndarray
    wins: np.ndarray
    ties: np.ndarray
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray
    p_values: np.ndarray
    adjusted: np.ndarray
    test: str

    @property
    def ahead(self) -> np.ndarray:
        return self.wins > self.wins.T


def head_to_head(selection: Selection) -> HeadToHead:
    """Return wins and ties of each two systems, of a campaign that compares outputs."""
    how = pair_test_of(selection.campaign)
    return cached(
        selection, "head_to_head", lambda observed: head_to_head_of(observed, how), **how.options
    )


def head_to_head_of(observed: Observed, how: PairTest) -> HeadToHead:
    """`head_to_head` of rows that were loaded."""
    observed = observed.of_kinds(SCORED_KINDS)
    pairs = pairs_of(observed)
    counted = count_wins(pairs.first, pairs.second, pairs.label)
    found = decided_comparisons(counted.wins)
    p_values, is_clustered = np.full(counted.wins.shape, np.nan), False
    clusters, _unit = clusters_of(observed)
    at = {code: place for place, code in enumerate(counted.systems.tolist())}
    for (first, second), rows in signs_of(pairs).items():
        unit = clusters[pairs.segment[rows.place]]
        table = np.stack([rows.sign, np.zeros(len(rows.sign))])
        is_clustered |= len(np.unique(unit)) < len(unit)
        p = how.p_values(table, unit, np.random.default_rng(SEED))[0, 1]
        p_values[[at[first], at[second]], [at[second], at[first]]] = p
    return HeadToHead(
        observed.system_ids[counted.systems],
        observed.system_names[counted.systems],
        counted.wins,
        counted.ties,
        found.share,
        found.low,
        found.high,
        p_values,
        how.adjusted(p_values),
        how.named(is_clustered),
    )


@dataclass(frozen=True)
class Signs:
    """Comparisons (n,) of two systems: 1 where the first was better, 0 where neither was, else -1;
    ``place``: where they stand among the pairs."""

    sign: np.ndarray
    place: np.ndarray


def signs_of(pairs: Pairs) -> dict[tuple[int, int], Signs]:
    """By two systems (codes, the lower one first), their comparisons."""
    turned = pairs.first > pairs.second
    a, b = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    sign = np.where(turned, -pairs.label, pairs.label).astype(np.float64)
    found = {}
    for i, j in sorted(set(zip(a.tolist(), b.tolist(), strict=True))):
        place = np.flatnonzero((a == i) & (b == j))
        found[i, j] = Signs(sign[place], place)
    return found


def comparison_scores(
    observed: Observed, model: str
) -> tuple[ComparisonScores, normalization.SystemMeans]:
    """Return scores by a model, and how many segments and comparisons each system has."""
    pairs = pairs_of(observed)
    found = scores_of_comparisons(
        pairs.first,
        pairs.second,
        pairs.label,
        model=model,
        units=pairs.segment,
        rng=np.random.default_rng(SEED),
        names=observed.system_names,
        resamples=RESAMPLES,
    )
    return found, segment_points(pairs)


def segment_points(pairs: Pairs) -> normalization.SystemMeans:
    """Return means over comparisons, each from both sides: 1 (won), ½ (tie) or 0 (lost)."""
    n_systems = 1 + int(max(pairs.first.max(initial=0), pairs.second.max(initial=0)))
    n_segments = 1 + int(pairs.segment.max(initial=0))
    n, points = (np.zeros(n_systems * n_segments) for _ in range(2))
    for system, label in ((pairs.first, pairs.label), (pairs.second, -pairs.label)):
        cell = system.astype(np.int64) * n_segments + pairs.segment
        n += np.bincount(cell, minlength=len(n))
        points += np.bincount(cell, weights=(label + 1) / 2, minlength=len(n))
    met = np.flatnonzero(n)
    systems, system_of = codes_of(met // n_segments)
    segments, segment_of = codes_of(met % n_segments)
    return aggregate_cells(
        systems, segments, system_of, segment_of, points[met] / n[met], n[met].astype(np.int64)
    )
