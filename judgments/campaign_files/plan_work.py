"""The one place where a file's plan becomes work."""

from __future__ import annotations

from judgments.assignment import design
from judgments.assignment.control_settings import default_settings
from judgments.assignment.plan_settings import PlanSettings
from judgments.models import Campaign

SUGGESTED = "suggested"  # the settings with which the page of the design begins


def plan_work(campaign: Campaign, settings: PlanSettings | None) -> None:
    """Write the tasks of a campaign by its settings; None: by those that fit its protocol and its
    texts. Raises PlanError."""
    design.plan(campaign, settings or default_settings(campaign))
