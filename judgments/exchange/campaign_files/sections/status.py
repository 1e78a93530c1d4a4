"""Whether people can judge at once."""

from __future__ import annotations

from judgments.models import Status
from judgments.plans.campaigns.opening import StatusRefused, set_status

from ..section import FileSection
from ..shapes import one_of


class StatusSection(FileSection):
    key = "status"

    def schema(self):
        words = "Open: people can judge as soon as the campaign is created."
        return one_of([Status.DRAFT.value, Status.OPEN.value], words, default=Status.DRAFT.value)

    def apply(self, campaign, value, desk):
        if value != Status.OPEN or desk.faults:
            return
        try:
            set_status(campaign, Status.OPEN)
        except StatusRefused as reason:
            desk.fault(self.key, str(reason))

    def export(self, campaign):
        """Return what is paused, closed or past its deadline begins anew as a draft."""
        is_open = campaign.status == Status.OPEN and not campaign.is_over
        return Status.OPEN.value if is_open else None
