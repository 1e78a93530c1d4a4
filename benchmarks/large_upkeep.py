"""What a large database costs its operator: ANALYZE, VACUUM, a backup, the deletion of a campaign.

For `many_campaigns.py`; the deletion is done by a process of its own, as the command does it, while
an annotator of another campaign answers four times a second in this one.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import hundred_campaigns

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

N_TABLES = 8  # that are printed, the largest
EVERY = 0.25  # seconds between answers
QUIET = 30.0  # seconds of answers before the deletion begins
SHOWN_SECONDS = 0.5  # statements of the deletion that take longer are printed
SIZES = """
SELECT relname, pg_table_size(oid), pg_indexes_size(oid), greatest(reltuples, 0)::bigint
FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
ORDER BY pg_total_relation_size(oid) DESC
"""


@contextmanager
def clock(what: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    print(f"{what}: {time.perf_counter() - began:.1f} s", flush=True)


def run(statement: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor, clock(statement):
        cursor.execute(statement)


def measure(folder: Path) -> None:
    """Sizes, ANALYZE, VACUUM of tables that were only added to and again, and a backup."""
    print_sizes()
    run("ANALYZE")
    run("VACUUM")
    run("VACUUM")
    backup = folder / "large.backup"
    backup.unlink(missing_ok=True)
    with clock("manage.py backup"):
        subprocess.run([sys.executable, "manage.py", "backup", str(backup)], cwd=ROOT, check=True)
    print(f"the backup has {backup.stat().st_size / 1e9:.2f} GB")
    backup.unlink()


def print_sizes() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        print(f"the database has {cursor.fetchone()[0] / 1e9:.1f} GB")
        cursor.execute(SIZES)
        for name, table, indexes, rows in cursor.fetchall()[:N_TABLES]:
            print(f"  {name}: {table / 1e9:.2f} GB, indexes {indexes / 1e9:.2f} GB, {rows:,} rows")


class Answers:
    """An annotator's answers in a campaign, and how long each took."""

    def __init__(self, campaign) -> None:
        from django.contrib.auth.models import User
        from django.test import Client
        from django.urls import reverse

        from judgments.models import Membership, Role

        name = f"new-{time.time_ns()}"
        user = User.objects.create(username=name, password="!")
        Membership.objects.create(campaign=campaign, user=user, role=Role.ANNOTATOR, alias=name)
        self.client = Client()
        self.client.force_login(user)
        self.judge = reverse("judge", args=[campaign.pk])
        self.field = "output1-" + slug_of(campaign)
        self.page = ""
        self.seconds: list[float] = []

    def __call__(self) -> None:
        """Open the next item, in a new batch where there is none, and answer it."""
        if not self.page:
            self.client.post(self.judge)
            self.page = self.client.get(self.judge)["Location"]
        number = self.page.rstrip("/").rpartition("/")[2]
        rows = self.client.get(self.page, headers={"x-rows": number}).json()["rows"]
        text = rows[number]
        ticket = re.search(r'name="ticket" value="([^"]+)"', text)
        assert ticket, text[:300]
        began = time.perf_counter()
        answer = self.client.post(self.page, {"ticket": ticket[1], self.field: "50"})
        self.seconds.append(time.perf_counter() - began)
        assert answer.status_code == 302, answer.content
        place = answer["Location"]
        self.page = place if re.search(r"/\d+/\d+/", place) else ""

    def report(self, when: str, since: int) -> None:
        ms = sorted(1000 * each for each in self.seconds[since:])
        print(
            f"answers {when}: {len(ms)}, median {statistics.median(ms):.1f} ms, "
            f"95 % within {ms[int(0.95 * len(ms))]:.1f} ms, longest {ms[-1]:.1f} ms",
            flush=True,
        )


def slug_of(campaign) -> str:
    from judgments.protocols import protocol_of

    (dimension,) = protocol_of(campaign).dimensions()
    return dimension.slug


def delete_while_others_answer() -> None:
    """The largest campaign; then VACUUM, which makes its place free for new rows."""
    from judgments.models import Campaign, Status

    largest = Campaign.objects.get(name=hundred_campaigns.LARGEST)
    Campaign.objects.filter(pk=largest.pk).update(status=Status.CLOSED)
    answers = Answers(Campaign.objects.get(name=hundred_campaigns.SMALL))
    end = time.monotonic() + QUIET
    while time.monotonic() < end:
        answers()
        time.sleep(EVERY)
    answers.report("before the deletion", 0)
    before = len(answers.seconds)
    command = [sys.executable, str(Path(__file__).resolve()), str(largest.pk)]
    with subprocess.Popen(command, env=os.environ) as deletion:
        while deletion.poll() is None:
            answers()
            time.sleep(EVERY)
    answers.report("during the deletion", before)
    run("VACUUM")
    print_sizes()


def delete(number: int) -> None:
    """What `manage.py delete_campaign` does, with the time of its statements."""
    import django

    django.setup()
    from django.db import connection

    from judgments.models import Campaign
    from judgments.test_sets.deletion.rows import contents, delete_campaign

    campaign = Campaign.objects.get(pk=number)

    def time_statement(execute, sql, params, many, context):
        began = time.perf_counter()
        found = execute(sql, params, many, context)
        if (seconds := time.perf_counter() - began) > SHOWN_SECONDS:
            print(f"  {seconds:.1f} s: {' '.join(sql.split())[:110]}", flush=True)
        return found

    with clock("its contents were counted"):
        found = contents(campaign)
    with connection.execute_wrapper(time_statement), clock("deleted in one transaction"):
        delete_campaign(campaign, by="operator", reason="Measured.")
    print(f"it had {found.judgments:,} judgments by {found.annotators} in {found.tasks:,} tasks")


if __name__ == "__main__":
    delete(int(sys.argv[1]))
