"""Texts that a metric never gets done with: ended, reported with the reason, and in nobody's way.

The workers are separate processes on one database, and slow parts are really slow.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings as site
from django.db import connection
from django_tasks_db.models import DBTaskResult

from judgments.models import JobStatus, Output, Reference
from metrics.models import MetricScore, PartStatus, ScoringJob
from metrics.scorers import SCORERS
from metrics.scoring import claims, jobs, progress
from metrics.scoring import tasks as scoring_tasks
from metrics.scoring.choices import parse_metric
from mteval_site.local import postgres
from tests import factory
from tests.settings import POSTGRES_HOME
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

WORKER = """
import sys
from datetime import timedelta
import django
django.setup()
from django.core.management import call_command
from metrics import tasks
from metrics.scoring import progress

tasks.LOOK_AGAIN = timedelta(seconds=0.5)
progress.QUICK_SECONDS = float(sys.argv[2])
call_command("db_worker", queue_name=sys.argv[1], interval=0.1, startup_delay=False, reload=False)
"""
QUICK, ALL = "default", "*"
MANY = 12_000


@pytest.fixture
def start(tmp_path):
    """`start(queues)` starts a worker; all are ended afterwards."""
    children = []
    name = str(connection.settings_dict["NAME"])
    environment = os.environ | {
        "DATABASE_URL": postgres.url(POSTGRES_HOME, name),
        "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
        "SCORING_TOKENS": "100000",
    }

    def start_one(queues=ALL, quick_seconds=1.0, **more):
        child = subprocess.Popen(
            [sys.executable, "-c", WORKER, queues, str(quick_seconds)],
            env=environment | more,
            cwd=site.BASE_DIR,
            stdout=subprocess.DEVNULL,
            stderr=(tmp_path / "errors").open("ab"),
        )
        children.append(child)
        return child

    yield start_one
    for child in children:
        child.kill()
        child.wait()


def shuffled_words(n: int, seed: int) -> str:
    """Return the same words in another order: TER looks for more and more shifts."""
    words = [f"w{i}" for i in range(n)]
    random.Random(seed).shuffle(words)
    return " ".join(words)


def stems(n: int, endings: list[str], seed: int) -> str:
    """Return words that can be linked with many others, exactly or by their stems."""
    draw = random.Random(seed)
    return " ".join(f"w{draw.randrange(300)}{draw.choice(endings)}" for _ in range(n))


def poison(choice: str, n: int = MANY, owner: str = "owner", n_systems: int = 1) -> ScoringJob:
    """Return a queued job whose parts take from ten seconds to an hour each."""
    test_set = factory.make_test_set(factory.make_user(owner), n_systems=n_systems, n_segments=4)
    if choice.startswith("meteor"):
        Output.objects.update(text=stems(n, [""], 1))
        Reference.objects.update(text=stems(n, ["", "s", "ed"], 2))
    else:
        Output.objects.filter(system__test_set=test_set).update(text=shuffled_words(n, 1))
        Reference.objects.filter(segment__test_set=test_set).update(text=shuffled_words(n, 2))
    return asked(test_set, choice)


def asked(test_set, choice: str) -> ScoringJob:
    job = jobs.create_job(test_set, [parse_metric(choice)], ["ref"])
    scoring_tasks.enqueue(job)
    return job


def healthy(owner: str) -> ScoringJob:
    return asked(factory.make_test_set(factory.make_user(owner)), "bleu")


def child_of(pid: int) -> int | None:
    """Return a worker's computing process."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            return int(path.parent.name)
    return None


def is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def computing(worker: subprocess.Popen) -> int:
    """Return the worker's process once it has begun to compute."""
    wait_until(lambda: child_of(worker.pid))
    pid = child_of(worker.pid)
    time.sleep(0.7)
    assert is_there(pid), "the text is no poison"
    return pid


def status(job: ScoringJob) -> str:
    return ScoringJob.objects.get(pk=job.pk).status


