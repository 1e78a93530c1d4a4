"""`./run` from outside: its output, its pages, and that nothing outlives it.

Each test uses a copy of the checkout in a new folder, with this environment's packages.
"""

import json
import os
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable

import psycopg2
import pytest

from mteval_site.local import postgres
from tests.throw_away import throw_away
from tests.waiting import wait_until

from .conftest import Site

pytestmark = pytest.mark.slow
LIMIT = 3  # seconds within which everything has to end


@pytest.mark.proof
def test_a_day_of_a_site(copy_site: Callable[..., Site]) -> None:
    """Start, use, stop, start again, crash, start again: the data are all there."""
    site = copy_site()
    site.start(WEB_CONCURRENCY="2")
    steps = [line.split("  ")[1] for line in site.said.splitlines() if " s" in line]
    wanted = ["database", "application", "migrations", "static files", "web server", "worker"]
    assert [step for step in steps if step in wanted] == wanted
    assert f"http://127.0.0.1:{site.port}/" in site.said
    assert site.answers
    assert add_person(site, "first").returncode == 0

    second = site.command("--port", str(site.port + 1))
    assert second.returncode == 1
    assert "already runs from this folder" in second.stderr
    assert str(site.port) in second.stderr
    assert second.stderr.count("\n") == 1

    site.signal(signal.SIGTERM)
    assert site.seconds_until_gone() < LIMIT
    assert site.process.returncode == 0

    site.start()
    assert site.said.count("up to date") == 2, "migrations and static files were done again"
    assert "application" not in site.said, "it was imported to find that there is nothing to do"
    assert people(site) == "first"
    assert add_person(site, "second").returncode == 0
    site.signal(signal.SIGKILL)
    assert site.seconds_until_gone() < LIMIT

    site.start()
    assert site.answers
    assert people(site) == "first second"
    site.signal(signal.SIGINT)
    assert site.seconds_until_gone() < LIMIT


@pytest.mark.proof
def test_what_has_changed_is_prepared(site: Site) -> None:
    """A new migration is applied, a changed script is served."""
    migrations = site.folder / "judgments" / "migrations"
    last = max(file.stem for file in migrations.glob("0*.py"))
    (migrations / "9999_nothing_new.py").write_text(
        "from django.db import migrations\n\nclass Migration(migrations.Migration):\n"
        f"    dependencies = [('judgments', '{last}')]\n"
    )
    with open(site.folder / "static/js/judging/judge.js", "a") as script:
        script.write("\n// changed\n")
    site.start()
    assert "1 applied" in site.said
    assert "collected" in site.said
    manifest = json.loads((site.folder / "var" / "static" / "staticfiles.json").read_text())
    address = f"http://127.0.0.1:{site.port}/static/{manifest['paths']['js/judging/item.js']}"
    with urllib.request.urlopen(address, timeout=20) as response:
        assert b"// changed" in response.read()


@pytest.mark.proof
def test_start_right_after_a_kill(site: Site) -> None:
    """The next start waits for the remains of the killed one instead of failing; the watchdog
    survives even a kill of the whole process group."""
    site.start()
    os.killpg(site.process.pid, signal.SIGKILL)
    site.process.wait()
    site.start()
    assert site.answers


@pytest.mark.proof
def test_two_copies_side_by_side(site: Site, copy_site: Callable[..., Site]) -> None:
    one, other = site, copy_site("a deep one/" + "with-a-long-name/" * 8 + "site")
    one.start()
    other.start()
    add_person(one, "of-one")
    add_person(other, "of-other")
    assert (people(one), people(other)) == ("of-one", "of-other")
    one.signal(signal.SIGTERM)
    assert one.seconds_until_gone() < LIMIT
    assert other.answers


@pytest.mark.proof
def test_stop_in_the_middle_of_a_start(copy_site: Callable[..., Site]) -> None:
    site = copy_site()
    for last_step in ("database", "application", "static files"):
        with open(site.output, "w") as output:
            site.process = subprocess.Popen(
                [site.folder / "run", "--port", str(site.port), "--no-demo"],
                env=site.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
            )
        wait_until(lambda step=last_step: step in site.said, 30)
        site.signal(signal.SIGTERM)
        assert site.seconds_until_gone() < LIMIT, site.left_over()
        assert site.process.returncode == 0
    site.start()
    assert site.answers


@pytest.mark.proof
def test_port_that_is_taken(site: Site) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", site.port))
        taken.listen()
        done = site.command("--port", str(site.port))
    assert done.returncode == 1
    assert f"Port {site.port} cannot be used" in done.stderr
    assert "--port" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not site.left_over()


