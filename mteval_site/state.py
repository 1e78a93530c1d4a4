"""The state of the site, for the operator's page and the metrics."""

import json
import platform
import shutil
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import django
from django.apps import apps
from django.conf import settings
from django.core.checks import CheckMessage, Tags, run_checks
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Min, Q, Sum
from django.utils import timezone

from mteval_site import leases

# The names under which mteval's processes connect to PostgreSQL.
WEB, WORKER, COMMAND = PROGRAMS = ("mteval web", "mteval worker", "mteval command")
OTHERS = "others"
BACKUPS_EVERY = timedelta(days=7)


@dataclass(frozen=True)
class Queue:
    """Background tasks of one queue: their number, and the waiting time of the oldest (seconds).

    resource: what the tasks need; empty for an unknown queue.
    slots: taken and existing slots of a resource, which its queues share; None without a limit.
    """

    name: str
    waiting: int
    running: int
    failed: int
    oldest_seconds: float
    resource: str = ""
    slots: tuple[int, int] | None = None

    @property
    def by_status(self) -> list[tuple[str, int]]:
        return [("waiting", self.waiting), ("running", self.running), ("failed", self.failed)]


@dataclass(frozen=True)
class Database:
    version: str
    n_bytes: int
    most_connections: int


@dataclass(frozen=True)
class Backup:
    """The last success recorded by `manage.py backup` in var/last_backup.json.

    n_missing: media that were not on the disk, and so are not in it.
    """

    file: str
    at: datetime
    n_bytes: int
    sha256: str
    n_missing: int = 0

    @property
    def is_old(self) -> bool:
        """Whether backups seem to have stopped: those of the guide are made every night."""
        return timezone.now() - self.at > BACKUPS_EVERY


def versions() -> list[tuple[str, str]]:
    return [
        ("mteval", settings.VERSION),
        ("Python", platform.python_version()),
        ("Django", django.get_version()),
        ("PostgreSQL", database().version),
    ]


def queues() -> list[Queue]:
    """Return every queue that workers serve, and any other with tasks, by name."""
    from django_tasks_db.models import DBTaskResult

    n_tasks = (
        DBTaskResult.objects.order_by()
        .values("queue_name")
        .annotate(
            waiting=Count("pk", filter=Q(status="READY")),
            running=Count("pk", filter=Q(status="RUNNING")),
            failed=Count("pk", filter=Q(status="FAILED")),
        )
    )
    # Those that a worker would take now; others are scheduled for later.
    due = DBTaskResult.objects.ready().order_by().values("queue_name")
    oldest = dict(due.annotate(at=Min("enqueued_at")).values_list("queue_name", "at"))
    known = dict.fromkeys(settings.TASKS["default"]["QUEUES"], (0, 0, 0))
    known |= {row["queue_name"]: (row["waiting"], row["running"], row["failed"]) for row in n_tasks}
    now, limits = timezone.now(), settings.RESOURCE_LIMITS
    slots = {resource: (n, limits[resource]) for resource, n in leases.n_taken().items()}
    found = []
    for name, counts in sorted(known.items()):
        seconds = (now - oldest[name]).total_seconds() if name in oldest else 0.0
        resource = leases.resource_of(name)
        found.append(Queue(name, *counts, seconds, resource, slots.get(resource)))
    return found


def items_judged() -> int:
    """Return the number of judged items, from the counters of tasks: there are too many judgments
    to count."""
    return apps.get_model("judgments", "Task").objects.aggregate(n=Sum("n_judged", default=0))["n"]


def connections() -> dict[str, int]:
    """Return the numbers of connections to this database by program, ours and others; from all
    machines."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT application_name, count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() GROUP BY application_name"
        )
        found: Counter[str] = Counter()
        for program, n in cursor.fetchall():
            found[program if program in PROGRAMS else OTHERS] += n
    return dict(found)


def database() -> Database:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('server_version'), pg_database_size(current_database()),"
            " current_setting('max_connections')::int"
        )
        return Database(*cursor.fetchone())


def disk() -> "shutil._ntuple_diskusage":
    """Return total, used and free bytes where var/ is."""
    return shutil.disk_usage(settings.VAR_DIR if settings.VAR_DIR.exists() else settings.BASE_DIR)


def last_backup() -> Backup | None:
    """Return None without a backup, or if its record cannot be read."""
    try:
        found = json.loads(Path(settings.VAR_DIR, "last_backup.json").read_text())
        at = datetime.fromisoformat(found["created"])
        return Backup(
            str(found["file"]),
            at if timezone.is_aware(at) else timezone.make_aware(at),
            int(found["bytes"]),
            str(found["sha256"]),
            int(found.get("n_missing", 0)),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def pending_migrations() -> list[str]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label} {migration.name}" for migration, _ in plan]


def findings() -> list[CheckMessage]:
    """Return the findings of `manage.py check --deploy` on the set-up; not those on the API's
    schema, which no installation changes and which takes seconds."""
    tags = [Tags.security, Tags.compatibility, Tags.caches, Tags.files, Tags.database]
    found = run_checks(tags=tags, include_deployment_checks=True, databases=["default"])
    return [message for message in found if not message.is_silenced()]
