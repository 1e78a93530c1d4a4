"""The site behind PgBouncer, in session mode and in transaction mode.

    python benchmarks/pooler.py [--seconds 30] [--annotators 6] [--every 1] [--seed 1] [--only WORD]

Starts a PostgreSQL server of its own, PgBouncer before it, and `./run` with DATABASE_URL to
PgBouncer: once in session mode with PgBouncer's defaults, once in session mode and once in
transaction mode with `ignore_startup_parameters` and a pool that is large enough; and, for
comparison, once without PgBouncer. From version 1.21 on, PgBouncer also keeps the prepared
statements of the protocol (`max_prepared_statements`). The site's time limits are set for its role,
too. Everything is reached through sockets in a folder of its own.

Each time annotators judge, a background worker scores a test set, and the owner opens a page of
results and observations.tsv by turns. Prints a table for each: whether the site started; whose time
limits hold; judgments acknowledged and stored; requests that failed, by kind; median and 95th
percentile of saving an answer; connections to PostgreSQL; whether the worker did its task, and
whether others see that it is alive (`living_workers`); how often the page and the export came;
advisory locks left behind when the site has stopped; errors of PostgreSQL and PgBouncer.

Exits with 1 if the site does not work without PgBouncer or in session mode. Transaction mode is not
supported; what fails in it is only printed. Without PgBouncer it says so and ends with 0.
"""

import argparse
import asyncio
import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import fault_check
from annotators import Annotator
from browsers import Browser, Offline
from databases import database_in
from fault_work import Scoring
from load import ITEMS_EACH, Latencies, quantile
from served import Site, cookies_of, make_campaign, use_django

POOL = 60  # connections to PostgreSQL, which takes 100
PAUSE = (0.5, 2.0)  # seconds until an annotator tries again: shorter than the browser's
PATIENCE = 20.0  # seconds for the last answers to arrive, and for the scoring job to end
READ_EVERY = 1.0
FREED = 3.0  # seconds after which a stopped site must have left no locks
LOCKS = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
OWN_NAME = "pooler.py"  # of this script's connections
CONNECTIONS = (
    "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' "
    f"AND application_name <> '{OWN_NAME}'"
)
# What libpq sends in `options`. PgBouncer knows only the word `options` until 1.19, and only the
# names in it from 1.20 on.
SENT = (
    "options, statement_timeout, lock_timeout, idle_in_transaction_session_timeout, "
    "tcp_keepalives_idle, tcp_keepalives_interval, tcp_keepalives_count, tcp_user_timeout"
)
ERRORS = {  # in the logs; ended connections are those of the stop
    "postgres/postgres.log": re.compile(r"(?:ERROR|FATAL|WARNING):(?! *terminating ) *(.*)"),
    "pooler.log": re.compile(r"pooler error: (.*)"),
}


@dataclass(frozen=True)
class Mode:
    """A way from the site to PostgreSQL. pool: PgBouncer's pool_mode, empty for no PgBouncer."""

    name: str
    pool: str = ""
    is_kind: bool = True
    must_work: bool = False


MODES = (
    Mode("without PgBouncer", must_work=True),
    Mode("session mode, PgBouncer's defaults", "session", is_kind=False),
    Mode("session mode", "session", must_work=True),
    Mode("transaction mode", "transaction"),
)


class Requests(Latencies):
    """Times of the requests that were answered as they should be, and counts of the others."""

    def watch(self, kind: str, seconds: float, status: int) -> None:
        super().watch(kind, seconds, status)
        if not 200 <= status < 400:
            self.seconds[kind].pop()

    def n_failed(self, kind: str = "") -> int:
        """Return the number that failed, of one kind or of all."""
        return sum(n for what, n in self.errors.items() if what.startswith(f"{kind}:" * bool(kind)))


