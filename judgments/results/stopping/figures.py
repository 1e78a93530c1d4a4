"""Results of a registered stopping plan for the judgments so far."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext_noop

from judgments.models import Item, Kind, PlanTest, RegisteredPlan, Segment
from judgments.models.bulk import copy_columns
from judgments.plans.metric_controls import control_scores, mean_words
from judgments.results.observations.observations import SCORED_KINDS, Observed, cached
from judgments.results.observations.tables import places
from judgments.stats.elimination import pairs_to_share
from judgments.stats.looks import Review, review_looks
from judgments.stats.metric_controls import controls_of_metrics
from judgments.stats.planning.blocks import cut_blocks
from judgments.stats.sequential import FIRST_LOOK_ITEMS, StoppingPlan, stopping_plan

from ..scores.figures import segment_scores_of
from ..selection.selection import Selection

GONE = gettext_noop(
    "the registered scores are not there, or the texts have changed since they were computed"
)
GUARANTEES = {"all": "every", "best": "best"}


@dataclass(frozen=True)
class StoppingReport:
    """A campaign at its looks. ``names`` (S,) of the systems that were judged; ``plan`` with the
    bounds before any pair is decided; ``review`` has the looks. ``controlled`` says whether a
    control variate is in use, ``control_reason`` why a registered one is not; ``reason`` why
    nothing can be compared."""

    dimension: str
    aim: str
    test: str
    unit: str
    names: tuple[str, ...]
    ends: tuple[int, ...]
    most: int
    plan: StoppingPlan
    review: Review
    controlled: bool
    control_reason: str
    reason: str = ""

    @property
    def n_pairs(self) -> int:
        return len(self.names) * (len(self.names) - 1) // 2

    @property
    def n_decided(self) -> int:
        return int(np.count_nonzero(np.triu(self.review.sign)))


def stopping(selection: Selection, plan: RegisteredPlan) -> StoppingReport:
    """Return the looks of a campaign's registered plan."""
    planned, test_set = _planned(selection), selection.campaign.test_set
    mark = hashlib.sha256(planned.tobytes())
    scores = None
    if plan.controls:
        scores = _control(selection, plan)
        mark.update(b"" if scores is None else scores.tobytes())
    return cached(
        selection,
        "stopping",
        lambda o: stopping_of(
            o,
            plan,
            planned,
            _first_judgments(selection),
            None if scores is None else controls_of(plan, scores, mean_words(test_set)),
        ),
        plan=plan.pk,
        mark=mark.hexdigest(),
    )


def _planned(selection: Selection) -> np.ndarray:
    """Return ids of the segments that the campaign has assigned or will assign, or all of the test
    set's if there are none."""
    items = Item.objects.filter(task__campaign=selection.campaign, kind=Kind.REGULAR)
    ids = items.order_by().values_list("segment_id", flat=True).distinct()
    some = np.array(sorted(ids), np.int64)
    if len(some):
        return some
    every = Segment.objects.filter(test_set_id=selection.campaign.test_set_id).order_by()
    return np.array(sorted(every.values_list("pk", flat=True)), np.int64)


def _control(selection: Selection, plan: RegisteredPlan) -> np.ndarray | None:
    """Return (metrics, systems, segments) of the whole test set; None if any metric is missing."""
    test_set = selection.campaign.test_set
    systems = list(test_set.systems.order_by("name").values_list("pk", flat=True))
    signatures = [each["signature"] for each in plan.controls]
    found = control_scores(test_set, signatures, systems)
    known = [scores for scores in found if scores is not None]
    return np.stack(known) if len(known) == len(found) else None


def _first_judgments(selection: Selection) -> dict[str, np.ndarray]:
    """Return the id of the first judgment of each item: a revision does not move it to a later
    look."""
    fields = {"item": ("j.item_id", "i8"), "first": ("min(j.id)", "i8")}
    source = "judgments_judgment j WHERE j.campaign_id = %s GROUP BY j.item_id"
    return copy_columns(fields, source, [selection.campaign.pk])


