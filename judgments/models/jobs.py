"""Work that a worker does in the background: how far it is, which pages show."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

from django.db import DatabaseError, models
from django.utils import timezone

from .worker_locks import WorkerLock

# A worker stores its progress more often: one that was silent for so long is gone.
LOST = timedelta(minutes=15)


class JobStatus(models.TextChoices):
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


ACTIVE = (JobStatus.QUEUED, JobStatus.RUNNING)


class NotWanted(Exception):
    """Work on a job has to stop: it was cancelled or deleted, or its worker has to end."""


class JobQuerySet(models.QuerySet):
    def active(self):
        """Return the jobs that wait for a worker or that a worker has begun."""
        return self.filter(status__in=ACTIVE)

    def begin(self, **changes: Any) -> bool:
        """Mark waiting jobs as running; return False if there are none: of two workers that begin
        the same job, one has to leave it."""
        waiting = self.filter(status=JobStatus.QUEUED)
        now = timezone.now()
        return bool(waiting.update(status=JobStatus.RUNNING, moved_at=now, **changes))

    @contextmanager
    def held(self, job_id: int, lock: WorkerLock, **anew: Any) -> Iterator[Any]:
        """Yield a job, running and locked, also one whose worker is gone; None if nobody waits for
        it, or somebody else works on it. anew: its progress from before."""
        if not lock.take(job_id):
            yield None
            return
        try:
            row = self.filter(pk=job_id)
            begun = {"status": JobStatus.RUNNING, "moved_at": timezone.now(), **anew}
            yield row.first() if row.active().update(**begun) else None
        finally:
            with suppress(DatabaseError):  # then the lock has gone with the session
                lock.unlock(job_id)

    def advance(self, **progress: Any) -> bool:
        """Store the progress of running jobs; return False if there are none, because they were
        cancelled or deleted."""
        running = self.filter(status=JobStatus.RUNNING)
        return bool(running.update(moved_at=timezone.now(), **progress))

    def end(self, status: JobStatus, message: str = "", **result: Any) -> bool:
        """Store the end of running jobs; return False if there are none, because they were
        cancelled or deleted. message: why it failed."""
        return self.advance(status=status, message=message, **result)


class Job(models.Model):
    """A request to a worker. What is made of it is up to its model, or to the model itself."""

    status = models.CharField(max_length=10, choices=JobStatus.choices, default=JobStatus.QUEUED)
    message = models.TextField(blank=True, default="")  # why it failed, or what it does now
    moved_at = models.DateTimeField(default=timezone.now)  # when it last made progress

    objects = JobQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE

    @property
    def is_under_way(self) -> bool:
        """Whether a worker has it or will have it; not if it was lost long ago."""
        return self.is_active and timezone.now() - self.moved_at < LOST
