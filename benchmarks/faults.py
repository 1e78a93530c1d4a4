"""Faults in a working site, and whether it recovers from each without help or data loss.

    python benchmarks/faults.py [--faults 200] [--seed 1] [--annotators 6] [--quick]
                                [--only WORDS] [--other-server]

Starts a separate site with ./run. Annotators claim and judge over HTTP as the browser does, each
answer sent again under its key until it is acknowledged, while at random moments processes are
killed with `kill -9`, PostgreSQL is stopped, connections are used up, the disk is filled, answers
are cut off, the clock is set back, and imports and scoring jobs are interrupted. Their pauses are
shorter than the browser's (0.1 to 0.5 s instead of 2 to 60 s), so that more data can be lost.

The outage of a fault is the time from the kill (or from the end of a condition that the script
maintains, such as a full disk) to the first judgment stored after the last failed request; a health
check every 100 ms and everything that annotators send count as requests. The site has recovered
when no request has failed for two seconds, a judgment has been stored since, and all previous
processes are running. If ./run itself is killed, the script acts like `Restart=always` of the
systemd unit in the operator's guide, and starts it again.

Needs Linux; all kinds need root and a C compiler. Exits with 1 if anything was lost, duplicated or
left half-done, if a person would have been needed, or if the outages last longer than they may.
"""

import argparse
import asyncio
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from annotators import Annotator
from browsers import Browser
from cut_proxy import CutProxy
from fault_kinds import UNIT, Arena, Kind, Struck, kill, kinds_of, set_clock
from fault_report import Fault, report
from fault_work import Imports, Scoring
from served import Site, cookies_of, free_port, make_campaign, use_django
from site_processes import TRANSIENT, processes

STEADY = 2.0
GIVE_UP = 60.0
PROBE_EVERY, PROBE_PATIENCE = 0.1, 2.0
DISK_MB = 1500  # more than PostgreSQL's log may use


