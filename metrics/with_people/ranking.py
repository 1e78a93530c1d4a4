"""People's ranking beside the metrics' and AutoRank, in one table."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.results.scores.figures import SystemScores
from judgments.results.segments.links import to_segments
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table, figure
from metrics.scores.tables import MetricColumn
from metrics.stats.auto_rank import autorank_wmt24, autorank_wmt25
from metrics.with_people.judged_segments import corpus_scores

from .board import Board
from .study import Metric, StudyChoice, human_name, human_scores, kept_systems, metric_of, spoken
from .tables import names_of, with_ends

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
    """Return what AutoRank is made of unless a reader chooses: the two that WMT24 took, the first
    of each name, or all metrics but ``sentinels`` (slugs) where one of the two is missing."""
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
    """Return the ranking by people's score of a choice, with AutoRank of the metrics of these
    slugs; unknown ones are passed over, and without any they are the usual ones. ``shown``: the
    metrics of the table, those of AutoRank if none. Metrics score whole test sets."""
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
    """Return stored scores, (M, S)."""
    found = [corpus_scores(column, system_ids, None) for column in columns]
    return np.array(found).reshape(len(columns), len(system_ids))


def autoranks(
    columns: Sequence[MetricColumn], scores: np.ndarray, kept: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return AutoRank of WMT24 and of WMT25, each (S,), of stored scores (M, S) and of systems that
    are kept (S,). Metrics of errors are turned."""
    if not len(columns):
        nothing = np.full(len(kept), np.nan)
        return nothing, nothing
    signs = np.array([1.0 if column.higher_is_better else -1.0 for column in columns])
    turned = np.where(kept, scores * signs[:, None], np.nan)
    return autorank_wmt24(turned), autorank_wmt25(turned)


# In a sentence; of more metrics it says how many.
MOST_NAMED = 4
TITLE = gettext_lazy("Human and automatic ranking")
ABOUT = gettext_lazy(
    "AutoRank puts several metrics together, 1 for the best of N systems and N for the worst. As "
    "WMT24 has it: each metric scaled from 1 to N, then the mean. As WMT25: of each metric (x − "
    "median) / (P100 − P25), the mean, scaled from 1 to N. Both prefer systems that were tuned to "
    "such metrics; people's ranking is the one that counts."
)


def ranking_lead(found: SystemRanking) -> str:
    """Return whether people and metrics agree about the best."""
    if not found.n_ranked or isnan(found.people.mean[found.order[0]]):
        return _("There is no AutoRank: no two systems have scores by all of the metrics.")
    best = found.names[int(np.nanargmin(found.autorank25))]
    known = {"best": best, "people": found.names[0], "n": found.n_ranked}
    names = list(names_of(found.ranked_by).values())
    many = len(names) > MOST_NAMED
    known["metrics"] = counted.metrics(len(names)) if many else counted.names(names)
    gap = farthest(found)
    if best == found.names[0]:
        said = _("%(best)s is first for people and by AutoRank over %(metrics)s.") % known
    else:
        said = _("%(people)s is first for people, %(best)s by AutoRank over %(metrics)s.") % known
    return f"{said} {gap}".strip()


def farthest(found: SystemRanking) -> str:
    """Return the system that people and AutoRank place most differently."""
    there = np.flatnonzero(~np.isnan(found.autorank25))
    if len(there) < 3:
        return ""
    people = np.arange(1, len(there) + 1)
    gaps = np.abs(found.autorank25[there] - people)
    most = int(gaps.argmax())
    return _(
        "Farthest apart: %(name)s, place %(place)s of %(n)s for people and %(rank)s by AutoRank."
    ) % {
        "name": found.names[there[most]],
        "place": people[most],
        "n": len(there),
        "rank": figure(float(found.autorank25[there[most]]), 1),
    }


def ranking_table(
    found: SystemRanking, selection: Selection, slug: str = "metric-ranking", title: str = ""
) -> Table:
    """Return a row for each system, the best for people first; a system leads to its segments."""
    people = found.people
    names = names_of(found.metrics)
    columns = (
        Column("system"),
        Column("rank_from", _("Rank, from"), "count"),
        Column("rank_to", _("to"), "count"),
        Column("cluster", _("Cluster"), "count", _("Systems of one cluster cannot be told apart")),
        *with_ends("human", spoken(found.human_name)),
        Column("autorank25", _("AutoRank, WMT25"), "number"),
        Column("autorank24", _("AutoRank, WMT24"), "number"),
        *(
            Column(metric.slug, names[metric.slug], "number", hint_of(metric))
            for metric in found.metrics
        ),
    )
    rows = [
        (
            found.names[place],
            whole(people.rank_low[i]),
            whole(people.rank_high[i]),
            int(people.cluster[i]) or None,
            float(people.mean[i]),
            float(people.low[i]),
            float(people.high[i]),
            float(found.autorank25[place]),
            float(found.autorank24[place]),
            *(float(value) for value in found.scores[:, place]),
        )
        for place, i in enumerate(found.order.tolist())
    ]
    links = {
        (place, "system"): to_segments(selection, systems=[name])
        for place, name in enumerate(found.names)
    }
    return Table(slug, title or str(TITLE), columns, rows, ranking_note(found), links)


def ranking_note(found: SystemRanking) -> str:
    said = [_("The best for people first; metrics over the whole test set, as they are stored.")]
    turned = [metric.title for metric in found.metrics if not metric.higher_is_better]
    if turned:
        said.append(_("Lower is better: %(names)s.") % {"names": counted.names(turned)})
    if found.ranked_by != found.metrics:
        made = counted.names(list(names_of(found.ranked_by).values()))
        said.append(_("AutoRank is made of %(names)s.") % {"names": made})
    if found.left_out:
        known = {"names": counted.names(list(found.left_out))}
        said.append(_("Human references, without AutoRank: %(names)s.") % known)
    if found.controls:
        known = {"names": counted.names(list(found.controls))}
        said.append(_("Control systems of known weakness, without AutoRank: %(names)s.") % known)
    return " ".join(said)


def hint_of(metric: Metric) -> str:
    return _("Higher is better") if metric.higher_is_better else _("Lower is better")


def whole(value: float) -> int | None:
    """Return a rank, None where there is none."""
    return None if isnan(value) else int(value)
