"""Speed of an annotator, from items and times so far. No Django.

The time of an item depends on the text to read, plus a constant part for finding the place,
deciding and answering. People get faster, so recent times count most, and a part of the first times
is attributed to the work being new. And some kinds of items take less time than their words
suggest, such as those of a pass without the source.

`benchmarks/time_left.py` gives the errors of forecasts by these rates, of simulated readers and in
the times of the ESA study at WMT23 (Kocmi et al. 2024, "Error span annotation"), next to those of
the mean time of an item. The numbers below are round values among those that do well there; between
6 and 15 items, 15 and 45 words, 1 and 3 items the errors differ little. NEW is between people who
never get faster and those of the study, who get faster by more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

FIXED_WORDS = 30.0  # constant part of an item's time, as the words that could be read in it
HALF_LIFE = 8  # items, after which a time has half the weight
NEW = 0.25  # the first item of all takes longer by this share
NEW_HALF_LIFE = 10  # items, after which this share is halved
DOUBT = 3.0  # weight of the common rate, in items, against the times of each kind


class Reading(NamedTuple):
    """An item: what there is to read in it, its kind, and the duration of its sound."""

    words: float
    kind: str
    seconds: float = 0.0

    @property
    def weight(self) -> float:
        return FIXED_WORDS + self.words


@dataclass(frozen=True)
class ReadingRate:
    """Milliseconds per word of weight, and each kind's factor on that."""

    word_ms: float
    kinds: Mapping[str, float]

    def time_ms(self, readings: Iterable[Reading]) -> float:
        """Return the time of these items; no item takes less than the duration of its sound."""
        return sum(
            max(
                1000 * each.seconds,
                self.word_ms * each.weight * self.kinds.get(each.kind, 1.0),
            )
            for each in readings
        )


def rate_of(
    done: Sequence[tuple[Reading, float]], n_judged: int | None = None
) -> ReadingRate | None:
    """Return the rate from items and their milliseconds, the latest first. None if there are none.
    n_judged: how many items the person had judged, including the latest; None: the work was not new
    to them.

    The rate is a ratio of sums in which an item counts half as much as one that was judged
    HALF_LIFE items later. Each kind has its own ratio to that, with ages counted within the kind,
    shrunk towards 1 as by DOUBT items of average weight.
    """
    if not done:
        return None
    if n_judged is not None:
        done = [
            (each, took / (1 + NEW * 0.5 ** (max(0, n_judged - 1 - age) / NEW_HALF_LIFE)))
            for age, (each, took) in enumerate(done)
        ]
    ms, weight, _ = _sums(done)
    rate = ms / weight
    by_kind = defaultdict(list)
    for reading, took in done:
        by_kind[reading.kind].append((reading, took))
    kinds = {}
    for kind, rows in by_kind.items():
        of_kind, weight, n = _sums(rows)
        usual = DOUBT * weight / n
        kinds[kind] = (of_kind / rate + usual) / (weight + usual)
    return ReadingRate(rate, kinds if len(kinds) > 1 else {})


def _sums(done: Sequence[tuple[Reading, float]]) -> tuple[float, float, float]:
    """Return sums of milliseconds, weights and items, each discounted by age."""
    ages = [0.5 ** (age / HALF_LIFE) for age in range(len(done))]
    ms = sum(share * took for share, (_, took) in zip(ages, done, strict=True))
    weight = sum(share * each.weight for share, (each, _) in zip(ages, done, strict=True))
    return ms, weight, sum(ages)
