"""The processes of a site, from /proc (Linux)."""

import os
from pathlib import Path

GUNICORN = "gunicorn"
TRANSIENT = ("backend", "scoring child", "autovacuum worker", "start-up step", "other")


def processes(var: Path, database: Path) -> dict[int, str]:
    """Return the role of each process of the site whose folder is `var`, by id, including
    PostgreSQL's in the folder `database`."""
    table = {pid: (parent_of(pid), command_line(pid)) for pid in all_pids()}
    marked = {pid for pid in table if has_mark(pid, f"MTEVAL_VAR={var}")}
    found = {pid: role_of(pid, table) for pid in marked if is_of_site(table[pid][1])}
    return found | database_processes(database, table)


def is_of_site(command: str) -> bool:
    """Return whether it is a process of the site: not a zombie, which has no command line, nor a
    command of ours."""
    return bool(command) and "manage.py" not in command and "benchmarks" not in command


def role_of(pid: int, table: dict[int, tuple[int, str]]) -> str:
    parent, command = table[pid]
    above = table.get(parent, (0, ""))[1]
    if "db_worker" in above:
        return "scoring child"
    if GUNICORN in command:
        return "web worker" if GUNICORN in above else "web master"
    for word, role in (
        ("watchdog", "watchdog"),
        ("db_worker", "background worker"),
        ("prepare", "start-up step"),
        ("local/__main__.py", "supervisor"),
        ("bootstrap.py", "start-up step"),
    ):
        if word in command:
            return role
    return "other"


def database_processes(home: Path, table: dict[int, tuple[int, str]]) -> dict[int, str]:
    """Return PostgreSQL's processes: the postmaster, and its children by the names they give
    themselves."""
    try:
        postmaster = int((home / "data/postmaster.pid").read_text().split("\n")[0])
    except (OSError, ValueError):
        return {}
    if "postgres" not in table.get(postmaster, (0, ""))[1]:
        return {}
    found = {postmaster: "postmaster"}
    for pid, (parent, command) in table.items():
        if parent == postmaster and command.startswith("postgres: "):
            name = command.removeprefix("postgres: ").strip()
            found[pid] = "backend" if name.startswith(("mteval ", "postgres ")) else plain(name)
    return found


def plain(name: str) -> str:
    """Return `io worker 2` and `autovacuum worker mteval` without the variable part."""
    for known in ("io worker", "autovacuum worker"):
        if name.startswith(known):
            return known
    return name


def all_pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ")
    except OSError:
        return ""


def has_mark(pid: int, mark: str) -> bool:
    """Return whether the process has this variable, which all processes started by `./run`
    inherit."""
    try:
        return mark in Path(f"/proc/{pid}/environ").read_text(errors="replace").split("\0")
    except OSError:
        return False
