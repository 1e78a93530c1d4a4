"""Three hosts, one of which fails while annotators work: no data are lost, and the others go on.

    python benchmarks/hosts.py [--seconds 40] [--annotators 8] [--every 0.5] [--arrival 4]
                               [--worker] [--seed 1]
    python benchmarks/hosts.py --seconds 1800 --annotators 1000 --every 15 --arrival 300 --worker

Three network namespaces stand for three machines: one with PostgreSQL, which is reached over TCP
with a password, and two with `./run`, so a web server and a worker each, which share DATABASE_URL
and SECRET_KEY and nothing else (each has a folder var/ of its own). HAProxy is in front, with the
configuration of docs/deploy. Annotators judge, each with an answer every so many seconds, and a
scoring job runs, when in the middle one of the two is lost: its cable first, so that no connection
is closed, then all its processes with `kill -9`. Later it comes back. --worker: a worker on the
host of the database, too.

Annotators come within --arrival seconds, begin at once, and the time counts from when the last one
has come.

Prints the outage (from the loss to the first judgment stored after the last request that failed, or
the longest wait for an answer if that is longer), what was acknowledged and stored, how the job
ended, and latencies by kind of request, those that failed included: first those until everybody has
come, then the others. Ends with 1 if anything was lost, doubled or half-done, if the outage is
longer than 15 seconds, if the host does not come back, or if the 95th percentile of all requests,
or of a kind with at least 100, is 100 ms or more, or 1 s or more while people come. Needs Linux,
root and HAProxy (Debian: haproxy); elsewhere it says so and ends with 0.
"""

import argparse
import asyncio
import contextlib
import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import fault_check
from annotators import FIRST_PAUSE, LONGEST_PAUSE, Annotator
from balancer import COMMAND, Balancer
from browsers import Browser
from fault_work import Scoring
from load import ITEMS_EACH, Latencies, arrive
from served import ROOT, Site, free_port, make_campaign, use_django

MOST = 15.0
PORT = 8000
LOST = "web1"
SETTLE = 10.0
MOST_MS_ARRIVING = 1000.0  # at the 95th percentile, while people come
HASTE = 5.0  # who answers sooner than that also looks sooner whether the site is back


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


