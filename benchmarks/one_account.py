"""Latency for annotators while one account overloads the site.

    python benchmarks/one_account.py [--annotators 20] [--seconds 40] [--at-once 12] [--think 2]

Starts a separate site with ./run (two web processes, PostgreSQL with fsync) and loads the demo.
Annotators judge two questions about three translations each, as described in benchmarks/load.py,
and one visitor opens the front page repeatedly. First they have the site for themselves; then, for
the same time, the owner of the demo requests the report of its campaign as a PDF over `--at-once`
connections, each of which repeats the request as soon as it was answered or refused.

Prints requests and latencies of annotators and of the visitor in both halves, and the answers to
the account. Exits with 1 if the 95th percentile of saved answers is 100 ms or more in the second
half, or a request of an annotator failed.
"""

import argparse
import asyncio
import contextlib
import http.client
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from annotators import Annotator
from browsers import Browser
from load import MOST_MS, SIGMA, Latencies, quantile
from served import Site, cookies_of, make_campaign, use_django

ITEMS_EACH = 25
SAVED = "row saved"


class Worst(threading.Thread):
    """One connection of the account: the same file again and again."""

    def __init__(self, port: int, cookies: dict[str, str], path: str) -> None:
        super().__init__(daemon=True)
        self.port, self.path = port, path
        self.cookies = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self.answers_by_status: Counter = Counter()
        self.is_over = threading.Event()

    def run(self) -> None:
        while not self.is_over.is_set():
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
                with contextlib.closing(connection):
                    connection.request("GET", self.path, headers={"Cookie": self.cookies})
                    answer = connection.getresponse()
                    while answer.read(65_536) and not self.is_over.is_set():
                        pass
                self.answers_by_status[answer.status] += 1
            except (OSError, http.client.HTTPException):
                self.answers_by_status["no answer"] += 1


async def visit(browser: Browser, is_over: asyncio.Event) -> None:
    while not is_over.is_set():
        with contextlib.suppress(Exception):
            await browser.get("/", "front page")
        await asyncio.sleep(0.5)


async def half(site: Site, cookies: list[dict], campaign: int, arguments, seed: int):
    """Let annotators and the visitor work for the time; return (annotators', visitor's)
    latencies."""
    found, front = Latencies(), Latencies()
    people, tasks = [], []
    for i, each in enumerate(cookies):
        rng = random.Random(f"{seed} {i}")
        browser = Browser("127.0.0.1", site.port, each, found.watch)
        think = lambda rng=rng: arguments.think * rng.lognormvariate(0, SIGMA)  # noqa: E731
        people.append(Annotator(browser, campaign, rng, think))
        tasks.append(asyncio.create_task(people[-1].work()))
    is_over = asyncio.Event()
    visitor = Browser("127.0.0.1", site.port, {}, front.watch)
    visits = asyncio.create_task(visit(visitor, is_over))
    await asyncio.sleep(arguments.seconds)
    for person in people:
        person.leave()
    is_over.set()
    await asyncio.wait([*tasks, visits])
    return found, front


def load_demo():
    """Return the demo's largest campaign and its owner."""
    from django.db.models import Sum

    from judgments.exchange.demo.loading import load
    from judgments.models import Campaign, Role

    load()
    largest = Campaign.objects.annotate(n=Sum("tasks__n_judged")).order_by("-n")[0]
    return largest, largest.memberships.filter(role=Role.OWNER)[0].user


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--annotators", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=40, help="of each half")
    parser.add_argument("--at-once", type=int, default=12)
    parser.add_argument("--think", type=float, default=2, help="seconds for an item, the median")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mteval-worst-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        site = Site(folder / "var", folder / "site.log")
        try:
            site.start()
            site.wait()
            use_django(site.environment)
            return measure(site, arguments)
        finally:
            site.stop()


def measure(site: Site, arguments: argparse.Namespace) -> int:
    demo, owner = load_demo()
    n_tasks = 2 * arguments.annotators * (2 + round(arguments.seconds / ITEMS_EACH))
    campaign, _, cookies = make_campaign(arguments.annotators, n_tasks, ITEMS_EACH)
    print(f"{arguments.annotators} annotators, {os.cpu_count()} cores", flush=True)
    asyncio.run(half(site, cookies[:2], campaign.pk, argparse.Namespace(seconds=3, think=1), 0))
    alone = asyncio.run(half(site, cookies, campaign.pk, arguments, 1))
    path, known = f"/campaigns/{demo.pk}/report.pdf", cookies_of(owner)
    worst = [Worst(site.port, known, path) for _ in range(arguments.at_once)]
    for each in worst:
        each.start()
    time.sleep(1)
    beside = asyncio.run(half(site, cookies, campaign.pk, arguments, 2))
    for each in worst:
        each.is_over.set()
    return report(
        alone, beside, sum((each.answers_by_status for each in worst), Counter()), arguments
    )


def report(alone, beside, answers_by_status: Counter, arguments) -> int:
    problems = []
    for words, (found, front) in (("alone", alone), ("beside one account", beside)):
        print(f"\n{words}")
        found.report()
        front.report()
        problems += [f"{words}: {n} × {what}" for what, n in found.errors.items()]
    answers = ", ".join(f"{n} × {status}" for status, n in answers_by_status.items())
    print(f"\nThe account's {arguments.at_once} connections were answered {answers}.")
    for words, (found, front) in (("alone", alone), ("beside one account", beside)):
        saved, pages = sorted(found.seconds[SAVED]), sorted(front.seconds["front page"])
        at = 1000 * quantile(saved, 0.95)
        print(f"{words}: 95th percentile of {len(saved)} saved answers {at:.0f} ms, ", end="")
        print(f"of {len(pages)} front pages {1000 * quantile(pages, 0.95):.0f} ms")
        if words != "alone" and at >= MOST_MS:
            problems.append(f"{words}: the 95th percentile of saved answers is {at:.0f} ms")
    print("\n".join(f"NOT WELL: {line}" for line in problems[:30]) or "All is well.")
    return 1 if problems else 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
