"""More seats for batches that are planned: the same screens for more people."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import Count, Max

from judgments.models import Campaign, Item, ItemOutput, Task
from judgments.models.chains import record
from judgments.models.locks import lock_campaign, lock_members
from judgments.people.states import REPLACED, note_change
from judgments.people.workload.release import lock_all_seats
from judgments.people.workload.valid import Out, missing_items

from . import layout, rows
from .composition import PlanError, check_screens
from .design import keeps_order
from .errors import MOST_ITEMS
from .layout import PlannedScreen

EXPECTED = ("output_id", "dimension", "low", "high", "above_id")


@transaction.atomic
def extend(
    campaign: Campaign,
    *,
    seats: int,
    n_batches: int | None = None,
    batches: Collection[int] | None = None,
    rng,
) -> list[Task]:
    """Add so many seats to these batches (None: to all, or to n_batches with the fewest seats),
    each with the batch's screens, their outputs in a new random order. Raise PlanError, in words,
    when there are no such batches.

    The campaign's row is locked, so that two extensions get different seats; so does who splits a
    seat meanwhile.
    """
    check_screens(campaign)
    lock_campaign(campaign.pk)
    lock_all_seats(campaign.pk)
    planned = campaign.tasks.planned().order_by().values("batch").annotate(last=Max("seat"))
    last = dict(planned.values_list("batch", "last"))
    of_batch = {batch: (follows, wave) for batch, follows, wave in facts_of_batches(campaign)}
    if batches is None and n_batches is not None:
        batches = fewest_seats(campaign, n_batches, rng)
    choices = choices_of(campaign)
    chosen = sorted(last if batches is None else set(batches))
    if unknown := [str(batch) for batch in chosen if batch not in last]:
        raise PlanError(f"There is no batch {unknown[0]}.")
    screens = screens_of(campaign, chosen)
    if not screens:
        raise PlanError("There is nothing to judge yet: first plan who judges what.")
    if sum(map(len, screens.values())) * seats > MOST_ITEMS:
        raise PlanError(f"That is more than {MOST_ITEMS:,} items; choose some of the batches.")
    tasks = Task.objects.bulk_create(
        Task(
            campaign=campaign,
            batch=batch,
            seat=last[batch] + n,
            follows=of_batch[batch][0],
            wave=of_batch[batch][1],
            choice=choices.get(batch),
            n_items=len(screens[batch]),
        )
        for batch in screens
        for n in range(1, seats + 1)
    )
    orderer = None if keeps_order(campaign) else layout.Orderer(rng)
    rows.fill(tasks, screens, ("",), orderer)
    record.note(campaign.pk, "seats added", *record.WORK, only_new=True)
    return tasks


def fewest_seats(campaign: Campaign, n: int, rng) -> list[int]:
    """Return so many batches for which the fewest people are planned, by chance among equals."""
    seats = campaign.tasks.planned().filter(rest_of=None).order_by("batch").values_list("batch")
    counted = list(seats.annotate(Count("pk")))
    drawn = [counted[i] for i in rng.permutation(len(counted))]
    return [batch for batch, _ in sorted(drawn, key=lambda each: each[1])[:n]]


def facts_of_batches(campaign: Campaign):
    """Return (batch, the batch that it follows, its wave), which are the same of all its seats."""
    return campaign.tasks.order_by().values_list("batch", "follows", "wave").distinct()


@transaction.atomic
def plan_again(campaign: Campaign, *, reason: str, by, rng, user: int | None = None) -> list[Task]:
    """Return plan for others what people judged who are left out (or one of them), and nothing
    else: seats of the same batches, which nobody gets who had one of that batch. They are replaced
    from then on. Raise PlanError when nobody is left out."""
    check_screens(campaign)
    lock_campaign(campaign.pk)
    users = {user} & Out.of(campaign).left_out if user else Out.of(campaign).left_out
    if not users:
        raise PlanError("The work of everybody who is left out has already been planned again.")
    lock_members(campaign, users)
    lock_all_seats(campaign.pk)
    last = dict(campaign.tasks.order_by().values_list("batch").annotate(Max("seat")))
    wave_of = {batch: wave for batch, _, wave in facts_of_batches(campaign)}
    choices = choices_of(campaign)
    orderer = None if keeps_order(campaign) else layout.Orderer(rng)
    planned: list[Task] = []
    for one in sorted(users):
        missing = missing_items(campaign, frozenset([one])).select_related("task")
        items = list(missing.prefetch_related("expected_scores"))
        shown = shown_on(items)
        screens: dict[int, list[PlannedScreen]] = defaultdict(list)
        for item in sorted(items, key=lambda item: item.pk):
            screens[item.task.batch].append(screen_of(item, shown[item.pk]))
        for batch in screens:
            last[batch] += 1
        tasks = Task.objects.bulk_create(
            Task(
                campaign=campaign,
                batch=batch,
                seat=last[batch],
                wave=wave_of[batch],
                choice=choices.get(batch),
                n_items=len(screens[batch]),
            )
            for batch in sorted(screens)
        )
        rows.fill(tasks, screens, ("",), orderer)
        planned += tasks
        note_change(campaign, one, REPLACED, reason=reason, by=by)
    record.note(campaign.pk, "seats added", *record.WORK, only_new=True)
    return planned


def choices_of(campaign: Campaign) -> dict[int, Any]:
    """Return how the systems of each batch were drawn, where they were."""
    drawn = campaign.tasks.filter(seat=1, choice__isnull=False).order_by()
    return dict(drawn.values_list("batch", "choice"))


def screens_of(campaign: Campaign, batches: Collection[int]) -> dict[int, list[PlannedScreen]]:
    """Return what one seat of every batch shows, in the order in which it was planned, whoever
    holds the items now: what was left of a seat is part of it."""
    tasks = campaign.tasks.filter(batch__in=batches).order_by("batch", "seat")
    first: dict[int, int] = {}
    batch_of: dict[int, int] = {}  # the tasks of a batch's first seat, with its rests
    seats: dict[int, set[int]] = defaultdict(set)
    for pk, batch, seat, rest_of in tasks.values_list("pk", "batch", "seat", "rest_of"):
        if rest_of is None:
            first.setdefault(batch, seat)
        if first.get(batch) == seat or rest_of in seats[batch]:
            seats[batch].add(seat)
            batch_of[pk] = batch
    # Items of a task were stored in their order; their places change when a task is divided.
    of_seats = Item.objects.filter(task__in=batch_of).order_by("pk")
    items = list(of_seats.prefetch_related("expected_scores"))
    shown = shown_on(items)
    found: dict[int, list[PlannedScreen]] = defaultdict(list)
    for item in items:
        found[batch_of[item.task_id]].append(screen_of(item, shown[item.pk]))
    return dict(found)


def shown_on(items: Collection[Item]) -> dict[int, list[ItemOutput]]:
    """Return {item: what its screen shows, from the first place to the last}, without the texts."""
    found: dict[int, list[ItemOutput]] = defaultdict(list)
    of_items = ItemOutput.objects.filter(item__in=items).select_related("output", "altered")
    of_items = of_items.defer("output__text", "altered__text")
    for row in of_items.order_by("item", "position").iterator():
        found[row.item_id].append(row)
    return found


def screen_of(item: Item, shown: Collection[ItemOutput]) -> PlannedScreen:
    """Return the screen of an item as a plan has it: with its control, the text that was altered,
    and what a check expects."""
    return PlannedScreen(
        item.segment_id,
        tuple((row.output_id, row.output.system_id) for row in shown),
        part=item.part,
        kind=item.kind,
        control=item.control_output_id,
        control_kind=item.control_kind,
        altered=next((row.altered for row in shown if row.altered is not None), None),
        expected=tuple(
            {name: getattr(each, name) for name in EXPECTED} for each in item.expected_scores.all()
        ),
    )
