"""Who judges what: the settings of a plan, all of which are keys here."""

from __future__ import annotations

import re
from dataclasses import Field, fields

from judgments.files.texts import LONGEST_SYSTEM_NAME
from judgments.plans import design
from judgments.plans.controls.settings import default_settings
from judgments.plans.settings import FRACTIONS, PER_TEN, PlanSettings, is_planned
from judgments.protocols import protocol_of

from ..section import FileSection
from ..shapes import Shape, any_of, list_of, mapping, one_of, shape, some_text

SUGGESTED = "suggested"  # the settings with which the page of the design begins
MOST_SYSTEMS = 1_000


def schema_of(setting: Field) -> Shape:
    name, default, told = setting.name, setting.default, setting.metadata
    words = told["words"]
    if name == "systems":
        return list_of(some_text(LONGEST_SYSTEM_NAME), MOST_SYSTEMS, words, default=[])
    if choices := told["choices"]:
        meanings = "; ".join(f"{key}: {meaning}" for key, meaning in choices.items())
        return one_of(choices, f"{words} {meanings}.", default=default)
    if isinstance(default, bool):
        return shape("boolean", words, default=default)
    if isinstance(default, str):
        return {**some_text(40, words), "default": default}
    kind = "number" if name in FRACTIONS else "integer"
    ends = {"minimum": told["low"], "maximum": told["high"]}
    steps = {"multipleOf": 0.5} if name in PER_TEN else {}
    kinds = [kind, "null"] if default is None else kind
    return shape(kinds, words, default=default, **ends, **steps)


class PlanSection(FileSection):
    """Without this key nothing is planned; `plan: {}` plans with the defaults."""

    key = "plan"

    def schema(self):
        settings = {each.name: schema_of(each) for each in fields(PlanSettings)}
        return any_of(
            mapping(settings),
            one_of(
                [SUGGESTED],
                "What fits the preset and the texts, with control items where they make sense.",
            ),
            words="Who judges what, and with which control items. Without it, nothing is planned "
            "yet.",
        )

    def read(self, value, desk):
        if value is None or value == SUGGESTED:
            return value
        try:
            return PlanSettings.read(value)
        except ValueError as problem:
            desk.fault(self.key, f"{problem}.")
        return None

    def apply(self, campaign, value, desk):
        if value is None:
            return
        settings = default_settings(campaign) if value == SUGGESTED else value
        known = set(campaign.test_set.systems.values_list("name", flat=True))
        for number, name in enumerate(settings.systems, 1):
            if name not in known:
                words = f"the test set has no system {name}; it has {', '.join(sorted(known))}."
                desk.fault(f"plan.systems.{number}", words)
        if desk.faults:
            return
        try:
            design.plan(campaign, settings)
        except design.PlanError as problem:
            words = re.sub(r"^[A-Z](?=[a-z])", lambda first: first[0].lower(), str(problem))
            desk.fault(self.key, words)

    def export(self, campaign):
        if is_planned(campaign.plan):
            return dict(campaign.plan)
        tasks = campaign.tasks.planned().filter(rest_of=None, n_items__gt=0)
        if not tasks.exists():
            return dict(campaign.plan) or None
        return seen_in(campaign, list(tasks.values_list("seat", "n_items"))) | campaign.plan


def seen_in(campaign, tasks: list[tuple[int, int]]) -> dict[str, int]:
    """Return what the work of a campaign says of its plan, where no settings are stored: the
    defaults, or those of a plan from before they were."""
    seats = max(seat for seat, _ in tasks)
    if seats == PlanSettings.seats:
        return {}
    size = max(n for _, n in tasks) // len(protocol_of(campaign).parts())
    return {"seats": seats, "batch_items": max(1, size)}
