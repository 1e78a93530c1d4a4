"""Metrics against people over systems: coefficients, accuracies, and intervals by bootstrap."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import nan

import numpy as np

from judgments.results import RESAMPLES, SEED
from judgments.results.selection import Selection
from metrics.stats import correlation
from metrics.stats.outliers import outliers
from metrics.stats.soft_accuracy import soft_pairwise_accuracy
from metrics.stats.system_bootstrap import (
    bounds,
    draw_systems,
    resampled_coefficients,
    resampled_pair_means,
)
from metrics.tables import Column, ScoreTable

from .board import Board, board_of
from .resampling import human_resampled, metric_resampled, weights_of
from .rows import Agreement, Figure, MetricRow, ordered
from .study import Choice, Study, remembered, study_of

ALPHA = 0.05
CONFIDENCE = 0.95
# That of the published implementation, whose swaps these then are.
SOFT_SEED = 4
STATISTICS = {
    "pearson": "Pearson r",
    "spearman": "Spearman ρ",
    "kendall": "Kendall τ-b",
    "accuracy": "Pairwise accuracy",
    "accuracy_separated": "Accuracy, separated pairs",
    "spa": "Soft pairwise accuracy",
    "pearson_kept": "Pearson r without outliers",
    "spearman_kept": "Spearman ρ without outliers",
    "kendall_kept": "Kendall τ-b without outliers",
}
COEFFICIENTS: dict[str, Callable[..., correlation.Correlation]] = {
    "pearson": correlation.pearson,
    "spearman": correlation.spearman,
    "kendall": correlation.kendall,
}
NO_TEST = "people's comparisons have no test between systems"


def system_agreement(selection: Selection, choice: Choice, board: Board) -> Agreement:
    """All metrics over systems; computed anew only when judgments, scores or texts have changed."""

    def compute() -> Agreement:
        full = board_of(selection.campaign.test_set, statistics=True)
        return system_agreement_of(study_of(selection, choice, full), full.table)

    return remembered(selection, "systems", choice, board, compute)


@dataclass(frozen=True, eq=False)
class Draws:
    """The resamples that all metrics share: `weights` (B, n) of segments (of the whole test set, or
    of the judged ones if `places` is given), `systems` (B, S), `human` (B, S) or (S,)."""

    weights: np.ndarray
    places: np.ndarray | None
    systems: np.ndarray
    human: np.ndarray


def system_agreement_of(study: Study, table: ScoreTable) -> Agreement:
    """The same of arrays; `table` holds the statistics that resamples are scored by."""
    is_out = outliers(study.human_systems).mask
    draws = draw(study, table.n_segments)
    soft = soft_figures(study, draws)
    rows = []
    for i, (metric, column) in enumerate(zip(study.metrics, table.columns, strict=True)):
        figures = metric_figures(study, i, column, draws, is_out)
        rows.append(MetricRow(metric, {**figures, "spa": soft[i]}))
    apart = separated(study)
    return Agreement(
        level="system",
        human_name=study.human_name,
        statistics=STATISTICS,
        headline="pearson",
        rows=ordered(rows, "pearson"),
        systems=study.systems,
        left_out=study.left_out,
        n_segments=study.n_segments,
        seed=SEED,
        resamples=RESAMPLES,
        confidence=CONFIDENCE,
        over=study.choice.over,
        outliers=tuple(n for n, out in zip(study.systems, is_out, strict=True) if out),
        n_pairs=study.n_systems * (study.n_systems - 1) // 2,
        n_separated=0 if apart is None else int(np.triu(apart, 1).sum()),
        test="" if apart is None else study.test,
        alpha=ALPHA,
        permutations=RESAMPLES,
        permutation_seed=SOFT_SEED,
        reason=study.reason,
    )


def separated(study: Study) -> np.ndarray | None:
    """Which pairs people tell apart, (S, S), symmetric; None where there is no test."""
    if study.p_values is None:
        return None
    with np.errstate(invalid="ignore"):
        wins = study.p_values < ALPHA
    return wins | wins.T


def draw(study: Study, n_segments: int) -> Draws:
    """Resamples of segments and systems. Where a metric scores systems on the whole test set, all
    its segments are drawn from, and people's means are over those of them that were judged."""
    rng = np.random.default_rng(SEED)
    over_judged = study.choice.over == "judged"
    n = study.n_segments if over_judged else n_segments
    weights = weights_of(rng, n, RESAMPLES)
    judged = weights if over_judged else weights[:, study.places]
    n_systems = study.n_systems
    systems = (
        draw_systems(rng, n_systems, RESAMPLES) if n_systems else np.zeros((RESAMPLES, 0), int)
    )
    return Draws(
        weights, study.places if over_judged else None, systems, human_resampled(study, judged)
    )


