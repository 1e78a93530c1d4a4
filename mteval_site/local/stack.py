"""`./run`: database, web server and background worker under one parent, which keeps them up and
ends together with them."""

import argparse
import contextlib
import fcntl
import functools
import importlib
import ipaddress
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

from django.core.exceptions import ImproperlyConfigured

from mteval_site import environment, public
from mteval_site.local import db_worker, logs, postmaster, processes, upkeep, web
from mteval_site.local.errors import ServerError, StartProblem
from mteval_site.local.parts import DatabasePart, Part, ServerPart
from mteval_site.local.postgres import Cluster
from mteval_site.local.processes import Child, Stop
from mteval_site.local.readiness import HealthRequest, Readiness
from mteval_site.local.watchdog import Watchdog
from mteval_site.version import COMMAND, VERSION

ROOT = Path(__file__).resolve().parents[2]
# Together below the 3 seconds within which everything has to end.
PATIENCE_WITH_SERVERS = 1.3
PATIENCE_WITH_DATABASE = 1.2
WEB_START_SECONDS = 60
SICK_SECONDS = 10  # for which a server that has just been started may answer that it cannot serve
LEAVING_SECONDS = 5  # within which the processes of a killed site are gone, and the port is free
LOOK_EVERY = 0.1
BOUND_LOGS_EVERY = 60


def data_folder() -> Path:
    """Return the data folder from the environment, or the checkout's `var`."""
    return Path(os.environ.get("MTEVAL_VAR") or ROOT / "var")


def parse(arguments: list[str]) -> argparse.Namespace:
    return parser().parse_args(arguments)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog=COMMAND,
        description="Starts the site: database, web server and background worker.",
        epilog=f"{COMMAND} manage COMMAND ... runs a management command on the same database. "
        "DATABASE_URL=postgresql://user:password@host:5432/name uses another PostgreSQL than the "
        "embedded one; docs/guide/operator.md lists all variables.",
    )
    made.add_argument(
        "--host",
        type=address,
        default=web.HOST,
        help="the address to listen on, 0.0.0.0 for all of this machine; default: %(default)s",
    )
    made.add_argument("--port", type=port_number, default=8000, help="default: %(default)s")
    made.add_argument("--version", action="version", version=f"mteval {VERSION}")
    made.add_argument(
        "--data",
        metavar="FOLDER",
        help=f"the folder for the database and all other data; default: {shown(data_folder())}",
    )
    made.add_argument("--no-demo", action="store_true", help="do not load the demo campaigns")
    return made


def address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise argparse.ArgumentTypeError(
            "a host is an address such as 127.0.0.1, 10.0.0.12 or 0.0.0.0"
        ) from None


