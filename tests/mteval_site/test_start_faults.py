"""Remains of a crash, a full disk or manual changes that a start finds."""

import http.client
import os
import signal
import socket
import subprocess
import threading
from pathlib import Path

import pytest

from mteval_site.local import web
from mteval_site.local.errors import StartProblem
from mteval_site.local.postgres import Cluster, socket_folder
from mteval_site.local.stack import read_lock
from tests.waiting import wait_until

from .conftest import Site, ask, free_port

pytestmark = pytest.mark.proof


def test_a_socket_lock_that_names_a_living_process(site: Site):
    """PostgreSQL itself would refuse: "Is another postmaster using socket file …?" """
    folder = socket_folder(site.folder / "var" / "postgres")
    folder.mkdir(exist_ok=True)
    data = (site.folder / "var" / "postgres").resolve() / "data"
    lines = [str(os.getpid()), str(data), "1", "5432", str(folder), ""]
    lock = folder / ".s.PGSQL.5432.lock"
    lock.write_text("\n".join(lines))
    owner = data.stat()
    os.chown(lock, owner.st_uid, owner.st_gid)
    site.start()
    assert site.answers


def test_an_empty_secret(site: Site):
    file = site.folder / "var" / "secret_key"
    file.write_bytes(b"")
    site.start()
    assert ask(site, "/sign-in/")[0] == 200
    assert len(file.read_text()) >= 50


def test_garbage_in_the_lock_of_the_site(site: Site):
    lock = site.folder / "var" / "run.lock"
    lock.write_bytes(b"\xff\xfe\0 garbage")
    site.start()
    second = site.command("--port", str(site.port + 1))
    assert second.returncode == 1
    assert "already runs from this folder (process" in second.stderr
    lock.write_bytes(b"\xff\xfe\0 garbage")
    third = site.command("--port", str(site.port + 1))
    assert third.returncode == 1
    assert "already runs from this folder" in third.stderr
    assert "Traceback" not in third.stderr


@pytest.mark.parametrize("left", [b"", b"\xff\0", b"1 two", b"12", b"9" * 500, b"1 2 3", b"-1 80"])
def test_only_a_process_and_a_port_are_read_as_such(tmp_path: Path, left: bytes):
    file = tmp_path / "run.lock"
    file.write_bytes(left)
    with open(file, "rb") as lock:
        assert read_lock(lock.fileno()) is None
    file.write_bytes(b"4321 8000\n")
    with open(file, "rb") as lock:
        assert read_lock(lock.fileno()) == (4321, 8000)


def test_a_folder_that_cannot_be_written(site: Site):
    var = site.folder / "var"
    bind = subprocess.run(["mount", "--bind", var, var], capture_output=True)
    if bind.returncode:
        pytest.skip("only root, where it may mount, can make a folder read-only for itself")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", var], check=True)
        done = site.command("--port", str(site.port))
    finally:
        subprocess.run(["umount", var], check=True)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "run.lock cannot be written (Read-only file system)" in done.stderr
    assert "MTEVAL_VAR" in done.stderr


def test_a_folder_that_cannot_be_made(site: Site):
    done = site.command("--port", str(site.port), MTEVAL_VAR="/proc/no-such-folder/var")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "cannot be written" in done.stderr


def test_the_log_of_postgresql_goes_on(home: Path):
    cluster = Cluster(home / "postgres", durable=False)
    for _ in range(2):
        cluster.start()
        cluster.stop()
    assert cluster.log.read_text().count("database system is ready to accept connections") == 2


@pytest.mark.parametrize(
    "settings", [{"ALLOWED_HOSTS": "eval.example.org"}, {"HTTPS": "true"}], ids=str
)
def test_a_site_behind_a_proxy_is_seen_to_be_healthy(site: Site, settings: dict):
    site.start(**settings)
    assert ask(site, "/health/ready/")[0] == 200
    assert ask(site, "/sign-in/")[0] in (301, 400)


