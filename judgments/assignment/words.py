"""How many words there are to read in each item of a task: items take as long as they are long."""

import re
from collections.abc import Iterable, Mapping

from judgments.models import TEXT_SHOWN, ItemOutput, Task
from judgments.protocols.tokens import UNSPACED

UNSPACED_CHARACTER = re.compile(rf"[{UNSPACED}]")
MOST_TASKS = 2000  # that are kept, a few kilobytes each

# By (task, number of items), because the items of a planned task and their texts stay as they are.
_known: dict[tuple[int, int], Mapping[int, float]] = {}


def n_words(text: str) -> float:
    """What stands between white space; of scripts without spaces two characters are a word. Figures
    count by the language instead (`judgments.words`)."""
    return len(text.split()) + len(UNSPACED_CHARACTER.findall(text)) / 2


def words_of_items(tasks: Iterable[Task]) -> dict[int, Mapping[int, float]]:
    """{task id: {position: words of the sources and outputs of that item, at least one}}; a
    statement for all tasks that this process has not met yet."""
    keys = [(task.pk, task.n_items) for task in tasks]
    found = {key: _known[key] for key in keys if key in _known}
    fresh = [key for key in keys if key not in found]
    if fresh:
        counted = _count([task for task, _ in fresh])
        found |= {key: counted.get(key[0], {}) for key in fresh}
        if len(_known) + len(fresh) > MOST_TASKS:
            _known.clear()
        _known.update((key, found[key]) for key in fresh)
    return {task: words for (task, _), words in found.items()}


def _count(tasks: list[int]) -> dict[int, dict[int, float]]:
    counted: dict[int, dict[int, float]] = {}
    sources: set[tuple[int, int, int]] = set()  # one that several outputs share is read once
    rows = ItemOutput.objects.filter(item__task__in=tasks).order_by()
    rows = rows.annotate(text_shown=TEXT_SHOWN)
    columns = ("item__task", "item__position", "output__segment", "text_shown")
    for task, position, segment, text, source in rows.values_list(
        *columns, "output__segment__source"
    ):
        n = n_words(text)
        if (task, position, segment) not in sources:
            sources.add((task, position, segment))
            n += max(1.0, n_words(source))
        of_task = counted.setdefault(task, {})
        of_task[position] = of_task.get(position, 0.0) + n
    return counted
