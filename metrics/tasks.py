"""Background tasks; `manage.py db_worker` runs them."""

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django_tasks import task
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from judgments.models import Campaign, TestSet
from judgments.web.short_tasks import queue_for_linking
from metrics.models import Bitext, PartStatus, ScoringJob
from metrics.scores import comparisons as comparing
from metrics.scoring import jobs

logger = logging.getLogger(__name__)

# A job stands in the queue once for each of its parts, up to so many workers: whoever is free joins
# in, and a worker that finds no part left is done with it in a millisecond. At least twice, so that
# an only part whose worker dies is looked at again.
MOST_WORKERS = 32
# There are two lanes: some workers serve only the first, in which no part takes long, so that jobs
# of others go on whatever somebody asks for.
# When everything that waits is in other workers' hands, somebody looks again after so long: if one
# of them has died, its part is free by then.
LOOK_AGAIN = timedelta(seconds=30)
# A task that has run for so long has lost its worker.
LOST = timedelta(minutes=15)


@task()
def run_scoring(job_id: int) -> int:
    """Compute what is left of a scoring job and soon done; how many parts this worker took up."""
    return score(job_id, is_slow=False)


@task(queue_name="slow")
def run_slow_scoring(job_id: int) -> int:
    """Compute the parts of a scoring job that take long, which would hold up others' jobs."""
    return score(job_id, is_slow=True)


def score(job_id: int, *, is_slow: bool) -> int:
    if not ScoringJob.objects.filter(pk=job_id).exists():  # its test set was deleted meanwhile
        return 0
    lane = lane_of(is_slow)
    stand_behind(lane, job_id)
    n_computed = jobs.work_on(
        job_id, is_slow=is_slow, others_wait=lambda: others_wait(lane, job_id)
    )
    job = ScoringJob.objects.filter(pk=job_id).first()
    if job is None:
        return n_computed
    if not job.is_active:
        if n_computed:
            enqueue_comparisons(job.test_set_id)
        return n_computed
    waiting = job.parts.filter(status=PartStatus.WAITING).order_by()
    for kind in waiting.values_list("is_slow", flat=True).distinct():
        # What waits in this lane after nothing could be taken up is in other workers' hands.
        at_once = kind != is_slow or n_computed
        again = lane_of(kind).using(run_after=None if at_once else timezone.now() + LOOK_AGAIN)
        if not is_queued(again, job_id):
            again.enqueue(job_id)
    return n_computed


@transaction.atomic
def stand_behind(lane: Task, job_id: int) -> None:
    """Put what else of a job waits in a lane behind all others: the job has its turn now."""
    same = waiting_for(lane, job_id).select_for_update(of=("self",), skip_locked=True)
    keys = list(same.values_list("pk", flat=True))
    DBTaskResult.objects.filter(pk__in=keys).update(enqueued_at=timezone.now())


def waiting_for(lane: Task, job_id: int) -> QuerySet[DBTaskResult]:
    arguments = {"args": [job_id], "kwargs": {}}
    return DBTaskResult.objects.filter(
        status="READY", task_path=lane.module_path, args_kwargs=arguments
    )


def lane_of(is_slow: bool) -> Task:
    return run_slow_scoring if is_slow else run_scoring


def others_wait(lane: Task, job_id: int) -> bool:
    """Whether anything but this job waits in the queue of a lane."""
    due = DBTaskResult.objects.ready().filter(queue_name=lane.queue_name)
    return due.exclude(pk__in=waiting_for(lane, job_id).values("pk")).exists()


@transaction.atomic
def enqueue(job: ScoringJob) -> None:
    """Put a job into the queues, in the same transaction as its own rows."""
    for is_slow in (False, True):
        n_parts = job.parts.filter(status=PartStatus.WAITING, is_slow=is_slow).count()
        for _ in range(max(2, min(MOST_WORKERS, n_parts)) if n_parts else 0):
            lane_of(is_slow).enqueue(job.pk)


@task()
def run_comparisons(test_set_id: int, unit: str) -> int:
    """Test the differences between all systems by every metric; how many metrics were new."""
    test_set = TestSet.objects.filter(pk=test_set_id).first()
    return comparing.compute_comparisons(test_set, unit) if test_set else 0