def metric_figures(
    study: Study, i: int, column: Column, draws: Draws, is_out: np.ndarray
) -> dict[str, Figure]:
    """All figures of metric i but soft pairwise accuracy."""
    human, metric = study.human_systems, study.metric_systems[i]
    found = {name: of(c(metric, human)) for name, c in COEFFICIENTS.items()}
    kept = {
        f"{name}_kept": of(c(metric[~is_out], human[~is_out])) for name, c in COEFFICIENTS.items()
    }
    accuracies = {"accuracy": accuracy(human, metric), "accuracy_separated": apart(study, metric)}
    scores = metric_resampled(column, study.system_ids.tolist(), draws.weights, draws.places)
    scores = metric if scores is None else scores
    drawn = (draws.systems, separated(study))
    values = resampled_coefficients(draws.human, scores, *drawn)
    if is_out.any():
        without = resampled_coefficients(draws.human, np.where(is_out, nan, scores), *drawn)
        values |= {f"{name}_kept": without[name] for name in COEFFICIENTS}
    else:
        values |= {f"{name}_kept": values[name] for name in COEFFICIENTS}
    figures = found | accuracies | kept
    return {name: with_interval(figure, values[name]) for name, figure in figures.items()}


def of(found: correlation.Correlation) -> Figure:
    return Figure(estimate=found.estimate, n=found.n, reason=found.reason)


def accuracy(human: np.ndarray, metric: np.ndarray) -> Figure:
    found = correlation.pairwise_accuracy(human, metric)
    return Figure(estimate=found.estimate, n=found.n_pairs, reason=found.reason)


def apart(study: Study, metric: np.ndarray) -> Figure:
    """Pairwise accuracy over the pairs that people separate."""
    if study.p_values is None:
        return Figure(reason=NO_TEST)
    p_values = np.fmin(study.p_values, study.p_values.T)
    found = correlation.pairwise_accuracy(
        study.human_systems, metric, p_values=p_values, alpha=ALPHA
    )
    return Figure(estimate=found.estimate, n=found.n_pairs, reason=found.reason)


def with_interval(figure: Figure, values: np.ndarray) -> Figure:
    """The figure with the percentile interval of its resampled values."""
    if figure.reason:
        return figure
    found = bounds(values, CONFIDENCE)
    return replace(figure, low=found.low, high=found.high, n_undefined=found.n_undefined)


def soft_figures(study: Study, draws: Draws) -> list[Figure]:
    """Soft pairwise accuracy of every metric; its interval draws systems alone."""
    if study.n_systems < 2:
        return [Figure(reason="fewer than 2 systems")] * len(study.metrics)
    found = soft_pairwise_accuracy(
        study.human,
        study.segments,
        rng=np.random.default_rng(SOFT_SEED),
        permutations=RESAMPLES,
    )
    figures = []
    for i, p_values in enumerate(found.metric_p):
        closeness = 1 - np.abs(p_values - found.human_p)
        both = np.fmax(closeness, closeness.T)
        figure = Figure(
            estimate=float(found.estimates[i]), n=int(found.n_pairs[i]), reason=found.reasons[i]
        )
        figures.append(with_interval(figure, resampled_pair_means(both, draws.systems)))
    return figures
