"""Two metrics on the same segments, documents or systems: how alike they are, where they differ."""

from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from math import isnan, nan

import numpy as np
from django.utils.translation import gettext_noop

from judgments.models import System, controls_of
from judgments.stats.correlation import Correlation, kendall, pearson, spearman
from judgments.web.cache import code_mark, get_or_compute
from metrics.scores.levels import document_scores_of, groups_of
from metrics.scores.tables import MetricColumn, ScoreTable, load_statistics, segment_matrix
from metrics.stats.agreement_intervals import (
    Ends,
    jackknife_interval,
    leave_out,
    pearson_interval,
    rank_interval,
)
from metrics.stats.columns import FEWEST
from metrics.stats.groups import grouped
from metrics.stats.metric_pairs import MetricPairs, every_pair
from metrics.stats.weighted_coefficients import weighted_pairs, weighted_pearson

LEVELS = {
    "segment": gettext_noop("segments"),
    "document": gettext_noop("documents"),
    "system": gettext_noop("systems"),
}
CONTROLS = {"out": gettext_noop("left out"), "in": gettext_noop("kept as systems")}
COEFFICIENTS = {"pearson": "Pearson r", "spearman": "Spearman ρ", "kendall": "Kendall τ-b"}
FLAT = {"pearson": pearson, "spearman": spearman, "kendall": kendall}
NO_RULE = gettext_noop("no interval for this coefficient")
NO_GROUP = {
    "segment": gettext_noop("no segment has three outputs that both metrics tell apart"),
    "document": gettext_noop("no document has three outputs that both metrics tell apart"),
}
# Of segments or documents, for the jackknife.
BLOCKS = 20


@dataclass(frozen=True)
class PairFigure:
    """A coefficient of two metrics. ``grouping``: "none" (all points together), or "item" (of the
    systems of one segment or document, then the mean); ``n``: points, or groups. NaN with a
    ``reason``; ``no_interval``: why there is an estimate alone."""

    coefficient: str
    grouping: str
    estimate: float
    n: int
    ends: Ends
    reason: str = ""

    @property
    def no_interval(self) -> str:
        return "" if isnan(self.estimate) or not isnan(self.ends.low) else self.ends.reason


