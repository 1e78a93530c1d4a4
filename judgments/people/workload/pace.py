"""How long judging takes: seconds for each word of sources and outputs, as people read them.

Before anybody has judged, a protocol's usual pace is all there is: a rule of thumb from published
campaigns. Afterwards the campaign's own pace counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from judgments.models import Campaign
from judgments.protocols import protocol_of

from .words import words_of_items

LAST_TASKS = 200
LEAST_JUDGED = 30  # judgments, before a campaign's own pace is worth more than the usual one


@dataclass(frozen=True)
class Pace:
    """``seconds`` for a word. ``n_judged``: of how many judgments it is the campaign's own pace; 0
    where it is usual, or ``is_set`` by the manager."""

    seconds: float
    n_judged: int = 0
    is_set: bool = False

    def hours(self, words: float) -> float:
        return self.seconds * words / 3600


def pace_of(campaign: Campaign, seconds: float | None = None) -> Pace:
    """The campaign's own pace in its last batches, or else what is set, or what is usual."""
    if seconds is not None:
        return Pace(seconds, is_set=True)
    return own_pace(campaign) or Pace(protocol_of(campaign).seconds_per_word)


def own_pace(campaign: Campaign) -> Pace | None:
    """None before there is enough to go by."""
    tasks = campaign.tasks.filter(n_judged__gt=0, active_ms__gt=0)
    last = list(tasks.order_by("-last_judged_at")[:LAST_TASKS])
    n_judged = sum(task.n_judged for task in last)
    if n_judged < LEAST_JUDGED:
        return None
    of_items = words_of_items(last)
    words = sum(sum(of_items[t.pk].values()) * t.n_judged / t.n_items for t in last)
    return Pace(sum(task.active_ms for task in last) / 1000 / words, n_judged) if words else None
