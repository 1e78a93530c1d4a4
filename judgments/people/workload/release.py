"""Return of unjudged items to the others: when an annotator is removed, returns a batch, or lets
the lease in a pool expire. They can claim it again as long as nobody else has; batches taken back
by an owner are not returned."""

from django.db import connection, transaction
from django.db.models import Exists, Max, OuterRef, QuerySet

from judgments.models import Item, Membership, Task
from judgments.models.chains import record

from .quota import within_quota
from .work import lock_items

# The judged or unjudged items of a task, with places from `first` on.
MOVE = """
UPDATE judgments_item SET task_id = %(to)s, position = numbered.place, is_skipped = false
FROM (
    SELECT id, row_number() OVER (ORDER BY position) - 1 + %(first)s AS place
    FROM judgments_item WHERE task_id = %(task)s AND is_judged = %(judged)s
) AS numbered
WHERE judgments_item.id = numbered.id
"""


def move(task: Task, to: Task, *, judged: bool, first: int) -> None:
    with connection.cursor() as cursor:
        parameters = {"task": task.pk, "to": to.pk, "judged": judged, "first": first}
        cursor.execute(MOVE, parameters)


def release(membership: Membership) -> None:
    """Free the unjudged items of a member, whose row is locked."""
    tasks = Task.objects.filter(campaign=membership.campaign_id, annotator=membership.user_id)
    lock_items(Item.objects.filter(task__in=tasks))
    for task in tasks.order_by("pk").select_for_update(of=("self",)):
        if task.n_judged < task.n_items:
            split(task)


@transaction.atomic
def free_rest(task: Task) -> int:
    """Take a batch from its annotator: judged items stay theirs, and the rest, whose number is
    returned, becomes a free seat that they cannot take again. 0 if nobody holds it any more, all is
    judged, or it was merged back into the seat that it was split from. Locks as in `release`."""
    lock_items(Item.objects.filter(task=task))
    held = Task.objects.select_for_update(of=("self",)).filter(pk=task.pk).order_by().first()
    if held is None or held.annotator_id is None or held.n_judged == held.n_items:
        return 0
    n_left = held.n_items - held.n_judged
    split(held, is_returned=False)
    return n_left


def lock_seats(task: Task) -> None:
    """Lock the seats of a batch: if two transactions add seats to a batch at once, one waits for
    the other; one that adds seats to many batches (`lock_all_seats`) waits for all of them, and
    they for it."""
    campaign = f"seats of campaign {task.campaign_id}"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock_shared(hashtextextended(%s, 0)),"
            " pg_advisory_xact_lock(hashtextextended(%s, 0))",
            [campaign, f"seats of batch {task.batch} of campaign {task.campaign_id}"],
        )


def lock_all_seats(campaign_id: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))",
            [f"seats of campaign {campaign_id}"],
        )


def split(task: Task, *, is_returned: bool = True) -> Task:
    """Split the unjudged items of a locked task, perhaps all, into a new seat; lock these items
    too. is_returned: whether its annotator can have it again."""
    lock_seats(task)
    seats = Task.objects.filter(campaign=task.campaign_id, batch=task.batch)
    last = seats.aggregate(last=Max("seat"))["last"]
    rest = Task.objects.create(
        campaign_id=task.campaign_id,
        batch=task.batch,
        seat=last + 1,
        rest_of=task.seat,
        follows=task.follows,
        wave=task.wave,
        choice=task.choice,
        was_taken=not is_returned,
        is_adjudication=task.is_adjudication,
        n_items=task.n_items - task.n_judged,
    )
    move(task, rest, judged=False, first=0)
    # In two steps: no two items may have the same place even for a moment.
    move(task, task, judged=True, first=task.n_items)
    move(task, task, judged=True, first=0)
    task.n_items, task.n_skipped = task.n_judged, 0
    task.save(update_fields=["n_items", "n_skipped"])
    record.note_tasks(task.campaign_id, "work given back", [task.pk, rest.pk])
    return rest


def own_rests(membership: Membership) -> QuerySet[Task]:
    """Return the rests split from a member's tasks that nobody has taken since."""
    own = Task.objects.filter(campaign=membership.campaign_id, annotator=membership.user_id)
    origin = own.filter(batch=OuterRef("batch"), seat=OuterRef("rest_of"))
    free = Task.objects.filter(campaign=membership.campaign_id, annotator=None, was_taken=False)
    return free.filter(Exists(origin)).order_by("pk")


def put_back(membership: Membership, rest: Task) -> Task:
    """Merge a locked rest back into the member's task that it was split from."""
    own = Task.objects.filter(campaign=membership.campaign_id, annotator=membership.user_id)
    task = own.select_for_update(of=("self",)).get(batch=rest.batch, seat=rest.rest_of or 0)
    move(rest, task, judged=False, first=task.n_items)
    task.n_items += rest.n_items
    task.save(update_fields=["n_items"])
    number = rest.pk
    rest.delete()
    record.note_tasks(task.campaign_id, "work taken again", [task.pk, number])
    return task


def restore_rests(membership: Membership) -> None:
    """Merge the rests that nobody has taken since back into the tasks that they were split from, up
    to the quotas."""
    for rest in own_rests(membership).select_for_update(skip_locked=True, of=("self",)):
        if within_quota(Task.objects.filter(pk=rest.pk), membership).exists():
            put_back(membership, rest)
    own = Task.objects.filter(campaign=membership.campaign_id, annotator=membership.user_id)
    own.filter(n_items=0).update(annotator=None)  # others have all of it now