@pytest.mark.proof
@pytest.mark.parametrize("choice", ["ter", "meteor:alignment=fewest-chunks"])
def test_cancel_ends_the_computing_at_once(start, choice):
    job = poison(choice)
    worker = start(quick_seconds=60)
    pid = computing(worker)
    assert jobs.cancel(job.pk)
    seconds = wait_until(lambda: not is_there(pid))
    assert seconds < 2
    part = job.parts.get()
    assert (status(job), part.status) == (JobStatus.CANCELLED, PartStatus.WAITING)
    wait_until(lambda: job.parts.get().attempts == 0)  # cancellation does not count as an attempt
    other = healthy("other")
    wait_until(lambda: status(other) == JobStatus.DONE)
    assert worker.poll() is None
    assert MetricScore.objects.filter(test_set=job.test_set).count() == 0


@pytest.mark.proof
def test_others_are_served_while_poisoned_parts_are_computed(start):
    """Three people's poisoned jobs, and one of two workers that takes only short parts."""
    poisoned = [poison("ter", owner=f"owner{i}", n_systems=2) for i in range(3)]
    start(ALL)
    start(QUICK)
    wait_until(lambda: all(status(job) == JobStatus.RUNNING for job in poisoned))
    others = [healthy(f"other{i}") for i in range(3)]
    wait_until(lambda: all(status(job) == JobStatus.DONE for job in others), seconds=20)
    assert all(status(job) == JobStatus.RUNNING for job in poisoned)
    # A part that turned out to be long waits for the other worker, and does not count as an
    # attempt.
    wait_until(lambda: all(job.parts.filter(is_slow=True).count() == 2 for job in poisoned))
    assert sum(part.attempts for job in poisoned for part in job.parts.all()) <= 1


def test_jobs_take_turns(monkeypatch, run_tasks):
    """One worker, a running job, and another one that comes later."""
    turns = []
    compute = jobs.compute

    def noted(part, bench):
        turns.append(part.job_id)
        return compute(part, bench)

    monkeypatch.setattr(jobs, "TURN", 0.0)
    monkeypatch.setattr(jobs, "compute", noted)
    first, second = healthy("first"), healthy("second")
    run_tasks()
    assert (status(first), status(second)) == (JobStatus.DONE, JobStatus.DONE)
    assert sorted(turns) == [first.pk] * 3 + [second.pk] * 3
    assert turns != sorted(turns)


@pytest.mark.proof
def test_a_part_that_kills_its_process_twice_has_failed(start):
    job = poison("ter")
    worker = start(quick_seconds=60)
    first = computing(worker)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: child_of(worker.pid) not in (None, first))
    second = computing(worker)  # one that dies between two calls is replaced, and no attempt ends
    assert job.parts.get().attempts == 2
    os.kill(second, signal.SIGKILL)
    wait_until(lambda: status(job) == JobStatus.FAILED)
    said = "Ended 2 times. Its process was ended by signal 9 (SIGKILL)"
    said += ", perhaps because memory ran out."
    job.refresh_from_db()
    assert job.message == f"1 of 1 parts failed. TER of System-A: {said}"
    assert jobs.progress_of(job)[0].failures == {said: ["System-A"]}
    assert worker.poll() is None
    # Requesting it again allows two more attempts.
    jobs.reopen(job.pk)
    assert job.parts.get().attempts == 0


@pytest.mark.proof
def test_a_part_whose_workers_were_killed_twice_has_failed(start):
    job = poison("ter")
    for _ in range(2):
        worker = start(quick_seconds=60)
        pid = computing(worker)
        worker.kill()
        seconds = wait_until(lambda pid=pid: not is_there(pid))
        assert seconds < 2, "the process outlives its worker"
        worker.wait()
    DBTaskResult.objects.filter(status="RUNNING").update(status="READY")
    start()
    wait_until(lambda: status(job) == JobStatus.FAILED)
    assert job.parts.get().message == "Ended 2 times. The worker that computed it died."
    assert not MetricScore.objects.exists()


@pytest.mark.proof
def test_a_worker_that_is_told_to_end_gives_its_part_back(start):
    job = poison("ter")
    for _ in range(3):
        worker = start(quick_seconds=60)
        pid = computing(worker)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(20) == 0
        assert not is_there(pid)
    part = job.parts.get()
    assert (part.status, part.attempts, status(job)) == (PartStatus.WAITING, 0, JobStatus.RUNNING)
    assert DBTaskResult.objects.filter(status="READY").exists()


