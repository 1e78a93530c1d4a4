"""Locks of a campaign and its people. Items are locked before their tasks
(`judgments/people/workload/work.py`), and both after their campaign and its memberships."""

from collections.abc import Collection

from . import Campaign, Membership, Project


def lock_campaign(pk: int) -> Campaign:
    """Return the campaign as it is now; until the transaction ends, nobody else can lock it.

    Answers do not wait: at commit each only checks that its campaign still exists (FOR KEY SHARE).
    With FOR UPDATE here the check would wait, while the holder of the lock may wait for the
    answer's task: a deadlock.
    """
    return Campaign.objects.select_for_update(of=("self",), no_key=True).get(pk=pk)


def lock_campaigns(pks: Collection[int]) -> list[Campaign]:
    """Return several locked campaigns, in the order of their creation."""
    found = Campaign.objects.select_for_update(of=("self",), no_key=True)
    return list(found.filter(pk__in=pks).order_by("pk"))


def lock_project(pk: int) -> Project:
    """Return the project as it is now; until the transaction ends, nobody else can lock it. Lock it
    before its campaigns."""
    return Project.objects.select_for_update(of=("self",), no_key=True).get(pk=pk)


def lock_members(campaign: Campaign, users: Collection[int]) -> None:
    """Lock the memberships of these users until the transaction ends: a batch claimed at the same
    moment is claimed before, or the claim waits (`judgments.judging.queue.claim`). The campaign is
    locked before."""
    found = Membership.objects.filter(campaign=campaign, user__in=users).order_by("pk")
    list(found.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
