"""Items opened and judgments stored per second, compared with plain Django.

    python benchmarks/judging.py [--stored 1000 100000] [--at-once 1 16] [--seconds 3] [--repeats 5]
                                 [--preset direct-assessment]

Uses a separate PostgreSQL with full durability (fsync on), gunicorn as started by `./run` (two
workers), and a client on the same machine that sends prepared requests over persistent connections.
Every connection is a different annotator, with batches of a hundred items. A page is a GET of a
judging screen, "five rows" the same GET as sent by a screen's script for five items to come, a
submission a POST that is answered once the judgment is on the disk.

The floor (benchmarks/floor.py) is a site as created by `startproject`, on the same gunicorn and in
the same database: a page for a signed-in user with one query, and a POST that inserts one row. All
five kinds take turns in each repeat. Prints requests per second, latency and milliseconds of
processor time of Python and PostgreSQL for one request, medians of the repeats; then the share of
the floor that each reaches, in requests per second and by processor time (which other work on the
machine disturbs less), and the effect of many stored judgments.
"""

import argparse
import sys
import tempfile
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from databases import database_in
from wire import Speed, free_port, measured, middle, start_server, stop_server

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

TASKS_EACH, TASK_ITEMS = 15, 100  # batches of every measured annotator, and their items
ITEMS_EACH = TASKS_EACH * TASK_ITEMS
JUDGED_EACH = 250  # stored judgments of every other annotator
N_SEGMENTS = 200
N_NOTES = 100_000
FLOOR_TABLE = f"""
CREATE TABLE floor_note (
    id bigserial PRIMARY KEY,
    author_id integer NOT NULL REFERENCES auth_user (id),
    text text NOT NULL,
    made_at timestamptz NOT NULL
);
INSERT INTO floor_note (author_id, text, made_at)
SELECT (SELECT min(id) FROM auth_user), 'A note, as long as a sentence.', now()
FROM generate_series(1, {N_NOTES});
CREATE INDEX ON floor_note (author_id);
"""


def main() -> None:
    arguments = parse_arguments()
    with (
        tempfile.TemporaryDirectory(prefix="mteval-bench-", dir="/tmp") as folder,
        database_in(Path(folder), durable=True) as postmaster,
    ):
        measure_all(arguments, postmaster)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stored", type=int, nargs="+", default=[1000, 100_000])
    parser.add_argument("--at-once", type=int, nargs="+", default=[1, 16])
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--preset", default="direct-assessment")
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


@dataclass(frozen=True)
class Bench:
    """The measured objects: the campaign, its annotators (users, their headers on the site and on
    the floor), and the next unanswered item of each."""

    campaign: Any
    annotators: list
    headers: list[str]
    floor_headers: list[str]
    next_item: list[int]


# For each kind of request: the server, the status, and its floor.
KINDS = {
    "floor page": ("floor", b"200", ""),
    "page": ("site", b"200", "floor page"),
    "five rows": ("site", b"200", "floor page"),
    "floor POST": ("floor", b"302", ""),
    "submission": ("site", b"302", "floor POST"),
}


def measure_all(arguments: argparse.Namespace, postmaster: int) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    bench = make_bench(arguments.preset, max(arguments.at_once))
    print(f"{arguments.preset}, {arguments.workers} workers, median of {arguments.repeats}")
    print(
        f"{'stored':>9}{'at once':>8}{'what':>12}{'per s':>7}{'p50 ms':>8}{'p95 ms':>8}"
        f"{'Python ms':>11}{'PostgreSQL ms':>15}"
    )
    found: dict[tuple[int, int], dict[str, Speed]] = {}
    for stored in arguments.stored:
        store_judgments(bench.campaign, stored)
        ports = {"floor": free_port(), "site": free_port()}
        servers = {
            "floor": start_server("floor:application", ports["floor"], arguments.workers),
            "site": start_server("mteval_site.wsgi", ports["site"], arguments.workers),
        }
        try:
            for at_once in arguments.at_once:
                pids = {name: (server.pid, postmaster) for name, server in servers.items()}
                speeds = take_turns(bench, ports, pids, at_once, arguments)
                found[stored, at_once] = speeds
                for what, speed in speeds.items():
                    print(
                        f"{stored:9,}{at_once:8}{what:>12}{speed.per_second:7.0f}{speed.p50:8.1f}"
                        f"{speed.p95:8.1f}{speed.python:11.2f}{speed.postgres:15.2f}",
                        flush=True,
                    )
        finally:
            for server in servers.values():
                stop_server(server)
    print_shares(found, arguments)