class FaultRun:
    """The site, its annotators, its probes, and the supervisor that starts ./run again."""

    def __init__(self, arena: Arena, people: list[Annotator], health: str) -> None:
        self.arena, self.people, self.health = arena, people, health
        self.failed = 0.0  # start of the last failed request
        self.n_failed = 0
        self.first_stored = 0.0  # the first one after the last failure
        # PostgreSQL ends with the thread that started it, so this one stays.
        self.starter = ThreadPoolExecutor(1)
        self.exits: list[tuple[float, int]] = []
        self.faults: list[Fault] = []
        self.probes: set[asyncio.Task] = set()

    def watch(self, kind: str, seconds: float, status: int) -> None:
        now = time.monotonic()
        if status == 0 or status >= 500:
            self.failed = max(self.failed, now - seconds)
            self.first_stored = 0.0
            self.n_failed += kind != "health"
        elif kind == "row saved" and status == 200:
            self.first_stored = self.first_stored or now

    async def probe(self) -> None:
        while True:
            task = asyncio.create_task(self._ask())
            self.probes.add(task)
            task.add_done_callback(self.probes.discard)
            await asyncio.sleep(PROBE_EVERY)

    async def _ask(self) -> None:
        browser = Browser("127.0.0.1", self.arena.site.port, {}, self.watch)
        with contextlib.suppress(Exception):
            async with asyncio.timeout(PROBE_PATIENCE):
                await browser.get(self.health, "health")
        browser.close()

    async def keep(self) -> None:
        """Start ./run again whenever it has ended, like the unit's Restart=always; and a separate
        PostgreSQL, like that of its unit."""
        site = self.arena.site
        while True:
            await asyncio.sleep(0.05)
            if site.ended:
                assert site.process is not None
                self.exits.append((time.monotonic(), site.process.returncode))
                await asyncio.sleep(0.1)  # RestartSec of systemd
                site.start()
            server = self.arena.server
            if server and (server.process is None or server.process.poll() is not None):
                with contextlib.suppress(Exception):  # retried in a moment, as on a full disk
                    await asyncio.get_running_loop().run_in_executor(self.starter, server.start)

    async def bring(self, name: str, kind: Kind) -> Fault:
        """Cause one fault, at a random moment, and wait for the recovery."""
        await asyncio.sleep(self.arena.rng.uniform(0, 2))
        fault = Fault(name, time.monotonic())
        self.faults.append(fault)
        n_exits, n_failed = len(self.exits), self.n_failed
        struck = await kind(self.arena)
        fault.notes += [struck.note] if struck.note else []
        await self.recover(fault, struck)
        fault.failed = self.n_failed - n_failed
        ended = self.exits[n_exits:]
        if ended and name not in UNIT and not fault.person:
            fault.person = f"./run ended by itself ({ended[0][1]})"
        if self.missing(struck):  # what a person would do
            kill(*self.arena.roles())
            await self.until_whole(struck, time.monotonic())
        if len(ended) > 1:
            fault.notes.append(f"./run was started {len(ended)} times")
        return fault

    async def recover(self, fault: Fault, struck: Struck) -> None:
        since = struck.lifted or struck.at
        await asyncio.sleep(STEADY)
        if missing := await self.until_whole(struck, since):
            fault.person = f"after {GIVE_UP:.0f} s there was no {', '.join(missing)}"
        if self.failed >= struck.at:
            fault.outage = max(0.0, (self.first_stored or time.monotonic()) - since)
        if struck.then and (wrong := await struck.then()):
            fault.person = fault.person or wrong

    async def until_whole(self, struck: Struck, since: float) -> list[str]:
        """Wait until all is well for a while; return what is still missing after too long."""
        while True:
            now = time.monotonic()
            calm = now - max(self.failed, since) >= STEADY and self.first_stored > 0
            missing = self.missing(struck) if calm else ["steady answer"]
            if not missing or now - since > GIVE_UP:
                return missing
            await asyncio.sleep(0.05)

    def missing(self, struck: Struck) -> list[str]:
        """Return processes of the healthy site that are missing now."""
        there = {p: r for p, r in self.arena.roles().items() if p not in struck.killed}
        now = Counter(there.values())
        return [role for role, n in self.arena.whole.items() if now[role] < n]


async def work(arguments: argparse.Namespace, site: Site, disk: Path | None, clock, server):
    """Run everything between the start of the site and its end."""
    rng = random.Random(arguments.seed)
    n_tasks = max(40, arguments.faults * arguments.annotators // 2)
    campaign, owner, cookies = make_campaign(arguments.annotators, n_tasks, 50)
    proxy = CutProxy(free_port(), site.port)
    await proxy.start()
    folder = site.log.parent
    imports, scoring = Imports(campaign, owner, folder), Scoring(owner)
    arena = Arena(site, proxy, [], rng, imports, scoring, clock, disk, server)
    arena.manager = cookies_of(owner)
    run = FaultRun(arena, arena.people, site.health())
    for i, each in enumerate(cookies):
        own = random.Random(f"{arguments.seed} {i}")
        browser = Browser("127.0.0.1", proxy.port, each, run.watch)
        think = lambda own=own: own.uniform(0.2, 0.8)  # noqa: E731
        arena.people.append(
            Annotator(browser, campaign.pk, own, think, pause=(0.1, 0.5), revises=0.05)
        )
    if not arguments.quick:
        await imports.rehearse(site, arena.manager)
        await scoring.rehearse()
    arena.whole = {
        role: n for role, n in Counter(arena.roles().values()).items() if role not in TRANSIENT
    }
    kinds, left_out = kinds_of(arena, quick=arguments.quick)
    kinds = {name: kind for name, kind in kinds.items() if arguments.only in name}
    tasks = [asyncio.create_task(person.work()) for person in arena.people]
    helpers = [asyncio.create_task(run.probe()), asyncio.create_task(run.keep())]
    await strike_all(run, kinds, arguments.faults, rng)
    for person in arena.people:
        person.stop.set()
    _, pending = await asyncio.wait(tasks, timeout=GIVE_UP)
    for task in [*pending, *helpers]:
        task.cancel()
    for task in tasks:
        if task.done() and not task.cancelled():
            task.result()  # raises an annotator's exception
    return run, left_out, campaign


async def strike_all(
    run: FaultRun, kinds: dict[str, Kind], n_faults: int, rng: random.Random
) -> None:
    """Cause each kind equally often, in random order."""
    await asyncio.sleep(2)
    waiting: list[str] = []
    for number in range(1, n_faults + 1):
        waiting = waiting or rng.sample(list(kinds), len(kinds))
        name = waiting.pop()
        fault = await run.bring(name, kinds[name])
        words = "; ".join(filter(None, [fault.person, *fault.notes]))
        line = f"{number:4} {name:<36} {fault.outage:5.1f} s {fault.failed:4} failed   {words}"
        print(line.rstrip(), flush=True)


@contextlib.contextmanager
def small_disk(folder: Path):
    """Yield a file system of DISK_MB that can be filled; None if mounting is not allowed."""
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=711", "mteval-faults", str(folder)]
    done = subprocess.run(["mount", *options], capture_output=True) if os.geteuid() == 0 else None
    mounted = done is not None and done.returncode == 0
    try:
        yield folder if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=False)


