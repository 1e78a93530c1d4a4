"""Whether people can judge at once."""

from __future__ import annotations

from judgments.models import Status
from judgments.opening import set_status, why_not_open

from ..section import FileSection


class StatusSection(FileSection):
    key = "status"

    def schema(self):
        return {
            "type": "string",
            "enum": [Status.DRAFT.value, Status.OPEN.value],
            "default": Status.DRAFT.value,
            "description": "Open: people can judge as soon as the campaign is made.",
        }

    def apply(self, campaign, value, desk):
        if value != Status.OPEN or desk.faults:
            return
        if reason := why_not_open(campaign):
            desk.fault(self.key, reason)
            return
        set_status(campaign, Status.OPEN)

    def export(self, campaign):
        """What is paused or closed begins anew as a draft."""
        return Status.OPEN.value if campaign.is_open else None
