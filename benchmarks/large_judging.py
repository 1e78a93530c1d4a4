"""Whether judging, planning and importing stay as fast beside a campaign of five million judgments.

    python benchmarks/large_judging.py [--judgments 5000000] [--repeats 2]

In a throw-away PostgreSQL a batch of a hundred items of direct assessment is judged and multiplied
by SQL: batches, items, what they show, judgments, ratings, seals and chains, of five hundred
annotators. Before and after, in the same process and with fresh statistics:

first page   a new annotator of that campaign takes a batch and opens its first item
row          the next item, as the screen's script asks for it
submission   its answer
plan         2,000 items in batches of a hundred, in another campaign of the same test set
import       5,000 judgments into another campaign

Prints medians of the processor time of Python and PostgreSQL together, in milliseconds, which other
work on the machine disturbs less than the time that passes, and their ratios.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from wire import processor_seconds

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

BATCH, N_SEGMENTS, N_SYSTEMS, N_ANNOTATORS = 100, 100, 5, 500
N_FREE, N_IMPORTED = 8, 5000
FIRST = 10_000_000  # numbers of the copies begin here


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--judgments", type=int, default=5_000_000)
    parser.add_argument("--repeats", type=int, default=2, choices=(1, 2, 3))
    arguments = parser.parse_args()
    from tests.throw_away import throw_away

    with throw_away() as cluster:
        os.environ |= {
            "DATABASE_URL": cluster.url(),
            "SECRET_KEY": "benchmark",
            "RATE_LIMITS": "0",
            "POSTMASTER": (cluster.data / "postmaster.pid").read_text().split()[0],
            "ALLOWED_HOSTS": "testserver",
            "MTEVAL_VAR": tempfile.mkdtemp(prefix="mteval-bench-", dir="/tmp"),
            "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
        }
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        campaign, task = make()
        few = measure(campaign, arguments.repeats)
        started = time.perf_counter()
        multiply(campaign, task, arguments.judgments // BATCH)
        print(f"{arguments.judgments:,} judgments stored in {time.perf_counter() - started:.0f} s")
        many = measure(campaign, arguments.repeats)
    print(f"{'':12}{'few, ms':>10}{'many, ms':>10}{'ratio':>8}")
    for what, ms in few.items():
        print(f"{what:12}{ms:10.1f}{many[what]:10.1f}{many[what] / ms:8.2f}")


def make():
    """The campaign with a judged batch, and free batches for those who are measured."""
    from django.contrib.auth.models import User

    from judgments.models import Membership, Role
    from tests import factory

    owner = factory.make_user("owner")
    test_set = factory.make_test_set(owner, n_segments=N_SEGMENTS, n_systems=N_SYSTEMS)
    people = User.objects.bulk_create(
        User(username=f"annotator-{n}", password="!") for n in range(N_ANNOTATORS)
    )
    campaign = factory.make_campaign(test_set, preset="direct-assessment", owner=owner)
    Membership.objects.bulk_create(
        Membership(campaign=campaign, user=each, role=Role.ANNOTATOR, alias=each.username)
        for each in people
    )
    task = factory.make_task(campaign, people[0], n_outputs=1)
    for item in task.items.all():
        factory.judge(item, {slug_of(campaign): [50]})
    for batch in range(2, N_FREE + 2):
        factory.make_task(campaign, batch=batch, n_outputs=1)
    return campaign, task


def slug_of(campaign) -> str:
    """Of the one dimension."""
    from judgments.protocols import protocol_of

    (dimension,) = protocol_of(campaign).dimensions()
    return dimension.slug


def multiply(campaign, task, times: int) -> None:
    """Copy the batch, with all that belongs to it, so many times; triggers and checks are off."""
    from django.db import connection

    copy = f"generate_series(1, {times}) AS copy"
    item = f"{FIRST} + copy * {BATCH} + item.position"
    tables = {
        "judgments_task": (
            {"id": f"{FIRST} + copy", "batch": f"{FIRST} + copy",
             "annotator_id": f"(SELECT min(user_id) FROM judgments_membership WHERE campaign_id = "
                             f"{campaign.pk} AND role = 'annotator') + copy % {N_ANNOTATORS}"},
            f"judgments_task AS row WHERE row.id = {task.pk}",
        ),
        "judgments_item": (
            {"id": item.replace("item.", "row."), "task_id": f"{FIRST} + copy"},
            f"judgments_item AS row WHERE row.task_id = {task.pk}",
        ),
        "judgments_itemoutput": (
            {"id": item, "item_id": item},
            "judgments_itemoutput AS row JOIN judgments_item AS item ON item.id = row.item_id "
            f"WHERE item.task_id = {task.pk}",
        ),
        "judgments_judgment": (
            {"id": item, "item_id": item, "client_key": "gen_random_uuid()",
             "annotator_id": f"row.annotator_id + copy % {N_ANNOTATORS}"},
            "judgments_judgment AS row JOIN judgments_item AS item ON item.id = row.item_id "
            f"WHERE item.task_id = {task.pk}",
        ),
        "judgments_rating": (
            {"id": item, "judgment_id": item},
            "judgments_rating AS row JOIN judgments_judgment AS j ON j.id = row.judgment_id "
            f"JOIN judgments_item AS item ON item.id = j.item_id WHERE item.task_id = {task.pk}",
        ),
        "judgments_seal": (
            {"judgment_id": item, "task_id": f"{FIRST} + copy", "id": item},
            "judgments_seal AS row JOIN judgments_judgment AS j ON j.id = row.judgment_id "
            f"JOIN judgments_item AS item ON item.id = j.item_id WHERE item.task_id = {task.pk}",
        ),
        "judgments_chain": (
            {"task_id": f"{FIRST} + copy", "id": f"{FIRST} + copy"},
            f"judgments_chain AS row WHERE row.task_id = {task.pk}",
        ),
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        for table, (others, origin) in tables.items():
            columns = [
                c.name for c in connection.introspection.get_table_description(cursor, table)
            ]
            values = [others.get(column, f"row.{column}") for column in columns]
            source, _, condition = origin.partition(" WHERE ")
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} "
                f"FROM {source} CROSS JOIN {copy} WHERE {condition}"
            )
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("VACUUM ANALYZE")


def measure(campaign, repeats: int) -> dict[str, float]:
    from django.db import connection

    rounds = [a_round(campaign, number) for number in range(repeats + 1)]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return {what: statistics.median(each[what] for each in rounds[1:]) for what in rounds[0]}


def a_round(campaign, number: int) -> dict[str, float]:
    """Milliseconds of everything that is measured, once."""
    import re

    from django.contrib.auth.models import User
    from django.test import Client
    from django.urls import reverse

    from judgments.models import Membership, Role

    name = f"new-{time.time_ns()}"
    user = User.objects.create(username=name, password="!")
    Membership.objects.create(campaign=campaign, user=user, role=Role.ANNOTATOR, alias=name)
    client = Client()
    client.force_login(user)
    judge = reverse("judge", args=[campaign.pk])
    found: dict[str, float] = {}
    with timed(found, "first page"):
        assert client.get(judge).status_code == 200
        assert client.post(judge, follow=True).status_code == 200
    page = reverse("judge-item", args=[campaign.pk, 1])
    with timed(found, "row"):
        text = client.get(page, headers={"x-row": "1"}).content.decode()
    ticket = re.search(r'name="ticket" value="([^"]+)"', text)
    assert ticket
    with timed(found, "submission"):
        answer = client.post(page, {"ticket": ticket[1], f"output1-{slug_of(campaign)}": "50"})
        assert answer.status_code == 302, answer.content
    found |= plan_and_import(campaign, name)
    return found


def plan_and_import(campaign, name: str) -> dict[str, float]:
    from judgments.assignment import design
    from judgments.assignment.plan_settings import PlanSettings
    from judgments.importing import import_judgments
    from tests import factory

    found: dict[str, float] = {}
    owner = campaign.test_set.owner
    other = factory.make_campaign(
        campaign.test_set, preset="direct-assessment", owner=owner, name=name
    )
    with timed(found, "plan"):
        design.plan(other, PlanSettings(batch_items=BATCH, repeats=1, degraded=1))
    keys = list(campaign.test_set.segments.values_list("key", flat=True))
    systems = list(campaign.test_set.systems.values_list("name", flat=True))
    lines = ["annotator\tsegment\tsystem\tdimension\tvalue"]
    lines += [
        f"a{n // 500}\t{keys[n % 500 % len(keys)]}\t"
        f"{systems[n % 500 // len(keys)]}\t{slug_of(campaign)}\t50"
        for n in range(N_IMPORTED)
    ]
    imported = factory.make_campaign(
        campaign.test_set, preset="direct-assessment", owner=owner, name=f"{name} imported"
    )
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        with timed(found, "import"):
            assert import_judgments(imported, Path(file.name)).judgments == N_IMPORTED
    return found


class timed:
    def __init__(self, found: dict[str, float], what: str) -> None:
        self.found, self.what = found, what

    def __enter__(self) -> None:
        self.started = spent()

    def __exit__(self, *error: object) -> None:
        self.found[self.what] = 1000 * (spent() - self.started)


def spent() -> float:
    """Seconds of processor time of this process and of PostgreSQL."""
    return time.process_time() + processor_seconds(int(os.environ["POSTMASTER"]))


if __name__ == "__main__":
    main()
