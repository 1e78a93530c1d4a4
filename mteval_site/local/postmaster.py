"""What can be told about a PostgreSQL server from its postmaster.pid and its process."""

import os
import signal
import subprocess
import time
from pathlib import Path

from mteval_site.local.errors import ServerError
from mteval_site.local.watchdog import signal_if_there


def retire_other(data: Path, patience: float = 20) -> None:
    """Deal with the postmaster.pid of a server that was not stopped by its own parent.

    One that still runs is stopped; a process that merely has its number now is left alone, and
    the file, which would keep PostgreSQL from starting, is removed.
    """
    lines = pid_file_lines(data)
    if not lines or not lines[0].isdigit():
        return
    pid = int(lines[0])
    if not is_running(pid):
        return  # PostgreSQL sees that for itself
    if str(data) not in command_line(pid):
        (data / "postmaster.pid").unlink(missing_ok=True)
        return
    signal_if_there(pid, signal.SIGINT)
    until = time.monotonic() + patience
    while is_running(pid) and str(data) in command_line(pid):
        if time.monotonic() > until:
            raise ServerError(f"Another PostgreSQL (process {pid}) uses {data}; stop it first.")
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def command_line(pid: int) -> str:
    """Return the arguments of a process; empty when it has none or is a zombie."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ")
    except OSError:
        if Path("/proc/self").exists():
            return ""
    shown = subprocess.run(["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True)
    return shown.stdout.decode(errors="replace")


def pid_file_lines(data: Path) -> list[str]:
    try:
        return [line.strip() for line in (data / "postmaster.pid").read_text().splitlines()]
    except OSError:
        return []


def end_orphans(data: Path, patience: float = 0.3) -> None:
    """Wait for the other processes of a server whose first one was killed, and end those that stay:
    they hold its shared memory, and no new server could start.

    Found in /proc; where there is none, they end by themselves as soon as they wait for something.
    """
    started = time.monotonic()
    while orphans := processes_in(data):
        if time.monotonic() > started + patience:
            for pid in orphans:
                signal_if_there(pid, signal.SIGKILL)
        if time.monotonic() > started + 30 * patience:
            raise ServerError(f"PostgreSQL's process {orphans[0]} uses {data} and does not stop.")
        time.sleep(0.02)


def processes_in(data: Path) -> list[int]:
    """Return PostgreSQL's processes that work in the folder, the first one among them."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            here = os.readlink(process / "cwd") == str(data)
            if here and os.readlink(process / "exe").removesuffix(" (deleted)").endswith(
                "/postgres"
            ):
                found.append(int(process.name))
        except OSError:
            continue  # it has ended, is a zombie, or is not ours
    return found