def controls_of(plan: RegisteredPlan, scores: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return (systems, segments, q) of the registered metrics' ``scores`` (metrics, systems,
    segments).

    With signed ranks their mean, and that times ``lengths`` (segments,); otherwise each metric
    separately.
    """
    if plan.test == PlanTest.SIGNED_RANK:
        return controls_of_metrics(scores, lengths)
    return np.moveaxis(scores, 0, -1)


def stopping_of(
    observed: Observed,
    plan: RegisteredPlan,
    planned: np.ndarray,
    firsts: dict[str, np.ndarray],
    control: np.ndarray | None,
) -> StoppingReport:
    """Return the looks for rows that were loaded. ``planned``: ids of segments; ``firsts``: ids of
    the items, and of the first judgment of each; ``control`` (systems, segments, q) of the whole
    test set."""
    n_systems = max(plan.n_systems, 2)
    at = np.flatnonzero(np.isin(observed.segment_ids, planned))  # in the order of the test set
    if plan.test == PlanTest.SIGNED_RANK and control is not None:
        at = np.arange(len(observed.segment_ids))  # metrics score the whole pool
    names, table, when, systems = _table(observed, plan.dimension, at, firsts)
    reason = ""
    if plan.dimension not in {dimension.slug for dimension in observed.dimensions}:
        reason = f"{plan.dimension} is no longer asked for"
    elif len(names) < n_systems:
        reason = f"{len(names)} of the {n_systems} systems of the plan were judged"
    looks = stopping_plan(
        plan.looks,
        most_documents=plan.most,
        first_items=FIRST_LOOK_ITEMS,  # as it was registered; a look at fewer decides nothing
        n_pairs=pairs_to_share(max(n_systems, len(names)), GUARANTEES[plan.aim]),
        alpha=plan.alpha,
        spending=plan.spending,
    )
    if reason:  # without all systems, an unfinished document might count
        table = np.full_like(table, np.nan)
    units = observed.segment_ids if plan.unit == "segments" else observed.document_ids
    extra = None if control is None else control[np.ix_(systems, at)]
    options: dict[str, Any] = {"controls": extra, "aim": plan.aim, "test": plan.test}
    if plan.unit == "blocks":
        options["blocks"] = cut_blocks(observed.document_ids, plan.block_length)[at]
    return StoppingReport(
        dimension=plan.dimension,
        aim=plan.aim,
        test=plan.test,
        unit=plan.unit,
        names=names,
        ends=tuple(plan.looks),
        most=plan.most,
        plan=looks,
        review=review_looks(table, when, units[at], looks, plan.looks, **options),
        controlled=extra is not None,
        control_reason=GONE if plan.controls and control is None else "",
        reason=reason,
    )


def _table(
    observed: Observed, dimension: str, at: np.ndarray, firsts: dict[str, np.ndarray]
) -> tuple[tuple[str, ...], np.ndarray, np.ndarray, np.ndarray]:
    """Return names (S,) of the systems that were judged, their scores (S, N) for the segments
    ``at``, when each was first judged, and the systems' positions."""
    if dimension not in {known.slug for known in observed.dimensions}:
        nothing = np.zeros((0, len(at)))
        return (), nothing, nothing, np.zeros(0, np.intp)
    found = segment_scores_of(observed, dimension)
    systems = np.flatnonzero(np.isin(observed.system_ids, found.system_ids))
    table = np.full((len(systems), len(observed.segment_ids)), np.nan)
    table[:, np.isin(observed.segment_ids, found.segment_ids)] = found.values
    when = _judged_at(observed, dimension, firsts)
    return tuple(map(str, found.names)), table[:, at], when[systems][:, at], systems


def _judged_at(observed: Observed, dimension: str, firsts: dict[str, np.ndarray]) -> np.ndarray:
    """Return when each output was first judged, (systems, segments), infinite if it was not."""
    rows = observed.of_kinds(SCORED_KINDS).of_dimension(dimension).ratings
    when = np.full((len(observed.system_ids), len(observed.segment_ids)), np.inf)
    moment = firsts["first"][places(rows["item"], firsts["item"])].astype(np.float64)
    np.minimum.at(when, (rows["system"], rows["segment"]), moment)
    return when
