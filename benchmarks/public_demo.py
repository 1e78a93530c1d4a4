"""How long visitors of a public demo server wait for their copy, and what a copy costs.

    python benchmarks/public_demo.py [--visitors 8]

Starts a public demo server of its own with ./run (two web processes, three workers, PostgreSQL with
fsync, two roles). Waits until copies are ready, then one visitor clicks, then `--visitors` at the
same moment, of whom most wait for workers, as their browsers do: they ask again every 2 s. Then all
copies end, and workers delete them.

Prints the seconds from the click to the page of campaigns, how long a worker takes to make a copy
and with how many statements, what it takes on the disk, and how long the deletion takes. Ends with
1 where the first click took more than 3 s, two visitors got one copy, or a row of a copy is left.
"""

import argparse
import http.cookiejar
import os
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from served import Site, use_django

READY = 3
MOST_SECONDS = 3.0


class Visitor:
    """A browser with cookies that clicks the button."""

    def __init__(self, port: int) -> None:
        self.site = f"http://127.0.0.1:{port}"
        self.cookies = http.cookiejar.CookieJar()
        handler = urllib.request.HTTPCookieProcessor(self.cookies)
        self.opener = urllib.request.build_opener(handler)
        self.seconds, self.page = 0.0, ""

    def come(self) -> None:
        """From the front page to one's own campaigns; a minute behind the others is given up."""
        self.opener.open(f"{self.site}/").read()
        began = time.monotonic()
        while time.monotonic() < began + 600:
            token = next(each.value for each in self.cookies if each.name == "csrftoken")
            form = urllib.parse.urlencode({"csrfmiddlewaretoken": token}).encode()
            answer = self.opener.open(f"{self.site}/demo/take/", form)
            self.page = answer.read().decode()
            if answer.geturl() == f"{self.site}/":
                break
            time.sleep(2)
        self.seconds = time.monotonic() - began


def wait_for(condition, seconds: float = 600) -> float:
    began = time.monotonic()
    while not condition():
        if time.monotonic() > began + seconds:
            sys.exit("A worker has not done its work in time.")
        time.sleep(0.2)
    return time.monotonic() - began


def cost_of_making() -> None:
    """One copy more, made here: seconds, processor time, statements, rows and bytes."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from judgments.exchange.public_demo import copies

    def size() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return cursor.fetchone()[0]

    before, began, cpu = size(), time.monotonic(), time.process_time()
    with CaptureQueriesContext(connection) as said:
        copies.make()
    took, cpu = time.monotonic() - began, time.process_time() - cpu
    megabytes = (size() - before) / 1e6
    print(
        f"making a copy: {took:.1f} s ({cpu:.1f} s of this processor), {len(said)} statements, "
        f"{megabytes:.1f} MB",
        flush=True,
    )


def measure(site: Site, n_visitors: int) -> int:
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.utils import timezone

    from judgments.models import DemoCopy

    def ready() -> int:
        return DemoCopy.objects.ready().count()

    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    print(f"the first {READY} copies are ready after {wait_for(lambda: ready() >= READY):.1f} s")
    cost_of_making()
    first = Visitor(site.port)
    first.come()
    print(f"one visitor: {first.seconds:.2f} s from the click to the page", flush=True)
    crowd = [Visitor(site.port) for _ in range(n_visitors)]
    threads = [threading.Thread(target=each.come) for each in crowd]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = sorted(each.seconds for each in crowd)
    shown = ", ".join(f"{each:.1f}" for each in seconds)
    print(f"{n_visitors} at the same moment: {shown} s", flush=True)
    n_taken = DemoCopy.objects.running().count()
    wait_for(lambda: ready() >= READY)
    n = DemoCopy.objects.count()
    DemoCopy.objects.update(taken_at=timezone.now(), ends_at=timezone.now())
    over = DemoCopy.objects.over()
    deleted = wait_for(lambda: not over.exists())
    print(f"{n} copies are deleted after {deleted:.1f} s, beside making {READY} new ones")
    wait_for(lambda: ready() >= READY)
    owners = set(DemoCopy.objects.values_list("manager", "annotator"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM judgments_deletedcampaign")
        left = cursor.fetchone()[0]
        cursor.execute("SELECT count(*) FROM judgments_testset")
        left += cursor.fetchone()[0] - len(owners)
    left += get_user_model().objects.filter(is_active=False, demo_copy=None).exclude(
        memberships__campaign__by_model=True
    ).count()  # fmt: skip
    print(f"left of them: {left} rows")
    is_well = first.seconds <= MOST_SECONDS and n_taken == n_visitors + 1 and not left
    return 0 if is_well else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--visitors", type=int, default=8)
    arguments = parser.parse_args()
    variables = {"MTEVAL_PUBLIC_DEMO": "true", "MTEVAL_PUBLIC_DEMO_READY": str(READY)}
    with tempfile.TemporaryDirectory(prefix="mteval-public-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        site = Site(folder / "var", folder / "site.log", environment=variables)
        try:
            site.start()
            site.wait()
            os.environ |= variables
            use_django(site.environment)
            return measure(site, arguments.visitors)
        finally:
            site.stop()


if __name__ == "__main__":
    sys.exit(main())
