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
from judgments.stats.clusters import rank_clusters
from judgments.stats.head_to_head import PairedDifferences, paired_differences
from judgments.stats.normalization import (
    Standardized,
    aggregate,
    clustered_half_widths,
    standardize,
)
from judgments.stats.pair_tests import BOOTSTRAPS, PERMUTATIONS, compare_systems, two_sided
from judgments.stats.resampling import resample_weights
from judgments.stats.significance import wilson_bounds

from ..observations.pairs import pairs_of
from ..observations.tables import places
from ..observations.units import clusters_of
from ..selection.selection import Selection
from .annotator_check import AnnotatorCheck, checked_annotators
from .chances import weighted_by_chances
from .comparisons import MODELS, comparison_scores, head_to_head_of, segment_points
from .pair_test import ALPHA, PairTest, pair_test_of
from .waves import LinkedRatings, Waves, effects_in_words, later_waves, linked

# Possible values of segments: metrics are compared with these.
METHODS = ("raw", "z")
# Additional scores of systems: x - mean of the annotator, and a mixed model.
NORMALIZATIONS = (*METHODS, "center", "mixed")
# The ratings from which an annotator's mean and standard deviation are computed.
OVER = {
    "regular": SCORED_KINDS,
    "all": tuple(kind for kind in KINDS if kind not in ("tutorial", "third")),
}
# The rule of ranks and clusters: by the pairs that differ, all of them one family.
ALL_PAIRS = "all-pairs"
# Rules of the WMT campaigns → their test between two systems, one-sided and not adjusted.
WMT_RULES = {
    "wmt25": "signed-rank",
    "wmt26": "bootstrap",
    "wmt17-23": "mann-whitney",
    "wmt13-16": "",  # resampled ranks
}
RULES = (ALL_PAIRS, *WMT_RULES)
# Whether the rule's own check leaves annotators out; only "wmt26" has one.
CHECKS = ("rule", "none")


