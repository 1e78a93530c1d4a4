"""The record of a campaign: what its judgments are of, chained by hashes as they are.

It begins when a campaign is opened, or when judgments come in from a file, and goes on with every
act that changes what is recorded (`record_kinds`). An act states what it changed and nothing else,
so that no act covers up what was changed behind the site's back. Whoever writes to a recorded table
calls one of these functions in the same transaction.

A campaign's own chain goes on under the lock of the campaign. What changes while people claim and
give back work, the order of a task's items, has a chain for each task, under that task's lock: no
two annotators wait for each other because of it. Nothing here uses a model's columns, so that the
migration which begins the records of old campaigns can use it, too.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from judgments.models.scratch import next_numbers

from .canonical import canonical
from .content import START, moment, sealed
from .record_kinds import KINDS, VERSION, WORK

OF_CAMPAIGN = 0  # in place of a task, the campaign's own chain

# Of each object of a kind what was recorded last.
SAID = """
SELECT DISTINCT ON (object_id) object_id, nullif(content, '') AS content
FROM judgments_recordedpart
WHERE campaign_id = %(campaign)s AND kind = %(kind)s {only} ORDER BY object_id, record_id DESC
"""
# Adds the objects that differ from what was recorded; how many, and their hash.
ADD = """
WITH now AS (SELECT * FROM ({sql}) AS found {where}), said AS ({said}),
added AS (
    INSERT INTO judgments_recordedpart (campaign_id, record_id, kind, object_id, content)
    SELECT %(campaign)s, %(record)s, %(kind)s, object_id, coalesce(now.content, '')
    FROM now FULL JOIN said USING (object_id)
    WHERE now.content IS DISTINCT FROM said.content {new}
    RETURNING object_id, content
)
SELECT count(*), {digest} FROM added
"""
# Of rows with `object_id` and `content`: the hash of their lines.
DIGEST = """encode(sha256(convert_to(
    string_agg(object_id || ' ' || content, E'\\n' ORDER BY object_id),
    'UTF8')), 'hex')"""


def is_recorded(campaign: int) -> bool:
    """Return whether the campaign with this number has a record."""
    with connection.cursor() as cursor:
        return _is_recorded(cursor, campaign)


def _is_recorded(cursor: Any, campaign: int) -> bool:
    cursor.execute(
        "SELECT EXISTS (SELECT FROM judgments_campaignrecord"
        " WHERE campaign_id = %s AND task_id = %s)",
        [campaign, OF_CAMPAIGN],
    )
    return cursor.fetchone()[0]


@transaction.atomic
def begin(campaign: int, act: str) -> None:
    """Record all of a campaign if it has no record yet; it and its tasks are locked meanwhile."""
    with connection.cursor() as cursor:
        _lock(cursor, campaign)
        if not _is_recorded(cursor, campaign):
            _lock_tasks(cursor, "campaign_id = %s", [campaign])
            cursor.execute("SET LOCAL statement_timeout = 0")  # a million items take minutes
            _append(cursor, campaign, act, tuple(KINDS))


@transaction.atomic
def note(
    campaign: int,
    act: str,
    *kinds: str,
    ids: Sequence[int] | None = None,
    only_new: bool = False,
) -> None:
    """Record what an act changed in a campaign, if that has a record.

    kinds: of `KINDS`. ids: of the objects that the act changed or added; None: all of these kinds.
    only_new: what was recorded before stays as it was. Locks the campaign.
    """
    with connection.cursor() as cursor:
        if not _is_recorded(cursor, campaign):
            return
        _lock(cursor, campaign)
        if ids is None:
            cursor.execute("SET LOCAL statement_timeout = 0")  # all of a kind may be a million
        _append(cursor, campaign, act, kinds, ids=ids, only_new=only_new)


def note_work(campaign: int, act: str) -> None:
    """Record tasks and items that were added to a campaign, with what their screens show; a
    campaign without a record gets one."""
    if is_recorded(campaign):
        note(campaign, act, *WORK, only_new=True)
    else:
        begin(campaign, act)


@transaction.atomic
def note_tasks(campaign: int, act: str, tasks: Iterable[int]) -> None:
    """Record that items of these tasks were moved, each in the chain of its task. The tasks are
    locked, or gone."""
    with connection.cursor() as cursor:
        ids = sorted(tasks)
        cursor.execute(
            "SELECT EXISTS (SELECT FROM judgments_recordedpart"
            " WHERE campaign_id = %s AND kind = 'task' AND object_id = ANY(%s))",
            [campaign, ids],
        )
        if cursor.fetchone()[0]:
            for task in ids:
                _append(cursor, campaign, act, ("task",), ids=[task], task=task)


def lock_recorded(test_set: int) -> list[int]:
    """Lock the campaigns of a test set that have a record, before the test set itself; their
    numbers."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM judgments_campaign WHERE test_set_id = %s AND EXISTS"
            " (SELECT FROM judgments_campaignrecord r WHERE r.campaign_id = judgments_campaign.id)"
            " ORDER BY id FOR NO KEY UPDATE",
            [test_set],
        )
        return [pk for (pk,) in cursor.fetchall()]


