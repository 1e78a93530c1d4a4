"""Latency of the site for many annotators at once with real think times.

    python benchmarks/load.py [--annotators 300] [--minutes 10] [--arrival 2] [--median 20]
                              [--seed 1]

Starts a separate site with ./run (its defaults: two web processes, PostgreSQL with fsync) and a
campaign of two questions about three translations each. Annotators arrive one after the other in
the first minutes (three fifths of a shorter run). Each opens the page with its static files, which
the browser then caches; claims batches; judges; and every answer is saved and the next row fetched
ahead as by the judging screen's script, over one persistent connection each. Thinking takes a
lognormal time (van der Linden 2006, "A lognormal model for response times on test items") of median
20 s and sigma 0.6, so 24 s in the mean.

Prints requests, errors and latencies by kind as the annotators' side measures them (its own share
of the processor included, as it runs on the same machine), and compares what was acknowledged with
what is stored. Exits with 1 if the 95th percentile of all, or of a kind with at least 100 requests,
is 100 ms or more, if any request failed, or if an answer was lost.
"""

import argparse
import asyncio
import contextlib
import os
import platform
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import fault_check
from annotators import Annotator
from browsers import Browser
from served import Site, make_campaign, use_django

MOST_MS = 100.0
SIGMA = 0.6
ITEMS_EACH = 25
KIND_COUNTS = 100  # requests of a kind from which its percentile is checked against the limit


class Latencies:
    """Seconds by kind of request, and failures."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.errors: Counter = Counter()

    def watch(self, kind: str, seconds: float, status: int) -> None:
        self.seconds[kind].append(seconds)
        if not 200 <= status < 400:
            self.errors[f"{kind}: {status or 'no answer'}"] += 1

    def report(self, most_ms: float = MOST_MS) -> list[str]:
        """Print the table; return what is too slow or has failed."""
        everything = [each for column in self.seconds.values() for each in column]
        print(f"{'request':<16}{'n':>9}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}{'most ms':>9}")
        problems = [f"{n} × {what}" for what, n in self.errors.items()]
        for kind, column in [*sorted(self.seconds.items()), ("all", everything)]:
            column.sort()
            shown = [1000 * quantile(column, share) for share in (0.5, 0.95, 0.99, 1)]
            print(f"{kind:<16}{len(column):>9,}" + "".join(f"{ms:>9.1f}" for ms in shown))
            if shown[1] >= most_ms and (kind == "all" or len(column) >= KIND_COUNTS):
                problems.append(f"{kind}: the 95th percentile is {shown[1]:.0f} ms")
        return problems


def quantile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


async def arrive(annotator: Annotator, after: float) -> None:
    await asyncio.sleep(after)
    await annotator.work()


async def work(arguments: argparse.Namespace, site: Site, cookies: list[dict], campaign: int):
    """Let all annotators work for the time; return (latencies, annotators)."""
    found, people, tasks = Latencies(), [], []
    seconds = 60 * arguments.minutes
    arrival = min(60 * arguments.arrival, 0.6 * seconds)
    for i, each in enumerate(cookies):
        rng = random.Random(f"{arguments.seed} {i}")
        browser = Browser("127.0.0.1", site.port, each, found.watch)
        think = lambda rng=rng: arguments.median * rng.lognormvariate(0, SIGMA)  # noqa: E731
        people.append(Annotator(browser, campaign, rng, think))
        tasks.append(asyncio.create_task(arrive(people[-1], arrival * i / len(cookies))))
    await asyncio.sleep(seconds)
    # Annotators who are thinking must not all answer at this instant.
    for person in people:
        person.leave()
    await asyncio.wait(tasks)
    for task in tasks:
        task.result()
    return found, people


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--annotators", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--arrival", type=float, default=2, help="minutes in which everybody comes")
    parser.add_argument("--median", type=float, default=20, help="seconds of thought for an item")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mteval-load-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        site = Site(folder / "var", folder / "site.log")
        try:
            site.start()
            site.wait()
            use_django(site.environment)
            n_tasks = round(arguments.annotators * (2 + 60 * arguments.minutes / 10 / ITEMS_EACH))
            campaign, _, cookies = make_campaign(arguments.annotators, n_tasks, ITEMS_EACH)
            print(f"{arguments.annotators} annotators, {arguments.minutes:g} minutes, ", end="")
            print(f"{os.cpu_count()} cores, Python {platform.python_version()}", flush=True)
            started = time.monotonic()
            found, people = asyncio.run(work(arguments, site, cookies, campaign.pk))
            return report(found, people, campaign, time.monotonic() - started)
        finally:
            site.stop()


def report(found: Latencies, people: list[Annotator], campaign, seconds: float) -> int:
    problems = found.report()
    kept = fault_check.look(campaign, people, lambda answer: "")
    n_requests = sum(map(len, found.seconds.values()))
    acknowledged, stored = kept.acknowledged[""], kept.stored[""]
    print(
        f"{n_requests:,} requests ({n_requests / seconds:.1f}/s), {acknowledged:,} judgments ",
        end="",
    )
    print(f"acknowledged ({acknowledged / seconds:.1f}/s), {stored:,} stored")
    problems += kept.words + [line for person in people for line in person.trouble]
    if kept.unanswered or kept.refused or acknowledged != stored:
        problems.append(f"{kept.unanswered} answers unanswered, {len(kept.refused)} refused")
    print("\n".join(f"NOT WELL: {line}" for line in problems[:30]) or "All is well.")
    return 1 if problems else 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
