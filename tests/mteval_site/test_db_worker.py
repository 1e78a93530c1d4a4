"""Workers in separate processes: a task outlives its worker, and a worker its database."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg2
import pytest

from mteval_site.local import db_worker, postgres
from mteval_site.local.postgres import Cluster
from tests.throw_away import throw_away
from tests.waiting import wait_until

from .conftest import ROOT

pytestmark = pytest.mark.proof
# The real worker with a task that says when it begins, and takes as long as it is asked to.
TASKS = """
import os, time
from django_tasks import task

@task()
def slow(path, seconds):
    with open(path, "a") as file:
        file.write("begun\\n")
    time.sleep(seconds)
    return "done"

@task(queue_name="gpu")
def limited(path, seconds):
    for word in ("begins", "ends"):
        with open(path, "a") as file:
            file.write(f"{os.getpid()} {word}\\n")
        if word == "begins":
            time.sleep(seconds)

@task()
def asks(path, seconds):
    from django.db import connection
    slow.func(path, seconds)
    with connection.cursor() as cursor:
        cursor.execute("SELECT 42")
        return cursor.fetchone()[0]
"""
MANAGE = [sys.executable, str(ROOT / "manage.py")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with throw_away() as cluster:
        manage(cluster, "migrate", "-v0")
        yield cluster


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "try_tasks.py").write_text(TASKS)
    return tmp_path


@pytest.fixture
def start(cluster: Cluster, folder: Path) -> Iterator[Callable[..., subprocess.Popen]]:
    """`start()` starts a worker; all are ended afterwards, and their tasks deleted."""
    children: list[subprocess.Popen] = []

    def begin(*options: str, **variables: str) -> subprocess.Popen:
        command = [*MANAGE, "db_worker", "--no-startup-delay", "--interval", "0.1", *options]
        with open(folder / f"worker{len(children)}.log", "w") as log:
            own = environment(cluster, folder) | variables
            children.append(subprocess.Popen(command, env=own, stdout=log, stderr=log))
        return children[-1]

    yield begin
    for child in children:
        child.kill()
        child.wait()
    query(cluster, "DELETE FROM django_tasks_database_dbtaskresult")


def environment(cluster: Cluster, folder: Path | None = None) -> dict[str, str]:
    own = {"DATABASE_URL": cluster.url(), "DJANGO_SETTINGS_MODULE": "mteval_site.settings"}
    own |= {"SECRET_KEY": "only-for-tests-" * 4, "PYTHONPATH": str(folder or "")}
    return {**os.environ, **own}


def manage(cluster: Cluster, *arguments: str, folder: Path | None = None) -> str:
    done = subprocess.run(
        [*MANAGE, *arguments], env=environment(cluster, folder), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def enqueue(cluster: Cluster, folder: Path, task: str, seconds: float) -> None:
    script = f"import try_tasks; try_tasks.{task}.enqueue({str(folder / 'said')!r}, {seconds})"
    manage(cluster, "shell", "-v0", "-c", script, folder=folder)


def query(cluster: Cluster, statement: str) -> list[tuple]:
    host = str(postgres.socket_folder(cluster.home))
    connection = psycopg2.connect(host=host, user=postgres.SUPERUSER, dbname="mteval")
    with connection, connection.cursor() as cursor:
        cursor.execute(statement)
        found = cursor.fetchall() if cursor.description else []
    connection.close()
    return found


def state(cluster: Cluster) -> tuple:
    """Return status and result of the only task, and the number of its workers."""
    columns = "status, return_value, jsonb_array_length(worker_ids)"
    return query(cluster, f"SELECT {columns} FROM django_tasks_database_dbtaskresult")[0]


def begun(folder: Path) -> int:
    said = folder / "said"
    return said.read_text().count("begun") if said.exists() else 0


def test_a_task_of_a_killed_worker_goes_to_another(cluster, folder, start):
    """The other worker runs all the time, on a server that many may use."""
    enqueue(cluster, folder, "slow", 60)
    first = start()
    wait_until(lambda: begun(folder) == 1, 20)
    second = start()
    time.sleep(2)
    assert begun(folder) == 1, "a task was taken from a worker that lives"
    first.kill()
    first.wait()
    assert wait_until(lambda: begun(folder) == 2, 30) < 20
    assert state(cluster) == ("RUNNING", None, 2)
    assert second.poll() is None


def test_a_task_that_ends_every_worker_is_given_up(cluster, folder, start):
    enqueue(cluster, folder, "slow", 60)
    query(
        cluster,
        "UPDATE django_tasks_database_dbtaskresult SET status = 'RUNNING',"
        ' worker_ids = \'["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]\'',
    )
    start()
    wait_until(lambda: state(cluster)[0] == "FAILED", 20)
    assert begun(folder) == 0


def test_a_worker_outlives_a_crash_of_the_database(cluster, folder, start):
    """One process of PostgreSQL is killed: it ends all connections and recovers."""
    worker = start()
    enqueue(cluster, folder, "asks", 4)
    wait_until(lambda: begun(folder) == 1, 20)
    time.sleep(1)  # this server is not durable, and writes late
    [(backend,)] = query(
        cluster,
        "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'",
    )
    os.kill(backend, signal.SIGKILL)
    wait_until(lambda: done(cluster), 30)
    assert state(cluster) == ("SUCCESSFUL", 42, 2)
    assert worker.poll() is None


def test_a_short_task_is_done_while_long_ones_run(cluster, folder, start):
    """With the workers of `./run`: a long task in every other queue does not hold up short tasks,
    several of which come one after the other."""
    for queues in db_worker.QUEUES.values():
        start("--queue-name", queues)
    put = (
        "import try_tasks\nfor queue in {queues!r}:\n"
        "    try_tasks.slow.using(queue_name=queue).enqueue({path!r}, {seconds})"
    )
    path = str(folder / "said")
    # The one that serves all queues is busy before there is a task for the first.
    for n, queue in enumerate(["slow", "default"], 1):
        script = put.format(queues=[queue], path=path, seconds=600)
        manage(cluster, "shell", "-v0", "-c", script, folder=folder)
        wait_until(lambda n=n: begun(folder) == n, 60)
    script = put.format(queues=["short"] * 3 + ["slow"], path=path, seconds=0)
    manage(cluster, "shell", "-v0", "-c", script, folder=folder)

    def states() -> list[tuple]:
        columns = "queue_name, status, count(*)"
        table = "django_tasks_database_dbtaskresult"
        return sorted(query(cluster, f"SELECT {columns} FROM {table} GROUP BY 1, 2"))

    wanted = [
        ("default", "RUNNING", 1),
        ("short", "SUCCESSFUL", 3),
        ("slow", "READY", 1),
        ("slow", "RUNNING", 1),
    ]
    wait_until(lambda: states() == wanted, 60)


def said_by_limited(folder: Path) -> list[list[str]]:
    """Return (process, "begins" or "ends") in the order in which tasks wrote them."""
    said = folder / "said"
    return [line.split() for line in said.read_text().splitlines()] if said.exists() else []


def put_limited(cluster: Cluster, folder: Path, number: int, seconds: float) -> None:
    path = str(folder / "said")
    script = (
        f"import try_tasks\nfor _ in range({number}):\n"
        f"    try_tasks.limited.enqueue({path!r}, {seconds})"
    )
    manage(cluster, "shell", "-v0", "-c", script, folder=folder)


ONE = {"MTEVAL_RESOURCE_LIMITS": "gpu=1"}


def test_no_more_tasks_run_at_once_than_the_limit_of_their_resource(cluster, folder, start):
    put_limited(cluster, folder, 12, 0.2)
    for _ in range(3):
        start("--queue-name", "*", **ONE)
    wait_until(lambda: len(said_by_limited(folder)) == 24, 60)
    said = said_by_limited(folder)
    assert [word for _, word in said] == ["begins", "ends"] * 12
    assert [process for process, _ in said[::2]] == [process for process, _ in said[1::2]]
    table = "django_tasks_database_dbtaskresult"
    ended = f"SELECT count(*) FROM {table} WHERE status = 'SUCCESSFUL'"
    wait_until(lambda: query(cluster, ended) == [(12,)], 10)
    claimed_once = f"SELECT bool_and(jsonb_array_length(worker_ids) = 1) FROM {table}"
    assert query(cluster, claimed_once) == [(True,)]


def test_without_a_limit_they_run_together(cluster, folder, start):
    """The test above would be worthless otherwise."""
    put_limited(cluster, folder, 3, 5)
    for _ in range(3):
        start("--queue-name", "*")
    wait_until(lambda: len(said_by_limited(folder)) == 3, 60)
    assert [word for _, word in said_by_limited(folder)] == ["begins"] * 3


def test_a_killed_worker_leaves_its_slot_to_the_next(cluster, folder, start):
    """Another task begins at once; that of the killed worker when somebody finds it."""
    workers = [start("--queue-name", "*", **ONE) for _ in range(2)]
    put_limited(cluster, folder, 2, 600)
    wait_until(lambda: len(said_by_limited(folder)) == 1, 60)
    enqueue(cluster, folder, "slow", 0)
    wait_until(lambda: begun(folder) == 1, 20)  # the other worker serves other queues
    time.sleep(2)
    [(holder, _), _] = said_by_limited(folder)
    os.kill(int(holder), signal.SIGKILL)
    assert wait_until(lambda: len(said_by_limited(folder)) == 3, 20) < 10
    [other] = [worker for worker in workers if worker.pid != int(holder)]
    assert said_by_limited(folder)[2] == [str(other.pid), "begins"]
    assert other.poll() is None


def test_a_worker_waits_for_a_database_that_is_away(cluster, folder, start):
    worker = start()
    enqueue(cluster, folder, "slow", 0)
    wait_until(lambda: state(cluster)[0] == "SUCCESSFUL", 20)
    cluster.stop()
    time.sleep(3)
    assert worker.poll() is None
    cluster.start()
    enqueue(cluster, folder, "asks", 0)
    assert wait_until(lambda: begun(folder) == 2, 20) < 10
    said = (folder / "worker0.log").read_text()
    assert "The database is away" in said
    assert "Traceback" not in said


def test_a_worker_that_is_asked_to_end_while_it_waits_does(cluster, folder, start):
    worker = start()
    enqueue(cluster, folder, "slow", 0)
    wait_until(lambda: state(cluster)[0] == "SUCCESSFUL", 20)
    cluster.stop()
    time.sleep(1)
    worker.terminate()
    assert worker.wait(3) == 0
    cluster.start()


def done(cluster: Cluster) -> bool:
    try:
        return state(cluster)[0] in ("SUCCESSFUL", "FAILED")
    except (psycopg2.OperationalError, psycopg2.InterfaceError):
        return False