@dataclass(frozen=True)
class SegmentScores:
    """``values`` (n_systems, n_segments), NaN if a system's segment was not judged; ``n`` of the
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

    ``mean`` with its 95 % interval ``low`` and ``high`` (``interval`` says which; ``is_share``: the
    mean of ratings of 0 and 1, whose interval is Wilson's), ``n_segments``, ``n_judgments``; ranks
    and clusters as in `judgments.stats.clusters.Ranking`, by ``rule``. Which systems differ:
    ``p_values`` (S, S), two-sided and symmetric, of ``test`` by ``unit`` ("documents" or
    "segments"), and ``adjusted`` by ``adjust`` for all pairs; ``pairs`` how far any two differ
    (None for comparisons). For WMT's own rules these are empty, and ``p_of_rule`` (S, S) are the
    one-sided p that the row is better than the column. ``reason`` says why there are no scores,
    ``without_z`` which annotators have none. ``spread``: names and standard deviations of the
    components of a mixed model; ``notes``: sentences about how it was computed;
    ``annotator_check``: the annotators left out by the rule, None if it does not check annotators.
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
    unit: str = "segments"
    is_share: bool = False
    adjust: str = "none"
    p_values: np.ndarray | None = None
    adjusted: np.ndarray | None = None
    p_of_rule: np.ndarray | None = None
    pairs: PairedDifferences | None = None
    without_z: tuple[tuple[str, str], ...] = ()
    spread: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = ()
    reason: str = ""
    seed: int = SEED
    resamples: int = 0
    annotator_check: AnnotatorCheck | None = None

    @property
    def n_systems(self) -> int:
        return len(self.names)

    @property
    def differs(self) -> np.ndarray:
        """Which systems differ, (S, S), symmetric; none under a rule of WMT."""
        if self.adjusted is None:
            return np.zeros((len(self.names),) * 2, bool)
        with np.errstate(invalid="ignore"):
            return self.adjusted < ALPHA


def system_scores(
    selection: Selection,
    dimension: str | None = None,
    method: str | None = None,
    *,
    over: str = "regular",
    rule: str = ALL_PAIRS,
    check: str = "rule",
    model: str | None = None,
) -> SystemScores:
    """Return scores of a campaign's systems. ``dimension`` None is the first; comparisons have
    none.

    Ratings: ``method`` one of NORMALIZATIONS, the campaign's own if None; ``over``: an annotator's
    mean and sd from "regular" (and repeated) items, or from "all" kinds of items, as in the WMT
    releases; ``rule``: one of RULES; ``check``: one of CHECKS. Repeated ratings of a system's
    segment are averaged first, then the segments. Comparisons: ``model`` one of MODELS,
    "expected-wins" if None; the only WMT rule for them is "wmt13-16". Raise ValueError for anything
    else.
    """
    how = pair_test_of(selection.campaign)
    options: dict[str, Any] = {"dimension": dimension, "method": method or how.compared_by}
    options |= {"over": over, "rule": rule, "check": check, "model": model}
    return cached(
        selection,
        "system_scores",
        lambda observed: system_scores_of(
            observed, **options, how=how, later=later_waves(selection)
        ),
        **options,
        how=how.options,
    )


def segment_scores(
    selection: Selection,
    dimension: str | None = None,
    method: str | None = None,
    *,
    over: str = "regular",
) -> SegmentScores:
    """Return mean (or z, or centered mean) of each system's segment, or its (wins + ½
    ties)/comparisons.

    Options as in `system_scores`.
    """
    method = method or pair_test_of(selection.campaign).compared_by
    options: dict[str, Any] = {"dimension": dimension, "method": method, "over": over}
    return cached(selection, "segment_scores", lambda o: segment_scores_of(o, **options), **options)


def standardized(
    observed: Observed, dimension: str | None, method: str, over: str
) -> tuple[Observed, Standardized]:
    """Return the scored ratings of a dimension, and their values after normalization row by row."""
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
    """Return scores of segments from rows that were loaded."""
    if not observed.rates:
        slug, method = "", "share of wins"
        means = segment_points(pairs_of(observed.of_kinds(SCORED_KINDS)))
    else:
        slug = checked(dimension, observed.dimensions)
        means, _ = _means(observed, dimension, method, over)
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
    rule: str = ALL_PAIRS,
    check: str = "rule",
    model: str | None = None,
    how: PairTest = PairTest(),  # noqa: B008 - frozen
    later: Waves | None = None,
) -> SystemScores:
    """Return scores of systems from rows that were loaded. later: the judgments of later waves."""
    model = model or MODELS[0]
    asked = (method, NORMALIZATIONS), (rule, RULES), (check, CHECKS), (model, MODELS)
    for given, known in asked:
        if given not in known:
            raise ValueError(f"{given!r} is none of {', '.join(known)}")
    if not observed.rates:
        return _of_comparisons(observed.of_kinds(SCORED_KINDS), model, rule, how)
    slug = checked(dimension, observed.dimensions)
    asks = rule == "wmt26" and check == "rule"
    observed, checked_by = checked_annotators(observed, slug) if asks else (observed, None)
    means, scaled = _means(observed, slug, "raw" if method == "mixed" else method, over)
    clusters, unit = clusters_of(observed.of_kinds(SCORED_KINDS).of_dimension(slug))
    table, clusters = means.table(), clusters[means.segments]
    scores = SystemScores(
        dimension=slug,
        method=method,
        over=over,
        system_ids=observed.system_ids[means.systems],
        names=observed.system_names[means.systems],
        mean=means.mean,
        n_segments=means.n_segments,
        n_judgments=means.n_ratings,
        without_z=tuple((str(observed.annotators[a]), why) for a, why in scaled.excluded.items()),
        reason="" if len(means.systems) else _no_scores(checked_by),
        annotator_check=checked_by,
        test=WMT_RULES.get(rule, how.named(unit == "documents")),
        pairs=paired_differences(table, clusters) if rule == ALL_PAIRS else None,
        unit=unit,
        **_interval(table, means.mean, clusters, _is_share(observed, slug, method)),
        rule=rule,
        **_no_ranks(len(means.systems)),
    )
    rng = np.random.default_rng(SEED)
    resampled = None
    if method == "mixed":
        scores, resampled = _mixed(scores, linked(observed, slug, means.systems, later), how, rng)
    elif rule == ALL_PAIRS and observed.draws:
        scores = _weighted(scores, how, observed, means)
    elif rule == ALL_PAIRS:
        scores = _tested(scores, how, how.p_values(table, clusters, rng))
    elif rule == "wmt13-16":
        resampled = _resampled_means(table, rng)
    else:
        p_values = compare_systems(table, test=scores.test, rng=rng)
        scores = dataclasses.replace(scores, p_of_rule=p_values)
    return _ranked(scores, resampled)


def _no_scores(check: AnnotatorCheck | None) -> str:
    """Return why no system has a score."""
    if check and check.leaves_nobody:
        return gettext_noop("the rule leaves every annotator out")
    return gettext_noop("there are no ratings")


def _is_share(observed: Observed, slug: str, method: str) -> bool:
    """Return whether a system's score is a share: for ratings that can only be 0 or 1."""
    scales = {dimension.slug: dimension.scale for dimension in observed.dimensions}
    return method == "raw" and scales[slug].is_yes_or_no


