"""When the campaign may stop: the plan that is registered before the first judgment."""

from __future__ import annotations

from judgments.plans.stopping import evenly, plan_of, register, unit_of
from judgments.protocols.options import schema_of
from judgments.results.observations.observations import dimensions_of
from judgments.results.stopping.forms import PlanForm
from judgments.stats.sequential import MOST_LOOKS

from ..section import FileSection, NotInAFile
from ..shapes import mapping

# Of what the form asks for otherwise, by the campaign.
WORDS = {
    "dimension": "Whose ratings decide; without it, the first.",
    "most": "Documents, blocks or segments in all; without it, all of them.",
    "controls": "Signatures of metrics whose scores of all segments are the control variate.",
}


class StoppingSection(FileSection):
    key = "stopping_plan"

    def schema(self):
        keys = {}
        for name, field in PlanForm.base_fields.items():
            first = {"default": field.initial} if field.initial is not None else {}
            keys[name] = schema_of(field, WORDS.get(name, "")) | first
        words = "At which looks the campaign may stop, registered with the campaign."
        return mapping(keys, words)

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
        said = {name: getattr(plan, name) for name in PlanForm.base_fields}
        said["looks"] = looks_of(campaign, plan)
        said["controls"] = [control["signature"] for control in plan.controls]
        return {key: value for key, value in said.items() if value}


def looks_of(campaign, plan) -> int:
    """Return the number of looks that gives those of a plan. Raise NotInAFile: texts may have
    come."""
    *_, items_of_one = unit_of(campaign)
    for n in range(len(plan.looks), MOST_LOOKS + 1):
        try:
            if evenly(plan.most, n, items_of_one) == plan.looks:
                return n
        except ValueError:
            break
    raise NotInAFile("The looks of the stopping plan are not at even steps.")
