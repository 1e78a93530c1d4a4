"""An annotator's own work in a campaign: the tasks in order, with items numbered through them."""

from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, F, OuterRef, Q, QuerySet, When
from django.utils.crypto import salted_hmac

from judgments.models import Campaign, Item, Membership, Task
from judgments.models.prepared_queries import Prepared
from judgments.protocols import protocol_of

from .time_left import left_ms
from .words import loads_of_items

# New tasks come last, so that an item keeps its number as long as the annotator keeps its task.
TASK_ORDER = ("assigned_at", "pk")
PARAGRAPH = 40  # average words of a source: sentences have about 25


@dataclass(frozen=True)
class Work:
    """Items are numbered from 1 through all tasks; times are in milliseconds."""

    tasks: list[Task]
    campaign: Campaign | None = None

    @cached_property
    def n_items(self) -> int:
        return sum(task.n_items for task in self.tasks)

    @cached_property
    def n_judged(self) -> int:
        return sum(task.n_judged for task in self.tasks)

    @cached_property
    def n_skipped(self) -> int:
        return sum(task.n_skipped for task in self.tasks)

    @property
    def n_left(self) -> int:
        return self.n_items - self.n_judged - self.n_skipped

    @cached_property
    def active_ms(self) -> int:
        return sum(task.active_ms for task in self.tasks)

    @property
    def pace_ms(self) -> float | None:
        """Active time per judged item; None before there is any."""
        return self.active_ms / self.n_judged if self.n_judged and self.active_ms else None

    @cached_property
    def left_ms(self) -> float | None:
        """Active time for the rest, by items if no judgment has a time; None before there is any.
        See `time_left`."""
        if self.pace_ms is None:
            return None
        found = left_ms(self.tasks, self.campaign, self.n_judged)
        return self.n_left * self.pace_ms if found is None else found

    @cached_property
    def unit(self) -> str:
        """Unit of the times shown: "document", "paragraph", "segment" or "item", by the content of
        one screen and the length of the sources."""
        about = protocol_of(self.campaign).unit if self.campaign else "item"
        if about == "whole document":
            return "document"
        loads = loads_of_items(self.tasks[:1])[self.tasks[0].pk]
        sources = [load.sources for load in loads.values()]
        if sources and fmean(sources) > PARAGRAPH:
            return "paragraph"
        return "segment" if about == "segment" else "item"

    @property
    def begun(self) -> list[tuple[str, Task, int, int]]:
        """The tasks with items left, each with its key and the first and last of its numbers."""
        found, first = [], 1
        for task in self.tasks:
            if not task.is_done:
                found.append((task_key(task), task, first, first + task.n_items - 1))
            first += task.n_items
        return found

    def place(self, number: int) -> tuple[Task, int] | None:
        """Return the task of an item and its position there; None if there is no such number."""
        position = number - 1
        for task in self.tasks:
            if 0 <= position < task.n_items:
                return task, position
            position -= task.n_items
        return None

    def number(self, task_id: int, position: int) -> int:
        """Return the number of an item. Raise StopIteration when the task is not in this work."""
        index = next(i for i, task in enumerate(self.tasks) if task.pk == task_id)
        return sum(task.n_items for task in self.tasks[:index]) + position + 1


def task_key(task: Task) -> str:
    """Return a name of an annotator's task that reveals to nobody which one it is."""
    return salted_hmac("judgments.task", f"{task.pk} {task.annotator_id}").hexdigest()[:20]


# The waiting positions of a task if a part of it is judged or skipped; null for any other task, in
# which nothing waits or everything.
WAITING = Case(
    When(
        ~Q(n_judged=0, n_skipped=0),
        n_items__gt=F("n_judged") + F("n_skipped"),
        then=ArraySubquery(
            Item.objects.filter(task=OuterRef("pk"), is_judged=False, is_skipped=False)
            .order_by()
            .values("position")
        ),
    )
)

tasks_of = Prepared(
    lambda campaign, annotator: (
        Task.objects.filter(campaign=campaign, annotator=annotator)
        .annotate(waiting=WAITING)
        .order_by(*TASK_ORDER)
    ),
    annotated=["waiting"],
    deferred=[
        *("batch", "seat", "rest_of", "was_taken", "leased_until", "last_judged_at"),
        "assigned_at",
        *("is_unfinished", "follows", "is_adjudication", "wave"),
    ],
)


def work_of(membership: Membership) -> Work:
    """Return the work, in one query for any number of judgments."""
    tasks = tasks_of(membership.campaign_id, membership.user_id)
    return Work(tasks, membership.campaign)


def next_number(work: Work) -> int | None:
    """Return the first item to judge that was not skipped; None if there is none."""
    task = next((t for t in work.tasks if t.n_judged + t.n_skipped < t.n_items), None)
    if task is None:
        return None
    waiting = Item.objects.filter(task=task, is_judged=False, is_skipped=False)
    waiting = waiting.order_by("position")
    position = waiting.values_list("position", flat=True).first()
    return None if position is None else work.number(task.pk, position)


def lock_items(items: QuerySet[Item]) -> None:
    """Lock items before their tasks, as an answer does (`queue.hold`): an answer being stored is
    stored first, or finds that the item is no longer its annotator's."""
    list(items.order_by("pk").select_for_update(of=("self",)).values_list("pk", flat=True))


def take_up(task: Task) -> None:
    """Make skipped items of a locked task wait to be judged again; the caller has locked them
    before the task, and saves it."""
    if task.n_skipped:
        Item.objects.filter(task=task, is_skipped=True).update(is_skipped=False)
        task.n_skipped = 0
