"""Locking a campaign and its people. Items are locked before their tasks
(`judgments/people/workload/work.py`), and both after their campaign and its memberships."""

from collections.abc import Collection

from . import Campaign, Membership


def lock_campaign(pk: int) -> Campaign:
    """The campaign as it is now; until the transaction ends, nobody else who locks it goes on.

    Answers do: at its commit each looks whether its campaign is still there (FOR KEY SHARE), and
    would wait for FOR UPDATE while whoever has that may wait for the answer's task: a deadlock.
    """
    return Campaign.objects.select_for_update(of=("self",), no_key=True).get(pk=pk)


def lock_members(campaign: Campaign, users: Collection[int]) -> None:
    """Lock the memberships of these users until the transaction ends: whoever claims a batch at the
    same moment has it before, or waits (`judgments.judging.queue.claim`). The campaign is locked
    before."""
    found = Membership.objects.filter(campaign=campaign, user__in=users).order_by("pk")
    list(found.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
