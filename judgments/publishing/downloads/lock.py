"""The lock of whoever makes a file: an advisory lock of the session, which ends with the worker."""

from django.db import connection

# The first of the two keys of our advisory locks; the second is the download's.
NAMESPACE = 0x646F776E


def take(download_id: int) -> bool:
    """Return whether this session has the lock now."""
    return _asked("SELECT pg_try_advisory_lock(%s, %s)", download_id)


def give_back(download_id: int) -> None:
    _asked("SELECT pg_advisory_unlock(%s, %s)", download_id)


def is_taken(download_id: int) -> bool:
    """Return whether any session has the lock."""
    return _asked(
        "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = %s"
        " AND objid = %s AND granted AND database ="
        " (SELECT oid FROM pg_database WHERE datname = current_database()))",
        download_id,
    )


def _asked(statement: str, download_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(statement, [NAMESPACE, download_id % 2**31])
        return cursor.fetchone()[0]
