"""Which queues the workers of a machine serve."""

import pytest
from django_tasks import task
from django_tasks_db.models import DBTaskResult

from mteval_site.local.db_worker import excluded, workers
from mteval_site.worker import Worker

pytestmark = pytest.mark.django_db


@task(queue_name="gpu")
def says_what_is_taken() -> dict[str, int]:
    return {}


@task()
def needs_nothing() -> str:
    return "done"


@pytest.fixture(autouse=True)
def no_connection_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection belongs to the test, and so does its transaction."""
    monkeypatch.setattr("mteval_site.worker.close_old_connections", lambda: None)


def worker(*queues: str, excluded: tuple[str, ...] = ()) -> Worker:
    made = Worker(
        queue_names=list(queues) or ["*"],
        excluded_queue_names=list(excluded),
        interval=0,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id="tests",
    )
    made.next_look = float("inf")
    return made


def states() -> dict[str, str]:
    return {row.task_path.rpartition(".")[2]: row.status for row in DBTaskResult.objects.all()}


def test_a_worker_of_all_queues_serves_those_of_its_machine(settings):
    settings.OWN_QUEUES = ["gpu", "judge"]
    says_what_is_taken.enqueue()
    needs_nothing.enqueue()
    DBTaskResult.objects.create(
        queue_name="unknown", args_kwargs={}, run_after="2026-01-01T00:00Z", backend_name="default"
    )
    one = worker(excluded=("judge",))
    assert one.queues() == ["gpu"]
    assert not one.step()
    assert one.step()
    assert states()["needs_nothing"] == "READY"
    assert not worker("default").step(), "a worker serves what it names"


def test_the_workers_of_run_are_those_that_its_resources_need(settings):
    def names() -> list[str]:
        return [name for name, _ in workers(settings)]

    cpu = ["default", "short", "slow"]
    settings.OWN_QUEUES = [*cpu, "gpu", "judge"]
    settings.JUDGE_ENDPOINTS = {}
    assert names() == ["worker", "short worker", "slow worker"]
    assert excluded("*") == []
    settings.JUDGE_ENDPOINTS = {"local": "http://127.0.0.1:8000/v1"}
    assert names() == ["worker", "short worker", "slow worker", "judge worker"]
    assert excluded("*") == ["--exclude-queues", "judge"]
    assert excluded("default") == []
    settings.OWN_QUEUES = cpu
    assert names() == ["worker", "short worker", "slow worker"]
    settings.OWN_QUEUES = ["gpu"]
    assert names() == ["slow worker"]
    settings.OWN_QUEUES = ["judge"]
    assert names() == ["judge worker"]
