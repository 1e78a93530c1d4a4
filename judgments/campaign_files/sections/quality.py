"""Whose judgments will be left out: the rule, written before the first of them.

What verdicts are given by plugs in here, as further keys of `quality_rule` in `schema`, `read`,
`apply` and `export`.
"""

from __future__ import annotations

from judgments.forms.quality_control import RuleForm
from judgments.quality_control.decisions import write_rule

from ..section import FileSection


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
                "seconds_per_word": {
                    "type": ["number", "null"],
                    "minimum": 0.01,
                    "maximum": 60,
                    "description": "Who takes less time for a word of the source gets a flag.",
                },
            },
        }

    def read(self, node, desk):
        if node is None:
            return None
        form = RuleForm(node.plain())
        if not form.is_valid():
            desk.form_faults(self.key, form)
            return None
        return form.cleaned_data

    def apply(self, campaign, value, desk):
        if value:
            write_rule(campaign, by=desk.user, **value)

    def export(self, campaign):
        rule = campaign.quality_rules.last()
        if rule is None:
            return None
        said = {"text": rule.text, "seconds_per_word": rule.seconds_per_word}
        return {key: value for key, value in said.items() if value}
