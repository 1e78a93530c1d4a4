"""Parts of a running site are killed: what visitors see meanwhile, and the recovery."""

import os
import re
import shutil
import signal
import threading
import time
from collections import Counter

import pytest

from mteval_site.local import postmaster
from tests.waiting import wait_until

from .conftest import Site, ask, child_of, children_of

pytestmark = pytest.mark.proof
LONGEST_OUTAGE = 5.0  # seconds; the limit for the median of one process


class Visitors:
    """Request a page that reads the database, all the time; `answers` counts the statuses."""

    def __init__(self, site: Site, address: str = "/health/ready/") -> None:
        self.answers: Counter = Counter()
        self.retry_after: set[str | None] = set()
        self.going = True
        self.thread = threading.Thread(target=self._ask, args=(site, address))

    def __enter__(self) -> "Visitors":
        self.thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self.going = False
        self.thread.join()

    def _ask(self, site: Site, address: str) -> None:
        while self.going:
            status, headers, _ = ask(site, address)
            self.answers[status] += 1
            if status == 503:
                self.retry_after.add(headers.get("Retry-After"))
            time.sleep(0.02)


def is_back(site: Site, name: str, old: int) -> bool:
    new = child_of(site, name, missing_ok=True)
    return new not in (None, old) and ask(site, "/health/ready/")[0] == 200


@pytest.fixture
def running(site: Site) -> Site:
    site.start()
    return site


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_web_server_is_replaced_and_nobody_notices(running: Site, number):
    """Its port stays open: connections wait for the new one. Answers in progress are cut off."""
    old = child_of(running, "gunicorn")
    workers = children_of(old)
    with Visitors(running) as visitors:
        time.sleep(0.5)
        os.kill(old, number)
        assert wait_until(lambda: is_back(running, "gunicorn", old), 20) < LONGEST_OUTAGE
        time.sleep(0.5)
    assert visitors.answers[200] > 20
    others = {status: n for status, n in visitors.answers.items() if status != 200}
    assert sum(others.values()) <= 2, others
    assert not any(map(postmaster.command_line, workers)), "an orphan is left"
    assert "The web server has ended (signal 9)" in running.said or number != signal.SIGKILL


def test_the_worker_is_replaced(running: Site):
    old = child_of(running, "db_worker")
    with Visitors(running) as visitors:
        os.kill(old, signal.SIGKILL)
        assert wait_until(lambda: is_back(running, "db_worker", old), 20) < 1
        time.sleep(0.3)
    assert set(visitors.answers) == {200}
    assert child_of(running, "gunicorn")


def test_the_database_is_replaced_and_pages_say_503_meanwhile(running: Site):
    """Also when one of its processes is too busy to notice that the first one has died."""
    old, web = child_of(running, "bin/postgres"), child_of(running, "gunicorn")
    worker = child_of(running, "db_worker")
    backends = children_of(old)
    stuck = next(pid for pid in backends if "checkpointer" in postmaster.command_line(pid))
    os.kill(stuck, signal.SIGSTOP)
    with Visitors(running) as visitors:
        time.sleep(0.3)
        os.kill(old, signal.SIGKILL)
        assert wait_until(lambda: is_back(running, "bin/postgres", old), 30) < LONGEST_OUTAGE
        time.sleep(0.3)
    assert set(visitors.answers) <= {200, 503}
    assert visitors.answers[503] and visitors.retry_after == {"5"}
    assert not postmaster.command_line(stuck)
    assert child_of(running, "gunicorn") == web, "the web server was not to be touched"
    assert child_of(running, "db_worker") == worker, "the worker was to wait"
    log = (running.folder / "var" / "postgres").resolve() / "postgres.log"
    assert "database system was not properly shut down" in log.read_text()


def test_the_database_recovers_by_itself(running: Site):
    """One of its processes is killed: it ends all connections, and is in recovery for a moment."""
    server = child_of(running, "bin/postgres")
    os.kill(children_of(server)[0], signal.SIGKILL)
    worker = child_of(running, "db_worker")
    assert wait_until(lambda: ask(running, "/health/ready/")[0] == 200, 20) < LONGEST_OUTAGE
    time.sleep(1)
    assert child_of(running, "bin/postgres") == server
    assert child_of(running, "db_worker") == worker


