"""A campaign whose first batch was judged and multiplied by SQL, and a small one beside it.

Batches, items, what they show, judgments, ratings, seals and chains of five hundred annotators are
copies of one batch's, with numbers of their own; triggers and checks are off meanwhile.
"""

from dataclasses import dataclass
from typing import Any

BATCH, N_SEGMENTS, N_SYSTEMS, N_ANNOTATORS = 100, 100, 5, 500
N_FREE = 20
FIRST = 10_000_000  # numbers of the copies begin here
FREE = 1_000_000  # batches that nobody has taken come after all that are judged
DAYS = 30  # over which the judgments were sent


# The columns of a table, without those that PostgreSQL makes of others.
WRITTEN = """
SELECT column_name FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = %s AND is_generated = 'NEVER'
"""


@dataclass(frozen=True)
class Judged:
    """A campaign, the task in it that is judged, the owner of both campaigns, and how many
    annotators' the copies are."""

    campaign: Any
    task: Any
    owner: Any
    n_annotators: int


def make(name: str, *, design: str = "paired", n_annotators: int = N_ANNOTATORS) -> Judged:
    """A campaign with a judged batch, and free batches for those who are measured."""
    from django.contrib.auth.models import User
    from django.utils import timezone

    from judgments.models import Judgment, Membership, Role, Task
    from judgments.models.chains.sealing import seal_all
    from tests import factory

    owner = User.objects.filter(username="owner").first() or factory.make_user("owner")
    owner.is_staff = True
    owner.save()
    test_set = factory.make_test_set(
        owner, n_segments=N_SEGMENTS, n_systems=N_SYSTEMS, name=f"texts of {name}"
    )
    people = User.objects.bulk_create(
        User(username=f"{name}-{n}", password="!") for n in range(n_annotators)
    )
    campaign = factory.make_campaign(
        test_set, preset="direct-assessment", owner=owner, name=name, plan={"design": design}
    )
    Membership.objects.bulk_create(
        Membership(campaign=campaign, user=each, role=Role.ANNOTATOR, alias=each.username)
        for each in people
    )
    task = factory.make_task(campaign, people[0], n_outputs=1)
    for item in task.items.all():
        factory.judge(item, {slug_of(campaign): [50]})
    seal_all()
    now = timezone.now()
    with factory.rewriting():
        Judgment.objects.filter(campaign=campaign).update(started_at=now, submitted_at=now)
    Task.objects.filter(pk=task.pk).update(claimed_at=now, leased_until=now, last_judged_at=now)
    for batch in range(N_FREE):
        factory.make_task(campaign, batch=FREE + batch, n_outputs=1)
    return Judged(campaign, task, owner, n_annotators)


def slug_of(campaign) -> str:
    """Of the one dimension."""
    from judgments.protocols import protocol_of

    (dimension,) = protocol_of(campaign).dimensions()
    return dimension.slug


def multiply(judged: Judged, times: int, first: int = FIRST) -> None:
    """Copy the judged batch so many times, each time with another system's outputs. first: where
    the numbers of these rows begin."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        for table, (others, origin) in copies(judged, times, first).items():
            cursor.execute(WRITTEN, [table])
            columns = [name for (name,) in cursor.fetchall()]
            values = [others.get(column, f"row.{column}") for column in columns]
            source, _, condition = origin.partition(" WHERE ")
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} "
                f"FROM {source} CROSS JOIN generate_series(1, {times}) AS copy WHERE {condition} "
                "ORDER BY copy, row"
            )
        cursor.execute("SET session_replication_role = origin")


def copies(judged: Judged, times: int, first: int) -> dict[str, tuple[dict[str, str], str]]:
    """By table: what is not as in the row that is copied, and which rows are copied."""
    of_task = f"item.task_id = {judged.task.pk}"
    with_item = f"AS row JOIN judgments_item AS item ON item.id = row.item_id WHERE {of_task}"
    with_judgment = (
        "AS row JOIN judgments_judgment AS j ON j.id = row.judgment_id "
        f"JOIN judgments_item AS item ON item.id = j.item_id WHERE {of_task}"
    )
    task = f"{first} + copy"
    item = f"{first} + copy * {BATCH} + item.position"
    output = f"row.output_id + copy % {N_SYSTEMS}"  # of one segment they follow each other
    annotator = f"{judged.task.annotator_id} + copy % {judged.n_annotators}"
    sent = f"now() - interval '{DAYS} days' * (1 - copy / {times}.0)"
    times_of = {"submitted_at": f"{sent} + item.position * interval '20 seconds'"}
    times_of["started_at"] = times_of["submitted_at"]
    return {
        "judgments_task": (
            {"id": task, "batch": "1 + copy", "annotator_id": annotator, "claimed_at": sent,
             "leased_until": sent, "last_judged_at": sent},
            f"judgments_task AS row WHERE row.id = {judged.task.pk}",
        ),
        "judgments_item": (
            {"id": item.replace("item.", "row."), "task_id": task},
            f"judgments_item AS row WHERE row.task_id = {judged.task.pk}",
        ),
        "judgments_itemoutput": (
            {"id": item, "item_id": item, "output_id": output},
            f"judgments_itemoutput {with_item}",
        ),
        "judgments_judgment": (
            {"id": item, "item_id": item, "client_key": "gen_random_uuid()",
             "annotator_id": annotator} | times_of,
            f"judgments_judgment {with_item}",
        ),
        "judgments_rating": (
            {"id": item, "judgment_id": item, "output_id": output},
            f"judgments_rating {with_judgment}",
        ),
        "judgments_seal": (
            {"judgment_id": item, "task_id": task},
            f"judgments_seal {with_judgment}",
        ),
        "judgments_chain": (
            {"task_id": task},
            f"judgments_chain AS row WHERE row.task_id = {judged.task.pk}",
        ),
    }  # fmt: skip
