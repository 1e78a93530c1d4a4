"""Resources of machines, and limits of the tasks that need them."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks import task
from django_tasks_db.models import DBTaskResult

from mteval_site import leases
from mteval_site.environment import MOST_SLOTS
from mteval_site.local.db_worker import excluded, workers
from mteval_site.worker import Worker
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db
GPU = MOST_SLOTS  # the key of the first slot of the second resource


@task(queue_name="gpu")
def says_what_is_taken() -> dict[str, int]:
    return leases.n_taken()


@task(queue_name="gpu")
def fails() -> None:
    raise ValueError("as tasks do")


@task(queue_name="gpu")
def loses_its_connection(slots: int) -> dict[str, int]:
    """Meanwhile, others take so many slots."""
    connection.close()
    with_slots = [hold(other_session(), GPU + number) for number in range(slots)]
    found = leases.n_taken()
    for other in with_slots:
        other.close()
    return found


@task()
def needs_nothing() -> str:
    return "done"


def other_session() -> BaseDatabaseWrapper:
    return connection.copy()


def hold(session: BaseDatabaseWrapper, key: int) -> BaseDatabaseWrapper:
    """Hold a slot as soon as it is free: a closed connection's session ends a little later."""
    with session.cursor() as cursor:
        cursor.execute("SET lock_timeout = '10s'")
        cursor.execute("SELECT pg_advisory_lock(%s, %s)", [leases.SLOTS, key])
    return session


def all_are_free() -> bool:
    return not any(leases.n_taken().values())


@pytest.fixture(autouse=True)
def no_connection_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection belongs to the test, and so does its transaction."""
    monkeypatch.setattr("mteval_site.worker.close_old_connections", lambda: None)


@pytest.fixture
def other() -> Iterator[BaseDatabaseWrapper]:
    """A session of another worker."""
    session = other_session()
    yield session
    session.close()


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


def test_a_full_resource_is_skipped(settings, other):
    settings.RESOURCE_LIMITS = {"gpu": 1}
    says_what_is_taken.enqueue()
    needs_nothing.enqueue()
    hold(other, GPU)
    one = worker()
    assert not one.step()
    assert states() == {"says_what_is_taken": "READY", "needs_nothing": "SUCCESSFUL"}
    assert one.step(), "it is idle, and sleeps"
    waiting = DBTaskResult.objects.get(status="READY")
    assert waiting.worker_ids == [] and waiting.started_at is None
    other.close()  # as PostgreSQL does for a dead worker
    wait_until(all_are_free, 10)
    assert not one.step()
    assert DBTaskResult.objects.get(pk=waiting.pk).return_value == {"gpu": 1}
    assert leases.n_taken() == {"gpu": 0}


@pytest.mark.django_db(transaction=True)
def test_a_task_of_a_full_resource_does_not_stay_locked(settings, other):
    settings.RESOURCE_LIMITS = {"gpu": 1}
    says_what_is_taken.enqueue()
    hold(other, GPU)
    assert worker().step()
    with other.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM (SELECT FROM django_tasks_database_dbtaskresult"
                       " FOR UPDATE SKIP LOCKED) AS free")  # fmt: skip
        assert cursor.fetchone() == (1,)


def test_the_second_slot_is_taken_if_the_first_is(settings, other):
    settings.RESOURCE_LIMITS = {"gpu": 2, "judge": 1}
    hold(other, GPU)
    says_what_is_taken.enqueue()
    assert not worker().step()
    assert DBTaskResult.objects.get().return_value == {"gpu": 2, "judge": 0}
    assert leases.n_taken() == {"gpu": 1, "judge": 0}


def test_a_slot_is_free_after_a_failure(settings):
    settings.RESOURCE_LIMITS = {"gpu": 1}
    fails.enqueue()
    assert not worker().step()
    assert states() == {"fails": "FAILED"}
    assert leases.n_taken() == {"gpu": 0}


def test_a_slot_is_free_if_a_claim_fails(settings, monkeypatch):
    def claim(self: DBTaskResult, worker_id: str) -> None:
        raise ValueError("as a full disk does")

    settings.RESOURCE_LIMITS = {"gpu": 1}
    says_what_is_taken.enqueue()
    monkeypatch.setattr(DBTaskResult, "claim", claim)
    with pytest.raises(ValueError, match="disk"):
        worker().step()
    assert leases.n_taken() == {"gpu": 0}
    assert states() == {"says_what_is_taken": "READY"}


def test_old_results_are_deleted(settings):
    settings.WORKER_LOOKS = []
    for days in (15, 13):
        needs_nothing.enqueue()
        done = DBTaskResult.objects.filter(finished_at=None)
        done.update(status="FAILED", finished_at=timezone.now() - timedelta(days=days))
    needs_nothing.enqueue()  # waits
    one = worker()
    one.next_look = 0.0
    assert not one.step()
    assert sorted(DBTaskResult.objects.values_list("status", flat=True)) == ["FAILED", "SUCCESSFUL"]


def test_a_limit_of_none(settings):
    settings.RESOURCE_LIMITS = {"gpu": 0}
    says_what_is_taken.enqueue()
    assert worker().step()
    assert states() == {"says_what_is_taken": "READY"}


@pytest.mark.parametrize("limits", [{}, {"gpu": 1}])
def test_an_idle_worker_asks_for_tasks_only(settings, limits):
    settings.RESOURCE_LIMITS = limits
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert worker().step()
    statements = [each["sql"] for each in asked if "SAVEPOINT" not in each["sql"]]
    assert len(statements) == 1
    assert "FOR UPDATE SKIP LOCKED" in statements[0]


def test_without_limits_no_slot_is_taken():
    says_what_is_taken.enqueue()
    with CaptureQueriesContext(connection) as asked:
        assert not worker().step()
    assert not [each["sql"] for each in asked if "pg_" in each["sql"]]
    assert states() == {"says_what_is_taken": "SUCCESSFUL"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("slots", "by_others", "during"), [(1, 0, 1), (2, 1, 2), (1, 1, 1)], ids=str
)
def test_a_new_connection_takes_a_slot_again_if_one_is_free(settings, slots, by_others, during):
    """If others have taken all, the task goes on without one."""
    settings.RESOURCE_LIMITS = {"gpu": slots}
    loses_its_connection.enqueue(by_others)
    one = worker()
    one.max_tasks = 1
    one.run()
    found = DBTaskResult.objects.get()
    assert (found.status, found.return_value) == ("SUCCESSFUL", {"gpu": during}), found.traceback
    wait_until(all_are_free, 10)


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
