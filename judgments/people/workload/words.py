"""How many words there are to read in each item of a task: items take as long as they are long."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from judgments.models import TEXT_SHOWN, ItemOutput, Task
from judgments.models.media import stretch
from judgments.protocols.tokens import UNSPACED

UNSPACED_CHARACTER = re.compile(rf"[{UNSPACED}]")
MOST_TASKS = 2000  # that are kept, a few kilobytes each


class Load(NamedTuple):
    """Words of an item's outputs and of their sources, the pass that the item belongs to, for how
    many seconds its sources are heard, as far as that is known, and how many texts its outputs
    have."""

    outputs: float
    sources: float
    part: str
    seconds: float = 0.0
    n_outputs: int = 0

    @property
    def words(self) -> float:
        return self.outputs + self.sources


# By (task, number of items), because the items of a planned task and their texts stay as they are;
# sound that comes later counts in the processes that start after it.
_known: dict[tuple[int, int], Mapping[int, Load]] = {}


def n_words(text: str) -> float:
    """Return what stands between white space; of scripts without spaces two characters are a word.
    Figures count by the language instead (`judgments.files.words`)."""
    return len(text.split()) + len(UNSPACED_CHARACTER.findall(text)) / 2


def words_of_items(tasks: Iterable[Task]) -> dict[int, Mapping[int, float]]:
    """Return {task id: {position: words of the sources and outputs of that item, at least one}}."""
    return {
        task: {position: load.words for position, load in of_task.items()}
        for task, of_task in loads_of_items(tasks).items()
    }


def loads_of_items(tasks: Iterable[Task]) -> dict[int, Mapping[int, Load]]:
    """Return {task id: {position: what there is to read}}; a statement for all tasks that this
    process has not met yet."""
    keys = [(task.pk, task.n_items) for task in tasks]
    found = {key: _known[key] for key in keys if key in _known}
    fresh = [key for key in keys if key not in found]
    if fresh:
        counted = _count([task for task, _ in fresh])
        found |= {key: counted.get(key[0], {}) for key in fresh}
        if len(_known) + len(fresh) > MOST_TASKS:
            _known.clear()
        _known.update((key, found[key]) for key in fresh)
    return {task: loads for (task, _), loads in found.items()}


def _count(tasks: list[int]) -> dict[int, dict[int, Load]]:
    counted: dict[int, dict[int, Load]] = {}
    sources: set[tuple[int, int, int]] = set()  # one that several outputs share is read once
    texts: set[tuple[int, int, int, str]] = set()
    rows = ItemOutput.objects.filter(item__task__in=tasks).order_by()
    rows = rows.annotate(text_shown=TEXT_SHOWN)
    columns = ("item__task", "item__position", "item__part", "output__segment", "text_shown")
    source_columns = ("source", "media__start", "media__end", "media__file__seconds")
    for task, position, part, segment, text, source, start, end, whole in rows.values_list(
        *columns, *(f"output__segment__{name}" for name in source_columns)
    ):
        of_task = counted.setdefault(task, {})
        load = of_task.get(position, Load(0.0, 0.0, part))
        of_source = seconds = 0.0
        is_new = (task, position, segment, text) not in texts
        texts.add((task, position, segment, text))
        if (task, position, segment) not in sources:
            sources.add((task, position, segment))
            of_source = max(1.0, n_words(source))
            seconds = stretch(start, end, whole) or 0.0
        of_task[position] = Load(
            load.outputs + n_words(text),
            load.sources + of_source,
            part,
            load.seconds + seconds,
            load.n_outputs + is_new,
        )
    return counted