def _lock(cursor: Any, campaign: int) -> None:
    """As `judgments.models.locks.lock_campaign`."""
    cursor.execute("SELECT FROM judgments_campaign WHERE id = %s FOR NO KEY UPDATE", [campaign])


def _lock_tasks(cursor: Any, which: str, values: list) -> None:
    cursor.execute(f"SELECT FROM judgments_task WHERE {which} ORDER BY id FOR UPDATE", values)


def _append(
    cursor: Any,
    campaign: int,
    act: str,
    kinds: Iterable[str],
    *,
    ids: Sequence[int] | None = None,
    only_new: bool = False,
    task: int = OF_CAMPAIGN,
) -> None:
    """Put a record at the end of a chain, which is locked; nothing where nothing differs."""
    [record] = next_numbers("judgments_campaignrecord")
    parts = {}
    for kind in kinds:
        count, digest = _add(cursor, campaign, record, kind, ids, only_new)
        if count:
            parts[kind] = [count, digest]
    if not parts:
        return
    cursor.execute(
        "SELECT place, hash FROM judgments_campaignrecord"
        " WHERE campaign_id = %s AND task_id = %s ORDER BY place DESC LIMIT 1",
        [campaign, task],
    )
    place, before = cursor.fetchone() or (0, START)
    now = timezone.now()
    text = record_text(campaign, task, place + 1, act, now, parts)
    cursor.execute(
        "INSERT INTO judgments_campaignrecord"
        " (id, campaign_id, task_id, place, act, made_at, parts, hash)"
        " OVERRIDING SYSTEM VALUE VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
        [record, campaign, task, place + 1, act, now, json.dumps(parts), record_hash(before, text)],
    )


def _add(
    cursor: Any,
    campaign: int,
    record: int,
    kind: str,
    ids: Sequence[int] | None,
    only_new: bool,
) -> tuple[int, str]:
    """Add the parts of a kind that differ from what was recorded: how many, and their hash."""
    statement = ADD.format(
        sql=KINDS[kind].sql,
        where="" if ids is None else "WHERE object_id = ANY(%(ids)s)",
        said=SAID.format(only="" if ids is None else "AND object_id = ANY(%(ids)s)"),
        new="AND said.content IS NULL" if only_new else "",
        digest=DIGEST,
    )
    values = {"campaign": campaign, "record": record, "kind": kind}
    cursor.execute(statement, values | ({} if ids is None else {"ids": list(ids)}))
    return cursor.fetchone()


def record_text(
    campaign: int, task: int, place: int, act: str, made_at: datetime, parts: dict
) -> str:
    """Return what is hashed of a record: canonical JSON, with a count and a hash of each kind of
    part."""
    return canonical(
        {
            "act": act,
            "campaign": campaign,
            "made": json.loads(moment(made_at)),
            "parts": parts,
            "place": place,
            "task": task,
            "v": VERSION,
        }
    )


def record_hash(before: bytes, text: str) -> bytes:
    """Return the hash of a record in its chain, from that of the record before it."""
    return sealed(bytes(before), hashlib.sha256(text.encode()).digest())
