"""Whose judgments will be left out: the rule, written before the first of them.

A threshold of `QualityRule` is a key here as soon as it is listed in `THRESHOLDS`; its bounds are
those of the form.
"""

from __future__ import annotations

from judgments.models.quality_control import THRESHOLDS
from judgments.protocols.options import schema_of
from judgments.quality.rules.forms import RuleForm
from judgments.quality.rules.verdicts import write_rule

from ..section import FileSection
from ..shapes import mapping

NAMES = ("text", *THRESHOLDS, "hold_after")


class QualitySection(FileSection):
    key = "quality_rule"

    def schema(self):
        fields = RuleForm.base_fields
        words = "By which rule annotators will be left out of the results."
        return mapping({name: schema_of(fields[name]) for name in NAMES}, words)

    def read(self, value, desk):
        if value is None:
            return None
        said = {key: each for key, each in value.items() if each not in (None, "")}
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
        found = {"text": rule.text or None, **rule.thresholds, "hold_after": rule.hold_after}
        return {name: value for name, value in found.items() if value is not None} or None