@dataclass
class TwoMetrics:
    """Scores of two columns at one level. ``systems``: those that take part."""

    table: ScoreTable
    first: MetricColumn
    second: MetricColumn
    level: str
    systems: list[System]

    @cached_property
    def scores(self) -> np.ndarray:
        """Return both metrics' scores, (2, S, N), higher better, NaN where there is none: N
        segments, documents, or 1 for the scores of systems."""
        return np.stack([_oriented(self._scores_of(each), each) for each in self.pair])

    @property
    def pair(self) -> tuple[MetricColumn, MetricColumn]:
        return self.first, self.second

    def _scores_of(self, column: MetricColumn) -> np.ndarray:
        ids = [system.pk for system in self.systems]
        if self.level == "segment":
            return segment_matrix(column, ids, self.table.n_segments)
        if self.level == "system":
            return system_scores(column, ids)[:, None]
        load_statistics(column)
        names, places, *_rest = groups_of(self.table.test_set)
        scorer = column.scorer()
        found = np.full((len(ids), len(names)), np.nan)
        for row, pk in enumerate(ids):
            if pk in column.scores:
                found[row] = document_scores_of(column.scores[pk], scorer, places, len(names))
        return found

    @cached_property
    def places(self) -> np.ndarray:
        """Return where both have a score: (n, 2) of (system, segment or document)."""
        return np.argwhere(~np.isnan(self.scores).any(axis=0))

    @cached_property
    def distances(self) -> np.ndarray:
        """Return how much higher the first puts each of the `places` than the second, (n,), in
        standard deviations of each; NaN if one does not vary."""
        points = self.scores[:, self.places[:, 0], self.places[:, 1]]
        if not points.size:
            return np.zeros(0)
        spread = points.std(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(spread > 0, (points - points.mean(axis=1, keepdims=True)) / spread, nan)
        return z[0] - z[1]

    @cached_property
    def figures(self) -> list[PairFigure]:
        """Return every coefficient: of all points, and below the level of systems by item."""
        flat = [self._flat(name) for name in COEFFICIENTS]
        return flat if self.level == "system" else [*flat, *map(self._by_item, COEFFICIENTS)]

    def of(self, coefficient: str, grouping: str = "none") -> PairFigure:
        return next(
            each
            for each in self.figures
            if (each.coefficient, each.grouping) == (coefficient, grouping)
        )

    def _flat(self, name: str) -> PairFigure:
        found: Correlation = FLAT[name](*self.scores)
        if self.level == "system":
            rule = pearson_interval if name == "pearson" else partial(rank_interval, name=name)
            ends = rule(found.estimate, found.n)
        else:
            ends = self._jackknife(found.estimate, "none", name)
        return PairFigure(name, "none", found.estimate, found.n, ends, found.reason)

    def _by_item(self, name: str) -> PairFigure:
        key = "kendall-b" if name == "kendall" else name
        found = grouped(self.scores[0], self.scores[1:], grouping="item", coefficient=key)
        estimate, n = float(found.estimates[0]), int(found.n_groups[0])
        reason = NO_GROUP[self.level] if isnan(estimate) else ""
        ends = self._jackknife(estimate, "item", key)
        return PairFigure(name, "item", estimate, n, ends, reason)

    def _jackknife(self, estimate: float, grouping: str, key: str) -> Ends:
        """Return the interval of figures over segments, as with people (docs/decisions/0016)."""
        if isnan(estimate):
            return Ends()
        if key != "pearson" and (grouping, key) != ("item", "kendall-b"):
            return Ends(reason=NO_RULE)
        n_systems, n = self.scores.shape[1:]
        blocks = leave_out(n, BLOCKS)
        weights = (
            (1 - np.eye(n_systems), np.ones((n_systems, n))),
            (np.ones((len(blocks), n_systems)), blocks),
        )
        x, y = self.scores
        without = [
            weighted_pearson(x, y, systems, segments, grouping)
            if key == "pearson"
            else weighted_pairs(x, y, systems, segments, 0.0)[key]
            for systems, segments in weights
        ]
        return jackknife_interval(estimate, without[0], without[1], is_correlation=True)


def _oriented(scores: np.ndarray, column: MetricColumn) -> np.ndarray:
    return scores if column.higher_is_better else -scores


def system_scores(column: MetricColumn, system_ids: list[int]) -> np.ndarray:
    """Return a metric's scores of systems, (S,), NaN without one."""
    scores = (column.scores.get(pk) for pk in system_ids)
    return np.array([nan if each is None else each.score for each in scores], np.float64)


def compared_systems(table: ScoreTable, controls: str) -> list[System]:
    """Return the systems that take part: control systems of known weakness, which every metric
    places last, make metrics look alike."""
    gone = controls_of(table.test_set) if controls == "out" else {}
    return [system for system in table.systems if system.pk not in gone]


def all_pairs(table: ScoreTable, systems: list[System]) -> MetricPairs:
    """Return how alike every two columns are, in the order of the table; kept until a score or a
    system changes."""
    ids = [system.pk for system in systems]

    def compute() -> MetricPairs:
        over_systems = [_oriented(system_scores(c, ids), c) for c in table.columns]
        over_segments = [
            _oriented(segment_matrix(c, ids, table.n_segments), c) for c in table.columns
        ]
        return every_pair(np.array(over_systems), np.array(over_segments), FEWEST)

    parts: list[object] = ["every pair of metrics", code_mark(), table.n_segments, *ids]
    for column in table.columns:
        parts.append(column.slug)
        parts += [f"{s.pk} {s.created_at.isoformat()}" for s in column.scores.values()]
    key = sha256("\n".join(map(str, parts)).encode()).hexdigest()
    return get_or_compute(key, compute, group=-table.test_set.pk)
