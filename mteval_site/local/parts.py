"""The parts of the running site, each of which is started again when it has ended."""

import contextlib
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from mteval_site.local import postgres, processes
from mteval_site.local.errors import ServerError, StartProblem
from mteval_site.local.postgres import Cluster
from mteval_site.local.processes import Child
from mteval_site.local.restarts import Restarts
from mteval_site.local.watchdog import Watchdog, signal_if_there

LAST_CALL = 5.0  # seconds between the polite signal to a part and the final one
NO_SOCKET_SECONDS = 1.0  # a server that is ending has none for a moment


class Part:
    """A part that runs already. `look` is called again and again, and never waits for long.

    patience: seconds for which it may fail to start again before the site ends; None for a part
    without which people can go on judging: its starts are tried for ever.
    """

    name: str
    process: subprocess.Popen[bytes]
    log: Path
    polite, final = signal.SIGTERM, signal.SIGKILL

    def __init__(self, patience: float | None) -> None:
        self.restarts = Restarts(float("inf") if patience is None else patience)
        self.restarts.is_up(time.monotonic())
        self.due: float | None = None  # when it is to be started, while it is away
        self.problem = ""  # of a start that did not come to a process
        self.last_call: float | None = None  # when it is killed, while it is asked to end

    @property
    def target(self) -> int:
        """The process to signal, or, when negative, the group."""
        return self.process.pid

    @property
    def is_away(self) -> bool:
        """Whether it is ending, ended or still starting."""
        return self.due is not None or self.last_call is not None or not self.is_up()

    def retire(self) -> None:
        """Ask it to end; `look` starts it again."""
        if self.due is None and self.last_call is None:
            signal_if_there(self.target, self.polite)
            self.last_call = time.monotonic() + LAST_CALL

    def clear_away(self) -> None:
        """End what the old process has left behind."""

    def launch(self) -> None:
        """Start a new process, without waiting until it is up."""
        raise NotImplementedError

    def is_up(self) -> bool:
        return True

    def last_words(self) -> str:
        raise NotImplementedError

    def look(self) -> None:
        """Start it again if it has ended and it is time; Raise StartProblem when that is
        hopeless."""
        now = time.monotonic()
        if self.due is None and self.process.poll() is not None:
            self._note_end(now)
        elif self.last_call is not None and now >= self.last_call:
            signal_if_there(self.target, self.final)
        if self.due is not None and now >= self.due:
            self.due, self.problem = None, ""
            try:
                self.launch()
            except (OSError, ServerError) as problem:  # no memory, no disk: counts as an end
                self.problem = str(problem)
        elif self.due is None and self.restarts.up_since is None and self.is_up():
            self.restarts.is_up(now)

    def _note_end(self, now: float) -> None:
        self.last_call = None
        self.clear_away()
        pause = self.restarts.ended(now)
        how = self.problem or how_it_ended(self.process.returncode)
        if self.restarts.are_hopeless(now):
            seconds = now - self.restarts.first_end
            raise StartProblem(
                f"The {self.name} has ended {self.restarts.n_ends} times in {seconds:.0f} s "
                f"({how}) and does not stay up; its log, {self.log}, ends with\n{self.last_words()}"
            )
        when = f"in {pause:g} s" if pause else "now"
        say(f"The {self.name} has ended ({how}); starting it again {when}.")
        self.due = now + pause


class ServerPart(Part):
    """The web server or the worker. start: starts it and returns its process."""

    def __init__(
        self, child: Child, start: Callable[[], Child], watchdog: Watchdog, patience: float | None
    ) -> None:
        super().__init__(patience)
        self.child = child
        self.start = start
        self.watchdog = watchdog

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.child.name

    @property
    def process(self) -> subprocess.Popen[bytes]:  # type: ignore[override]
        return self.child.process

    @property
    def log(self) -> Path:  # type: ignore[override]
        return self.child.log

    @property
    def target(self) -> int:
        return -self.child.process.pid

    def clear_away(self) -> None:
        processes.end_group(self.child, self.watchdog)

    def launch(self) -> None:
        self.child = self.start()

    def last_words(self) -> str:
        return self.child.last_words()


class DatabasePart(Part):
    name = "database"
    polite, final = signal.SIGINT, signal.SIGQUIT

    def __init__(self, cluster: Cluster, patience: float | None) -> None:
        super().__init__(patience)
        self.cluster = cluster
        self.no_socket_since: float | None = None

    @property
    def process(self) -> subprocess.Popen[bytes]:  # type: ignore[override]
        assert self.cluster.process is not None
        return self.cluster.process

    @property
    def log(self) -> Path:  # type: ignore[override]
        return self.cluster.log

    def launch(self) -> None:
        self.cluster.launch()

    def is_up(self) -> bool:
        return self.cluster.is_ready()

    def look(self) -> None:
        """Also start a server again whose socket somebody has removed: it never makes another."""
        now = time.monotonic()
        if self.is_away or self.cluster.has_socket():
            self.no_socket_since = None
        elif self.no_socket_since is None:
            self.no_socket_since = now
        elif now - self.no_socket_since >= NO_SOCKET_SECONDS:
            say("The socket of the database is gone; starting the database again.")
            self.retire()
        super().look()

    def last_words(self) -> str:
        return "    " + postgres.last_lines(self.cluster.said(), 8)


def say(words: str) -> None:
    """Print a line with the time."""
    stamp = time.strftime("%Y-%m-%d %H:%M:%S")
    with contextlib.suppress(OSError):  # nobody reads it any more, or its disk is full
        print(f"  {stamp}  {words}", flush=True)


def how_it_ended(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
