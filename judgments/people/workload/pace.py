"""How long judging takes: seconds for each output, and for each word of sources and outputs.

Before anybody has judged, what was measured of the protocol elsewhere is all there is. Then the
site's campaigns with the same preset move it, and the campaign's own batches move that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from judgments.models import Campaign, Task
from judgments.protocols import protocol_of
from judgments.stats.planning.times import (
    AnnotatorSpread,
    ItemTime,
    log_ratio,
    refit,
    spread_of_annotators,
)

from .words import loads_of_items

LAST_TASKS = 100
LEAST_JUDGED = 30  # outputs, before an annotator's time says something of how people differ


@dataclass(frozen=True)
class Pace(ItemTime):
    """``n_judged`` and ``n_elsewhere``: outputs judged in this campaign, and in others of the site,
    that moved it; 0 where it is usual, or ``is_set`` by the manager. ``spread``: how annotators
    differ."""

    n_judged: int = 0
    n_elsewhere: int = 0
    is_set: bool = False
    spread: AnnotatorSpread = field(default_factory=AnnotatorSpread)


def usual_time(campaign: Campaign) -> ItemTime:
    protocol = protocol_of(campaign)
    return ItemTime(protocol.seconds_per_output, protocol.seconds_per_word)


def pace_of(campaign: Campaign, seconds: float | None = None) -> Pace:
    """Return what is set as the time of a word, or else the usual time of the protocol, moved by
    the last batches of the site's campaigns with this preset and then by the campaign's own."""
    if seconds is not None:
        return Pace(0.0, seconds, is_set=True)
    judged = Task.objects.filter(
        campaign__preset=campaign.preset, n_judged__gt=0, active_ms__gt=0
    ).order_by("-last_judged_at")
    found = usual_time(campaign)
    ratios: list[float] = []
    counted = []
    for tasks in (judged.exclude(campaign=campaign), judged.filter(campaign=campaign)):
        rows = list(_timed(list(tasks[:LAST_TASKS])))
        if rows:
            outputs, words, took = np.array([row[1:] for row in rows]).T
            found = refit(found, outputs, words, took)
            ratios += _ratios(rows, found)
        counted.append(round(sum(row[1] for row in rows)))
    elsewhere, own = counted
    spread = spread_of_annotators(ratios)
    return Pace(found.per_output, found.per_word, own, elsewhere, spread=spread)


def _timed(tasks: list[Task]) -> Iterator[tuple[int | None, float, float, float]]:
    """Yield (annotator, outputs, words, seconds) of what is judged of each task."""
    loads = loads_of_items(tasks)
    for task in tasks:
        share = task.n_judged / task.n_items
        outputs = share * sum(load.n_outputs for load in loads[task.pk].values())
        words = share * sum(load.words for load in loads[task.pk].values())
        if outputs:
            yield task.annotator_id, outputs, words, task.active_ms / 1000


def _ratios(rows: list[tuple[int | None, float, float, float]], time: ItemTime) -> list[float]:
    """Return logarithms of what each annotator took over what is reckoned for it."""
    sums: dict[int | None, np.ndarray] = {}
    for annotator, outputs, words, took in rows:
        sums[annotator] = sums.get(annotator, 0) + np.array([outputs, words, took])
    return [log_ratio(time, *total) for total in sums.values() if total[0] >= LEAST_JUDGED]
