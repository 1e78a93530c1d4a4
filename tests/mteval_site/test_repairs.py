"""Parts that run but do not serve: this is noticed, and repaired without a person."""

import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from mteval_site.local import web
from tests.waiting import wait_until

from .conftest import Site, ask, child_of
from .test_staying_up import is_back

pytestmark = pytest.mark.proof
READY = "/health/ready/"


@pytest.fixture
def running(site: Site) -> Site:
    site.start()
    return site


def is_ready(site: Site) -> bool:
    return ask(site, READY)[0] == 200


def socket_of(site: Site) -> Path:
    return (site.folder / "var" / "postgres" / "socket").resolve() / ".s.PGSQL.5432"


@pytest.mark.parametrize("is_killed", [False, True], ids=["files", "files and web server"])
def test_static_files_that_are_gone_come_back(running: Site, is_killed: bool):
    """A web server that starts without the manifest cannot render a page."""
    old = child_of(running, "gunicorn")
    shutil.rmtree(running.folder / "var" / "static")
    if is_killed:
        os.kill(old, signal.SIGKILL)
    wait_until(lambda: ask(running, READY)[2] == "static files are missing\n", 20)
    wait_until(lambda: is_ready(running), 60)
    assert running.answers, "the page is drawn"
    assert "Static files are missing; collecting them again." in running.said


def test_a_database_whose_socket_is_gone_is_started_again(running: Site):
    """Persistent connections would hide for a minute that no new ones succeed."""
    old = child_of(running, "bin/postgres")
    assert is_ready(running)
    socket_of(running).unlink()
    wait_until(lambda: is_back(running, "bin/postgres", old), 30)
    assert "The socket of the database is gone" in running.said
    assert running.process.poll() is None


def test_a_database_whose_socket_folder_is_gone_is_started_again(running: Site):
    """As by a clean-up of /tmp: all processes still use its old name."""
    old = child_of(running, "bin/postgres")
    shutil.rmtree(socket_of(running).parent)
    wait_until(lambda: is_back(running, "bin/postgres", old), 30)
    assert running.process.poll() is None


def test_a_web_server_that_cannot_draw_pages_is_started_again(site: Site):
    """After a while in which it has not recovered by itself; the limit is short here."""
    module = site.folder / "mteval_site" / "local" / "readiness.py"
    module.write_text(module.read_text().replace("UNREADY_SECONDS = 30.0", "UNREADY_SECONDS = 3.0"))
    flag = site.folder / "ill"
    with open(site.folder / "judgments" / "people" / "accounts" / "views.py", "a") as view:
        view.write(
            "\n\nfrom pathlib import Path  # noqa: E402\n\n"
            "STARTED_ILL = False\n_usual = SignIn.get\n\n\n"
            "def _get(self, request, *args, **kwargs):\n"
            "    global STARTED_ILL\n"
            f"    STARTED_ILL = STARTED_ILL or Path({str(flag)!r}).exists()\n"
            "    assert not STARTED_ILL, 'ill'\n"
            "    return _usual(self, request, *args, **kwargs)\n\n\n"
            "SignIn.get = _get\n"
        )
    site.start()
    old = child_of(site, "gunicorn")
    flag.touch()
    wait_until(lambda: ask(site, READY)[2] == "pages cannot be drawn\n", 20)
    flag.unlink()  # the process that has read it stays broken
    wait_until(lambda: is_back(site, "gunicorn", old), 60)
    assert "has not been ready for 3 s (pages cannot be drawn)" in site.said


def test_a_question_that_gets_no_answer_keeps_nobody_waiting(monkeypatch):
    from mteval_site.local import readiness

    monkeypatch.setattr(readiness, "PATIENCE", 0.3)
    with web.listen(0) as silent:
        question = readiness.HealthRequest("127.0.0.1", silent.getsockname()[1])
        started = time.monotonic()
        assert question.look() is None
        wait_until(lambda: question.look() == (0, readiness.NO_ANSWER), 10)
        assert time.monotonic() - started >= 0.3
