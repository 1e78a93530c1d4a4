"""Which metrics follow people best: estimates of all of them, tests of every pair, clusters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.stats.columns import GROUPINGS, Floats, check, regroup
from metrics.stats.groups import Grouped, grouped
from metrics.stats.permutation import Tally, swap_outcomes, swap_scores
from metrics.stats.soft_accuracy import soft_pairwise_accuracy
from metrics.stats.soft_test import swap_soft

SCORES = ("pearson", "spearman", "kendall-b", "kendall-c")
OUTCOMES = ("acc_eq", "acc_eq*", "tau23")
SYSTEM_STATISTICS = (*SCORES, "pairwise-accuracy")
SEGMENT_STATISTICS = (*SCORES, *OUTCOMES, "soft-accuracy")


@dataclass(frozen=True, kw_only=True)
class MetricComparison:
    """M metrics compared with people by one statistic.

    ``estimates`` (M,): the statistic, more is better; ``p_values`` (M, M): one-sided, that metric i
    is not better than metric j, NaN on the diagonal and without a test; ``test``: its name;
    ``resamples``: how many; ``epsilons`` (M,): of tie calibration, else NaN; ``reasons`` (M,): why
    an estimate is NaN, else empty.
    """

    statistic: str
    grouping: str
    estimates: Floats
    p_values: Floats
    test: str
    resamples: int
    epsilons: Floats
    reasons: tuple[str, ...]


def compare_metrics(
    human: ArrayLike,
    metrics: ArrayLike,
    *,
    statistic: str,
    rng: np.random.Generator,
    resamples: int = 1000,
    grouping: str = "item",
    permutations: int = 1000,
) -> MetricComparison:
    """Return estimates of M metrics, and a permutation test of every pair.

    At the level of systems ``human`` is (S,), ``metrics`` (M, S), and ``statistic`` one of
    ``SYSTEM_STATISTICS``; at the level of segments (S, N), (M, S, N) and ``SEGMENT_STATISTICS``,
    with a ``grouping`` as in ``grouped``. Higher is better in all, NaN is missing.

    The test is PERM-BOTH (Deutsch, Dror and Roth 2021), which swaps standardized scores; for
    "acc_eq", "acc_eq*" and "tau23" outcomes of pairs are swapped instead; for "soft-accuracy",
    which knows no grouping, segment scores are swapped and the p-values inside, of ``permutations``
    draws, taken anew. p is the share of ``resamples`` (rounded up to an even number) whose
    difference is at least the one observed. Two metrics are compared on the outputs that both
    scored.

    Raises ValueError for arrays that do not fit and for unknown names.
    """
    human, metrics = np.asarray(human, np.float64), np.asarray(metrics, np.float64)
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples!r}.")
    is_system = human.ndim == 1
    known = SYSTEM_STATISTICS if is_system else SEGMENT_STATISTICS
    if statistic not in known:
        raise ValueError(f"statistic must be one of {', '.join(known)}, not {statistic!r}.")
    if grouping not in GROUPINGS:
        raise ValueError(f"grouping must be one of {', '.join(GROUPINGS)}, not {grouping!r}.")
    if is_system:
        human, metrics, grouping = human[:, None], metrics[..., None], "none"
    human, metrics = check(human, metrics)
    tally = Tally(len(metrics))
    epsilons = np.full(len(metrics), np.nan)
    if statistic == "soft-accuracy":
        test, grouping = "PERM-BOTH over permutation p-values", ""
        soft = soft_pairwise_accuracy(human, metrics, rng=rng, permutations=permutations)
        estimates, reasons = soft.estimates, soft.reasons
        swap_soft(human, metrics, tally, rng=rng, resamples=resamples, permutations=permutations)
    else:
        found, test = _grouped(human, metrics, statistic, grouping, tally, rng, resamples)
        estimates, reasons, epsilons = found.estimates, found.reasons, found.epsilons
    return MetricComparison(
        statistic=statistic,
        grouping=grouping,
        estimates=estimates,
        p_values=tally.p_values(),
        test=test,
        resamples=resamples + resamples % 2,
        epsilons=epsilons,
        reasons=reasons,
    )


def rank_metrics(
    estimates: ArrayLike, p_values: ArrayLike, *, alpha: float = 0.05
) -> NDArray[np.int64]:
    """Return ranks of metrics (M,) from 1, walking down from the best estimate: a metric that some
    member of the current cluster beats, p ≤ ``alpha``, begins the next cluster and rank
    (mt-metrics-eval).

    ``p_values`` (M, M): one-sided, that metric i is not better than j; NaN beats nobody. A metric
    without an estimate has rank 0. Two of one rank may still differ from a third in different ways,
    and one of the next rank need not be worse than every member of the cluster above.

    Raises ValueError where the shapes differ.
    """
    estimates = np.asarray(estimates, np.float64)
    p_values = np.asarray(p_values, np.float64)
    if estimates.ndim != 1 or p_values.shape != (len(estimates), len(estimates)):
        raise ValueError(f"{estimates.shape} estimates need square p-values: {p_values.shape}.")
    ranks = np.zeros(len(estimates), dtype=np.int64)
    cluster: list[int] = []
    rank = 1
    for metric in np.argsort(-estimates, kind="stable"):
        if np.isnan(estimates[metric]):
            continue
        if any(p_values[better, metric] <= alpha for better in cluster):
            rank, cluster = rank + 1, []
        cluster.append(int(metric))
        ranks[metric] = rank
    return ranks


def _grouped(
    human: Floats,
    metrics: Floats,
    statistic: str,
    grouping: str,
    tally: Tally,
    rng: np.random.Generator,
    resamples: int,
) -> tuple[Grouped, str]:
    """Return the estimates, and the name of the test, which fills the tally."""
    coefficient = "acc_eq" if statistic == "pairwise-accuracy" else statistic
    found = grouped(human, metrics, grouping=grouping, coefficient=coefficient)
    human, metrics = regroup(human, metrics, grouping)
    if statistic in OUTCOMES:
        epsilons = np.nan_to_num(found.epsilons)
        swap_outcomes(human, metrics, epsilons, tally, rng=rng, resamples=resamples)
        return found, "permutation of pair outcomes"
    swap_scores(human, metrics, coefficient, tally, rng=rng, resamples=resamples)
    return found, "PERM-BOTH"
