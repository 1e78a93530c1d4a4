"""Campaigns of a release."""

from __future__ import annotations

from judgments.files.texts import LONGEST_NAME
from judgments.models import Campaign, TestSet
from judgments.people.members.members import add_first_owner
from judgments.protocols import preset_named

from .records import JudgmentsPart, PlanPart


def new_campaign(part: JudgmentsPart | PlanPart, test_set: TestSet, owner, status: str) -> Campaign:
    """A campaign of a part with its owner."""
    preset = preset_named(part.preset)
    campaign = Campaign(
        name=part.name[:LONGEST_NAME],
        test_set=test_set,
        protocol=preset.protocol,
        preset=preset.slug,
        options={**preset.options, **part.options},
        instructions={"en": part.instructions} if part.instructions else {},
        status=status,
    )
    campaign.full_clean()
    campaign.save()
    add_first_owner(campaign, owner)
    return campaign