def take_turns(bench: Bench, ports, pids, at_once: int, arguments) -> dict[str, Speed]:
    """Make each kind of request once in every repeat, and once before that does not count:
    processes cache the annotators and the words of their items."""
    runs: dict[str, list[Speed]] = {what: [] for what in KINDS}
    for repeat in range(arguments.repeats + 1):
        for what, (server, expected, _) in KINDS.items():
            # Annotators with the most work left are used; no items run out within a run.
            people = range(len(bench.annotators))
            chosen = sorted(people, key=lambda i: bench.next_item[i])[:at_once]
            queues = [requests_of(bench, what, i, arguments.seconds, at_once) for i in chosen]
            found = measured(ports[server], queues, arguments.seconds, expected, pids[server])
            speed, done = found
            if what == "submission":
                for i, count in zip(chosen, done, strict=True):
                    bench.next_item[i] += count
            if repeat:
                runs[what].append(speed)
    return {what: middle(speeds) for what, speeds in runs.items()}


def requests_of(bench: Bench, what: str, i: int, seconds: float, at_once: int) -> list[bytes]:
    """Return more requests than annotator `i` can send in the time."""
    numbers = range(1, ITEMS_EACH + 1)
    header, floor_header = bench.headers[i], bench.floor_headers[i]
    match what:
        case "floor page":
            return [asking(f"/note/{n}/", floor_header) for n in numbers]
        case "floor POST":
            body = urlencode({"csrfmiddlewaretoken": "x" * 32, "text": "A note."})
            return [posting(f"/note/{n}/", floor_header, body) for n in numbers]
        case "page":
            return [asking(f"/judge/{bench.campaign.pk}/{n}/", header) for n in numbers]
        case "five rows":
            return [
                asking(
                    f"/judge/{bench.campaign.pk}/{n}/",
                    f"{header}X-Rows: {','.join(map(str, range(n, n + 5)))}\r\n",
                )
                for n in numbers
            ]
    budget = min(int(seconds * 1500 / at_once) + 50, ITEMS_EACH - bench.next_item[i])
    return submissions(bench.campaign, bench.annotators[i], bench.next_item[i], budget, header)


def print_shares(found: dict[tuple[int, int], dict[str, Speed]], arguments) -> None:
    for (stored, at_once), speeds in found.items():
        for what, (_, _, floor) in KINDS.items():
            if floor:
                share = speeds[what].per_second / speeds[floor].per_second
                processor = speeds[floor].processor / speeds[what].processor
                print(
                    f"{what}, {at_once} at once, {stored:,} stored: {share:.2f} of its floor, "
                    f"{processor:.2f} by processor time"
                )
    few, many = arguments.stored[0], arguments.stored[-1]
    if few == many:
        return
    for at_once in arguments.at_once:
        for what, (server, _, _) in KINDS.items():
            if server == "site":
                ratio = found[many, at_once][what].per_second
                ratio /= found[few, at_once][what].per_second
                print(f"{what}, {at_once} at once: {many:,} stored / {few:,} stored = {ratio:.2f}")


# Rows


def make_bench(preset: str, n_annotators: int) -> Bench:
    """Return a campaign with a long task for each measured annotator, and the table of the
    floor."""
    from django.db import connection

    from tests import factory

    owner = factory.make_user("bench-owner")
    n_systems = 1 if preset == "direct-assessment" else 5
    test_set = factory.make_test_set(owner, n_segments=N_SEGMENTS, n_systems=n_systems)
    campaign = factory.make_campaign(test_set, preset=preset, owner=owner)
    annotators = [new_annotator(campaign, f"bench-{i}") for i in range(n_annotators)]
    for number, user in enumerate(annotators, 1):
        for batch in range(TASKS_EACH):
            make_task(campaign, user, number * TASKS_EACH + batch, TASK_ITEMS)
    with connection.cursor() as cursor:
        cursor.execute(FLOOR_TABLE)
    plain = "django.contrib.auth.backends.ModelBackend"
    return Bench(
        campaign,
        annotators,
        [session_headers(user) for user in annotators],
        [session_headers(user, plain) for user in annotators],
        [0] * n_annotators,
    )


