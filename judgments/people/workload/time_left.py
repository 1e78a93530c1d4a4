"""How long the rest of an annotator's work takes, by what is left to read and how fast they are.

Kinds of items are what annotators see, the passes; never what they must not know, such as which
items are repeats: the time left is on their screen.
"""

from __future__ import annotations

from itertools import repeat
from typing import NamedTuple

from django.db.models import F, Q

from judgments.models import Campaign, Item, Judgment, Task
from judgments.models.prepared_queries import Prepared
from judgments.protocols import protocol_of

from .rates import Reading, ReadingRate, rate_of
from .words import Load, loads_of_items

LATEST = 60  # times that are looked at; what is older would count less than a hundredth
MOST_KEPT = 5000  # annotators' rates, some hundred bytes each
MOST_TIMED = 500  # annotators' items with their times, some ten kilobytes for a hundred items


def left_ms(tasks: list[Task], campaign: Campaign | None, n_judged: int) -> float | None:
    """Return the active time for what is neither judged nor skipped of an annotator's tasks; None
    where no judgment has a time. n_judged: how many items of the tasks are judged."""
    rate = rate_for(tasks, campaign, n_judged)
    if rate is None:
        return None
    times = times_at(rate, tasks, campaign)
    return sum(times[task.pk].left(task) for task in in_work(tasks))


class TaskTimes(NamedTuple):
    """Milliseconds of the items of a task, by position, and of all."""

    of_items: dict[int, float]
    total: float

    def left(self, task: Task) -> float:
        """Return for the items that wait. task: as `work.tasks_of` brings it."""
        if task.n_judged + task.n_skipped == 0:
            return self.total
        return sum(map(self.of_items.get, vars(task)["waiting"] or (), repeat(0.0)))


# By the annotator's last task: a rate, and the times of each task at that rate.
_times: dict[int, tuple[ReadingRate, dict[int, TaskTimes]]] = {}


def times_at(
    rate: ReadingRate, tasks: list[Task], campaign: Campaign | None
) -> dict[int, TaskTimes]:
    """Return for the tasks in which items wait, computed once for a rate: every page and row asks.
    Somebody who has judged for months has hundreds of tasks."""
    last = tasks[-1].pk
    left = in_work(tasks)
    kept, times = _times.get(last, (None, {}))
    if kept is rate and all(task.pk in times for task in left):
        return times
    seen = Seen(campaign)
    times = {}
    for task, loads in loads_of_items(left).items():
        of_items = {place: rate.time_ms([seen.reading(load)]) for place, load in loads.items()}
        times[task] = TaskTimes(of_items, sum(of_items.values()))
    if len(_times) >= MOST_TIMED:
        _times.clear()
    _times[last] = rate, times
    return times


def in_work(tasks: list[Task]) -> list[Task]:
    """Return the tasks in which items wait."""
    return [task for task in tasks if task.n_judged + task.n_skipped < task.n_items]


class Seen:
    """What the annotator sees of items: texts that a pass hides are not read in it."""

    def __init__(self, campaign: Campaign | None):
        asked = protocol_of(campaign) if campaign else None
        self.parts = asked.parts() if asked else ()
        self.visible = asked.visible if asked else lambda item: (True, True)
        self.gives = asked.gives_source if asked else lambda item: True
        self.shows_source: dict[str, bool] = {}
        self.gives_source: dict[str, bool] = {}

    def reading(self, load: Load) -> Reading:
        part = load.part if load.part in self.parts else ""
        if part not in self.shows_source:
            self.shows_source[part], _ = self.visible(Item(part=part))
            self.gives_source[part] = self.gives(Item(part=part))
        words = load.words if self.shows_source[part] else load.outputs
        return Reading(words, part, load.seconds if self.gives_source[part] else 0.0)


# ---- The rate of an annotator, looked up again once more is judged ------------------------------

latest_times = Prepared(
    lambda task, other: (
        Judgment.objects.filter(
            Q(item__task=task) | Q(item__task=other), revision=1, active_ms__gt=0
        )
        .annotate(task=F("item__task"), position=F("item__position"))
        .order_by("-pk")[:LATEST]
    ),
    annotated=["task", "position"],
)

# By the annotator's last task that is begun: (how many were judged then, the rate).
_rates: dict[int, tuple[int, ReadingRate | None]] = {}


def rate_for(tasks: list[Task], campaign: Campaign | None, n_judged: int) -> ReadingRate | None:
    """Return for the last two tasks that are begun. A statement after the first few items, and then
    after every fifth: one more item hardly moves it. The items between do not count until then, so
    that every process of the site tells the same."""
    begun = [task for task in tasks if task.n_judged and task.active_ms]
    if not begun:
        return None
    last = begun[-1]
    n_then, rate = _rates.get(last.pk, (0, None))
    n_now = n_judged - n_judged % min(5, 1 + n_judged // 4)
    if n_then == n_now:
        return rate
    timed = _timed(begun[-2:], in_work(tasks), Seen(campaign))
    rate = rate_of(timed[n_judged - n_now :] or timed, n_now)
    if len(_rates) >= MOST_KEPT:
        _rates.clear()
    _rates[last.pk] = n_now, rate
    return rate


def _timed(tasks: list[Task], still_left: list[Task], seen: Seen) -> list[tuple[Reading, float]]:
    # Those that `times_at` asks for too: in one statement.
    loads = loads_of_items(dict.fromkeys([*tasks, *still_left]))
    return [
        (seen.reading(loads[row.task][row.position]), row.active_ms)
        for row in latest_times(tasks[0].pk, tasks[-1].pk)
        if row.position in loads[row.task]
    ]
