"""Which metrics follow people better than which: permutation tests of all pairs, and clusters."""

from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

import numpy as np
from django.utils.translation import gettext_noop

from judgments.results.observations.observations import RESAMPLES, SEED
from judgments.results.selection.selection import Selection
from metrics.stats.meta_evaluation import MetricComparison, compare_metrics, rank_metrics
from metrics.stats.williams import williams_of_pairs

from .board import Board
from .study import Metric, Study, StudyChoice, full_board, remembered, study_of

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
    """Return every pair of metrics; computed anew only when judgments, scores or texts have
    changed.

    Raises ValueError for an unknown key of COMPARED.
    """
    if compared not in COMPARED:
        raise ValueError(f"compared is one of {', '.join(COMPARED)}, not {compared!r}")

    def compute() -> Differences:
        full = full_board(selection, choice, board)
        return differences_of(study_of(selection, choice, full), compared)

    # Only over systems does it matter on what a metric scores them.
    alike = choice if COMPARED[compared].level == "system" else replace(choice, over="all")
    return remembered(selection, "differences", alike, board, compute, compared=compared)


def differences_of(study: Study, compared: str) -> Differences:
    """Return the same of arrays."""
    by = COMPARED[compared]
    is_system = by.level == "system"
    found = comparison_of(study, by)
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
        williams=williams_p(study, order) if is_system else None,
        test=found.test,
        n=study.n_systems if is_system else study.n_segments,
        unit="system" if is_system else "segment",
        seed=SEED,
        resamples=found.resamples,
        alpha=ALPHA,
        reason=study.reason or next(filter(None, found.reasons), ""),
    )


def comparison_of(study: Study, by: Compared) -> MetricComparison:
    """Return estimates and tests of all metrics. Two that leave out other outputs are tested on
    what both are held against: `common`."""
    groups = study.groups
    if len(groups) == 1:
        return compare(study, by, groups[0], groups[0])
    n = len(study.metrics)
    estimates, epsilons = np.full(n, np.nan), np.full(n, np.nan)
    p_values, reasons = np.full((n, n), np.nan), [""] * n
    for first, second in combinations_with_replacement(groups, 2):
        found = compare(study, by, first, second)
        if first is second:
            estimates[first], epsilons[first] = found.estimates, found.epsilons
            p_values[np.ix_(first, first)] = found.p_values
            for i, reason in zip(first, found.reasons, strict=True):
                reasons[i] = reason
        else:
            p_values[np.ix_(first, second)] = found.p_values[: len(first), len(first) :]
            p_values[np.ix_(second, first)] = found.p_values[len(first) :, : len(first)]
    return replace(
        found, estimates=estimates, epsilons=epsilons, p_values=p_values, reasons=tuple(reasons)
    )


def compare(study: Study, by: Compared, first: list[int], second: list[int]) -> MetricComparison:
    """Return the metrics of two groups of a study, or of one, on what both are held against."""
    metrics = first if first is second else [*first, *second]
    scores = study.metric_systems if by.level == "system" else study.segments
    return compare_metrics(
        common(study, by.level, first, second),
        scores[metrics],
        statistic=by.statistic,
        rng=np.random.default_rng(SEED),
        resamples=by.resamples,
        grouping=by.grouping,
    )


def common(study: Study, level: str, first: list[int], second: list[int]) -> np.ndarray:
    """Return People's scores that metrics of both groups are held against: of systems (S,) of which
    both leave out the same judged outputs, or of outputs (S, N) that neither leaves out."""
    if study.left is None:
        return study.human_systems if level == "system" else study.human
    left = study.left[first[0]], study.left[second[0]]
    if level == "system":
        return np.where((left[0] == left[1]).all(axis=1), study.people_of(first[0]), np.nan)
    return np.where(left[0] | left[1], np.nan, study.human)


def williams_p(study: Study, order: np.ndarray) -> np.ndarray:
    """Return Williams' p-values of pairs of metrics in an order (M,), as `williams_of_pairs` has
    them."""
    found = np.full((len(order), len(order)), np.nan)
    group_of = {i: g for g, group in enumerate(study.groups) for i in group}
    groups = np.array([group_of[i] for i in order.tolist()], np.int64)
    for first, second in combinations_with_replacement(range(len(study.groups)), 2):
        at = np.flatnonzero((groups == first) | (groups == second))
        human = common(study, "system", study.groups[first], study.groups[second])
        p_values = williams_of_pairs(human, study.metric_systems[order[at]])
        is_asked = (groups[at][:, None] == groups[at]) == (first == second)
        rows, columns = np.nonzero(is_asked)
        found[at[rows], at[columns]] = p_values[rows, columns]
    return found
