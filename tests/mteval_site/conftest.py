"""Copies of the checkout, locations for clusters, and ways to see which processes still run."""

import contextlib
import http.client
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from mteval_site.local import postmaster
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
# Compiled modules are copied with the times of their sources, by which Python knows that they
# match.
NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", "var", "tests", ".*_cache", ".hypothesis")


def processes_naming(text: Path | str) -> list[str]:
    """Return command lines of all processes that name the text: leftovers of the site started
    there."""
    shown = Path("/proc").glob("[0-9]*/cmdline")
    if not Path("/proc/self").exists():  # macOS
        lines = subprocess.run(["ps", "-axww", "-o", "command="], capture_output=True, text=True)
        return [line for line in lines.stdout.splitlines() if str(text) in line]
    found = []
    for file in shown:
        try:
            line = file.read_text(errors="replace").replace("\0", " ")
        except OSError:
            continue  # it has ended right now
        if str(text) in line:
            found.append(line)
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ordinary_user() -> dict:
    """Return options of subprocess to run as a user without rights; {} if this one has none."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def python_of_everybody() -> str | None:
    """Return a Python that an ordinary user can run on our packages: this one, or the system's."""
    same = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    for candidate in (sys.executable, f"/usr/bin/{same}"):
        check = [candidate, "-c", "import ssl"]
        try:
            if not subprocess.run(
                check, capture_output=True, cwd="/", **ordinary_user()
            ).returncode:
                return candidate
        except OSError:
            continue
    return None


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder that any user can enter; pytest's tmp_path is closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="mteval-home-", dir="/tmp")).resolve()
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


class Site:
    """A copy of the checkout, used as in a terminal."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None
        self.output = folder / "output"

    @property
    def environment(self) -> dict[str, str]:
        ours = ("DATABASE_URL", "MTEVAL_VAR", "SECRET_KEY", "DJANGO_SETTINGS_MODULE")
        clean = {name: value for name, value in os.environ.items() if name not in ours}
        return {**clean, "MTEVAL_VENV": sys.prefix, "WEB_CONCURRENCY": "1"}

    def command(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.folder / "run", *arguments],
            env={**self.environment, **environment},
            cwd="/",
            capture_output=True,
            text=True,
            timeout=60,
        )

    def start(self, *arguments: str, **environment: str) -> None:
        """Return when the start reports that it is ready."""
        with open(self.output, "w") as output:
            self.process = subprocess.Popen(
                [self.folder / "run", "--port", str(self.port), "--no-demo", *arguments],
                env={**self.environment, **environment},
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,  # its own group, as in a terminal
            )
        is_over = lambda: "Ctrl-C" in self.said or self.process.poll() is not None  # noqa: E731
        wait_until(is_over, 120, lambda: self.said)
        assert self.process.poll() is None, self.said
        assert "Ctrl-C" in self.said

    @property
    def said(self) -> str:
        return self.output.read_text()

    @property
    def answers(self) -> bool:
        try:
            address = f"http://127.0.0.1:{self.port}/admin/login/"
            with urllib.request.urlopen(address, timeout=20) as response:
                return response.status == 200
        except (urllib.error.URLError, ConnectionError):
            return False

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def seconds_until_gone(self, limit: float = 10) -> float:
        """Return the seconds until no process of this copy is left."""
        assert self.process is not None
        return wait_until(lambda: self.process.poll() is not None and not self.left_over(), limit)

    def left_over(self) -> list[str]:
        # gunicorn's and the worker's command lines do not name the folder; their folder does.
        running = list(processes_naming(self.folder))
        for link in Path("/proc").glob("[0-9]*/cwd"):
            try:
                if link.resolve(strict=True) == self.folder:
                    running.append((link.parent / "cmdline").read_text(errors="replace"))
            except OSError:
                continue
        return running

    def remove(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
        real = (self.folder / "var" / "postgres").resolve()
        shutil.rmtree(real, ignore_errors=True)  # elsewhere if the folder is closed to others
        shutil.rmtree(self.folder, ignore_errors=True)


def ask(
    site: Site, address: str, headers: dict[str, str] | None = None
) -> tuple[int | str, Mapping[str, str], str]:
    """Return status, headers and text of a page of the site; the exception's name if there was no
    answer."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
    try:
        with contextlib.closing(connection):
            connection.request("GET", address, headers=headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read().decode()
    except (OSError, http.client.HTTPException) as problem:
        return type(problem).__name__, {}, ""


def children_of(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in listed.split()]


def child_of(site: Site, name: str, *, missing_ok: bool = False) -> int | None:
    """Return the id of the stack's own child whose command line contains `name`."""
    for pid in children_of(site.process.pid):
        if name in postmaster.command_line(pid):
            return pid
    assert missing_ok, f"no {name} among the children of ./run"
    return None


@contextlib.contextmanager
def folder_for_copies() -> Iterator[Path]:
    top = Path(tempfile.mkdtemp(prefix="mteval-copy-", dir="/tmp")).resolve()
    top.chmod(0o711)
    yield top
    shutil.rmtree(top, ignore_errors=True)


@pytest.fixture
def copy_site() -> Iterator[Callable[..., Site]]:
    """`copy_site()` makes a copy of the checkout in a new folder."""
    with contextlib.ExitStack() as stack:

        def copy(name: str = "site") -> Site:
            site = Site(stack.enter_context(folder_for_copies()) / name)
            shutil.copytree(ROOT, site.folder, ignore=NOT_COPIED)
            stack.callback(site.remove)
            return site

        yield copy


@pytest.fixture(scope="session")
def site_that_ran() -> Iterator[Path]:
    """A copy that was started and stopped once, so that its database and files exist."""
    with folder_for_copies() as top:
        site = Site(top / "site")
        shutil.copytree(ROOT, site.folder, ignore=NOT_COPIED)
        site.start()
        site.signal(signal.SIGTERM)
        assert site.seconds_until_gone() < 10
        yield site.folder


@pytest.fixture
def site(site_that_ran: Path) -> Iterator[Site]:
    """A copy of the checkout that has run before, so that the next start is quick."""
    with folder_for_copies() as top:
        # cp keeps the owners, shutil does not.
        subprocess.run(["cp", "-a", site_that_ran, top / "site"], check=True)
        site = Site(top / "site")
        yield site
        site.remove()
