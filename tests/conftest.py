"""What all tests share: a PostgreSQL of their own, started when the first test wants one."""

import shutil
from collections.abc import Callable, Iterator

import pytest


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[object]:
    """The throw-away server behind the tests' DATABASE_URL."""
    from mteval_site.local import postgres
    from tests.settings import POSTGRES_HOME

    with postgres.throw_away(POSTGRES_HOME) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def django_db_modify_db_settings(postgres_cluster: object) -> None:
    """pytest-django asks for this before it makes the test database."""


def pytest_unconfigure() -> None:
    from tests.settings import TEST_HOME

    shutil.rmtree(TEST_HOME, ignore_errors=True)


@pytest.fixture
def run_tasks(db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Call it to run all waiting background tasks with the logic of the real worker.

    A task that failed fails the test, with the traceback that the worker stored.
    """
    from django_tasks_db.management.commands import db_worker
    from django_tasks_db.models import DBTaskResult

    # The connection belongs to the test, and with it the transaction that is rolled back.
    monkeypatch.setattr(db_worker, "close_old_connections", lambda: None)

    def drain() -> None:
        db_worker.Worker(
            queue_names=["*"],
            interval=0,
            batch=True,
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id="tests",
            excluded_queue_names=[],
        ).run()
        failed = DBTaskResult.objects.failed()
        assert not failed, "\n".join(f"{task.task_path}: {task.traceback}" for task in failed)

    return drain
