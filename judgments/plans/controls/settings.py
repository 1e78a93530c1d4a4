"""Which control items a plan can have, and with which settings it begins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import Count

from judgments.models import Campaign, Reference
from judgments.protocols import Protocol, protocol_of
from judgments.protocols.contract import CONTROLS

from ..choice import may_contrast, may_draw
from ..settings import PlanSettings, is_planned

CUT = ("segment", "edit")  # the units of which a document has many, so that it can be cut
BLOCK = 3  # segments; see `judgments.stats.planning`


def controls_for(protocol: Protocol, settings: PlanSettings | None = None) -> dict[str, str]:
    """By the names of the settings, why a kind of control items makes no sense with this protocol,
    these texts and these settings; empty where it does."""
    reasons = dict.fromkeys(CONTROLS, "")
    if not Reference.objects.filter(segment__test_set=protocol.campaign.test_set_id).exists():
        reasons["references"] = "The test set has no reference."
    if protocol.unit != "segment":
        reasons["calibration"] = "The campaign does not judge segments."
    if not may_contrast(protocol):
        reasons["beside_checks"] = "Screens do not show two translations, each with its score."
    reasons |= protocol.no_controls()
    if settings is None:
        return reasons
    if settings.design != "paired" and not reasons["references"]:
        reasons["references"] = (
            "In this design nobody sees two versions of a document, and the reference would "
            "be a second one."
        )
    return reasons


def allowed(protocol: Protocol, settings: PlanSettings) -> PlanSettings:
    """Return the settings without the control items that make no sense. Of questions about
    documents nobody may see two versions, whatever the design says."""
    if protocol.unit == "document" and settings.design == "paired":
        settings = replace(settings, design="latin-square")
    if not may_draw(protocol):
        settings = replace(settings, choice="all")
    reasons = controls_for(protocol, settings)
    none: dict[str, Any] = {kind: 0 for kind, reason in reasons.items() if reason}
    return replace(settings, **none)


def default_settings(campaign: Campaign) -> PlanSettings:
    """With which settings the plan of a campaign begins.

    Blocks of three segments where documents are longer, whole documents where the text around is
    part of the question. A crowd's campaign has control items; of twenty items of experts one is a
    repeat.
    """
    protocol = protocol_of(campaign)
    settings = PlanSettings(block_length=block_length(campaign, protocol))
    settings = with_controls(settings) if protocol.preset.crowd else replace(settings, repeats=0.5)
    return allowed(protocol, settings)


def settings_of(campaign: Campaign) -> PlanSettings:
    """Return those of the last plan, or else those with which a plan of this protocol begins."""
    if is_planned(campaign.plan):
        return PlanSettings.read(campaign.plan)
    return replace(default_settings(campaign), **campaign.plan)


def with_controls(settings: PlanSettings) -> PlanSettings:
    """Return the settings with what tells who of strangers reads with care: of ten items one is a
    repeat, one a reference and one a degraded copy, each batch has a check of either kind, and the
    tutorial is a test."""
    kinds: dict[str, Any] = {"repeats": 1.0, "references": 1.0, "degraded": 1.0}
    checks: dict[str, Any] = {"loud_checks": 1, "silent_checks": 1}
    test: dict[str, Any] = {"tutorial_right": 0.6, "tutorial_tries": 2}
    return replace(settings, **kinds, **checks, **test)


def for_crowds(campaign: Campaign, settings: PlanSettings) -> PlanSettings:
    """Return the settings as they are for people whom nobody knows, and who stop when they like."""
    return allowed(protocol_of(campaign), replace(with_controls(settings), pool=True))


def block_length(campaign: Campaign, protocol: Protocol) -> int:
    if protocol.unit not in CUT or protocol.options.context == "document":
        return 0
    counted = campaign.test_set.segments.aggregate(
        segments=Count("pk"), documents=Count("document", distinct=True)
    )
    return BLOCK if counted["segments"] > BLOCK * counted["documents"] else 0
