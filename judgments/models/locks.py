"""Locking a campaign and its people, and what a worker has in hand. Items are locked before their
tasks (`judgments/people/workload/work.py`), and both after their campaign and its memberships."""

from collections.abc import Collection

from django.db import connection

from . import Campaign, Membership, Project


class WorkerLock:
    """The lock of whoever works on a row: an advisory lock of the session, so that the row is free
    at once when the worker dies, and no transaction stays open while it works.

    namespace: the first of its two keys, which the whole database shares; the second is the row's.
    """

    def __init__(self, namespace: int) -> None:
        self.namespace = namespace

    def take(self, pk: int) -> bool:
        """Return whether this session has the lock now."""
        return self._ask("SELECT pg_try_advisory_lock(%s, %s)", pk)

    def let_go(self, pk: int) -> None:
        self._ask("SELECT pg_advisory_unlock(%s, %s)", pk)

    def is_taken(self, pk: int) -> bool:
        """Return whether any session has the lock."""
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
    """Return the campaign as it is now; until the transaction ends, nobody else who locks it goes
    on.

    Answers do: at its commit each looks whether its campaign is still there (FOR KEY SHARE), and
    would wait for FOR UPDATE while whoever has that may wait for the answer's task: a deadlock.
    """
    return Campaign.objects.select_for_update(of=("self",), no_key=True).get(pk=pk)


def lock_campaigns(pks: Collection[int]) -> list[Campaign]:
    """Return several, in the order in which they were made."""
    found = Campaign.objects.select_for_update(of=("self",), no_key=True)
    return list(found.filter(pk__in=pks).order_by("pk"))


def lock_project(pk: int) -> Project:
    """Return the project as it is now; until the transaction ends, nobody else who locks it goes
    on. Before its campaigns."""
    return Project.objects.select_for_update(of=("self",), no_key=True).get(pk=pk)


def lock_members(campaign: Campaign, users: Collection[int]) -> None:
    """Lock the memberships of these users until the transaction ends: whoever claims a batch at the
    same moment has it before, or waits (`judgments.judging.queue.claim`). The campaign is locked
    before."""
    found = Membership.objects.filter(campaign=campaign, user__in=users).order_by("pk")
    list(found.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
