"""How many items are opened and judgments stored in a second, and how long one takes.

    python benchmarks/judging.py [--stored 1000 100000] [--at-once 1 16] [--seconds 3] [--repeats 5]
                                 [--preset direct-assessment]

A PostgreSQL of its own with full durability (fsync on), gunicorn as `./run` starts it (two
workers), and a client on the same machine that sends prepared requests over kept connections.
Every connection is another annotator. Opening is a GET of a judging screen, submitting a POST that
is answered once the judgment is on the disk. Prints requests per second and latency, the median of
the repeats, and the ratio of the throughput with many judgments stored to that with few.
"""

import argparse
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlencode

from databases import database_in

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

ITEMS_EACH = 4000  # waiting items of every measured annotator
JUDGED_EACH = 250  # stored judgments of every other annotator
N_SEGMENTS = 200


def main() -> None:
    arguments = parse_arguments()
    with (
        tempfile.TemporaryDirectory(prefix="mteval-bench-", dir="/tmp") as folder,
        database_in(Path(folder), durable=True),
    ):
        measure_all(arguments)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stored", type=int, nargs="+", default=[1000, 100_000])
    parser.add_argument("--at-once", type=int, nargs="+", default=[1, 16])
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--preset", default="direct-assessment")
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def measure_all(arguments: argparse.Namespace) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    campaign, annotators = make_campaign(arguments.preset, max(arguments.at_once))
    headers = [session_headers(user) for user in annotators]
    next_item = [0] * len(annotators)
    print(f"{arguments.preset}, {arguments.workers} workers, median of {arguments.repeats}")
    print(f"{'stored':>9} {'at once':>7} {'what':>7} {'per s':>7} {'p50 ms':>7} {'p95 ms':>7}")
    speeds: dict[tuple[int, int, str], float] = {}
    for stored in arguments.stored:
        store_judgments(campaign, stored)
        port = free_port()
        server = start_server(port, arguments.workers)
        try:
            for at_once in arguments.at_once:
                for what in ("open", "submit"):
                    bench = (campaign, annotators, headers, next_item, at_once, arguments)
                    rows = [measure(port, what, *bench) for _ in range(arguments.repeats)]
                    middle = [statistics.median(column) for column in zip(*rows, strict=True)]
                    speeds[stored, at_once, what] = middle[0]
                    print(
                        f"{stored:9,} {at_once:7} {what:>7} {middle[0]:7.0f} "
                        f"{middle[1]:7.1f} {middle[2]:7.1f}",
                        flush=True,
                    )
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
    few, many = arguments.stored[0], arguments.stored[-1]
    for at_once in arguments.at_once:
        for what in ("open", "submit"):
            ratio = speeds[many, at_once, what] / speeds[few, at_once, what]
            print(f"{what}, {at_once} at once: {many:,} stored / {few:,} stored = {ratio:.2f}")


# Rows


def make_campaign(preset: str, n_annotators: int):
    """A campaign with a long task for each measured annotator."""
    from tests import factory

    owner = factory.make_user("bench-owner")
    n_systems = 1 if preset == "direct-assessment" else 5
    test_set = factory.make_test_set(owner, n_segments=N_SEGMENTS, n_systems=n_systems)
    campaign = factory.make_campaign(test_set, preset=preset, owner=owner)
    annotators = [new_annotator(campaign, f"bench-{i}") for i in range(n_annotators)]
    for number, user in enumerate(annotators, 1):
        make_task(campaign, user, number, ITEMS_EACH)
    return campaign, annotators


def new_annotator(campaign, name):
    from judgments.models import Membership, Role
    from judgments.people import new_guest

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
    """Add annotators with finished tasks until so many judgments are stored."""
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