@pytest.mark.proof
def test_a_part_is_computed_though_the_database_leaves_meanwhile(start):
    job = poison("ter", n=3500)
    worker = start(quick_seconds=60)
    computing(worker)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend'"
        )
        assert len(cursor.fetchall()) == 1
    wait_until(lambda: status(job) == JobStatus.DONE)
    assert job.parts.get().attempts == 1
    assert MetricScore.objects.count() == 1


def worked_on(job: ScoringJob) -> ScoringJob:
    """Return a job processed by this process."""
    jobs.work_on(job.pk)
    job.refresh_from_db()
    return job


def test_the_limit_of_time_fails_a_part_with_the_reason(settings):
    settings.SCORING_TOKENS, settings.SCORING_SECONDS = 100_000, 1
    job = poison("ter")
    begun = time.monotonic()
    job = worked_on(job)
    assert 1 < time.monotonic() - begun < 5
    assert job.status == JobStatus.FAILED
    assert job.message.endswith("It took longer than 1 seconds and was stopped (SCORING_SECONDS).")


def test_the_limit_of_memory_fails_a_part_with_the_reason(settings, monkeypatch):
    def greedy(self, *texts):
        return [bytearray(2**20) for _ in range(200)]

    settings.SCORING_MEMORY_MB = 100
    monkeypatch.setattr(SCORERS["ter"], "statistics", greedy)
    test_set = factory.make_test_set(factory.make_user("owner"), n_systems=1)
    job = jobs.create_job(test_set, [parse_metric("ter"), parse_metric("bleu")], ["ref"])
    job = worked_on(job)
    assert job.message == (
        "1 of 2 parts failed. TER of System-A: It needed more than 100 MB of memory and was "
        "stopped (SCORING_MEMORY_MB)."
    )
    assert [score.metric for score in MetricScore.objects.all()] == ["bleu"]


@pytest.mark.parametrize("whose", ["output", "reference"])
def test_the_limit_of_tokens_fails_a_part_with_the_reason(settings, whose):
    settings.SCORING_TOKENS = 20
    test_set = factory.make_test_set(factory.make_user("owner"), n_systems=1)
    rows = Output.objects.filter(segment__position=1)
    if whose == "reference":
        rows = Reference.objects.filter(segment__position=1)
    rows.update(text="word " * 20)
    assert worked_on(asked(test_set, "bleu")).status == JobStatus.DONE
    rows.update(text="字" * 21)
    job = worked_on(asked(test_set, "bleu"))
    what = {"output": "the output of System-A", "reference": "a reference"}[whose]
    assert job.message == (
        f"1 of 1 parts failed. BLEU of System-A: Segment 2: {what} has 21 tokens, and at most 20 "
        "are scored (SCORING_TOKENS)."
    )


def test_a_part_is_in_one_pair_of_hands():
    job = asked(factory.make_test_set(factory.make_user("owner"), n_systems=1), "bleu")
    ScoringJob.objects.update(status=JobStatus.RUNNING)
    part = claims.take(job.pk)
    assert part is not None
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            ask = "SELECT pg_try_advisory_lock(%s, %s)"
            cursor.execute(ask, [claims.PARTS.namespace, part.pk])
            assert cursor.fetchone() == (False,)
            claims.PARTS.unlock(part.pk)
            cursor.execute(ask, [claims.PARTS.namespace, part.pk])
            assert cursor.fetchone() == (True,)
            assert claims.take(job.pk) is None
    finally:
        other.close()


def test_a_job_that_is_deleted_meanwhile_is_no_longer_computed(settings, monkeypatch):
    settings.SCORING_TOKENS = 100_000
    monkeypatch.setattr(progress, "LOOK", 0.0)
    job = poison("ter")
    say = progress.Watch._say

    def and_away(self, *how_far):
        ScoringJob.objects.all().delete()
        say(self, *how_far)

    monkeypatch.setattr(progress.Watch, "_say", and_away)
    begun = time.monotonic()
    assert jobs.work_on(job.pk) == 0
    assert time.monotonic() - begun < 2
