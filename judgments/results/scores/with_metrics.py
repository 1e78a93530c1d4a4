"""Differences of systems from people and chosen metrics, compared with those from people alone."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judgments.models import Campaign
from judgments.plans.choice import draws_systems
from judgments.plans.metric_controls import control_scores, mean_words
from judgments.protocols import protocol_of
from judgments.stats.joint_estimate import JointEstimate, joint_estimate
from judgments.stats.metric_controls import controls_of_metrics

from ..observations.observations import SCORED_KINDS, Observed, cached
from ..observations.outside_scores import scores_from_outside
from ..observations.tables import places
from ..observations.units import clusters_of
from ..selection.selection import Selection
from .figures import segment_scores_of

# Scores of segments in which people and metrics can be combined; a mixed model has none.
METHODS = ("raw", "z", "center")


@dataclass(frozen=True)
class ChosenMetrics:
    """``signatures`` and ``titles`` of metrics. ``registered``: named by the campaign's plan before
    the first judgment, and not by a reader."""

    signatures: tuple[str, ...]
    titles: tuple[str, ...]
    registered: bool = False


@dataclass(frozen=True)
class WithMetrics:
    """``names`` (S,) of the systems; ``order`` lists them best first, by people. ``used``: titles
    of the metrics that count; ``gone``: of those without scores, or whose scores are out of date;
    ``lacking``: of those without scores of some judged segments. ``unit``: kept as a whole;
    ``n_units`` of them were judged, and ``n_pool`` segments could have been."""

    dimension: str
    method: str
    names: tuple[str, ...]
    order: tuple[int, ...]
    used: tuple[str, ...]
    gone: tuple[str, ...]
    lacking: tuple[str, ...]
    registered: bool
    unit: str
    n_units: int
    n_pool: int
    estimate: JointEstimate

    @property
    def n_judged(self) -> int:
        return int(self.estimate.n.max(initial=0))

    @property
    def all_judged(self) -> bool:
        """Whether people judged everything that metrics scored."""
        return bool((self.estimate.n >= self.estimate.n_scored).all())

    @property
    def variance_ratio(self) -> float:
        """The variance of the estimate over all pairs, relative to people's alone."""
        joint, people = self.estimate.joint.se**2, self.estimate.people.se**2
        known = ~np.isnan(joint) & ~np.isnan(people)
        alone = float(people[known].sum())
        return float(joint[known].sum()) / alone if alone else 1.0


def is_possible(campaign: Campaign) -> bool:
    """Return whether there are ratings of segments of all systems, which can be combined with
    metrics."""
    protocol = protocol_of(campaign)
    rated = protocol.rates and bool(protocol.dimensions())
    return rated and protocol.unit != "whole document" and not draws_systems(campaign)


def method_of(compared_by: str) -> str:
    """Return the scores in which people and metrics are combined, if the campaign compares by
    these."""
    return compared_by if compared_by in METHODS else METHODS[0]


def chosen_metrics(selection: Selection) -> ChosenMetrics | None:
    """Return the metrics named in an address, otherwise those of a registered plan; None without
    any."""
    if not is_possible(selection.campaign):
        return None
    if selection.with_metrics:
        by_slug = {each.slug: each for each in scores_from_outside(selection.campaign.test_set)}
        known = [by_slug[slug] for slug in selection.with_metrics if slug in by_slug]
        signatures, titles = [each.signature for each in known], [each.title for each in known]
        missing = [slug for slug in selection.with_metrics if slug not in by_slug]
        return ChosenMetrics((*signatures, *missing), (*titles, *missing))
    plan = selection.stopping_plan
    if plan is None or not plan.controls:
        return None
    return ChosenMetrics(
        tuple(each["signature"] for each in plan.controls),
        tuple(each["name"] for each in plan.controls),
        registered=True,
    )


def with_metrics(
    selection: Selection, chosen: ChosenMetrics, dimension: str | None = None, method: str = "raw"
) -> WithMetrics:
    """Return the differences of all pairs of systems from people and the chosen metrics."""
    test_set = selection.campaign.test_set
    systems = list(test_set.systems.order_by("name").values_list("pk", flat=True))
    found = control_scores(test_set, chosen.signatures, systems)
    mark = hashlib.sha256(b"".join(b"-" if each is None else each.tobytes() for each in found))
    return cached(
        selection,
        "with_metrics",
        lambda observed: with_metrics_of(
            observed,
            chosen,
            list(zip(chosen.titles, found, strict=True)),
            np.array(systems, np.int64),
            mean_words(test_set),
            dimension,
            method,
            pool=selection.segment_ids,
        ),
        chosen=[chosen.signatures, chosen.titles, chosen.registered],
        mark=mark.hexdigest(),
        dimension=dimension,
        method=method,
    )


def with_metrics_of(
    observed: Observed,
    chosen: ChosenMetrics,
    scores: Sequence[tuple[str, np.ndarray | None]],
    system_ids: np.ndarray,
    words: np.ndarray,
    dimension: str | None,
    method: str,
    *,
    pool: Sequence[int] | None = None,
) -> WithMetrics:
    """Return the differences from rows that were loaded. ``scores``: titles, and (systems,
    segments) of the whole test set; ``words`` of each of its segments; ``pool``: ids of the
    segments that pass a filter, None for all."""
    method = method_of(method)
    judged = segment_scores_of(observed, dimension, method)
    scored = observed.of_kinds(SCORED_KINDS).of_dimension(judged.dimension)
    clusters, unit = clusters_of(scored)
    inside = np.ones(len(observed.segment_ids), bool)
    if pool is not None:
        inside = np.isin(observed.segment_ids, pool)
    table = np.full((len(judged.names), len(observed.segment_ids)), np.nan)
    table[:, places(judged.segment_ids, observed.segment_ids)] = judged.values
    at = places(judged.system_ids, system_ids)
    used, gone, lacking, controls = [], [], [], []
    for title, values in scores:
        if values is None:
            gone.append(title)
        elif np.isnan(values[at][~np.isnan(table)]).any():
            lacking.append(title)
        else:
            used.append(title)
            controls.append(controls_of_metrics(values[at][:, inside], words[inside]))
    none = np.zeros((len(table), int(inside.sum()), 0))
    estimate = joint_estimate(
        table[:, inside], clusters[inside], np.concatenate([none, *controls], axis=2)
    )
    some = ~np.isnan(table)
    return WithMetrics(
        dimension=judged.dimension,
        method=method,
        names=tuple(map(str, judged.names)),
        order=tuple(np.argsort(-_means(table), kind="stable").tolist()),
        used=tuple(used),
        gone=tuple(gone),
        lacking=tuple(lacking),
        registered=chosen.registered,
        unit=unit,
        n_units=len(np.unique(clusters[some.any(axis=0)])),
        n_pool=int(inside.sum()),
        estimate=estimate,
    )


def _means(table: np.ndarray) -> np.ndarray:
    """Return the mean over each system's judged segments: each has some."""
    return np.asarray(np.nanmean(table, axis=1)) if table.size else np.zeros(len(table))
