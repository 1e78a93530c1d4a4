"""Small, real rows for tests: people, texts, campaigns, work and judgments."""

import contextlib
import uuid

from django.contrib.auth import get_user_model
from django.db import connection, transaction

from judgments.models import (
    Campaign,
    Document,
    Item,
    ItemOutput,
    Judgment,
    Membership,
    Output,
    Preference,
    Rating,
    Reference,
    Role,
    Segment,
    Status,
    System,
    Task,
    TestSet,
)
from judgments.protocols import PRESETS
from mteval_site import grants
from mteval_site.local import postgres

PASSWORD = "correct horse battery"


def make_user(username, **fields):
    """Return a user with the password PASSWORD."""
    user = get_user_model()(username=username, **fields)
    user.set_password(PASSWORD)
    user.save()
    return user


def make_test_set(
    owner,
    *,
    n_segments=4,
    n_systems=3,
    n_documents=2,
    source_language="de",
    target_language="en",
    name="Small set",
):
    """Return a test set with one reference; texts say which segment and how many words they
    have."""
    test_set = TestSet.objects.create(
        name=name, owner=owner, source_language=source_language, target_language=target_language
    )
    documents = [
        Document.objects.create(test_set=test_set, name=f"doc{d}", position=d)
        for d in range(n_documents)
    ]
    systems = [
        System.objects.create(test_set=test_set, name=f"System-{chr(65 + s)}")
        for s in range(n_systems)
    ]
    per_document = -(-n_segments // n_documents)
    segments = Segment.objects.bulk_create(
        Segment(
            test_set=test_set,
            document=documents[i // per_document],
            key=str(i + 1),
            position=i,
            source=f"Quelltext Nummer {i + 1} steht hier .",
        )
        for i in range(n_segments)
    )
    Reference.objects.bulk_create(
        Reference(segment=segment, text=f"Source text number {segment.key} stands here .")
        for segment in segments
    )
    endings = [" stands wrong"[: 14 * s] + " here" * (s + 1) for s in range(n_systems)]
    Output.objects.bulk_create(
        Output(segment=segment, system=system, text=f"Source text number {segment.key}{ending}")
        for segment in segments
        for system, ending in zip(systems, endings, strict=True)
    )
    return test_set


def take_texts(test_set):
    """Remove the texts of a test set but not its keys, as if it had been imported without texts."""
    Reference.objects.filter(segment__test_set=test_set).delete()
    Segment.objects.filter(test_set=test_set).update(source="")
    Output.objects.filter(system__test_set=test_set).update(text="")
    test_set.has_texts = False
    test_set.save()
    return test_set


def make_campaign(
    test_set, *, preset="adequacy-fluency", owner=None, annotators=(), researchers=(), **fields
):
    """Return an open campaign with the given members; annotators' aliases are their user names."""
    fields = {"name": "Small campaign", "status": Status.OPEN} | fields
    campaign = Campaign.objects.create(
        test_set=test_set,
        protocol=PRESETS[preset].protocol,
        preset=preset,
        options=fields.pop("options", dict(PRESETS[preset].options)),
        **fields,
    )
    for role, users in (
        (Role.OWNER, [owner] if owner else []),
        (Role.RESEARCHER, researchers),
        (Role.ANNOTATOR, annotators),
    ):
        for user in users:
            Membership.objects.create(
                campaign=campaign, user=user, role=role, alias=user.get_username()
            )
    return campaign


def make_task(campaign, annotator=None, *, batch=1, seat=1, segments=None, n_outputs=None):
    """Return a task with one item per segment, outputs in the order of their systems' names.

    In a pairwise campaign every item shows the first two outputs unless n_outputs says otherwise.
    """
    if n_outputs is None and campaign.protocol == "pairwise":
        n_outputs = 2
    segments = list(segments or campaign.test_set.segments.all())
    task = Task.objects.create(
        campaign=campaign, annotator=annotator, batch=batch, seat=seat, n_items=len(segments)
    )
    items = Item.objects.bulk_create(
        Item(task=task, position=position, segment=segment)
        for position, segment in enumerate(segments)
    )
    outputs: dict[int, list[Output]] = {}
    for output in Output.objects.filter(segment__in=segments).order_by("system__name"):
        outputs.setdefault(output.segment_id, []).append(output)
    ItemOutput.objects.bulk_create(
        ItemOutput(item=item, output=output, position=place)
        for item in items
        for place, output in enumerate(outputs.get(item.segment_id, [])[:n_outputs])
    )
    return task


def seat(task, annotator):
    """Give the task to an annotator, without a lease."""
    task.annotator = annotator
    task.save(update_fields=["annotator"])
    return task


def judge(item, values, *, annotator=None, active_ms=1000, supersedes=None):
    """Store a judgment with its counters. `values`: a dict of dimension → list of one value per
    shown output, or −1, 0, +1 as the preference of the first over the second."""
    task = item.task
    judgment = Judgment.objects.create(
        item=item,
        campaign=task.campaign,
        annotator=annotator or task.annotator,
        client_key=uuid.uuid4(),
        active_ms=active_ms,
        supersedes=supersedes,
        revision=supersedes.revision + 1 if supersedes else 1,
    )
    shown = [row.output_id for row in item.shown.order_by("position")]
    if isinstance(values, int):
        Preference.objects.create(
            judgment=judgment, output_a_id=shown[0], output_b_id=shown[1], value=values
        )
    else:
        Rating.objects.bulk_create(
            Rating(judgment=judgment, output_id=output, dimension=dimension, value=value)
            for dimension, column in values.items()
            for output, value in zip(shown, column, strict=True)
        )
    if not item.is_judged:
        item.is_judged = True
        item.save()
        task.n_judged += 1
    task.active_ms += active_ms
    task.save()
    return judgment


@contextlib.contextmanager
def rewriting():
    """Allow altering and deleting rows of append-only tables, as a superuser could.

    Foreign keys are not checked meanwhile. Only the tests' own PostgreSQL allows this.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield
        cursor.execute("SET LOCAL session_replication_role = origin")


@contextlib.contextmanager
def serving():
    """Run the block as the role of web server and workers, with only its rights."""
    with connection.cursor() as cursor:
        grants.grant(cursor, postgres.WEB)
        cursor.execute(f"SET LOCAL ROLE {postgres.WEB}")
        yield
        cursor.execute("RESET ROLE")


# Options that presets leave to the manager.
LEFT_OPEN: dict[str, dict] = {
    "custom-rating": {"dimensions": [{"slug": "trust", "low": 1, "high": 3}]}
}