def enqueue_comparisons(test_set_id: int, unit: str = "segment") -> bool:
    """Have the differences tested in the background; False if that is on its way already."""
    if is_queued(run_comparisons, test_set_id, unit):
        return False
    run_comparisons.enqueue(test_set_id, unit)
    return True


def are_comparisons_coming(test_set_id: int, unit: str) -> bool:
    """Whether a worker is testing the differences, or will."""
    return is_queued(run_comparisons, test_set_id, unit, or_running=True)


@task()
def run_agreement(campaign_id: int, preset: str) -> bool:
    """Compute what a campaign brings to averages of metrics; False if it is gone."""
    # Slow to import, and nothing else of this module needs them.
    from judgments.results.selection.selection import Selection
    from metrics import with_people as agreement

    campaign = Campaign.objects.filter(pk=campaign_id).select_related("test_set").first()
    if campaign is None:
        return False
    selection, board = Selection.of(campaign), agreement.board_of(campaign.test_set)
    agreement.preset_tasks(selection, preset, board)
    for by in agreement.BY:
        agreement.campaign_metrics(selection, preset, board, by)
    return True


@task()
def run_year(campaign_id: int) -> bool:
    """Compute what the page of metrics against people opens with, as far as the release of the test
    set calls for it; False if there is nothing to compute."""
    from judgments.results.selection.selection import Selection
    from metrics import with_people as agreement

    campaign = Campaign.objects.filter(pk=campaign_id).select_related("test_set").first()
    if campaign is None:
        return False
    selection, board = Selection.of(campaign), agreement.board_of(campaign.test_set)
    if not board.table.columns or not agreement.is_judged(selection):
        return False
    agreement.prepare(selection, board)
    return True


def enqueue_figures(test_set_id: int) -> None:
    """Have everything computed that pages show of a release which has just come in: metrics against
    the people of each campaign, then the differences between systems by each metric."""
    campaigns = Campaign.objects.filter(test_set=test_set_id).order_by("pk")
    for pk in campaigns.values_list("pk", flat=True):
        if not is_queued(run_year, pk):
            run_year.enqueue(pk)
    enqueue_comparisons(test_set_id)


def is_year_coming(campaign_id: int) -> bool:
    """Whether a worker is computing it, or will."""
    return is_queued(run_year, campaign_id, or_running=True)


def is_agreement_coming(campaign_id: int, preset: str) -> bool:
    """Whether a worker is computing it, or will."""
    return is_queued(run_agreement, campaign_id, preset, or_running=True)


@task(queue_name="slow")
def run_linking(linked_id: int) -> bool:
    """Link the words of a test set or a bitext; False if there is nothing to do."""
    # Slow to import, and nothing else of this module needs it.
    from metrics.lessons.phrase_tables import linking

    return linking.work_on(linked_id)


@transaction.atomic
def enqueue_linking(owner: TestSet | Bitext) -> bool:
    """Have the words of texts linked in the background; False if that is on its way already."""
    from metrics.lessons.phrase_tables import linking

    linked = linking.ask(owner)
    if linked is None:
        return False
    task = run_linking
    if isinstance(owner, TestSet):
        task = run_linking.using(queue_name=queue_for_linking(owner))
    task.enqueue(linked.pk)
    return True


def has_failed(what: Task, *arguments) -> bool:
    """Whether the last task with these arguments failed, a short while ago."""
    same = DBTaskResult.objects.filter(
        task_path=what.module_path, args_kwargs={"args": list(arguments), "kwargs": {}}
    )
    last = same.order_by("-enqueued_at").first()
    since = timezone.now() - LOST
    return last is not None and last.status == "FAILED" and last.enqueued_at > since


def is_queued(what: Task, *arguments, or_running: bool = False) -> bool:
    """Whether a task with these arguments waits in the queue or, if asked for, is being run."""
    same = DBTaskResult.objects.filter(
        task_path=what.module_path, args_kwargs={"args": list(arguments), "kwargs": {}}
    )
    if same.filter(status="READY").exists():
        return True
    since = timezone.now() - LOST
    return or_running and same.filter(status="RUNNING", started_at__gt=since).exists()


@task(queue_name="slow")
def run_baseline(job_id: int) -> bool:
    """Train a baseline system and let it translate its test set; False if nothing was added."""
    # Slow to import, and nothing else of this module needs it.
    from metrics.lessons.baseline_jobs.work import work_on

    return work_on(job_id)
