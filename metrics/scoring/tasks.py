"""Scoring jobs in the background; `manage.py db_worker` runs them."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django_tasks import task
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from judgments.web.extension_points import registered
from metrics.models import PartStatus, ScoringJob

from . import jobs
from .lanes import Lane, parts_in
from .task_state import is_queued

# A job is queued once for each of its parts, up to this number of workers: any free worker joins
# in, and a worker that finds no part left is done in a millisecond. At least twice, so that a
# single part whose worker dies is retried.
MOST_WORKERS = 32
# There are three lanes: some workers serve only the first, with short parts, so that other jobs go
# on whatever somebody requests; some may serve only the one of neural metrics. When other workers
# have claimed everything that waits, it is checked again after this time: if one of them has died,
# its part is free by then.
LOOK_AGAIN = timedelta(seconds=30)


@task()
def run_scoring(job_id: int) -> int:
    """Compute the remaining short parts of a scoring job; return how many this worker claimed."""
    return score(job_id, Lane.QUICK)


@task(queue_name="slow")
def run_slow_scoring(job_id: int) -> int:
    """Compute the long parts of a scoring job, which would hold up others' jobs."""
    return score(job_id, Lane.SLOW)


@task(queue_name="gpu")
def run_neural_scoring(job_id: int) -> int:
    """Compute the parts of a scoring job that belong to neural metrics, perhaps on another
    machine."""
    return score(job_id, Lane.NEURAL)


def score(job_id: int, lane: Lane) -> int:
    if not ScoringJob.objects.filter(pk=job_id).exists():  # its test set was deleted meanwhile
        return 0
    own = task_of(lane)
    stand_behind(own, job_id)
    n_computed = jobs.work_on(job_id, lane=lane, others_wait=lambda: others_wait(own, job_id))
    job = ScoringJob.objects.filter(pk=job_id).first()
    if job is None:
        return n_computed
    if not job.is_active:
        if n_computed:
            for follow_up in registered("after_scoring"):
                follow_up(job.test_set_id)
        return n_computed
    waiting = job.parts.filter(status=PartStatus.WAITING).order_by()
    for kind in Lane:
        if not parts_in(kind, job, waiting).exists():
            continue
        # If none could be claimed, other workers have claimed what waits in this lane.
        at_once = kind != lane or n_computed
        again = task_of(kind).using(run_after=None if at_once else timezone.now() + LOOK_AGAIN)
        if not is_queued(again, job_id):
            again.enqueue(job_id)
    return n_computed


@transaction.atomic
def stand_behind(own: Task, job_id: int) -> None:
    """Move the rest of a job in a lane behind all others: the job is having its turn now."""
    same = waiting_for(own, job_id).select_for_update(of=("self",), skip_locked=True)
    keys = list(same.values_list("pk", flat=True))
    DBTaskResult.objects.filter(pk__in=keys).update(enqueued_at=timezone.now())


def waiting_for(own: Task, job_id: int) -> QuerySet[DBTaskResult]:
    arguments = {"args": [job_id], "kwargs": {}}
    return DBTaskResult.objects.filter(
        status="READY", task_path=own.module_path, args_kwargs=arguments
    )


def task_of(lane: Lane) -> Task:
    tasks = {
        Lane.QUICK: run_scoring,
        Lane.SLOW: run_slow_scoring,
        Lane.NEURAL: run_neural_scoring,
    }
    return tasks[lane]


def others_wait(own: Task, job_id: int) -> bool:
    """Return whether anything except this job waits in the queue of a lane."""
    due = DBTaskResult.objects.ready().filter(queue_name=own.queue_name)
    return due.exclude(pk__in=waiting_for(own, job_id).values("pk")).exists()


@transaction.atomic
def enqueue(job: ScoringJob) -> None:
    """Put a job into the queues, in the same transaction as its own rows."""
    waiting = job.parts.filter(status=PartStatus.WAITING)
    for lane in Lane:
        n_parts = parts_in(lane, job, waiting).count()
        for _ in range(max(2, min(MOST_WORKERS, n_parts)) if n_parts else 0):
            task_of(lane).enqueue(job.pk)
