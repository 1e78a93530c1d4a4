"""Scores of segments and systems: means of ratings, or expected wins of comparisons."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from judgments.models import Campaign
from judgments.stats.normalization import Standardized, aggregate, standardize
from judgments.stats.ranking import compare_systems, count_wins, expected_wins_of_pairs
from judgments.stats.ranking import rank_clusters as clusters_of

from .observed import KINDS, RESAMPLES, SCORED_KINDS, SEED, Observed, cached, checked
from .pairs import Pairs, pairs_of

METHODS = ("raw", "z")
# Which ratings an annotator's mean and standard deviation are computed from.
OVER = {
    "regular": SCORED_KINDS,
    "all": tuple(kind for kind in KINDS if kind != "tutorial"),
}
# Name → (rule of the clusters, test between two systems).
RULES = {
    "wmt25": ("wmt25", "signed-rank"),
    "wmt17-23": ("wmt17-23", "mann-whitney"),
    "wmt13-16": ("wmt13-16", "bootstrap"),
}


@dataclass(frozen=True)
class SegmentScores:
    """``values`` (n_systems, n_segments), NaN where a system's segment was not judged; ``n`` of the
    same shape counts judgments. Only segments that were judged, in the order of the test set."""

    dimension: str
    method: str
    system_ids: np.ndarray
    names: np.ndarray
    segment_ids: np.ndarray
    segment_keys: np.ndarray
    document_ids: np.ndarray
    values: np.ndarray
    n: np.ndarray


@dataclass(frozen=True)
class SystemScores:
    """Scores (S,) of systems in the order of their names; ``order`` lists them best first.

    ``mean`` with its 95 % interval ``low`` and ``high`` (``interval`` says which), ``n_segments``,
    ``n_judgments``; ranks and clusters as in `judgments.stats.clusters.Ranking`, by ``rule`` and
    ``test``; ``p_values`` (S, S): one-sided, that the row is better than the column (None for
    comparisons). ``reason`` says why there are no scores, ``without_z`` which annotators have none.
    """

    dimension: str
    method: str
    over: str
    system_ids: np.ndarray
    names: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n_segments: np.ndarray
    n_judgments: np.ndarray
    order: np.ndarray
    rank_low: np.ndarray
    rank_high: np.ndarray
    cluster: np.ndarray
    cluster_low: np.ndarray
    cluster_high: np.ndarray
    wins: np.ndarray
    losses: np.ndarray
    rule: str
    test: str
    interval: str
    p_values: np.ndarray | None = None
    without_z: tuple[tuple[str, str], ...] = ()
    reason: str = ""
    seed: int = SEED
    resamples: int = 0


@dataclass(frozen=True)
class HeadToHead:
    """``wins[i, j]``: how often system i was judged better than j; ``ties`` is symmetric."""

    names: np.ndarray
    wins: np.ndarray
    ties: np.ndarray


def system_scores(
    campaign: Campaign,
    dimension: str | None = None,
    method: str = "raw",
    *,
    over: str = "regular",
    rule: str | None = None,
) -> SystemScores:
    """Scores of a campaign's systems. ``dimension`` None is the first; comparisons have none.

    ``method``: "raw" or "z". ``over``: z by the mean and sd of "regular" (and repeated) items, or
    of "all" kinds of items, as in the WMT releases. ``rule``: a key of RULES; "wmt25" (signed-rank
    test on shared segments) for ratings, "wmt13-16" (bootstrap) for comparisons if None. Repeated
    ratings of a system's segment are averaged first, then the segments.
    """
    options: dict[str, Any] = {"dimension": dimension, "method": method, "over": over, "rule": rule}
    return cached(campaign, "system_scores", lambda o: system_scores_of(o, **options), **options)


def segment_scores(
    campaign: Campaign,
    dimension: str | None = None,
    method: str = "raw",
    *,
    over: str = "regular",
) -> SegmentScores:
    """Mean (or z) of each system's segment, or its (wins + ½ ties)/comparisons.

    Options as in `system_scores`.
    """
    options: dict[str, Any] = {"dimension": dimension, "method": method, "over": over}
    return cached(campaign, "segment_scores", lambda o: segment_scores_of(o, **options), **options)


def head_to_head(campaign: Campaign) -> HeadToHead:
    """Wins and ties of each two systems, of a campaign that compares outputs."""
    return cached(campaign, "head_to_head", head_to_head_of)


def standardized(
    observed: Observed, dimension: str | None, method: str, over: str
) -> tuple[Observed, Standardized]:
    """The scored ratings of a dimension, and their values after normalization row by row."""
    if method not in METHODS or over not in OVER:
        raise ValueError(f"method is one of {METHODS} and over one of {tuple(OVER)}")
    slug = checked(dimension, observed.dimensions)
    everything = observed.of_dimension(slug).of_kinds(OVER["all"])
    rows = everything.ratings
    mask = np.isin(rows["kind"], [KINDS.index(kind) for kind in OVER[over]])
    scaled = standardize(rows["value"], rows["annotator"], mask=mask, method=method)
    return everything, scaled


def segment_scores_of(
    observed: Observed, dimension: str | None = None, method: str = "raw", over: str = "regular"
) -> SegmentScores:
    """`segment_scores` of rows that were loaded."""
    if observed.analysis != "ratings":
        return _compared_segments(observed.of_kinds(SCORED_KINDS))
    everything, scaled = standardized(observed, dimension, method, over)
    rows = everything.ratings
    scored = np.isin(rows["kind"], [KINDS.index(kind) for kind in SCORED_KINDS])
    means = aggregate(rows["system"][scored], rows["segment"][scored], scaled.values[scored])
    n = np.zeros((len(means.systems), len(means.segments)), np.int64)
    n[means.system_of, means.segment_of] = means.segment_n
    slug = checked(dimension, observed.dimensions)
    return _segments(observed, slug, method, means.systems, means.segments, means.table(), n)


def system_scores_of(
    observed: Observed,
    dimension: str | None = None,
    method: str = "raw",
    over: str = "regular",
    rule: str | None = None,
) -> SystemScores:
    """`system_scores` of rows that were loaded."""
    if observed.analysis != "ratings":
        return _expected_wins(observed.of_kinds(SCORED_KINDS))
    rule, test = RULES[rule or "wmt25"]
    if test == "bootstrap":
        raise ValueError("wmt13-16 ranks comparisons; ratings have wmt25 and wmt17-23")
    everything, scaled = standardized(observed, dimension, method, over)
    rows = everything.ratings
    scored = np.isin(rows["kind"], [KINDS.index(kind) for kind in SCORED_KINDS])
    means = aggregate(rows["system"][scored], rows["segment"][scored], scaled.values[scored])
    p_values = compare_systems(means.table(), test=test)
    ranking = clusters_of(means.mean, p_values, rule=rule)
    without = [(str(observed.annotators[a]), why) for a, why in scaled.excluded.items()]
    return SystemScores(
        dimension=checked(dimension, observed.dimensions),
        method=method,
        over=over,
        system_ids=observed.system_ids[means.systems],
        names=observed.system_names[means.systems],
        mean=means.mean,
        low=means.low,
        high=means.high,
        n_segments=means.n_segments,
        n_judgments=means.n_ratings,
        p_values=p_values,
        without_z=tuple(without),
        reason="" if len(means.systems) else "there are no ratings",
        test=test,
        interval="t over segments",
        **_ranks(ranking),
    )


def head_to_head_of(observed: Observed) -> HeadToHead:
    """`head_to_head` of rows that were loaded."""
    pairs = pairs_of(observed.of_kinds(SCORED_KINDS))
    counted = count_wins(pairs.first, pairs.second, pairs.label)
    return HeadToHead(observed.system_names[counted.systems], counted.wins, counted.ties)


def _ranks(ranking) -> dict:
    fields = "order rank_low rank_high cluster cluster_low cluster_high wins losses rule"
    return {field: getattr(ranking, field) for field in fields.split()}


def _segments(observed, slug, method, systems, segments, values, n) -> SegmentScores:
    return SegmentScores(
        dimension=slug,
        method=method,
        system_ids=observed.system_ids[systems],
        names=observed.system_names[systems],
        segment_ids=observed.segment_ids[segments],
        segment_keys=observed.segment_keys[segments],
        document_ids=observed.document_ids[segments],
        values=values,
        n=n,
    )


def _compared_segments(observed: Observed) -> SegmentScores:
    pairs = pairs_of(observed)
    system, segment, points = _points(pairs)
    means = aggregate(system, segment, points)
    n = np.zeros((len(means.systems), len(means.segments)), np.int64)
    n[means.system_of, means.segment_of] = means.segment_n
    return _segments(observed, "", "share of wins", means.systems, means.segments, means.table(), n)


def _points(pairs: Pairs) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each comparison from both sides: system, segment, and 1 (won), ½ (tie) or 0 (lost)."""
    system = np.concatenate([pairs.first, pairs.second])
    segment = np.concatenate([pairs.segment, pairs.segment])
    points = (np.concatenate([pairs.label, -pairs.label]) + 1) / 2
    return system, segment, points


def _expected_wins(observed: Observed) -> SystemScores:
    pairs = pairs_of(observed)
    result = expected_wins_of_pairs(
        pairs.first,
        pairs.second,
        pairs.label,
        units=pairs.segment,
        rng=np.random.default_rng(SEED),
        resamples=RESAMPLES,
    )
    systems = result.systems
    system, segment, points = _points(pairs)
    counted = aggregate(system, segment, points)
    n = len(systems)
    drawn = len(result.resampled) > 0
    resampled = result.resampled if drawn else np.full((1, n), math.nan)
    scores = result.estimate if drawn else np.full(n, math.nan)
    ranking = clusters_of(scores, rule="wmt13-16", resampled=resampled)
    return SystemScores(
        dimension="",
        method="expected wins",
        over="regular",
        system_ids=observed.system_ids[systems],
        names=observed.system_names[systems],
        mean=result.estimate,
        low=result.low,
        high=result.high,
        n_segments=counted.n_segments,
        n_judgments=counted.n_ratings,
        test="bootstrap",
        interval="percentile bootstrap over segments",
        reason=result.reason or ("" if n else "there are no comparisons"),
        resamples=result.resamples,
        **_ranks(ranking),
    )
