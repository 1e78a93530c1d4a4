"""Fixtures of all tests: a PostgreSQL server, started when the first test needs one; the order of
tests that run in parallel; and what was skipped and why, at the end."""

import gc
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator

import hypothesis
import pytest

from tests import proofs

# The time of an example depends on the machine, and its other work.
hypothesis.settings.register_profile("tests", deadline=None)
hypothesis.settings.load_profile("tests")

# Until all tests are collected, as nothing that is imported can be freed: a quarter of that time.
gc.disable()


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[object]:
    """The throw-away server behind the tests' DATABASE_URL."""
    from tests.settings import POSTGRES_HOME
    from tests.throw_away import throw_away

    with throw_away(POSTGRES_HOME) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def django_db_modify_db_settings(postgres_cluster: object) -> None:
    """pytest-django requests this before it creates the test database.

    Tests with real transactions empty all tables at their end (`tests.emptying`).
    """
    from tests import emptying

    emptying.install()


@pytest.fixture(scope="module", autouse=True)
def rows_of_earlier_tests_are_removed(django_db_blocker) -> Iterator[None]:
    """See `tests.emptying.vacuum`: after a module, no test has an open transaction."""
    yield
    from django.db import connection

    from tests import emptying

    if connection.connection is not None:
        with django_db_blocker.unblock():
            emptying.vacuum(connection)


@pytest.fixture(autouse=True)
def no_language_is_left_over() -> None:
    """A request in another language leaves it active for the next code of its thread."""
    from django.utils import translation

    translation.deactivate()


@pytest.fixture(autouse=True)
def acts_are_recorded() -> Iterator[None]:
    """See `watched_acts`; a test that writes elsewhere on purpose empties the list."""
    from tests.watched_acts import violations

    violations.clear()
    yield
    assert not violations, violations


@pytest.fixture(scope="session")
def golden() -> dict:
    """Examples with figures from other tools; skips if the folder shared is missing."""
    from tests.shared import shared_data

    return json.loads((shared_data().parent / "golden.json").read_text(encoding="utf-8"))


def pytest_unconfigure() -> None:
    from tests.settings import TEST_HOME

    shutil.rmtree(TEST_HOME, ignore_errors=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    proofs.add_options(parser)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In parallel runs, put the long tests first, so that no process waits long for another's
    last."""
    proofs.choose(config, items)
    if hasattr(config, "workerinput") and config.option.within is None:
        items.sort(key=lambda item: not any(map(item.get_closest_marker, ("slow", "browser"))))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many tests were skipped, by reason."""
    skipped = terminalreporter.stats.get("skipped", [])
    if not skipped:
        return
    terminalreporter.section(f"{len(skipped)} skipped")
    for reason, n in Counter(map(reason_of, skipped)).most_common():
        terminalreporter.write_line(f"{n:5}  {reason}")


def reason_of(report: pytest.TestReport) -> str:
    """Return why a test was skipped: the report holds (file, line, "Skipped: reason")."""
    assert not isinstance(report.longrepr, str) and report.longrepr is not None
    return str(report.longrepr[2]).removeprefix("Skipped: ")  # type: ignore[index]


@pytest.fixture
def run_tasks(db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Call it to run all waiting background tasks with the logic of the real worker.

    A failed task fails the test, with the traceback that the worker stored.
    """
    from django_tasks_db.management.commands import db_worker
    from django_tasks_db.models import DBTaskResult

    # The connection belongs to the test, and so does the transaction that is rolled back.
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


def pytest_runtest_setup(item: pytest.Item) -> None:
    proofs.skip_if_late(item.config)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Succeed without tests if a change affects no proof."""
    if (
        session.config.option.changed is not None
        and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED
    ):
        session.exitstatus = pytest.ExitCode.OK


def pytest_collection_finish(session: pytest.Session) -> None:
    """Freeze what is imported by now: garbage collection need not scan it each time, and less
    often."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
