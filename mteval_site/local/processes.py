"""Child processes with a log file each, and signals that wait while one is being started."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from mteval_site.local.watchdog import Watchdog, signal_if_there

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
        """The last lines of its log."""
        lines = self.log.read_text(errors="replace").strip().splitlines()
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
) -> Child:
    """Start a process under the eyes of the watchdog; call it inside `Signals.held()`."""
    if log.exists() and log.stat().st_size:
        log.replace(log.with_suffix(".log.1"))
    with open(log, "ab") as file:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=stdout or file,
            stderr=file,
            start_new_session=True,
        )
    watchdog.watch(-process.pid, signal.SIGTERM, signal.SIGKILL)
    return Child(name, process, log)


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
