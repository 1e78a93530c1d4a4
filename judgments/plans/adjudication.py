"""What two clash on, judged by a third person whom somebody names."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from judgments.models import Adjudication, Campaign, Item, ItemOutput, Kind, Membership, Task
from judgments.models.chains import record
from judgments.models.locks import lock_campaign, lock_members
from judgments.people.states import may_work_now
from judgments.people.workload.release import lock_all_seats
from judgments.protocols import protocol_of

from . import layout, rows
from .composition import PlanError, check_screens
from .design import keeps_order
from .layout import PlannedScreen
from .seats import shown_on


@dataclass(frozen=True)
class Disputed:
    """first, second: items (ids). output: the one they clash on, on the dimension; None where
    outputs are compared."""

    first: int
    second: int
    output: int | None = None
    dimension: str = ""


def may_be_adjudicated(campaign: Campaign) -> bool:
    """Return whether a third person can be asked: the screens of answers are documents with
    questions, which nobody is to read twice."""
    protocol = protocol_of(campaign)
    return campaign.is_open and "answers" not in protocol.kinds and not protocol.why_only_read()


@transaction.atomic
def adjudicate(
    campaign: Campaign, disputed: Collection[Disputed], third: Membership, *, by: Any, rng: Any
) -> Task:
    """Plan a task for the third person: the screens of these clashes, without their control items,
    in a new random order. Raise PlanError, in words, where they cannot be asked."""
    check_screens(campaign)
    campaign = lock_campaign(campaign.pk)
    if not may_be_adjudicated(campaign):
        raise PlanError("Open the campaign first: nobody can judge in it now.")
    lock_members(campaign, [third.user_id])
    lock_all_seats(campaign.pk)
    third.refresh_from_db(fields=["removed_at"])
    if third.removed_at or not may_work_now(third):
        raise PlanError(f"{third.alias} is not working in this campaign now.")
    tasks = Task.objects.filter(items__in=[each.first for each in disputed])
    waves = set(tasks.values_list("wave", flat=True))
    if len(waves) > 1:
        raise PlanError(
            "These clashes come from several waves of the plan. Choose clashes from one wave."
        )
    screens = screens_of(campaign, [each.first for each in disputed])
    outputs = {pk for screen in screens.values() for pk, _ in screen.outputs}
    n_had = n_judged_by(third, outputs)
    if n_had:
        raise PlanError(
            f"{third.alias} has {n_had} of these translations among their own items. Choose "
            "somebody else, or other clashes."
        )
    last = campaign.tasks.order_by().aggregate(last=Max("batch"))["last"]
    planned = list(dict.fromkeys(screens.values()))
    order = [planned[i] for i in rng.permutation(len(planned))]
    task = Task.objects.create(
        campaign=campaign,
        batch=last + 1,
        annotator_id=third.user_id,
        claimed_at=timezone.now(),
        is_adjudication=True,
        wave=waves.pop(),
        n_items=len(order),
    )
    orderer = None if keeps_order(campaign) else layout.Orderer(rng)
    rows.fill([task], {task.batch: order}, ("",), orderer)
    if not protocol_of(campaign).fit_for(third.user_id, Task.objects.filter(pk=task.pk)).exists():
        raise PlanError(f"{third.alias} has made some of these translations. Choose somebody else.")
    made = dict(zip(order, task.items.order_by("position"), strict=True))
    ask(campaign, disputed, {pk: made[screen] for pk, screen in screens.items()}, by)
    record.note(campaign.pk, "third person asked", "adjudication", *record.WORK, only_new=True)
    return task


def ask(campaign: Campaign, disputed: Iterable[Disputed], items: dict[int, Item], by: Any) -> None:
    """Store who asked what. items: what the third person judges, by the first item of a clash."""
    Adjudication.objects.bulk_create(
        Adjudication(
            campaign=campaign,
            first_id=each.first,
            second_id=each.second,
            output_id=each.output,
            dimension=each.dimension,
            item=items[each.first],
            asked_by=by,
        )
        for each in disputed
    )


def n_judged_by(third: Membership, outputs: Collection[int]) -> int:
    """Return how many of these outputs are on screens of their tasks, judged or not."""
    own = ItemOutput.objects.filter(
        item__task__campaign=third.campaign_id, item__task__annotator=third.user_id
    )
    return own.filter(output__in=outputs).order_by().values("output").distinct().count()


def screens_of(campaign: Campaign, items: Collection[int]) -> dict[int, PlannedScreen]:
    """Return the screens of these items (ids) for a third person, equal ones where the same outputs
    are asked about in the same way. Raise PlanError where the campaign has not all of them."""
    found = list(Item.objects.filter(task__campaign=campaign, pk__in=items))
    if len(found) < len(set(items)):
        raise PlanError("Some of these clashes are not from this campaign.")
    shown = shown_on(found)
    screens: dict[int, PlannedScreen] = {}
    for item in found:
        outputs = [
            (row.output_id, row.output.system_id)
            for row in shown[item.pk]
            if row.output_id != item.control_output_id
        ]
        # Those of one document stay in their order.
        if not keeps_order(campaign):
            outputs.sort()
        screens[item.pk] = PlannedScreen(
            item.segment_id, tuple(outputs), part=item.part, kind=Kind.THIRD
        )
    return screens
