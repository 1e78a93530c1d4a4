"""How the site is: what the operator's page and the metrics show."""

import json
import platform
import shutil
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import django
from django.apps import apps
from django.conf import settings
from django.core.checks import CheckMessage, Tags, run_checks
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Min, Q, Sum
from django.utils import timezone

# As the processes of mteval call themselves to PostgreSQL.
WEB, WORKER, COMMAND = PROGRAMS = ("mteval web", "mteval worker", "mteval command")
OTHERS = "others"


@dataclass(frozen=True)
class Queue:
    """Background tasks of one queue: how many, and how long the oldest has waited (seconds)."""

    name: str
    waiting: int
    running: int
    failed: int
    oldest_seconds: float

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
    """What `manage.py backup` wrote of its last success into var/last_backup.json."""

    file: str
    at: datetime
    n_bytes: int
    sha256: str


def versions() -> list[tuple[str, str]]:
    return [
        ("mteval", settings.VERSION),
        ("Python", platform.python_version()),
        ("Django", django.get_version()),
        ("PostgreSQL", database().version),
    ]


def queues() -> list[Queue]:
    """Return every queue that workers serve, and any other that has tasks, by name."""
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
    # Those that a worker would take now; others wait for their time.
    due = DBTaskResult.objects.ready().order_by().values("queue_name")
    oldest = dict(due.annotate(at=Min("enqueued_at")).values_list("queue_name", "at"))
    known = dict.fromkeys(settings.TASKS["default"]["QUEUES"], (0, 0, 0))
    known |= {row["queue_name"]: (row["waiting"], row["running"], row["failed"]) for row in n_tasks}
    now = timezone.now()
    return [
        Queue(name, *counts, (now - oldest[name]).total_seconds() if name in oldest else 0.0)
        for name, counts in sorted(known.items())
    ]


def items_judged() -> int:
    """Return items with a judgment, from the counters of tasks: judgments are too many to be
    counted."""
    return apps.get_model("judgments", "Task").objects.aggregate(n=Sum("n_judged", default=0))["n"]


def connections() -> dict[str, int]:
    """Return connections to this database by program, ours and others; from all machines."""
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
    """Return bytes where var/ lies: total, used, free."""
    return shutil.disk_usage(settings.VAR_DIR if settings.VAR_DIR.exists() else settings.BASE_DIR)


def last_backup() -> Backup | None:
    """Return none without one, or where what was written of it cannot be read."""
    try:
        found = json.loads(Path(settings.VAR_DIR, "last_backup.json").read_text())
        at = datetime.fromisoformat(found["created"])
        return Backup(
            str(found["file"]),
            at if timezone.is_aware(at) else timezone.make_aware(at),
            int(found["bytes"]),
            str(found["sha256"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def pending_migrations() -> list[str]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label} {migration.name}" for migration, _ in plan]


def findings() -> list[CheckMessage]:
    """Return what `manage.py check --deploy` says about the set-up; not about the API's schema,
    which no installation changes and which takes seconds."""
    tags = [Tags.security, Tags.compatibility, Tags.caches, Tags.files, Tags.database]
    found = run_checks(tags=tags, include_deployment_checks=True, databases=["default"])
    return [message for message in found if not message.is_silenced()]
