"""More seats for batches that are planned: the same screens for more people."""

from collections import defaultdict
from collections.abc import Collection

from django.db import transaction
from django.db.models import Max

from judgments.models import Campaign, Item, ItemOutput, Task
from judgments.protocols import protocol_of

from . import layout
from .design import PlanError, check_screens

MOST_ITEMS = 500_000  # that are written at once


@transaction.atomic
def extend(
    campaign: Campaign, *, seats: int, batches: Collection[int] | None = None, rng
) -> list[Task]:
    """Add so many seats to these batches (None: to all), each with the batch's screens, their
    outputs in a new random order. Raises PlanError, in words, when there are no such batches.

    The campaign's row is locked, so that two extensions get different seats.
    """
    check_screens(campaign)
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    planned = campaign.tasks.order_by().values("batch").annotate(last=Max("seat"))
    last = dict(planned.values_list("batch", "last"))
    chosen = sorted(last if batches is None else set(batches))
    if unknown := [str(batch) for batch in chosen if batch not in last]:
        raise PlanError(f"There is no batch {unknown[0]}.")
    screens = screens_of(campaign, chosen)
    if not screens:
        raise PlanError("There is nothing to judge yet: plan who judges what first.")
    if sum(map(len, screens.values())) * seats > MOST_ITEMS:
        raise PlanError(f"That is more than {MOST_ITEMS:,} items; choose some of the batches.")
    tasks = Task.objects.bulk_create(
        Task(campaign=campaign, batch=batch, seat=last[batch] + n, n_items=len(screens[batch]))
        for batch in screens
        for n in range(1, seats + 1)
    )
    write(campaign, tasks, screens, rng)
    return tasks


def screens_of(campaign: Campaign, batches: Collection[int]) -> dict[int, list[Item]]:
    """The items of one seat of every batch, in the order in which they were planned, whoever holds
    them now: what was left of a seat is part of it."""
    tasks = campaign.tasks.filter(batch__in=batches).order_by("batch", "seat")
    first: dict[int, int] = {}
    own: dict[int, list[int]] = defaultdict(list)  # ids of a batch's first seat, with its rests
    seats: dict[int, set[int]] = defaultdict(set)
    for pk, batch, seat, rest_of in tasks.values_list("pk", "batch", "seat", "rest_of"):
        if rest_of is None:
            first.setdefault(batch, seat)
        if first.get(batch) == seat or rest_of in seats[batch]:
            seats[batch].add(seat)
            own[batch].append(pk)
    items = Item.objects.filter(task__in=[pk for ids in own.values() for pk in ids])
    found: dict[int, list[Item]] = defaultdict(list)
    # Items of a task were stored in their order; their places change when a task is divided.
    for item in items.select_related("task").order_by("pk").iterator():
        found[item.task.batch].append(item)
    return dict(found)


def write(campaign: Campaign, tasks: list[Task], screens: dict[int, list[Item]], rng) -> None:
    """The items of new tasks, as copies of the screens."""
    originals = [item.pk for items in screens.values() for item in items]
    shown: dict[int, list[tuple[int, int]]] = defaultdict(list)
    rows = ItemOutput.objects.filter(item__in=originals).order_by("item", "position")
    for item, output, system in rows.values_list("item", "output", "output__system"):
        shown[item].append((output, system))
    orderer = layout.Orderer(rng)
    # The segments of a document stay in their order.
    in_order = protocol_of(campaign).unit in ("document", "whole document")
    items, orders = [], []
    for task in tasks:
        for position, of in enumerate(screens[task.batch]):
            items.append(
                Item(
                    task=task,
                    position=position,
                    segment_id=of.segment_id,
                    kind=of.kind,
                    part=of.part,
                )
            )
            outputs = shown[of.pk]
            orders.append([o for o, _ in outputs] if in_order else orderer.order(outputs))
    Item.objects.bulk_create(items, batch_size=5000)
    ItemOutput.objects.bulk_create(
        (
            ItemOutput(item=item, output_id=output, position=place)
            for item, order in zip(items, orders, strict=True)
            for place, output in enumerate(order)
        ),
        batch_size=5000,
    )
