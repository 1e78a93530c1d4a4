"""Time to read around a block: annotators see the rest of its document."""

from __future__ import annotations

from ..scope import PlannedWork, mean_seats
from ..settings import PlanSettings

WORDS_A_MINUTE = 240  # for sources that are read once, and not judged


def cost_of_context(settings: PlanSettings, work: PlannedWork, judging: float) -> float:
    """Return the time to read a block's context, in units of the time to judge a segment, all its
    outputs: as set, or from the sources around the block. ``judging``: hours of all seats."""
    if settings.context_cost is not None:
        return settings.context_cost
    if not (work.n_blocks and judging):
        return 0.0
    reading = work.around * work.source_words / WORDS_A_MINUTE / 60 / work.n_blocks
    return reading / (judging / max(1.0, work.segments * mean_seats(settings)))
