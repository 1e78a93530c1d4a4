"""Metrics against people over systems: coefficients, accuracies, and their intervals."""

from collections.abc import Callable, Iterator

import numpy as np
from django.utils.translation import gettext_noop

from judgments.results.observations.observations import RESAMPLES
from judgments.results.selection.selection import Selection
from metrics.stats import correlation
from metrics.stats.agreement_intervals import (
    Ends,
    pearson_interval,
    rank_interval,
    share_interval,
)
from metrics.stats.outliers import outliers
from metrics.stats.soft_accuracy import SoftAccuracy, soft_pairwise_accuracy

from .agreement import Figure, MetricAgreement, MetricRow, figure, ordered
from .board import Board
from .study import Study, StudyChoice, computed_on, full_board, remembered, study_of

ALPHA = 0.05
# That of the published implementation, whose swaps these then are.
SOFT_SEED = 4
STATISTICS = {
    "pearson": "Pearson r",
    "spearman": "Spearman ρ",
    "kendall": "Kendall τ-b",
    "accuracy": gettext_noop("Pairwise accuracy"),
    "accuracy_separated": gettext_noop("Accuracy, separated pairs"),
    "spa": gettext_noop("Soft pairwise accuracy"),
    "pearson_kept": gettext_noop("Pearson r without outliers"),
    "spearman_kept": gettext_noop("Spearman ρ without outliers"),
    "kendall_kept": gettext_noop("Kendall τ-b without outliers"),
}
COEFFICIENTS: dict[str, Callable[..., correlation.Correlation]] = {
    "pearson": correlation.pearson,
    "spearman": correlation.spearman,
    "kendall": correlation.kendall,
}
NO_TEST = gettext_noop("people's comparisons have no test between systems")


def system_agreement(selection: Selection, choice: StudyChoice, board: Board) -> MetricAgreement:
    """Return all metrics over systems; computed anew only when judgments, scores or texts have
    changed."""

    def compute() -> MetricAgreement:
        full = full_board(selection, choice, whole)
        return system_agreement_of(study_of(selection, choice, full))

    whole = computed_on(board, choice)
    found = remembered(selection, "systems", choice, whole, compute)
    return found if whole is board else found.among(board.slugs)


def system_agreement_of(study: Study) -> MetricAgreement:
    """Return the same of arrays."""
    is_out = outliers(study.human_systems).mask
    soft = soft_figures(study)
    rows = [
        MetricRow(metric, metric_figures(study, i, is_out) | {"spa": soft[i]})
        for i, metric in enumerate(study.metrics)
    ]
    apart = separated(study)
    return MetricAgreement(
        level="system",
        human_name=study.human_name,
        statistics=STATISTICS,
        headline="pearson",
        rows=ordered(rows, "pearson"),
        systems=study.systems,
        left_out=study.left_out,
        n_segments=study.n_segments,
        over=study.choice.over,
        outliers=tuple(n for n, out in zip(study.systems, is_out, strict=True) if out),
        n_pairs=study.n_systems * (study.n_systems - 1) // 2,
        n_separated=0 if apart is None else int(np.triu(apart, 1).sum()),
        test="" if apart is None else study.test,
        alpha=ALPHA,
        permutations=RESAMPLES,
        seed=SOFT_SEED,
        reason=study.reason,
    )


def separated(study: Study) -> np.ndarray | None:
    """Return which pairs people tell apart, (S, S), symmetric; None where there is no test."""
    if study.p_values is None:
        return None
    with np.errstate(invalid="ignore"):
        return study.p_values < ALPHA


def metric_figures(study: Study, i: int, is_out: np.ndarray) -> dict[str, Figure]:
    """Return all figures of metric i but soft pairwise accuracy."""
    human, metric = study.people_of(i), study.metric_systems[i]
    kept = human[~is_out], metric[~is_out]
    return (
        {name: coefficient(name, human, metric) for name in COEFFICIENTS}
        | {"accuracy": accuracy(human, metric), "accuracy_separated": apart(study, i)}
        | {f"{name}_kept": coefficient(name, *kept) for name in COEFFICIENTS}
    )


def coefficient(name: str, human: np.ndarray, metric: np.ndarray) -> Figure:
    """Return a correlation over systems."""
    found = COEFFICIENTS[name](metric, human)
    ends = (
        pearson_interval(found.estimate, found.n)
        if name == "pearson"
        else rank_interval(found.estimate, found.n, name)
    )
    return figure(found.estimate, found.n, found.reason, ends, p_value=ends.p_value)


def accuracy(human: np.ndarray, metric: np.ndarray, **separate: np.ndarray | float) -> Figure:
    """Return pairwise accuracy; its interval knows how many of all pairs are counted."""
    found = correlation.pairwise_accuracy(human, metric, **separate)  # type: ignore[arg-type]
    n_systems = int((~np.isnan(human + metric)).sum())
    n_all = found.n_pairs + found.n_left_out
    counted = found.n_pairs / n_all if n_all else 1.0
    ends = share_interval(found.estimate, n_systems, counted)
    return figure(found.estimate, found.n_pairs, found.reason, ends)


def apart(study: Study, i: int) -> Figure:
    """Return pairwise accuracy of metric i over the pairs that people separate."""
    if study.p_values is None:
        return Figure(reason=NO_TEST)
    human, metric = study.people_of(i), study.metric_systems[i]
    return accuracy(human, metric, p_values=study.p_values, alpha=ALPHA)


def soft_figures(study: Study) -> list[Figure]:
    """Return soft pairwise accuracy of every metric."""
    if study.n_systems < 2:
        return [Figure(reason=gettext_noop("fewer than 2 systems"))] * len(study.metrics)
    figures: dict[int, Figure] = {}
    for metrics in study.groups:
        found = soft_pairwise_accuracy(
            study.judged_of(metrics[0]) if metrics else study.human,
            study.segments[metrics],
            rng=np.random.default_rng(SOFT_SEED),
            permutations=RESAMPLES,
        )
        figures |= dict(zip(metrics, soft_figures_of(found), strict=True))
    return [figures[i] for i in range(len(study.metrics))]


def soft_figures_of(found: SoftAccuracy) -> Iterator[Figure]:
    for i, p_values in enumerate(found.metric_p):
        compared = ~np.isnan(p_values - found.human_p)
        n_systems = int((compared | compared.T).any(axis=1).sum())
        ends = share_interval(found.estimates[i], n_systems) if n_systems else Ends()
        yield figure(found.estimates[i], found.n_pairs[i], found.reasons[i], ends)