class Network:
    """Hosts as namespaces on one bridge; the benchmark itself has its address .1."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.mark = f"mt{os.getpid() % 100_000}"
        self.subnet = f"10.{random.randrange(64, 200)}.{random.randrange(1, 250)}"
        self.names = names

    def space(self, name: str) -> str:
        return f"{self.mark}{name}"

    def address(self, name: str) -> str:
        return f"{self.subnet}.{2 + self.names.index(name)}"

    def __enter__(self) -> "Network":
        ip("link", "add", self.mark, "type", "bridge")
        ip("addr", "add", f"{self.subnet}.1/24", "dev", self.mark)
        ip("link", "set", self.mark, "up")
        for name in self.names:
            outer, space = f"{self.mark}{name}", self.space(name)
            ip("netns", "add", space)
            ip("link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", space)
            ip("link", "set", outer, "master", self.mark, "up")
            ip("-n", space, "addr", "add", f"{self.address(name)}/24", "dev", "eth0")
            ip("-n", space, "link", "set", "eth0", "up")
            ip("-n", space, "link", "set", "lo", "up")
        return self

    def __exit__(self, *_: object) -> None:
        for name in self.names:
            self.kill(name)
            subprocess.run(["ip", "netns", "del", self.space(name)], check=False)
        subprocess.run(["ip", "link", "del", self.mark], check=False)

    def cable(self, name: str, state: str) -> None:
        ip("link", "set", f"{self.mark}{name}", state)

    def kill(self, name: str) -> int:
        """Kill every process of a host; return their number."""
        said = subprocess.run(
            ["ip", "netns", "pids", self.space(name)], capture_output=True, text=True
        )
        pids = [int(pid) for pid in said.stdout.split()]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return len(pids)

    def within(self, name: str) -> tuple[str, ...]:
        return ("ip", "netns", "exec", self.space(name))


def start_database(network: Network, folder: Path) -> tuple[str, subprocess.Popen[bytes]]:
    """Start PostgreSQL on its own host, open to the others by password; return (DATABASE_URL, its
    process)."""
    import psycopg2

    from mteval_site.local.postgres import Cluster

    password = secrets.token_urlsafe(12)
    cluster = Cluster(folder / "postgres")
    cluster.start()  # creates the role and the database
    host = str((cluster.home / "socket").resolve())
    session = psycopg2.connect(cluster.url())
    with session, session.cursor() as cursor:
        cursor.execute("ALTER ROLE mteval PASSWORD %s", [password])
    session.close()
    cluster.stop()
    with open(cluster.data / "pg_hba.conf", "a") as rules:
        rules.write(f"host all mteval {network.subnet}.0/24 scram-sha-256\n")
    address = network.address("db")
    user = cluster.account
    drop = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    command = [*network.within("db"), *drop, str(cluster.bin / "postgres"), "-D", str(cluster.data)]
    command += ["-c", f"listen_addresses={address}", "-c", f"unix_socket_directories={host}"]
    with open(folder / "postgres.log", "ab") as log:
        process = subprocess.Popen(
            command, cwd=cluster.home, env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    return f"postgresql://mteval:{password}@{address}:5432/mteval", process


def start_host(network: Network, name: str, folder: Path, shared: dict[str, str]) -> Site:
    """Start `./run` on a host, as docs/guide/deployment.md has it for many machines."""
    address = network.address(name)
    balancer = f"{network.subnet}.1"
    environment = {**shared, "ALLOWED_HOSTS": "127.0.0.1", "TRUSTED_PROXIES": balancer}
    log = folder / f"{name}.log"
    log.unlink(missing_ok=True)
    site = Site(
        folder / name, log, port=PORT, environment=environment, within=network.within(name),
        host=address,
    )  # fmt: skip
    site.start()
    return site


def start_worker(network: Network, folder: Path, shared: dict[str, str]) -> subprocess.Popen[bytes]:
    """A worker on the host of the database, as docs/deploy/mteval-worker.service starts it."""
    command = [*network.within("db"), sys.executable, str(ROOT / "manage.py"), "db_worker"]
    environment = {**os.environ, **shared, "MTEVAL_VAR": str(folder / "worker")}
    with open(folder / "worker.log", "ab") as log:
        return subprocess.Popen(
            [*command, "--queue-name", "*", "--no-startup-delay"], env=environment, cwd=ROOT,
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip


class Watch:
    """When requests failed, when the next judgment was stored, and how long requests took."""

    def __init__(self) -> None:
        self.failed = self.stored = 0.0
        self.longest = 0.0
        self.n_failed = 0
        self.arriving, self.working = Latencies(), Latencies()
        self.latencies = self.arriving

    def __call__(self, kind: str, seconds: float, status: int) -> None:
        now = time.monotonic()
        self.longest = max(self.longest, seconds)
        self.latencies.seconds[kind].append(seconds)
        if status == 0 or status >= 500:
            self.failed = max(self.failed, now - seconds)
            self.stored = 0.0
            self.n_failed += 1
        elif kind == "row saved" and status == 200:
            self.stored = self.stored or now

    def outage(self, since: float) -> float:
        """Seconds from a moment to the first judgment after the last request that failed."""
        return max(0.0, (self.stored or time.monotonic()) - since) if self.failed >= since else 0.0


def start_people(
    arguments: argparse.Namespace, campaign, cookies, port: int, watch: Watch
) -> tuple[list[Annotator], list[asyncio.Task]]:
    """Everybody, one after the other."""
    every, people, tasks = arguments.every, [], []
    pause = (0.1, 0.5) if every < HASTE else (FIRST_PAUSE, LONGEST_PAUSE)
    arrival = arguments.arrival / len(cookies)
    for i, each in enumerate(cookies):
        rng = random.Random(f"{arguments.seed} {i}")
        browser = Browser("127.0.0.1", port, each, watch)
        think = lambda rng=rng: rng.uniform(0.4 * every, 1.6 * every)  # noqa: E731
        people.append(Annotator(browser, campaign.pk, rng, think, pause=pause, revises=0.05))
        tasks.append(asyncio.create_task(arrive(people[-1], arrival * i)))
    return people, tasks


async def work(
    arguments: argparse.Namespace,
    network: Network,
    balancer: Balancer,
    sites: dict[str, Site],
    start_again,
):
    """Run annotators, the failure of a host, and its return; return what was observed."""
    seconds = arguments.arrival + arguments.seconds
    n_tasks = 4 + round(1.3 * seconds / arguments.every / ITEMS_EACH)
    campaign, owner, cookies = make_campaign(
        arguments.annotators, n_tasks * arguments.annotators, ITEMS_EACH
    )
    scoring = Scoring(owner)
    await until(lambda: all(map(balancer.is_up, sites)), 20, "both hosts answer")
    await scoring.rehearse()
    watch = Watch()
    people, tasks = start_people(arguments, campaign, cookies, balancer.port, watch)
    await asyncio.sleep(arguments.arrival)
    watch.latencies = watch.working
    await asyncio.sleep(arguments.seconds / 2)
    problems = await lose(arguments, network, watch, scoring)
    if not await until(lambda: not balancer.is_up(LOST), 20, ""):
        problems.append(f"the balancer did not leave {LOST} out")
    network.cable(LOST, "up")
    start_again(LOST)
    came_back = await until(partial(balancer.is_up, LOST), 40, "")
    said = "" if came_back else f": {sites[LOST].said()[-2000:]}"
    print(f"{LOST} {'came back' if came_back else 'did not come back'}{said}", flush=True)
    await asyncio.sleep(arguments.seconds / 4)
    for person in people:
        person.leave()
    await asyncio.wait(tasks, timeout=60)
    for task in tasks:
        task.cancel()
    problems += [] if came_back else [f"{LOST} did not come back"]
    print(f"The first {arguments.arrival:g} s:")
    problems += scoring.wrong + watch.arriving.report(MOST_MS_ARRIVING)
    print("Later:")
    problems += watch.working.report()
    return campaign, people, problems


async def lose(arguments: argparse.Namespace, network: Network, watch: Watch, scoring: Scoring):
    """Cut a host off and kill it in the midst of a scoring job; what was wrong."""
    address = network.address(LOST)
    for _ in range(6):  # until its worker, rather than another one, is seen with a part
        job = await scoring.start()
        if in_the_midst := await until(partial(is_computing, address), scoring.seconds, ""):
            break
        await scoring.ends(job)
    at, watch.longest = time.monotonic(), 0.0
    network.cable(LOST, "down")
    await asyncio.sleep(1)
    n_killed = network.kill(LOST)
    await asyncio.sleep(max(SETTLE, arguments.seconds / 4))
    outage = max(watch.outage(at), watch.longest)  # some only waited until they were passed on
    where = "in the midst of a part of a job" if in_the_midst else "not in the midst of a job"
    print(f"{LOST} lost, with {n_killed} processes, {where}: outage {outage:.1f} s, ", end="")
    print(f"{watch.n_failed} requests failed and were sent again", flush=True)
    wrong = await scoring.ends(job)
    print(f"the scoring job: {wrong or 'done'}, {time.monotonic() - at:.1f} s after the loss")
    return ([wrong] if wrong else []) + (
        [f"the outage took {outage:.1f} s"] if outage > MOST else []
    )


def is_computing(address: str) -> bool:
    """Return whether the worker of a host holds a part of a job: a transaction that waits for
    it."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE client_addr = %s::inet "
            "AND state = 'idle in transaction' AND now() - xact_start > interval '0.05 s')",
            [address],
        )
        return cursor.fetchone()[0]


