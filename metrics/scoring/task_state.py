"""Which tasks wait in the queue, run, or have failed."""

from datetime import timedelta

from django.utils import timezone
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

# A task that has run for so long has lost its worker.
LOST = timedelta(minutes=15)


def has_failed(what: Task, *arguments) -> bool:
    """Return whether the last task with these arguments failed, a short while ago."""
    same = DBTaskResult.objects.filter(
        task_path=what.module_path, args_kwargs={"args": list(arguments), "kwargs": {}}
    )
    last = same.order_by("-enqueued_at").first()
    since = timezone.now() - LOST
    return last is not None and last.status == "FAILED" and last.enqueued_at > since


def is_queued(what: Task, *arguments, or_running: bool = False) -> bool:
    """Return whether a task with these arguments waits in the queue or, if asked for, is being
    run."""
    same = DBTaskResult.objects.filter(
        task_path=what.module_path, args_kwargs={"args": list(arguments), "kwargs": {}}
    )
    if same.filter(status="READY").exists():
        return True
    since = timezone.now() - LOST
    return or_running and same.filter(status="RUNNING", started_at__gt=since).exists()
