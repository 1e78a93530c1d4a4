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
from judgments.stats.head_to_head import decided_comparisons, holm_of_pairs
from judgments.stats.normalization import aggregate_cells
from judgments.stats.ranking import count_wins

from ..observations.pairs import Pairs, pairs_of
from ..selection.selection import Selection

__all__ = ["MODELS", "HeadToHead", "comparison_scores", "head_to_head", "head_to_head_of"]


@dataclass(frozen=True)
class HeadToHead:
    """``wins[i, j]``: how often system i was judged better than j; ``ties`` is symmetric.

    ``share`` of decided comparisons that i won, with its Wilson interval ``low`` and ``high``;
    ``p_values``: one-sided sign test that i is better, ``holm`` the same adjusted for all pairs
    both ways. NaN where nothing was decided.
    """

    names: np.ndarray
    wins: np.ndarray
    ties: np.ndarray
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray
    p_values: np.ndarray
    holm: np.ndarray
    test: str = "sign"


def head_to_head(selection: Selection) -> HeadToHead:
    """Wins and ties of each two systems, of a campaign that compares outputs."""
    return cached(selection, "head_to_head", head_to_head_of)


def head_to_head_of(observed: Observed) -> HeadToHead:
    """`head_to_head` of rows that were loaded."""
    pairs = pairs_of(observed.of_kinds(SCORED_KINDS))
    counted = count_wins(pairs.first, pairs.second, pairs.label)
    found = decided_comparisons(counted.wins)
    return HeadToHead(
        observed.system_names[counted.systems],
        counted.wins,
        counted.ties,
        found.share,
        found.low,
        found.high,
        found.p_values,
        holm_of_pairs(found.p_values),
    )


def comparison_scores(
    observed: Observed, model: str
) -> tuple[ComparisonScores, normalization.SystemMeans]:
    """Scores by a model, and how many segments and comparisons each system has."""
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
    """Means over comparisons, each from both sides: 1 (won), ½ (tie) or 0 (lost)."""
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
