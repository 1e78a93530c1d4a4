"""The one place where a file's plan becomes work."""

from __future__ import annotations

import numpy as np

from judgments.assignment import design
from judgments.assignment.plan_settings import PlanSettings
from judgments.models import Campaign, Task

ITEMS = 30  # of a batch, where nothing is said
# What the design of today knows; a file that asks for anything else is refused.
KNOWN = {"systems", "comparisons", "batch_items", "seats", "seed"}


def plan_work(campaign: Campaign, settings: PlanSettings) -> list[Task]:
    """Write the tasks of a campaign by its settings. Raises PlanError."""
    if unknown := sorted(settings.stored().keys() - KNOWN):
        raise design.PlanError(f"The design does not know {', '.join(unknown)} yet.")
    arguments = {
        "batch_size": settings.batch_items or ITEMS,
        "seats": settings.seats,
        "rng": np.random.default_rng(settings.seed),
    }
    if settings.comparisons is not None:
        arguments["screens_per_segment"] = settings.comparisons
    if settings.systems:
        systems = campaign.test_set.systems.filter(name__in=settings.systems)
        arguments["systems"] = list(systems.values_list("pk", flat=True))
    return design.plan(campaign, **arguments)
