"""Which tasks are queued, running, or have failed."""

from datetime import timedelta

from django.utils import timezone
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

# A task that has been running for so long has lost its worker.
LOST = timedelta(minutes=15)


def has_failed(what: Task, *arguments) -> bool:
    """Return whether the last task with these arguments failed recently."""
    same = DBTaskResult.objects.filter(
        task_path=what.module_path, args_kwargs={"args": list(arguments), "kwargs": {}}
    )
    last = same.order_by("-enqueued_at").first()
    since = timezone.now() - LOST
    return last is not None and last.status == "FAILED" and last.enqueued_at > since


def is_queued(what: Task, *arguments, or_running: bool = False) -> bool:
    """Return whether a task with these arguments is queued or, with ``or_running``, running."""
    same = DBTaskResult.objects.filter(
        task_path=what.module_path, args_kwargs={"args": list(arguments), "kwargs": {}}
    )
    if same.filter(status="READY").exists():
        return True
    since = timezone.now() - LOST
    return or_running and same.filter(status="RUNNING", started_at__gt=since).exists()