def session_headers(user) -> str:
    """The cookies of somebody who has signed in."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    cookies = f"{settings.SESSION_COOKIE_NAME}={session.session_key}; csrftoken={'x' * 32}"
    return f"Host: 127.0.0.1\r\nCookie: {cookies}\r\nConnection: keep-alive\r\n"


# Requests


def opening(campaign, number: int, header: str) -> bytes:
    return f"GET /judge/{campaign.pk}/{number}/ HTTP/1.1\r\n{header}\r\n".encode()


def submissions(campaign, user, first: int, count: int, header: str) -> list[bytes]:
    """POSTs that answer an annotator's items first … first + count − 1 (counted from 0)."""
    from django.utils import timezone

    from judgments.assignment.ticket import new_ticket
    from judgments.models import Item
    from judgments.protocols import protocol_of

    items = Item.objects.filter(task__annotator=user, position__gte=first)
    items = items.order_by("position").prefetch_related("shown")[:count]
    fields = {
        f"output{place}-{dimension.slug}": "4"
        for place in range(1, len(items[0].shown.all()) + 1)
        for dimension in protocol_of(campaign).dimensions()
    }
    opened = timezone.now() - timedelta(seconds=30)
    requests = []
    for item in items:
        number = item.position + 1
        ticket = new_ticket(item.pk, user.pk, number, opened, campaign.guideline_version).seal()
        body = urlencode(
            {"csrfmiddlewaretoken": "x" * 32, "ticket": ticket, "active_ms": "20000"} | fields
        )
        requests.append(
            (
                f"POST /judge/{campaign.pk}/{number}/ HTTP/1.1\r\n{header}"
                "Content-Type: application/x-www-form-urlencoded\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}"
            ).encode()
        )
    return requests


def measure(port, what, campaign, annotators, headers, next_item, at_once, arguments):
    """(requests per second, median latency in ms, 95th percentile) over `arguments.seconds`.

    Those work who have most left to do; nobody's items run out within a run.
    """
    people = sorted(range(len(annotators)), key=lambda i: next_item[i])[:at_once]
    queues = []
    for i in people:
        if what == "open":
            numbers = range(1, ITEMS_EACH + 1)
            queues.append([opening(campaign, n, headers[i]) for n in numbers])
        else:
            budget = min(int(arguments.seconds * 1500 / at_once) + 50, ITEMS_EACH - next_item[i])
            queues.append(submissions(campaign, annotators[i], next_item[i], budget, headers[i]))
    expected = b"200" if what == "open" else b"302"
    latencies, done, elapsed = drive(port, queues, arguments.seconds, expected)
    if what == "submit":
        for i, count in zip(people, done, strict=True):
            next_item[i] += count
    latencies.sort()
    return (
        len(latencies) / elapsed,
        1000 * latencies[len(latencies) // 2],
        1000 * latencies[int(len(latencies) * 0.95)],
    )


def drive(port: int, queues: list[list[bytes]], seconds: float, expected: bytes):
    """Send each connection's requests one after the other, all connections at once."""
    selector = selectors.DefaultSelector()
    done, latencies = [0] * len(queues), []
    started = time.perf_counter()
    for i in range(len(queues)):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(connection, selectors.EVENT_READ, [i, b"", time.perf_counter()])
        connection.sendall(queues[i][0])
    while selector.get_map():
        for key, _ in selector.select():
            assert isinstance(key.fileobj, socket.socket)
            connection, state = key.fileobj, key.data
            state[1] += connection.recv(262_144)
            if not complete(state[1]):
                continue
            i, answer, sent = state
            if answer[9:12] != expected:
                raise SystemExit(f"unexpected answer: {answer[:2000].decode(errors='replace')}")
            now = time.perf_counter()
            latencies.append(now - sent)
            done[i] += 1
            if now - started > seconds or done[i] == len(queues[i]):
                selector.unregister(connection)
                connection.close()
                continue
            state[1], state[2] = b"", now
            connection.sendall(queues[i][done[i]])
    return latencies, done, time.perf_counter() - started


def complete(answer: bytes) -> bool:
    head, separator, body = answer.partition(b"\r\n\r\n")
    if not separator:
        return False
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return len(body) >= int(value)
    return b"0\r\n\r\n" in body  # chunked


# The server


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_server(port: int, workers: int) -> subprocess.Popen:
    command = [sys.executable, "-m", "gunicorn", "mteval_site.wsgi", "--workers", str(workers)]
    command += ["--worker-class", "gthread", "--threads", "4", "--bind", f"127.0.0.1:{port}"]
    command += ["--keep-alive", "5", "--no-control-socket"]
    server = subprocess.Popen(command, cwd=ROOT)
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/about/").read()
            return server
        except OSError:
            time.sleep(0.1)
    raise SystemExit("The web server did not start.")


if __name__ == "__main__":
    main()
