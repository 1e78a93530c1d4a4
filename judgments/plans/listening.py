"""Listening time of sources: judging a segment takes at least as long as its sound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from judgments.models import Campaign, Item, SegmentMedia
from judgments.protocols import protocol_of
from judgments.stats.planning.times import ItemTime

from .layout import PlannedScreen


class Heard(NamedTuple):
    """Screens with the same number of outputs, words to read and seconds to hear; times: how many,
    in all seats."""

    words: float
    seconds: float
    times: float
    outputs: int = 1


@dataclass(frozen=True)
class Listening:
    """The sound in a plan. n_unknown: segments whose sound or video has no known length."""

    heard: tuple[Heard, ...] = ()
    n_unknown: int = 0

    def extra_hours(self, time: ItemTime) -> float:
        """Return how much longer listening takes than reading and judging, screen by screen."""
        more = (
            max(0.0, seconds - time.seconds(outputs, words)) * times
            for words, seconds, times, outputs in self.heard
        )
        return sum(more) / 3600

    def share(self, share: float) -> Listening:
        """Return the listening in a part of the plan."""
        heard = tuple(each._replace(times=each.times * share) for each in self.heard)
        return replace(self, heard=heard)


NONE_HEARD = Listening()


def listening_of(
    campaign: Campaign,
    batches: Iterable[tuple[Iterable[PlannedScreen], int]],
    parts: Iterable[str],
    segment_of: Mapping[int, int],
    n_places: Callable[[PlannedScreen], int],
) -> Listening:
    """Return the listening in batches. batches: their screens and seats; segment_of: {output:
    segment}; n_places: how many outputs of a screen have a place."""
    if not campaign.test_set.has_media:
        return NONE_HEARD
    protocol = protocol_of(campaign)
    n_passes = sum(protocol.gives_source(Item(part=part)) for part in parts)
    rows = SegmentMedia.objects.filter(segment__test_set=campaign.test_set_id)
    lengths = {row.segment_id: row.seconds for row in rows.select_related("file")}
    counted: Counter[tuple[float, float, int]] = Counter()
    unknown: set[int] = set()
    for screens, n_seats in batches:
        for screen in screens:
            shown = {segment_of[output] for output, _ in screen.outputs} & lengths.keys()
            seconds = sum(lengths[segment] or 0.0 for segment in shown)
            unknown |= {segment for segment in shown if lengths[segment] is None}
            if seconds:
                counted[screen.words, seconds, n_places(screen)] += n_seats * n_passes
    heard = tuple(Heard(words, seconds, n, k) for (words, seconds, k), n in counted.items() if n)
    return Listening(heard, len(unknown) if n_passes else 0)
