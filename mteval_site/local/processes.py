"""Child processes with a log file each, and signals that wait while one is being started."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mteval_site.local import logs
from mteval_site.local.watchdog import Watchdog, signal_if_there

PR_SET_PDEATHSIG = 1  # linux/prctl.h
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop(BaseException):
    """Somebody has asked us to stop. No Exception, so that no handler of errors catches it."""


class Signals:
    """Turns the signals that ask for an end into Stop, once, and never inside `held()`."""

    def __init__(self) -> None:
        self.asked = False
        self.holding = 0
        for number in SIGNALS:
            signal.signal(number, self._receive)

    def _receive(self, number: int, frame: object) -> None:
        again, self.asked = self.asked, True
        if not again and not self.holding:
            raise Stop

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        self.holding += 1
        before = self.asked
        try:
            yield
        finally:
            self.holding -= 1
        if self.asked and not before and not self.holding:
            raise Stop

    def ignore(self) -> None:
        """From here on we are stopping, and nothing may interrupt that."""
        self.asked = True


class Child:
    """A process in a group of its own, writing to `log`."""

    def __init__(self, name: str, process: subprocess.Popen[bytes], log: Path) -> None:
        self.name = name
        self.process = process
        self.log = log

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None

    def last_words(self, count: int = 8) -> str:
        """Return the last lines of its log."""
        lines = logs.said(self.log).strip().splitlines()
        return "\n".join("    " + line for line in lines[-count:])


def start(
    name: str,
    command: Sequence[str | Path],
    *,
    folder: Path,
    log: Path,
    watchdog: Watchdog,
    stdout: int | None = None,
    environment: dict[str, str] | None = None,
    inherit: Sequence[int] = (),
) -> Child:
    """Start a process under the eyes of the watchdog; call it inside `Signals.held()`.

    inherit: open files that the process gets under their numbers.
    """
    with logs.open_to_append(log) as file:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=stdout or file,
            stderr=file,
            start_new_session=True,
            pass_fds=inherit,
            preexec_fn=with_parent(signal.SIGTERM),
        )
    watchdog.watch(-process.pid, signal.SIGTERM, signal.SIGKILL)
    return Child(name, process, log)


def with_parent(number: signal.Signals) -> Callable[[], None] | None:
    """Return what a child does before it becomes its program: ask Linux for a signal when we have
    died.

    The watchdog does that everywhere and better; this is for the day on which somebody, or a lack
    of memory, has killed both. None where the system cannot.
    """
    if sys.platform != "linux":
        return None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, int(number))
        if os.getppid() != parent:  # it has died just now
            os._exit(1)

    return ask


def end_group(child: Child, watchdog: Watchdog) -> None:
    """End what a dead child has left behind: its own children are in its group."""
    signal_if_there(-child.process.pid, signal.SIGKILL)
    watchdog.forget(-child.process.pid)


def stop_all(children: Sequence[Child], patience: float) -> None:
    """Ask all groups to end, and end those that have not after `patience` seconds."""
    for child in children:
        signal_if_there(-child.process.pid, signal.SIGTERM)
    until = time.monotonic() + patience
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(max(0.0, until - time.monotonic()))
    for child in children:
        signal_if_there(-child.process.pid, signal.SIGKILL)
        child.process.wait()