def port_number(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(text)


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    if options.data:
        os.environ["MTEVAL_VAR"] = str(Path(options.data).resolve())
    stack = Stack(host=options.host, port=options.port, demo=not options.no_demo)
    try:
        stack.run()
    except Stop:
        return 0
    except (StartProblem, ServerError) as problem:
        print(problem, file=sys.stderr, flush=True)
        return 1
    except OSError as problem:
        print(words_for(problem), file=sys.stderr, flush=True)
        return 1
    finally:
        stack.stop()
    return 0


def words_for(problem: OSError) -> str:
    what = f"{problem.filename or 'A file'} cannot be written ({problem.strerror})"
    if isinstance(problem, PermissionError):
        return (
            f"{what}: was the site started as another user before? Start it as that user, or "
            "change the owner of the folder."
        )
    return f"{what}; make room or let it be written, or name another folder with MTEVAL_VAR."


class Stack:
    def __init__(self, *, host: str, port: int, demo: bool) -> None:
        self.host = host
        self.port = port
        self.demo = demo
        self.var = data_folder()
        self.signals = processes.Signals()
        self.lock: int | None = None
        self.listener: socket.socket | None = None
        self.children: list[Child] = []
        self.parts: list[Part] = []
        self.cluster: Cluster | None = None
        self.watchdog: Watchdog | None = None
        self.sign_ins: list[list[str]] = []

    def run(self) -> None:
        """Start everything in order and stay until a signal (Stop) or a problem (StartProblem)."""
        (self.var / "log").mkdir(parents=True, exist_ok=True)
        self.lock, was_killed = take_lock(self.var / "run.lock", self.port)
        patience = LEAVING_SECONDS if was_killed else 0
        self.listener = web.listen(self.port, patience, self.host)
        if not public.is_loopback(self.host):
            os.environ["MTEVAL_EXPOSED"] = "true"  # for the settings, here and in all children
        os.environ["MTEVAL_DEMO_SIGN_IN"] = demo_sign_in_flag(self.host, demo=self.demo)
        self.settings = read_settings()
        if self.settings.PUBLIC_DEMO:  # whose visitors get copies without known passwords
            self.demo, os.environ["MTEVAL_DEMO_SIGN_IN"] = False, "false"
        if problems := public.problems_of(self.settings, demo=self.demo):
            raise StartProblem(public.words(problems))
        with self.signals.held():
            self.watchdog = Watchdog(holding=[self.lock])
        self.start_database()
        self.prepare()
        self.start_web()
        self.start_worker()
        self.greet()
        self.stay()

    def stop(self) -> None:
        self.signals.ignore()
        if self.listener is not None:
            self.listener.close()
        processes.stop_all(self.children, PATIENCE_WITH_SERVERS)
        if self.cluster is not None:
            self.cluster.stop(PATIENCE_WITH_DATABASE)
        if self.watchdog is not None:
            self.watchdog.dismiss()
        if self.lock is not None:
            os.ftruncate(self.lock, 0)  # everything was stopped in order

    def start_database(self) -> None:
        started = time.monotonic()
        if address := os.environ.get("DATABASE_URL"):
            note = check_database(address)
        else:
            home = self.var / "postgres"
            self.cluster = Cluster(
                home,
                connections=web.n_connections(),
                watchdog=self.watchdog,
                guard=self.signals.held,
            )
            self.cluster.start()
            self.parts.append(DatabasePart(self.cluster, patience_with_parts()))
            note = f"PostgreSQL in {shown(home.resolve())}"
        show("database", time.monotonic() - started, note)

    def prepare(self) -> None:
        """Run migrations, collect static files and load the demo, in a separate process if there is
        anything to do."""
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
        """Print progress lines as they come, and return the facts to note."""
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
        child = self.launch_web()
        answered = None  # when it first did, if only to say that it cannot serve
        while (status := web.health(self.port, host=self.host)) != 200:
            now = time.monotonic()
            answered = answered or (now if status else None)
            is_sick = answered and now > answered + SICK_SECONDS
            if child.ended or is_sick or now > started + WEB_START_SECONDS:
                said = f" (it answers with status {status})" if status else ""
                raise StartProblem(f"The web server did not start{said}; {log_of(child)}")
            time.sleep(0.03)
        show("web server", time.monotonic() - started)
        self.keep(child, self.launch_web)

    def launch_web(self) -> Child:
        assert self.listener is not None
        inherit = [self.listener.fileno()]
        command = web.command(self.listener, is_exposed=not public.is_loopback(self.host))
        return self.start("web server", command, inherit=inherit)

    def start_worker(self) -> None:
        started = time.monotonic()
        for name, queues in db_worker.workers(self.settings):
            launch = functools.partial(self.launch_worker, name, queues)
            self.keep(launch(), launch, is_essential=False)
        show("worker", time.monotonic() - started)

    def launch_worker(self, name: str, queues: str) -> Child:
        return self.start(name, ["-m", "mteval_site.local.db_worker", queues])

    def keep(self, child: Child, launch: Callable[[], Child], *, is_essential: bool = True) -> None:
        """Restart it from now on whenever it ends."""
        assert self.watchdog is not None
        patience = patience_with_parts() if is_essential else None
        self.parts.append(ServerPart(child, launch, self.watchdog, patience))

    def start(
        self,
        name: str,
        arguments: list[str],
        stdout: int | None = None,
        inherit: Sequence[int] = (),
    ) -> Child:
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
                inherit=inherit,
            )
            self.children = [each for each in self.children if each.name != name] + [child]
        return child

    def collect_static(self) -> Child:
        return self.start("preparation", ["-m", "mteval_site.local.prepare", "--static-files"])

    def greet(self) -> None:
        print(f"\n  {web.url(self.host, self.port)}\n", flush=True)
        widths = [max(map(len, column)) for column in zip(*self.sign_ins, strict=True)]
        if self.sign_ins:
            print("  Sign in to the demo as")
        for entry in self.sign_ins:
            padded = (part.ljust(width) for part, width in zip(entry, widths, strict=True))
            print("    " + "  ".join(padded).rstrip())
        print("  Ctrl-C stops everything; all data stay.", flush=True)

    def stay(self) -> None:
        """Restart what has ended or does not serve, until a signal or until a part does not stay
        up."""
        assert self.watchdog is not None
        look_at_logs = time.monotonic() + BOUND_LOGS_EVERY
        ask = functools.partial(HealthRequest, self.host, self.port)
        readiness = Readiness(self.parts, ask, self.collect_static)
        while True:
            with self.signals.held(), contextlib.suppress(OSError):  # no memory: at the next look
                self.watchdog.revive()
            for part in self.parts:
                part.look()
            with contextlib.suppress(OSError):  # no memory, no disk: at the next look
                readiness.look()
            if time.monotonic() > look_at_logs:
                look_at_logs += BOUND_LOGS_EVERY
                for part in self.parts:
                    logs.bound(part.log)
            self.wait()

    def wait(self) -> None:
        """Wait for a moment, and answer for a web server that has to pause longer."""
        assert self.listener is not None
        if any(part.name == "web server" and part.due is not None for part in self.parts):
            web.stand_in(self.listener, LOOK_EVERY)
        else:
            time.sleep(LOOK_EVERY)


