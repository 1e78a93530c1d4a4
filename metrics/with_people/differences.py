"""Which metrics follow people better than which: permutation tests of all pairs, and clusters."""

from dataclasses import dataclass, replace

import numpy as np
from django.utils.translation import gettext_noop

from judgments.results.observations.observations import RESAMPLES, SEED
from judgments.results.selection.selection import Selection
from metrics.stats.meta_evaluation import compare_metrics, rank_metrics
from metrics.stats.williams import williams_of_pairs

from .board import Board, board_of
from .study import Metric, Study, StudyChoice, remembered, study_of

ALPHA = 0.05


@dataclass(frozen=True)
class Compared:
    """A statistic that metrics can be compared by. `level`: of what it is taken over; `statistic`:
    what metrics.stats.meta_evaluation calls it."""

    name: str
    level: str
    statistic: str
    grouping: str = "item"
    resamples: int = RESAMPLES


COMPARED = {
    "system-pearson": Compared(gettext_noop("Pearson r over systems"), "system", "pearson", "none"),
    # Those of 200 resamples cost many times as much each: here the p-values inside are taken anew.
    "spa": Compared(
        gettext_noop("Soft pairwise accuracy"), "segment", "soft-accuracy", resamples=200
    ),
    "item-acc_eq": Compared(
        gettext_noop("Accuracy with calibrated ties, by item"), "segment", "acc_eq*"
    ),
    "segment-pearson": Compared(
        gettext_noop("Pearson r over all outputs"), "segment", "pearson", "none"
    ),
    "item-pearson": Compared(
        gettext_noop("Pearson r by item"), "segment", "pearson", resamples=200
    ),
}


@dataclass(frozen=True, kw_only=True)
class Differences:
    """All pairs of metrics under one statistic, the best metric first.

    `estimates` (M,); `ranks` (M,): 1 for the metrics of the best cluster, 0 without an estimate;
    `p_values` (M, M): one-sided, that the row's metric is not better than the column's, by `test`;
    `williams` (M, M): Williams' p-values of the same above the diagonal, None where that test does
    not apply. `n`: systems or segments, as `unit` says.
    """

    compared: str
    name: str
    human_name: str
    metrics: tuple[Metric, ...]
    estimates: np.ndarray
    ranks: np.ndarray
    p_values: np.ndarray
    williams: np.ndarray | None
    test: str
    n: int
    unit: str
    seed: int
    resamples: int
    alpha: float
    reason: str = ""

    @property
    def n_clusters(self) -> int:
        return int(self.ranks.max(initial=0)) and len(set(self.ranks[self.ranks > 0].tolist()))

    @property
    def best(self) -> list[Metric]:
        """The metrics of the first cluster."""
        return [m for m, rank in zip(self.metrics, self.ranks.tolist(), strict=True) if rank == 1]


def differences(
    selection: Selection, choice: StudyChoice, board: Board, compared: str = "system-pearson"
) -> Differences:
    """Every pair of metrics; computed anew only when judgments, scores or texts have changed.

    Raises ValueError for an unknown key of COMPARED.
    """
    if compared not in COMPARED:
        raise ValueError(f"compared is one of {', '.join(COMPARED)}, not {compared!r}")

    def compute() -> Differences:
        over_judged = choice.over == "judged"
        full = board_of(selection.campaign.test_set, statistics=True) if over_judged else board
        return differences_of(study_of(selection, choice, full), compared)

    # Only over systems does it matter on what a metric scores them.
    alike = choice if COMPARED[compared].level == "system" else replace(choice, over="all")
    return remembered(selection, "differences", alike, board, compute, compared=compared)


def differences_of(study: Study, compared: str) -> Differences:
    """The same of arrays."""
    by = COMPARED[compared]
    is_system = by.level == "system"
    human = study.human_systems if is_system else study.human
    scores = study.metric_systems if is_system else study.segments
    found = compare_metrics(
        human,
        scores,
        statistic=by.statistic,
        rng=np.random.default_rng(SEED),
        resamples=by.resamples,
        grouping=by.grouping,
    )
    order = np.argsort(np.nan_to_num(-found.estimates, nan=np.inf), kind="stable")
    estimates, p_values = found.estimates[order], found.p_values[np.ix_(order, order)]
    return Differences(
        compared=compared,
        name=by.name,
        human_name=study.human_name,
        metrics=tuple(study.metrics[i] for i in order),
        estimates=estimates,
        ranks=rank_metrics(estimates, p_values, alpha=ALPHA),
        p_values=p_values,
        williams=williams_of_pairs(human, scores[order]) if is_system else None,
        test=found.test,
        n=study.n_systems if is_system else study.n_segments,
        unit="system" if is_system else "segment",
        seed=SEED,
        resamples=found.resamples,
        alpha=ALPHA,
        reason=study.reason or next(filter(None, found.reasons), ""),
    )
