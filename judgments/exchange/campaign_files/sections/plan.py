"""Who judges what: the settings of a plan, all of which are keys here."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from judgments.files.texts import LONGEST_SYSTEM_NAME
from judgments.plans.design import PlanError
from judgments.plans.settings import (
    BOUNDS,
    DAMAGE_RULES,
    DESIGNS,
    PER_TEN,
    PROMISES,
    QUESTIONS,
    PlanSettings,
)
from judgments.protocols import protocol_of

from ..nodes import within
from ..plan_work import SUGGESTED, plan_work
from ..section import FileSection
from ..shapes import SOME_TEXT

MOST_SYSTEMS = 1_000
CHOICES = {
    "design": dict(DESIGNS),
    "question": dict(QUESTIONS),
    "promise": dict(PROMISES),
    "damage": dict.fromkeys(DAMAGE_RULES, ""),
}
# What is said of each setting, for editors; a test holds that none is missing.
WORDS = {
    "systems": "Which systems are judged; without it, all.",
    "block_length": "Segments that are judged together at most; 0: whole documents.",
    "segments": "How many segments are judged, drawn block by block; null: all.",
    "equal_once": "Whether outputs that read the same are judged once.",
    "comparisons": "Of each segment at most, where two outputs are compared; null: every pair.",
    "design": "How texts are dealt out.",
    "batch_words": "What a batch holds at most, in words of sources and outputs.",
    "batch_items": "What a batch holds at most, in items; null: batch_words says it.",
    "seats": "Annotators for each batch.",
    "agreement_share": "The share of batches that have agreement_seats.",
    "agreement_seats": "Annotators for each of these batches.",
    "pool": "Whether blocks are taken one by one instead of in batches.",
    "lease_minutes": "How long a block on which nothing was judged stays with somebody.",
    "repeats": "Of ten items so many come again.",
    "references": "Of ten items so many show the reference as a translation.",
    "degraded": "Of ten items so many are damaged copies.",
    "damage": "The rule by which copies are damaged.",
    "calibration": "Segments that everybody judges, in every batch.",
    "loud_checks": "Attention checks in every batch that say what to answer.",
    "silent_checks": "Attention checks in every batch that do not.",
    "question": "What the campaign is to answer.",
    "promise": "What is promised of the separations that are shown.",
    "context_cost": "Time to read a block's context, in times to judge a segment.",
    "annotators": "How many are expected; it changes what the plan's page reckons, not the plan.",
    "spread": "Standard deviation of the difference of two systems on a segment, as a share of "
    "the scale; for what the plan's page reckons.",
    "seconds_per_word": "How long a word of sources and outputs takes; null: what is usual.",
    "pay_per_hour": "What an hour is paid; null: nothing is said.",
    "currency": "Of the pay.",
    "seed": "Of the random order: the same seed and texts give the same plan.",
}


def schema_of(name: str, default: Any) -> dict[str, Any]:
    """Of one setting, by its default and its bounds."""
    words = {"description": WORDS.get(name, f"{name}."), "default": default}
    if name == "systems":
        text = {"type": "string", "pattern": SOME_TEXT, "maxLength": LONGEST_SYSTEM_NAME}
        return {"type": "array", "items": text, "maxItems": MOST_SYSTEMS, **words, "default": []}
    if name in CHOICES:
        told = "; ".join(f"{key}: {said}" for key, said in CHOICES[name].items() if said)
        words["description"] += f" {told}." if told else ""
        return {"type": "string", "enum": list(CHOICES[name]), **words}
    if isinstance(default, bool):
        return {"type": "boolean", **words}
    if isinstance(default, str):
        return {"type": "string", "pattern": SOME_TEXT, "maxLength": 40, **words}
    kind = "number" if isinstance(default, float) or name == "pay_per_hour" else "integer"
    ends = {n: {"minimum": low, "maximum": high} for n, low, high in BOUNDS}.get(name, {})
    steps = {"multipleOf": 0.5} if name in PER_TEN else {}
    return {"type": [kind, "null"] if default is None else kind, **ends, **steps, **words}


class PlanSection(FileSection):
    """Without this key nothing is planned; `plan: {}` plans with the defaults."""

    key = "plan"

    def schema(self):
        settings = {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                field.name: schema_of(field.name, field.default) for field in fields(PlanSettings)
            },
        }
        suggested = {
            "type": "string",
            "enum": [SUGGESTED],
            "description": "What fits the preset and the texts, with control items where they make "
            "sense.",
        }
        return {
            "anyOf": [settings, suggested],
            "description": "Who judges what, and with which control items. Without it, nothing is "
            "planned yet.",
        }

    def read(self, node, desk):
        if node is None or node.value == SUGGESTED:
            return node and SUGGESTED
        try:
            return PlanSettings.read(node.plain())
        except ValueError as problem:
            for words in str(problem).split("; "):
                name = words.split(" ")[0]
                known = name in node.keys
                desk.fault(within(self.key, name) if known else self.key, f"{words}.")
        return None

    def apply(self, campaign, value, desk):
        if value is None:
            return
        if value == SUGGESTED:
            self.plan(campaign, None, desk)
            return
        known = set(campaign.test_set.systems.values_list("name", flat=True))
        for number, name in enumerate(value.systems, 1):
            if name not in known:
                words = f"the test set has no system {name}; it has {', '.join(sorted(known))}."
                desk.fault(f"plan.systems.{number}", words)
        if desk.faults:
            return
        self.plan(campaign, value, desk)

    def plan(self, campaign, settings, desk):
        try:
            plan_work(campaign, settings)
        except PlanError as problem:
            desk.fault(self.key, first_small(str(problem)))

    def export(self, campaign):
        if campaign.plan:
            return dict(campaign.plan)
        tasks = campaign.tasks.filter(rest_of=None, n_items__gt=0)
        if not tasks.exists():
            return None
        return seen_in(campaign, list(tasks.values_list("seat", "n_items")))


def seen_in(campaign, tasks: list[tuple[int, int]]) -> dict[str, int]:
    """What the work of a campaign says of its plan, where no settings are stored: the defaults, or
    those of a plan from before they were."""
    seats = max(seat for seat, _ in tasks)
    if seats == PlanSettings.seats:
        return {}
    size = max(n for _, n in tasks) // len(protocol_of(campaign).parts())
    return {"seats": seats, "batch_items": max(1, size)}


def first_small(words: str) -> str:
    return re.sub(r"^[A-Z](?=[a-z])", lambda match: match[0].lower(), words)