def demo_sign_in_flag(host: str, *, demo: bool) -> str:
    """Return whether the demo may be entered with one click, whatever the variable said before."""
    return "true" if demo and public.is_loopback(host) else "false"


def take_lock(file: Path, port: int) -> tuple[int, bool]:
    """Hold `file` as long as anything of this stack runs; return its open descriptor, and whether
    the previous stack was killed.

    Raise StartProblem if another stack holds it.
    """
    handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
    until = time.monotonic() + LEAVING_SECONDS
    while True:
        holder = read_lock(handle)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            # The watchdog of a killed stack holds the lock until it has ended the rest.
            dying = holder and not postmaster.is_running(holder[0])
            if not dying or time.monotonic() > until:
                who = f" (process {holder[0]}, port {holder[1]})" if holder else ""
                raise StartProblem(
                    f"The site already runs from this folder{who}; stop that one, or start a "
                    "second site from a copy in another folder."
                ) from None
            time.sleep(0.05)
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()} {port}\n".encode(), 0)
    return handle, holder is not None


def read_lock(handle: int) -> tuple[int, int] | None:
    """Return the process and the port of the stack that holds the lock, or was killed with it."""
    words = os.pread(handle, 100, 0).split()
    if len(words) != 2 or not all(word.isdigit() and len(word) < 10 for word in words):
        return None
    return int(words[0]), int(words[1])


def check_database(address: str) -> str:
    """Connect once to the server of DATABASE_URL; return its location, without the password."""
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


def log_of(child: Child) -> str:
    return f"its log, {shown(child.log)}, ends with\n{child.last_words()}"


def read_settings() -> ModuleType:
    """Return the settings; a wrong variable is reported in its own words, before anything has
    started."""
    try:
        web.n_processes()
        patience_with_parts()
        return importlib.import_module(
            os.environ.get("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
        )
    except ImproperlyConfigured as problem:
        raise StartProblem(f"{problem} docs/guide/operator.md lists all variables.") from None


def patience_with_parts() -> int:
    """Return seconds for which restarts of a part may fail before the site ends."""
    return environment.integer("GIVE_UP_AFTER", 60)


def show(step: str, seconds: float, note: str = "") -> None:
    print(f"  {step:<14} {seconds:5.1f} s   {note}".rstrip(), flush=True)


def shown(path: Path) -> str:
    """Return a path relative to the checkout, if it is inside."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
