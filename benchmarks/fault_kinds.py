"""The kinds of faults that `faults.py` injects into a site.

A kind causes its fault and returns when it is done, or when the condition that it maintained (for
example, a full disk) is lifted. Its result is awaited until the site has recovered.
"""

import asyncio
import contextlib
import os
import random
import shutil
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from annotators import Annotator
from cut_proxy import CutProxy
from fault_work import Imports, Scoring
from served import Site
from site_processes import TRANSIENT, processes

if TYPE_CHECKING:
    from mteval_site.local.postgres import Cluster

KILL = "kill -9: "
ALL = "kill -9: the whole stack"
# Those after which the operating system's unit, simulated by the script, starts ./run again.
UNIT = (f"{KILL}supervisor", ALL)
CHEAP = ("supervisor", "watchdog", "web master", "web worker", "background worker", "postmaster",
         "backend", "checkpointer")  # fmt: skip


@dataclass
class Arena:
    """The environment of a fault: the site, its annotators, and what else can be broken."""

    site: Site
    proxy: CutProxy
    people: list[Annotator]
    rng: random.Random
    imports: Imports
    scoring: Scoring
    clock: Path | None = None  # the file that clock.c reads
    disk: Path | None = None  # the mounted file system with var/
    server: "Cluster | None" = None  # a PostgreSQL that ./run did not start
    whole: dict[str, int] = field(default_factory=dict)  # processes of the healthy site
    manager: dict[str, str] = field(default_factory=dict)  # cookies of the campaign's owner

    def roles(self) -> dict[int, str]:
        return processes(self.site.var, self.site.database)

    def of_role(self, role: str) -> list[int]:
        return [pid for pid, name in self.roles().items() if name == role]


@dataclass
class Struck:
    """killed: processes that must not exist afterwards. lifted: when a condition ended. then: waits
    for work that must still finish, such as a scoring job; returns what is wrong."""

    at: float
    killed: tuple[int, ...] = ()
    lifted: float | None = None
    then: Callable[[], Awaitable[str]] | None = None
    note: str = ""


Kind = Callable[[Arena], Awaitable[Struck]]


def kill(*pids: int) -> tuple[int, ...]:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return pids


def killer_of(role: str) -> Kind:
    async def act(arena: Arena) -> Struck:
        found = arena.of_role(role)
        chosen = [arena.rng.choice(found)] if found else []
        return Struck(time.monotonic(), kill(*chosen), note="" if found else f"no {role} there")

    return act


async def kill_all(arena: Arena) -> Struck:
    return Struck(time.monotonic(), kill(*arena.roles()))


async def restart_database(arena: Arena) -> Struck:
    """Stop the database like `pg_ctl stop -m fast`; the site's supervisor starts it again."""
    found = arena.of_role("postmaster")
    at = time.monotonic()
    for pid in found:
        os.kill(pid, signal.SIGINT)
    return Struck(at, tuple(found))


async def use_up_connections(arena: Arena) -> Struck:
    """Take every connection that the site's role may have, end the site's own, hold them for
    seconds."""
    import psycopg2
    from django.conf import settings

    from mteval_site.local.upkeep import arguments_of

    parameters = arguments_of(settings.WEB_DATABASE or settings.DATABASES["default"])
    at = time.monotonic()
    taken = await asyncio.to_thread(take_connections, psycopg2, parameters)
    if not taken:
        raise RuntimeError("no connection could be taken")
    held = arena.rng.uniform(2, 4)
    await asyncio.sleep(held)
    for each in taken:
        each.close()
    return Struck(at, lifted=time.monotonic(), note=f"{len(taken)} connections taken")


def take_connections(psycopg2, parameters: dict) -> list:
    """Take the free connections first, then the site's; repeat until none is left."""
    taken = []
    until = time.monotonic() + 3
    while time.monotonic() < until:
        try:
            taken.append(psycopg2.connect(**parameters | {"connect_timeout": 2}))
        except psycopg2.OperationalError:
            if not taken:
                break
            with taken[0].cursor() as cursor:
                ours = [each.info.backend_pid for each in taken]
                cursor.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                    "WHERE usename = current_user AND NOT pid = ANY(%s)", [ours],
                )  # fmt: skip
                n_ended = cursor.fetchone()[0]
            taken[0].rollback()
            if n_ended == 0:
                break
            time.sleep(0.05)
    return taken


