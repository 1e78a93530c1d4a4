"""Scoring jobs: created, cancelled, reopened, and processed by any number of workers."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from judgments.models import JobStatus, NotWanted, TestSet, no_texts
from metrics.models import PartStatus, ScoringJob, ScoringPart
from metrics.scorers import SCORERS, Scorer
from metrics.scoring import claims
from metrics.scoring.calculator import Defect, OutOfMemory, ProcessEnded
from metrics.scoring.choices import MetricChoice, label_of
from metrics.scoring.lanes import Lane, is_neural
from metrics.scoring.leaving import LEAVING, heeded
from metrics.scoring.parts import Bench, CannotScore, compute
from metrics.scoring.progress import TakesLong, TimeIsUp, Watch

logger = logging.getLogger(__name__)

TURN = 5.0
"""Seconds that a job has a worker to itself while others wait."""


class JobRunning(ValueError):
    """A test set has one job at a time."""


RUNNING = "Scores are already being computed. Wait, or cancel first."


@transaction.atomic
def create_job(
    test_set: TestSet, metrics: Sequence[MetricChoice], references: Sequence[str], user=None
) -> ScoringJob:
    """Return a queued job with one part for each metric and system.

    Raise ValueError if there is nothing to score or a reference set does not exist, and its
    subclass JobRunning if scores of the test set are being computed.
    """
    # One at a time: otherwise two simultaneous requests would create the same work twice.
    test_set = TestSet.objects.select_for_update(of=("self",)).get(pk=test_set.pk)
    if not test_set.has_texts:
        raise ValueError(no_texts.TO_SCORE)
    metrics = [choice for i, choice in enumerate(metrics) if choice not in metrics[:i]]
    if test_set.scoring_jobs.active().exists():
        raise JobRunning(RUNNING)
    # A copy of a reference would be scored against itself.
    systems = list(test_set.systems.without_copies().values_list("pk", flat=True))
    known = test_set.reference_names
    if not metrics:
        raise ValueError("Choose at least one metric.")
    if not systems:
        raise ValueError("The test set has no systems to score.")
    scorers = [SCORERS[choice.slug] for choice in metrics]
    for scorer in scorers:
        if why_not := scorer.unavailable():
            raise ValueError(f"{scorer.name} cannot be computed here. {why_not}")
    if not references and any(s.needs_references and not s.targeted for s in scorers):
        raise ValueError("Choose at least one reference set.")
    if not test_set.targeted_names and any(scorer.targeted for scorer in scorers):
        raise ValueError("The test set has no post-edits; add some first, or leave out HTER.")
    needs_sources = [scorer.name for scorer in scorers if scorer.needs_sources]
    if needs_sources and not test_set.segments.exclude(source="").exists():
        raise ValueError(f"The test set has no source texts, which {needs_sources[0]} needs.")
    if unknown := sorted(set(references) - set(known)):
        raise ValueError(f"No reference set {unknown[0]!r}; there is: {', '.join(known) or '-'}.")
    job = ScoringJob.objects.create(
        test_set=test_set,
        metrics=[choice.as_json() for choice in metrics],
        references=sorted(set(references)),
        created_by=user,
        total=len(metrics) * len(systems),
    )
    ScoringPart.objects.bulk_create(
        ScoringPart(job=job, system_id=system, metric_index=index, is_slow=is_slow(scorer))
        for index, scorer in enumerate(scorers)
        for system in systems
    )
    return job


def is_slow(scorer: type[Scorer]) -> bool:
    """Return whether a metric's parts always take long, and use the slow lane."""
    return is_neural(scorer) or scorer.needs_corpus


def cancel(job_id: int) -> bool:
    """Stop a job, including the parts being computed; return False if it had already ended."""
    return bool(
        ScoringJob.objects.filter(pk=job_id)
        .active()
        .update(status=JobStatus.CANCELLED, message="", finished_at=timezone.now())
    )


@transaction.atomic
def reopen(job_id: int) -> bool:
    """Set failed, cancelled and lost parts waiting again; return False for a job that is done.
    Harmless while workers are active, since a part is computed under its lock.

    Raise JobRunning if another job of the test set is active.
    """
    # No job is created meanwhile; a worker that stores a score does not wait for this.
    mine = TestSet.objects.filter(scoring_jobs=job_id)
    test_set = mine.select_for_update(of=("self",), no_key=True).get()
    job = ScoringJob.objects.select_for_update(of=("self",)).get(pk=job_id)
    if job.status == JobStatus.DONE:
        return False
    if test_set.scoring_jobs.active().exclude(pk=job_id).exists():
        raise JobRunning(RUNNING)
    job.parts.exclude(status=PartStatus.DONE).update(
        status=PartStatus.WAITING, message="", attempts=0
    )
    job.status, job.message, job.finished_at = JobStatus.QUEUED, "", None
    job.moved_at = timezone.now()
    job.done = job.parts.exclude(status=PartStatus.WAITING).count()
    job.save()
    return True


