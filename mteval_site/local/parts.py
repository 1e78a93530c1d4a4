"""The parts of the running site, each of which is started again when it has ended."""

import contextlib
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from mteval_site.local import postgres, processes
from mteval_site.local.errors import ServerError, StartProblem
from mteval_site.local.postgres import Cluster
from mteval_site.local.processes import Child
from mteval_site.local.restarts import Restarts
from mteval_site.local.watchdog import Watchdog


class Part:
    """A part that runs already. `look` is called again and again, and never waits for long.

    patience: seconds for which it may fail to start again before the site ends; None for a part
    without which people can go on judging: its starts are tried for ever.
    """

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def __init__(self, patience: float | None) -> None:
        self.restarts = Restarts(float("inf") if patience is None else patience)
        self.restarts.is_up(time.monotonic())
        self.due: float | None = None  # when it is to be started, while it is away
        self.problem = ""  # of a start that did not come to a process

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
        """Start it again if it has ended and it is time; StartProblem when that is hopeless."""
        now = time.monotonic()
        if self.due is None and self.process.poll() is not None:
            self._note_end(now)
        if self.due is not None and now >= self.due:
            self.due, self.problem = None, ""
            try:
                self.launch()
            except (OSError, ServerError) as problem:  # no memory, no disk: counts as an end
                self.problem = str(problem)
        elif self.due is None and self.restarts.up_since is None and self.is_up():
            self.restarts.is_up(now)

    def _note_end(self, now: float) -> None:
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
        stamp = time.strftime("%Y-%m-%d %H:%M:%S")
        with contextlib.suppress(OSError):  # nobody reads it any more, or its disk is full
            words = f"  {stamp}  The {self.name} has ended ({how}); starting it again {when}."
            print(words, flush=True)
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

    def clear_away(self) -> None:
        processes.end_group(self.child, self.watchdog)

    def launch(self) -> None:
        self.child = self.start()

    def last_words(self) -> str:
        return self.child.last_words()


class DatabasePart(Part):
    name = "database"

    def __init__(self, cluster: Cluster, patience: float | None) -> None:
        super().__init__(patience)
        self.cluster = cluster

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

    def last_words(self) -> str:
        return "    " + postgres.last_lines(self.cluster.said(), 8)


def how_it_ended(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