async def until(condition, seconds: float, what: str) -> bool:
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > seconds:
            if what:
                sys.exit(f"It was waited in vain that {what}.")
            return False
        await asyncio.sleep(0.02)
    return True


def report(campaign, people: list[Annotator], problems: list[str]) -> int:
    kept = fault_check.look(campaign, people, lambda answer: "")
    print(f"{kept.acknowledged['']} judgments acknowledged, {kept.stored['']} stored, ", end="")
    print(f"{kept.lost['']} lost, {kept.doubled['']} doubled, {sum(kept.half_done.values())} half")
    problems += kept.words + [line for person in people for line in person.trouble]
    if kept.unanswered or kept.refused:
        problems.append(f"{kept.unanswered} unanswered, refused: {kept.refused[:3]}")
    print("\n".join(f"NOT WELL: {line}" for line in problems[:30]) or "All is well.")
    return 1 if problems else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--annotators", type=int, default=8)
    parser.add_argument("--every", type=float, default=0.5, help="seconds from answer to answer")
    parser.add_argument("--arrival", type=float, default=4, help="seconds until all have come")
    parser.add_argument("--worker", action="store_true", help="a worker on the database's host")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if os.geteuid() != 0 or not all((shutil.which("ip"), shutil.which("setpriv"), COMMAND)):
        print("Skipped: needs Linux, root, and the commands ip, setpriv and haproxy.")
        return 0
    with contextlib.ExitStack() as stack:
        name = stack.enter_context(tempfile.TemporaryDirectory(prefix="mteval-hosts-", dir="/tmp"))
        folder = Path(name)
        folder.chmod(0o711)
        try:
            network = stack.enter_context(Network(("db", "web1", "web2")))
        except subprocess.CalledProcessError as error:
            print(f"Skipped: no network namespaces here ({error.stderr.decode().strip()}).")
            return 0
        return run(arguments, network, folder)


def run(arguments: argparse.Namespace, network: Network, folder: Path) -> int:
    address, database = start_database(network, folder)
    shared = {"DATABASE_URL": address, "SECRET_KEY": secrets.token_urlsafe(50)}
    sites, worker, balancer = {}, None, None
    try:
        for name in ("web1", "web2"):
            sites[name] = start_host(network, name, folder, shared)
            sites[name].wait()
        if arguments.worker:
            worker = start_worker(network, folder, shared)
        hosts = {name: (network.address(name), PORT) for name in sites}
        balancer = Balancer(folder, free_port(), hosts)
        use_django({**shared, "MTEVAL_VAR": str(folder / "script")})

        def start_again(name: str) -> Site:
            sites[name] = start_host(network, name, folder, shared)
            return sites[name]

        print(f"{arguments.annotators} annotators, an answer every {arguments.every:g} s, ", end="")
        print(f"{arguments.seconds:g} s, {os.cpu_count()} cores", flush=True)
        campaign, people, problems = asyncio.run(
            work(arguments, network, balancer, sites, start_again)
        )
        return report(campaign, people, problems)
    finally:
        if balancer:
            balancer.stop()
        if worker:
            worker.kill()
            worker.wait()
        for site in sites.values():
            site.stop()
        database.send_signal(signal.SIGQUIT)
        database.wait()


if __name__ == "__main__":
    sys.exit(main())