@dataclass
class Seen:
    """What one run showed. rows: lines of its table; wrong: what should not have been."""

    rows: list[tuple[str, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, name: str, value: object, is_well: bool = True) -> None:
        self.rows.append((name, str(value)))
        if not is_well:
            self.wrong.append(f"{name}: {value}")


def version() -> tuple[int, ...]:
    said = subprocess.run(["pgbouncer", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    return tuple(map(int, found.groups())) if found else (0,)


@contextlib.contextmanager
def pooler(folder: Path, mode: Mode) -> Iterator[str]:
    """Yield a DATABASE_URL: through PgBouncer, or PostgreSQL's own without a pool."""
    from mteval_site.local import account, postgres

    if not mode.pool:
        yield os.environ["DATABASE_URL"]
        return
    place, user = folder / "pooler", account.choose(folder / "postgres" / "data")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700)
    password = postgres.password_file(folder / "postgres", postgres.OWNER).read_text().strip()
    file = place / "pgbouncer.ini"
    file.touch(mode=0o600)
    file.write_text(settings_of(mode, folder, password.rpartition(":")[2]))
    for path in (place, file):
        account.give(path, user)
    drop: dict[str, Any] = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    with open(folder / "pooler.log", "wb") as log:
        process = subprocess.Popen(
            ["pgbouncer", str(file)], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
            **(drop if os.geteuid() == 0 else {}),
        )  # fmt: skip
    try:
        until = time.monotonic() + 10
        while not (place / ".s.PGSQL.5432").exists():
            if process.poll() is not None or time.monotonic() > until:
                sys.exit(f"PgBouncer did not start:\n{(folder / 'pooler.log').read_text()}")
            time.sleep(0.05)
        yield f"postgresql:///mteval?user=mteval&host={place}"
    finally:
        process.send_signal(signal.SIGQUIT)  # from 1.23 on, SIGTERM waits for all clients
        process.wait()


def settings_of(mode: Mode, folder: Path, password: str) -> str:
    """Return pgbouncer.ini: no port of the network, a socket in a folder that only its user may
    enter."""
    socket = (folder / "postgres" / "socket").resolve()
    lines = [
        "[databases]",
        f"mteval = host={socket} user=mteval password='{password}'",
        "[pgbouncer]",
        "listen_addr =",
        "listen_port = 5432",
        f"unix_socket_dir = {folder / 'pooler'}",
        "auth_type = any",
        f"pool_mode = {mode.pool}",
    ]
    if mode.is_kind:
        lines += [f"ignore_startup_parameters = {SENT}", f"default_pool_size = {POOL}"]
        lines += ["max_prepared_statements = 200"] if version() >= (1, 21) else []
    return "\n".join(lines) + "\n"


def ask(url: str, statement: str, **options: str) -> object:
    """Return the only value of a statement's answer, None if it has none."""
    import psycopg2

    connection = psycopg2.connect(url, **options)
    connection.autocommit = True
    with contextlib.closing(connection), connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0] if cursor.description else None


def limit_of(url: str) -> str:
    """Return which limit of a statement holds: that which a connection asks for, its role's, or
    none."""
    options = "-c statement_timeout=7s"
    found = ask(url, "SHOW statement_timeout", options=options, application_name="a client")
    return {"7s": "the site's", "1min": "the role's", "0": "none"}.get(str(found), str(found))


def run(arguments: argparse.Namespace, folder: Path, mode: Mode) -> Seen:
    """Start everything anew for one mode, and let everybody work."""
    seen = Seen()
    for name in ("postgres", "var", "site.log", "pooler.log"):
        path = folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    with database_in(folder, durable=True):
        direct = os.environ["DATABASE_URL"]
        if mode.is_kind:
            ask(direct, "ALTER ROLE mteval SET statement_timeout = '60s'")
        with pooler(folder, mode) as url:
            shared = {"DATABASE_URL": url, "SECRET_KEY": os.environ["SECRET_KEY"]}
            site = Site(folder / "var", folder / "site.log", environment=shared)
            try:
                begun = time.monotonic()
                site.start()
                os.environ["PGAPPNAME"] = OWN_NAME
                site.wait()
                seen.add("the site started", f"after {time.monotonic() - begun:.1f} s")
                seen.add("limit of a statement", limit_of(url))
                asyncio.run(work(arguments, site, seen))
            except SystemExit:  # of `site.wait`
                seen.add("the site started", "no", is_well=False)
            finally:
                os.environ.pop("PGAPPNAME", None)
                site.stop()
            time.sleep(FREED)
            n_left = ask(direct, LOCKS)
            seen.add("advisory locks left by the stopped site", n_left, n_left == 0)
        from django.db import connections

        connections.close_all()
    for line, n in errors(folder).most_common(12):
        seen.add("error", f"{n} × {line}")
    return seen


def errors(folder: Path) -> Counter:
    """Return the messages in the logs of PostgreSQL and PgBouncer, with names and numbers left
    out."""
    found: Counter = Counter()
    for name, pattern in ERRORS.items():
        path = folder / name
        text = path.read_text(errors="replace") if path.exists() else ""
        found.update(re.sub(r'"[^"]*"|\d+', "…", message) for message in pattern.findall(text))
    return found


async def work(arguments: argparse.Namespace, site: Site, seen: Seen) -> None:
    """Let annotators judge while the worker scores and the owner reads, and note what came of
    it."""
    use_django(os.environ.copy())
    n_tasks = arguments.annotators * (2 + round(arguments.seconds / arguments.every / ITEMS_EACH))
    campaign, owner, cookies = make_campaign(arguments.annotators, n_tasks, ITEMS_EACH)
    scoring, requests, people = Scoring(owner), Requests(), []
    for i, each in enumerate(cookies):
        rng = random.Random(f"{arguments.seed} {i}")
        browser = Browser("127.0.0.1", site.port, each, requests.watch)
        think = lambda rng=rng: arguments.every * rng.uniform(0.4, 1.6)  # noqa: E731
        people.append(Annotator(browser, campaign.pk, rng, think, pause=PAUSE))
    reader = Browser("127.0.0.1", site.port, cookies_of(owner), requests.watch)
    is_over = asyncio.Event()
    reading = asyncio.create_task(read(reader, campaign.pk, is_over))
    scored = asyncio.create_task(score(scoring))
    tasks = [asyncio.create_task(person.work()) for person in people]
    await asyncio.sleep(arguments.seconds)
    n_connections = await asyncio.to_thread(ask, os.environ["DATABASE_URL"], CONNECTIONS)
    for person in people:
        person.leave()
    await asyncio.wait(tasks, timeout=PATIENCE)
    is_over.set()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, reading, return_exceptions=True)
    note_judging(seen, requests, fault_check.look(campaign, people, lambda answer: ""))
    seen.add("connections to PostgreSQL, at the end", n_connections)
    wrong = await scored
    seen.add("the worker did its task", wrong or "yes", not wrong)
    n_seen, n_workers = living()
    note = f"{n_seen} of {n_workers} that ran a task"
    seen.add("workers that are seen to live", note, n_seen == n_workers > 0)
    await note_reading(seen, requests, reader, campaign)


