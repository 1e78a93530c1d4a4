"""Workers make copies of the demo ahead, and delete those whose day is over."""

import logging
from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django_tasks import task
from django_tasks_db.models import DBTaskResult

from judgments.models import DemoCopy
from judgments.models.worker_locks import WorkerLock

from . import copies, ending

KEEPING = WorkerLock(0x6B646D6F)
RESULTS_STAY = timedelta(minutes=10)
logger = logging.getLogger(__name__)


@task(queue_name="short")
def keep_copies() -> None:
    """Delete the copies whose day is over, then make copies until enough are ready. One worker
    does."""
    if not settings.PUBLIC_DEMO or not KEEPING.take(0):
        return
    try:
        end_those_that_are_over()
        make_until_enough()
    finally:
        KEEPING.unlock(0)


def end_those_that_are_over() -> None:
    """Delete each copy by itself: one that fails stops no other, and is tried again in seconds."""
    for copy in DemoCopy.objects.over():
        try:
            ending.end(copy)
        except Exception:
            logger.exception("%s could not be deleted yet", copy)
    # What tasks were called with names what is gone.
    DBTaskResult.objects.filter(finished_at__lt=timezone.now() - RESULTS_STAY).delete()


def make_until_enough() -> None:
    try:
        while copies.is_short():
            copies.make()
    except Exception:
        logger.exception("No copy of the demo could be made")


def ask() -> None:
    """Have a worker come, unless one was asked already."""
    if not DBTaskResult.objects.ready().filter(task_path=keep_copies.module_path).exists():
        keep_copies.enqueue()


def look() -> None:
    """Ask for a worker where there is something to do; every worker looks now and then."""
    if settings.PUBLIC_DEMO and (copies.is_short() or DemoCopy.objects.over().exists()):
        ask()
