"""Registering when a campaign may stop: before the first judgment, and not after it."""

from __future__ import annotations

import math

import numpy as np
from django.db import transaction

from judgments.assignment.plan_settings import PlanSettings
from judgments.models import Campaign, Judgment, RegisteredPlan, Segment, System
from judgments.stats.planning.blocks import cut_blocks
from judgments.stats.sequential import FIRST_LOOK_ITEMS, MOST_LOOKS

MIN_DOCUMENTS = 20  # fewer documents make a poor sample: segments are taken for independent then


class PlanTooLate(ValueError):
    """There are judgments, and a plan that is younger than they are may be made to fit them."""


def plan_of(campaign: Campaign) -> RegisteredPlan | None:
    """The plan in force: the last one."""
    return campaign.stopping_plans.select_related("registered_by").last()


def may_register(campaign: Campaign) -> bool:
    return not Judgment.objects.filter(campaign=campaign).exists()


def register(campaign: Campaign, *, by, **fields) -> RegisteredPlan:
    """Write a plan down. Raises AlreadyJudged once there is a judgment."""
    with transaction.atomic():
        # A judgment that is being stored holds a lock on its campaign: this waits for it.
        Campaign.objects.select_for_update(of=["self"]).get(pk=campaign.pk)
        if not may_register(campaign):
            raise PlanTooLate("There are judgments already: a plan had to come before them.")
        n_systems = System.objects.filter(test_set_id=campaign.test_set_id).without_copies().count()
        return RegisteredPlan.objects.create(
            campaign=campaign, n_systems=n_systems, registered_by=by, **fields
        )


def block_length_of(campaign: Campaign) -> int:
    """How many segments the campaign's plan judges together at most; 0 for whole documents."""
    return PlanSettings.read(campaign.plan).block_length


def unit_of(campaign: Campaign) -> tuple[str, int, float]:
    """What is counted at a look, how many of them there are, and how many items one has."""
    segments = Segment.objects.filter(test_set_id=campaign.test_set_id).order_by("position")
    documents = np.array(segments.values_list("document_id"), np.int64).ravel()
    n_documents = len(np.unique(documents))
    longest = block_length_of(campaign)
    if longest and MIN_DOCUMENTS <= n_documents < len(documents):
        n_blocks = int(cut_blocks(documents, longest).max()) + 1
        return "blocks", n_blocks, len(documents) / n_blocks
    if MIN_DOCUMENTS <= n_documents < len(documents):
        return "documents", n_documents, len(documents) / n_documents
    return "segments", len(documents), 1.0


def evenly(most: int, n_looks: int, items_of_one: float) -> list[int]:
    """Looks at even steps up to ``most``, the first after at least 40 items. ValueError if the
    whole plan has fewer, or if there are too many looks."""
    least = math.ceil(FIRST_LOOK_ITEMS / items_of_one)
    if most < least:
        raise ValueError(f"a plan has at least {FIRST_LOOK_ITEMS} items")
    if not 1 <= n_looks <= MOST_LOOKS:
        raise ValueError(f"a plan has 1 to {MOST_LOOKS} looks")
    first = max(least, round(most / n_looks))
    return sorted({round(n) for n in np.linspace(first, most, n_looks)}) if n_looks > 1 else [most]
