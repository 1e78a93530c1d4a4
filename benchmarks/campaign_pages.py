"""Time and memory of the pages of results for a campaign with a million ratings.

    python benchmarks/campaign_pages.py [--preset adequacy-fluency] [--ratings 1000000]
                                        [--annotators 500] [--repeats 5] [--exports]

Uses a separate PostgreSQL and gunicorn as started by `./run`, with one process, so that its memory
is the memory of the page. Each line is one page:

cold      nothing has been computed: a process that has just started, and an empty cache
restart   cached results, but another process that has just started
warm      the same process again, nothing has changed

Times are medians of the repeats, in seconds, from sending the request to the last byte; cpu is the
processor time of the web process and of the database for the cold page, which is the time of the
page if nothing else runs. Peak is the maximum memory of the process (VmHWM), interpreter and
libraries included.

Then follow new filters, in a process that has shown the page without them, and the file of
observations: until its first row, and until its last. `--exports` requests the other files as well.
"""

import argparse
import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from databases import database_in

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
COLD_SECONDS, WARM_SECONDS, PEAK_MB = 2, 0.2, 500
FILTER_SECONDS, FIRST_ROW_SECONDS, LAST_ROW_SECONDS = 1, 2, 60

NAME = "Large"
PAGES = {
    "agreement": "agreement/",
    "scores, raw": "scores/",
    "scores, z": "scores/?method=z",
    "scores, mixed": "scores/?method=mixed",
    "quality": "quality/",
    "clashes": "clashes/",
    "segments": "segments/?sort=disagreement",
}
ONE_SEGMENT = "one segment"
WARM_OF = {ONE_SEGMENT: 0.5}  # all its judgments, with the texts
UNFILTERED = {"clashes"}
FILTERS = {
    "one annotator": "annotator=annotator+003",
    "two systems": "system=System-03&system=System-07",
    "a domain": "domain=news",
    "segments of six words": "fewest_words=6",
    "ten days": "since=2026-03-05&until=2026-03-14",
    "regular items": "kind=regular",
}
POSTMASTER = "postgres/data/postmaster.pid"
OBSERVATIONS = "exports/observations.tsv"
EXPORTS = {
    "campaign.json": "exports/campaign.json",
    "agreement.csv": "exports/agreement.csv",
    "segment-scores.csv": "exports/segment-scores.csv",
}


def main() -> None:
    arguments = parse_arguments()
    with folder_of(arguments) as folder, database_in(Path(folder)):
        measure_all(arguments)


def folder_of(arguments: argparse.Namespace) -> contextlib.AbstractContextManager[str]:
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
        return contextlib.nullcontext(str(arguments.keep))
    return tempfile.TemporaryDirectory(prefix="mteval-bench-", dir="/tmp")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--preset", default="adequacy-fluency")
    parser.add_argument("--ratings", type=int, default=1_000_000)
    parser.add_argument("--annotators", type=int, default=500)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--exports", action="store_true")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the campaign for next time")
    return parser.parse_args()


def measure_all(arguments: argparse.Namespace) -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from judging import session_headers
    from large_campaign import make

    from judgments.models import Campaign

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    started = time.perf_counter()
    campaign = Campaign.objects.filter(name=NAME).first()
    if campaign is None:
        campaign = make(NAME, arguments.preset, arguments.ratings, arguments.annotators)
    took = time.perf_counter() - started
    owner = campaign.test_set.owner
    cookie = session_headers(owner).split("\r\n")[1].removeprefix("Cookie: ")
    print(
        f"{arguments.preset}, {arguments.ratings:,} ratings by {arguments.annotators} annotators, "
        f"made in {took:.0f} s; medians of {arguments.repeats}"
    )
    print(f"{'page':20} {'cold s':>8} {'cpu s':>7} {'restart s':>9} {'warm s':>7} {'peak MB':>8}")
    missed = []
    segment = campaign.test_set.segments.get(position=0)
    pages = PAGES | {ONE_SEGMENT: f"segments/{segment.pk}/"}
    pages |= EXPORTS if arguments.exports else {}
    for name, path in pages.items():
        runs = [
            measure(f"/campaigns/{campaign.pk}/{path}", cookie) for _ in range(arguments.repeats)
        ]
        middle = [statistics.median(column) for column in zip(*runs, strict=True)]
        cold, cpu, restart, warm, peak = middle
        print(
            f"{name:20} {cold:8.2f} {cpu:7.2f} {restart:9.2f} {warm:7.2f} {peak:8.0f}", flush=True
        )
        most = WARM_OF.get(name, WARM_SECONDS)
        if name not in EXPORTS and (cold > COLD_SECONDS or warm > most or peak > PEAK_MB):
            missed.append(name)
    print(f"aim: cold {COLD_SECONDS} s, warm {WARM_SECONDS} s, peak {PEAK_MB} MB;", end=" ")
    print(f"missed by {', '.join(missed)}" if missed else "reached by every page")
    measure_filters(f"/campaigns/{campaign.pk}", cookie)
    measure_observations(f"/campaigns/{campaign.pk}/{OBSERVATIONS}", cookie)


