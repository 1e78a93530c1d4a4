"""Claims on parts of a job: taken by one worker at a time, counted, and released.

A claimed part is marked by an advisory lock of the worker's session, so that it is free at once
when the worker dies, and no transaction stays open while it is computed. Such locks do not work
through a pooler that shares sessions: workers connect to PostgreSQL itself.
"""

import time

from django.db import DatabaseError, connection, transaction
from django.db.models import F

from judgments.models import JobStatus
from judgments.models.worker_locks import WorkerLock
from metrics.models import PartStatus, ScoringJob, ScoringPart
from metrics.scoring.lanes import Lane, parts_in
from metrics.scoring.leaving import LEAVING

PARTS = WorkerLock(0x70617274)
MOST_ATTEMPTS = 2
# How long a worker waits for an unavailable database, to release its part.
PATIENCE = 60.0


def take(job_id: int, *, lane: Lane | None = None) -> ScoringPart | None:
    """Claim a waiting part of a running job that no other worker has claimed.

    lane: only in this one; None for all.
    """
    waiting = ScoringPart.objects.filter(
        job_id=job_id, status=PartStatus.WAITING, job__status=JobStatus.RUNNING
    )
    if lane is not None and (job := ScoringJob.objects.filter(pk=job_id).first()):
        waiting = parts_in(lane, job, waiting)
    for key in waiting.values_list("pk", flat=True):
        if not PARTS.take(key):
            continue
        # It may have been finished between the query and the lock.
        part = waiting.select_related("job__test_set", "system").filter(pk=key).first()
        if part is not None:
            return part
        PARTS.unlock(key)
    return None


def count_attempt(part: ScoringPart) -> None:
    """Count an attempt before it begins, so that it counts whatever happens to this process."""
    part.attempts += 1
    ScoringPart.objects.filter(pk=part.pk).update(attempts=F("attempts") + 1)


def return_part(part: ScoringPart, *, is_slow: bool | None = None) -> None:
    """Release a part without counting an attempt, in another lane if `is_slow` is given."""
    changes = {} if is_slow is None else {"is_slow": is_slow}
    ScoringPart.objects.filter(pk=part.pk, attempts__gt=0).update(
        attempts=F("attempts") - 1, **changes
    )


def return_when_possible(part: ScoringPart) -> bool:
    """Wait for an unavailable database, and release a part without counting the attempt; return
    False if the database stays away."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and not LEAVING.is_set():
        connection.close()
        try:
            return_part(part)
        except DatabaseError:
            time.sleep(0.5)
        else:
            return True
    return False


def move_to_slow(part: ScoringPart) -> None:
    """Move a part to the slow lane, with all waiting parts of its metric: they read the same
    references, and outputs for the same sources."""
    return_part(part, is_slow=True)
    same = ScoringPart.objects.filter(job_id=part.job_id, metric_index=part.metric_index)
    same.filter(status=PartStatus.WAITING).update(is_slow=True)


def note_death(part: ScoringPart, words: str) -> None:
    """Record how a part's process ended; after the last attempt the part has failed."""
    if part.attempts >= MOST_ATTEMPTS:
        fail(part, f"Ended {MOST_ATTEMPTS} times. {words}")
    else:
        ScoringPart.objects.filter(pk=part.pk).update(message=words)


def is_given_up(part: ScoringPart) -> bool:
    """Fail a part whose attempts have all ended with the death of the process."""
    if part.attempts < MOST_ATTEMPTS:
        return False
    words = part.message or "The worker that computed it died."
    fail(part, f"Ended {part.attempts} times. {words}")
    return True


def fail(part: ScoringPart, words: str) -> None:
    _end(part, PartStatus.FAILED, words)


def finish(part: ScoringPart, store) -> None:
    """Mark a part as done and store its score, both or neither; do nothing if it was deleted.

    store: called within the transaction.
    """
    with transaction.atomic():
        rows = ScoringPart.objects.select_for_update(of=("self",)).filter(pk=part.pk)
        if rows.filter(status=PartStatus.WAITING).first() is None:
            return
        store()
        _end(part, PartStatus.DONE, "")


def _end(part: ScoringPart, status: PartStatus, words: str) -> None:
    ScoringPart.objects.filter(pk=part.pk, status=PartStatus.WAITING).update(
        status=status, message=words
    )
