"""The edits that a campaign judges. They are of another campaign, whose judgments are not in the
bundle; each is there with its editor's pseudonym."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from judgments.models import (
    Campaign,
    Item,
    Judgment,
    Membership,
    Output,
    PostEdit,
    Role,
    Task,
)
from judgments.protocols import PRESETS, protocol_of

JUDGED = "judged-edits"
PRESET = "sentence-editing"
AT_ONCE = 2000


def judged_edits(campaign: Campaign) -> QuerySet[PostEdit]:
    """Return those that items name in their `part`."""
    if protocol_of(campaign).unit != "edit":
        return PostEdit.objects.none()
    parts = Item.objects.filter(task__campaign=campaign).values_list("part", flat=True)
    found = PostEdit.objects.filter(pk__in={int(part) for part in parts if part.isdecimal()})
    return found.filter(output__segment__test_set=campaign.test_set_id)


def edit_objects(campaign: Campaign) -> Iterator[dict[str, Any]]:
    names = ("id", "output", "outcome", "text", "annotator")
    rows = judged_edits(campaign).order_by("pk")
    for row in rows.values_list("pk", "output", "outcome", "text", "judgment__annotator"):
        yield dict(zip(names, row, strict=True))


def part_of(part: str, edits: dict[int, int]) -> str:
    """Return what the `part` of an item is in the copy: the number of its edit there. An edit that
    is not there any more is none, and not the one that has its number here."""
    return str(edits.get(int(part), "")) if part.isdecimal() else part


def add_edits(
    rows: list[dict[str, Any]], copy: Campaign, people: dict[int, str], numbers: dict
) -> None:
    """Store the edits under the numbers that they have been given, in a campaign of their own.

    people: names by the numbers that users have in the bundle.
    """
    if not rows:
        return
    campaign = Campaign.objects.create(
        name="Edits", test_set=copy.test_set, protocol=PRESETS[PRESET].protocol, preset=PRESET
    )
    tasks = {}
    for batch, person in enumerate(dict.fromkeys(row["annotator"] for row in rows), 1):
        user = numbers["people"][person]
        Membership.objects.create(
            campaign=campaign, user_id=user, role=Role.ANNOTATOR, alias=people[person]
        )
        tasks[person] = Task.objects.create(campaign=campaign, batch=batch, annotator_id=user)
    segments = dict(
        Output.objects.filter(system__test_set=copy.test_set).values_list("pk", "segment")
    )
    outputs = [numbers["outputs"][row["output"]] for row in rows]
    items = Item.objects.bulk_create(
        Item(task=tasks[row["annotator"]], position=n, segment_id=segments[output])
        for n, (row, output) in enumerate(zip(rows, outputs, strict=True), 1)
    )
    judgments = Judgment.objects.bulk_create(
        Judgment(
            item=item,
            campaign=campaign,
            annotator=item.task.annotator,
            client_key=uuid.uuid4(),
        )
        for item in items
    )
    PostEdit.objects.bulk_create(
        PostEdit(
            pk=numbers[JUDGED][row["id"]],
            judgment=judgment,
            output_id=output,
            outcome=row["outcome"],
            text=row["text"],
        )
        for row, output, judgment in zip(rows, outputs, judgments, strict=True)
    )