def test_a_site_that_answers_without_being_healthy_has_not_started(site: Site):
    with open(site.folder / "mteval_site" / "health.py", "a") as module:
        module.write("\n\nVIEWS['/health/ready/'] = lambda request: said('ill', 503)\n")
    done = site.command("--port", str(site.port), "--no-demo")
    assert done.returncode == 1
    assert "The web server did not start (it answers with status 503)" in done.stderr
    wait_until(lambda: not site.left_over(), 5)


def test_a_probe_that_meets_itself_is_no_answer():
    """A TCP connection from a port to itself reads its own request."""
    with socket.socket() as mirror:
        mirror.bind(("127.0.0.1", 0))
        mirror.listen()

        def reflect() -> None:
            connection, _ = mirror.accept()
            with connection:
                connection.sendall(connection.recv(1000))

        thread = threading.Thread(target=reflect)
        thread.start()
        assert web.health(mirror.getsockname()[1]) is None
        thread.join()


def test_the_probe_cannot_meet_itself_because_somebody_listens_from_the_beginning():
    port = free_port()  # one that the system also gives to connections
    with web.listen(port), socket.create_connection(("127.0.0.1", port)) as connection:
        assert connection.getsockname() != connection.getpeername()
        with pytest.raises(StartProblem, match=f"Port {port} cannot be used"):
            web.listen(port)


def test_who_stands_in_says_503_to_many():
    port = free_port()
    answers = []

    def visit() -> None:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"POST /judge/1/ HTTP/1.1\r\nHost: x\r\n\r\n" + b"x" * 5000)
            answers.append(b"".join(iter(lambda: connection.recv(1000), b"")))

    with web.listen(port) as listener:
        threads = [threading.Thread(target=visit) for _ in range(20)]
        for thread in threads:
            thread.start()
        wait_until(lambda: web.stand_in(listener, 0.1) or len(answers) == 20, 10)
        for thread in threads:
            thread.join()
    assert all(answer.startswith(b"HTTP/1.1 503 ") for answer in answers)
    assert all(b"\r\nRetry-After: 5\r\n" in answer for answer in answers)


def test_a_stop_in_order_leaves_an_empty_lock(site: Site):
    """So that a later start knows that there is nothing to wait for."""
    site.start()
    assert (site.folder / "var" / "run.lock").read_text().split()[1] == str(site.port)
    site.signal(signal.SIGTERM)
    assert site.seconds_until_gone() < 3
    assert (site.folder / "var" / "run.lock").read_bytes() == b""


def test_a_port_of_another_address():
    port = free_port()
    with web.listen(port, host="127.0.0.2"), web.listen(port):  # both: each has a different address
        with pytest.raises(StartProblem, match=f"Port {port} cannot be used"):
            web.listen(port, host="0.0.0.0")
        with socket.create_connection(("127.0.0.2", port)):
            pass


def test_an_address_of_another_machine():
    with pytest.raises(StartProblem, match=r"does not have the address 192\.0\.2\.1"):
        web.listen(free_port(), host="192.0.2.1")  # reserved for documentation by RFC 5737


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/"),
        ("10.0.0.12", "http://10.0.0.12:8000/"),
        ("0.0.0.0", "http://127.0.0.1:8000/"),
        ("::", "http://[::1]:8000/"),
    ],
)
def test_the_site_is_asked_where_it_listens(host: str, url: str):
    assert web.url(host, 8000) == url


def test_a_site_at_all_addresses(site: Site):
    """As in a container: the addresses of the health check and of the served site differ."""
    site.start("--host", "0.0.0.0", HTTPS="true", TRUSTED_PROXIES="10.0.0.2")
    assert f"http://127.0.0.1:{site.port}/" in site.said
    for address in ("127.0.0.1", "127.0.0.2"):
        connection = http.client.HTTPConnection(address, site.port, timeout=30)
        connection.request("GET", "/health/ready/")
        assert connection.getresponse().status == 200
        connection.close()


def test_a_host_is_an_address(site: Site):
    done = site.command("--host", "everywhere")
    assert done.returncode == 2
    assert "a host is an address such as" in done.stderr
