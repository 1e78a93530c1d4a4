"""What a comparison of all systems under one metric says, and its form as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from typing import Any

from judgments.web.sections import plain


@dataclass(frozen=True, kw_only=True)
class StoredPValues:
    """One test of one pair: the p-value itself, and adjusted over all pairs of the metric.

    NaN where the pair could not be tested. `holm`: Holm 1979; `bh`: Benjamini and Hochberg 1995.
    """

    raw: float
    holm: float
    bh: float


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two systems, the better one first; equal ones in the order of the table.

    `difference`: score of `first` minus score of `second` over their common segments, so that it
    is negative for a metric that is better when lower; `low`, `high`: its bootstrap interval; `n`:
    common units. `reason`: why there is no test, if there is none.
    """

    first: int
    second: int
    difference: float
    low: float
    high: float
    n: int
    randomization: StoredPValues
    """Approximate randomization, two-sided."""
    bootstrap: StoredPValues
    """Paired bootstrap, one-sided: that `first` is not better."""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Tested:
    """All systems of a column, and all pairs of them.

    `system_ids`: best first. `intervals`: {system: (low, high)} of its score, NaN where there is
    none. `groups`: {system: (first place, last place)} of the significance group it is in: every
    system of a better group beats every one of a worse group (Holm-adjusted p of approximate
    randomization below `alpha`); without those that could not be tested. `group_numbers`:
    {system: 1, 2, …}. `best`: the first, and the systems that this test does not tell apart from
    it. `pairs`: every two systems that were tested, in the order of `system_ids`.
    """

    unit: str
    system_ids: tuple[int, ...]
    scores: Mapping[int, float]
    intervals: Mapping[int, tuple[float, float]]
    groups: Mapping[int, tuple[int, int]]
    group_numbers: Mapping[int, int]
    best: frozenset[int]
    pairs: tuple[Pair, ...]
    n: int
    """Units (segments or documents) of the whole comparison; a pair has its own `n`."""
    resamples: int
    swaps: int
    seed: int
    level: float
    alpha: float
    notes: tuple[str, ...] = ()
    """Sentences to show with the result; where nothing could be tested, the reason."""

    def pair(self, one: int, other: int) -> Pair | None:
        """Return the test of two systems, in whichever order they are given."""
        return next((p for p in self.pairs if {p.first, p.second} == {one, other}), None)

    def as_json(self) -> dict[str, Any]:
        """As `from_json` reads it; NaN is null."""
        return plain({**vars(self), "best": sorted(self.best)})


def from_json(result: dict[str, Any]) -> Tested:
    """Return what `as_json` gave. Raise KeyError or TypeError for anything else."""

    def by_system(name: str) -> dict[int, Any]:
        return {int(key): value for key, value in result[name].items()}

    intervals = {
        key: (_number(low), _number(high)) for key, (low, high) in by_system("intervals").items()
    }
    return Tested(
        **{
            **result,
            "system_ids": tuple(result["system_ids"]),
            "scores": by_system("scores"),
            "intervals": intervals,
            "groups": {key: (first, last) for key, (first, last) in by_system("groups").items()},
            "group_numbers": by_system("group_numbers"),
            "best": frozenset(result["best"]),
            "pairs": tuple(_pair(row) for row in result["pairs"]),
            "notes": tuple(result["notes"]),
        }
    )


def _pair(row: dict[str, Any]) -> Pair:
    return Pair(
        **{
            **row,
            **{name: _number(row[name]) for name in ("difference", "low", "high")},
            **{name: _p_values(row[name]) for name in ("randomization", "bootstrap")},
        }
    )


def _p_values(row: dict[str, Any]) -> StoredPValues:
    return StoredPValues(**{name: _number(value) for name, value in row.items()})


def _number(value: float | None) -> float:
    return nan if value is None else value
