"""The one place where a file's plan becomes work."""

from __future__ import annotations

from judgments.models import Campaign
from judgments.plans import design
from judgments.plans.controls.settings import default_settings
from judgments.plans.settings import PlanSettings

SUGGESTED = "suggested"  # the settings with which the page of the design begins


def plan_work(campaign: Campaign, settings: PlanSettings | None) -> None:
    """Write the tasks of a campaign by its settings; None: by those that fit its protocol and its
    texts. Raises PlanError."""
    design.plan(campaign, settings or default_settings(campaign))
