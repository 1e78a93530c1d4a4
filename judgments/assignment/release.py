"""What was not judged goes back to the others when an annotator is removed, and is theirs again
when they are taken back, if nobody has taken it since; or when an owner takes one batch from them.
"""

from django.db import connection, transaction
from django.db.models import Exists, F, Max, OuterRef

from judgments.models import Item, Membership, Task

# The items of a task that were judged, or were not, with places from `first` on.
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
    """Free what a member, whose row is locked, has not judged.

    Items are locked before their tasks, as an answer does (`queue.hold`): one that is on its way is
    stored first, or finds that the item is no longer its annotator's.
    """
    tasks = Task.objects.filter(campaign=membership.campaign_id, annotator=membership.user_id)
    items = Item.objects.filter(task__in=tasks).order_by("pk").select_for_update(of=("self",))
    list(items.values_list("pk", flat=True))
    for task in tasks.order_by("pk").select_for_update(of=("self",)):
        if task.n_judged < task.n_items:
            split(task)


@transaction.atomic
def free_rest(task: Task) -> int:
    """Take a batch from whoever holds it: what they judged stays theirs, and the rest, whose number
    is returned, becomes a free seat that they cannot take again. 0 when nobody holds it any more,
    or all is judged. Locks as in `release`."""
    items = Item.objects.filter(task=task).order_by("pk").select_for_update(of=("self",))
    list(items.values_list("pk", flat=True))
    task = Task.objects.select_for_update(of=("self",)).get(pk=task.pk)
    n_left = task.n_items - task.n_judged
    if task.annotator_id is None or not n_left:
        return 0
    split(task)
    return n_left


def split(task: Task) -> None:
    """Make a seat of its own of what was not judged in a locked task, which may be all."""
    seats = Task.objects.filter(campaign=task.campaign_id, batch=task.batch)
    last = seats.aggregate(last=Max("seat"))["last"]
    rest = Task.objects.create(
        campaign_id=task.campaign_id,
        batch=task.batch,
        seat=last + 1,
        rest_of=task.seat,
        n_items=task.n_items - task.n_judged,
    )
    move(task, rest, judged=False, first=0)
    # In two steps, for no two items have the same place even for a moment.
    move(task, task, judged=True, first=task.n_items)
    move(task, task, judged=True, first=0)
    task.n_items, task.n_skipped = task.n_judged, 0
    task.save(update_fields=["n_items", "n_skipped"])


def give_back(membership: Membership) -> None:
    """Put rests that nobody has taken since back to the tasks from which they were split."""
    own = Task.objects.filter(campaign=membership.campaign_id, annotator=membership.user_id)
    origin = own.filter(batch=OuterRef("batch"), seat=OuterRef("rest_of"))
    free = Task.objects.filter(campaign=membership.campaign_id, annotator=None)
    for rest in free.filter(Exists(origin)).order_by("pk").select_for_update(skip_locked=True):
        task = own.select_for_update().get(batch=rest.batch, seat=rest.rest_of or 0)
        move(rest, task, judged=False, first=task.n_items)
        own.filter(pk=task.pk).update(n_items=F("n_items") + rest.n_items)
        rest.delete()
    own.filter(n_items=0).update(annotator=None)  # all of it is others' now
