"""Reading the observations of a large campaign: from the database, and from its snapshot.

    python benchmarks/snapshots.py [--ratings 1000000] [--others 2] [--repeats 5]

Makes a campaign with a million ratings in a PostgreSQL server of its own, and further ones of the
same size beside it. Reads its observations (`judgments.results.observations`) by turns from tables,
from a snapshot in a folder, as a host that has used it before does, and from an object store, as a
host that has not; the store is moto, a server with the interface of Amazon S3 on the same machine.
What is read has to be the same.

Prints medians of the repeats before and after the other campaigns were made: seconds, and seconds
of processor time of this process and of PostgreSQL; then their ratios, the size of the files, and
the time to write them.
"""

import argparse
import contextlib
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campaign_pages import children, cpu_seconds
from databases import database_in
from served import free_port

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
BUCKET = "benchmark"
TABLES, FOLDER, STORE = "tables", "snapshot in a folder", "snapshot in a store"


@dataclass
class Times:
    """Seconds of each reading, and of processor time."""

    seconds: list[float]
    processor: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ratings", type=int, default=1_000_000)
    parser.add_argument("--others", type=int, default=2, help="campaigns of the same size")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    with (
        store() as endpoint,
        tempfile.TemporaryDirectory(dir="/tmp") as folder,
        database_in(Path(folder)) as postmaster,
    ):
        use_store(endpoint)
        measure(arguments, Path(folder), postmaster)


@contextlib.contextmanager
def store() -> Iterator[str]:
    """Yield the address of an object store in a process of its own."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def use_store(endpoint: str) -> None:
    """Make the settings of this process lead to a new bucket."""
    os.environ |= {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "benchmark",
        "AWS_SECRET_ACCESS_KEY": "benchmark",
        "AWS_DEFAULT_REGION": "us-east-1",
        "MTEVAL_OBJECT_STORE": f"s3://{BUCKET}/site",
    }
    import boto3

    boto3.client("s3").create_bucket(Bucket=BUCKET)


def measure(arguments: argparse.Namespace, folder: Path, postmaster: int) -> None:
    import django

    django.setup()
    import large_campaign
    from django.core.management import call_command

    from judgments.results.observations import snapshots

    call_command("migrate", verbosity=0)
    campaign = large_campaign.make("Large", "adequacy-fluency", arguments.ratings, 500)
    began = time.perf_counter()
    snapshots.write(campaign)
    seconds = time.perf_counter() - began
    files = list((folder / "snapshots").rglob("*.parquet"))
    size = sum(path.stat().st_size for path in files) / 1e6
    print(f"{arguments.ratings:,} ratings: written in {seconds:.1f} s, {size:.1f} MB", flush=True)
    alone = measure_all(campaign, arguments.repeats, folder, postmaster)
    report(f"{arguments.ratings:,} ratings, no other campaign", alone)
    for n in range(arguments.others):
        large_campaign.add(
            f"Other {n}", "adequacy-fluency", arguments.ratings, 500, campaign.test_set.owner
        )
    vacuum()
    beside = measure_all(campaign, arguments.repeats, folder, postmaster)
    report(f"the same beside {arguments.others} campaigns of this size", beside)


def measure_all(campaign: Any, repeats: int, folder: Path, postmaster: int) -> dict[str, Times]:
    """Return the times of each way to read, by turns."""
    from django.conf import settings

    from judgments.results.observations import snapshots

    of, address = snapshots.of, settings.OBJECT_STORE

    def from_tables() -> None:
        snapshots.of = lambda campaign: snapshots.Snapshot()

    def from_folder() -> None:
        snapshots.of, settings.OBJECT_STORE = of, ""

    def from_store() -> None:
        settings.OBJECT_STORE = address
        shutil.rmtree(folder / "snapshots")

    ways: dict[str, Callable[[], None]] = {
        TABLES: from_tables,
        FOLDER: from_folder,
        STORE: from_store,
    }
    found = {way: Times([], []) for way in ways}
    expected = None
    for _ in range(1 + repeats):  # the first one warms up
        for way, prepare in ways.items():
            prepare()
            before, began = processor_seconds(postmaster), time.perf_counter()
            sums = read(campaign)
            found[way].seconds.append(time.perf_counter() - began)
            found[way].processor.append(processor_seconds(postmaster) - before)
            expected = expected or sums
            if sums != expected:
                sys.exit(f"NOT WELL: {way} gives {sums} instead of {expected}")
    return {way: Times(times.seconds[1:], times.processor[1:]) for way, times in found.items()}


def read(campaign: Any) -> tuple[float, ...]:
    """Read all observations as a process does that has just started; return their sums."""
    from judgments.models import Campaign
    from judgments.results.observations.observations import forget, load
    from judgments.results.selection.selection import Selection

    forget()
    rows = load(Selection.of(Campaign.objects.get(pk=campaign.pk))).ratings
    return tuple(float(rows[name].sum()) for name in ("id", "judgment", "system", "value", "kind"))


def vacuum() -> None:
    """Leave no work behind for the database, as autovacuum would have done meanwhile."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def processor_seconds(postmaster: int) -> float:
    """Return the processor time of this process and of the database."""
    return time.process_time() + sum(map(cpu_seconds, children(postmaster)))


def report(title: str, found: dict[str, Times]) -> None:
    print(title)
    for way, times in found.items():
        seconds, processor = statistics.median(times.seconds), statistics.median(times.processor)
        print(f"  {way:<22}{seconds:6.2f} s{processor:6.2f} s of processor time")
    of_tables = statistics.median(found[TABLES].processor)
    for way in (FOLDER, STORE):
        print(f"  {way}: {of_tables / statistics.median(found[way].processor):.1f} times as fast")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
