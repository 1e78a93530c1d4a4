"""The background worker: django-tasks-db's, which also survives the loss of its database and of
other workers.

Each worker holds an advisory lock under the hash of its name on its working connection. A task that
is marked as running by a worker whose lock nobody holds has lost it, and is put back into the queue
by the next worker that checks. PostgreSQL frees the lock with the connection, so there is no lease
to renew and no clock to trust.
"""

import logging
import random
import time
import zlib
from datetime import timedelta

from django.conf import settings
from django.db import Error, close_old_connections, connection, connections, transaction
from django.db.backends.signals import connection_created
from django.utils import timezone
from django.utils.module_loading import import_string
from django_tasks_db.management.commands import db_worker
from django_tasks_db.models import DBTaskResult

from mteval_site import leases
from mteval_site.databases import is_away
from mteval_site.erased_files import forget_erased

logger = logging.getLogger(__name__)

LOCKS = 0x6D746576  # the first half of the locks' keys, used only here
LOOK_EVERY = 15.0  # seconds between checks for tasks that have lost their worker
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0  # between attempts to reach the database
MOST_ATTEMPTS = 10  # a task that has ended this many workers is not given to another
RESULTS_STAY = timedelta(days=14)  # finished tasks; some were given addresses of people
DELETE_EVERY = 3600.0


class Away(Exception):
    """The database went away while a task was running."""


class Worker(db_worker.Worker):
    slot: leases.Slot | None = None  # of the resource that the current task needs, if it is limited
    next_delete = 0.0

    def run(self) -> None:
        """Run tasks until a signal, or, in batch mode or with a maximum, until there are no more or
        enough."""
        connection_created.connect(self.hold_lock)
        if connection.connection is not None:
            self.hold_lock(connection)
        if self.startup_delay and self.interval:
            time.sleep(random.random())
        self.pause = FIRST_PAUSE
        self.next_look = time.monotonic()
        while self.running:
            try:
                is_idle = self.step()
            except (Away, Error) as error:
                if not (isinstance(error, Away) or is_away(error)):
                    raise
                self.wait_for_database(error)
                continue
            self.pause = FIRST_PAUSE
            enough = self.max_tasks is not None and self._run_tasks >= self.max_tasks
            if enough or (self.batch and is_idle):
                return
            if is_idle and self.running:
                time.sleep(self.interval)

    def step(self) -> bool:
        """Run the next task; return True if there is none."""
        close_old_connections()
        if time.monotonic() >= self.next_look:
            requeue_left_behind(self.worker_id)
            forget_erased()  # this host may have kept it, and serve nobody
            if time.monotonic() >= self.next_delete:
                delete_old_results()
                self.next_delete = time.monotonic() + DELETE_EVERY
            for name in settings.WORKER_LOOKS:
                self.look(name)
            self.next_look = time.monotonic() + LOOK_EVERY
        try:
            task = self.claim()
            if task is not None:
                self.run_task(task)
        finally:
            if self.slot is not None:
                # Forgotten first: a new connection must not take it again.
                slot, self.slot = self.slot, None
                leases.release(slot)
        return task is None

    def look(self, name: str) -> None:
        """Call one of the WORKER_LOOKS. If it fails, it is logged and called again at the next
        check: tasks do not wait for it."""
        try:
            import_string(name)()
        except Exception as error:
            if is_away(error):
                raise
            logger.exception("%s failed", name)

    def queues(self) -> list[str]:
        """Return the queues that this worker serves; for `*` those of this machine's resources."""
        served = settings.OWN_QUEUES if self.process_all_queues else self.queue_names
        return [queue for queue in served if queue not in self.excluded_queue_names]

    def claim(self) -> DBTaskResult | None:
        """Mark the next task as running, and return it. Take a slot if its resource is limited; if
        none is free, skip all tasks that need the resource."""
        tasks = DBTaskResult.objects.ready().filter(backend_name=self.backend_name)
        queues = self.queues()
        while True:
            # Each attempt is a transaction, so that a skipped task is not locked any longer.
            with transaction.atomic():
                task = tasks.filter(queue_name__in=queues).get_locked()
                if task is None:
                    return None
                resource = leases.resource_of(task.queue_name)
                is_limited = resource in settings.RESOURCE_LIMITS
                if is_limited:
                    self.slot = leases.take(resource)
                if not is_limited or self.slot is not None:
                    task.claim(self.worker_id)
                    return task
            queues = [queue for queue in queues if leases.resource_of(queue) != resource]

    def run_task(self, db_task_result: DBTaskResult) -> None:
        """Run a task like the base class, but if the database went away, the task has not failed:
        it stays marked as running, and is found without a worker at the next check."""
        set_failed = db_task_result.set_failed

        def unless_away(error: BaseException) -> None:
            if is_away(error):
                raise Away from error
            set_failed(error)

        db_task_result.set_failed = unless_away  # type: ignore[method-assign]
        super().run_task(db_task_result)

    def wait_for_database(self, error: Exception) -> None:
        reason = " ".join(str(error.__cause__ or error).split())
        logger.warning("The database is away (%s); trying again in %.1f s", reason, self.pause)
        connections.close_all()
        time.sleep(self.pause)
        self.pause = min(2 * self.pause, LONGEST_PAUSE)
        self.next_look = time.monotonic()

    def hold_lock(self, connection, **kwargs: object) -> None:
        """Take the lock of this worker on a new connection, and the slot of its task if it can.
        The lock is shared, since an older connection that the server still considers alive may
        hold it, too."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_lock_shared(%s, %s)", [LOCKS, lock_of(self.worker_id)]
            )
        if self.slot is not None:
            leases.retake(self.slot, connection)


def lock_of(worker_id: str) -> int:
    """Return the second half of a worker's key, as a signed 32-bit number."""
    return zlib.crc32(worker_id.encode()) - (1 << 31)


def delete_old_results() -> None:
    """Delete tasks that ended long ago."""
    DBTaskResult.objects.filter(finished_at__lt=timezone.now() - RESULTS_STAY).delete()


def requeue_left_behind(own_id: str) -> None:
    """Put tasks back that are marked as running, but run by no living worker.

    own_id: of the calling worker, which must not be running any itself.
    """
    running = list(DBTaskResult.objects.running())
    if not running:
        return
    alive = living_workers()
    for task in running:
        worker_id = task.worker_ids[-1] if task.worker_ids else ""
        if worker_id != own_id and lock_of(worker_id) in alive:
            continue
        same = DBTaskResult.objects.filter(pk=task.pk, status="RUNNING", worker_ids=task.worker_ids)
        if len(task.worker_ids) < MOST_ATTEMPTS:
            same.update(status="READY", started_at=None)
        elif same.exists():
            task.set_failed(RuntimeError(f"It has ended {len(task.worker_ids)} workers."))
        logger.warning("Task %s has lost its worker", task.pk)


def living_workers() -> set[int]:
    """Return the locks held in this database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted"
            " AND classid::bigint = %s"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
            [LOCKS],
        )
        # PostgreSQL shows the halves without their sign.
        return {n - (1 << 32) if n >= 1 << 31 else n for (n,) in cursor.fetchall()}
