"""What a table of metrics against people holds: a figure for each metric and statistic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isnan, nan

from metrics.stats.agreement_intervals import Ends

from .study import Metric


@dataclass(frozen=True, kw_only=True)
class Figure:
    """An estimate with its interval; NaN with a `reason` where there is none. `n`: what it was
    computed over (systems, pairs of systems, outputs or groups, as the statistic says).
    `p_value`: two-sided, of no correlation, by the rule of the interval; `no_interval`: why there
    is an estimate alone."""

    estimate: float = nan
    low: float = nan
    high: float = nan
    p_value: float = nan
    n: int = 0
    n_undefined: int = 0
    reason: str = ""
    no_interval: str = ""

    @property
    def has_interval(self) -> bool:
        return not isnan(self.low)


def figure(estimate: float, n: int, reason: str, ends: Ends, **more: float) -> Figure:
    """Return a figure with the interval of its rule."""
    return Figure(
        estimate=float(estimate),
        low=ends.low,
        high=ends.high,
        n=int(n),
        reason=reason,
        no_interval="" if reason else ends.reason,
        **more,  # type: ignore[arg-type]
    )


@dataclass(frozen=True)
class MetricRow:
    """One metric. `figures` by statistic; `epsilon`: metric differences up to it count as ties."""

    metric: Metric
    figures: dict[str, Figure]
    epsilon: float = nan


@dataclass(frozen=True, kw_only=True)
class MetricAgreement:
    """All metrics at one level, the one that agrees most by `headline` first.

    `level` is "system" or "segment"; `statistics` are the keys of every row's figures, in order,
    with their names. `grouping` and `fewest` (outputs of a group) belong to segments, `outliers`,
    `n_separated` (pairs of systems that people tell apart by `test` at `alpha`), and the
    `permutations` and `seed` of soft pairwise accuracy to systems.
    """

    level: str
    human_name: str
    statistics: dict[str, str]
    headline: str
    rows: tuple[MetricRow, ...]
    systems: tuple[str, ...]
    left_out: tuple[str, ...]
    n_segments: int
    grouping: str = ""
    fewest: int = 0
    over: str = ""
    outliers: tuple[str, ...] = ()
    n_pairs: int = 0
    n_separated: int = 0
    test: str = ""
    alpha: float = nan
    permutations: int = 0
    seed: int = 0
    reason: str = ""

    @property
    def best(self) -> MetricRow | None:
        """The metric, no sentinel, that agrees most; None where nothing is defined."""
        real = (row for row in self.rows if not row.metric.is_sentinel)
        return next((row for row in real if not isnan(self.value(row))), None)

    def value(self, row: MetricRow) -> float:
        return row.figures[self.headline].estimate

    def row_of(self, slug: str) -> MetricRow | None:
        return next((row for row in self.rows if row.metric.slug == slug), None)

    def among(self, slugs: set[str]) -> MetricAgreement:
        """Return the same of these metrics alone."""
        return replace(self, rows=tuple(row for row in self.rows if row.metric.slug in slugs))

    def worse_than_a_sentinel(self) -> list[tuple[MetricRow, list[MetricRow]]]:
        """Return the sentinels that rank above a metric, each with the metrics below it."""
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
    """Return the highest first; metrics without a value last."""

    def place(row: MetricRow) -> float:
        value = row.figures[headline].estimate
        return inf if isnan(value) else -value

    return tuple(sorted(rows, key=place))
