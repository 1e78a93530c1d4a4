"""People's ranking beside the metrics' and AutoRank, in one table."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judgments.results.scores.figures import SystemScores
from judgments.results.selection.selection import Selection
from metrics.scores.tables import MetricColumn
from metrics.stats.auto_rank import autorank_wmt24, autorank_wmt25
from metrics.with_people.judged_segments import corpus_scores

from .board import Board
from .study import Metric, StudyChoice, human_name, human_scores, kept_systems, metric_of

# The two metrics of WMT24's AutoRank, by what their names begin with.
WMT24 = ("metricx", "cometkiwi")


@dataclass(frozen=True, eq=False)
class SystemRanking:
    """S systems in people's order, best first, and M metrics.

    ``people``: whose rows are in the order of names; ``order`` (S,) are its rows. ``metrics``: as
    they are stored, (M, S) in ``scores``, NaN where there is none. ``autorank24``, ``autorank25``
    (S,), over ``ranked_by``: NaN for systems that lack one of the scores, and for the human
    references in ``left_out`` and control systems in ``controls``.
    """

    human_name: str
    people: SystemScores
    order: np.ndarray
    names: tuple[str, ...]
    ranked_by: tuple[Metric, ...]
    metrics: tuple[Metric, ...]
    scores: np.ndarray
    autorank24: np.ndarray
    autorank25: np.ndarray
    left_out: tuple[str, ...]
    controls: tuple[str, ...]

    @property
    def n_ranked(self) -> int:
        """How many systems AutoRank is of."""
        return int((~np.isnan(self.autorank25)).sum())


def usual_columns(columns: Sequence[MetricColumn], sentinels: frozenset[str]) -> list[MetricColumn]:
    """What AutoRank is made of unless a reader chooses: the two that WMT24 took, the first of each
    name, or all metrics but ``sentinels`` (slugs) where one of the two is missing."""
    real = [column for column in columns if column.slug not in sentinels]
    found = [
        next((column for column in real if column.label.lower().startswith(name)), None)
        for name in WMT24
    ]
    both = [column for column in found if column is not None]
    return both if len(both) == len(WMT24) else real


def system_ranking(
    selection: Selection,
    choice: StudyChoice,
    board: Board,
    slugs: Sequence[str] = (),
    *,
    shown: Sequence[str] = (),
) -> SystemRanking:
    """The ranking by people's score of a choice, with AutoRank of the metrics of these slugs;
    unknown ones are passed over, and without any they are the usual ones. ``shown``: the metrics of
    the table, those of AutoRank if none. Metrics score whole test sets."""
    people, _ = human_scores(selection, choice)
    known = {column.slug: column for column in board.table.columns}
    metrics = {slug: metric_of(column) for slug, column in known.items()}
    chosen = [known[slug] for slug in slugs if slug in known]
    if not chosen:
        sentinels = frozenset(slug for slug, metric in metrics.items() if metric.is_sentinel)
        chosen = usual_columns(board.table.columns, sentinels)
    listed = [known[slug] for slug in shown if slug in known] or chosen
    ids = people.system_ids[people.order].tolist()
    kept = kept_systems(people.system_ids, board, choice)[people.order]
    ranked = autoranks(chosen, scores_of(chosen, ids), kept)
    names = tuple(str(name) for name in people.names[people.order])

    def left_out(is_control: bool) -> tuple[str, ...]:
        rows = zip(names, ids, kept.tolist(), strict=True)
        return tuple(n for n, pk, keep in rows if not keep and (pk in board.controls) == is_control)

    return SystemRanking(
        human_name=human_name(selection, people),
        people=people,
        order=people.order,
        names=names,
        ranked_by=tuple(metrics[column.slug] for column in chosen),
        metrics=tuple(metrics[column.slug] for column in listed),
        scores=scores_of(listed, ids),
        autorank24=ranked[0],
        autorank25=ranked[1],
        left_out=left_out(False),
        controls=left_out(True),
    )


def scores_of(columns: Sequence[MetricColumn], system_ids: Sequence[int]) -> np.ndarray:
    """Stored scores, (M, S)."""
    found = [corpus_scores(column, system_ids, None) for column in columns]
    return np.array(found).reshape(len(columns), len(system_ids))


def autoranks(
    columns: Sequence[MetricColumn], scores: np.ndarray, kept: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """AutoRank of WMT24 and of WMT25, each (S,), of stored scores (M, S) and of systems that are
    kept (S,). Metrics of errors are turned."""
    if not len(columns):
        nothing = np.full(len(kept), np.nan)
        return nothing, nothing
    signs = np.array([1.0 if column.higher_is_better else -1.0 for column in columns])
    turned = np.where(kept, scores * signs[:, None], np.nan)
    return autorank_wmt24(turned), autorank_wmt25(turned)
