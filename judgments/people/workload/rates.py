"""How fast an annotator works, from the items and times so far. No Django.

An item takes as long as there is to read in it, and something besides: finding the place, deciding,
answering. People get faster, so what was judged last counts most, and of the first times a part is
laid to the work being new. And some kinds of items go faster
than their words say, such as those of a pass without the source.

`benchmarks/time_left.py` gives the errors of forecasts by these rates, of simulated readers and in
the times of the ESA study at WMT23 (Kocmi et al. 2024, "Error span annotation"), beside those of
the mean time of an item. The numbers below are round ones from among those that do well there;
between 6 and 15 items, 15 and 45 words, 1 and 3 items the errors differ little. NEW stands between
people who never get faster and those of the study, who get faster by more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

FIXED_WORDS = 30.0  # an item takes as much longer as reading so many words does
HALF_LIFE = 8  # items, after which a time counts half
NEW = 0.25  # so much longer than later the first item of all takes
NEW_HALF_LIFE = 10  # items, after which this is half as much
DOUBT = 3.0  # items at the common rate that stand beside the times of each kind


class Reading(NamedTuple):
    """An item: what there is to read, of which kind it is, and for how long it is heard."""

    words: float
    kind: str
    seconds: float = 0.0

    @property
    def weight(self) -> float:
        return FIXED_WORDS + self.words


@dataclass(frozen=True)
class ReadingRate:
    """Milliseconds for each word of weight, and how much longer than that each kind takes."""

    word_ms: float
    kinds: Mapping[str, float]

    def time_ms(self, readings: Iterable[Reading]) -> float:
        """Return no item takes less than what is heard in it."""
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
    """From items and their milliseconds, the latest first. None where there are none. n_judged: how
    many the person had judged with the latest; None: the work was not new to them.

    The rate is a ratio of sums in which an item counts half as much as one that was judged
    HALF_LIFE items later. A kind takes its own ratio to that, with ages counted within the kind,
    drawn towards 1 as by DOUBT items of average weight.
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
    """Return milliseconds, weights and items, each counted by its age."""
    ages = [0.5 ** (age / HALF_LIFE) for age in range(len(done))]
    ms = sum(share * took for share, (_, took) in zip(ages, done, strict=True))
    weight = sum(share * each.weight for share, (each, _) in zip(ages, done, strict=True))
    return ms, weight, sum(ages)
