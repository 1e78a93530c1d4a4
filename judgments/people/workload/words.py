"""Number of words to read in each item of a task: the time of items depends on their length."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from judgments.models import TEXT_SHOWN, Campaign, ItemOutput, Task
from judgments.models.media import stretch
from judgments.protocols import protocol_of
from judgments.protocols.tokens import UNSPACED

UNSPACED_CHARACTER = re.compile(rf"[{UNSPACED}]")
MOST_TASKS = 2000  # cached ones, a few kilobytes each


class Load(NamedTuple):
    """Words of an item's outputs and of their sources, the pass that the item belongs to, the
    duration of its sources' sound in seconds as far as known, and the number of its outputs; equal
    outputs that are judged once are one."""

    outputs: float
    sources: float
    part: str
    seconds: float = 0.0
    n_outputs: int = 0

    @property
    def words(self) -> float:
        return self.outputs + self.sources


# By (task, number of items), because the items of a planned task and their texts do not change;
# sound that is added later counts in processes that start after it.
_known: dict[tuple[int, int], Mapping[int, Load]] = {}


def n_words(text: str) -> float:
    """Return the number of words, separated by white space; in scripts without spaces two
    characters are a word. Figures count by the language instead (`judgments.files.words`)."""
    return len(text.split()) + len(UNSPACED_CHARACTER.findall(text)) / 2


def words_of_items(tasks: Iterable[Task]) -> dict[int, Mapping[int, float]]:
    """Return {task id: {position: words of the sources and outputs of that item, at least one}}."""
    return {
        task: {position: load.words for position, load in of_task.items()}
        for task, of_task in loads_of_items(tasks).items()
    }


def loads_of_items(tasks: Iterable[Task]) -> dict[int, Mapping[int, Load]]:
    """Return {task id: {position: load}}, in two statements for all tasks that are not cached."""
    tasks = list(tasks)
    keys = [(task.pk, task.n_items) for task in tasks]
    found = {key: _known[key] for key in keys if key in _known}
    fresh = {key for key in keys if key not in found}
    if fresh:
        counted = _count([task for task in tasks if (task.pk, task.n_items) in fresh])
        found |= {key: counted.get(key[0], {}) for key in fresh}
        if len(_known) + len(fresh) > MOST_TASKS:
            _known.clear()
        _known.update((key, found[key]) for key in fresh)
    return {task: loads for (task, _), loads in found.items()}


def _count(tasks: list[Task]) -> dict[int, dict[int, Load]]:
    counted: dict[int, dict[int, Load]] = {}
    sources: set[tuple[int, int, int]] = set()  # one that several outputs share is read once
    texts: set[tuple] = set()
    campaigns = Campaign.objects.in_bulk({task.campaign_id for task in tasks})
    shares = {pk: protocol_of(campaign).shares_places for pk, campaign in campaigns.items()}
    shared = {task.pk for task in tasks if shares[task.campaign_id]}
    rows = ItemOutput.objects.filter(item__task__in=tasks).order_by()
    rows = rows.annotate(text_shown=TEXT_SHOWN)
    columns = ("item__task", "item__position", "item__part", "item__control_output")
    output_columns = ("output", "altered", "output__segment", "text_shown")
    source_columns = ("source", "media__start", "media__end", "media__file__seconds")
    for task, position, part, control, output, altered, segment, text, *of in rows.values_list(
        *columns, *output_columns, *(f"output__segment__{name}" for name in source_columns)
    ):
        source, start, end, whole = of
        of_task = counted.setdefault(task, {})
        load = of_task.get(position, Load(0.0, 0.0, part))
        of_source = seconds = 0.0
        is_control = altered is not None or output == control  # shown beside its twin
        key = (task, position, segment, text, output if is_control else None)
        is_read = task not in shared or key not in texts
        texts.add(key)
        if (task, position, segment) not in sources:
            sources.add((task, position, segment))
            of_source = max(1.0, n_words(source))
            seconds = stretch(start, end, whole) or 0.0
        of_task[position] = Load(
            load.outputs + is_read * n_words(text),
            load.sources + of_source,
            part,
            load.seconds + seconds,
            load.n_outputs + is_read,
        )
    return counted
