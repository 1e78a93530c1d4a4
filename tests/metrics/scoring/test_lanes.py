"""Which worker computes which part of a job: neural metrics have a lane and a queue of their
own."""

import os
import subprocess
import sys

import pytest
from django_tasks_db.models import DBTaskResult

from judgments.models import JobStatus
from metrics.models import PartStatus
from metrics.neural import environment, process
from metrics.neural.process import NeuralProcess
from metrics.scorers.neural import COMET
from metrics.scoring import jobs, tasks
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.metrics.neural.test_in_a_job import FAKE

BOTH = [MetricChoice("bleu"), MetricChoice("comet", {"model": "good"})]


@pytest.fixture
def job(db, monkeypatch):
    """A job of BLEU and COMET, which a fake program computes."""
    made = NeuralProcess([sys.executable, str(FAKE)], silence=60)
    monkeypatch.setattr(environment, "unavailable", lambda: "")
    monkeypatch.setattr(process, "_shared", made)
    monkeypatch.setattr(process, "_owner", os.getpid())
    test_set = factory.make_test_set(factory.make_user("owner"), n_systems=2)
    yield jobs.create_job(test_set, BOTH, ["ref"])
    made.stop()


def done(job):
    return list(job.parts.filter(status=PartStatus.DONE).values_list("metric_index", flat=True))


def test_each_task_computes_the_parts_of_its_lane(job):
    assert tasks.run_slow_scoring.call(job.pk) == 0
    assert tasks.run_scoring.call(job.pk) == 2
    assert done(job) == [0, 0]
    assert tasks.run_neural_scoring.call(job.pk) == 2
    job.refresh_from_db()
    assert (done(job), job.status) == ([0, 0, 1, 1], JobStatus.DONE)


def test_a_job_waits_in_the_lanes_of_its_parts(job):
    tasks.enqueue(job)
    paths = {row.task_path.rpartition(".")[2] for row in DBTaskResult.objects.all()}
    assert paths == {"run_scoring", "run_neural_scoring"}
    assert set(DBTaskResult.objects.values_list("queue_name", flat=True)) == {"default", "gpu"}


def test_what_an_earlier_version_left_in_the_slow_lane_goes_to_its_own(job):
    tasks.run_scoring.call(job.pk)
    DBTaskResult.objects.all().delete()
    tasks.run_slow_scoring.call(job.pk)
    assert [row.task_path for row in DBTaskResult.objects.all()] == [
        "metrics.scoring.tasks.run_neural_scoring"
    ]


PROGRAM = """
import django
django.setup()
from django.conf import settings
from metrics.scoring import tasks
print(tasks.run_neural_scoring.queue_name, tasks.run_slow_scoring.queue_name)
print(*settings.TASKS["default"]["QUEUES"])
print(*settings.OWN_QUEUES)
"""


@pytest.mark.parametrize(
    ("resources", "served"),
    [
        ("", "default short slow gpu judge"),
        ("judge, cpu", "default short slow judge"),
        ("gpu", "gpu"),
    ],
)
def test_the_served_queues_are_a_setting(resources, served):
    """Every machine knows all queues, and puts the same tasks into them."""
    variables = {**os.environ, "MTEVAL_RESOURCES": resources}
    line = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(
        line, cwd=environment.ROOT, env=variables, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["gpu slow", "default gpu judge short slow", served]


def test_only_machines_for_neural_metrics_need_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("MTEVAL_NEURAL", str(tmp_path / "none"))
    for resources in ("", ",", "gpu", "cpu, gpu"):
        monkeypatch.setenv("MTEVAL_RESOURCES", resources)
        assert "./run neural" in COMET.unavailable()
    monkeypatch.delenv("MTEVAL_RESOURCES")
    assert "./run neural" in COMET.unavailable()
    monkeypatch.setenv("MTEVAL_RESOURCES", "cpu,judge")
    assert COMET.unavailable() == ""
    with pytest.raises(ValueError, match=r"\./run neural"):
        COMET().statistics(["a"], [["a"]], ["a"])
