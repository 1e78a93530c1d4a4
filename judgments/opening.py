"""Whether people can judge in a campaign, and letting them."""

from django.db import transaction

from judgments import no_texts
from judgments.chain import record
from judgments.models import Campaign, Status
from judgments.protocols import protocol_of

NOTHING_PLANNED = "There is nothing to judge yet: plan who judges what first."


def why_not_open(campaign: Campaign) -> str:
    """Why a campaign cannot be opened, in words; empty where it can."""
    if reason := protocol_of(campaign).why_only_read():
        return f"This campaign cannot be opened. {reason}"
    if not campaign.test_set.has_texts:
        return no_texts.TO_JUDGE
    return "" if campaign.tasks.exists() else NOTHING_PLANNED


class NotOpened(ValueError):
    """A campaign cannot be opened, and why, in words."""


@transaction.atomic
def set_status(campaign: Campaign, status: str) -> None:
    """Open, pause or close a campaign; what it asks people to judge is recorded when it opens.
    Raises NotOpened."""
    if status == Status.OPEN and (reason := why_not_open(campaign)):
        raise NotOpened(reason)
    campaign.status = status
    campaign.save(update_fields=["status"])
    if status == Status.OPEN:
        record.begin(campaign.pk, "opened")
