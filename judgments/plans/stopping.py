"""Registering when a campaign may stop: only before the first judgment."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from django.db import transaction

from judgments.models import (
    Aim,
    Campaign,
    Item,
    Judgment,
    Kind,
    PlanTest,
    RegisteredPlan,
    Segment,
    System,
)
from judgments.models.chains import record
from judgments.plans.choice import draws_systems
from judgments.plans.metric_controls import Control
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of
from judgments.stats.planning.blocks import cut_blocks
from judgments.stats.sequential import FIRST_LOOK_ITEMS, MOST_LOOKS

USUAL_LOOKS = 5
MIN_DOCUMENTS = 20  # fewer documents are a poor sample: segments are then treated as independent


class PlanTooLate(ValueError):
    """Judgments exist already, so a later plan might be fitted to them."""


class PlanTooSmall(ValueError):
    """The planned work is not enough for a first look."""


def plan_of(campaign: Campaign) -> RegisteredPlan | None:
    """Return the current plan: the last one."""
    return campaign.stopping_plans.select_related("registered_by").last()


def may_register(campaign: Campaign) -> bool:
    return not Judgment.objects.filter(campaign=campaign).exists()


def register(campaign: Campaign, *, by, **fields) -> RegisteredPlan:
    """Register a plan. Raise AlreadyJudged once there is a judgment."""
    with transaction.atomic():
        # FOR UPDATE, unlike `lock_campaign`: it waits for answers that are being committed, and new
        # ones wait for it.
        Campaign.objects.select_for_update(of=("self",)).get(pk=campaign.pk)
        if not may_register(campaign):
            raise PlanTooLate(
                "There are judgments already. A plan must be registered before the first one."
            )
        if draws_systems(campaign):
            raise PlanTooLate(
                "The work is planned with systems drawn for blocks. Interim looks assume pairs "
                "of systems that were all shown."
            )
        n_systems = System.objects.filter(test_set_id=campaign.test_set_id).without_copies().count()
        plan = RegisteredPlan.objects.create(
            campaign=campaign, n_systems=n_systems, registered_by=by, **fields
        )
        record.note(campaign.pk, "stopping plan registered", "plan", ids=[plan.pk])
        return plan


def register_controls(campaign: Campaign, controls: Sequence[Control], *, by) -> RegisteredPlan:
    """Register metrics as controls for which of the planned segments are judged, with the default
    looks of the page of stopping plans. Raise ValueError if the plan is too small for a look."""
    question = PlanSettings.read(campaign.plan).question
    unit, _, items_of_one = unit_of(campaign)
    most = planned_units(campaign)
    return register(
        campaign,
        by=by,
        aim=Aim.BEST if question == "best" else Aim.ALL,
        dimension=protocol_of(campaign).dimensions()[0].slug,
        unit=unit,
        block_length=block_length_of(campaign) if unit == "blocks" else 0,
        test=PlanTest.SIGNED_RANK,
        looks=evenly(most, USUAL_LOOKS, items_of_one),
        most=most,
        controls=[{"signature": each.signature, "name": each.label} for each in controls],
    )


def block_length_of(campaign: Campaign) -> int:
    """Return the most segments that the campaign's plan judges together; 0 for whole documents."""
    return PlanSettings.read(campaign.plan).block_length


def unit_of(campaign: Campaign) -> tuple[str, int, float]:
    """Return the unit counted at a look, how many of them exist, and how many items one has."""
    unit, segments, numbers = _numbered(campaign)
    n = len(np.unique(numbers))
    return unit, n, len(segments) / n if n else 1.0


def planned_units(campaign: Campaign) -> int:
    """Return how many units the planned work contains; all if nothing is planned by segments."""
    _, segments, numbers = _numbered(campaign)
    regular = Item.objects.filter(task__campaign=campaign, kind=Kind.REGULAR)
    if protocol_of(campaign).unit == "segment" and regular.exists():
        planned = regular.order_by().values_list("segment_id", flat=True).distinct()
        numbers = numbers[np.isin(segments, list(planned))]
    return len(np.unique(numbers))


def is_outgrown(campaign: Campaign, plan: RegisteredPlan) -> bool:
    """Return whether the work was planned otherwise after the plan was registered: in other units,
    or with too few of them for its last look."""
    if plan.unit == "blocks" and plan.block_length != block_length_of(campaign):
        return True
    return plan.unit != unit_of(campaign)[0] or plan.most > planned_units(campaign)


def may_look(campaign: Campaign) -> bool:
    """Return whether the planned work is enough for a first look."""
    *_, items_of_one = unit_of(campaign)
    return planned_units(campaign) * items_of_one >= FIRST_LOOK_ITEMS


def _numbered(campaign: Campaign) -> tuple[str, np.ndarray, np.ndarray]:
    """Return the unit counted at a look; the segments (n,) in order, and (n,) the unit of each
    segment."""
    rows = Segment.objects.filter(test_set_id=campaign.test_set_id).order_by("position")
    found = np.array(rows.values_list("pk", "document_id"), np.int64).reshape(-1, 2)
    segments, documents = found[:, 0], found[:, 1]
    if not MIN_DOCUMENTS <= len(np.unique(documents)) < len(documents):
        return "segments", segments, np.arange(len(segments))
    longest = block_length_of(campaign)
    if longest:
        return "blocks", segments, np.asarray(cut_blocks(documents, longest))
    return "documents", segments, documents


def evenly(most: int, n_looks: int, items_of_one: float) -> list[int]:
    """Return looks at even steps up to ``most``, the first after at least 40 items. Raise
    PlanTooSmall if the whole plan has fewer, ValueError if there are too many looks."""
    least = math.ceil(FIRST_LOOK_ITEMS / items_of_one)
    if most < least:
        raise PlanTooSmall(f"a plan has at least {FIRST_LOOK_ITEMS} items")
    if not 1 <= n_looks <= MOST_LOOKS:
        raise ValueError(f"a plan has 1 to {MOST_LOOKS} looks")
    first = max(least, round(most / n_looks))
    return sorted({round(n) for n in np.linspace(first, most, n_looks)}) if n_looks > 1 else [most]
