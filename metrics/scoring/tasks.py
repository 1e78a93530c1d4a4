"""Scoring jobs in the background; `manage.py db_worker` runs them."""

from datetime import timedelta

from django.conf import settings
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

# A job stands in the queue once for each of its parts, up to so many workers: whoever is free joins
# in, and a worker that finds no part left is done with it in a millisecond. At least twice, so that
# an only part whose worker dies is looked at again.
MOST_WORKERS = 32
# There are three lanes: some workers serve only the first, in which no part takes long, so that
# jobs of others go on whatever somebody asks for; some may serve only the one of neural metrics.
# When everything that waits is in other workers' hands, somebody looks again after so long: if one
# of them has died, its part is free by then.
LOOK_AGAIN = timedelta(seconds=30)


@task()
def run_scoring(job_id: int) -> int:
    """Compute what is left of a scoring job and soon done; how many parts this worker took up."""
    return score(job_id, Lane.QUICK)


@task(queue_name="slow")
def run_slow_scoring(job_id: int) -> int:
    """Compute the parts of a scoring job that take long, which would hold up others' jobs."""
    return score(job_id, Lane.SLOW)


@task(queue_name=settings.NEURAL_QUEUE)
def run_neural_scoring(job_id: int) -> int:
    """Compute the parts of a scoring job that are of neural metrics, perhaps on another machine."""
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
        # What waits in this lane after nothing could be taken up is in other workers' hands.
        at_once = kind != lane or n_computed
        again = task_of(kind).using(run_after=None if at_once else timezone.now() + LOOK_AGAIN)
        if not is_queued(again, job_id):
            again.enqueue(job_id)
    return n_computed


@transaction.atomic
def stand_behind(own: Task, job_id: int) -> None:
    """Put what else of a job waits in a lane behind all others: the job has its turn now."""
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
    """Return whether anything but this job waits in the queue of a lane."""
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