@pytest.mark.proof
@pytest.mark.parametrize("port", ["0", "65536", "-1", "many"])
def test_port_that_is_none(copy_site: Callable[..., Site], port: str) -> None:
    done = copy_site().command("--port", port)
    assert done.returncode != 0
    assert "port" in done.stderr.lower()
    assert "Traceback" not in done.stderr


@pytest.mark.proof
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://u:geheim@127.0.0.1:9/nothing", "cannot be reached"),
        ("mysql://u:geheim@127.0.0.1/nothing", "PostgreSQL only"),
        ("postgresql://u:geheim@127.0.0.1:port/nothing", "cannot be read"),
    ],
)
def test_database_that_cannot_be_reached(
    copy_site: Callable[..., Site], address: str, said: str
) -> None:
    site = copy_site()
    done = site.command("--port", str(site.port), DATABASE_URL=address)
    assert done.returncode == 1
    assert said in done.stderr
    assert "DATABASE_URL" in done.stderr
    assert "geheim" not in done.stderr + done.stdout, "a password was shown"
    assert done.stderr.count("\n") == 1
    assert not (site.folder / "var" / "postgres").exists()


@pytest.mark.proof
def test_another_server(copy_site: Callable[..., Site]) -> None:
    """With DATABASE_URL the embedded database is neither created nor started."""
    site = copy_site()
    with throw_away() as cluster:
        site.start(DATABASE_URL=cluster.url())
        assert site.answers
        assert not (site.folder / "var" / "postgres").exists()
        host = str(postgres.socket_folder(cluster.home))
        connection = psycopg2.connect(host=host, user="mteval", dbname="mteval")
        cursor = connection.cursor()
        cursor.execute("SELECT count(*) FROM django_migrations")
        assert cursor.fetchone()[0] > 20
        connection.close()
        site.signal(signal.SIGTERM)
        assert site.seconds_until_gone() < LIMIT
        assert cluster.process.poll() is None, "a server that is not ours was stopped"


@pytest.mark.proof
def test_background_task_runs(site: Site) -> None:
    task = site.folder / "mteval_site" / "try_task.py"
    task.write_text("from django_tasks import task\n\n@task()\ndef double(n):\n    return 2 * n\n")
    site.start()
    script = (
        "from mteval_site.try_task import double; import time\n"
        "result = double.enqueue(21); until = time.monotonic() + 10\n"
        "while not result.is_finished and time.monotonic() < until:\n"
        "    time.sleep(0.1); result.refresh()\n"
        "print(result.return_value)"
    )
    done = site.command("manage", "shell", "-v0", "-c", script)
    assert done.stdout.strip() == "42", done.stderr


@pytest.mark.proof
def test_manage_without_a_running_site(copy_site: Callable[..., Site]) -> None:
    site = copy_site()
    done = add_person(site, "nobody")
    assert done.returncode == 1
    assert "The embedded database is not running. Start ./run" in done.stderr
    assert "Traceback" not in done.stderr
    assert site.command("manage", "check").returncode == 0


@pytest.mark.proof
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("DEBUG", "perhaps", "DEBUG='perhaps' should be 'true' or 'false'."),
        ("LOG_LEVEL", "loud", "LOG_LEVEL='LOUD' should be one of CRITICAL, DEBUG"),
        ("WEB_CONCURRENCY", "two", "WEB_CONCURRENCY='two' should be a whole number."),
        ("WEB_CONCURRENCY", "0", "WEB_CONCURRENCY=0 should be from 1 to 64."),
    ],
)
def test_wrong_setting_is_told_in_its_own_words(
    copy_site: Callable[..., Site], name: str, value: str, message: str
) -> None:
    site = copy_site()
    done = site.command("--port", str(site.port), **{name: value})
    assert done.returncode == 1
    assert done.stderr.startswith(message) and len(done.stderr.splitlines()) == 1
    time.sleep(0.1)
    assert not site.left_over()


def test_help(copy_site: Callable[..., Site]) -> None:
    done = copy_site().command("--help")
    assert done.returncode == 0
    for word in ("--port", "--no-demo", "DATABASE_URL", "manage"):
        assert word in done.stdout


def add_person(site: Site, name: str) -> subprocess.CompletedProcess[str]:
    options = ["--username", name, "--email", f"{name}@example.org", "--noinput"]
    return site.command("manage", "createsuperuser", *options)


def people(site: Site) -> str:
    script = (
        "from django.contrib.auth import get_user_model as model\n"
        "print(*model().objects.order_by('id').values_list('username', flat=True))"
    )
    return site.command("manage", "shell", "-v0", "-c", script).stdout.strip()
