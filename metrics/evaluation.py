"""Stored scores + what people said → how far the metrics agree with people.

Metrics are correlated as they are: a metric of errors, such as TER, should correlate negatively,
and `Row.wanted` says so.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from math import isnan

import numpy as np

from judgments import results
from judgments.models import Campaign
from judgments.results import SegmentScores, SystemScores
from judgments.results.selection import Selection
from metrics.judged import corpus_scores, judged_in, judged_matrix
from metrics.scorers import SCORERS
from metrics.stats.correlation import Correlation, kendall, pearson, spearman
from metrics.tables import Column, ScoreTable, score_table

COEFFICIENTS: tuple[Callable[..., Correlation], ...] = (pearson, spearman, kendall)
# The family of metrics that know nothing of translation.
SENTINELS = "Sentinels"
# Which segments a metric's score of a system covers.
OVER = {
    "all": "the whole test set",
    "judged": "the segments that were judged",
}


@dataclass(frozen=True, eq=False)
class Row:
    """One metric against people. `metric` and `human` are paired, NaN where one is missing:
    (n_systems,) or (n_systems, n_segments)."""

    column: Column
    metric: np.ndarray
    human: np.ndarray
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation

    @property
    def wanted(self) -> str:
        """Which sign is agreement."""
        if self.column.higher_is_better:
            return "higher is better, so positive is good"
        return "lower is better, so negative is good"

    @property
    def agreement(self) -> float:
        """Pearson's r turned so that more is better, for comparing metrics."""
        r = self.pearson.estimate
        return r if self.column.higher_is_better else -r


@dataclass(frozen=True, eq=False)
class Evaluation:
    """All metrics of a test set against one human score, over systems or over segments.

    `human_name` says what people's score is (`dimension` is empty where outputs were compared);
    `over` is a key of OVER at the level of systems and empty at the level of segments, where a
    metric is taken on exactly the judged outputs.
    `segment_ids` are the columns of a segment row's arrays. `reason`: why `rows` is empty.
    """

    level: str
    dimension: str
    method: str
    human_name: str
    over: str
    system_ids: list[int]
    names: list[str]
    segment_ids: list[int]
    segment_keys: list[str]
    rows: list[Row]
    n_stale: int = 0
    reason: str = ""

    @property
    def slug(self) -> str:
        """Names it among the evaluations of a campaign."""
        score = [self.dimension, self.method] if self.dimension else []
        judged = ["judged"] if self.over == "judged" else []
        return "-".join([f"{self.level}s", *score, *judged])

    @property
    def best(self) -> Row | None:
        """The metric that agrees most, and is no sentinel; None when no correlation is defined."""
        real = [row for row in self.rows if SCORERS[row.column.metric].family != SENTINELS]
        defined = [row for row in real if not isnan(row.agreement)]
        return max(defined, key=lambda row: row.agreement, default=None)


def human_name(campaign: Campaign, scores: SystemScores | SegmentScores) -> str:
    """What people's score is, in words: `Adequacy, mean rating`, `expected wins`."""
    names = {dimension.slug: dimension.name for dimension in results.dimensions_of(campaign)}
    if scores.dimension not in names:
        return "expected wins" if isinstance(scores, SystemScores) else "share of wins"
    kind = "mean z-score" if scores.method == "z" else "mean rating"
    return f"{names[scores.dimension]}, {kind}"


def system_level(
    selection: Selection,
    dimension: str | None = None,
    method: str = "raw",
    *,
    over: str = "all",
    table: ScoreTable | None = None,
    left_out: Collection[int] = (),
) -> Evaluation:
    """Correlations over systems: corpus scores against people's scores of the systems.

    `over`: a metric scores a system on "all" segments, or on those that were "judged" (their
    sufficient statistics summed). `left_out`: keys of systems that take no part, as human
    references. Raises ValueError for an unknown dimension, method or `over`.
    """
    if over not in OVER:
        raise ValueError(f"over is one of {', '.join(OVER)}, not {over!r}")
    table = table or score_table(selection.campaign.test_set, statistics=over == "judged")
    human = results.system_scores(selection, dimension, method)
    places: np.ndarray | None = None
    if over == "judged":
        human_segments = results.segment_scores(selection, dimension, method)
        places = judged_in(selection.campaign, human_segments.segment_ids).all_places
    keep = ~np.isin(human.system_ids, list(left_out))
    system_ids = human.system_ids[keep].tolist()
    rows = [
        correlate(column, corpus_scores(column, system_ids, places), human.mean[keep])
        for column in table.columns
    ]
    return Evaluation(
        level="system",
        dimension=human.dimension,
        method=human.method,
        human_name=human_name(selection.campaign, human),
        over=over,
        system_ids=system_ids,
        names=[str(name) for name in human.names[keep]],
        segment_ids=[],
        segment_keys=[],
        rows=rows,
        n_stale=table.n_stale,
        reason=human.reason,
    )


def segment_level(
    selection: Selection,
    dimension: str | None = None,
    method: str = "raw",
    *,
    table: ScoreTable | None = None,
    left_out: Collection[int] = (),
) -> Evaluation:
    """Correlations over outputs: a metric's score of a segment against people's score of the same
    segment, all systems and segments together (no grouping); of a document, where documents were
    judged. Raises ValueError as above."""
    table = table or score_table(selection.campaign.test_set)
    human = results.segment_scores(selection, dimension, method)
    keep = ~np.isin(human.system_ids, list(left_out))
    system_ids = human.system_ids[keep].tolist()
    judged = judged_in(selection.campaign, human.segment_ids)
    rows = []
    for column in table.columns:
        scores = judged_matrix(column, system_ids, table.n_segments, judged)
        rows.append(correlate(column, scores, human.values[keep]))
    return Evaluation(
        level="segment",
        dimension=human.dimension,
        method=human.method,
        human_name=human_name(selection.campaign, human),
        over="",
        system_ids=system_ids,
        names=[str(name) for name in human.names[keep]],
        segment_ids=[int(pk) for pk in human.segment_ids],
        segment_keys=[str(key) for key in human.segment_keys],
        rows=rows,
        n_stale=table.n_stale,
        reason="" if human.values.size else "there are no judgments",
    )


def correlate(column: Column, metric: np.ndarray, human: np.ndarray) -> Row:
    """All coefficients of one metric."""
    found = [coefficient(metric, human) for coefficient in COEFFICIENTS]
    return Row(column, metric, human, *found)