def _interval(
    table: np.ndarray, mean: np.ndarray, clusters: np.ndarray, is_share: bool
) -> dict[str, Any]:
    """Return the interval of the systems' ``mean`` (S,) over segments (S, n), and its name."""
    is_clustered = len(np.unique(clusters)) < len(clusters)
    half = clustered_half_widths(table, clusters if is_clustered else None)
    if not is_share:
        name = gettext_noop("t over documents") if is_clustered else gettext_noop("t over segments")
        return {"low": mean - half, "high": mean + half, "interval": name}
    n = (~np.isnan(table)).sum(axis=1).astype(np.float64)
    name = gettext_noop("Wilson, n = segments")
    if is_clustered:
        # The number of segments that would give the same precision if each were a separate
        # document.
        plain = clustered_half_widths(table)
        with np.errstate(divide="ignore", invalid="ignore"):
            n = np.where(half > plain, n * (plain / half) ** 2, n)
        name = gettext_noop("Wilson, n = segments, less what those of a document share")
    low, high = wilson_bounds(mean, n)
    return {"low": low, "high": high, "interval": name, "is_share": True}


def _means(
    observed: Observed, dimension: str | None, method: str, over: str
) -> tuple[normalization.SystemMeans, Standardized]:
    """Return means of segments and systems, and the normalization of their ratings."""
    everything, scaled = standardized(observed, dimension, method, over)
    rows = everything.ratings
    scored = rows.among("kind", [KINDS.index(kind) for kind in SCORED_KINDS])
    means = aggregate(rows["system"][scored], rows["segment"][scored], scaled.values[scored])
    return means, scaled


def _mixed(
    scores: SystemScores, rows: LinkedRatings, how: PairTest, rng: np.random.Generator
) -> tuple[SystemScores, np.ndarray]:
    """Return the scores with a mixed model's instead of means, and draws (b, S) of its
    estimates."""
    # Here, so that other pages need not import SciPy's linear algebra.
    from judgments.stats.mixed_model import contrasts, mixed_model

    fit = mixed_model(rows.system, rows.annotator, rows.segment, rows.value, rows.wave)
    against = contrasts(fit)
    spread = ("annotators", fit.annotator_sd), ("segments", fit.item_sd), ("error", fit.residual_sd)
    found = dataclasses.replace(
        scores,
        mean=fit.mean,
        low=fit.low,
        high=fit.high,
        test="Wald",
        unit="segments",
        interval=gettext_noop("Wald, of the mixed model"),
        p_of_rule=against.p_values,
        spread=() if fit.reason else tuple((name, sd) for name, sd in spread if sd == sd),
        notes=(*fit.notes, *effects_in_words(fit.waves, fit.wave_effects)),
        reason=scores.reason or fit.reason,
    )
    if scores.pairs is not None:
        of_model = {field: getattr(against, field) for field in ("difference", "low", "high")}
        found = dataclasses.replace(found, pairs=dataclasses.replace(scores.pairs, **of_model))
        return _tested(found, how, two_sided(against.p_values)), np.zeros((0, 0))
    n = len(fit.mean)
    if fit.reason or scores.rule != "wmt13-16":
        return found, np.full((1, n), np.nan)
    return found, rng.multivariate_normal(fit.mean, fit.covariance, size=RESAMPLES)


