"""Every pair of systems under one metric: computed from stored statistics, kept, and read back.

A result is kept with a fingerprint of the scores that it was computed from. It is shown only while
that fits, so that a page never puts p-values beside scores that they do not belong to.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from judgments.models import TestSet
from metrics.tables import Column, ScoreTable

UNITS = ("segment", "document")
LEVEL = 0.95
ALPHA = 0.05


@dataclass(frozen=True, kw_only=True)
class PValues:
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
    randomization: PValues
    """Approximate randomization, two-sided."""
    bootstrap: PValues
    """Paired bootstrap, one-sided: that `first` is not better."""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Tested:
    """All systems of a column, and all pairs of them.

    `system_ids`: best first. `intervals`: {system: (low, high)} of its score, NaN where there is
    none. `groups`: {system: (first place, last place)} of the significance group it is in: every
    system of a better group beats every one of a worse group (Holm-adjusted p of approximate
    randomization below `alpha`). `group_numbers`: {system: 1, 2, …}. `best`: the systems that no
    test tells apart from the first. `pairs`: every two systems, better ones first.
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
        """The test of two systems, in whichever order they are given."""
        return next((p for p in self.pairs if {p.first, p.second} == {one, other}), None)


def compare_column(column: Column, table: ScoreTable, *, unit: str = "segment") -> Tested | None:
    """What is kept for a column, if it still belongs to the scores shown; else None."""
    return None


def compute_comparisons(test_set: TestSet, unit: str = "segment") -> int:
    """Compare the systems of every column that has no fitting result; how many were computed."""
    return 0
