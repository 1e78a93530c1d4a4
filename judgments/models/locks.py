"""Locks of a campaign and its people, and of rows on which a worker works. Items are locked before
their tasks (`judgments/people/workload/work.py`), and both after their campaign and its
memberships."""

from collections.abc import Collection

from django.db import connection

from . import Campaign, Membership, Project


class WorkerLock:
    """The lock of the worker on a row: an advisory lock of the session, so that the row is free at
    once when the worker dies, and no transaction stays open while it works.

    namespace: the first of its two keys, shared by the whole database; the second is the row's.
    """

    def __init__(self, namespace: int) -> None:
        self.namespace = namespace

    def take(self, pk: int) -> bool:
        """Try to acquire the lock; return whether this session holds it now."""
        return self._ask("SELECT pg_try_advisory_lock(%s, %s)", pk)

    def unlock(self, pk: int) -> None:
        self._ask("SELECT pg_advisory_unlock(%s, %s)", pk)

    def is_taken(self, pk: int) -> bool:
        """Return whether any session holds the lock."""
        return self._ask(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = %s"
            " AND objid = %s AND granted AND database ="
            " (SELECT oid FROM pg_database WHERE datname = current_database()))",
            pk,
        )

    def _ask(self, statement: str, pk: int) -> bool:
        with connection.cursor() as cursor:
            cursor.execute(statement, [self.namespace, pk % 2**31])
            return cursor.fetchone()[0]


DOWNLOADS, UPLOADS = WorkerLock(0x646F776E), WorkerLock(0x75706C64)


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
