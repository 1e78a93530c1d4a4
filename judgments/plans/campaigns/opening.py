"""The states of a campaign: what each may become, and why people cannot judge yet."""

from django.db import transaction

from judgments.models import Campaign, Status, no_texts
from judgments.models.chains import record
from judgments.models.locks import lock_campaign
from judgments.protocols import protocol_of

NOTHING_PLANNED = "There is nothing to judge yet: first plan who judges what."
DEADLINE_PASSED = "The deadline has passed. First give more time on the page Dates."

# What a campaign of a status may become. A draft is what nobody could judge in yet, so nothing
# becomes one again.
NEXT: dict[str, list[Status]] = {
    Status.DRAFT: [Status.OPEN],
    Status.OPEN: [Status.PAUSED, Status.CLOSED],
    Status.PAUSED: [Status.OPEN, Status.CLOSED],
    Status.CLOSED: [Status.OPEN],
}
IN_WORDS: dict[str, str] = {
    Status.DRAFT: "a draft",
    Status.OPEN: "open",
    Status.PAUSED: "paused",
    Status.CLOSED: "closed",
}


def why_not_open(campaign: Campaign) -> str:
    """Return why a campaign cannot be opened, in words; empty where it can."""
    if reason := protocol_of(campaign).why_only_read():
        return f"This campaign cannot be opened. {reason}"
    if not campaign.test_set.has_texts:
        return no_texts.TO_JUDGE
    if campaign.is_over:
        return DEADLINE_PASSED
    return "" if campaign.tasks.exists() else NOTHING_PLANNED


class StatusRefused(ValueError):
    """A campaign cannot have that status now, and why, in words."""


def set_status(campaign: Campaign, status: str) -> None:
    """Give a campaign the status that is wanted; one that has it already keeps it, so that the same
    wish twice, or of two people, is one. What it asks people to judge is recorded when it first
    opens. Raise StatusRefused."""
    refuse(campaign, status)  # before anything is locked, which the log would take for an act
    with transaction.atomic():
        locked = lock_campaign(campaign.pk)
        refuse(locked, status)
        if locked.status != status:
            locked.status = status
            locked.save(update_fields=["status"])
            if status == Status.OPEN:
                record.begin(campaign.pk, "opened")
    campaign.status = status


def refuse(campaign: Campaign, status: str) -> None:
    """Raise StatusRefused where a campaign can neither keep nor get the status."""
    if status == campaign.status:
        return
    if status not in NEXT[campaign.status]:
        may = " or ".join(IN_WORDS[each] for each in NEXT[campaign.status])
        raise StatusRefused(
            f"A campaign that is {IN_WORDS[campaign.status]} cannot become {IN_WORDS[status]}; "
            f"it can become {may}."
        )
    if status == Status.OPEN and (reason := why_not_open(campaign)):
        raise StatusRefused(reason)
