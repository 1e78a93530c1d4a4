"""`./run`: database, web server and background worker under one parent that ends with them all."""

import argparse
import fcntl
import importlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import ModuleType

from django.core.exceptions import ImproperlyConfigured

from mteval_site import environment, public
from mteval_site.local import db_worker, postgres, postmaster, processes, upkeep
from mteval_site.local.errors import ServerError
from mteval_site.local.postgres import Cluster
from mteval_site.local.processes import Child, Stop
from mteval_site.local.watchdog import Watchdog

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
# Together below the 3 seconds in which everything has to be gone.
PATIENCE_WITH_SERVERS = 1.3
PATIENCE_WITH_DATABASE = 1.2
WEB_START_SECONDS = 60


class StartProblem(Exception):
    """The site cannot start or go on; the message says why and what to do."""


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run",
        description="Starts the site on 127.0.0.1: database, web server and background worker.",
        epilog="./run manage COMMAND ... runs a management command on the same database. "
        "DATABASE_URL=postgresql://user:password@host:5432/name uses another PostgreSQL than the "
        "embedded one; docs/guide/operator.md lists all variables.",
    )
    parser.add_argument("--port", type=port_number, default=8000, help="default: %(default)s")
    parser.add_argument("--no-demo", action="store_true", help="do not load the demo campaigns")
    return parser.parse_args(arguments)


def port_number(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(text)


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    stack = Stack(port=options.port, demo=not options.no_demo)
    try:
        stack.run()
    except Stop:
        return 0
    except (StartProblem, ServerError) as problem:
        print(problem, file=sys.stderr, flush=True)
        return 1
    except PermissionError as problem:
        print(
            f"{problem.filename} cannot be written: was the site started as another user before? "
            "Start it as that one, or change the owner of the folder.",
            file=sys.stderr,
        )
        return 1
    finally:
        stack.stop()
    return 0


class Stack:
    def __init__(self, *, port: int, demo: bool) -> None:
        self.port = port
        self.demo = demo
        self.var = Path(os.environ.get("MTEVAL_VAR") or ROOT / "var")
        self.signals = processes.Signals()
        self.children: list[Child] = []
        self.cluster: Cluster | None = None
        self.watchdog: Watchdog | None = None
        self.sign_ins: list[list[str]] = []

    def run(self) -> None:
        """Start everything in order and stay until a signal (Stop) or a child's end (Problem)."""
        (self.var / "log").mkdir(parents=True, exist_ok=True)
        lock = take_lock(self.var / "run.lock", self.port)
        check_port(self.port)
        self.settings = read_settings()
        if problems := public.problems_of(self.settings, demo=self.demo):
            raise StartProblem(public.words(problems))
        with self.signals.held():
            self.watchdog = Watchdog(holding=[lock])
        self.start_database()
        self.prepare()
        self.start_web()
        self.start_worker()
        self.greet()
        self.stay()

    def stop(self) -> None:
        self.signals.ignore()
        processes.stop_all(self.children, PATIENCE_WITH_SERVERS)
        if self.cluster is not None:
            self.cluster.stop(PATIENCE_WITH_DATABASE)
        if self.watchdog is not None:
            self.watchdog.dismiss()

    def start_database(self) -> None:
        started = time.monotonic()
        if address := os.environ.get("DATABASE_URL"):
            note = check_database(address)
        else:
            home = self.var / "postgres"
            self.cluster = Cluster(home, watchdog=self.watchdog, guard=self.signals.held)
            self.cluster.start()
            note = f"PostgreSQL in {shown(home.resolve())}"
        show("database", time.monotonic() - started, note)

    def prepare(self) -> None:
        """Migrations, static files and demo, in a process of their own if there is one to do."""
        started = time.monotonic()
        # The settings were read before the embedded server had its socket.
        address = self.cluster and environment.database(self.cluster.url())
        database = address or self.settings.DATABASES["default"]
        noted = upkeep.is_done(self.settings, database, demo=self.demo)
        if noted is None:
            upkeep.note(self.settings, database, self.prepare_anew())
            return
        show("migrations", time.monotonic() - started, "up to date")
        show("static files", 0, "up to date")
        if self.demo:
            show("demo", 0, "already there")
            self.sign_ins = noted["sign_ins"]

    def prepare_anew(self) -> dict:
        """Prints the lines of what is done as they come, and returns what is worth noting."""
        arguments = ["-m", "mteval_site.local.prepare", *([] if self.demo else ["--no-demo"])]
        child = self.start("preparation", arguments, stdout=subprocess.PIPE)
        assert child.process.stdout is not None
        worth_noting: dict = {}
        for line in child.process.stdout:
            facts = json.loads(line)
            if "step" in facts:
                show(facts["step"], facts["seconds"], facts["note"])
            else:
                worth_noting |= facts
        if child.process.wait():
            raise StartProblem(f"The start failed; {log_of(child)}")
        self.children.remove(child)
        self.sign_ins = worth_noting.get("sign_ins", [])
        return worth_noting

    def start_web(self) -> None:
        started = time.monotonic()
        command = ["-m", "gunicorn", "mteval_site.wsgi", "--bind", f"{HOST}:{self.port}"]
        command += [
            "--worker-class",
            "gthread",
            "--threads",
            "4",
            "--no-control-socket",
            "--preload",
        ]
        command += ["--workers", str(web_processes()), "--graceful-timeout", "1"]
        if Path("/dev/shm").is_dir():  # the heartbeat must not wait for a busy disk
            command += ["--worker-tmp-dir", "/dev/shm"]
        child = self.start("web server", command)
        until = time.monotonic() + WEB_START_SECONDS
        while not answers(self.port):
            if child.ended or time.monotonic() > until:
                raise StartProblem(f"The web server did not start; {log_of(child)}")
            time.sleep(0.03)
        show("web server", time.monotonic() - started)

    def start_worker(self) -> None:
        started = time.monotonic()
        for name, queues in db_worker.QUEUES.items():
            self.start(name, ["-m", "mteval_site.local.db_worker", queues])
        show("worker", time.monotonic() - started)

    def start(self, name: str, arguments: list[str], stdout: int | None = None) -> Child:
        assert self.watchdog is not None
        log = self.var.resolve() / "log" / (name.replace(" server", "").replace(" ", "-") + ".log")
        with self.signals.held():
            child = processes.start(
                name,
                [sys.executable, *arguments],
                folder=ROOT,
                log=log,
                watchdog=self.watchdog,
                stdout=stdout,
                environment={"MTEVAL_VAR": str(self.var.resolve())},
            )
            self.children.append(child)
        return child

    def greet(self) -> None:
        print(f"\n  http://{HOST}:{self.port}/\n", flush=True)
        widths = [max(map(len, column)) for column in zip(*self.sign_ins, strict=True)]
        if self.sign_ins:
            print("  Sign in to the demo as")
        for entry in self.sign_ins:
            padded = (part.ljust(width) for part, width in zip(entry, widths, strict=True))
            print("    " + "  ".join(padded).rstrip())
        print("  Ctrl-C stops everything; all data stay.", flush=True)

    def stay(self) -> None:
        """Wait for a signal; a child that ends is a problem."""
        while True:
            time.sleep(0.2)
            for child in self.children:
                if child.ended:
                    raise StartProblem(f"The {child.name} has ended; {log_of(child)}")
            if self.cluster is not None and self.cluster.process.poll() is not None:  # type: ignore[union-attr]
                said = postgres.last_lines(self.cluster.log.read_text(errors="replace"), 8)
                raise StartProblem(f"The database has ended; its log, {self.cluster.log}: {said}")


def take_lock(file: Path, port: int) -> int:
    """Hold `file` for as long as anything of this stack runs; returns its open descriptor.

    Raises Problem when another stack holds it.
    """
    handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
    until = time.monotonic() + 5
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            words = os.pread(handle, 100, 0).decode().split()
            # The watchdog of a killed stack holds the lock until it has ended the rest.
            dying = words and not postmaster.is_running(int(words[0]))
            if not dying or time.monotonic() > until:
                who = f" (process {words[0]}, http://{HOST}:{words[1]}/)" if words else ""
                raise StartProblem(
                    f"The site already runs from this folder{who}; stop that one, or start a "
                    "second site from a copy in another folder."
                ) from None
            time.sleep(0.05)
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()} {port}\n".encode(), 0)
    return handle