def _resampled_means(table: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return means (RESAMPLES, S) of resampled segments, NaN if none of a system's was drawn."""
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


def _tested(scores: SystemScores, how: PairTest, p_values: np.ndarray) -> SystemScores:
    """Return the scores with the pairs that differ, by two-sided p (S, S)."""
    return dataclasses.replace(
        scores,
        p_values=p_values,
        adjusted=how.adjusted(p_values),
        adjust=how.adjust,
        p_of_rule=None,
        resamples=PERMUTATIONS if scores.test.startswith("permutation") else 0,
    )


def _weighted(
    scores: SystemScores, how: PairTest, observed: Observed, means: normalization.SystemMeans
) -> SystemScores:
    """Return the scores of systems that were drawn for each block: each was shown with different
    ones, so means follow from the weighted differences, around the mean of all."""
    assert scores.pairs is not None and observed.draws is not None
    of = observed.document_ids[means.segments]
    found = weighted_by_chances(observed.draws, means.table(), means.systems, means.segments, of)
    none = np.eye(len(scores.mean), dtype=bool)
    mean = scores.mean
    if not np.isnan(found.estimate[~none]).all():
        mean = np.nanmean(scores.mean) + np.nanmean(found.estimate, axis=1)
    moved = mean - scores.mean
    own = ("difference", found.estimate), ("low", found.low), ("high", found.high)
    differences: dict[str, Any] = {name: np.where(none, np.nan, each) for name, each in own}
    scores = dataclasses.replace(
        scores,
        mean=mean,
        low=scores.low + moved,
        high=scores.high + moved,
        unit="documents",
        test="weighted",
        pairs=dataclasses.replace(scores.pairs, **differences),
        notes=(
            *scores.notes,
            gettext_noop(
                "blocks show some of the systems: scores follow from differences, weighted by the "
                "chance that both systems were shown"
            ),
            *((found.reason,) if found.reason else ()),
        ),
    )
    return _tested(scores, how, found.p_values)


def _ranked(scores: SystemScores, resampled: np.ndarray | None) -> SystemScores:
    """Return the scores with ranks and clusters."""
    if scores.rule == "wmt13-16":
        ranking = rank_clusters(scores.mean, rule=scores.rule, resampled=resampled)
        return dataclasses.replace(scores, resamples=RESAMPLES, **_ranks(ranking))
    if scores.rule == ALL_PAIRS:
        assert scores.adjusted is not None and scores.pairs is not None
        p_values = np.where(scores.pairs.difference > 0, scores.adjusted, 1.0)
        # Losses and wins by the pairs that differ, counted as in WMT17-23 for those of its test.
        ranking = rank_clusters(scores.mean, p_values, rule="wmt17-23", alpha=ALPHA)
        return dataclasses.replace(scores, **_ranks(ranking))
    drawn = BOOTSTRAPS if scores.test == "bootstrap" else 0
    ranking = rank_clusters(scores.mean, scores.p_of_rule, rule=scores.rule)
    return dataclasses.replace(scores, resamples=drawn, **_ranks(ranking))


RANKED = ("order", "rank_low", "rank_high", "cluster", "cluster_low", "cluster_high")
RANKS = (*RANKED, "wins", "losses")


def _ranks(ranking) -> dict[str, Any]:
    return {field: getattr(ranking, field) for field in RANKS}


def _no_ranks(n: int) -> dict[str, Any]:
    return {field: np.zeros(n) for field in RANKS}


def _of_comparisons(observed: Observed, model: str, rule: str, how: PairTest) -> SystemScores:
    if rule not in (ALL_PAIRS, "wmt13-16"):
        raise ValueError(f"comparisons are ranked by {ALL_PAIRS} or wmt13-16, not {rule}")
    found, counted = comparison_scores(observed, model)
    n = len(found.systems)
    drawn = len(found.resampled) > 0
    resampled = found.resampled if drawn else np.full((1, n), np.nan)
    runs = model == "trueskill"
    notes = []
    if found.n_undefined:
        share = f"{found.n_undefined:,} of {len(resampled):,}"
        notes.append(f"the model has no finite solution in {share} resamples, which are left out")
    if model == "davidson" and found.tie == found.tie:
        notes.append(f"ν = {found.tie:.3f}, where 0 means no ties")
    ids = observed.system_ids[found.systems]
    tested, unit = head_to_head_of(observed, how), clusters_of(observed)[1]
    at = np.ix_(*[places(ids, tested.system_ids)] * 2)
    p_values, adjusted, ahead = tested.p_values[at], tested.adjusted[at], tested.ahead[at]
    estimates = found.estimate if drawn else np.full(n, np.nan)
    if rule == ALL_PAIRS:
        wins = np.where(ahead, adjusted, 1.0)
        ranking = rank_clusters(estimates, wins, rule="wmt17-23", alpha=ALPHA)
        decided = {"p_values": p_values, "adjusted": adjusted, "adjust": how.adjust}
    else:
        ranking, decided = rank_clusters(estimates, rule=rule, resampled=resampled), {}
    return SystemScores(
        dimension="",
        method=model,
        over="regular",
        system_ids=ids,
        names=observed.system_names[found.systems],
        mean=found.estimate,
        low=found.low,
        high=found.high,
        n_segments=counted.n_segments,
        n_judgments=counted.n_ratings,
        test=tested.test if rule == ALL_PAIRS else "",
        unit=unit,
        interval=gettext_noop("middle 95 % of the runs")
        if runs
        else gettext_noop("percentile bootstrap over segments"),
        rule=rule,
        notes=tuple(notes),
        reason=found.reason or ("" if n else gettext_noop("there are no comparisons")),
        resamples=len(found.resampled),
        **decided,
        **_ranks(ranking),
    )
