"""How long a batch stays with whoever took it, and the ways on which it goes back to the others."""

from datetime import timedelta

from django.db import transaction

from judgments.models import Campaign, Item, Membership, Task
from judgments.people.workload.release import split
from judgments.people.workload.work import lock_items
from judgments.plans.settings import PlanSettings


class NotYours(Exception):
    """The item, or the batch, is not, or no longer, the annotator's."""


def lease_of(campaign: Campaign) -> timedelta:
    """A batch on which nothing is judged for so long goes back. No statement: every answer asks."""
    return timedelta(minutes=campaign.plan.get("lease_minutes", PlanSettings.lease_minutes))


def is_pool(campaign: Campaign) -> bool:
    """Whether blocks are taken one by one, and one that was begun goes back as well."""
    return bool(campaign.plan.get("pool", PlanSettings.pool))


def seat_in(task: Task) -> Task | None:
    """Return the claimable seat of a locked task: the task, or a new task with its unjudged items.
    None while an answer to it is on its way.

    An answer locks its item before its task (`queue.hold`), so here nothing is waited for.
    """
    if task.annotator_id is None:
        return task
    items = Item.objects.filter(task=task).select_for_update(skip_locked=True, of=("self",))
    if len(items.values_list("pk", flat=True)) < task.n_items:
        return None
    return split(task) if task.n_judged else task


@transaction.atomic
def give_up(membership: Membership, task_id: int) -> int:
    """Give a batch back: what was judged stays the annotator's, the rest is free for others at
    once; the annotator gets it again only when nothing else is free. The number of items freed.

    Raises NotYours.
    """
    lock_items(Item.objects.filter(task=task_id, task__annotator=membership.user_id))
    task = (
        Task.objects.select_for_update(of=("self",))
        .filter(pk=task_id, campaign=membership.campaign_id, annotator=membership.user_id)
        .order_by()  # by default tasks are ordered by what is in their campaigns' rows
        .first()
    )
    if task is None:
        raise NotYours
    return 0 if task.is_done else split(task).n_items
