"""The record of a campaign: what its judgments refer to, chained by hashes as they are.

It begins when a campaign is opened, or when judgments are imported, and continues with every act
that changes what is recorded (`record_kinds`). An act states only what it changed, so that no act
covers up changes made in the database directly. All code that writes to a recorded table calls one
of these functions in the same transaction.

Adding to a campaign's own chain locks the campaign. The order of a task's items, which changes
while people claim and return work, has a chain for each task, under that task's lock: no two
annotators wait for each other because of it. Nothing here uses a model's columns, so that the
migration that begins the records of old campaigns can use it, too.
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

OF_CAMPAIGN = 0  # instead of a task: the campaign's own chain

# The last recorded content of each object of a kind.
SAID = """
SELECT DISTINCT ON (object_id) object_id, nullif(content, '') AS content
FROM judgments_recordedpart
WHERE campaign_id = %(campaign)s AND kind = %(kind)s {only} ORDER BY object_id, record_id DESC
"""
# Add the objects that differ from what was recorded; return their number and hash.
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
# For rows with `object_id` and `content`: the hash of their lines.
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
    """Record a whole campaign if it has no record yet; it and its tasks are locked meanwhile."""
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
    """Record what an act changed in a campaign that has a record.

    kinds: of `KINDS`. ids: of the objects that the act changed or added; None: all of these kinds.
    only_new: leave what was recorded before unchanged. Locks the campaign.
    """
    with connection.cursor() as cursor:
        if not _is_recorded(cursor, campaign):
            return
        _lock(cursor, campaign)
        if ids is None:
            cursor.execute("SET LOCAL statement_timeout = 0")  # all of a kind may be a million
        _append(cursor, campaign, act, kinds, ids=ids, only_new=only_new)


def note_work(campaign: int, act: str) -> None:
    """Record tasks and items that were added to a campaign, with the content of their screens;
    begin a record if the campaign has none."""
    if is_recorded(campaign):
        note(campaign, act, *WORK, only_new=True)
    else:
        begin(campaign, act)


@transaction.atomic
def note_tasks(campaign: int, act: str, tasks: Iterable[int]) -> None:
    """Record that items of these tasks were moved, each in the chain of its task. The tasks must be
    locked, or deleted."""
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
    """Lock the recorded campaigns of a test set, before the test set itself; return their
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
    """Lock a campaign like `judgments.models.locks.lock_campaign`."""
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
    """Append a record to a chain, which must be locked; do nothing if nothing differs."""
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
    """Add the parts of a kind that differ from what was recorded; return their number and hash."""
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
    """Return the text to hash for a record: canonical JSON, with a count and a hash for each kind
    of part."""
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
    """Return the hash of a record in its chain, given that of the previous record."""
    return sealed(bytes(before), hashlib.sha256(text.encode()).digest())