def new_annotator(campaign, name):
    from judgments.models import Membership, Role
    from judgments.people.members.members import new_guest

    user = new_guest()
    Membership.objects.create(campaign=campaign, user=user, role=Role.ANNOTATOR, alias=name)
    return user


def make_task(campaign, user, batch, n_items):
    from django.utils import timezone

    from judgments.models import Item, ItemOutput, Task

    outputs: dict[int, list[int]] = {}
    for segment in campaign.test_set.segments.prefetch_related("outputs"):
        outputs[segment.pk] = [output.pk for output in segment.outputs.all()]
    segments = list(outputs)
    task = Task.objects.create(
        campaign=campaign, batch=batch, annotator=user, n_items=n_items, claimed_at=timezone.now()
    )
    items = Item.objects.bulk_create(
        Item(task=task, position=i, segment_id=segments[i % len(segments)]) for i in range(n_items)
    )
    ItemOutput.objects.bulk_create(
        ItemOutput(item=item, output_id=output, position=place)
        for item in items
        for place, output in enumerate(outputs[item.segment_id])
    )
    return task


def store_judgments(campaign, wanted: int) -> None:
    """Add annotators with finished tasks until that many judgments are stored."""
    import uuid

    from django.db import connection

    from judgments.models import Item, Judgment, Rating, Task
    from judgments.protocols import protocol_of

    dimensions = protocol_of(campaign).dimensions()
    batch = Task.objects.count() + 1000
    while (missing := wanted - Judgment.objects.count()) > 0:
        batch += 1
        user = new_annotator(campaign, f"stored-{batch}")
        task = make_task(campaign, user, batch, min(JUDGED_EACH, missing))
        items = list(task.items.prefetch_related("shown"))
        judgments = Judgment.objects.bulk_create(
            Judgment(item=i, campaign=campaign, annotator=user, client_key=uuid.uuid4())
            for i in items
        )
        Rating.objects.bulk_create(
            Rating(judgment=judgment, output_id=row.output_id, dimension=dimension.slug, value=3)
            for judgment in judgments
            for row in judgment.item.shown.all()
            for dimension in dimensions
        )
        Item.objects.filter(task=task).update(is_judged=True)
        Task.objects.filter(pk=task.pk).update(n_judged=len(items))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def session_headers(user, backend: str = "judgments.people.accounts.backends.ModelBackend") -> str:
    """Return the cookies of a signed-in user."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = backend
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    cookies = f"{settings.SESSION_COOKIE_NAME}={session.session_key}; csrftoken={'x' * 32}"
    return f"Host: 127.0.0.1\r\nCookie: {cookies}\r\nConnection: keep-alive\r\n"


# Requests


def asking(path: str, header: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\n{header}\r\n".encode()


def posting(path: str, header: str, body: str) -> bytes:
    return (
        f"POST {path} HTTP/1.1\r\n{header}"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


def submissions(campaign, user, first: int, count: int, header: str) -> list[bytes]:
    """Return POSTs that answer an annotator's items first … first + count − 1 (counted from 0)."""
    from django.utils import timezone

    from judgments.judging.ticket import new_ticket
    from judgments.models import Item
    from judgments.protocols import protocol_of

    items = Item.objects.filter(task__annotator=user).order_by("task__assigned_at", "position")
    items = items.prefetch_related("shown")[first : first + count]
    fields = {
        f"output{place}-{dimension.slug}": "4"
        for place in range(1, len(items[0].shown.all()) + 1)
        for dimension in protocol_of(campaign).dimensions()
    }
    opened = timezone.now() - timedelta(seconds=30)
    requests = []
    for number, item in enumerate(items, first + 1):
        ticket = new_ticket(item.pk, user.pk, number, opened, campaign.guideline_version).seal()
        body = urlencode(
            {"csrfmiddlewaretoken": "x" * 32, "ticket": ticket, "active_ms": "20000"} | fields
        )
        requests.append(posting(f"/judge/{campaign.pk}/{number}/", header, body))
    return requests


if __name__ == "__main__":
    main()
