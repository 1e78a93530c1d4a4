"""Background tasks; `manage.py db_worker` runs them."""

from django.db import transaction
from django_tasks import task

from metrics import jobs
from metrics.models import ScoringJob

# A job stands in the queue this often, so that up to so many workers share its parts; a worker
# that finds no part left is done with it in a millisecond.
WORKERS_PER_JOB = 4


@task()
def run_scoring(job_id: int) -> int:
    """Compute what is left of a scoring job; how many parts this worker computed."""
    if not ScoringJob.objects.filter(pk=job_id).exists():  # its test set was deleted meanwhile
        return 0
    return jobs.work_on(job_id)


@transaction.atomic
def enqueue(job: ScoringJob) -> None:
    """Put a job into the queue, in the same transaction as its own rows."""
    for _ in range(min(WORKERS_PER_JOB, job.total)):
        run_scoring.enqueue(job.pk)