async def fill_disk(arena: Arena) -> Struck:
    """Fill the disk completely; in half of the cases make PostgreSQL request a new file of its
    log."""
    assert arena.disk is not None
    filler = arena.disk / "filler"
    at = time.monotonic()
    await asyncio.to_thread(write_until_full, filler)
    if arena.rng.random() < 0.5:
        await asyncio.to_thread(switch_log, arena.site.database)
    held = arena.rng.uniform(2, 5)
    until = time.monotonic() + held
    while time.monotonic() < until:  # space freed meanwhile is taken, too
        await asyncio.to_thread(write_until_full, filler)
        await asyncio.sleep(0.1)
    filler.unlink()
    return Struck(at, lifted=time.monotonic())


def write_until_full(file: Path) -> None:
    with open(file, "ab", buffering=0) as out, contextlib.suppress(OSError):
        size = 1 << 20
        while True:
            written = out.write(b"\0" * size)
            if written < size:
                size = max(1, size // 16)


def switch_log(home: Path) -> None:
    import psycopg2

    from mteval_site.local.postgres import url

    with contextlib.suppress(psycopg2.Error):
        session = psycopg2.connect(url(home), connect_timeout=2)
        with contextlib.closing(session), session.cursor() as cursor:
            for _ in range(3):  # beyond the files that are recycled, of 16 MB each
                cursor.execute(
                    "SELECT pg_logical_emit_message(true, 'fault', repeat('x', 16000000))"
                )
                session.commit()


async def cut_network(arena: Arena) -> Struck:
    """Let requests reach the site, but none of its answers arrive."""
    at = time.monotonic()
    before = arena.proxy.n_dropped
    arena.proxy.is_cut = True
    await asyncio.sleep(arena.rng.uniform(1, 3))
    arena.proxy.is_cut = False
    dropped = arena.proxy.n_dropped - before
    return Struck(at, lifted=time.monotonic(), note=f"{dropped} answers dropped")


def set_clock(file: Path, seconds: int) -> None:
    """Set the clock in place: the processes have the file mapped."""
    with open(file, "r+b" if file.exists() else "wb") as out:
        out.write(seconds.to_bytes(8, sys.byteorder, signed=True))


async def set_clock_back(arena: Arena) -> Struck:
    """Set the clock back by up to six hours for seconds, in all processes of the site except
    PostgreSQL's."""
    assert arena.clock is not None
    at = time.monotonic()
    set_clock(arena.clock, -arena.rng.randrange(60, 6 * 3600))
    await asyncio.sleep(arena.rng.uniform(2, 4))
    set_clock(arena.clock, 0)
    return Struck(at, lifted=time.monotonic())


# Present but not serving

NOTICED_WITHIN = 15.0  # seconds; the site checks some things only every few seconds
REPAIRED_WITHIN = 60.0


async def remove_static_files(arena: Arena) -> Struck:
    """Remove static files; in half of the cases the web server is killed, too, and starts without
    the manifest."""
    files = arena.site.var / "static"
    lost = [file.relative_to(files) for file in files.rglob("*") if file.is_file()]
    at = time.monotonic()
    await asyncio.to_thread(shutil.rmtree, files)
    killed = kill(*arena.of_role("web master")) if arena.rng.random() < 0.5 else ()
    noticed = await until(lambda: not is_ready(arena) or files.is_dir(), NOTICED_WITHIN)

    async def all_back() -> str:
        back = await until(lambda: all((files / name).is_file() for name in lost), REPAIRED_WITHIN)
        return "" if back else "static files were not collected again"

    return Struck(at, killed, then=all_back, note="" if noticed else "nobody noticed")


async def remove_socket(arena: Arena) -> Struck:
    """Remove the socket: existing connections go on, but no new ones succeed, until another server
    is started."""
    file = (arena.site.database / "socket").resolve() / ".s.PGSQL.5432"
    old = arena.of_role("postmaster")
    at = time.monotonic()
    file.unlink(missing_ok=True)
    noticed = await until(lambda: not is_ready(arena) or file.exists(), NOTICED_WITHIN)

    async def is_back() -> str:
        return "" if await until(file.exists, REPAIRED_WITHIN) else "there is no new socket"

    return Struck(at, tuple(old), then=is_back, note="" if noticed else "nobody noticed")


def is_ready(arena: Arena) -> bool:
    try:
        urllib.request.urlopen(
            f"http://127.0.0.1:{arena.site.port}/health/ready/", timeout=5
        ).close()
    except (OSError, urllib.error.URLError):
        return False
    return True


async def until(condition: Callable[[], bool], seconds: float) -> bool:
    """Wait until the condition holds; return whether it did in time."""
    end = time.monotonic() + seconds
    while not await asyncio.to_thread(condition):
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.1)
    return True