async def score(scoring: Scoring) -> str:
    """Have a test set scored; return what is wrong, or an empty text."""
    job = await scoring.start()
    try:
        return await asyncio.wait_for(scoring.ends(job), 3 * PATIENCE)
    except TimeoutError:
        status = await asyncio.to_thread(scoring._status, job)
        return f"no, it is {status} after {3 * PATIENCE:.0f} s"


def living() -> tuple[int, int]:
    """Return how many workers hold their lock, of those that ran a task."""
    from django_tasks_db.models import DBTaskResult

    from mteval_site.worker import living_workers, lock_of

    ran = {worker for ids in DBTaskResult.objects.values_list("worker_ids", flat=True)
           for worker in ids}  # fmt: skip
    alive = living_workers()
    return sum(lock_of(worker) in alive for worker in ran), len(ran)


async def read(browser: Browser, campaign: int, is_over: asyncio.Event) -> None:
    """Open the page of results and the export by turns."""
    while not is_over.is_set():
        for kind, path in (("results", "agreement/"), ("export", "exports/observations.tsv")):
            await asyncio.sleep(READ_EVERY)
            with contextlib.suppress(Offline):
                await browser.get(f"/campaigns/{campaign}/{path}", kind)


def note_judging(seen: Seen, requests: Requests, kept: fault_check.Kept) -> None:
    acknowledged, stored = kept.acknowledged[""], kept.stored[""]
    counts = f"{acknowledged} and {stored}, {kept.lost['']} lost, {kept.unanswered} unanswered"
    is_well = acknowledged == stored > 0 and not (kept.lost[""] or kept.unanswered)
    seen.add("judgments acknowledged and stored", counts, is_well)
    n_requests = sum(map(len, requests.seconds.values())) + requests.n_failed()
    kinds = ", ".join(f"{n} × {what}" for what, n in sorted(requests.errors.items()))
    seen.add("requests", f"{n_requests:,}")
    seen.add("requests that failed", kinds or "none", not kinds)
    saved = sorted(requests.seconds["row saved"])
    median, late = (f"{1000 * quantile(saved, share):.1f}" for share in (0.5, 0.95))
    seen.add("saving an answer, median and p95", f"{median} and {late} ms")
    for line in kept.words[:5]:
        seen.add("not as sent", line, is_well=False)


async def note_reading(seen: Seen, requests: Requests, browser: Browser, campaign) -> None:
    """Note how often page and export came, and whether a last export is complete."""
    from judgments.models import Rating

    for kind in ("results", "export"):
        n_came, n_failed = len(requests.seconds[kind]), requests.n_failed(kind)
        is_well = n_came > 0 and not n_failed
        seen.add(f"{kind}: came", f"{n_came} of {n_came + n_failed}", is_well)
    with contextlib.suppress(Offline):
        answer = await browser.get(f"/campaigns/{campaign.pk}/exports/observations.tsv", "last")
        n_lines = len(answer.text.splitlines()) - 1 if answer.status == 200 else 0
        n_stored = Rating.objects.filter(judgment__campaign=campaign).count()
        note = f"{answer.status}, {n_lines} rows of {n_stored}"
        seen.add("the last export", note, n_lines == n_stored)
    browser.close()


def report(mode: Mode, seen: Seen) -> bool:
    """Print the table of one mode; return whether it is as it should be."""
    print(f"\n{mode.name}")
    for name, value in seen.rows:
        print(f"  {name:<42}{value}")
    sys.stdout.flush()
    return not (mode.must_work and seen.wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--annotators", type=int, default=6)
    parser.add_argument("--every", type=float, default=1, help="seconds from answer to answer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a word of the modes to run")
    arguments = parser.parse_args()
    if not shutil.which("pgbouncer"):
        print("Skipped: PgBouncer is not installed (apt-get install pgbouncer).")
        return 0
    print(f"PgBouncer {'.'.join(map(str, version()))}, {arguments.annotators} annotators, ", end="")
    print(f"an answer every {arguments.every:g} s each, {arguments.seconds:g} s", flush=True)
    bad = []
    with tempfile.TemporaryDirectory(prefix="mteval-pool-", dir="/tmp") as name:
        for mode in MODES:
            if arguments.only in mode.name and not report(mode, run(arguments, Path(name), mode)):
                bad.append(mode.name)
    print("\n" + ("\n".join(f"NOT WELL: {each}" for each in bad) or "All that must work works."))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
