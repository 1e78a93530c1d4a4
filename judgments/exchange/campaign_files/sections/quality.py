"""Whose judgments will be left out: the rule, written before the first of them.

A threshold that `QualityRule` gets is a key here as soon as it is listed in `THRESHOLDS`; its
bounds are those of the form.
"""

from __future__ import annotations

from typing import Any

from judgments.models.quality_control import THRESHOLDS
from judgments.quality.rules.forms import RuleForm
from judgments.quality.rules.verdicts import write_rule

from ..section import FileSection

WORDS = {
    "least_checks": "The least share of attention checks that are passed.",
    "degraded_level": "Damaged copies are scored below the originals with at most this p.",
    "most_deviation": "The largest mean difference between two scores of the same output, as a "
    "share of the scale.",
    "least_references": "The least share of hidden references that score at least the median.",
    "seconds_per_word": "Who takes less time for a word of the source was too fast to read it.",
}


def threshold(name: str) -> dict:
    field: Any = RuleForm.base_fields[name]
    return {
        "type": ["number", "null"],
        "minimum": field.min_value,
        "maximum": field.max_value,
        "description": WORDS.get(name, f"{name}."),
    }


class QualitySection(FileSection):
    key = "quality_rule"

    def schema(self):
        return {
            "type": "object",
            "additionalProperties": False,
            "description": "By which rule annotators will be left out of the results.",
            "properties": {
                "text": {
                    "type": "string",
                    "maxLength": RuleForm.base_fields["text"].max_length,  # type: ignore[attr-defined]
                    "description": "The rule in words.",
                },
                **{name: threshold(name) for name in THRESHOLDS},
            },
        }

    def read(self, node, desk):
        if node is None:
            return None
        said = {key: value for key, value in node.plain().items() if value not in (None, "")}
        if not said:
            desk.fault(self.key, "write a rule, or a threshold.")
        return said

    def apply(self, campaign, value, desk):
        if value:
            write_rule(campaign, by=desk.user, **{"text": "", **value})

    def export(self, campaign):
        rule = campaign.quality_rules.last()
        if rule is None:
            return None
        return {**({"text": rule.text} if rule.text else {}), **rule.thresholds} or None
