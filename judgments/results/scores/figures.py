"""Scores of segments and systems: means of ratings, or a model of comparisons."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext_noop

from judgments.results.observations.observations import (
    KINDS,
    RESAMPLES,
    SCORED_KINDS,
    SEED,
    Observed,
    cached,
    checked,
)
from judgments.stats import normalization
from judgments.stats.clusters import rank_clusters as clusters_of
from judgments.stats.head_to_head import PairedDifferences, holm_of_pairs, paired_differences
from judgments.stats.normalization import Standardized, aggregate, standardize
from judgments.stats.pair_tests import BOOTSTRAPS, PERMUTATIONS, TESTS, compare_systems
from judgments.stats.resampling import resample_weights
from judgments.stats.significance import benjamini_hochberg, wilson_bounds

from ..observations.pairs import pairs_of
from ..selection.selection import Selection
from .annotator_check import AnnotatorCheck, checked_annotators
from .comparisons import MODELS, comparison_scores, segment_points

# What values of segments can be: metrics are compared with these.
METHODS = ("raw", "z")
# What scores of systems can be besides: x - mean of the annotator, and a mixed model.
NORMALIZATIONS = (*METHODS, "center", "mixed")
# Which ratings an annotator's mean and standard deviation are computed from.
OVER = {
    "regular": SCORED_KINDS,
    "all": tuple(kind for kind in KINDS if kind != "tutorial"),
}
# Rule of ranks and clusters → its test between two systems, unless another is chosen.
RULES = {
    "wmt25": "signed-rank",
    "wmt26": "bootstrap",
    "wmt17-23": "mann-whitney",
    "wmt13-16": "signed-rank",
}
ADJUSTMENTS = ("none", "holm", "bh")
# Whether the rule's own check leaves annotators out; "wmt26" is the only one that has any.
CHECKS = ("rule", "none")


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

    ``mean`` with its 95 % interval ``low`` and ``high`` (``interval`` says which; ``is_share``:
    the mean of ratings of 0 and 1, whose interval is Wilson's), ``n_segments``, ``n_judgments``;
    ranks and clusters as in `judgments.stats.clusters.Ranking`, by ``rule`` and ``test``;
    ``p_values`` (S, S): one-sided, that the row is better than the column, ``holm`` and
    ``bh`` the same adjusted for all pairs both ways, ``pairs`` how far any two differ (None for
    comparisons).
    ``adjust`` says which p-values the rule read. ``reason`` says why there are no scores,
    ``without_z`` which annotators have none. ``spread``: names and standard deviations of what a
    mixed model tells apart; ``notes``: sentences about how it was computed; ``annotator_check``:
    whom the rule left out, None where it asks nothing of annotators.
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
    is_share: bool = False
    adjust: str = "none"
    p_values: np.ndarray | None = None
    holm: np.ndarray | None = None
    bh: np.ndarray | None = None
    pairs: PairedDifferences | None = None
    without_z: tuple[tuple[str, str], ...] = ()
    spread: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = ()
    reason: str = ""
    seed: int = SEED
    resamples: int = 0
    annotator_check: AnnotatorCheck | None = None

    @property
    def p_read(self) -> np.ndarray | None:
        """The p-values that the rule reads."""
        return {"none": self.p_values, "holm": self.holm, "bh": self.bh}[self.adjust]


def system_scores(
    selection: Selection,
    dimension: str | None = None,
    method: str = "raw",
    *,
    over: str = "regular",
    rule: str | None = None,
    test: str | None = None,
    adjust: str = "none",
    check: str = "rule",
    model: str | None = None,
) -> SystemScores:
    """Scores of a campaign's systems. ``dimension`` None is the first; comparisons have none.

    Ratings: ``method`` one of NORMALIZATIONS; ``over``: an annotator's mean and sd from "regular"
    (and repeated) items, or from "all" kinds of items, as in the WMT releases; ``rule``: a key of
    RULES, "wmt25" if None; ``test``: one of `judgments.stats.pair_tests.TESTS`, the rule's if None
    (a mixed model has Wald's); ``adjust``: one of ADJUSTMENTS; ``check``: one of CHECKS. Repeated
    ratings of a system's segment are averaged first, then the segments. Comparisons: ``model`` one
    of MODELS, "expected-wins" if None; their rule is "wmt13-16". Raises ValueError for anything
    else.
    """
    options: dict[str, Any] = {"dimension": dimension, "method": method, "over": over, "rule": rule}
    options |= {"test": test, "adjust": adjust, "check": check, "model": model}
    return cached(selection, "system_scores", lambda o: system_scores_of(o, **options), **options)


def segment_scores(
    selection: Selection,
    dimension: str | None = None,
    method: str = "raw",
    *,
    over: str = "regular",
) -> SegmentScores:
    """Mean (or z, or centered mean) of each system's segment, or its (wins + ½ ties)/comparisons.

    Options as in `system_scores`.
    """
    options: dict[str, Any] = {"dimension": dimension, "method": method, "over": over}
    return cached(selection, "segment_scores", lambda o: segment_scores_of(o, **options), **options)


def standardized(
    observed: Observed, dimension: str | None, method: str, over: str
) -> tuple[Observed, Standardized]:
    """The scored ratings of a dimension, and their values after normalization row by row."""
    if method not in normalization.METHODS or over not in OVER:
        raise ValueError(
            f"method is one of {normalization.METHODS} and over one of {tuple(OVER)}, "
            f"not {method!r} and {over!r}"
        )
    slug = checked(dimension, observed.dimensions)
    everything = observed.of_dimension(slug).of_kinds(OVER["all"])
    rows = everything.ratings
    mask = rows.among("kind", [KINDS.index(kind) for kind in OVER[over]])
    scaled = standardize(rows["value"], rows["annotator"], mask=mask, method=method)
    return everything, scaled


def segment_scores_of(
    observed: Observed, dimension: str | None = None, method: str = "raw", over: str = "regular"
) -> SegmentScores:
    """`segment_scores` of rows that were loaded."""
    if not observed.rates:
        slug, method = "", "share of wins"
        means = segment_points(pairs_of(observed.of_kinds(SCORED_KINDS)))
    else:
        slug = checked(dimension, observed.dimensions)
        means, _, _ = _means(observed, dimension, method, over)
    n = np.zeros((len(means.systems), len(means.segments)), np.int64)
    n[means.system_of, means.segment_of] = means.segment_n
    return SegmentScores(
        dimension=slug,
        method=method,
        system_ids=observed.system_ids[means.systems],
        names=observed.system_names[means.systems],
        segment_ids=observed.segment_ids[means.segments],
        segment_keys=observed.segment_keys[means.segments],
        document_ids=observed.document_ids[means.segments],
        values=means.table(),
        n=n,
    )


def system_scores_of(
    observed: Observed,
    dimension: str | None = None,
    method: str = "raw",
    over: str = "regular",
    rule: str | None = None,
    test: str | None = None,
    adjust: str = "none",
    check: str = "rule",
    model: str | None = None,
) -> SystemScores:
    """`system_scores` of rows that were loaded."""
    rule = rule or "wmt25"
    for given, known in (
        (method, NORMALIZATIONS),
        (rule, RULES),
        (test or TESTS[0], TESTS),
        (adjust, ADJUSTMENTS),
        (check, CHECKS),
        (model or MODELS[0], MODELS),
    ):
        if given not in known:
            raise ValueError(f"{given!r} is none of {', '.join(known)}")
    if not observed.rates:
        return _of_comparisons(observed.of_kinds(SCORED_KINDS), model or MODELS[0])
    slug = checked(dimension, observed.dimensions)
    found: AnnotatorCheck | None = None
    if rule == "wmt26" and check == "rule":
        observed, found = checked_annotators(observed, slug)
    basis = "raw" if method == "mixed" else method
    means, rows, scaled = _means(observed, dimension, basis, over)
    table = means.table()
    scores = SystemScores(
        dimension=slug,
        method=method,
        over=over,
        system_ids=observed.system_ids[means.systems],
        names=observed.system_names[means.systems],
        mean=means.mean,
        n_segments=means.n_segments,
        n_judgments=means.n_ratings,
        pairs=paired_differences(table),
        without_z=tuple((str(observed.annotators[a]), why) for a, why in scaled.excluded.items()),
        reason="" if len(means.systems) else _no_scores(found),
        annotator_check=found,
        test=test or RULES[rule],
        **_interval(means, _is_share(observed, slug, method)),
        adjust=adjust,
        rule=rule,
        **_no_ranks(len(means.systems)),
    )
    rng = np.random.default_rng(SEED)
    if method == "mixed":
        return _ranked(*_mixed(scores, rows, rng))
    documents = observed.document_ids[means.segments]
    p = compare_systems(table, test=scores.test, documents=documents, rng=rng)
    drawn = PERMUTATIONS if scores.test.startswith("permutation") else 0
    drawn = BOOTSTRAPS if scores.test == "bootstrap" else drawn
    scores = dataclasses.replace(scores, p_values=p, resamples=drawn)
    return _ranked(scores, _resampled_means(table, rng) if rule == "wmt13-16" else None)


def _no_scores(check: AnnotatorCheck | None) -> str:
    """Why there is no system with a score."""
    if check and check.leaves_nobody:
        return gettext_noop("the rule leaves every annotator out")
    return gettext_noop("there are no ratings")


def _is_share(observed: Observed, slug: str, method: str) -> bool:
    """Whether a system's score is a share: of ratings that can only be 0 or 1."""
    scales = {dimension.slug: dimension.scale for dimension in observed.dimensions}
    return method == "raw" and scales[slug].is_yes_or_no


def _interval(means: normalization.SystemMeans, is_share: bool) -> dict[str, Any]:
    """The interval of the systems' means over segments, and its name."""
    if not is_share:
        return {"low": means.low, "high": means.high, "interval": gettext_noop("t over segments")}
    low, high = wilson_bounds(means.mean, means.n_segments)
    return {
        "low": low,
        "high": high,
        "interval": gettext_noop("Wilson, n = segments"),
        "is_share": True,
    }


def _means(
    observed: Observed, dimension: str | None, method: str, over: str
) -> tuple[normalization.SystemMeans, Any, Standardized]:
    """Means of segments and systems, the ratings that they are of, and their normalization."""
    everything, scaled = standardized(observed, dimension, method, over)
    rows = everything.ratings
    scored = rows.among("kind", [KINDS.index(kind) for kind in SCORED_KINDS])
    means = aggregate(rows["system"][scored], rows["segment"][scored], scaled.values[scored])
    return means, rows[scored], scaled


def _mixed(
    scores: SystemScores, rows: Any, rng: np.random.Generator
) -> tuple[SystemScores, np.ndarray]:
    """The scores with a mixed model's in place of means, and draws (b, S) of its estimates."""
    # Here: other pages need not import SciPy's linear algebra.
    from judgments.stats.mixed_model import contrasts, mixed_model

    fit = mixed_model(rows["system"], rows["annotator"], rows["segment"], rows["value"])
    against = contrasts(fit)
    assert scores.pairs is not None
    pairs = dataclasses.replace(
        scores.pairs, difference=against.difference, low=against.low, high=against.high
    )
    spread = ("annotators", fit.annotator_sd), ("segments", fit.item_sd), ("error", fit.residual_sd)
    found = dataclasses.replace(
        scores,
        mean=fit.mean,
        low=fit.low,
        high=fit.high,
        test="Wald",
        interval=gettext_noop("Wald, of the mixed model"),
        p_values=against.p_values,
        pairs=pairs,
        spread=() if fit.reason else tuple((name, sd) for name, sd in spread if sd == sd),
        notes=fit.notes,
        reason=scores.reason or fit.reason,
    )
    n = len(fit.mean)
    if fit.reason or scores.rule != "wmt13-16":
        return found, np.full((1, n), np.nan)
    return found, rng.multivariate_normal(fit.mean, fit.covariance, size=RESAMPLES)


def _resampled_means(table: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Means (RESAMPLES, S) of resampled segments, NaN where none of a system's was drawn."""
    n_segments = table.shape[1]
    if n_segments < 2:
        return np.full((1, len(table)), np.nan)
    present = ~np.isnan(table)
    values, present = np.nan_to_num(table).T, present.T.astype(np.float64)
    parts = []
    for weights in resample_weights(rng, n_segments, RESAMPLES):
        n = weights @ present
        parts.append(weights @ values / np.where(n > 0, n, np.nan))
    return np.concatenate(parts)


def _ranked(scores: SystemScores, resampled: np.ndarray | None) -> SystemScores:
    """The scores with ranks and clusters, and p-values adjusted."""
    assert scores.p_values is not None
    scores = dataclasses.replace(
        scores, holm=holm_of_pairs(scores.p_values), bh=benjamini_hochberg(scores.p_values)
    )
    by_resampling = scores.rule == "wmt13-16"
    ranking = clusters_of(
        scores.mean, scores.p_read, rule=scores.rule, resampled=resampled if by_resampling else None
    )
    return dataclasses.replace(
        scores,
        resamples=RESAMPLES if by_resampling else scores.resamples,
        **_ranks(ranking),
    )


RANKED = ("order", "rank_low", "rank_high", "cluster", "cluster_low", "cluster_high")
RANKS = (*RANKED, "wins", "losses")


def _ranks(ranking) -> dict[str, Any]:
    return {field: getattr(ranking, field) for field in RANKS}


def _no_ranks(n: int) -> dict[str, Any]:
    return {field: np.zeros(n) for field in RANKS}


def _of_comparisons(observed: Observed, model: str) -> SystemScores:
    found, counted = comparison_scores(observed, model)
    n = len(found.systems)
    drawn = len(found.resampled) > 0
    resampled = found.resampled if drawn else np.full((1, n), np.nan)
    scores = found.estimate if drawn else np.full(n, np.nan)
    runs = model == "trueskill"
    notes = []
    if found.n_undefined:
        share = f"{found.n_undefined:,} of {len(resampled):,}"
        notes.append(f"the model has no finite solution in {share} resamples, which are left out")
    if model == "davidson" and found.tie == found.tie:
        notes.append(f"ν = {found.tie:.3f}, where 0 means no ties")
    return SystemScores(
        dimension="",
        method=model,
        over="regular",
        system_ids=observed.system_ids[found.systems],
        names=observed.system_names[found.systems],
        mean=found.estimate,
        low=found.low,
        high=found.high,
        n_segments=counted.n_segments,
        n_judgments=counted.n_ratings,
        test="runs" if runs else "bootstrap",
        interval=gettext_noop("middle 95 % of the runs")
        if runs
        else gettext_noop("percentile bootstrap over segments"),
        rule="wmt13-16",
        notes=tuple(notes),
        reason=found.reason or ("" if n else gettext_noop("there are no comparisons")),
        resamples=len(found.resampled),
        **_ranks(clusters_of(scores, rule="wmt13-16", resampled=resampled)),
    )
