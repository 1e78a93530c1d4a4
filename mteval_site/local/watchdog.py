"""Ends a set of processes when their parent dies without saying goodbye (`kill -9`, a crash).

The parent starts this file as a process of its own and holds its standard input open, so the end
of that pipe is the death of the parent. It works wherever there are pipes; PR_SET_PDEATHSIG would
be Linux only, and is lost when a child changes its user.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

GRACE = 1.5  # seconds between the polite signal and the final one


class Watchdog:
    """A running watchdog; `dismiss` ends it and touches nothing.

    holding: open files that it keeps open with the parent, such as that of a lock which must not
    be free before everything has ended.
    """

    def __init__(self, holding: Sequence[int] = ()) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(__file__).resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            pass_fds=holding,
            # Its own session: a signal to the parent's whole group must not take it along.
            start_new_session=True,
        )

    def watch(self, pid: int, polite: signal.Signals, final: signal.Signals) -> None:
        """Watch a process, or, when `pid` is negative, a process group."""
        self._say(f"{pid} {polite.value} {final.value}\n")

    def dismiss(self) -> None:
        """The parent has ended its children itself."""
        with contextlib.suppress(OSError):
            self._say("done\n")
            self.process.stdin.close()  # type: ignore[union-attr]
        self.process.wait()

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode())
        self.process.stdin.flush()


def signal_if_there(pid: int, number: int) -> bool:
    """Send a signal to a process or (negative) a group; whether there was one."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    except PermissionError:  # the group's last member is a zombie (macOS), or not ours any more
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
    watched = []
    for line in sys.stdin:
        if line.strip() == "done":
            return
        pid, polite, final = map(int, line.split())
        watched.append((pid, polite, final))
    end_all(watched)


if __name__ == "__main__":
    main()
