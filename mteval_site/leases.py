"""Limits of resources, such as graphics cards: how many tasks that need one may run at the same
time on the whole site (MTEVAL_RESOURCE_LIMITS).

A limited resource has as many slots as its limit, and a worker holds one of them while it runs a
task. A slot is an advisory lock of the worker's session. PostgreSQL frees it when the worker dies
or loses its connection, so there is no lease to renew and no clock to trust.
"""

import time
from collections import Counter
from dataclasses import dataclass

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from mteval_site.environment import MOST_SLOTS

SLOTS = 0x6D747273  # the first half of the locks' keys, used only here
RETAKE_SECONDS = 1.0


@dataclass
class Slot:
    """A slot of a resource, and the connection whose session holds it.

    key: the second half of the lock's key; None if the connection was replaced and no slot was free
    for the new one.
    """

    resource: str
    key: int | None
    connection: BaseDatabaseWrapper


def resource_of(queue: str) -> str:
    """Return the resource that tasks in a queue need; empty for an unknown queue."""
    return next((name for name, queues in settings.RESOURCES.items() if queue in queues), "")


def take(resource: str) -> Slot | None:
    """Take a slot of a limited resource for this thread's connection; return None if none is
    free. Never wait."""
    own = connections[DEFAULT_DB_ALIAS]
    key = free_key(resource, own)
    return None if key is None else Slot(resource, key, own)


def retake(slot: Slot, connection: BaseDatabaseWrapper) -> None:
    """Try to hold a slot again if its connection was replaced: its lock ends with the old session,
    which PostgreSQL may notice a little later than the worker. The task continues without a slot if
    none is free by then."""
    if connection is not slot.connection:
        return
    end = time.monotonic() + RETAKE_SECONDS
    slot.key = free_key(slot.resource, connection)
    while slot.key is None and time.monotonic() < end:
        time.sleep(0.02)
        slot.key = free_key(slot.resource, connection)


def release(slot: Slot) -> None:
    """Release a slot; its session may have ended, and the slot with it."""
    if slot.key is None or slot.connection.connection is None:
        return
    try:
        with slot.connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [SLOTS, slot.key])
    except Error:  # such as in a failed transaction: closing frees the lock
        slot.connection.close()


def free_key(resource: str, connection: BaseDatabaseWrapper) -> int | None:
    """Lock the first free slot of a resource, and return its key; None if there is none."""
    first = number_of(resource) * MOST_SLOTS
    taken = taken_keys(connection)
    with connection.cursor() as cursor:
        for key in range(first, first + settings.RESOURCE_LIMITS[resource]):
            if key in taken:
                continue
            # Another worker may have taken it since.
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [SLOTS, key])
            if cursor.fetchone()[0]:
                return key
    return None


def number_of(resource: str) -> int:
    return list(settings.RESOURCES).index(resource)


def taken_keys(connection: BaseDatabaseWrapper) -> set[int]:
    """Return the second halves of the keys of all slots that any session of this database holds."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted"
            " AND classid::bigint = %s"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
            [SLOTS],
        )
        return {key for (key,) in cursor.fetchall()}


def n_taken() -> dict[str, int]:
    """Return the number of taken slots of each limited resource."""
    if not settings.RESOURCE_LIMITS:
        return {}
    counts = Counter(key // MOST_SLOTS for key in taken_keys(connections[DEFAULT_DB_ALIAS]))
    return {resource: counts[number_of(resource)] for resource in settings.RESOURCE_LIMITS}
