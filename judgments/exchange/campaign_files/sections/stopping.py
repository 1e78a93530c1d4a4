"""When the campaign may stop: the plan that is registered before the first judgment."""

from __future__ import annotations

from judgments.models import Aim, PlanTest, Spending
from judgments.plans.stopping import evenly, plan_of, register, unit_of
from judgments.results.observations.observations import dimensions_of
from judgments.results.stopping.forms import PlanForm
from judgments.stats.sequential import MOST_LOOKS

from ..section import FileSection, NotInAFile


class StoppingSection(FileSection):
    key = "stopping_plan"

    def schema(self):
        return {
            "type": "object",
            "additionalProperties": False,
            "description": "At which looks the campaign may stop, registered with the campaign.",
            "properties": {
                "aim": {
                    "type": "string",
                    "enum": Aim.values,
                    "default": Aim.ALL.value,
                    "description": "Rank all systems, or find the best one.",
                },
                "dimension": {
                    "type": "string",
                    "description": "Whose ratings decide; without it, the first.",
                },
                "most": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "Documents, blocks or segments in all; without it, all of them.",
                },
                "looks": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MOST_LOOKS,
                    "default": 5,
                    "description": "How many looks, at even steps, the end included.",
                },
                "spending": {
                    "type": "string",
                    "enum": Spending.values,
                    "default": Spending.ONE_SIDED_FORM.value,
                    "description": "How the error is spent over the looks.",
                },
                "test": {
                    "type": "string",
                    "enum": PlanTest.values,
                    "default": PlanTest.SIGNED_RANK.value,
                    "description": "What is compared with the bounds.",
                },
                "controls": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Signatures of metrics whose scores of all segments are the "
                    "control variate.",
                },
            },
        }

    def apply(self, campaign, value, desk):
        if value is None:
            return
        if not dimensions_of(campaign):
            desk.fault(self.key, "the campaign has no ratings to compare.")
            return
        form = PlanForm(campaign, None)
        said = {name: field.initial for name, field in form.fields.items()} | value
        form = PlanForm(campaign, said)
        if not form.is_valid():
            desk.form_faults(self.key, form)
            return
        register(campaign, by=desk.user, **form.fields_of_plan())

    def export(self, campaign):
        plan = plan_of(campaign)
        if plan is None:
            return None
        looks = looks_of(campaign, plan)
        said = {
            "aim": plan.aim,
            "dimension": plan.dimension,
            "most": plan.most,
            "looks": looks,
            "spending": plan.spending,
            "test": plan.test,
            "controls": [control["signature"] for control in plan.controls],
        }
        return {key: value for key, value in said.items() if value}


def looks_of(campaign, plan) -> int:
    """The number of looks that gives those of a plan. Raises NotInAFile: texts may have come."""
    *_, items_of_one = unit_of(campaign)
    for n in range(len(plan.looks), MOST_LOOKS + 1):
        try:
            if evenly(plan.most, n, items_of_one) == plan.looks:
                return n
        except ValueError:
            break
    raise NotInAFile("The looks of the stopping plan are not at even steps.")
