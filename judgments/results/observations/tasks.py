"""Workers write snapshots of observations as judgments are added."""

import logging
import time
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone
from django_tasks import task
from django_tasks_db.models import DBTaskResult

from judgments.models import Campaign
from judgments.models.worker_locks import WorkerLock
from judgments.results.observations import snapshots
from mteval_site import extras, shared_results
from mteval_site.erased_files import n_erased
from mteval_site.shared_files import StoreAway

LATER = timedelta(minutes=5)
AN_HOUR = 3600.0
WRITING = WorkerLock(0x736E6170)
logger = logging.getLogger(__name__)

# The last judgment of each campaign when enough of them were new, and when this worker last looked.
_asked: dict[int, int] = {}
_seen: dict[int, int] = {}
_erased, _next_sweep = "", 0.0

LAST = """SELECT id, (SELECT max(id) FROM judgments_judgment WHERE campaign_id = c.id)
    FROM judgments_campaign c"""
# Reads no further in the index than to the judgment that makes a part full.
FULL = """SELECT id FROM judgments_judgment WHERE campaign_id = %s AND id > %s
    ORDER BY id OFFSET %s LIMIT 1"""


@task(queue_name="slow")
def write_snapshot(campaign_id: int) -> None:
    """Write what is new in a campaign, unless another worker does; later if that is not possible
    now."""
    campaign = Campaign.objects.filter(pk=campaign_id).first()
    if campaign is None or not extras.is_there("pyarrow") or not WRITING.take(campaign_id):
        return
    try:
        snapshots.write(campaign)
    except (snapshots.Unsettled, OSError) as error:
        logger.warning("The snapshot of campaign %s waits: %r", campaign_id, error)
        _ask(campaign_id, timezone.now() + LATER)
    finally:
        WRITING.unlock(campaign_id)


def look() -> None:
    """Ask for the snapshots that have become due, and delete what is not needed any more from the
    files that hosts share; every worker looks now and then.

    After an erasure, at its start and every hour a worker looks through all files, and asks for the
    snapshots of all large campaigns, which costs little where they exist. While the object store is
    away, it tries again at every look.
    """
    erased = n_erased()
    if erased != _erased or time.monotonic() >= _next_sweep:
        try:
            _sweep(erased)
        except StoreAway as error:
            logger.warning("Old files are not deleted from the object store yet: %s", error)
    if extras.is_there("pyarrow"):
        for campaign_id, last in _due():
            _asked[campaign_id] = last
            _ask(campaign_id)


def _sweep(erased: str) -> None:
    global _erased, _next_sweep
    snapshots.sweep()
    shared_results.sweep(erased)
    _erased, _next_sweep = erased, time.monotonic() + AN_HOUR
    _asked.clear()
    _seen.clear()


def _ask(campaign_id: int, at: datetime | None = None) -> None:
    """Queue the snapshot of a campaign, unless it is queued."""
    queued = DBTaskResult.objects.filter(
        status="READY",
        task_path=write_snapshot.module_path,
        args_kwargs={"args": [campaign_id], "kwargs": {}},
    )
    if not queued.exists():
        write_snapshot.using(run_after=at).enqueue(campaign_id)


def _due() -> list[tuple[int, int]]:
    """Return campaigns with enough new judgments, and their last ones."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(LAST)
        for campaign_id, last in cursor.fetchall():
            if last is None or _seen.get(campaign_id) == last:
                continue
            _seen[campaign_id] = last
            after = _asked.get(campaign_id, 0)
            cursor.execute(FULL, [campaign_id, after, snapshots.PART - 1])
            if cursor.fetchone():
                found.append((campaign_id, last))
    return found
