"""Possible control items of a plan, and its default settings."""

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
    """Return, by the names of the settings, why a kind of control items makes no sense with this
    protocol, these texts and these settings; empty if it does."""
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
    """Return the settings without control items that make no sense. Nobody may see two versions of
    a document with questions, whatever the design."""
    if protocol.unit == "document" and settings.design == "paired":
        settings = replace(settings, design="latin-square")
    if not may_draw(protocol):
        settings = replace(settings, choice="all")
    reasons = controls_for(protocol, settings)
    none: dict[str, Any] = {kind: 0 for kind, reason in reasons.items() if reason}
    return replace(settings, **none)


def default_settings(campaign: Campaign) -> PlanSettings:
    """Return the default settings for a campaign's plan.

    Blocks of three segments if documents are longer, whole documents if the surrounding text is
    part of the question. A crowd's campaign has control items; for experts, one of twenty items is
    a repeat.
    """
    protocol = protocol_of(campaign)
    settings = PlanSettings(block_length=block_length(campaign, protocol))
    settings = with_controls(settings) if protocol.preset.crowd else replace(settings, repeats=0.5)
    return allowed(protocol, settings)


def settings_of(campaign: Campaign) -> PlanSettings:
    """Return the settings of the last plan, or the default settings for this protocol."""
    if is_planned(campaign.plan):
        return PlanSettings.read(campaign.plan)
    return replace(default_settings(campaign), **campaign.plan)


def with_controls(settings: PlanSettings) -> PlanSettings:
    """Return the settings with controls that show which unknown annotators read with care: of ten
    items one is a repeat, one a reference and one a degraded copy, each batch has a check of either
    kind, and the tutorial is a test."""
    kinds: dict[str, Any] = {"repeats": 1.0, "references": 1.0, "degraded": 1.0}
    checks: dict[str, Any] = {"loud_checks": 1, "silent_checks": 1}
    test: dict[str, Any] = {"tutorial_right": 0.6, "tutorial_tries": 2}
    return replace(settings, **kinds, **checks, **test)


def for_crowds(campaign: Campaign, settings: PlanSettings) -> PlanSettings:
    """Return the settings adapted for unknown people, who stop when they like."""
    return allowed(protocol_of(campaign), replace(with_controls(settings), pool=True))


def block_length(campaign: Campaign, protocol: Protocol) -> int:
    if protocol.unit not in CUT or protocol.options.context == "document":
        return 0
    counted = campaign.test_set.segments.aggregate(
        segments=Count("pk"), documents=Count("document", distinct=True)
    )
    return BLOCK if counted["segments"] > BLOCK * counted["documents"] else 0