def work_on(
    job_id: int, *, lane: Lane | None = None, others_wait: Callable[[], bool] = lambda: False
) -> int:
    """Compute parts of a job until none is free, or it is another job's turn; return how many were
    claimed.

    lane: only parts in this one; None for all. others_wait: called every TURN seconds.
    """
    ScoringJob.objects.filter(pk=job_id).begin(started_at=timezone.now())
    bench = Bench(lane=lane)
    n_computed, began = 0, time.monotonic()
    try:
        with heeded():
            while compute_next_part(job_id, bench):
                n_computed += 1
                record_progress(job_id)
                if time.monotonic() - began > TURN:
                    if others_wait():
                        break
                    began = time.monotonic()
    finally:
        bench.stop()
    record_progress(job_id)
    return n_computed


def compute_next_part(job_id: int, bench: Bench) -> bool:
    """Claim a waiting part, and compute it; return False without one."""
    if LEAVING.is_set() or (part := claims.take(job_id, lane=bench.lane)) is None:
        return False
    try:
        if claims.is_given_up(part):
            return True
        claims.count_attempt(part)
        return attempt(part, bench)
    finally:
        if connection.connection is not None:  # if the connection is gone, so is the lock
            claims.PARTS.unlock(part.pk)


def attempt(part: ScoringPart, bench: Bench) -> bool:
    """Compute a claimed part, and store the result; return False if the job is to be left for
    now."""
    bench.watch = watch_of(part, is_quick=bench.lane is Lane.QUICK)
    try:
        computed = compute(part, bench)
        claims.finish(part, computed.store if computed else lambda: None)
    except NotWanted:  # it stays waiting, for a worker that reopens the job
        claims.return_part(part)
        return False
    except TakesLong:
        claims.move_to_slow(part)
    except ProcessEnded as death:
        if LEAVING.is_set():  # whoever ended this process ended that one too
            claims.return_part(part)
            return False
        claims.note_death(part, str(death))
    except OutOfMemory:
        megabytes = settings.SCORING_MEMORY_MB
        words = f"It needed more than {megabytes:,} MB of memory and was stopped"
        claims.fail(part, f"{words} (SCORING_MEMORY_MB).")
    except (CannotScore, TimeIsUp, Defect, ValueError) as error:
        claims.fail(part, str(error))
    except Exception as error:  # a bug of ours must not take the whole job with it
        if isinstance(error, OperationalError | InterfaceError) and not connection.is_usable():
            if not claims.return_when_possible(part):
                raise
            return True
        logger.exception("%s could not be computed", part)
        claims.fail(part, f"{type(error).__name__}: {error}")
    except BaseException:  # asked to end
        claims.return_part(part)
        raise
    return True


def watch_of(part: ScoringPart, *, is_quick: bool) -> Watch:
    name = "SCORING_SECONDS"
    row = part.job.metrics[part.metric_index]
    if is_neural(SCORERS.get(row["metric"], Scorer)):
        name = "SCORING_NEURAL_SECONDS"
    return Watch(part, seconds=getattr(settings, name), setting=name, is_quick=is_quick)


@transaction.atomic
def record_progress(job_id: int) -> None:
    """Count finished parts, and end the job if none is waiting.

    The lock comes before the count: otherwise two workers that finish together would both count the
    state before the other's part.
    """
    job = ScoringJob.objects.select_for_update(of=("self",)).filter(pk=job_id).first()
    if job is None:  # it was deleted with its test set while a part was computed
        return
    statuses = list(job.parts.values_list("status", flat=True))
    job.total = len(statuses)  # parts of a system that was deleted meanwhile are gone
    job.done = sum(status != PartStatus.WAITING for status in statuses)
    job.moved_at = timezone.now()
    if job.is_active:
        job.message = ""  # of a part that was being computed
    if job.done == job.total and job.is_active:
        failed = job.parts.filter(status=PartStatus.FAILED).select_related("system")
        job.status = JobStatus.FAILED if failed else JobStatus.DONE
        job.message = describe_failures(job, list(failed))
        job.finished_at = timezone.now()
    job.save(update_fields=["total", "done", "moved_at", "status", "message", "finished_at"])


def describe_failures(job: ScoringJob, failed: list[ScoringPart]) -> str:
    """Return one sentence for all failures: how many, and the first with its metric, system and
    reason."""
    if not failed:
        return ""
    first = failed[0]
    row = job.metrics[first.metric_index]
    metric = label_of(row["metric"], row["options"], row["metric"])
    return (
        f"{len(failed)} of {job.total} parts failed. {metric} of {first.system.name}: "
        f"{first.message}"
    )


@dataclass
class Progress:
    """Progress of one metric of a job. `failures`: the failed systems, by reason."""

    label: str
    total: int = 0
    done: int = 0
    failures: dict[str, list[str]] = field(default_factory=dict)

    @property
    def failure_list(self) -> list[dict]:
        return [{"reason": reason, "systems": names} for reason, names in self.failures.items()]

    @property
    def n_failed(self) -> int:
        return sum(len(systems) for systems in self.failures.values())


def progress_of(job: ScoringJob) -> list[Progress]:
    """Return the progress of each metric of a job, in one query."""
    found = [
        Progress(label_of(row["metric"], row["options"], row["metric"])) for row in job.metrics
    ]
    parts = job.parts.order_by("metric_index", "system__name")
    for index, status, message, system in parts.values_list(
        "metric_index", "status", "message", "system__name"
    ):
        found[index].total += 1
        found[index].done += status != PartStatus.WAITING
        if status == PartStatus.FAILED:
            found[index].failures.setdefault(message, []).append(system)
    return found