def settable_clock(folder: Path) -> tuple[Path | None, dict[str, str]]:
    """Return the file with the offset of the site's clock, and the variables that make processes
    use it (clock.c); None without a compiler."""
    clock, library = folder / "clock", folder / "clock.so"
    compiler = shutil.which("cc")
    source = Path(__file__).with_name("clock.c")
    command = [str(compiler), "-shared", "-fPIC", "-O2", "-o", str(library), str(source)]
    if compiler is None or subprocess.run(command, check=False).returncode:
        return None, {}
    set_clock(clock, 0)
    return clock, {"LD_PRELOAD": str(library), "MTEVAL_CLOCK": str(clock)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--faults", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--annotators", type=int, default=6)
    parser.add_argument("--quick", action="store_true", help="about 12 faults of the quick kinds")
    parser.add_argument(
        "--other-server",
        action="store_true",
        help="PostgreSQL by DATABASE_URL, not started by ./run",
    )
    parser.add_argument("--only", default="", help="kinds with these words in their name")
    arguments = parser.parse_args()
    arguments.faults = arguments.faults or (12 if arguments.quick else 200)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with contextlib.ExitStack() as stack:
        temporary = tempfile.TemporaryDirectory(prefix="mteval-faults-", dir="/tmp")
        folder = Path(stack.enter_context(temporary))
        folder.chmod(0o711)
        disk = stack.enter_context(small_disk(folder / "disk"))
        clock, extra = settable_clock(folder)
        site = Site(folder / "disk/var", folder / "site.log", environment=extra)
        server = stack.enter_context(other_server(site)) if arguments.other_server else None
        try:
            site.start()
            site.wait()
            use_django(site.environment)
            run, left_out, campaign = asyncio.run(work(arguments, site, disk, clock, server))
            return 0 if report(run.faults, run.arena, left_out, campaign) else 1
        finally:
            site.stop()
            # Left behind by a site that has lost its watchdog.
            kill(*processes(site.var, site.var / "postgres"))


@contextlib.contextmanager
def other_server(site: Site):
    """Run a PostgreSQL that the site reaches by DATABASE_URL, on the same small disk."""
    from mteval_site.local.postgres import Cluster

    site.database = site.var.with_name("postgres")
    cluster = Cluster(site.database)
    cluster.start()
    site.environment["DATABASE_URL"] = cluster.url()
    try:
        yield cluster
    finally:
        cluster.stop()


if __name__ == "__main__":
    sys.exit(main())
