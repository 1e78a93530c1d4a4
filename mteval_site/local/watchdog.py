"""Ends a set of processes when their parent dies unexpectedly (`kill -9`, a crash).

The parent starts this file as a separate process and holds its standard input open, so the end of
that pipe means the death of the parent. It works wherever there are pipes, signals politely first,
and holds the lock of the site until all has ended. If the watchdog has been killed, too, Linux
signals the children (processes.py: `with_parent`).
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

GRACE = 1.5  # seconds between the first signal and the final one


class Watchdog:
    """A running watchdog; `dismiss` ends it and nothing else.

    holding: open files that it keeps open with the parent, such as that of a lock which must not be
    free before everything has ended.
    """

    def __init__(self, holding: Sequence[int] = ()) -> None:
        self.holding = holding
        self.watched: dict[int, tuple[int, int]] = {}
        self.process = self._spawn()

    def _spawn(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(__file__).resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            pass_fds=self.holding,
            # Its own session: a signal to the parent's whole group must not reach it.
            start_new_session=True,
        )

    def watch(self, pid: int, polite: signal.Signals, final: signal.Signals) -> None:
        """Watch a process, or, if `pid` is negative, a process group."""
        self.watched[pid] = (polite.value, final.value)
        self._say(f"{pid} {polite.value} {final.value}\n")

    def forget(self, pid: int) -> None:
        """Forget a process that has ended; its number may be reused one day."""
        if self.watched.pop(pid, None):
            self._say(f"{pid} forget\n")

    def revive(self) -> bool:
        """Start the watchdog again if it has ended; return whether it had."""
        if self.process.poll() is None:
            return False
        self.process = self._spawn()
        for pid, (polite, final) in self.watched.items():
            self._say(f"{pid} {polite} {final}\n")
        return True

    def dismiss(self) -> None:
        """End the watchdog: the parent has ended its children itself."""
        self._say("done\n")
        with contextlib.suppress(OSError):
            self.process.stdin.close()  # type: ignore[union-attr]
        self.process.wait()

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended, which `revive` notices
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()


def signal_if_there(pid: int, number: int) -> bool:
    """Send a signal to a process or (negative) a group; return whether there was one."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    except PermissionError:  # the group's last member is a zombie (macOS), or no longer ours
        return False
    return True


def end_all(watched: Iterable[tuple[int, int, int]]) -> None:
    there = [entry for entry in watched if signal_if_there(entry[0], entry[1])]
    until = time.monotonic() + GRACE
    while there and time.monotonic() < until:
        time.sleep(0.02)
        there = [entry for entry in there if signal_if_there(entry[0], 0)]
    for pid, _, final in there:
        signal_if_there(pid, final)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    watched: dict[int, tuple[int, int]] = {}
    for line in sys.stdin:
        if line.strip() == "done":
            return
        pid, *how = line.split()
        if how == ["forget"]:
            watched.pop(int(pid), None)
        else:
            watched[int(pid)] = (int(how[0]), int(how[1]))
    end_all((pid, polite, final) for pid, (polite, final) in watched.items())


if __name__ == "__main__":
    main()