def test_pages_of_people_say_503_while_the_database_is_away(running: Site):
    server = child_of(running, "bin/postgres")
    os.kill(server, signal.SIGSTOP)  # it runs, but accepts no connection
    for pid in children_of(server):
        os.kill(pid, signal.SIGKILL)
    cookie = {"Cookie": "sessionid=abcdefghijklmnopqrstuvwxyz012345"}
    try:
        status, headers, page = ask(running, "/campaigns/", {**cookie, "Accept-Language": "de"})
        assert status == 503 and int(headers["Retry-After"]) > 0
        assert headers["Content-Type"].startswith("text/html")
        assert "Back in a moment" in page and "Traceback" not in page
        status, headers, text = ask(running, "/api/campaigns/", cookie)
        assert status == 503 and headers["Content-Type"] == "application/problem+json"
        assert "detail" in text
    finally:
        os.kill(server, signal.SIGCONT)
    wait_until(lambda: ask(running, "/health/ready/")[0] == 200, 20)


def test_the_watchdog_is_replaced_and_does_its_work(running: Site):
    old = child_of(running, "watchdog")
    os.kill(old, signal.SIGKILL)
    assert wait_until(lambda: is_back(running, "watchdog", old), 5) < 1
    running.signal(signal.SIGKILL)
    assert running.seconds_until_gone() < 3


def test_everything_is_killed_at_once(running: Site):
    """Also the watchdog, so that only the operating system signals the rest; then it starts
    again."""
    parent = running.process.pid
    killed = [parent, *children_of(parent)]
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    running.process.wait()
    assert running.seconds_until_gone() < 5, running.left_over()
    running.start()
    assert running.answers


def test_the_parent_and_its_watchdog_are_killed_and_the_next_start_comes_at_once(running: Site):
    """Web server, worker and database are still ending at this moment."""
    for pid in (child_of(running, "watchdog"), running.process.pid):
        os.kill(pid, signal.SIGKILL)
    running.process.wait()
    running.start()
    assert running.answers


def test_a_part_that_does_not_stay_up_ends_the_site_with_its_reason(site: Site):
    site.start(GIVE_UP_AFTER="4")
    wsgi = site.folder / "mteval_site" / "wsgi.py"
    wsgi.write_text("raise RuntimeError('no wsgi today')\n")
    os.kill(child_of(site, "gunicorn"), signal.SIGKILL)
    wait_until(lambda: "in 2 s" in site.said, 20)
    status, headers, _ = ask(site, "/campaigns/")  # nobody else can answer
    assert (status, headers["Retry-After"]) == (503, "5")
    assert site.seconds_until_gone(60) < 60
    assert site.process.returncode == 1
    assert "The web server has ended 5 times in" in site.said
    assert "does not stay up" in site.said
    assert "no wsgi today" in site.said
    assert "var/log/web.log" in site.said


def test_a_worker_that_does_not_stay_up_leaves_the_site_alone(site: Site):
    site.start(GIVE_UP_AFTER="1")
    (site.folder / "mteval_site" / "worker.py").write_text("raise RuntimeError('no worker')\n")
    os.kill(child_of(site, "db_worker"), signal.SIGKILL)
    wait_until(lambda: "in 4 s" in site.said, 40)
    assert site.answers
    assert site.process.poll() is None


def test_a_database_that_does_not_stay_up_ends_the_site_with_its_reason(site: Site):
    site.start(GIVE_UP_AFTER="4")
    home = (site.folder / "var" / "postgres").resolve()
    server = child_of(site, "bin/postgres")
    shutil.move(home / "data" / "global" / "pg_control", home / "pg_control")
    os.kill(server, signal.SIGKILL)
    assert site.seconds_until_gone(60) < 60
    # Five times at least; once more if the pauses were over before the time was.
    assert re.search(r"The database has ended [567] times in", site.said), site.said
    assert "pg_control" in site.said
    assert "Traceback" not in site.said


def test_a_database_that_comes_back_in_time(site: Site):
    """As with a disk that was full for a while: nobody has to do anything."""
    site.start()
    home = (site.folder / "var" / "postgres").resolve()
    shutil.move(home / "data" / "global" / "pg_control", home / "pg_control")
    os.kill(child_of(site, "bin/postgres"), signal.SIGKILL)
    wait_until(lambda: "in 2 s" in site.said, 20)
    assert ask(site, "/health/ready/")[0] == 503
    assert ask(site, "/health/live/")[0] == 200
    shutil.move(home / "pg_control", home / "data" / "global" / "pg_control")
    assert wait_until(lambda: ask(site, "/health/ready/")[0] == 200, 20) < 15


def test_a_statement_of_the_web_server_has_a_limit(site: Site):
    with open(site.folder / "mteval_site" / "health.py", "a") as module:
        module.write(
            "\n\ndef sleep(request):\n"
            "    connection.cursor().execute('SELECT pg_sleep(60)')\n\n\n"
            "VIEWS['/health/sleep/'] = sleep\n"
        )
    site.start(STATEMENT_TIMEOUT="1")
    started = time.monotonic()
    status, _, page = ask(site, "/health/sleep/")
    assert 1 <= time.monotonic() - started < 10
    assert status == 503
    assert "This took too long" in page