def measure_filters(campaign: str, cookie: str) -> None:
    """Measure each page with each filter, after the page without filters; each once."""
    from django.core.cache import caches

    print(f"\n{'page':20} {'filter':24} {'new s':>7} {'cpu s':>7}")
    for name, path in PAGES.items():
        if name in UNFILTERED:
            continue
        caches["results"].clear()
        with Server() as server:
            fetch(server.port, f"{campaign}/{path}", cookie)
            for words, query in FILTERS.items():
                before = server.cpu()
                took = fetch(
                    server.port, f"{campaign}/{path}{'&' if '?' in path else '?'}{query}", cookie
                )
                cpu = server.cpu() - before
                print(f"{name:20} {words:24} {took:7.2f} {cpu:7.2f}", flush=True)
            print(f"{name:20} {'peak MB':24} {server.peak():7.0f}")
    print(f"aim: {FILTER_SECONDS} s")


def measure_observations(path: str, cookie: str) -> None:
    with Server() as server:
        empty, before = server.peak(), server.cpu()
        request = urllib.request.Request(
            f"http://127.0.0.1:{server.port}{path}", headers={"Cookie": cookie}
        )
        started = time.perf_counter()
        with urllib.request.urlopen(request, timeout=600) as answer:
            answer.readline()
            answer.readline()
            first = time.perf_counter() - started
            n_rows = 1 + sum(1 for _ in answer)
        last = time.perf_counter() - started
        print(
            f"\nobservations.tsv, {n_rows:,} rows: the first after {first:.2f} s, the last after "
            f"{last:.1f} s ({server.cpu() - before:.1f} s cpu), peak {server.peak():.0f} MB "
            f"({empty:.0f} before); aim: {FIRST_ROW_SECONDS} s and {LAST_ROW_SECONDS} s"
        )


def measure(path: str, cookie: str) -> tuple[float, float, float, float, float]:
    """Return cold, cpu, restart, warm (seconds) and peak (MB) of one page."""
    from django.core.cache import caches

    caches["results"].clear()
    with Server() as server:
        before = server.cpu()
        cold = fetch(server.port, path, cookie)
        cpu = server.cpu() - before
        warm = statistics.median(fetch(server.port, path, cookie) for _ in range(5))
        peak = server.peak()
    with Server() as server:
        restart = fetch(server.port, path, cookie)
    return cold, cpu, restart, warm, peak


def fetch(port: int, path: str, cookie: str) -> float:
    """Return the seconds until the whole answer has arrived; it is discarded piece by piece."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Cookie": cookie})
    started = time.perf_counter()
    with urllib.request.urlopen(request, timeout=600) as answer:
        if answer.status != 200 or "sign-in" in answer.url:
            raise SystemExit(f"unexpected answer: {answer.status} {answer.url}")
        while answer.read(1 << 20):
            pass
    return time.perf_counter() - started


def cpu_seconds(process: Path) -> float:
    """Return the processor time of a process and of its children that have ended."""
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[Path]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [Path("/proc") / child for child in found]


class Server:
    """gunicorn with one process, as started by `./run`; stopped at the end."""

    def __enter__(self) -> "Server":
        from judging import free_port

        self.port = free_port()
        command = [sys.executable, "-m", "gunicorn", "mteval_site.wsgi", "--workers", "1"]
        command += ["--worker-class", "gthread", "--threads", "4", "--preload", "--timeout", "600"]
        command += ["--bind", f"127.0.0.1:{self.port}", "--no-control-socket"]
        self.process = subprocess.Popen(command, cwd=ROOT)
        for _ in range(4000):
            try:  # like ./run, which then reports that the site is ready
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/").read()
                return self
            except OSError:
                time.sleep(0.03)
        raise SystemExit("The web server did not start.")

    def __exit__(self, *_) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    @property
    def worker(self) -> Path:
        return children(self.process.pid)[0]

    def cpu(self) -> float:
        """Return the processor time of the web process and of the database so far, in seconds."""
        database = int((Path(os.environ["MTEVAL_VAR"]) / POSTMASTER).read_text().split()[0])
        processes = [self.worker, Path(f"/proc/{database}"), *children(database)]
        return sum(map(cpu_seconds, processes))

    def peak(self) -> float:
        """Return the peak memory of the web process, in MB."""
        status = (self.worker / "status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main()
