"""Additional seats for planned batches: the same screens for more people."""

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
    """Add seats to these batches (None: to all, or to n_batches with the fewest seats), each with
    the batch's screens, their outputs in a new random order. Raise PlanError, with a message, if
    there are no such batches.

    The campaign's row is locked, so that two extensions get different seats; splitting a seat locks
    it, too.
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
    """Return this many batches for which the fewest people are planned, at random among equals."""
    seats = campaign.tasks.planned().filter(rest_of=None).order_by("batch").values_list("batch")
    counted = list(seats.annotate(Count("pk")))
    drawn = [counted[i] for i in rng.permutation(len(counted))]
    return [batch for batch, _ in sorted(drawn, key=lambda each: each[1])[:n]]


def facts_of_batches(campaign: Campaign):
    """Return (batch, the batch that it follows, its wave), which are the same for all its seats."""
    return campaign.tasks.order_by().values_list("batch", "follows", "wave").distinct()


@transaction.atomic
def plan_again(campaign: Campaign, *, reason: str, by, rng, user: int | None = None) -> list[Task]:
    """Plan the judgments of excluded people (or of one of them) for others, and nothing else: seats
    of the same batches, for people who had none of that batch. The excluded people count as
    replaced from then on. Raise PlanError if nobody is excluded."""
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
    """Return how the systems of each batch were drawn, for batches with drawn systems."""
    drawn = campaign.tasks.filter(seat=1, choice__isnull=False).order_by()
    return dict(drawn.values_list("batch", "choice"))


def first_seats(campaign: Campaign, batches: Collection[int]) -> dict[int, int]:
    """Return {task: batch} for one seat of every batch, regardless of who has the items now: the
    rests of a seat are included."""
    tasks = campaign.tasks.filter(batch__in=batches).order_by("batch", "seat")
    first: dict[int, int] = {}
    batch_of: dict[int, int] = {}
    seats: dict[int, set[int]] = defaultdict(set)
    for pk, batch, seat, rest_of in tasks.values_list("pk", "batch", "seat", "rest_of"):
        if rest_of is None:
            first.setdefault(batch, seat)
        if first.get(batch) == seat or rest_of in seats[batch]:
            seats[batch].add(seat)
            batch_of[pk] = batch
    return batch_of


def screens_of(campaign: Campaign, batches: Collection[int]) -> dict[int, list[PlannedScreen]]:
    """Return the screens of one seat of every batch (`first_seats`), in the planned order."""
    batch_of = first_seats(campaign, batches)
    # Items of a task were stored in order; their positions change when a task is split.
    of_seats = Item.objects.filter(task__in=batch_of).order_by("pk")
    items = list(of_seats.prefetch_related("expected_scores"))
    shown = shown_on(items)
    found: dict[int, list[PlannedScreen]] = defaultdict(list)
    for item in items:
        found[batch_of[item.task_id]].append(screen_of(item, shown[item.pk]))
    return dict(found)


def shown_on(items: Collection[Item]) -> dict[int, list[ItemOutput]]:
    """Return {item: content of its screen, from the first place to the last}, without the texts."""
    found: dict[int, list[ItemOutput]] = defaultdict(list)
    of_items = ItemOutput.objects.filter(item__in=items).select_related("output", "altered")
    of_items = of_items.defer("output__text", "altered__text")
    for row in of_items.order_by("item", "position").iterator():
        found[row.item_id].append(row)
    return found


def screen_of(item: Item, shown: Collection[ItemOutput]) -> PlannedScreen:
    """Return the screen of an item as in a plan: with its control, the altered text, and the
    expected scores of a check."""
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