# Work in progress


async def kill_import(arena: Arena) -> Struck:
    process, file = arena.imports.start_command(arena.site.environment)
    await asyncio.sleep(arena.rng.uniform(0.3, 1.1) * arena.imports.seconds)
    at = time.monotonic()
    process.kill()
    await asyncio.to_thread(process.wait)
    file.unlink()
    return Struck(at)


async def kill_database_under_import(arena: Arena) -> Struck:
    process, file = arena.imports.start_command(arena.site.environment)
    await asyncio.sleep(arena.rng.uniform(0.3, 1.1) * arena.imports.seconds)
    at = time.monotonic()
    killed = kill(*arena.of_role("postmaster"))
    await asyncio.to_thread(process.wait)
    file.unlink()
    return Struck(at, killed)


async def kill_web_under_upload(arena: Arena) -> Struck:
    """Kill every web worker at once, whichever has the file."""
    upload = asyncio.create_task(arena.imports.upload(arena.site.port, arena.manager))
    await asyncio.sleep(arena.rng.uniform(0.1, 1.1) * arena.imports.upload_seconds)
    at = time.monotonic()
    killed = kill(*arena.of_role("web worker"))
    await upload
    return Struck(at, killed)


async def kill_under_scoring(arena: Arena, role: str) -> Struck:
    job = await arena.scoring.start()
    await asyncio.sleep(arena.rng.uniform(0.1, 0.9) * arena.scoring.seconds)
    at = time.monotonic()
    found = arena.of_role(role)
    note = "" if found else f"no {role} at that moment"
    return Struck(at, kill(*found), then=lambda: arena.scoring.ends(job), note=note)


async def kill_worker_under_scoring(arena: Arena) -> Struck:
    return await kill_under_scoring(arena, "background worker")


async def kill_scoring_child(arena: Arena) -> Struck:
    return await kill_under_scoring(arena, "scoring child")


def kinds_of(arena: Arena, *, quick: bool) -> tuple[dict[str, Kind], list[str]]:
    """Return all kinds that this machine allows, by name; and, as text, those that it does not."""
    roles = [role for role in arena.whole if role not in TRANSIENT] + ["backend"]
    if quick:
        roles = [role for role in roles if role in CHEAP]
    kinds: dict[str, Kind] = {KILL + role: killer_of(role) for role in roles}
    left_out = []
    kinds |= {
        ALL: kill_all,
        "PostgreSQL stopped": restart_database,
        "out of connections": use_up_connections,
        "answers cut off": cut_network,
        "static files removed": remove_static_files,
    }
    if arena.server is None:
        kinds["database socket removed"] = remove_socket
    else:
        left_out.append("database socket removed: ./run repairs that of its own PostgreSQL")
    if arena.disk:
        kinds["disk full"] = fill_disk
    else:
        left_out.append("disk full: needs root, to mount a small file system")
    if arena.clock:
        kinds["clock set back"] = set_clock_back
    else:
        left_out.append("clock set back: needs a C compiler (cc)")
    if not quick:
        kinds |= {
            "import: kill -9 of it": kill_import,
            "import: kill -9 of PostgreSQL": kill_database_under_import,
            "upload: kill -9 of web workers": kill_web_under_upload,
            "scoring: kill -9 of the worker": kill_worker_under_scoring,
            "scoring: kill -9 of its child": kill_scoring_child,
        }
    return kinds, left_out
