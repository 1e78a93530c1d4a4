"""Locks of rows on which a worker works."""

from django.db import connection


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
