"""The web server as started by `./run`: judging is answered while everything else is held up."""

import http.client
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mteval_site.local import lanes, web
from tests.waiting import wait_until

from .conftest import ROOT, free_port

pytestmark = pytest.mark.proof
LONG = 60  # seconds; nothing here takes that long unless it fails
# /slow reports its start, and answers when it is allowed to.
APPLICATION = """
import pathlib, time
here = pathlib.Path(__file__).parent

def application(environ, start_response):
    if environ["PATH_INFO"].startswith("/slow"):
        (here / f"begun-{environ['QUERY_STRING']}").touch()
        while not (here / "go").exists():
            time.sleep(0.01)
    start_response("200 OK", [("Content-Length", "2")])
    return [b"ok"]
"""


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port of a server with one process."""
    (tmp_path / "held_up.py").write_text(APPLICATION)
    number = free_port()
    listener = web.listen(number)
    command = web.command(listener)
    command[command.index("mteval_site.wsgi")] = "held_up:application"
    with open(tmp_path / "log", "wb") as log:
        server = subprocess.Popen(
            [sys.executable, *command, "--workers", "1"],
            cwd=ROOT, env=os.environ | {"PYTHONPATH": str(tmp_path)}, stdout=log, stderr=log,
            pass_fds=[listener.fileno()],
        )  # fmt: skip
    try:
        yield number
    finally:
        (tmp_path / "go").touch()
        server.terminate()
        server.wait()
        listener.close()


def ask(connection: http.client.HTTPConnection, address: str) -> int:
    connection.request("GET", address)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def new_connection(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)


def test_judging_is_answered_while_all_other_threads_are_held(port, tmp_path):
    kept = new_connection(port)
    assert ask(kept, "/somewhere") == 200, "a connection that is kept, and judges later"
    statuses: list[int] = []

    def be_slow(n: int) -> None:
        statuses.append(ask(new_connection(port), f"/slow?{n}"))

    n_slow = 3 * web.THREADS
    held = [threading.Thread(target=be_slow, args=[n]) for n in range(n_slow)]
    for thread in held:
        thread.start()
    n_others = web.THREADS // 2
    assert wait_until(lambda: len(list(tmp_path.glob("begun-*"))) >= n_others, LONG) < LONG

    assert ask(new_connection(port), "/judge/1/") == 200
    assert ask(kept, "/judge/1/2/") == 200
    assert ask(kept, "/static/css/app.css") == 200
    assert ask(kept, "/health/ready/") == 200
    late = new_connection(port)
    late.connect()
    time.sleep(0.3)  # the request comes after the server could have accepted it
    assert ask(late, "/judge/1/") == 200
    assert len(list(tmp_path.glob("begun-*"))) == n_others, "no other thread was used for these"

    (tmp_path / "go").touch()
    for thread in held:
        thread.join()
    assert statuses == [200] * n_slow, "what waited was answered"


@pytest.mark.parametrize(
    ("start", "found"),
    [
        (b"GET /judge/12/3/ HTTP/1.1", True),
        (b"POST /judge/1/", True),
        (b"GET /static/", True),
        (b"GET /health/", True),
        (b"GET /judgements/", False),
        (b"GET /campaigns/1/exports/", False),
        (b"DELETE /judge/", False),
        (b"GET http://site/judge/", False),
        (b"", False),
        (b"\x16\x03\x01", False),
    ],
)
def test_what_has_threads_of_its_own(start, found):
    assert lanes.is_judging(start[: lanes.LONGEST_START]) == found


def test_looking_at_the_first_bytes_takes_none_of_them():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert lanes.first_bytes(ours) == b""
        theirs.sendall(b"GET /judge/1/ HTTP/1.1\r\n\r\n")
        assert lanes.first_bytes(ours).startswith(b"GET /judge/")
        assert ours.recv(100) == b"GET /judge/1/ HTTP/1.1\r\n\r\n"
