"""Train baseline systems in the background."""

from django_tasks import task


@task(queue_name="slow")
def run_baseline(job_id: int) -> bool:
    """Train a baseline system and translate its test set with it; return False if nothing was
    added."""
    # Slow to import, and not needed by the rest of this module.
    from metrics.lessons.baseline_jobs.work import work_on

    return work_on(job_id)