def check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
            probe.listen(1)
        except OSError as error:
            raise StartProblem(
                f"Port {port} cannot be used ({error.strerror}); choose another one: "
                f"./run --port {port + 1 if 1023 < port < 65535 else 8001}"
            ) from None


def check_database(address: str) -> str:
    """Connect once to the server of DATABASE_URL; returns where it is, without the password."""
    import psycopg2

    found = environment.database(address)
    where = f"{found['NAME']} at {found['HOST'] or 'the local socket'}"
    try:
        psycopg2.connect(**upkeep.arguments_of(found)).close()
    except psycopg2.Error as error:
        reason = " ".join(str(error).split())
        raise StartProblem(
            f"The database of DATABASE_URL, {where}, cannot be reached ({reason}); start that "
            "server or correct the address, or unset DATABASE_URL to use the embedded database."
        ) from None
    return where


def answers(port: int) -> bool:
    """Whether the web server answers at all, on its cheapest page."""
    try:
        address = f"http://{HOST}:{port}/health/"
        with urllib.request.urlopen(address, timeout=WEB_START_SECONDS):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def log_of(child: Child) -> str:
    return f"its log, {shown(child.log)}, ends with\n{child.last_words()}"


def read_settings() -> ModuleType:
    """The settings; a wrong variable is told in its own words, before anything has started."""
    try:
        web_processes()
        return importlib.import_module(
            os.environ.get("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
        )
    except ImproperlyConfigured as problem:
        raise StartProblem(f"{problem} docs/guide/operator.md lists all variables.") from None


def web_processes() -> int:
    """How many processes the web server has; raises ImproperlyConfigured."""
    n_processes = environment.integer("WEB_CONCURRENCY", 2)
    if not 1 <= n_processes <= 64:
        raise ImproperlyConfigured(f"WEB_CONCURRENCY={n_processes} should be from 1 to 64.")
    return n_processes


def show(step: str, seconds: float, note: str = "") -> None:
    print(f"  {step:<14} {seconds:5.1f} s   {note}".rstrip(), flush=True)


def shown(path: Path) -> str:
    """As seen from the checkout, where it lies in it."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
