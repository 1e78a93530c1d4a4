"""What a table of metrics against people holds: a figure for each metric and statistic."""

from dataclasses import dataclass, field
from math import inf, isnan, nan

from .study import Metric


@dataclass(frozen=True, kw_only=True)
class Figure:
    """An estimate with its interval; NaN with a `reason` where there is none. `n`: what it was
    computed over (systems, pairs of systems, segments or groups, as the statistic says)."""

    estimate: float = nan
    low: float = nan
    high: float = nan
    n: int = 0
    n_undefined: int = 0
    reason: str = ""

    @property
    def has_interval(self) -> bool:
        return not isnan(self.low)


@dataclass(frozen=True)
class MetricRow:
    """One metric. `figures` by statistic; `epsilon`: metric differences up to it count as ties."""

    metric: Metric
    figures: dict[str, Figure]
    epsilon: float = nan


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """All metrics at one level, the one that agrees most by `headline` first.

    `level` is "system" or "segment"; `statistics` are the keys of every row's figures, in order,
    with their names. `grouping` belongs to segments, `outliers` and `n_separated` (pairs of systems
    that people tell apart by `test` at `alpha`) to systems.
    """

    level: str
    human_name: str
    statistics: dict[str, str]
    headline: str
    rows: tuple[MetricRow, ...]
    systems: tuple[str, ...]
    left_out: tuple[str, ...]
    n_segments: int
    seed: int
    resamples: int
    confidence: float = 0.95
    grouping: str = ""
    over: str = ""
    outliers: tuple[str, ...] = ()
    n_pairs: int = 0
    n_separated: int = 0
    test: str = ""
    alpha: float = nan
    permutations: int = 0
    permutation_seed: int = 0
    notes: tuple[str, ...] = field(default=())
    reason: str = ""

    @property
    def best(self) -> MetricRow | None:
        """The metric, no sentinel, that agrees most; None where nothing is defined."""
        real = (row for row in self.rows if not row.metric.is_sentinel)
        return next((row for row in real if not isnan(self.value(row))), None)

    def value(self, row: MetricRow) -> float:
        return row.figures[self.headline].estimate

    def worse_than_a_sentinel(self) -> list[tuple[MetricRow, list[MetricRow]]]:
        """The sentinels that rank above a metric, each with the metrics below it."""
        found = []
        for row in self.rows:
            if row.metric.is_sentinel and not isnan(self.value(row)):
                below = [
                    other
                    for other in self.rows
                    if not other.metric.is_sentinel and self.value(other) < self.value(row)
                ]
                found += [(row, below)] if below else []
        return found


def ordered(rows: list[MetricRow], headline: str) -> tuple[MetricRow, ...]:
    """The highest first; metrics without a value last."""

    def place(row: MetricRow) -> float:
        value = row.figures[headline].estimate
        return inf if isnan(value) else -value

    return tuple(sorted(rows, key=place))
