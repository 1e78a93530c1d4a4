"""Several workers, each a separate process on one database; one of them is killed."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, connections
from django_tasks_db.models import DBTaskResult

from judgments.models import JobStatus
from metrics.models import MetricScore, ScoringJob
from metrics.scores import comparisons
from metrics.scoring import jobs
from metrics.scoring import tasks as scoring_tasks
from metrics.scoring.choices import MetricChoice
from metrics.scoring.tasks import MOST_WORKERS
from mteval_site.local import postgres
from tests import factory
from tests.settings import POSTGRES_HOME
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

# The real worker, which records each part that it starts and finishes. A part takes a moment, so
# that all workers get some.
WORKER = """
import os, sys, time
import django
django.setup()
from datetime import timedelta
from django.core.management import call_command
from metrics.scoring import jobs

from metrics.scoring import tasks
tasks.LOOK_AGAIN = timedelta(seconds=0.5)
compute = jobs.compute

def note(word, part):
    with open(sys.argv[1], "a") as file:
        file.write(f"{os.getpid()} {word} {part.pk}\\n")

def slowly(part, bench):
    note("started", part)
    time.sleep(float(sys.argv[2]))
    found = compute(part, bench)
    note("computed", part)
    return found

jobs.compute = slowly
call_command("db_worker", interval=0.1, startup_delay=False)
"""


@pytest.fixture
def start(tmp_path):
    """`start(seconds)` starts a worker; all are ended afterwards."""
    log, children = tmp_path / "log", []
    log.touch()
    name = str(connection.settings_dict["NAME"])
    environment = os.environ | {
        "DATABASE_URL": postgres.url(POSTGRES_HOME, name),
        "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
    }

    def start_one(seconds):
        child = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(log), str(seconds)],
            env=environment,
            cwd=settings.BASE_DIR,
            stdout=subprocess.DEVNULL,
            stderr=(tmp_path / "errors").open("ab"),
        )
        children.append(child)
        return child

    start_one.log = log
    yield start_one
    for child in children:
        child.kill()
        child.wait()


def lines(log: Path) -> list[tuple[int, str, int]]:
    rows = [line.split() for line in log.read_text().splitlines()]
    return [(int(pid), word, int(part)) for pid, word, part in rows]


def is_done(job):
    return ScoringJob.objects.filter(pk=job.pk, status=JobStatus.DONE).exists()


def make_job(*slugs, n_systems=5):
    test_set = factory.make_test_set(factory.make_user("owner"), n_systems=n_systems)
    job = jobs.create_job(test_set, [MetricChoice(slug) for slug in slugs], ["ref"])
    scoring_tasks.enqueue(job)
    return job


@pytest.mark.proof
def test_workers_share_a_job_and_one_that_is_killed_is_replaced(start):
    job = make_job("bleu", "ter")
    workers = [start(0.3) for _ in range(3)]
    victim = workers[0]
    wait_until(lambda: any(pid == victim.pid for pid, word, _ in lines(start.log)))
    os.kill(victim.pid, signal.SIGKILL)
    wait_until(lambda: is_done(job))
    seen = lines(start.log)
    computed = Counter(part for _, word, part in seen if word == "computed")
    parts = list(job.parts.values_list("pk", flat=True))
    assert set(computed) == set(parts)
    # The killed worker's part was taken by another; nothing else was done twice.
    started = Counter(part for _, word, part in seen if word == "started")
    assert {part for part, n in started.items() if n > 1} <= {
        part for pid, word, part in seen if pid == victim.pid
    }
    assert len({pid for pid, _, _ in seen}) >= 2
    assert MetricScore.objects.count() == 10


def test_the_only_part_of_a_killed_worker_is_taken_up(start):
    job = make_job("bleu", n_systems=1)
    victim = start(60)
    wait_until(lambda: lines(start.log))
    other = start(0)
    time.sleep(1)  # it checks, and finds the part claimed by the other
    assert [pid for pid, _, _ in lines(start.log)] == [victim.pid]
    victim.kill()
    wait_until(lambda: is_done(job))
    assert lines(start.log)[-1][:2] == (other.pid, "computed")


def test_two_people_who_start_in_the_same_instant_get_one_job():
    test_set = factory.make_test_set(factory.make_user("owner"))
    barrier, answers = threading.Barrier(4), []

    def ask():
        barrier.wait()
        try:
            answers.append(jobs.create_job(test_set, [MetricChoice("bleu")], ["ref"]).pk)
        except jobs.JobRunning as error:
            answers.append(str(error))
        connections.close_all()

    people = [threading.Thread(target=ask) for _ in range(4)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert ScoringJob.objects.count() == 1
    refusal = "Scores are already being computed. Wait, or cancel first."
    assert sorted(map(str, answers)) == sorted([str(ScoringJob.objects.get().pk), *[refusal] * 3])


def test_a_job_stands_in_the_queue_for_every_worker_that_can_help():
    make_job("bleu", "ter")
    assert DBTaskResult.objects.count() == 10
    DBTaskResult.objects.all().delete()
    ScoringJob.objects.all().delete()
    test_set = factory.make_test_set(factory.make_user("other"), n_systems=40)
    scoring_tasks.enqueue(jobs.create_job(test_set, [MetricChoice("bleu")], ["ref"]))
    assert DBTaskResult.objects.count() == MOST_WORKERS


def test_the_differences_are_tested_once_the_scores_are_there(run_tasks, monkeypatch):
    calls = []
    monkeypatch.setattr(
        comparisons, "compute_comparisons", lambda test_set, unit: calls.append(unit) or 1
    )
    make_job("bleu", "ter")
    run_tasks()
    assert calls == ["segment"]


def test_a_failure_of_the_tests_of_differences_leaves_the_job_done(run_tasks, monkeypatch):
    def broken(test_set, unit):
        raise ZeroDivisionError

    monkeypatch.setattr(comparisons, "compute_comparisons", broken)
    job = make_job("bleu")
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        run_tasks()
    assert is_done(job)


def test_a_job_that_is_deleted_when_a_part_ends_disturbs_nobody(run_tasks, monkeypatch):
    make_job("bleu", n_systems=1)
    compute = jobs.compute_next_part

    def and_away(job_id, bench):
        found = compute(job_id, bench)
        ScoringJob.objects.all().delete()
        return found

    monkeypatch.setattr(jobs, "compute_next_part", and_away)
    run_tasks()
    assert not ScoringJob.objects.exists()
